"""The list of sentences that are being edited, their states, and how many are done."""
from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import QModelIndex, Qt
from AnyQt.QtWidgets import QComboBox, QProgressBar, QSizePolicy, QWidget

from orange_structpred.treebank import Sentence
from orange_structpred.treebank.editing import annotation_progress, annotation_state
from orange_structpred.treebank.editing.annotation_states import (
    ANNOTATION_STATES,
    DONE,
    QUESTION,
    TO_DO,
)
from orange_structpred.widgets.common.layouts import in_row, label_of
from orange_structpred.widgets.tree.list import (
    DOUBT_COLUMN,
    NUMBER_COLUMN,
    SentenceModel,
)
from orange_structpred.widgets.tree.sentencepane import FilteredSentences

ALL_STATES = "all"
SHORTEST_RATE = 60.     # seconds after which a rate says something
STATE_MARKS = {TO_DO: "", DONE: "✓ ", QUESTION: "? "}
DOUBT_TIP = ("Expected number of wrong heads by the parser's probabilities, divided by "
             "the square root of the length: high values are worth your time")


class EditedSentenceModel(SentenceModel):
    """Sentences and their states; those in one state only, if one is chosen."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.states: list[str] = []
        self.shown_state = ALL_STATES

    def set_sentences(self, sentences: Sequence[Sentence]) -> None:
        self.states = [annotation_state(sentence) for sentence in sentences]
        super().set_sentences(sentences)

    def update_sentence(self, i: int, sentence: Sentence) -> None:
        """Another sentence in the place of one; the list does not change its order."""
        self.sentences[i], self.states[i] = sentence, annotation_state(sentence)
        self.set_text(i, sentence)
        for row in np.flatnonzero(self.rows == i).tolist():
            self.dataChanged.emit(self.index(row, 0),
                                  self.index(row, self.columnCount() - 1))

    def set_shown_state(self, state: str) -> None:
        self.beginResetModel()
        self.shown_state = state
        self._find_rows()
        self.endResetModel()

    def _find_rows(self) -> None:
        super()._find_rows()
        if self.shown_state != ALL_STATES:
            self.rows = np.array([row for row in self.rows
                                  if self.states[row] == self.shown_state], dtype=int)

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole):
        value = super().data(index, role)
        if index.column() == NUMBER_COLUMN and role in (Qt.DisplayRole, Qt.ToolTipRole):
            state = self.states[int(self.rows[index.row()])]
            return state if role == Qt.ToolTipRole else STATE_MARKS[state] + value
        return value

    def headerData(self, section: int, orientation, role: int = Qt.DisplayRole):
        if section == DOUBT_COLUMN and orientation == Qt.Horizontal \
                and role == Qt.ToolTipRole:
            return f"{DOUBT_TIP}; click to sort"
        return super().headerData(section, orientation, role)


class EditedSentences(FilteredSentences):
    """The left side of Edit Treebank."""

    model: EditedSentenceModel

    def __init__(self, sort_column: int, descending: bool, owner: QWidget):
        super().__init__(EditedSentenceModel(), sort_column, descending, owner)
        self.state_combo = QComboBox(toolTip="Show only sentences in this state")
        self.state_combo.addItems([ALL_STATES, *ANNOTATION_STATES])
        self.state_combo.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.state_combo.textActivated.connect(self._on_state)
        self.layout().insertLayout(
            0, in_row(label_of("S&how:", self.state_combo), self.state_combo))

    def set_sentences(self, sentences: Sequence[Sentence]) -> None:
        self.model.set_sentences(sentences)
        self._fit_columns()

    def set_doubts(self, doubts: np.ndarray | None) -> None:
        """Doubt of each sentence, nan where it is not known."""
        if doubts is not None or self.model.doubt is not None:
            self._rearrange(lambda: self.model.set_wrong(None, doubts))
            self._fit_columns()

    def _fit_columns(self) -> None:
        self.list.fit_columns()
        width = self.fontMetrics().horizontalAdvance
        self.list.setColumnWidth(
            NUMBER_COLUMN, width(STATE_MARKS[DONE] + str(len(self.model.sentences))) + 14)

    def _on_state(self, state: str) -> None:
        self._rearrange(lambda: self.model.set_shown_state(state))

    def most_doubtful(self) -> bool:
        """Go to the sentence with the greatest doubt that is not done; whether there is
        one."""
        if self.model.doubt is None:
            return False
        self.list.sortByColumn(DOUBT_COLUMN, Qt.DescendingOrder)
        row = next((row for row in self.model.rows.tolist()
                    if self.model.states[row] != DONE), None)
        if row is not None:
            self.list.select([row], row)
        return row is not None

    def next_to_do(self) -> None:
        """Go to the next sentence that is not done, after the current one or from the
        start."""
        rows = self.model.rows.tolist()
        at = self.list.currentIndex().row()
        later = [*range(at + 1, len(rows)), *range(at)]
        row = next((row for row in later if self.model.states[rows[row]] != DONE), None)
        if row is not None:
            self.list.step(row - at)


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
