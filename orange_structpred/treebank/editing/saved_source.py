"""A journal whose changes are in the treebank by now, all or the first of them.

When a person saves an edited treebank over its source and goes on, the journal begins at
a version that is no longer there. Its changes are taken back, in thought, from what there
is now: where this ends at the version that the journal began with, the treebank is what it
was after one of the journal's steps, and only the later ones are to be made again.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class BlockChange(NamedTuple):
    """Blocks of sentences that took the place of others.

    first : index of the first of them
    """

    first: int
    old: list[str]
    new: list[str]

    def inverse(self) -> BlockChange:
        return BlockChange(self.first, self.new, self.old)


class RecordedStep(NamedTuple):
    text: str
    changes: list[BlockChange]

    def inverse(self) -> RecordedStep:
        return RecordedStep(self.text, [change.inverse() for change in self.changes[::-1]])

    def record(self) -> dict:
        return {"text": self.text, "changes": [
            {"index": first, "old": old, "new": new} for first, old, new in self.changes]}

    def applied(self, blocks: Sequence[str]) -> list[str] | None:
        """The blocks after this step; None if it does not fit."""
        changed = list(blocks)
        for first, old, new in self.changes:
            if changed[first:first + len(old)] != old:
                return None
            changed[first:first + len(old)] = new
        return changed


def recorded_steps(records: Sequence[dict]) -> Iterator[RecordedStep]:
    """What each record of a journal does: undo and redo are steps like others.

    An error (of those that a dict may raise) if they are not records.
    """
    done: list[RecordedStep] = []
    undone: list[RecordedStep] = []
    for record in records:
        if record.get("undo") is True:
            undone.append(done.pop())
            yield undone[-1].inverse()
        elif record.get("redo") is True:
            done.append(undone.pop())
            yield done[-1]
        else:
            undone.clear()
            done.append(RecordedStep(str(record["text"]), [
                BlockChange(int(change["index"]), list(change["old"]), list(change["new"]))
                for change in record["changes"]]))
            yield done[-1]


def versions_before(steps: Sequence[RecordedStep], blocks: Sequence[str]
                    ) -> Iterator[tuple[int, list[str]]]:
    """For each number of steps that may have led to these blocks, the greatest first:
    what there was before the first of them."""
    for n in range(len(steps), 0, -1):
        version = taken_back(steps[:n], blocks)
        if version is not None:
            yield n, version


def taken_back(steps: Sequence[RecordedStep], blocks: Sequence[str]) -> list[str] | None:
    """What there was before steps that led to these blocks; None if they did not."""
    version: list[str] | None = list(blocks)
    for step in reversed(steps):
        if version is None:
            return None
        version = step.inverse().applied(version)
    return version
