"""A treebank that is being changed: steps, undo, redo."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from orange_structpred.errors import InputError
from orange_structpred.treebank.editing.journal import Journal, JournalError
from orange_structpred.treebank.editing.steps import History, SentenceChange, Step
from orange_structpred.treebank.sentence import Sentence


class EditedTreebank:
    """The sentences of a treebank, with all that was done to them.

    Parameters
    ----------
    sentences : before any change
    journal : where steps are written to before they are made; what it has already is
        made again
    """

    def __init__(self, sentences: Iterable[Sentence], journal: Journal | None = None):
        self.sentences: list[Sentence] = list(sentences)
        self.source: tuple[Sentence, ...] = tuple(self.sentences)
        self.journal = journal
        self._history = History()
        if journal is not None:
            self._repeat(journal)

    # What was done

    @property
    def undo_text(self) -> str | None:
        """What the next undo takes back; None if there is nothing."""
        return self._history.done[-1].text if self._history.done else None

    @property
    def redo_text(self) -> str | None:
        return self._history.undone[-1].text if self._history.undone else None

    def undo_indices(self) -> list[int]:
        """Where the next undo changes sentences."""
        return [change.first for step in self._history.done[-1:]
                for change in step.changes]

    def redo_indices(self) -> list[int]:
        return [change.first for step in self._history.undone[-1:]
                for change in step.changes]

    @property
    def is_changed(self) -> bool:
        return tuple(self.sentences) != self.source

    @property
    def n_steps(self) -> int:
        """How many steps can be undone."""
        return len(self._history.done)

    def source_rows(self) -> list[int]:
        """For each sentence the index of the one that it comes from.

        Of a sentence that was split, both parts come from it; two that were joined come
        from the first.
        """
        rows = list(range(len(self.source)))
        for step in self._history.done:
            for index, old, new in step.changes:
                if len(old) != len(new):
                    kept = rows[index:index + len(old)]
                    kept += [kept[-1] if kept else max(index - 1, 0)] * len(new)
                    rows[index:index + len(old)] = kept[:len(new)]
        return rows

    # Changing

    def replace(self, index: int, new: Sequence[Sentence] | Sentence, text: str,
                *, count: int = 1) -> None:
        """Put one or several sentences in the place of `count` others."""
        new = (new,) if isinstance(new, Sentence) else tuple(new)
        if not (0 <= index and 0 <= count and index + count <= len(self.sentences)):
            raise InputError(f"the treebank has {len(self.sentences)} sentences; sentences "
                             f"{index + 1} to {index + count} cannot be replaced")
        old = tuple(self.sentences[index:index + count])
        if new != old:
            self.do(text, [SentenceChange(index, old, new)])

    def do(self, text: str, changes: Sequence[SentenceChange]) -> None:
        """Make several changes as one step. Each index is the one at its turn."""
        step = Step(text, tuple(changes))
        changed = step.applied(self.sentences)
        self._write(step.mapped(attrgetter("block")).record())
        self.sentences = changed
        self._history.add(step)

    def undo(self) -> Step | None:
        """Take back the last step; None if there is none."""
        if not self._history.done:
            return None
        self._write({"undo": True})
        self.sentences = self._history.undo().applied(self.sentences)
        return self._history.undone[-1]

    def redo(self) -> Step | None:
        """Make again what was undone last."""
        if not self._history.undone:
            return None
        self._write({"redo": True})
        self.sentences = self._history.redo().applied(self.sentences)
        return self._history.done[-1]

    # The journal

    def _write(self, record: dict) -> None:
        if self.journal is not None:
            self.journal.append(record)

    def _repeat(self, journal: Journal) -> None:
        """Make the steps of a journal again."""
        for record in journal.records():
            try:
                step = self._history.repeat(record, Sentence)
                self.sentences = step.applied(self.sentences)
            except (LookupError, TypeError, AttributeError, ValueError) as error:
                raise JournalError(f"{journal.path}: a change does not fit the treebank "
                                   f"({error})") from None
