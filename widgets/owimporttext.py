"""Import Text: a treebank of words and sentences from plain text."""
from __future__ import annotations

import time
from typing import NamedTuple

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Output

from orange_structpred.errors import InputError
from orange_structpred.pipeline import Pipeline
from orange_structpred.tagging.importing import import_table, import_text
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.text.source import Source, TextSourceWidget


class Imported(NamedTuple):
    """A treebank of text, the seconds it took, and what the library warned of."""

    treebank: Treebank
    tokens: int
    seconds: float
    warned: list[str]


def split_source(source: Source, pipeline: Pipeline | None, state: TaskState) -> Imported:
    """Find the words and sentences of a text; runs in a thread."""
    progress = observed_by(state)
    if pipeline is not None and pipeline.tokeniser is None:
        raise InputError(f"'{pipeline.name}' has no tokeniser: check 'Words and "
                         "sentences' in Train Tagger, or disconnect it to use the rules")
    state.set_status("Splitting…")
    begin = time.perf_counter()
    with recorded_warnings() as warned:
        tokeniser = pipeline and pipeline.tokeniser
        if source.kind == "data":
            treebank = import_table(source.data, source.column, tokeniser,
                                    progress=progress)
        else:
            [text] = source.documents()
            treebank = import_text(text, tokeniser, name=source.name, progress=progress)
    return Imported(treebank, sum(map(len, treebank.sentences)),
                    time.perf_counter() - begin, warned)


class OWImportText(TextSourceWidget):
    name = "Import Text"
    description = "Split text into sentences and words: a treebank to tag and parse."
    icon = "icons/importtext.svg"
    priority = 12
    keywords = ("import text, tokenise, tokenize, tokeniser, tokenizer, sentences, "
                "words, corpus, plain text, split")

    verb, work = "Split", "Split the text into sentences and words"
    lines = ("Text", "Tokeniser", "Result")

    class Inputs:
        data = Input("Data", Table, doc="A table or a corpus with a column of text")
        pipeline = Input("Pipeline", Pipeline,
                         doc="With a tokeniser; without it, text is split by rules")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False,
                          doc="One row per sentence, without tags and heads")

    def __init__(self):
        super().__init__()
        self.pipeline: Pipeline | None = None
        self.add_source()
        self.add_info()
        self.do()

    def sizeHint(self) -> QSize:
        return QSize(520, 520)

    @Inputs.data
    def set_data(self, data: Table | None):
        self.take_data(data)

    @Inputs.pipeline
    def set_pipeline(self, pipeline: Pipeline | None):
        self.pipeline = pipeline

    def what_to_do(self):
        return split_source, self.chosen_source(), self.pipeline

    def send_result(self):
        self.Outputs.treebank.send(self.result and self.result.treebank)

    def statistics(self) -> dict[str, list[str]]:
        lines = {"Text": self.source_words(), "Tokeniser": ["rules"], "Result": []}
        if self.pipeline is not None:
            lines["Tokeniser"] = [self.pipeline.name]
        if self.result is not None:
            lines["Result"] = [
                plural(len(self.result.treebank), "sentence", "sentences"),
                f"{plural(self.result.tokens, 'word', 'words')}, split {self.took()}"]
        return lines


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWImportText).run()
