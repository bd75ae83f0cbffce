"""Tune Parser: choose parameters by the loss on held-out sentences."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial

from AnyQt.QtCore import QSize, QTimer
from AnyQt.QtWidgets import QLabel
from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from orange_structpred.learner import ParserLearner
from orange_structpred.learner.effort import expected_seconds
from orange_structpred.learner.influence import has_certificate
from orange_structpred.learner.parameters import DEFAULTS, HARMLESS
from orange_structpred.parser import Parser
from orange_structpred.tuning.arguments import check_settings, tuning_arguments
from orange_structpred.tuning.grids import settings_of
from orange_structpred.tuning.results import Point, Tuning, setting_text
from orange_structpred.tuning.search import TuningProgress
from orange_structpred.widgets.common.learning import AUTO
from orange_structpred.widgets.common.parserlearning import (
    ParserLearningWidget,
    is_named,
)
from orange_structpred.widgets.common.phrases import duration, plural, sentence
from orange_structpred.widgets.common.reporting import Outcome, Reporter
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.storedsettings import (
    is_shown_number,
    is_shown_whole,
    is_text,
    list_of,
)
from orange_structpred.widgets.tune.controls import TuningTabs, grid_text
from orange_structpred.widgets.tune.plot import AXIS_LABELS
from orange_structpred.widgets.tune.report import described_tuning
from orange_structpred.widgets.tune.runon import COMPUTERS, HERE, RunOn
from orange_structpred.widgets.tune.tasks import (
    TunedOrTrained,
    run_tuning,
    selected_point,
    train_on_all,
)
from orange_structpred.widgets.tune.view import TuningView

#: How many times faster a path over C is than as many parsers that begin from scratch
PATH_PAYS = 3


class OWTuneParser(ParserLearningWidget):
    name = "Tune Parser"
    description = "Choose the parameters of a parser by its loss on held-out sentences."
    icon = "icons/tuneparser.svg"
    priority = 60
    keywords = ("tune parser, parameters, grid search, cross-validation, model "
                "selection, validation loss, regularization, C, treebank")

    work, verb, auto_setting, patience = "Tuning", "Tune", "auto_tune", 600

    class Outputs:
        parser = Output("Parser", Parser, dynamic=False)
        learner = Output("Learner", ParserLearner, dynamic=False)
        results = Output("Results", Table, dynamic=False, explicit=True)

    class Information(ParserLearningWidget.Information):
        large = Msg("Tuning may take a while ({}): press Tune.")
        press = Msg("Press Tune to try the grid.")
        stopped = Msg("Stopped after {} of {} results.")
        same = Msg("C = {} gave the same parser as the best one{}.")
        open_end = Msg("The best C, {:g}, is at the {} end of the range: a wider range "
                       "may contain a better one.")

    settings_version = 1
    # Names and values are those of tune's parameters.
    solver = Setting("bcfw")
    C_from = Setting(0.001)
    C_to = Setting(100.0)
    C_per_decade = Setting(1)
    stop_raising = Setting(False)
    varied = Setting({}, fits=lambda value: (
        is_named(value) and all(map(is_text, value.values()))))
    evaluation = Setting("split")
    share = Setting(0.2)
    folds = Setting(5)
    #: {"label": ..., "C": ...} of a point that was selected by hand
    selection = Setting(None, schema_only=True, fits=lambda value: value is None or (
        is_named(value) and is_text(value.get("label")) and is_shown_number(value.get("C"))))
    auto_tune = Setting("small", fits=AUTO)
    place = Setting(HERE, fits=COMPUTERS)
    scheduler = Setting("")
    axis = Setting("C", fits=AXIS_LABELS)
    show_training = Setting(True)
    show_bands = Setting(True)
    splitter_state = Setting([], fits=list_of(is_shown_whole))

    PARAMETERS = (*ParserLearningWidget.PARAMETERS, "C_from", "C_to", "C_per_decade",
                  "stop_raising", "varied", "evaluation", "share", "folds")

    def __init__(self):
        super().__init__()
        self.arguments: tuple[dict, dict] | None = None     # of tune
        self.tuning: Tuning | None = None
        self.labels: list[str] = []
        self.selected: Point | None = None
        self.parsers: dict[tuple[str, float], Parser] = {}  # trained after folds
        # not at once: tasks must not be started where others end
        self.train_timer = QTimer(self, interval=0, singleShot=True)
        self.train_timer.timeout.connect(self.train_selected)
        self.set_up()

    # Controls

    def _init_controls(self):
        self.tabs = TuningTabs(self.controlArea)
        self.forms = self.tabs.forms
        self.controlArea.layout().addWidget(self.tabs)
        self.work_label = QLabel(wordWrap=True)
        self.work_label.setContentsMargins(4, 2, 4, 0)
        self.controlArea.layout().addWidget(self.work_label)
        self.run_on = RunOn()
        self.run_on.changed.connect(self._take_place)
        self.controlArea.layout().addWidget(self.run_on)
        self._connect_forms()
        self._add_buttons(
            "When the grid is tried", "Train a parser for each point of the grid",
            "Stop and keep the results so far")

    def _init_main(self):
        self.view = TuningView(self.splitter_state)
        self.view.changed.connect(partial(self.take_values, self.view.options))
        self.view.pointSelected.connect(self.select_by_hand)
        self.view.bestWanted.connect(self.select_best)
        self.view.splitterMoved.connect(self._splitter_moved)
        self.mainArea.layout().addWidget(self.view)

    def sizeHint(self) -> QSize:
        return QSize(1100, 720)

    def show_settings(self):
        super().show_settings()
        self.view.set_options({
            name: getattr(self, name) for name in self.view.options.controls})
        self.run_on.set_values(self.place, self.scheduler)

    def _take_place(self):
        """It makes no difference to the results, so nothing is tried again."""
        self.place = self.run_on.place.value()
        self.scheduler = self.run_on.address.text().strip()

    def _splitter_moved(self, sizes: list[int]):
        self.splitter_state = sizes

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
                     if name in DEFAULTS and name not in ("random_state", "n_jobs")}
            check_settings(settings, {**fixed, "C": grid["C"][0]})
        except (TypeError, ValueError) as error:
            self.Error.settings(sentence(error))
            self.work_label.setText("")
        else:
            self.arguments = grid, options
            self.work_label.setText(grid_text(
                grid["C"], len(settings), options.get("folds", 1)))

    def difference(self) -> tuple[dict, dict] | None:
        """What makes a difference to the results."""
        if self.arguments is None:
            return None
        grid, options = self.arguments
        return grid, {name: value for name, value in options.items()
                      if name not in HARMLESS}

    # Input

    def take_inputs(self):
        super().take_inputs()
        self.forms["Validation"].show_validation(self.validation is not None)
        self.update_arguments()

    def forget(self):
        super().forget()
        self.tuning = self.selected = None
        self.parsers = {}

    # Tuning

    def is_ready(self) -> bool:
        return self.arguments is not None and super().is_ready()

    def expected_seconds(self) -> float:
        grid, options = self.arguments
        # of a path over C, a parser begins where the last one has ended
        parsers = len(grid["C"]) * options.get("folds", 1) / PATH_PAYS
        return parsers * sum(
            expected_seconds({**self.parameter_settings(), **setting},
                             tokens=self.tokens, sentences=self.compared_sentences())
            for setting in settings_of(grid))

    def show_beginning(self):
        grid, _ = self.arguments
        self.tuning, self.parsers = Tuning(self.treebank, {}), {}
        self.labels = [setting_text(setting) for setting in settings_of(grid)]
        self.selected = None
        self.view.begin(self.labels, grid["C"])
        self.show_selected()

    def what_to_do(self) -> Callable[[Reporter], TunedOrTrained]:
        grid, options = self.arguments
        options = {**self.learning_options(), **options}
        if (client := self.run_on.client()) is not None:
            options["client"] = client
        return partial(run_tuning, self.treebank, grid, options, self.selection)

    def on_partial_result(self, reports: list[TuningProgress]):
        points = [report.point for report in reports if report.point is not None]
        if points:
            self.tuning.points.extend(points)
            self.show_points()
        last = reports[-1]
        if last.fraction == 1 and last.point is None:
            self.stop_button.setEnabled(False)
            self.say(self.training_text())
        elif self.is_running() and not self.stop_asked.is_set():
            self.say(f"{len(self.tuning.points)} of {self.total()} results"
                     f"{self.time_left(last.fraction)}.")

    def total(self) -> int:
        grid, _ = self.running or self.tried
        return len(grid["C"]) * len(self.labels)

    def take_result(self, outcome: Outcome):
        tuning, trained, point = outcome.result
        if tuning is not None:
            self.tuning = tuning
            if selected_point(tuning, self.selection) is None:
                self.selection = None       # of another grid
            self.show_points()
            self.show_notes()
        if trained is not None:
            self.parsers[self.key(point)] = trained

    def show_notes(self):
        """What the results mean for the next grid."""
        tuning = self.tuning
        if tuning.stopped:
            self.Information.stopped(len(tuning.points), self.total())
        if tuning.open_end is not None:
            self.Information.open_end(tuning.best.C, tuning.open_end)
        if tuning.points and tuning.same_as_best:
            self.Information.same(
                ", ".join(f"{point.C:g}" for point in tuning.same_as_best),
                "" if has_certificate(self.parameter_settings()) else
                ": tuning C pays off with the solvers BCFW and one-slack")

    def drop_result(self):
        """The points that were tried before something failed are kept."""
        if not self.tuning or not self.tuning.points:
            self.tuning = None

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
        self.view.show_points(points, self.selected)
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
        self.view.select(point)
        self.show_selected()
        if changed and not self.is_running():
            self.clear_failure()
            self.send_outputs()
            self.update_state()

    # Output

    def send_outputs(self):
        """Send what is selected; after folds its parser is trained first."""
        point = None if self.is_running() else self.selected
        done = self.tuning is not None and self.tuning.points and not self.is_running()
        parser = None
        if point is not None:
            parser = (self.tuning.kept_parser(point)
                      or self.parsers.get(self.key(point)))
        self.Outputs.parser.send(parser)
        self.Outputs.learner.send(self.tuning.learner(point) if point else None)
        self.Outputs.results.send(self.tuning.to_table() if done else None)
        if point is not None and parser is None and not self.has_failed():
            self.train_timer.start()

    def train_selected(self):
        if (self.selected is None or self.is_running()
                or self.tuning.kept_parser(self.selected)
                or self.key(self.selected) in self.parsers):
            return
        self.start_learning(partial(train_on_all, self.tuning, self.selected))
        self.say(self.training_text())

    # What is shown

    def say(self, text: str):
        self.view.say(text)

    def show_selected(self):
        """The selected point in words."""
        best = self.tuning.best if self.selected is not None else None
        self.view.show_selected(self.selected, best, self.selection is not None)

    def work_text(self) -> str:
        return self.work_label.text()

    def show_idle(self):
        if self.tuning is None:
            self.selected = None
            self.view.begin([], self.arguments[0]["C"] if self.arguments else [])
            self.show_selected()
        self.say(self.status_text())

    def status_text(self) -> str:
        """In a sentence, where things stand while no grid is tried."""
        if self.tuning is None or not self.tuning.points:
            return self.status_without_result("Ready to tune on")
        seconds = sum(point.seconds for point in self.tuning.points)
        count = plural(len(self.tuning.points), "result", "results")
        return (f"{count} on {self.treebank_size()}, after {duration(seconds)} of "
                "work.")

    def training_text(self) -> str:
        if self.tuning.folds:
            return f"Learning the selected parser from all {self.treebank_size()}."
        return "Learning the selected parser again; only the best one is kept."

    def send_report(self):
        """Results with the settings they came from, not the current ones."""
        self.report_treebank()
        tried = self.running or (self.tried if self.tuning is not None else None)
        arguments = tried or self.arguments
        if arguments is not None:
            described = described_tuning(
                self.forms, self.used if tried else self.parameter_settings(),
                arguments[0], self.validation)
            for title, items in described.items():
                self.report_items(title, items)
        has_points = self.tuning is not None and self.tuning.points
        if has_points:
            self.report_raw("Result", self.view.selected_text())
        self.report_notes(self.Information.stopped, self.Information.open_end,
                          self.Information.same)
        if has_points:
            report_picture(self, "Losses", self.view.plot)
            self.report_table("Results", self.view.table)

    def onDeleteWidget(self):
        self.train_timer.stop()
        self.run_on.close_threads()
        super().onDeleteWidget()


if __name__ == "__main__":
    from orange_structpred import load_bundled
    WidgetPreview(OWTuneParser).run(set_treebank=load_bundled("en"))
