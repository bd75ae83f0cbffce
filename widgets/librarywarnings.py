"""What the library warns of, for a widget's messages.

`warnings.catch_warnings` is not made for threads: when two widgets learn at the same
time, the second one's block ends in the state that the first one has left, and
warnings go astray from then on. Here a hook is kept as long as anyone records, and
tells warnings apart by their thread.
"""
from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_records: dict[int, list[str]] = {}
_catching: warnings.catch_warnings | None = None


@contextmanager
def recorded_warnings() -> Iterator[list[str]]:
    """The texts of warnings that this thread gives within the block, each once."""
    global _catching
    thread = threading.get_ident()
    texts: list[str] = []
    with _lock:
        if not _records:
            _catching = warnings.catch_warnings()
            _catching.__enter__()
            _install(warnings.showwarning)
        _records[thread] = texts
    try:
        yield texts
    finally:
        with _lock:
            del _records[thread]
            if not _records:
                _catching.__exit__(None, None, None)
                _catching = None


def _install(show_elsewhere) -> None:
    def show(message, category, filename, lineno, file=None, line=None):
        texts = _records.get(threading.get_ident())
        if texts is None or not issubclass(category, UserWarning):
            show_elsewhere(message, category, filename, lineno, file, line)
        elif str(message) not in texts:
            texts.append(str(message))

    # Python tells a warning only once for each place; a widget wants it each time.
    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = show
