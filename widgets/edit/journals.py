"""Journals of edits, each in one window at a time."""
from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from AnyQt.QtCore import QLockFile
from Orange.misc import environ

from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.editing import Journal, journal_path


def journal_folder() -> Path:
    """Beside Orange's other data, for all of its versions."""
    return Path(environ.data_dir(versioned=False)) / "structpred" / "journals"


class OpenJournal:
    """The journal of a treebank, and a lock that keeps other windows away from it.

    Where another window edits the same treebank, this one has a journal of its own.

    Attributes
    ----------
    journal : Journal
    is_second : whether another window has the first journal of this treebank
    others : journals with changes that were made in other windows
    """

    def __init__(self, treebank: Treebank, sentences: Sequence[Sentence]):
        first = journal_path(journal_folder(), sentences, name=treebank.name,
                             file=os.fspath(getattr(treebank, "__file__", None) or ""))
        first.parent.mkdir(parents=True, exist_ok=True)
        path, number = first, 1
        while not self._lock(path):
            number += 1
            path = first.with_name(f"{first.stem}-window{number}.journal")
        self.is_second = number > 1
        self.journal = Journal(path, sentences)
        self.others = sorted(other for other in first.parent.glob(
            f"{first.stem}-window*.journal") if other != path)

    def _lock(self, path: Path) -> bool:
        self._lock_file = QLockFile(f"{path}.lock")
        self._lock_file.setStaleLockTime(0)     # only one of a dead process is stale
        if self._lock_file.tryLock(0):
            return True
        if self._lock_file.error() != QLockFile.LockFailedError:
            raise PermissionError(errno.EACCES, "the journal cannot be written", str(path))
        return False

    def close(self) -> None:
        self._lock_file.unlock()
