"""Work in threads. Closing a widget does not wait for it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from AnyQt.QtCore import QTimer
from Orange.widgets.utils.concurrent import (
    ConcurrentMixin,
    ConcurrentWidgetMixin,
    TaskState,
)

#: Milliseconds between looks at work that goes on after its widget was closed
LOOK_AFTER = 100


class Background(ConcurrentMixin):
    """Closing asks the work to stop and returns at once.

    What cannot be interrupted (compiling, a call of another library) ends in the
    background, and its thread with it.
    """

    def __init__(self):
        super().__init__()
        self._states: list[TaskState] = []      # of all work that may be going on

    def start(self, task: Callable, *args, **kwargs) -> None:
        super().start(task, *args, **kwargs)
        self._states = [*unfinished(self._states), self.task]

    def shutdown(self) -> None:
        ConcurrentMixin.cancel(self)
        states, self._states = unfinished(self._states), []
        for state in states:
            state.setParent(None)       # the widget, its parent, is about to go
        _end(self, states)


def unfinished(states: Sequence[TaskState]) -> list[TaskState]:
    return [state for state in states if not state.future.done()]


def _end(closed: Background, states: Sequence[TaskState]) -> None:
    """Release the thread and the states of closed work, here and not in the thread."""
    if unfinished(states):
        QTimer.singleShot(LOOK_AFTER, partial(_end, closed, states))
    else:
        ConcurrentMixin.shutdown(closed)


class BackgroundWidget(Background, ConcurrentWidgetMixin):
    """The same for widgets, which show the progress."""
