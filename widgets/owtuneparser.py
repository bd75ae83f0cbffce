"""Tune Parser: choose parameters by the loss on sentences that were not learned."""
from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from functools import partial
from threading import Event
from typing import NamedTuple

from AnyQt.QtCore import QSize, Qt, QTimer
from AnyQt.QtGui import QFontInfo, QPalette
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.kernels import Cancelled
from orange_structpred.learner import Parser, ParserLearner
from orange_structpred.parameters import tuning_arguments
from orange_structpred.svm import Report
from orange_structpred.treebank import Treebank
from orange_structpred.tuning import (
    Point,
    Progress,
    Tuning,
    check,
    setting_text,
    settings_of,
    tune,
)
from orange_structpred.widgets.background import BackgroundWidget
from orange_structpred.widgets.librarywarnings import recorded_warnings
from orange_structpred.widgets.parametercontrols import (
    FeaturesForm,
    ParameterForm,
    TreeForm,
)
from orange_structpred.widgets.phrases import duration, plural, sentence
from orange_structpred.widgets.tuningcontrols import (
    CForm,
    EvaluationForm,
    LearningForm,
    VariedForm,
    grid_text,
)
from orange_structpred.widgets.tuningplot import TuningPlot
from orange_structpred.widgets.tuningtable import TuningTable
from orange_structpred.widgets.valuecontrols import (
    Choice,
    ValueCheckBox,
    ValueCombo,
    ValueRadios,
)

log = logging.getLogger(__name__)

#: Tokens to learn from, of all parsers together, up to which a grid is tried
#: without being asked to
SMALL = {"explicit": 250_000, "kernel": 100_000}
AUTO = {
    "small": Choice(
        "Automatically if small", "Small grids on small treebanks are tried at once, "
        "others when you press Tune"),
    "always": Choice(
        "Always automatically", "Tune as soon as there is a treebank, and whenever a "
        "setting changes"),
    "never": Choice("Only when asked", "Tune when you press Tune"),
}
AXES = {
    "C": Choice("&C", "The weight of the loss, on a logarithmic scale"),
    "squared_norm": Choice("|&w|²", "The squared length of the weight vector: how "
                           "complex a parser is, whatever its setting"),
}
#: Milliseconds without a further change of a setting after which tuning begins
PATIENCE = 600
#: Seconds between looks at the work
TELL_EVERY = 0.1


class Result(NamedTuple):
    """What comes back from a thread.

    tuning : all points; None if only a parser was trained
    trained : point and its parser, where it was trained after folds
    warned : what the library warned of
    """

    tuning: Tuning | None
    trained: tuple[Point, Parser] | None
    warned: Sequence[str] = ()


def run_tuning(treebank: Treebank, grid: dict, options: dict, selection: dict | None,
               stop: Event, state: TaskState) -> Result:
    """Try a grid in a thread; after folds, also train what will be selected."""
    told = 0.

    def callback(progress: Progress) -> bool:
        nonlocal told
        if progress.point is not None or time.monotonic() - told > TELL_EVERY:
            told = time.monotonic()
            state.set_progress_value(100 * progress.fraction)
            state.set_partial_result(progress)
        return stop.is_set() or state.is_interruption_requested()

    with recorded_warnings() as warned:
        tuning = tune(treebank, grid, callback=callback, **options)
        trained = None
        if tuning.points and "folds" in options:
            state.set_partial_result(Progress(1.))
            point = selected_point(tuning, selection) or tuning.best
            trained = train_on_all(tuning, point, state).trained
    return Result(tuning, trained, warned)


def train_on_all(tuning: Tuning, point: Point, state: TaskState) -> Result:
    """The parser of a point after folds, in a thread."""
    def callback(report: Report) -> bool:
        state.set_progress_value(100 * report.fraction)
        return state.is_interruption_requested()

    return Result(None, (point, tuning.parser(point, callback)))


def selected_point(tuning: Tuning, selection: dict | None) -> Point | None:
    """The point that was selected by hand, if it is there."""
    try:
        return tuning.point(**selection) if selection else None
    except (TypeError, ValueError):
        return None


