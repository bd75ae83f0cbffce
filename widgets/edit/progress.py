"""How far the work is, and how fast."""
from __future__ import annotations

import time
from collections.abc import Sequence

from AnyQt.QtWidgets import QProgressBar

from orange_structpred.treebank import Sentence
from orange_structpred.treebank.editing import annotation_progress

SHORTEST_RATE = 60.     # seconds after which a rate says something


class DoneBar(QProgressBar):
    """How many sentences are done, and words per hour since the window was opened."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self._started: float | None = None
        self._words_before = 0

    def start(self, sentences: Sequence[Sentence]) -> None:
        """Count from here on."""
        self._started = time.monotonic()
        self._words_before = annotation_progress(sentences).done_words
        self.show_sentences(sentences)

    def show_sentences(self, sentences: Sequence[Sentence]) -> None:
        state = annotation_progress(sentences)
        self.setRange(0, max(state.sentences, 1))
        self.setValue(state.done_sentences)
        parts = [f"{state.done_sentences:,} of {state.sentences:,} done"]
        if state.questions:
            parts.append(f"{state.questions:,} in question")
        rate = self.words_per_hour(state.done_words)
        if rate is not None:
            parts.append(f"{rate:,.0f} words/h")
        self.setFormat(" · ".join(parts))
        self.setToolTip(f"{state.done_words:,} of {state.words:,} words are in sentences "
                        "that are done")

    def words_per_hour(self, done_words: int) -> float | None:
        if self._started is None:
            return None
        seconds, words = time.monotonic() - self._started, done_words - self._words_before
        return 3600 * words / seconds if words > 0 and seconds >= SHORTEST_RATE else None
