"""What widgets that learn from a treebank have in common."""
from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Event

from AnyQt.QtCore import QTimer
from AnyQt.QtWidgets import QPushButton
from Orange.data import Table
from Orange.widgets.widget import Input, Msg, OWWidget

from orange_structpred.learner.parameters import HARMLESS
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.learnable import MissingHeadsError
from orange_structpred.widgets.common.background import WorkingWidget
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.phrases import duration, plural, sentence
from orange_structpred.widgets.common.reporting import (
    Outcome,
    Reporter,
    learn_in_thread,
)
from orange_structpred.widgets.common.valuecontrols import Choice, ValueCombo
from orange_structpred.widgets.common.windows import open_in_full_size

#: Expected seconds up to which work begins without being asked to
FAST = 15.
#: When work begins
AUTO = {"small": "Automatically if fast", "always": "Always automatically",
        "never": "Only on request"}
#: What to do about tokens without heads
HEADS_HINT = (". Leave out these sentences (in Select Rows: roots is defined) or choose "
              "another treebank")


def advice(error: Exception) -> str:
    """What to do about an error, to follow what it says."""
    return HEADS_HINT if isinstance(error, MissingHeadsError) else ""


class LearningWidget(WorkingWidget, openclass=True):
    """Learns from a treebank, at once or when it is asked to.

    A subclass says what the work is: how it is described by the settings
    (`update_arguments`, `difference`, `is_ready`), how long it will take
    (`expected_seconds`), what is done in a thread (`what_to_do`) and what becomes of
    its result (`take_result`, `drop_result`), what is shown (`say`, `show_beginning`,
    `show_idle`) and sent (`send_outputs`). `running` and `tried` are what made the
    difference to the work at hand and to the last one, `used` are all settings that
    either began with.
    """

    #: what the work is called, what its button says
    work: str
    verb: str
    #: name of the setting that says when it begins; values are those of a ValueCombo
    auto_setting: str
    #: milliseconds without a further change of a setting after which it begins
    patience: int
    #: passes on what the work reports
    reporter: type[Reporter] = Reporter

    class Inputs:
        treebank = Input("Treebank", Table, default=True)

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        settings = Msg("{}")
        failed = Msg("{} failed: {}")
        memory = Msg("Not enough memory: {}")

    class Warning(OWWidget.Warning):
        library = Msg("{}")

    class Information(OWWidget.Information):
        large: Msg
        press: Msg
        stopped_early = Msg("Stopped before anything was learned.")
        outdated = Msg("Settings have changed: press {} to apply them.")

    #: names of the settings that forms show
    PARAMETERS: tuple[str, ...] = ()

    def __init__(self):
        super().__init__()
        self.treebank: Treebank | None = None
        self.tokens = 0
        self.stop_asked = Event()
        self.began = 0.
        self.running: object = None
        self.tried: object = None
        self.used: dict[str, object] | None = None
        self.forms: dict[str, ParameterForm] = {}
        self.timer = QTimer(self, interval=self.patience, singleShot=True)
        self.timer.timeout.connect(self.begin_if_automatic)

    # Controls

    def set_up(self):
        """Make controls and main area, and show the settings in them."""
        self._init_controls()
        self._init_main()
        self.show_settings()
        self.update_arguments()
        self.update_state()
        open_in_full_size(self)

    def show_settings(self):
        settings = self.parameter_settings()
        for form in self.forms.values():
            form.set_values(settings)
        self.auto_combo.setValue(self.auto)

    def _connect_forms(self):
        for form in self.forms.values():
            form.changed.connect(partial(self.setting_changed, form))

    def _add_buttons(self, when: str, start: str, stop: str):
        """When it begins, a button to begin and one to stop, with these tooltips."""
        meanings = {
            "small": f"{self.work} that takes seconds starts at once, longer "
                     f"{self.work.lower()} when you press {self.verb}",
            "always": f"{self.verb} as soon as all inputs are there, and whenever a "
                      "setting changes",
            "never": f"{self.verb} only on request"}
        self.auto_combo = ValueCombo({value: Choice(text, meanings[value])
                                      for value, text in AUTO.items()})
        self.auto_combo.setToolTip(when)
        self.auto_combo.valueChanged.connect(self._auto_changed)
        self.start_button = QPushButton(
            f"&{self.verb}", toolTip=start, autoDefault=False, clicked=self.begin)
        self.stop_button = QPushButton(
            "St&op", toolTip=stop, autoDefault=False, clicked=self.stop)
        for widget in (self.auto_combo, self.start_button, self.stop_button):
            self.buttonsArea.layout().addWidget(widget, 1)

    def sentences(self) -> int:
        return 0 if self.treebank is None else len(self.treebank)

    def parameter_settings(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.PARAMETERS}

    def setting_changed(self, form: ParameterForm, name: str):
        self.take_values(form)
        self.update_arguments()
        if name in HARMLESS:
            self.harmless_changed()
        else:
            self.timer.start()
        self.update_state()

    def take_values(self, form: ParameterForm):
        """Make settings of what a form shows."""
        for setting, value in form.values().items():
            setattr(self, setting, value)

    def harmless_changed(self):
        """A setting has changed that changes nothing in what is learned."""

    @property
    def auto(self) -> str:
        return getattr(self, self.auto_setting)

    def _auto_changed(self, value: str):
        setattr(self, self.auto_setting, value)
        self.update_state()
        self.begin_if_automatic()

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None):
        self.forget()
        self.Error.no_treebank.clear()
        self.treebank, self.tokens = None, 0
        if data is not None:
            try:
                treebank = Treebank.from_table(data)
                self.tokens = sum(map(len, treebank.sentences))
                self.treebank = treebank
            except ValueError as error:
                self.Error.no_treebank(sentence(error))

    def handleNewSignals(self):
        self.send_outputs()
        self.begin_if_automatic()
        self.update_state()

    def forget(self):
        """End what is going on, and take back its results."""
        self.cancel()
        self.timer.stop()
        self.clear_messages_of_results()
        self.running = self.tried = self.used = None

    def clear_failure(self):
        self.Error.failed.clear()
        self.Error.memory.clear()

    def has_failed(self) -> bool:
        return self.Error.failed.is_shown() or self.Error.memory.is_shown()

    def clear_messages_of_results(self):
        self.clear_failure()
        self.Warning.clear()
        self.Information.clear()

    # The work

    def is_automatic(self) -> bool:
        """Whether the work begins without being asked to."""
        return self.auto == "always" or self.auto == "small" and self.is_small()

    def is_small(self) -> bool:
        """Whether the work is fast enough to begin without being asked to."""
        return self.is_ready() and self.expected_seconds() <= FAST

    def is_running(self) -> bool:
        return self.running is not None

    def is_outdated(self) -> bool:
        """Whether settings have changed since the work, or the last one, began."""
        last = self.running if self.is_running() else self.tried
        return last is not None and (
            not self.is_ready() or last != self.difference())

    def begin_if_automatic(self):
        if not self.is_ready() or not self.is_automatic():
            return
        last = self.running if self.is_running() else self.tried
        if last != self.difference():
            self.begin()

    def begin(self):
        """Begin the work that the settings describe, in place of any other."""
        if not self.is_ready():
            return
        self.cancel()
        self.timer.stop()
        self.clear_messages_of_results()
        self.running, self.used = self.difference(), self.parameter_settings()
        self.stop_asked, self.began = Event(), time.monotonic()
        self.show_beginning()
        self.start_learning(self.what_to_do())
        self.update_state()
        self.say(f"Preparing {self.treebank_size()}; this takes longer the first time.")

    def start_learning(self, work: Callable[[Reporter], object]):
        self.start(learn_in_thread, work, self.reporter, self.stop_asked)

    def on_done(self, outcome: Outcome):
        self._end_work()
        self.show_warnings(outcome.warned)
        self.take_result(outcome)
        self.send_outputs()
        self.update_state()

    def on_exception(self, error: Exception):
        self._end_work()
        if isinstance(error, Cancelled):
            self.Information.stopped_early()
        else:
            self.show_failure(error)
        self.drop_result()
        self.send_outputs()
        self.update_state()

    def _end_work(self):
        if self.is_running():
            self.tried, self.running = self.running, None

    def time_left(self, fraction: float) -> str:
        """How long the work will still take, to follow what is done; "" at first."""
        if fraction <= 0.02:
            return ""
        spent = time.monotonic() - self.began
        return f", about {duration(spent * (1 - fraction) / fraction)} left"

    def stop(self):
        """End with what is done so far."""
        if not self.is_running():
            return
        self.stop_asked.set()
        self.stop_button.setEnabled(False)
        self.say("Stopping…")

    def show_warnings(self, warned: list[str]):
        if warned:
            self.Warning.library("\n".join(map(sentence, warned)))

    def show_failure(self, error: Exception):
        if isinstance(error, MemoryError):
            self.Error.memory(sentence(error) or "choose a smaller treebank.")
        else:
            self.Error.failed(self.work, failure_text(self.work, error)
                              + advice(error))

    # What is shown

    def update_state(self):
        """Buttons, enabled controls, and what is to be done next."""
        settings = self.parameter_settings()
        for form in self.forms.values():
            form.update_enabled(settings)
        ready, running = self.is_ready(), self.is_running()
        self.start_button.setEnabled(
            ready and not (running and self.running == self.difference()))
        self.stop_button.setEnabled(running and not self.stop_asked.is_set())

        waiting = ready and not self.is_automatic()
        never = waiting and not running and self.tried is None
        self.Information.large(self.work_text(),
                               shown=never and self.auto == "small")
        self.Information.press(shown=never and self.auto == "never")
        self.Information.outdated(self.verb, shown=waiting and self.is_outdated())
        if not running:
            self.show_idle()
            if self.Error.active:
                self.say(self.problem())
            elif self.Information.outdated.is_shown():
                # a warning, say of missing tags, hides it in the status bar
                self.say(f"{self.Information.outdated.formatted} {self.status_text()}")

    def links_changed(self):
        if self.forms and not self.is_running():
            self.update_state()

    def problem(self) -> str:
        """Errors as they are told, where there is room for all of their words."""
        return "\n".join(message.formatted for message in self.Error.active)

    def status_without_result(self, ready: str) -> str:
        """In a sentence, where things stand while there is nothing to show."""
        if self.treebank is None:
            return self.waiting_text("Treebank") or "No treebank to learn from."
        if self.tried is not None:
            return "Stopped."
        return f"{ready} {self.treebank_size()}."

    def treebank_size(self) -> str:
        return (plural(len(self.treebank), "sentence", "sentences") + " ("
                + plural(self.tokens, "token", "tokens") + ")")

    # Reports

    def report_treebank(self):
        if self.treebank is not None:
            self.report_items("Treebank", [
                ("Name", self.treebank.name), ("Sentences", f"{len(self.treebank):,}"),
                ("Tokens", f"{self.tokens:,}")])

    def report_notes(self, *messages: Msg):
        """Those of the messages that are shown, and whether settings have changed."""
        notes = [message.formatted for message in messages if message.is_shown()]
        if self.is_running():
            notes.append(f"{self.work} is not done yet.")
        if self.is_outdated():
            notes.append("The settings have been changed since.")
        if self.Error.active:
            notes.append(self.problem())
        for note in notes:
            self.report_paragraph(note)

    def onDeleteWidget(self):
        self.timer.stop()
        self.stop_asked.set()
        super().onDeleteWidget()