class OWTuneParser(OWWidget, BackgroundWidget):
    name = "Tune Parser"
    description = "Choose the parameters of a parser by its loss on other sentences."
    icon = "icons/tuneparser.svg"
    priority = 60
    keywords = ("tune parser, parameters, grid search, cross-validation, model "
                "selection, validation loss, regularization, C, treebank")

    class Inputs:
        treebank = Input("Treebank", Table, default=True)
        validation = Input("Validation Treebank", Table)

    class Outputs:
        parser = Output("Parser", Parser, dynamic=False)
        learner = Output("Learner", ParserLearner, dynamic=False)
        results = Output("Results", Table, dynamic=False)

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        no_validation = Msg("Validation treebank: {}")
        settings = Msg("{}")
        tuning = Msg("Tuning failed: {}")
        memory = Msg("Not enough memory: {}")

    class Warning(OWWidget.Warning):
        library = Msg("{}")

    class Information(OWWidget.Information):
        large = Msg("Much to try ({}): press Tune.")
        press_tune = Msg("Press Tune to try the grid.")
        outdated = Msg("Settings have changed: press Tune to apply them.")
        stopped = Msg("Stopped: {} of {} results.")
        edge = Msg("The best C, {:g}, is at the {} end of its range: a wider range may "
                   "have a better one.")

    settings_version = 1
    # Names and values are those of ParserLearner's and tune's parameters.
    features = Setting("explicit")
    groups = Setting("all")
    min_count = Setting(0)
    hash = Setting(["posTags2::dir", "tokens"])
    kernel = Setting("constant")
    kernel_params = Setting({})
    solver = Setting("bcfw")
    epsilon = Setting(0.01)
    passes = Setting(10)
    construction = Setting("auto")
    single_root = Setting(True)
    C_from = Setting(0.001)
    C_to = Setting(100.0)
    C_per_decade = Setting(1)
    varied = Setting({})
    evaluation = Setting("split")
    share = Setting(0.2)
    folds = Setting(5)
    random_state = Setting(0)
    n_jobs = Setting(1)
    #: {"label": ..., "C": ...} of a point that was selected by hand
    selection = Setting(None, schema_only=True)
    auto_tune = Setting("small")
    axis = Setting("C")
    show_training = Setting(True)
    show_bands = Setting(True)
    splitter_state = Setting([])

    PARAMETERS = ("features", "groups", "min_count", "hash", "kernel", "kernel_params",
                  "solver", "epsilon", "passes", "construction", "single_root",
                  "C_from", "C_to", "C_per_decade", "varied", "evaluation", "share",
                  "folds", "random_state", "n_jobs")

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)
        self.treebank: Treebank | None = None
        self.validation: Treebank | None = None
        self.tokens = 0
        self.arguments: tuple[dict, dict] | None = None     # of tune
        self.running: tuple[dict, dict] | None = None       # those of the running one
        self.tried: tuple[dict, dict] | None = None         # and of the last one
        self.tuning: Tuning | None = None
        self.labels: list[str] = []
        self.selected: Point | None = None
        self.parsers: dict[tuple[str, float], Parser] = {}  # trained after folds
        self.stop_asked = Event()
        self.began = 0.
        self.timer = QTimer(self, interval=PATIENCE, singleShot=True)
        self.timer.timeout.connect(self.tune_if_automatic)
        self._init_controls()
        self._init_main()
        self._show_settings()
        self.update_arguments()
        self.update_state()

    # Controls

    def _init_controls(self):
        self.forms: dict[str, ParameterForm] = {
            "C": CForm(), "Compare": VariedForm(), "Validation": EvaluationForm(),
            "Features": FeaturesForm(), "Learning": LearningForm(), "Trees": TreeForm()}
        self.tabs = QTabWidget(self.controlArea)
        self.controlArea.layout().addWidget(self.tabs)
        for title, names in (("Gri&d", ("C", "Compare", "Validation")),
                             ("Parser", ("Features", "Learning", "Trees"))):
            page = QWidget()
            layout = QVBoxLayout(page)
            layout.setContentsMargins(6, 6, 6, 6)
            for name in names:
                box = gui.vBox(None, name)
                box.layout().addWidget(self.forms[name])
                layout.addWidget(box)
            layout.addStretch(1)
            self.tabs.addTab(page, title)
        self.tabs.setTabToolTip(0, "What is tried, and how it is compared")
        self.tabs.setTabToolTip(1, "What all parsers have in common")
        self.work = QLabel(wordWrap=True)
        self.work.setForegroundRole(QPalette.PlaceholderText)
        self.work.setContentsMargins(4, 2, 4, 0)
        self.controlArea.layout().addWidget(self.work)
        for form in self.forms.values():
            form.changed.connect(partial(self.setting_changed, form))

        self.auto_combo = ValueCombo(AUTO)
        self.auto_combo.setToolTip("When the grid is tried")
        self.auto_combo.valueChanged.connect(self._auto_changed)
        self.tune_button = QPushButton(
            "&Tune", toolTip="Try all that the grid describes", autoDefault=False,
            clicked=self.tune_now)
        self.stop_button = QPushButton(
            "St&op", toolTip="Stop; what is done is kept", autoDefault=False,
            clicked=self.stop)
        for widget in (self.auto_combo, self.tune_button, self.stop_button):
            self.buttonsArea.layout().addWidget(widget, 1)

    def _init_main(self):
        self.status = QLabel()
        self.status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.chosen = QLabel(textFormat=Qt.RichText)
        font = self.chosen.font()
        font.setPointSizeF(1.15 * QFontInfo(font).pointSizeF())
        self.chosen.setFont(font)
        self.chosen.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.best_button = QPushButton(
            "Select &Best", toolTip="Select the parser with the smallest validation "
            "loss, now and whenever the grid is tried again", autoDefault=False,
            clicked=self.select_best)
        head = QHBoxLayout()
        lines = QVBoxLayout()
        lines.setSpacing(3)
        lines.addWidget(self.status)
        lines.addWidget(self.chosen)
        head.addLayout(lines, 1)
        head.addWidget(self.best_button, 0, Qt.AlignBottom)
        head.setContentsMargins(8, 4, 4, 2)

        self.view = ParameterForm()
        line = QHBoxLayout()
        line.addWidget(QLabel("Loss against"))
        line.addWidget(self.view.add("axis", ValueRadios(AXES), ""))
        line.addStretch(1)
        line.addWidget(self.view.add(
            "show_training", ValueCheckBox("Trainin&g loss"),
            "Draw the loss on the sentences that parsers learn from, too"))
        line.addWidget(self.view.add(
            "show_bands", ValueCheckBox("95% inter&vals"),
            "How much the validation loss may differ by chance"))
        line.setContentsMargins(8, 0, 8, 0)
        self.view.changed.connect(self._view_changed)

        self.plot = TuningPlot()
        self.plot.pointClicked.connect(self.select_by_hand)
        self.table = TuningTable()
        self.table.pointSelected.connect(self.select_by_hand)
        upper = QWidget()
        layout = QVBoxLayout(upper)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.plot, 1)
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.table)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes(self.splitter_state or [420, 190])
        self.splitter.splitterMoved.connect(self._splitter_moved)
        self.mainArea.layout().addLayout(head)
        self.mainArea.layout().addWidget(self.splitter)

    def sizeHint(self) -> QSize:
        return QSize(1100, 720)

    def _show_settings(self):
        """Put the settings into the controls."""
        settings = self.parameter_settings()
        for name, form in self.forms.items():
            form.set_values(self.varied if name == "Compare" else settings)
        view = {name: getattr(self, name) for name in self.view.controls}
        self.view.set_values(view)
        self._view_changed()
        self.auto_combo.setValue(self.auto_tune)

    def parameter_settings(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.PARAMETERS}

    def setting_changed(self, form: ParameterForm, name: str):
        if isinstance(form, VariedForm):
            self.varied = {name: text for name, text in form.values().items() if text}
        else:
            for setting, value in form.values().items():
                setattr(self, setting, value)
        self.update_arguments()
        if name != "n_jobs":
            self.timer.start()
        self.update_state()

    def _auto_changed(self, value: str):
        self.auto_tune = value
        self.update_state()
        self.tune_if_automatic()

    def _view_changed(self, *_):
        for name, value in self.view.values().items():
            setattr(self, name, value)
        self.plot.set_view(axis=self.axis, training=self.show_training,
                           bands=self.show_bands)

    def _splitter_moved(self, *_):
        self.splitter_state = self.splitter.sizes()

    # What is to be tried

    def update_arguments(self):
        """Find the call of `tune` that the settings describe."""
        self.Error.settings.clear()
        self.arguments = None
        try:
            grid, options = tuning_arguments(
                self.parameter_settings(), validation=self.validation is not None)
            settings = settings_of(grid)
            fixed = {name: value for name, value in options.items()
                     if name not in ("folds", "share", "random_state", "n_jobs")}
            for setting in settings:
                check({**fixed, **setting, "C": grid["C"][0]})
        except (TypeError, ValueError) as error:
            self.Error.settings(sentence(error))
            self.work.setText("")
        else:
            self.arguments = grid, options
            self.work.setText(grid_text(
                grid["C"], len(settings), options.get("folds", 1)))

    def difference(self) -> tuple[dict, dict] | None:
        """What makes a difference to the results."""
        if self.arguments is None:
            return None
        grid, options = self.arguments
        return grid, {name: value for name, value in options.items()
                      if name != "n_jobs"}

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

    @Inputs.validation
    def set_validation(self, data: Table | None):
        self.forget()
        self.Error.no_validation.clear()
        self.validation = None
        if data is not None:
            try:
                self.validation = Treebank.from_table(data)
            except ValueError as error:
                self.Error.no_validation(str(error))

    def handleNewSignals(self):
        self.forms["Validation"].show_validation(self.validation is not None)
        self.update_arguments()
        self.send_outputs()
        self.tune_if_automatic()
        self.update_state()

    def forget(self):
        """End what is going on, and take back its results."""
        self.cancel()
        self.timer.stop()
        self.clear_messages_of_results()
        self.running = self.tried = self.tuning = self.selected = None
        self.parsers = {}

    def clear_messages_of_results(self):
        self.Error.tuning.clear()
        self.Error.memory.clear()
        self.Warning.clear()
        self.Information.clear()

    # Tuning

    def is_ready(self) -> bool:
        return (self.treebank is not None and self.arguments is not None
                and not self.Error.no_validation.is_shown())

    def is_automatic(self) -> bool:
        return (self.auto_tune == "always"
                or self.auto_tune == "small" and self.is_small())

    def is_small(self) -> bool:
        if self.arguments is None:
            return False
        grid, options = self.arguments
        parsers = (len(grid["C"]) * len(settings_of(grid)) * options.get("folds", 1)
                   * self.passes / 10)
        return self.tokens * parsers <= SMALL.get(self.features, 0)

    def is_tuning(self) -> bool:
        return self.running is not None

    def tune_if_automatic(self):
        if not self.is_ready() or not self.is_automatic():
            return
        last = self.running if self.is_tuning() else self.tried
        if last != self.difference():
            self.tune_now()

    def tune_now(self):
        if not self.is_ready():
            return
        self.forget()
        grid, options = self.arguments
        if self.validation is not None:
            options = {"validation": self.validation, **options}
        self.running = self.difference()
        self.tuning = Tuning(self.treebank, {})
        self.labels = [setting_text(setting) for setting in settings_of(grid)]
        self.plot.begin(self.labels)
        self.table.show_points([], self.labels, None)
        self.stop_asked, self.began = Event(), time.monotonic()
        self.start(run_tuning, self.treebank, grid, options, self.selection,
                   self.stop_asked)
        self.update_state()
        self.say("Preparing; this takes longer the first time.")

    def stop(self):
        """End with what is done."""
        if not self.is_tuning():
            return
        self.stop_asked.set()
        self.stop_button.setEnabled(False)
        self.say("Stopping...")

    def on_partial_result(self, progress: Progress):
        if progress.point is not None:
            self.tuning.points.append(progress.point)
            self.show_points()
        if progress.fraction == 1 and progress.point is None:
            self.stop_button.setEnabled(False)
            self.say(self.training_text())
            return
        if self.stop_asked.is_set():
            return
        spent = time.monotonic() - self.began
        left = ""
        if progress.fraction > 0.02:
            left = duration(spent * (1 - progress.fraction) / progress.fraction)
            left = f", about {left} left"
        self.say(f"{len(self.tuning.points)} of {self.total()} results"
                 f"{left}.")

    def total(self) -> int:
        grid, _ = self.running or self.tried
        return len(grid["C"]) * len(self.labels)

    def on_done(self, result: Result):
        if result.tuning is not None:
            self.tuning = result.tuning
            self.tried, self.running = self.running, None
            if result.warned:
                self.Warning.library("\n".join(map(sentence, result.warned)))
            if self.tuning.stopped:
                self.Information.stopped(len(self.tuning.points), self.total())
            if selected_point(self.tuning, self.selection) is None:
                self.selection = None       # of another grid
            self.show_points()
            self.point_out_edge()
        if result.trained is not None:
            point, parser = result.trained
            self.parsers[self.key(point)] = parser
        self.send_outputs()
        self.update_state()

    def point_out_edge(self):
        """Say if the best C may lie outside of what was tried."""
        if self.tuning.stopped or not self.tuning.points:
            return
        Cs, best = self.tried[0]["C"], self.tuning.best
        others = [point.validation_loss for point in self.tuning.points
                  if point.label == best.label and point.C != best.C]
        if others and min(others) > best.validation_loss and best.C in (Cs[0], Cs[-1]):
            self.Information.edge(best.C, "upper" if best.C == Cs[-1] else "lower")

    def on_exception(self, error: Exception):
        if isinstance(error, Cancelled):
            return
        if self.is_tuning():
            self.tried, self.running = self.running, None
        if isinstance(error, MemoryError):
            self.Error.memory(sentence(error) or "choose a smaller treebank.")
        elif isinstance(error, ValueError):
            self.Error.tuning(str(error))
        else:
            log.error("Tuning failed", exc_info=error)
            self.Error.tuning(f"{type(error).__name__}: {error}")
        self.tuning = None if not self.tuning or not self.tuning.points else self.tuning
        self.send_outputs()
        self.update_state()

    # Selection

    @staticmethod
    def key(point: Point) -> tuple[str, float]:
        return point.label, point.C

    def show_points(self):
        """Show all points so far; the best is selected if none is by hand."""
        points = self.tuning.points if self.tuning else []
        self.selected = None
        if points:
            self.selected = (selected_point(self.tuning, self.selection)
                             or self.tuning.best)
        self.plot.show_points(points, self.selected)
        self.table.show_points(points, self.labels, self.selected)
        self.show_selected()

    def select_by_hand(self, point: Point):
        if point is self.selected and self.selection is not None:
            return
        self.selection = {"label": point.label, "C": float(point.C)}
        self.selection_changed(point)

    def select_best(self):
        if self.tuning is not None and self.tuning.points:
            self.selection = None
            self.selection_changed(self.tuning.best)

    def selection_changed(self, point: Point):
        changed, self.selected = point is not self.selected, point
        self.plot.select(point)
        self.table.select(point)
        self.show_selected()
        if changed and not self.is_tuning():
            self.send_outputs()
            self.update_state()

    # Output

    def send_outputs(self):
        """Send what is selected; after folds its parser is trained first."""
        point = None if self.is_tuning() else self.selected
        done = self.tuning is not None and self.tuning.points and not self.is_tuning()
        parser = None
        if point is not None:
            parser = point.parser or self.parsers.get(self.key(point))
        self.Outputs.parser.send(parser)
        self.Outputs.learner.send(self.tuning.learner(point) if point else None)
        self.Outputs.results.send(self.tuning.to_table() if done else None)
        if point is not None and parser is None:
            # not at once: tasks must not be started where others end
            QTimer.singleShot(0, self.train_selected)

    def train_selected(self):
        if (self.selected is None or self.is_tuning()
                or self.selected.parser or self.key(self.selected) in self.parsers):
            return
        self.cancel()
        self.start(train_on_all, self.tuning, self.selected)
        self.say(self.training_text())

    # What is shown

    def say(self, text: str):
        self.status.setText(text)
        self.status.setToolTip(text)

    def show_selected(self):
        """The selected point in words."""
        point = self.selected
        self.best_button.setEnabled(point is not None and self.selection is not None)
        if point is None:
            self.chosen.setText("")
            return
        best = self.tuning.best
        which = "Best" if point is best else "Selected"
        label = f"{point.label}, " if point.label else ""
        more = "" if point is best else (
            f" (best: {100 * best.validation_loss:.2f}%)")
        text = (f"{which}: {label}<b>C = {point.C:g}</b>, validation loss "
                f"<b>{100 * point.validation_loss:.2f}%</b>{more}")
        self.chosen.setText(text)
        self.chosen.setToolTip(text)

    def update_state(self):
        """Buttons, enabled controls, and what is to be done next."""
        settings = self.parameter_settings()
        for form in self.forms.values():
            form.update_enabled(settings)
        ready, tuning = self.is_ready(), self.is_tuning()
        self.tune_button.setEnabled(
            ready and not (tuning and self.running == self.difference()))
        self.stop_button.setEnabled(tuning and not self.stop_asked.is_set())
        waiting = ready and not tuning and not self.is_automatic()
        never = waiting and self.tried is None
        self.Information.large(self.work.text(),
                               shown=never and self.auto_tune == "small")
        self.Information.press_tune(shown=never and self.auto_tune == "never")
        self.Information.outdated(
            shown=waiting and not never and self.tried != self.difference())
        if not tuning:
            if self.tuning is None:
                self.selected = None
                self.plot.begin([])
                self.table.show_points([], [], None)
                self.show_selected()
            self.say(self.status_text())

    def status_text(self) -> str:
        """In a sentence, where things stand while no grid is tried."""
        if self.treebank is None:
            return "No treebank to learn from."
        size = self.treebank_size()
        if self.tuning is not None and self.tuning.points:
            seconds = sum(point.seconds for point in self.tuning.points)
            count = plural(len(self.tuning.points), "result", "results")
            return f"{count} on {size}, after {duration(seconds)} of work."
        if self.tried is not None:
            return "Stopped." if self.stop_asked.is_set() else "Tuning failed."
        return f"Ready to tune on {size}."

    def treebank_size(self) -> str:
        return (plural(len(self.treebank), "sentence", "sentences") + " ("
                + plural(self.tokens, "token", "tokens") + ")")

    def training_text(self) -> str:
        return f"Learning the selected parser from all of {self.treebank_size()}."

    def send_report(self):
        if self.treebank is not None:
            self.report_items("Treebank", [
                ("Name", self.treebank.name), ("Sentences", f"{len(self.treebank):,}"),
                ("Tokens", f"{self.tokens:,}")])
        if self.arguments is not None:
            grid, options = self.arguments
            self.report_items("Grid", [
                (name if isinstance(name, str) else name[0],
                 ", ".join(setting_text(own).partition(" ")[2]
                           for own in settings_of({name: values}))
                 if name != "C" else ", ".join(f"{C:g}" for C in values))
                for name, values in grid.items()])
            self.report_items("Parser and validation", [
                (name, setting_text({name: value}).partition(" ")[2])
                for name, value in options.items()])
        if self.tuning is not None and self.tuning.points:
            self.report_caption(self.chosen.text())
            self.report_plot("Losses", self.plot)
            self.report_table("Results", self.table, indicate_selection=False)

    def onDeleteWidget(self):
        self.timer.stop()
        self.stop_asked.set()
        self.shutdown()
        super().onDeleteWidget()


if __name__ == "__main__":
    from orange_structpred import load_bundled
    WidgetPreview(OWTuneParser).run(set_treebank=load_bundled("en"))
