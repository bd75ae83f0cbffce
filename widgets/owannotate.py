"""Annotate: from text to trees in one step, with a pipeline."""
from __future__ import annotations

import time
from typing import NamedTuple

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from orange_structpred.pipeline import Pipeline
from orange_structpred.pipeline.documents import (
    annotate_table,
    annotate_text,
    gives_probabilities,
    is_corpus,
)
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.summaries import pipeline_lines
from orange_structpred.widgets.common.valuecontrols import tick_if_possible
from orange_structpred.widgets.text.source import Source, TextSourceWidget


class AnnotatedText(NamedTuple):
    """What came of annotating.

    data : the table that was annotated; a Corpus has tokens and tags now
    """

    treebank: Treebank
    data: Table | None
    tokens: int
    seconds: float
    warned: list[str]


def annotate_source(source: Source, pipeline: Pipeline, probabilities: bool, state: TaskState
                    ) -> AnnotatedText:
    """Annotate a text, the documents of a table, or what a treebank lacks; runs in a
    thread.

    probabilities : whether to say how sure the parser is of each head
    """
    progress = observed_by(state)
    state.set_status("Annotating…")
    begin = time.perf_counter()
    data = None
    with recorded_warnings() as warned:
        if source.kind == "data":
            treebank, data = annotate_table(
                pipeline, source.data, source.column, progress,
                probabilities=probabilities)
        else:
            [text] = source.documents()
            treebank = annotate_text(pipeline, text, name=source.name,
                                     probabilities=probabilities, progress=progress)
    return AnnotatedText(treebank, data, sum(map(len, treebank.sentences)),
                         time.perf_counter() - begin, warned)


class OWAnnotate(TextSourceWidget):
    name = "Annotate"
    description = "Tokenise, tag and parse text with a pipeline in one step."
    icon = "icons/annotate.svg"
    priority = 34
    keywords = ("annotate, pipeline, text, corpus, tokenise, tokenize, tag, lemmatise, "
                "parse, part of speech")

    verb, work = "Annotate", "Annotate the text"
    lines = ("Pipeline", "Text", "Result")
    needs = {"a pipeline": "pipeline"}
    takes_treebanks = True

    class Inputs:
        pipeline = Input("Pipeline", Pipeline, doc="From Train Tagger or Load Parser")
        data = Input("Data", Table, doc="A table or a corpus with a column of text, or "
                     "a treebank that lacks something")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="One row per sentence, annotated")
        data = Output("Corpus", Table, dynamic=True,
                      doc="The corpus with tokens and tags")

    class Information(TextSourceWidget.Information):
        no_probabilities = Msg("The pipeline has no calibrated parser, so there are no "
                               "probabilities.")

    probabilities = Setting(False)

    def __init__(self):
        super().__init__()
        self.pipeline: Pipeline | None = None
        self.add_source()
        gui.checkBox(
            self.controlArea, self, "probabilities", "Pro&babilities", callback=self.do,
            tooltip="Say how sure the parser is of each head, in Treebank Viewer. This "
                    "takes longer.")
        self.add_info()

    def sizeHint(self) -> QSize:
        return QSize(520, 540)

    @Inputs.data
    def set_data(self, data: Table | None):
        self.take_data(data)

    @Inputs.pipeline
    def set_pipeline(self, pipeline: Pipeline | None):
        self.pipeline = pipeline
        tick_if_possible(self.controls.probabilities, self.probabilities,
                         pipeline is None or gives_probabilities(pipeline))

    def what_to_do(self):
        return annotate_source, self.chosen_source(), self.pipeline, self.probabilities

    def on_done(self, result: AnnotatedText):
        if self.probabilities and not gives_probabilities(self.pipeline):
            self.Information.no_probabilities()
        super().on_done(result)

    def send_result(self):
        data = self.result and self.result.data
        self.Outputs.treebank.send(self.result and self.result.treebank)
        self.Outputs.data.send(data if data is not None and is_corpus(data) else None)

    def statistics(self) -> dict[str, list[str]]:
        lines = {"Pipeline": [], "Text": self.source_words(), "Result": []}
        if self.pipeline is not None:
            lines["Pipeline"] = pipeline_lines(self.pipeline)
        if self.result is not None:
            lines["Result"] = [
                plural(len(self.result.treebank), "sentence", "sentences"),
                f"{plural(self.result.tokens, 'word', 'words')}, annotated "
                f"{self.took()}"]
        return lines


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.pipeline import PipelineLearner
    from orange_structpred.treebank.bundled import load_bundled

    WidgetPreview(OWAnnotate).run(
        set_pipeline=PipelineLearner()(load_bundled("en")[:100]))
