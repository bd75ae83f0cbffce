"""Train Parser: learn a dependency parser from a treebank, and watch it learn."""
from __future__ import annotations

import copy
import logging
import time
from functools import partial
from threading import Event

from AnyQt.QtCore import QSize, QTimer
from AnyQt.QtWidgets import QApplication, QPushButton
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.kernels import Cancelled
from orange_structpred.learner import Parser, ParserLearner
from orange_structpred.parameters import (
    DEFAULTS,
    automatic_name,
    has_certificate,
    learner_parameters,
    unused,
)
from orange_structpred.svm import Report
from orange_structpred.traininglog import training_log
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.background import BackgroundWidget
from orange_structpred.widgets.librarywarnings import recorded_warnings
from orange_structpred.widgets.parametercontrols import (
    FeaturesForm,
    ParameterForm,
    SolverForm,
    TreeForm,
)
from orange_structpred.widgets.phrases import duration, plural, sentence
from orange_structpred.widgets.trainingplot import TrainingFigures, TrainingPlot
from orange_structpred.widgets.valuecontrols import Choice, ValueCombo

log = logging.getLogger(__name__)

#: Treebanks of up to so many tokens are learned from without being asked to. They
#: take some seconds; the time of most kernels grows with the square of the size.
SMALL = {"explicit": 50_000, "kernel": 25_000}
AUTO = {
    "small": Choice(
        "Automatically if small", "Small treebanks are learned from at once, large "
        "ones when you press Train"),
    "always": Choice(
        "Always automatically", "Learn as soon as there is a treebank, and whenever a "
        "setting changes"),
    "never": Choice("Only when asked", "Learn when you press Train"),
}
#: Milliseconds without a further change of a setting after which learning begins
PATIENCE = 400
#: Seconds between looks at a training; passes over a toy treebank take less
TELL_EVERY = 0.1
#: Height that windows have for their titles, at most
TITLE_BAR = 40
#: Share of the progress bar for the kernel matrix, if there is one
MATRIX = 0.3
#: Parameters that change nothing in what is learned
HARMLESS = ("name", "n_jobs")


def train(learner: ParserLearner, treebank: Treebank, stop: Event,
          state: TaskState) -> tuple[Parser, list[str]]:
    """Train in a thread; returns the parser and what the library warned of.

    stop : ends training, the parser so far is returned
    """
    reports: list[Report] = []
    told = 0.
    begin = 0.      # of the solver: where a kernel matrix is computed first

    def callback(report: Report) -> bool:
        nonlocal reports, told, begin
        reports.append(report)
        if report.pass_ == 0 and report.fraction:
            begin = MATRIX
        if time.monotonic() - told > TELL_EVERY:
            state.set_progress_value(100 * (
                MATRIX * report.fraction if report.pass_ == 0 else
                begin + (1 - begin) * report.fraction))
            state.set_partial_result(reports)
            reports, told = [], time.monotonic()
        return stop.is_set() or state.is_interruption_requested()

    with recorded_warnings() as warned:
        parser = learner(treebank, callback)
    return parser, warned


