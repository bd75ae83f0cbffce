"""Apply Tagger: tags and lemmas, and trees, for the words of a treebank."""
from __future__ import annotations

import time
from typing import NamedTuple

from AnyQt.QtCore import QSize
from AnyQt.QtWidgets import QFormLayout
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from orange_structpred.errors import InputError
from orange_structpred.evaluation import score_tags, tag_confusions
from orange_structpred.evaluation.tags import LAYER_TITLES
from orange_structpred.pipeline import Pipeline
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.doing import DoingWidget
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.summaries import pipeline_lines, table_lines
from orange_structpred.widgets.common.valuecontrols import Choice, ValueCombo
from orange_structpred.widgets.common.windows import make_placeholder_readable

#: What becomes of tags that the treebank has already
TAG_PLACES = {
    "beside": Choice("In columns beside the treebank's own",
                     "To compare them: UAS Score shows how many are right"),
    "instead": Choice("In place of the treebank's own",
                      "Later widgets see the predicted tags, as in new text"),
}


class Tagged(NamedTuple):
    """What came of tagging a treebank.

    name : of the predictions
    accuracies : in words, where the treebank has tags of its own
    confusions : table of tags taken for others, None if there is nothing to compare
    filled_heads : number of sentences that had no heads, and have the predicted ones
    """

    treebank: Treebank
    confusions: Table | None
    name: str
    accuracies: list[str]
    filled_heads: int
    seconds: float
    warned: list[str]


def tag(pipeline: Pipeline, data: Table, column_name: str, place: str,
        state: TaskState) -> Tagged:
    """Tag a treebank; runs in a thread.

    column_name : of the predictions; "" for the pipeline's name
    place : one of TAG_PLACES
    """
    if set(pipeline.steps) <= {"tokeniser"}:
        raise InputError(f"'{pipeline.name}' has no tagger, lemmatiser or parser: there "
                         "is nothing to apply")
    state.set_status("Tagging…")
    begin = time.perf_counter()
    with recorded_warnings() as warned:
        treebank = as_treebank(data)
        before = list(treebank.tags)
        tagged = pipeline(treebank, observed_by(state), name=column_name or None)
    seconds = time.perf_counter() - begin
    new = [tag for tag in tagged.tags if tag not in before]
    scores = [score for score in score_tags(tagged) if score.tagger in new]
    confusions = tag_confusions(tagged, scores[0].tagger, scores[0].layer) \
        if scores else None
    if place == "instead" and new:
        tagged = tagged.use_tags(new[0])
    return Tagged(
        tagged, confusions, new[0] if new else column_name or pipeline.name,
        [f"{LAYER_TITLES.get(score.layer, score.layer)} {100 * score.accuracy:.2f}%"
         for score in scores],
        sum(sentence.heads.max() < 0 <= filled.heads.max() for sentence, filled in zip(
            treebank.sentences, tagged.sentences)), seconds, warned)


class OWApplyTagger(DoingWidget):
    name = "Apply Tagger"
    description = "Predict tags, lemmas and trees for the words of a treebank."
    icon = "icons/applytagger.svg"
    priority = 32
    keywords = ("apply tagger, tag, part of speech, pos, morphology, lemmas, "
                "predictions, pipeline")

    verb, work = "Tag", "Tag the words of the treebank"
    lines = ("Pipeline", "Treebank", "Result")
    needs = {"a pipeline": "pipeline", "a treebank": "data"}

    class Inputs:
        pipeline = Input("Pipeline", Pipeline, doc="From Train Tagger or Load Parser")
        treebank = Input("Treebank", Table, doc="With or without tags")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="The treebank with predicted tags")
        confusions = Output("Confusions", Table, dynamic=False, explicit=True,
                            doc="Which tags are confused with which")

    class Information(DoingWidget.Information):
        filled_heads = Msg("{} had no heads. The predicted ones were filled in, and "
                           "other widgets take them for gold heads.")

    column_name = Setting("", schema_only=True)     # "" for the pipeline's name
    place = Setting("beside", fits=TAG_PLACES)

    def __init__(self):
        super().__init__()
        self.pipeline: Pipeline | None = None
        self.data: Table | None = None
        form = QFormLayout()
        gui.widgetBox(self.controlArea, "Predictions", orientation=form)
        self.name_edit = gui.lineEdit(
            None, self, "column_name", callback=self.do,
            tooltip="Name of the new columns; if empty, the name of the pipeline")
        make_placeholder_readable(self.name_edit)
        form.addRow("&Name:", self.name_edit)
        self.place_combo = ValueCombo(TAG_PLACES)
        self.place_combo.setToolTip(
            "What happens to tags that the treebank already has. Tags that it lacks "
            "are filled in")
        self.place_combo.setValue(self.place)
        self.place_combo.valueChanged.connect(self._place_changed)
        form.addRow("&Put them:", self.place_combo)
        self.add_info()

    def sizeHint(self) -> QSize:
        return QSize(500, 420)

    def _place_changed(self, place: str):
        self.place = place
        self.do()

    @Inputs.pipeline
    def set_pipeline(self, pipeline: Pipeline | None):
        self.pipeline = pipeline
        self.name_edit.setPlaceholderText(pipeline.name if pipeline else "")

    @Inputs.treebank
    def set_treebank(self, data: Table | None):
        self.data = data

    def what_to_do(self):
        return tag, self.pipeline, self.data, self.column_name.strip(), self.place

    def on_done(self, result: Tagged):
        if result.filled_heads:
            self.Information.filled_heads(
                plural(result.filled_heads, "sentence", "sentences"))
        super().on_done(result)

    def send_result(self):
        self.Outputs.treebank.send(self.result and self.result.treebank)
        self.Outputs.confusions.send(self.result and self.result.confusions)

    def statistics(self) -> dict[str, list[str]]:
        lines: dict[str, list[str]] = {line: [] for line in self.lines}
        if self.pipeline is not None:
            lines["Pipeline"] = pipeline_lines(self.pipeline)[:2]
        if self.data is not None:
            lines["Treebank"] = table_lines(self.data)
        if self.result is not None:
            filled = "tags were filled in" if not self.result.accuracies \
                else "right: " + ", ".join(self.result.accuracies)
            lines["Result"] = [f"'{self.result.name}'", f"tagged {self.took()}", filled]
            if self.Information.filled_heads.is_shown():
                lines["Result"].append(self.Information.filled_heads.formatted)
        return lines


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.pipeline import PipelineLearner
    from orange_structpred.treebank.bundled import load_bundled

    bundled = load_bundled("en")
    WidgetPreview(OWApplyTagger).run(
        set_pipeline=PipelineLearner(["tagger"])(bundled[:200]),
        set_treebank=bundled[200:])
