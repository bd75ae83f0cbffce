"""Widgets that do one thing with what they are given, and say what came of it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QGridLayout, QLabel, QPushButton
from Orange.widgets import gui
from Orange.widgets.widget import Msg, OWWidget

from orange_structpred.widgets.common.background import WorkingWidget
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.layouts import wrapped_label
from orange_structpred.widgets.common.phrases import (
    duration,
    headed,
    safe_tip,
    sentence,
)


class DoingWidget(WorkingWidget, openclass=True):
    """Does something as soon as it can, in the background.

    A subclass says what is needed (`needs`), what is done (`what_to_do`), what is said
    of it (`statistics`) and what is sent (`send_result`). Its results have the attributes
    `seconds` and `warned`, what the library warned of.
    """

    #: what the button says, what the work is called, and lines of the info
    verb: str
    work: str
    lines: tuple[str, ...]
    #: what must be connected, and the attribute that it becomes
    needs: Mapping[str, str] = {}

    class Error(OWWidget.Error):
        unfit = Msg("{}")
        failed = Msg("{}")
        memory = Msg("Not enough memory: {}")

    class Warning(OWWidget.Warning):
        library = Msg("{}")

    class Information(OWWidget.Information):
        stopped = Msg("Stopped: press {} to start again.")

    want_main_area = False

    def __init__(self):
        super().__init__()
        self.result = None
        self.labels: dict[str, QLabel] = {}

    # Controls

    def add_info(self):
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(16)
        gui.widgetBox(self.controlArea, "Info", orientation=grid)
        for row, line in enumerate(self.lines):
            grid.addWidget(QLabel(f"{line}:"), row, 0, Qt.AlignTop)
            self.labels[line] = label = wrapped_label(Qt.RichText, lines=2)
            label.setAlignment(Qt.AlignTop | Qt.AlignLeft)
            grid.addWidget(label, row, 1)
        grid.setRowStretch(grid.rowCount() - 1, 1)
        self.button = QPushButton(autoDefault=False, clicked=self._do_or_stop)
        self.buttonsArea.layout().addWidget(self.button)
        self.show_nothing()

    def make_room(self):
        """Make the window as high as its text needs."""
        if not self.isVisible():
            return
        needed = self.controlArea.layout().heightForWidth(self.controlArea.width())
        more = needed - self.controlArea.height()
        if more > 0:
            self.resize(self.width(), self.height() + more)

    def showEvent(self, event):
        super().showEvent(event)
        self.make_room()

    # What subclasses say

    def missing(self) -> list[str]:
        """What has to be connected or chosen before anything can be done."""
        return [what for what, name in self.needs.items()
                if getattr(self, name) is None]

    def what_to_do(self) -> tuple[Callable, ...]:
        """A function for a thread and its arguments; it gets a state, too."""
        raise NotImplementedError

    def statistics(self) -> dict[str, list[str]]:
        """For each line what to say, the name first; nothing for what is not known."""
        raise NotImplementedError

    def send_result(self):
        """Send the result, or None where there is none."""
        raise NotImplementedError

    # The work

    def handleNewSignals(self):
        self.do()

    def do(self):
        """Do what can be done, anew if it is done already."""
        self.cancel()
        self.show_nothing()
        if not self.missing():
            self.start(*self.what_to_do())
            self._update_button()

    def stop(self):
        self.cancel()
        self.show_nothing()
        self.Information.stopped(self.verb)

    def _do_or_stop(self):
        if self.task is None:
            self.do()
        else:
            self.stop()

    def on_done(self, result):
        self.result = result
        self._update_button()
        if result.warned:
            self.Warning.library("\n".join(map(sentence, result.warned)))
        self.describe()
        self.send_result()

    def on_exception(self, error: Exception):
        self.show_nothing()
        if isinstance(error, MemoryError):
            self.Error.memory(str(error) or "the input is too large")
        else:
            foreseen = isinstance(error, (ValueError, OSError))
            message = self.Error.unfit if foreseen else self.Error.failed
            message(sentence(failure_text(self.work, error)))
        self.labels[self.lines[-1]].setText("<br/>".join(
            escape(message.formatted) for message in self.Error.active))
        self.make_room()

    def show_nothing(self):
        self.clear_messages()
        self.result = None
        self._update_button()
        self.describe()
        self.send_result()

    def _update_button(self):
        busy = self.task is not None
        self.button.setText("S&top" if busy else f"&{self.verb}")
        self.button.setToolTip(f"Stop: {self.work.lower()}" if busy else self.work)
        self.button.setEnabled(busy or (not self.missing() and self.result is None))

    # What is shown

    def took(self) -> str:
        seconds = self.result.seconds
        return f"in {duration(seconds)}" if seconds >= 0.05 else "in less than 0.1 s"

    def why_nothing(self) -> str:
        """What is to be connected or chosen, and what is waited for."""
        return self.missing_text(self.missing()) or "–"

    def links_changed(self):
        if self.labels and self.task is None:
            self.describe()

    def describe(self):
        why = self.why_nothing()
        for line, words in self.statistics().items():
            label = self.labels[line]
            if words:
                label.setText(headed(words))
            else:
                label.setText(escape(why) if line == self.lines[-1] else "–")
            label.setToolTip(safe_tip(words[0]) if words else "")
        self.make_room()

    def send_report(self):
        self.report_items([(line, ", ".join(words) or "none")
                           for line, words in self.statistics().items()])
