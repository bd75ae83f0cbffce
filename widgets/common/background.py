"""Work in threads that end soon after nobody waits for them any more."""
from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from threading import RLock

from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from Orange.widgets.utils.concurrent import (
    ConcurrentMixin,
    ConcurrentWidgetMixin,
    TaskState,
)

#: What a thread works for; threads that it starts take it over.
_state: ContextVar[TaskState | None] = ContextVar("state", default=None)


class Interrupted(BaseException):
    """Nobody waits any more for what is being compiled; no Exception, since the
    compiler would take that for a fault in the code."""


def _look() -> None:
    state = _state.get()
    if state is not None and state.is_interruption_requested():
        raise Interrupted


class _Passes(event.Listener):
    """Ends compilations that nobody waits for, between two passes of the compiler."""

    def on_start(self, _) -> None:
        _look()

    def on_end(self, _) -> None:
        """There is nothing to do."""


class _Turns(_Passes):
    """Ends waiting for the compiler: it works for one thread at a time."""

    # the compiler has no other way to wait for it with a limit
    lock = getattr(global_compiler_lock, "_lock", RLock())

    def on_start(self, _) -> None:
        if _state.get() is not None:
            while not self.lock.acquire(timeout=0.05):
                _look()
            self.lock.release()


event.register("numba:run_pass", _Passes())
event.register("numba:compiler_lock", _Turns())


def _run(task: Callable, *args, **kwargs):
    """Run a task of ConcurrentMixin, whose last argument is its state."""
    token = _state.set(args[-1])
    try:
        return task(*args, **kwargs)
    finally:
        _state.reset(token)


class Background(ConcurrentMixin):
    """Ends its work soon after it is cancelled, also within the compiler.

    Closing waits for the thread. It takes no longer than what cannot be interrupted: a
    pass of the compiler, a call of another library.
    """

    def start(self, task: Callable, *args, **kwargs):
        super().start(_run, task, *args, **kwargs)


class BackgroundWidget(Background, ConcurrentWidgetMixin):
    """The same for widgets, which show how far it is."""
