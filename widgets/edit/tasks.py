"""Work in threads beside the editor."""
from __future__ import annotations

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal

from orange_structpred.widgets.common.background import Background
from orange_structpred.widgets.common.failures import failure_text


class EditorTask(QObject, Background):
    """One piece of work at a time, the last that was asked for.

    finished : with its result
    failed : with what is said instead
    """

    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, work: str, parent: QObject | None = None):
        QObject.__init__(self, parent)
        Background.__init__(self)
        self.work = work

    def on_partial_result(self, result) -> None:
        """There is none."""

    def on_done(self, result) -> None:
        self.finished.emit(result)

    def on_exception(self, error: Exception) -> None:
        self.failed.emit(failure_text(self.work, error))
