"""Work in threads beside the editor."""
from __future__ import annotations

from collections.abc import Callable

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.widget import OWWidget

from orange_structpred.widgets.common.background import Background, CompilerNotice
from orange_structpred.widgets.common.failures import failure_text


class EditorTask(QObject, Background):
    """One piece of work at a time, the last that was asked for.

    finished : with its result
    failed : with what is said instead

    Parameters
    ----------
    bar : for work that takes a while, the progress bar that all such work shares
    """

    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, work: str, owner: OWWidget, bar: SharedBar | None = None):
        QObject.__init__(self, owner)
        Background.__init__(self)
        self.work, self.owner, self.bar = work, owner, bar

    def start(self, task: Callable, *args, **kwargs) -> None:
        super().start(task, *args, **kwargs)
        CompilerNotice.of(self.owner).watch(self)
        if self.bar is not None:
            self.bar.set_value(self, 0)

    def cancel(self) -> None:
        super().cancel()
        self._leave_bar()

    def _leave_bar(self) -> None:
        if self.bar is not None:
            self.bar.remove(self)

    def _connect_signals(self, state: TaskState) -> None:
        super()._connect_signals(state)
        state.progress_changed.connect(self._on_progress)

    def _disconnect_signals(self, state: TaskState) -> None:
        super()._disconnect_signals(state)
        state.progress_changed.disconnect(self._on_progress)

    def _on_progress(self, percent: float) -> None:
        if self.bar is not None:
            self.bar.set_value(self, percent)

    def on_done(self, result) -> None:
        self._leave_bar()
        self.finished.emit(result)

    def on_exception(self, error: Exception) -> None:
        self._leave_bar()
        self.failed.emit(failure_text(self.work, error))


class SharedBar:
    """The progress bar of a widget, for several pieces of work at once."""

    def __init__(self, widget: OWWidget):
        self.widget = widget
        self._values: dict[EditorTask, float] = {}

    def set_value(self, task: EditorTask, percent: float) -> None:
        if not self._values:
            self.widget.progressBarInit()
        self._values[task] = percent
        self.widget.progressBarSet(sum(self._values.values()) / len(self._values))

    def remove(self, task: EditorTask) -> None:
        if self._values.pop(task, None) is not None and not self._values:
            self.widget.progressBarFinished()
