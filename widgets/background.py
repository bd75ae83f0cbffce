"""Work in threads that no widget waits for and none leaves behind."""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait
from threading import get_ident

from numba.core import event
from Orange.widgets.utils.concurrent import (
    ConcurrentMixin,
    ConcurrentWidgetMixin,
    TaskState,
)

#: Seconds that closing a widget may take. Work asks several times in a second whether
#: it is still wanted; only what cannot be interrupted, as a step of the compiler or a
#: call of another library, may take longer.
PATIENCE = 1.


class Interrupted(BaseException):
    """Nobody waits any more for what is being compiled; no Exception, since the
    compiler would take that for a fault in the code."""


class _Compilations(event.Listener):
    """Ends compilations that nobody waits for, between two steps of the compiler."""

    def __init__(self):
        self.states: dict[int, TaskState] = {}      # of threads at work
        event.register("numba:run_pass", self)

    def on_start(self, _) -> None:
        state = self.states.get(get_ident())
        if state is not None and state.is_interruption_requested():
            raise Interrupted

    def on_end(self, _) -> None:
        """There is nothing to do."""

    def run(self, task: Callable, *args, **kwargs):
        """Run a task of ConcurrentMixin, whose last argument is its state."""
        self.states[get_ident()] = args[-1]
        try:
            return task(*args, **kwargs)
        finally:
            del self.states[get_ident()]


_compilations = _Compilations()


class Background(ConcurrentMixin):
    """Closes without waiting for what cannot be interrupted.

    ConcurrentMixin would block the window until its thread has ended. Here the thread
    is let go after a while; it ends by itself as soon as it asks whether to go on.
    """

    def __init__(self):
        super().__init__()
        self._states: list[TaskState] = []

    def start(self, task: Callable, *args, **kwargs):
        super().start(_compilations.run, task, *args, **kwargs)
        self._states = [state for state in self._states if not state.future.done()]
        self._states.append(self.task)

    def shutdown(self):
        if self.task is not None:
            self.cancel()
        for state in self._states:
            # the thread may speak to it when the widget is gone
            state.setParent(None)
        _, busy = wait([state.future for state in self._states], PATIENCE)
        self._ConcurrentMixin__executor.shutdown(wait=not busy)


class BackgroundWidget(Background, ConcurrentWidgetMixin):
    """The same for widgets, which show how far it is."""
