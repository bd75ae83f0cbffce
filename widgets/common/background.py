"""Work in threads. Closing a widget does not wait for it."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from AnyQt.QtCore import QObject, QTimer
from Orange.widgets.utils.concurrent import (
    ConcurrentMixin,
    ConcurrentWidgetMixin,
    TaskState,
)
from Orange.widgets.widget import OWWidget

from orange_structpred.running.cancellation import Cancelled, Progress
from orange_structpred.running.compiler import is_compiling
from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.storedsettings import StoredSettings

#: Milliseconds between looks at the compiler
LOOK_AT_COMPILER = 300
COMPILING = "Compiling, first time only"
#: Milliseconds between looks at work that goes on after its widget was closed
LOOK_AFTER = 100


def observed_by(state: TaskState, begin: float = 0., end: float = 1.) -> Progress:
    """A progress function that moves the bar of a widget from `begin` to `end`, and ends
    the work when nobody waits for it any more."""
    def progress(fraction: float, text: str = "") -> None:
        check_wanted(state)
        if text:
            state.set_status(text)
        state.set_progress_value(100 * (begin + fraction * (end - begin)))

    return progress


def check_wanted(state: TaskState) -> None:
    """Raises Cancelled if nobody waits for the work any more."""
    if state.is_interruption_requested():
        raise Cancelled


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

    def on_partial_result(self, result: object) -> None:
        """By default there is none."""

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
    """The same for widgets, which show the progress, and that the compiler is at work."""

    def start(self, task: Callable, *args, **kwargs) -> None:
        super().start(task, *args, **kwargs)
        CompilerNotice.of(self).watch(self)


class CompilerNotice(QObject):
    """Says in a widget, and below its node, that functions are being compiled.

    Without it, the first run of all looks as if nothing was going on.
    """

    def __init__(self, widget: OWWidget):
        super().__init__(widget)
        self.widget, self.said = widget, False
        self.watched: list[Background] = []
        widget.Information.add_message("compiling", f"{COMPILING}.")
        self.timer = QTimer(self, interval=LOOK_AT_COMPILER)
        self.timer.timeout.connect(self.look)

    @classmethod
    def of(cls, widget: OWWidget) -> CompilerNotice:
        return widget.findChild(cls) or cls(widget)

    def watch(self, work: Background) -> None:
        """Look at the compiler as long as this work goes on."""
        if work not in self.watched:
            self.watched.append(work)
        self.timer.start()

    def look(self) -> None:
        at_work = any(work.task is not None for work in self.watched)
        if at_work and is_compiling():
            self.said = True
            self.widget.setStatusMessage(COMPILING)
            self.widget.Information.compiling()
        elif self.said:
            self.said = False
            self.widget.setStatusMessage("")
            self.widget.Information.compiling.clear()
        if not at_work:
            self.timer.stop()


class WorkingWidget(InputLinks, StoredSettings, OWWidget, BackgroundWidget,
                    openclass=True):
    """Works in the background, and is closed without waiting for it."""

    settings_version = 1

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()
