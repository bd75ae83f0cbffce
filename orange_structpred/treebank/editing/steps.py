"""Steps: changes that are made and undone together.

Sentences are objects in an edited treebank and the text of their blocks in its journal.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from orange_structpred.errors import InputError


class SentenceChange(NamedTuple):
    """Sentences that take the place of others.

    first : index of the first of them
    old, new : one for one in most cases; two for one when a sentence is split
    """

    first: int
    old: tuple
    new: tuple


class Step(NamedTuple):
    """Changes that are undone together, and what a person calls them."""

    text: str
    changes: tuple[SentenceChange, ...]

    def inverse(self) -> Step:
        """The step that takes this one back."""
        return Step(self.text, tuple(
            SentenceChange(first, new, old) for first, old, new in reversed(self.changes)))

    def applied(self, sentences: Sequence) -> list:
        """The sentences after this step; an InputError if it does not fit."""
        changed = list(sentences)
        for first, old, new in self.changes:
            if first < 0 or tuple(changed[first:first + len(old)]) != old:
                raise InputError(f"sentence {first + 1} has changed in the meantime")
            changed[first:first + len(old)] = new
        return changed

    def mapped(self, make: Callable) -> Step:
        """The same step with something else for each sentence."""
        return Step(self.text, tuple(
            SentenceChange(first, tuple(map(make, old)), tuple(map(make, new)))
            for first, old, new in self.changes))

    def record(self) -> dict:
        """What stands in a journal for a step of blocks."""
        return {"text": self.text, "changes": [
            {"index": first, "old": old, "new": new} for first, old, new in self.changes]}

    @classmethod
    def of_record(cls, record: dict) -> Step:
        return cls(str(record["text"]), tuple(
            SentenceChange(int(change["index"]), *(
                tuple(change[part]) for part in ("old", "new")))
            for change in record["changes"]))


class History:
    """Steps that were made, and those that were undone and can be made again."""

    def __init__(self) -> None:
        self.done: list[Step] = []
        self.undone: list[Step] = []

    def add(self, step: Step) -> None:
        self.done.append(step)
        self.undone.clear()

    def undo(self) -> Step:
        """Returns what takes back the last step."""
        self.undone.append(self.done.pop())
        return self.undone[-1].inverse()

    def redo(self) -> Step:
        self.done.append(self.undone.pop())
        return self.done[-1]

    def repeat(self, record: dict, make: Callable = str) -> Step:
        """What a record of a journal does: undo and redo are steps like others.

        A LookupError, TypeError, AttributeError or ValueError if it is not a record.

        make : what sentences are made of their blocks
        """
        if record.get("undo") is True:
            return self.undo()
        if record.get("redo") is True:
            return self.redo()
        self.add(Step.of_record(record).mapped(make))
        return self.done[-1]


def versions_before(steps: Sequence[Step], blocks: Sequence[str]
                    ) -> Iterator[tuple[int, list[str]]]:
    """For each number of steps that may have led to these blocks, the greatest first:
    what there was before the first of them.

    When a person saves an edited treebank over its source and goes on, its journal begins
    at a version that is no longer there. One of these is it, if the treebank is what it
    was after one of the journal's steps; then only the later ones are to be made again.
    """
    for n in range(len(steps), 0, -1):
        version = list(blocks)
        try:
            for step in reversed(steps[:n]):
                version = step.inverse().applied(version)
        except InputError:      # they led to something else
            continue
        yield n, version
