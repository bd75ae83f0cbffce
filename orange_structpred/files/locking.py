"""Locks between processes. They end with the process that has them, however it ends."""
from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: Seconds between two tries
RETRY = 0.05

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(descriptor: int) -> bool:
    """Lock an open file until it is closed; False if somebody else has the lock."""
    try:
        _lock(descriptor)
    except OSError:
        return False
    return True


@contextmanager
def locked(path: Path, check_cancelled: Callable[[], object]) -> Iterator[None]:
    """Wait until nobody else, in any process, has the lock of a file, and have it.

    The file is made if it is not there, and stays.

    check_cancelled : called while waiting; may raise
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not try_lock(descriptor):
            check_cancelled()
            time.sleep(RETRY)
        yield
    finally:
        os.close(descriptor)
