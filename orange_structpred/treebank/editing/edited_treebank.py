"""A treebank that is being changed: steps, undo, redo."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.treebank.editing.journal import Journal, JournalError
from orange_structpred.treebank.sentence import Sentence


class SentenceChange(NamedTuple):
    """Sentences that take the place of others.

    first : index of the first of them
    old, new : one for one in most cases; two for one when a sentence is split
    """

    first: int
    old: tuple[Sentence, ...]
    new: tuple[Sentence, ...]


class Step(NamedTuple):
    """Changes that are undone together, and what a person calls them."""

    text: str
    changes: tuple[SentenceChange, ...]


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
        self._done: list[Step] = []
        self._undone: list[Step] = []
        for record in journal.records() if journal else ():
            self._repeat(record)

    # What was done

    @property
    def undo_text(self) -> str | None:
        """What the next undo takes back; None if there is nothing."""
        return self._done[-1].text if self._done else None

    @property
    def redo_text(self) -> str | None:
        return self._undone[-1].text if self._undone else None

    def undo_indices(self) -> list[int]:
        """Where the next undo changes sentences."""
        return [change.first for change in self._done[-1].changes] if self._done else []

    def redo_indices(self) -> list[int]:
        return [change.first for change in self._undone[-1].changes] \
            if self._undone else []

    @property
    def is_changed(self) -> bool:
        return tuple(self.sentences) != self.source

    @property
    def n_steps(self) -> int:
        """How many steps can be undone."""
        return len(self._done)

    def source_rows(self) -> list[int]:
        """For each sentence the index of the one that it comes from.

        Of a sentence that was split, both parts come from it; two that were joined come
        from the first.
        """
        rows = list(range(len(self.source)))
        for step in self._done:
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
        checked = self._after(step)
        self._write({"text": text, "changes": [
            {"index": change.first, "old": [sentence.block for sentence in change.old],
             "new": [sentence.block for sentence in change.new]}
            for change in step.changes]})
        self.sentences = checked
        self._done.append(step)
        self._undone.clear()

    def undo(self) -> Step | None:
        """Take back the last step; None if there is none."""
        if not self._done:
            return None
        self._write({"undo": True})
        return self._undo()

    def redo(self) -> Step | None:
        """Make again what was undone last."""
        if not self._undone:
            return None
        self._write({"redo": True})
        return self._redo()

    def _undo(self) -> Step:
        step = self._done.pop()
        self.sentences = list(self.sentences)
        for change in reversed(step.changes):
            self.sentences[change.first:change.first + len(change.new)] = change.old
        self._undone.append(step)
        return step

    def _redo(self) -> Step:
        step = self._undone.pop()
        self.sentences = self._after(step)
        self._done.append(step)
        return step

    def _after(self, step: Step) -> list[Sentence]:
        """The sentences after a step; an error if it does not fit."""
        sentences = list(self.sentences)
        for index, old, new in step.changes:
            if index < 0 or tuple(sentences[index:index + len(old)]) != old:
                raise InputError(f"sentence {index + 1} has changed in the meantime")
            sentences[index:index + len(old)] = new
        return sentences

    # The journal

    def _write(self, record: dict) -> None:
        if self.journal is not None:
            self.journal.append(record)

    def _repeat(self, record: dict) -> None:
        """Make a step of the journal again."""
        try:
            if record.get("undo") is True and self._done:
                self._undo()
            elif record.get("redo") is True and self._undone:
                self._redo()
            else:
                step = Step(str(record["text"]), tuple(
                    SentenceChange(int(change["index"]), *(
                        tuple(map(Sentence, change[part])) for part in ("old", "new")))
                    for change in record["changes"]))
                self.sentences = self._after(step)
                self._done.append(step)
                self._undone.clear()
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise JournalError(
                f"{self.journal and self.journal.path}: a change does not fit the "
                f"treebank ({error})") from None
