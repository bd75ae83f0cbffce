"""Train Tagger: learn tags, lemmas, words and trees from a treebank, as a pipeline."""
from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output

from orange_structpred.learner import ParserLearner, training_log
from orange_structpred.learner.effort import expected_pipeline_seconds
from orange_structpred.learner.influence import has_certificate, unused
from orange_structpred.learner.parameters import HARMLESS
from orange_structpred.pipeline import Pipeline, PipelineLearner, PipelineReport
from orange_structpred.pipeline.settings import (
    TAGGING_DEFAULTS,
    default_name,
    make_learner,
)
from orange_structpred.svm import Report
from orange_structpred.tagging.lemmatiser import LemmatiserLearner
from orange_structpred.tagging.tagger import TaggerLearner
from orange_structpred.tagging.tokeniser import TokeniserLearner
from orange_structpred.widgets.common.parameterform import described_settings
from orange_structpred.widgets.common.phrases import duration, plural, sentence
from orange_structpred.widgets.common.reporting import Outcome, Reporter
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.summaries import step_words
from orange_structpred.widgets.train.taggerforms import StepsForm, TaggerForm
from orange_structpred.widgets.train.training import TrainingWidget

#: What is going on in each part of the training
DOING = {"tokeniser": "Learning words and sentences", "tagger": "Learning tags",
         "lemmatiser": "Learning lemmas",
         "jackknife": "Tagging held-out sentences for the parser",
         "parser": "Learning trees"}


