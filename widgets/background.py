"""Work in threads that no widget waits for and none leaves behind."""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait

from Orange.widgets.utils.concurrent import (
    ConcurrentMixin,
    ConcurrentWidgetMixin,
    TaskState,
)

#: Seconds that closing a widget may take. Work asks several times in a second whether
#: it is still wanted; only what cannot be interrupted, as the compilation of a
#: function or a call of another library, may take longer.
PATIENCE = 1.


class Background(ConcurrentMixin):
    """Closes without waiting for what cannot be interrupted.

    ConcurrentMixin would block the window until its thread has ended. Here the thread
    is let go after a while; it ends by itself as soon as it asks whether to go on.
    """

    def __init__(self):
        super().__init__()
        self._states: list[TaskState] = []

    def start(self, task: Callable, *args, **kwargs):
        super().start(task, *args, **kwargs)
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
