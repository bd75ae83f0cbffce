"""Learning Curve: accuracy against the number of training sentences."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QLabel
from Orange.base import Learner
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, MultiInput, Output

from orange_structpred.tuning.curves import (
    CURVE_MEASURES,
    CurveProgress,
    LearningCurve,
    absolute_sizes,
    check_learners,
    expected_learner_seconds,
    is_tagging,
    learning_curve,
    parse_sizes,
)
from orange_structpred.widgets.common.layouts import wrapped_label
from orange_structpred.widgets.common.learning import AUTO
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.parserlearning import ValidatedWidget
from orange_structpred.widgets.common.phrases import duration, plural, sentence
from orange_structpred.widgets.common.reporting import Outcome, Reporter
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.valuecontrols import (
    Choice,
    IntegerSpin,
    ValueCheckBox,
    ValueCombo,
    ValueEdit,
)
from orange_structpred.widgets.curve.plot import CurvePlot, CurveTable

MEASURE_CHOICES = {
    "uas": Choice("UAS", "Share of tokens with the right head"),
    "las": Choice("LAS", "Share of tokens with the right head and relation"),
}


class CurveReporter(Reporter):
    """Reports of a curve, which goes on to grow in its thread."""

    def __call__(self, report: CurveProgress) -> bool:
        return super().__call__(replace(report, curve=replace(
            report.curve, results=list(report.curve.results))))


class OWLearningCurve(ValidatedWidget):
    name = "Learning Curve"
    description = "Compare learners by their accuracy on more and more sentences."
    icon = "icons/learningcurve.svg"
    priority = 65
    keywords = ("learning curve, training size, accuracy, learners, compare, seeds, "
                "deviation, treebank")

    work, verb, auto_setting, patience = "Training", "Start", "auto_start", 600
    reporter = CurveReporter

    class Inputs(ValidatedWidget.Inputs):
        learner = MultiInput("Learner", Learner)

    class Outputs:
        curve = Output("Curve", Table, dynamic=False,
                       doc="One row per learner and number of sentences")
        results = Output("Results", Table, dynamic=False, explicit=True,
                         doc="One row per training")

    class Error(ValidatedWidget.Error):
        learners = Msg("{}")

    class Information(ValidatedWidget.Information):
        large = Msg("This may take a while ({}): press Start.")
        press = Msg("Press Start to train the learners.")
        stopped = Msg("Stopped after {} of {} trainings.")

    settings_version = 1
    sizes = Setting("6%, 12%, 25%, 50%, 100%")
    seeds = Setting(3)
    measure = Setting("uas", fits=CURVE_MEASURES)
    share = Setting(20)
    random_state = Setting(0)
    auto_start = Setting("small", fits=AUTO)
    show_training = Setting(False)
    log_axis = Setting(True)

    PARAMETERS = ("sizes", "seeds", "measure", "share", "random_state")

    def __init__(self):
        super().__init__()
        self.learners: list[Learner | None] = []
        self.arguments: dict[str, object] | None = None     # of learning_curve
        self.curve: LearningCurve | None = None
        self.set_up()

    # Controls

    def _init_controls(self):
        form = ParameterForm()
        form.add("sizes", ValueEdit(), "How many sentences to train on, separated by "
                 "commas: numbers, such as 100, or shares, such as 50%", "Si&zes:")
        form.add("seeds", IntegerSpin(1, 100), "How often each learner is trained for "
                 "each size, each time on different sentences", "S&eeds:")
        form.add("random_state", IntegerSpin(0, 10**6), "The first seed: draws the "
                 "sentences, and the order in which learners see them", "&First seed:")
        sizes = gui.vBox(self.controlArea, "Training sentences")
        sizes.layout().addWidget(form)
        held_out = ParameterForm()
        share = IntegerSpin(1, 99)
        share.setSuffix("%")
        held_out.add("share", share, "Share of the sentences that is set aside, never "
                     "trained on", "&Held out:")
        held_out.add("measure", ValueCombo(MEASURE_CHOICES), "What parsers are scored by; "
                     "taggers are scored by the tags of their first layer", "&Measure:")
        self.held_out_note = QLabel(wordWrap=True, textFormat=Qt.PlainText)
        box = gui.vBox(self.controlArea, "Scores")
        box.layout().addWidget(held_out)
        box.layout().addWidget(self.held_out_note)
        self.forms = {"Training sentences": form, "Scores": held_out}
        self._connect_forms()

        self.options = ParameterForm()
        self.options.form.addRow(self.options.add(
            "show_training", ValueCheckBox("Scores on &training sentences"),
            "Also draw the scores on the sentences that were learned from, as dashed "
            "lines"))
        self.options.form.addRow(self.options.add(
            "log_axis", ValueCheckBox("&Logarithmic axis"),
            "Doubling the number of sentences is the same distance everywhere"))
        self.options.changed.connect(self._options_changed)
        gui.vBox(self.controlArea, "Plot").layout().addWidget(self.options)
        gui.rubber(self.controlArea)
        self._add_buttons(
            "When training starts", "Train all learners with all sizes and seeds",
            "Stop; results so far are kept")

    def _init_main(self):
        self.status = wrapped_label()
        self.status.setContentsMargins(8, 4, 4, 2)
        self.plot = CurvePlot()
        self.table = CurveTable()
        self.mainArea.layout().addWidget(self.status)
        self.mainArea.layout().addWidget(self.plot, 1)
        self.mainArea.layout().addWidget(self.table)

    def sizeHint(self) -> QSize:
        return QSize(1000, 660)

    def show_settings(self):
        super().show_settings()
        self.options.set_values({"show_training": self.show_training,
                                 "log_axis": self.log_axis})
        self._options_changed()

    def _options_changed(self, *_):
        self.take_values(self.options)
        self.plot.set_view(training=self.show_training, log_axis=self.log_axis)

    # Input

    @Inputs.learner
    def set_learner(self, index: int, learner: Learner | None):
        self.forget()
        self.learners[index] = learner

    @Inputs.learner.insert
    def insert_learner(self, index: int, learner: Learner | None):
        self.forget()
        self.learners.insert(index, learner)

    @Inputs.learner.remove
    def remove_learner(self, index: int):
        self.forget()
        self.learners.pop(index)

    def take_inputs(self):
        super().take_inputs()
        self.held_out_note.setText(
            "" if self.validation is None else
            f"Scored on the validation treebank: {self.validation.name}, "
            + plural(len(self.validation), "sentence", "sentences") + ".")
        self.held_out_note.setVisible(self.validation is not None)
        self.update_arguments()

    def chosen(self) -> list[Learner]:
        return [learner for learner in self.learners if learner is not None]

    def validation_needs_heads(self) -> bool:
        return not (self.chosen() and all(map(is_tagging, self.chosen())))

    # What is to be trained

    def update_arguments(self):
        """Find the call of `learning_curve` that the settings describe."""
        self.Error.settings.clear()
        self.Error.learners.clear()
        self.arguments = None
        try:
            if self.chosen():
                check_learners(self.chosen())
        except (TypeError, ValueError) as error:
            self.Error.learners(sentence(error))
        try:
            sizes = parse_sizes(self.sizes)
            if self.treebank is not None:
                absolute_sizes(sizes, self.training_size())
        except ValueError as error:
            self.Error.settings(sentence(error))
        else:
            self.arguments = {
                "sizes": sizes, "seeds": self.seeds, "measure": self.measure,
                "share": self.share / 100, "random_state": self.random_state}

    def training_size(self) -> int:
        """How many sentences are left to train on."""
        n = len(self.treebank)
        if self.validation is not None:
            return n
        return max(1, n - max(1, round(self.share / 100 * n)))

    def difference(self) -> dict[str, object] | None:
        return self.arguments

    def forget(self):
        super().forget()
        self.curve = None

    def is_ready(self) -> bool:
        return (bool(self.chosen()) and self.arguments is not None
                and not self.Error.learners.is_shown() and super().is_ready())

    def expected_seconds(self) -> float:
        n = self.training_size()
        return self.seeds * sum(
            expected_learner_seconds(learner, tokens=round(self.tokens * size / n),
                                     sentences=size)
            for size in absolute_sizes(self.arguments["sizes"], n)
            for learner in self.chosen())

    def total(self) -> int:
        if not self.is_ready():
            return 0
        sizes = absolute_sizes(self.arguments["sizes"], self.training_size())
        return len(sizes) * self.seeds * len(self.chosen())

    # Training

    def show_beginning(self):
        self.curve = None
        self.show_curve()

    def what_to_do(self) -> Callable[[Reporter], LearningCurve]:
        options = {**self.arguments, **self.validation_options()}
        compute = partial(learning_curve, self.treebank, *self.chosen(), **options)
        return lambda reporter: compute(callback=reporter)

    def on_partial_result(self, reports: list[CurveProgress]):
        last = reports[-1]
        self.curve = last.curve
        if any(report.result is not None for report in reports):
            self.show_curve()
        elif not self.plot.curve:
            self.plot.show_curve(self.curve)
        if self.is_running() and not self.stop_asked.is_set():
            trainings = plural(self.total_of(self.curve), "training", "trainings")
            self.say(f"{len(self.curve.results)} of {trainings}"
                     f"{self.time_left(last.fraction)}.")

    @staticmethod
    def total_of(curve: LearningCurve) -> int:
        return len(curve.learners) * len(curve.sizes) * len(curve.seeds)

    def take_result(self, outcome: Outcome):
        self.curve = outcome.result
        if self.curve.stopped:
            self.Information.stopped(len(self.curve.results),
                                     self.total_of(self.curve))
        self.show_curve()

    def drop_result(self):
        """Results that came before something failed are kept."""

    # Output

    def send_outputs(self):
        done = self.curve is not None and self.curve.results and not self.is_running()
        self.Outputs.curve.send(self.curve.to_table() if done else None)
        self.Outputs.results.send(self.curve.results_table() if done else None)

    # What is shown

    def say(self, text: str):
        self.status.setText(text)

    def show_curve(self):
        self.plot.show_curve(self.curve)
        self.table.show_curve(self.curve)

    def update_state(self):
        super().update_state()
        self.forms["Scores"].controls["share"].setEnabled(self.validation is None)

    def work_text(self) -> str:
        return plural(self.total(), "training", "trainings")

    def show_idle(self):
        if self.curve is None:
            self.show_curve()
        self.say(self.status_text())

    def status_text(self) -> str:
        """In a sentence, where things stand while nothing is being learned."""
        if self.curve is None or not self.curve.results:
            if self.treebank is not None and not self.chosen():
                return ("No learner: connect the output Learner of Train Parser or "
                        "Tune Parser.")
            return self.status_without_result(
                f"Ready for {self.work_text()} on" if self.total() else "Ready for")
        seconds = sum(result.seconds for result in self.curve.results)
        return (plural(len(self.curve.results), "training", "trainings")
                + f" on sentences of {self.treebank.name}, {duration(seconds)} in all.")

    def send_report(self):
        """Results with the settings that they came from, not those of now."""
        self.report_treebank()
        settings = self.used or self.parameter_settings()
        names = [name for name in self.PARAMETERS
                 if name != "share" or self.validation is None]
        items = [item for form in self.forms.values()
                 for item in form.described(settings, names)]
        if self.validation is not None:
            items.append(("Validation treebank", self.validation.name))
        self.report_items("Learning curve", items)
        self.report_notes(self.Information.stopped)
        if self.curve is not None and self.curve.results:
            report_picture(self, "Curve", self.plot)
            self.report_table("Scores (%)", self.curve.lines())


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import ParserLearner, load_bundled

    WidgetPreview(OWLearningCurve).run(
        set_treebank=load_bundled("en"),
        insert_learner=[(0, ParserLearner()), (1, ParserLearner("kernel", passes=5))])