class OWTrainTagger(TrainingWidget):
    name = "Train Tagger"
    description = "Learn tags and lemmas, words and trees from a treebank."
    icon = "icons/traintagger.svg"
    priority = 22
    keywords = ("train tagger, part of speech, pos, morphology, lemma, lemmatiser, "
                "lemmatizer, tokeniser, tokenizer, pipeline, named entities, ner")

    name_tip = "Name of the pipeline, which is also that of its predictions"
    start_tip = "Train with these settings"
    stop_tip = "Stop training and keep what has been learned"

    class Outputs:
        pipeline = Output("Pipeline", Pipeline, dynamic=False)
        learner = Output("Learner", TaggerLearner, dynamic=False)
        log = Output("Training Log", Table, dynamic=False, explicit=True)

    class Information(TrainingWidget.Information):
        large = Msg("Training may take a while ({}): press Train.")
        press = Msg("Press Train to learn from the treebank.")
        stopped = Msg("Stopped: the pipeline has {}, as learned so far.")

    settings_version = 1
    layers = Setting(list(TAGGING_DEFAULTS["layers"]))
    other_layer = Setting("")
    lemmas = Setting(True)
    words = Setting(True)
    trees = Setting(True)
    neural = Setting(False)
    solver = Setting("mira")
    C = Setting(TAGGING_DEFAULTS["C"])
    epsilon = Setting(TAGGING_DEFAULTS["epsilon"])
    passes = Setting(TAGGING_DEFAULTS["passes"])
    random_state = Setting(0)
    n_jobs = Setting(1)

    PARAMETERS = tuple(TAGGING_DEFAULTS)

    def __init__(self):
        super().__init__()
        self.learner: PipelineLearner | None
        self.model: Pipeline | None
        self.seconds = 0.
        self.step = ""          # that the plot shows
        self.set_up()

    # Controls

    def _init_controls(self):
        self.forms = {"Learn": StepsForm(), "Learning of Tags": TaggerForm()}
        super()._init_controls()

    def sizeHint(self) -> QSize:
        return QSize(960, 620)

    # The learner

    def update_arguments(self):
        """Make the learner that the settings describe."""
        self.Error.settings.clear()
        self.learner = None
        settings = self.parameter_settings()
        try:
            self.learner = make_learner(settings)
        except (TypeError, ValueError) as error:
            self.Error.settings(sentence(error))
        self.name_edit.setPlaceholderText(default_name(settings))
        self.Outputs.learner.send(
            self.learner.tagger if self.learner and "tagger" in self.learner.steps
            else None)

    def difference(self) -> dict[str, object]:
        return {name: value for name, value in self.parameter_settings().items()
                if name not in (*HARMLESS, "learner_name")}

    # Training

    def is_ready(self) -> bool:
        return self.treebank is not None and self.learner is not None

    def expected_seconds(self) -> float:
        return expected_pipeline_seconds(
            passes=self.passes, trees=self.trees, neural=self.neural,
            tokens=self.tokens, sentences=self.sentences())

    def what_to_do(self) -> Callable[[Reporter], Pipeline]:
        learner, treebank = self.learner, self.treebank
        return lambda reporter: learner(treebank, reporter)

    def on_partial_result(self, reports: list[PipelineReport]):
        for step, group in groupby(reports, lambda report: report.step):
            passes = [report.report for report in group]
            if step != self.step:
                self.begin_course(step)
            if step != "jackknife":         # a little of several taggers
                self.plot.add(passes)
                self.figures.show_reports(passes, self.passes_of(step))
        if not self.stop_asked.is_set():
            self.say(f"{DOING[self.step]} from {self.treebank_size()}.")

    def take_result(self, outcome: Outcome):
        self.model, self.seconds = outcome.result, outcome.seconds
        if self.stop_asked.is_set():
            self.Information.stopped(", ".join(step_words(self.model)))
        step = "tagger" if self.model.tagger else "parser"
        if reports := self.shown_log():
            self.begin_course(step)
            self.plot.end(reports)
            self.figures.end(reports, self.passes_of(step))
        self.name_model()

    def passes_of(self, step: str) -> int:
        if step == "tagger":
            return self.used["passes"]
        return {"tokeniser": TokeniserLearner, "lemmatiser": LemmatiserLearner,
                "parser": ParserLearner}.get(step, LemmatiserLearner)().passes

    def shown_log(self) -> list[Report]:
        """The course that is shown when all is done: the tagger's, else the parser's."""
        model = self.model and (self.model.tagger or self.model.parser)
        return model.log if model else []

    # Output

    def name_model(self):
        self.model.name = self.learner_name.strip() or default_name(self.used)

    def send_outputs(self):
        self.Outputs.pipeline.send(self.model)
        log = self.shown_log()
        self.Outputs.log.send(
            training_log(log, name=self.model.name) if log else None)

    # What is shown

    def work_text(self) -> str:
        return (plural(self.tokens, "token", "tokens") + ", up to "
                + plural(self.passes, "pass", "passes")
                + ", with trees" * self.trees)

    def clear_course(self):
        """Empty figures and plot."""
        self.step = ""
        self.figures.clear()
        self._begin_plot("tagger", self.passes)

    def begin_course(self, step: str):
        """Empty figures and plot for a step."""
        self.step = step
        self.figures.clear()
        self._begin_plot(step, self.passes_of(step))

    def _begin_plot(self, step: str, passes: int):
        certificate = step == "tagger" and has_certificate(self.parameter_settings())
        self.figures.show_goal(self.epsilon if certificate else None)
        self.plot.begin(passes=passes, certificate=certificate)

    def model_text(self) -> str:
        return (f"Learned after {duration(self.seconds)}: “{self.model.name}” "
                f"({', '.join(step_words(self.model))}) from "
                f"{self.treebank_size()}.")

    def send_report(self):
        self.report_treebank()
        pipeline = None if self.is_running() else self.model
        settings = self.used if pipeline or self.is_running() \
            else self.parameter_settings()
        self.report_items("Pipeline" if pipeline else "Learner", [
            ("Name", pipeline.name if pipeline
             else self.learner.name if self.learner else ""),
            *([("Has learned", ", ".join(step_words(pipeline)))] if pipeline else []),
            *described_settings(self.forms.values(), settings, [
                name for name in self.PARAMETERS if not unused(name, settings)])])
        if pipeline and self.plot.reports:
            self.report_items("Training", self.course_items(self.passes_of(self.step)))
        self.report_notes(self.Information.stopped)
        if pipeline:
            report_picture(self, "Course of the training", self.plot)


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.treebank.bundled import load_bundled

    WidgetPreview(OWTrainTagger).run(set_treebank=load_bundled("en"))
