"""What the library warns of, for a widget's messages.

`warnings.catch_warnings` is not made for threads: when two widgets learn at the same
time, the second one's block ends in the state that the first one has left, and
warnings go astray from then on. Here a hook is kept as long as anyone records, and
tells warnings apart by their context: a thread has one of its own, unless who started
it has handed down his.
"""
from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_lock = threading.Lock()
_texts: ContextVar[list[str] | None] = ContextVar("texts", default=None)
_recording = 0
_catching: warnings.catch_warnings | None = None


@contextmanager
def recorded_warnings() -> Iterator[list[str]]:
    """The texts of warnings that are given within the block, each once."""
    global _catching, _recording
    texts: list[str] = []
    with _lock:
        if not _recording:
            _catching = warnings.catch_warnings()
            _catching.__enter__()
            _install(warnings.showwarning)
        _recording += 1
    token = _texts.set(texts)
    try:
        yield texts
    finally:
        _texts.reset(token)
        with _lock:
            _recording -= 1
            if not _recording:
                _catching.__exit__(None, None, None)
                _catching = None


def _install(show_elsewhere) -> None:
    def show(message, category, filename, lineno, file=None, line=None):
        texts = _texts.get()
        if texts is None or not issubclass(category, UserWarning):
            show_elsewhere(message, category, filename, lineno, file, line)
        elif str(message) not in texts:
            texts.append(str(message))

    # Python tells a warning only once for each place; a widget wants it each time.
    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = show
