"""Journals of edits, each in one window at a time."""
from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from AnyQt.QtCore import QFileSystemWatcher, QLockFile
from Orange.misc import environ

from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.editing import Journal, journal_path


def journal_folder() -> Path:
    """Beside Orange's other data, for all of its versions."""
    return Path(environ.data_dir(versioned=False)) / "structpred" / "journals"


def lock_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


class OpenJournal:
    """The journal of a treebank, and a lock that keeps other windows away from it.

    Where another window edits the same treebank, this one has a journal of its own.

    Attributes
    ----------
    journal : Journal
    others_changed : a signal, emitted when one of the windows that were there before is
        closed
    """

    def __init__(self, treebank: Treebank, sentences: Sequence[Sentence]):
        first = journal_path(journal_folder(), sentences, name=treebank.name,
                             file=os.fspath(getattr(treebank, "__file__", None) or ""))
        first.parent.mkdir(parents=True, exist_ok=True)
        path, number = first, 1
        locks: list[Path] = []      # of the windows that were there before
        while not self._lock(path):
            locks.append(lock_of(path))
            number += 1
            path = first.with_name(f"{first.stem}-window{number}.journal")
        self.journal = Journal(path, sentences)
        self._first, self._locks = first, locks
        self._watcher = QFileSystemWatcher(list(map(str, locks)))
        self.others_changed = self._watcher.fileChanged

    @property
    def is_second(self) -> bool:
        """Whether windows that were there before still edit this treebank."""
        return any(lock.exists() for lock in self._locks)

    @property
    def others(self) -> list[Path]:
        """Journals with changes that were made in other windows."""
        journals = [self._first, *sorted(self._first.parent.glob(
            f"{self._first.stem}-window*.journal"))]
        return [path for path in journals if path != self.journal.path and path.exists()]

    def _lock(self, path: Path) -> bool:
        self._lock_file = QLockFile(str(lock_of(path)))
        self._lock_file.setStaleLockTime(0)     # only one of a dead process is stale
        if self._lock_file.tryLock(0):
            return True
        if self._lock_file.error() != QLockFile.LockFailedError:
            raise PermissionError(errno.EACCES, "the journal cannot be written", str(path))
        return False

    def close(self) -> None:
        self._lock_file.unlock()
