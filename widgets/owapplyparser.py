"""Apply Parser: parse a treebank."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QSize
from AnyQt.QtWidgets import QFormLayout
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from orange_structpred.evaluation import prediction_table
from orange_structpred.parser import Parser
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.columns import seen_sentences
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.doing import DoingWidget
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.summaries import table_lines, trees_text
from orange_structpred.widgets.common.valuecontrols import tick_if_possible
from orange_structpred.widgets.common.windows import make_placeholder_readable

#: Share of the work that parsing is; the rest is the table of tokens
PARSING = 0.8


class ParserResult(NamedTuple):
    """The result of parsing a treebank.

    column : name of the prediction
    no_heads : number of sentences that had no heads of their own
    no_trees : number of sentences whose predicted heads form no tree
    seconds : how long the parser took
    warned : warnings of the library
    """

    treebank: Treebank
    tokens: Table
    column: str
    no_heads: int
    no_trees: int
    seconds: float
    warned: list[str]


def parse(parser: Parser, data: Table, column_name: str, fill_heads: bool,
          probabilities: bool, state: TaskState) -> ParserResult:
    """Parse a treebank and list its tokens; runs in a thread.

    column_name : of the prediction; "" for the parser's name
    fill_heads : whether sentences without heads get the predicted ones
    probabilities : whether to say how sure the parser is of each head
    """
    progress = observed_by(state, 0., PARSING)
    treebank = as_treebank(data)
    before = set(treebank.predictions)
    state.set_status("Parsing…")
    begin = time.perf_counter()
    with recorded_warnings() as warned:
        parsed = parser(treebank, progress, name=column_name or None,
                        probabilities=probabilities)
    seconds = time.perf_counter() - begin
    column = next(name for name in parsed.predictions if name not in before)
    progress(1)
    state.set_status("Listing tokens…")
    tokens = prediction_table(parsed, column)
    no_heads = sum(sentence.heads.max() < 0 for sentence in treebank.sentences)
    if fill_heads and no_heads:
        parsed = parsed.fill_heads(column)
    return ParserResult(parsed, tokens, column, no_heads,
                        parser.invalid_trees(parsed.predictions[column].heads),
                        seconds, warned)


PROBABILITIES_TIP = (
    "Say how sure the parser is of each head, in Treebank Viewer and in a column of the "
    "tokens. This takes about as long as parsing itself.")


class OWApplyParser(DoingWidget):
    name = "Apply Parser"
    description = "Parse a treebank: predict the head of each token."
    icon = "icons/applyparser.svg"
    priority = 30
    keywords = ("apply parser, parse, predict, predictions, dependency parser, heads, "
                "treebank")

    verb, work = "Parse", "Parse the treebank"
    lines = ("Parser", "Treebank", "Result")
    needs = {"a parser": "parser", "a treebank": "data"}

    class Inputs:
        parser = Input("Parser", Parser, doc="From Train Parser or Load Parser")
        treebank = Input("Treebank", Table, doc="With or without heads")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="The treebank with one more column of predicted heads")
        tokens = Output("Tokens", Table, dynamic=False, explicit=True,
                        doc="One row per token with its gold and its predicted head")

    class Warning(DoingWidget.Warning):
        no_trees = Msg("The predicted heads of {} do not form a tree.")
        seen = Msg("{} of these sentences {} used for training, so scores on them are too "
                   "high.")

    class Information(DoingWidget.Information):
        not_calibrated = Msg("The parser is not calibrated, so it cannot say how sure it "
                             "is of its heads.")
        no_heads = Msg("{} had no heads. Check 'Fill in missing heads' to give them the "
                       "predicted ones, which Save Treebank then writes.")

    column_name = Setting("", schema_only=True)   # "" for the parser's name
    fill_heads = Setting(False)
    probabilities = Setting(False)

    def __init__(self):
        super().__init__()
        self.parser: Parser | None = None
        self.data: Table | None = None

        form = QFormLayout()
        gui.widgetBox(self.controlArea, "Prediction", orientation=form)
        self.name_edit = gui.lineEdit(
            None, self, "column_name", callback=self.do,
            tooltip="Name of the new column; if empty, the name of the parser")
        make_placeholder_readable(self.name_edit)
        form.addRow("&Column name:", self.name_edit)
        form.addRow("", gui.checkBox(
            None, self, "fill_heads", "&Fill in missing heads", callback=self.do,
            tooltip="Give sentences without heads the predicted ones, so that Save "
                    "Treebank writes them. Do not score the parser on these sentences."))
        form.addRow("", gui.checkBox(
            None, self, "probabilities", "Pro&babilities", callback=self.do,
            tooltip=PROBABILITIES_TIP))

        self.add_info()

    def sizeHint(self) -> QSize:
        return QSize(480, 380)

    # Inputs

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.parser = parser
        self.name_edit.setPlaceholderText(parser.name if parser else "")
        knows = parser is None or parser.calibrated
        tick_if_possible(self.controls.probabilities, self.probabilities, knows)
        self.controls.probabilities.setToolTip(
            PROBABILITIES_TIP if knows
            else str(OWApplyParser.Information.not_calibrated))

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.data = data

    # Parsing

    def what_to_do(self) -> tuple[Callable, ...]:
        return (parse, self.parser, self.data, self.column_name.strip(),
                self.fill_heads, self.probabilities and self.parser.calibrated)

    def on_done(self, result: ParserResult) -> None:
        if result.no_trees:
            self.Warning.no_trees(plural(result.no_trees, "sentence", "sentences"))
        if self.probabilities and not self.parser.calibrated:
            self.Information.not_calibrated()
        if seen := seen_sentences(result.treebank).get(result.column):
            self.Warning.seen(seen, "was" if seen.most == 1 else "were")
        if result.no_heads and not self.fill_heads:
            self.Information.no_heads(plural(result.no_heads, "sentence", "sentences"))
        super().on_done(result)

    def send_result(self) -> None:
        self.Outputs.treebank.send(self.result and self.result.treebank)
        self.Outputs.tokens.send(self.result and self.result.tokens)

    # What is shown

    def statistics(self) -> dict[str, list[str]]:
        lines: dict[str, list[str]] = {line: [] for line in self.lines}
        if self.parser is not None:
            lines["Parser"] = [self.parser.name, trees_text(self.parser)]
        if self.data is not None:
            lines["Treebank"] = table_lines(self.data)
        if self.result is not None:
            notes = [message.formatted for message in (
                self.Warning.no_trees, self.Warning.seen, self.Information.no_heads) if message.is_shown()]
            lines["Result"] = [f"column '{self.result.column}'", f"parsed {self.took()}",
                               *self._doubts(), *map(sentence, self.result.warned),
                               *notes]
        return lines

    def _doubts(self) -> list[str]:
        """How many wrong heads are to be expected, if probabilities are known."""
        prediction = self.result.treebank.predictions[self.result.column]
        if prediction.probabilities is None:
            return []
        expected = np.nansum(prediction.expected_errors())
        total = sum(map(len, prediction.heads))
        return [f"about {expected:.0f} of {plural(total, 'head', 'heads')} are wrong, "
                "according to the parser's probabilities"]


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    treebank = load_bundled("en")
    WidgetPreview(OWApplyParser).run(
        set_parser=ParserLearner(passes=3)(treebank[:200]), set_treebank=treebank[200:])
