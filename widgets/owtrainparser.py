"""Train Parser: learn a dependency parser from a treebank, and watch it learn."""
from __future__ import annotations

from collections.abc import Callable

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from orange_structpred.learner import ParserLearner, training_log
from orange_structpred.learner.effort import expected_seconds
from orange_structpred.learner.influence import (
    automatic_name,
    certificate_scope,
    has_certificate,
    unused,
    without_effect,
)
from orange_structpred.learner.parameters import DEFAULTS, HARD_MARGIN, HARMLESS
from orange_structpred.learner.settings import learner_parameters
from orange_structpred.parser import Parser
from orange_structpred.svm import Report
from orange_structpred.widgets.common.parametercontrols import (
    FeaturesForm,
    SolverForm,
    TreeForm,
)
from orange_structpred.widgets.common.parameterform import described_settings
from orange_structpred.widgets.common.parserlearning import ParserLearningWidget
from orange_structpred.widgets.common.phrases import duration, plural, sentence
from orange_structpred.widgets.common.reporting import Outcome, Reporter
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.train.plot import KeptBars
from orange_structpred.widgets.train.training import TrainingWidget

#: Share of the progress bar for the kernel matrix, if there is one
MATRIX = 0.3


class TrainingReporter(Reporter):
    """Reports of a parser's solver, and before them those of a kernel matrix."""

    begin = 0.      # of the solver: where a kernel matrix is computed first

    def fraction(self, report: Report) -> float:
        if report.pass_:
            return self.begin + (1 - self.begin) * report.fraction
        if report.fraction:
            self.begin = MATRIX
        return MATRIX * report.fraction


def stopping_point(reports: list[Report], passes: int) -> str:
    """Where a training was stopped that ended these passes, or epochs of a net."""
    if reports and reports[-1].epoch:
        return f"epoch {reports[-1].epoch + 1} of the net"
    done = reports[-1].pass_ if reports else 0
    return f"pass {min(done + 1, passes)} of {passes}"