class OWTrainParser(OWWidget, BackgroundWidget):
    name = "Train Parser"
    description = "Learn a dependency parser from a treebank."
    icon = "icons/trainparser.svg"
    priority = 20
    keywords = ("train parser, dependency parser, learner, structural svm, mira, "
                "perceptron, kernel, hash function, treebank")

    class Inputs:
        treebank = Input("Treebank", Table)

    class Outputs:
        parser = Output("Parser", Parser, dynamic=False)
        learner = Output("Learner", ParserLearner, dynamic=False)
        log = Output("Training Log", Table, dynamic=False)

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        settings = Msg("{}")
        training = Msg("Training failed: {}")
        memory = Msg("Not enough memory: {}")

    class Warning(OWWidget.Warning):
        library = Msg("{}")

    class Information(OWWidget.Information):
        large = Msg("Large treebank ({} tokens): press Train.")
        press_train = Msg("Press Train to learn a parser.")
        outdated = Msg("Settings have changed: press Train to apply them.")
        stopped = Msg("Stopped in pass {} of {}: the parser is what was learned "
                      "until then.")
        stopped_early = Msg("Stopped before anything was learned: there is no parser.")
        not_converged = Msg("The gap is {} after {}, above epsilon {}: more passes "
                            "come nearer to the optimum.")

    settings_version = 1
    # Names and values are those of ParserLearner's parameters.
    features = Setting("explicit")
    groups = Setting("all")
    min_count = Setting(0)
    hash = Setting(["posTags2::dir", "tokens"])
    kernel = Setting("constant")
    kernel_params = Setting({})
    solver = Setting("auto")
    C = Setting(1.0)
    epsilon = Setting(0.01)
    passes = Setting(10)
    construction = Setting("auto")
    single_root = Setting(True)
    random_state = Setting(0)
    n_jobs = Setting(1)
    learner_name = Setting("", schema_only=True)
    auto_train = Setting("small")

    PARAMETERS = ("features", "groups", "min_count", "hash", "kernel", "kernel_params",
                  "solver", "C", "epsilon", "passes", "construction", "single_root",
                  "random_state", "n_jobs", "learner_name")

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)
        self.treebank: Treebank | None = None
        self.tokens = 0
        self.learner: ParserLearner | None = None
        self.parser: Parser | None = None
        self.stop_asked = Event()
        self.training: dict | None = None      # parameters of the running training
        self.trained: dict | None = None       # parameters of the last one
        self.timer = QTimer(self, interval=PATIENCE, singleShot=True)
        self.timer.timeout.connect(self.train_if_automatic)
        self._init_controls()
        self._init_main()
        self._show_settings()
        self.update_learner()
        self.update_state()
        # Qt itself would give it two thirds of a small screen, and hide controls
        screen = QApplication.primaryScreen().availableSize()
        self.resize(self.sizeHint().boundedTo(screen - QSize(0, TITLE_BAR)))

    # Controls

    def _init_controls(self):
        self.name_edit = gui.lineEdit(
            self.controlArea, self, "learner_name", box="Name",
            tooltip="Name of the parser, and so of its predictions",
            callback=self.name_changed)

        self.forms = {"Features": FeaturesForm(), "Learning": SolverForm(),
                      "Trees": TreeForm()}
        for title, form in self.forms.items():
            gui.vBox(self.controlArea, title).layout().addWidget(form)
            form.changed.connect(partial(self.setting_changed, form))
        gui.rubber(self.controlArea)

        self.auto_combo = ValueCombo(AUTO)
        self.auto_combo.setToolTip("When a parser is learned")
        self.auto_combo.valueChanged.connect(self._auto_changed)
        self.train_button = QPushButton(
            "&Train", toolTip="Learn a parser with these settings",
            autoDefault=False, clicked=self.train_now)
        self.stop_button = QPushButton(
            "St&op", toolTip="Stop learning; the parser is what was learned so far",
            autoDefault=False, clicked=self.stop)
        for widget in (self.auto_combo, self.train_button, self.stop_button):
            self.buttonsArea.layout().addWidget(widget, 1)

    def sizeHint(self) -> QSize:
        return QSize(1000, 700)

    def _init_main(self):
        self.figures = TrainingFigures()
        self.plot = TrainingPlot()
        self.mainArea.layout().addWidget(self.figures)
        self.mainArea.layout().addWidget(self.plot)

    def _show_settings(self):
        """Put the settings into the controls."""
        settings = self.parameter_settings()
        for form in self.forms.values():
            form.set_values(settings)
        self.auto_combo.setValue(self.auto_train)

    def parameter_settings(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.PARAMETERS}

    def setting_changed(self, form: ParameterForm, name: str):
        for setting, value in form.values().items():
            setattr(self, setting, value)
        self.update_learner()
        if name == "n_jobs":
            self.update_parser()
        else:
            self.timer.start()
        self.update_state()

    def name_changed(self):
        self.update_learner()
        self.update_parser()
        self.update_state()

    def _auto_changed(self, value: str):
        self.auto_train = value
        self.update_state()
        self.train_if_automatic()

    # The learner

    def update_learner(self):
        """Make and send the learner that the settings describe."""
        self.Error.settings.clear()
        self.learner = None
        try:
            parameters = learner_parameters(self.parameter_settings())
            self.learner = ParserLearner(**parameters)
        except (TypeError, ValueError) as error:
            self.Error.settings(sentence(error))
        else:
            self.name_edit.setPlaceholderText(automatic_name(parameters))
        self.Outputs.learner.send(self.learner)

    def parameters(self) -> dict[str, object]:
        """What makes a difference to what is learned."""
        parameters = learner_parameters(self.parameter_settings())
        return {name: value for name, value in parameters.items()
                if name not in HARMLESS}

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None):
        self.cancel()
        self.timer.stop()
        self.clear_results()
        self.Error.no_treebank.clear()
        self.treebank, self.tokens = None, 0
        self.parser = self.training = self.trained = None
        if data is not None:
            try:
                treebank = Treebank.from_table(data)
                self.tokens = sum(map(len, treebank.sentences))
                self.treebank = treebank
            except ValueError as error:
                self.Error.no_treebank(sentence(error))
        self.send_parser()
        self.train_if_automatic()
        self.update_state()

    # Training

    def is_automatic(self) -> bool:
        """Whether a parser is learned without being asked to."""
        return (self.auto_train == "always"
                or self.auto_train == "small" and self.is_small())

    def is_small(self) -> bool:
        return self.tokens <= SMALL.get(self.features, 0)

    def train_if_automatic(self):
        if self.treebank is None or self.learner is None or not self.is_automatic():
            return
        last = self.trained if self.task is None else self.training
        if last != self.parameters():
            self.train_now()

    def train_now(self):
        if self.treebank is None or self.learner is None:
            return
        self.timer.stop()
        self.clear_results()
        self.training = self.parameters()
        self.stop_asked = Event()
        self.clear_course()
        self.start(train, self.learner, self.treebank, self.stop_asked)
        self.update_state()
        self.figures.say(
            f"Preparing {self.treebank_size()}; this takes longer the first time.")

    def clear_results(self):
        """Take back what was said of the last training."""
        self.Error.training.clear()
        self.Error.memory.clear()
        self.Warning.clear()
        self.Information.clear()

    def stop(self):
        """End training with what was learned so far."""
        if self.task is None:
            return
        self.stop_asked.set()
        self.stop_button.setEnabled(False)
        self.figures.say("Stopping...")

    def on_partial_result(self, reports: list[Report]):
        last = reports[-1]
        if not self.stop_asked.is_set() and (last.pass_ or last.fraction):
            self.figures.say(
                f"Learning from {self.treebank_size()}." if last.pass_ else
                f"Comparing {self.treebank_size()}: {last.fraction:.0%}.")
        self.figures.show_reports(reports, self.passes_of(self.training))
        self.plot.add(reports)

    def on_done(self, result: tuple[Parser, list[str]]):
        self.parser, warned = result
        self.trained, self.training = self.training, None
        if warned:
            self.Warning.library("\n".join(map(sentence, warned)))
        reports = self.parser.log
        passes = self.passes_of(self.trained)
        if self.parser.stopped:
            done = reports[-1].pass_ if reports else 0
            self.Information.stopped(min(done + 1, passes), passes)
        elif not self.parser.converged and reports and reports[-1].certified:
            epsilon = self.trained.get("epsilon", DEFAULTS["epsilon"])
            self.Information.not_converged(
                f"{reports[-1].gap:.3g}", plural(len(reports), "pass", "passes"),
                f"{epsilon:g}")
        self.plot.end(reports)
        self.figures.end(reports, passes)
        self.update_parser()
        self.update_state()

    def on_exception(self, error: Exception):
        self.parser, self.trained, self.training = None, self.training, None
        if isinstance(error, Cancelled):
            self.Information.stopped_early()
        elif isinstance(error, MemoryError):
            self.Error.memory(sentence(error) or "choose a smaller treebank.")
        elif isinstance(error, ValueError):
            self.Error.training(str(error))
        else:
            log.error("Training failed", exc_info=error)
            self.Error.training(f"{type(error).__name__}: {error}")
        self.send_parser()
        self.update_state()

    @staticmethod
    def passes_of(parameters: dict[str, object]) -> int:
        return parameters.get("passes", DEFAULTS["passes"])

    # Output

    def update_parser(self):
        """Give the parser its present name and threads, and send it."""
        if self.parser is None:
            return
        self.parser = copy.copy(self.parser)
        self.parser.name = self.learner_name or automatic_name(self.trained)
        self.parser.n_jobs = self.n_jobs
        self.send_parser()

    def send_parser(self):
        self.Outputs.parser.send(self.parser)
        self.Outputs.log.send(
            self.parser and training_log(self.parser.log, name=self.parser.name))

    # What is shown

    def update_state(self):
        """Buttons, enabled controls, and what is to be done next."""
        settings = self.parameter_settings()
        for form in self.forms.values():
            form.update_enabled(settings)
        running = self.task is not None
        ready = self.treebank is not None and self.learner is not None
        self.train_button.setEnabled(
            ready and not (running and self.training == self.parameters()))
        self.stop_button.setEnabled(running and not self.stop_asked.is_set())

        waiting = ready and not running and not self.is_automatic()
        never = waiting and self.trained is None
        self.Information.large(f"{self.tokens:,}",
                               shown=never and self.auto_train == "small")
        self.Information.press_train(shown=never and self.auto_train == "never")
        self.Information.outdated(
            shown=waiting and not never and self.trained != self.parameters())
        if not running:
            if self.parser is None:
                self.clear_course()
            self.figures.say(self.status_text())

    def clear_course(self):
        """Empty figures and plot, made for the chosen solver."""
        certificate = has_certificate(self.parameter_settings())
        self.figures.clear()
        self.figures.show_goal(self.epsilon if certificate else None)
        self.plot.begin(passes=self.passes, certificate=certificate)

    def status_text(self) -> str:
        """In a sentence, where things stand while nothing is being learned."""
        if self.treebank is None:
            return "No treebank to learn from."
        if self.parser is not None:
            seconds = self.parser.log[-1].seconds if self.parser.log else 0
            ended = "Stopped" if self.parser.stopped else "Learned"
            return (f"{ended} after {duration(seconds)}: “{self.parser.name}” from "
                    f"{self.treebank_size()}.")
        if self.trained is not None:
            return "Stopped." if self.stop_asked.is_set() else "Training failed."
        return f"Ready to learn from {self.treebank_size()}."

    def treebank_size(self) -> str:
        return (plural(len(self.treebank), "sentence", "sentences") + " ("
                + plural(self.tokens, "token", "tokens") + ")")

    def send_report(self):
        if self.treebank is not None:
            self.report_items("Treebank", [
                ("Name", self.treebank.name), ("Sentences", f"{len(self.treebank):,}"),
                ("Tokens", f"{self.tokens:,}")])
        if self.learner is not None:
            parameters = {name: getattr(self.learner, name) for name in DEFAULTS
                          if name in self.PARAMETERS
                          and not unused(name, self.parameter_settings())}
            self.report_items("Learner", [
                ("Name", self.learner.name),
                *((name, self._reported(value)) for name, value in parameters.items())])
        if self.parser is not None and self.parser.log:
            last = self.parser.log[-1]
            figures = {"Passes": last.pass_, "Training loss": f"{last.loss:.2%}",
                       "Gap": f"{last.gap:.4f}" if last.certified else "none",
                       "Seconds": f"{last.seconds:.1f}",
                       "Construction": self.parser.construction}
            self.report_items("Training", list(figures.items()))
            self.report_plot("Course of the training", self.plot)

    @staticmethod
    def _reported(value: object) -> str:
        return (", ".join(map(str, value)) if isinstance(value, (list, tuple))
                else str(value))

    def onDeleteWidget(self):
        self.timer.stop()
        self.shutdown()
        super().onDeleteWidget()


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.treebank.bundled import load_bundled

    WidgetPreview(OWTrainParser).run(load_bundled("en"))