class OWTrainParser(TrainingWidget, ParserLearningWidget):
    name = "Train Parser"
    description = "Train a dependency parser on a treebank."
    icon = "icons/trainparser.svg"
    priority = 20
    keywords = ("train parser, dependency parser, learner, structural svm, mira, "
                "perceptron, kernel, hash function, treebank")

    reporter = TrainingReporter
    name_tip = "Name of the parser and of its predictions"
    start_tip = "Train a parser with these settings"
    stop_tip = "Stop training and keep the parser as it is"

    class Outputs:
        parser = Output("Parser", Parser, dynamic=False)
        learner = Output("Learner", ParserLearner, dynamic=False)
        log = Output("Training Log", Table, dynamic=False, explicit=True)

    class Information(ParserLearningWidget.Information):
        large = Msg("Training may take a while ({}): press Train.")
        press = Msg("Press Train to learn a parser.")
        stopped = Msg("Stopped in {}: the parser trained so far is kept.")
        no_effect = Msg("{}.")
        not_converged = Msg("The gap is {} after {}, above epsilon {}: more passes "
                            "would get closer to the optimum.")

    settings_version = 1
    hard_margin = Setting(HARD_MARGIN.default)
    keep_best = Setting(True)

    PARAMETERS = (*ParserLearningWidget.PARAMETERS, "C", "hard_margin", "learner_name")

    def __init__(self):
        super().__init__()
        self.learner: ParserLearner | None
        self.model: Parser | None
        self.set_up()

    # Controls

    def _init_controls(self):
        self.forms = {"Features": FeaturesForm(), "Learning": SolverForm(),
                      "Trees": TreeForm()}
        self.keep_box = gui.checkBox(
            self.forms["Learning"], self, "keep_best", "Keep the &best pass",
            callback=self.keep_changed, addToLayout=False,
            tooltip="Keep the parser of the pass with the smallest loss on the validation "
                    "treebank, instead of that of the last pass")
        self.forms["Learning"].form.addRow(self.keep_box)
        super()._init_controls()

    def sizeHint(self) -> QSize:
        return QSize(1000, 755)

    def _init_main(self):
        super()._init_main()
        self.kept_bars = KeptBars()
        self.mainArea.layout().addWidget(self.kept_bars)

    def keep_changed(self):
        self.timer.start()
        self.update_state()

    # The learner

    def update_arguments(self):
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

    def difference(self) -> dict[str, object]:
        """What makes a difference to what is learned."""
        parameters = learner_parameters(self.parameter_settings())
        return {**{name: value for name, value in parameters.items()
                   if name not in HARMLESS}, **self.keep()}

    def keep(self) -> dict[str, str]:
        """Which pass is kept, if there is a validation treebank to tell."""
        if self.validation is None:
            return {}
        return {"keep": "best" if self.keep_best else "last"}

    # Training

    def is_ready(self) -> bool:
        return self.learner is not None and super().is_ready()

    def expected_seconds(self) -> float:
        return expected_seconds(
            self.parameter_settings(), tokens=self.tokens, sentences=self.compared_sentences())

    def what_to_do(self) -> Callable[[Reporter], Parser]:
        learner, treebank = self.learner, self.treebank
        options = {**self.learning_options(), **self.keep()}
        return lambda reporter: learner(treebank, reporter, **options)

    def on_partial_result(self, reports: list[Report]):
        last = reports[-1]
        if not self.stop_asked.is_set() and (last.pass_ or last.fraction):
            self.say(
                f"Learning from {self.treebank_size()}." if last.pass_ else
                f"Comparing {self.treebank_size()}: {last.fraction:.0%}.")
        self.figures.show_reports(reports, self.passes_of(self.running))
        self.plot.add(reports)

    def take_result(self, outcome: Outcome):
        self.model = outcome.result
        reports = self.model.log
        passes = self.passes_of(self.tried)
        if self.model.stopped:
            self.Information.stopped(stopping_point(reports, passes))
        elif not self.model.converged and reports and reports[-1].certified:
            epsilon = self.tried.get("epsilon", DEFAULTS["epsilon"])
            self.Information.not_converged(
                f"{reports[-1].gap:.3g}", plural(len(reports), "pass", "passes"),
                f"{epsilon:g}")
        # those who have left C alone need not know
        reason = without_effect(self.tried["C"], reports) if "C" in self.tried else ""
        self.Information.no_effect(reason, shown=bool(reason))
        self.plot.end(reports)
        self.figures.end(reports, passes)
        self.kept_bars.show_norms(self.model.group_norms)
        self.name_model()

    @staticmethod
    def passes_of(parameters: dict[str, object]) -> int:
        return parameters.get("passes", DEFAULTS["passes"])

    # Output

    def name_model(self):
        self.model.name = self.learner_name.strip() or automatic_name(self.tried)
        self.model.n_jobs = self.n_jobs

    def send_outputs(self):
        self.Outputs.parser.send(self.model)
        self.Outputs.log.send(
            self.model and training_log(self.model.log, name=self.model.name))

    # What is shown

    def work_text(self) -> str:
        return (plural(self.tokens, "token", "tokens") + ", up to "
                + plural(self.passes, "pass", "passes"))

    def clear_course(self):
        """Empty figures and plot, made for the chosen solver."""
        certificate = has_certificate(self.parameter_settings())
        self.figures.clear()
        self.kept_bars.show_norms(None)
        self.figures.show_goal(self.epsilon if certificate else None)
        self.plot.begin(passes=self.passes, certificate=certificate,
                        validation=self.validation is not None)

    def model_text(self) -> str:
        seconds = self.model.log[-1].seconds if self.model.log else 0
        ended = "Stopped" if self.model.stopped else "Learned"
        text = (f"{ended} after {duration(seconds)}: “{self.model.name}” from "
                f"{self.treebank_size()}." + self.kept_text())
        if self.Information.no_effect.is_shown():
            text += f" {self.Information.no_effect.formatted}"
        if scope := self.certificate_scope():
            text += f" The gap: {scope}."
        return text

    def kept_text(self) -> str:
        """Which pass was kept, and why."""
        kept = self.model.kept_pass
        if kept is None:
            return ""
        report = next(report for report in self.model.log if report.pass_ == kept)
        what = f"Epoch {report.epoch} of the net" if report.epoch else f"Pass {kept}"
        return (f" {what} is kept: its loss on the validation treebank is the "
                f"smallest, {report.validation_loss:.2%}.")

    def update_state(self):
        super().update_state()
        self.keep_box.setVisible(self.validation is not None)

    def certificate_scope(self) -> str:
        """What the gap of the parser does not cover; "" if nothing."""
        return certificate_scope(self.tried, self.model.decoder)

    def send_report(self):
        """The parser with the settings it was learned with, not the current ones."""
        self.report_treebank()
        parser = None if self.is_running() else self.model
        learned = self.is_running() or parser is not None
        settings = self.used if learned else self.parameter_settings()
        name = parser.name if parser else self.learner.name if self.learner else ""
        chosen = {"decoder": parser.decoder} if parser else {}
        self.report_items("Parser" if learned else "Learner", [
            *([("Name", name)] if name else []),
            *described_settings(self.forms.values(), settings, [
                name for name in self.PARAMETERS if not unused(name, settings)],
                **chosen)])
        if learned and self.plot.reports:
            self.report_items("Training", [
                *self.course_items(settings["passes"]),
                *([("Certificate", sentence(scope))] if parser and (
                    scope := self.certificate_scope()) else [])])
        if parser and self.kept_text():
            self.report_paragraph(self.kept_text().strip())
        self.report_notes(self.Information.stopped, self.Information.not_converged,
                          self.Information.no_effect)
        if learned:
            report_picture(self, "Course of the training", self.plot)
        if parser and parser.group_norms:
            report_picture(self, "Norms of the weights", self.kept_bars)


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.treebank.bundled import load_bundled

    WidgetPreview(OWTrainParser).run(set_treebank=load_bundled("en"))
