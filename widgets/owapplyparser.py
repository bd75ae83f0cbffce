"""Apply Parser: parse a treebank."""
from __future__ import annotations

import logging
import time
from html import escape
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QFormLayout, QGridLayout, QLabel, QPushButton, QSizePolicy
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.evaluation import prediction_table
from orange_structpred.parser import MissingTagsError, Parser
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.columns import sentence_variables
from orange_structpred.widgets.common.background import BackgroundWidget
from orange_structpred.widgets.common.librarywarnings import recorded_warnings
from orange_structpred.widgets.common.phrases import (
    duration,
    headed,
    plural,
    sentence,
)
from orange_structpred.widgets.common.storedsettings import StoredSettings
from orange_structpred.widgets.common.summaries import trees_text
from orange_structpred.widgets.common.windows import make_placeholder_readable

log = logging.getLogger(__name__)

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


class NoTreebank(ValueError):
    """The input carries no sentences."""


def parse(parser: Parser, data: Table, column_name: str, fill_heads: bool,
          probabilities: bool, state: TaskState) -> ParserResult:
    """Parse a treebank and list its tokens; runs in a thread.

    column_name : of the prediction; "" for the parser's name
    fill_heads : whether sentences without heads get the predicted ones
    probabilities : whether to say how sure the parser is of each head
    """
    def progress(share: float) -> bool:
        state.set_progress_value(100 * PARSING * share)
        return not state.is_interruption_requested()

    try:
        treebank = as_treebank(data)
        before = set(treebank.predictions)
    except ValueError as error:
        raise NoTreebank(str(error)) from error
    state.set_status("Parsing...")
    begin = time.perf_counter()
    with recorded_warnings() as warned:
        parsed = parser(treebank, progress, name=column_name or None,
                        probabilities=probabilities)
    seconds = time.perf_counter() - begin
    column = next(name for name in parsed.predictions if name not in before)
    if not progress(1):
        raise Cancelled
    state.set_status("Listing tokens...")
    tokens = prediction_table(parsed, column)
    no_heads = sum(own.heads.max() < 0 for own in treebank.sentences)
    if fill_heads and no_heads:
        parsed = parsed.fill_heads(column)
    return ParserResult(parsed, tokens, column, no_heads,
                  parser.invalid_trees(parsed.predictions[column].heads),
                  seconds, warned)


class OWApplyParser(StoredSettings, OWWidget, BackgroundWidget):
    name = "Apply Parser"
    description = "Parse a treebank: predict the head of each token."
    icon = "icons/applyparser.svg"
    priority = 30
    keywords = ("apply parser, parse, predict, predictions, dependency parser, heads, "
                "treebank")

    class Inputs:
        parser = Input("Parser", Parser, doc="From Train Parser or Load Parser")
        treebank = Input("Treebank", Table, doc="With or without heads")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="The treebank with one more column of predicted heads")
        tokens = Output("Tokens", Table, dynamic=False,
                        doc="One row per token with its gold and its predicted head")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        no_tags = Msg("{}.")
        failed = Msg("Parsing failed: {}")

    class Warning(OWWidget.Warning):
        library = Msg("{}")
        no_trees = Msg("The predicted heads of {} do not form a tree.")

    class Information(OWWidget.Information):
        stopped = Msg("Stopped: press Parse to start again.")
        no_heads = Msg("{} had no heads. Check 'Fill in missing heads' to give them the "
                       "predicted ones, which Save Data then writes.")

    want_main_area = False

    settings_version = 1
    column_name = Setting("", schema_only=True)   # "" for the parser's name
    fill_heads = Setting(False)
    probabilities = Setting(False)

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)
        self.parser: Parser | None = None
        self.data: Table | None = None
        self.parsed: ParserResult | None = None

        form = QFormLayout()
        gui.widgetBox(self.controlArea, "Prediction", orientation=form)
        self.name_edit = gui.lineEdit(
            None, self, "column_name", callback=self.parse,
            tooltip="Name of the new column; if empty, the name of the parser")
        make_placeholder_readable(self.name_edit)
        form.addRow("&Column name:", self.name_edit)
        form.addRow("", gui.checkBox(
            None, self, "fill_heads", "&Fill in missing heads", callback=self.parse,
            tooltip="Give sentences without heads the predicted ones, so that Save "
                    "Data writes them. Do not score the parser on these sentences."))
        form.addRow("", gui.checkBox(
            None, self, "probabilities", "Pro&babilities", callback=self.parse,
            tooltip="Say how sure the parser is of each head, in Treebank Viewer and "
                    "in a column of the tokens. This takes about as long as parsing "
                    "itself."))

        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(16)
        gui.widgetBox(self.controlArea, "Info", orientation=grid)
        self.lines: dict[str, QLabel] = {}
        for row, line in enumerate(self._statistics()):
            grid.addWidget(QLabel(f"{line}:"), row, 0, Qt.AlignTop)
            self.lines[line] = label = QLabel(wordWrap=True, textFormat=Qt.RichText)
            label.setAlignment(Qt.AlignTop | Qt.AlignLeft)
            label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
            label.setMinimumHeight(2 * label.fontMetrics().lineSpacing())
            grid.addWidget(label, row, 1)
        grid.setRowStretch(grid.rowCount() - 1, 1)

        self.button = QPushButton(autoDefault=False)
        self.button.clicked.connect(self._parse_or_stop)
        self.buttonsArea.layout().addWidget(self.button)
        self._show_nothing()

    def sizeHint(self) -> QSize:
        return QSize(480, 380)

    def _make_room(self) -> None:
        """Make the window as high as its text needs."""
        if not self.isVisible():
            return
        needed = self.controlArea.layout().heightForWidth(self.controlArea.width())
        more = needed - self.controlArea.height()
        if more > 0:
            self.resize(self.width(), self.height() + more)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._make_room()

    # Inputs

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.parser = parser
        self.name_edit.setPlaceholderText(parser.name if parser else "")

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.data = data

    def handleNewSignals(self) -> None:
        self.parse()

    # Parsing

    def parse(self) -> None:
        """Parse the treebank, again if it has been parsed already."""
        self.cancel()
        self._show_nothing()
        if self._is_ready():
            self.start(parse, self.parser, self.data, self.column_name.strip(),
                       self.fill_heads, self.probabilities)
            self._update_button()

    def stop(self) -> None:
        self.cancel()
        self._show_nothing()
        self.Information.stopped()

    def _parse_or_stop(self) -> None:
        if self.task is None:
            self.parse()
        else:
            self.stop()

    def _is_ready(self) -> bool:
        return self.parser is not None and self.data is not None

    def _update_button(self) -> None:
        busy = self.task is not None
        self.button.setText("S&top" if busy else "&Parse")
        self.button.setToolTip("Stop parsing" if busy else "Parse the treebank")
        self.button.setEnabled(busy or (self._is_ready() and self.parsed is None))

    def on_done(self, parsed: ParserResult) -> None:
        self.parsed = parsed
        self._update_button()
        if parsed.warned:
            self.Warning.library("\n".join(map(sentence, parsed.warned)))
        if parsed.no_trees:
            self.Warning.no_trees(plural(parsed.no_trees, "sentence", "sentences"))
        if parsed.no_heads and not self.fill_heads:
            self.Information.no_heads(plural(parsed.no_heads, "sentence", "sentences"))
        self._describe()
        self.Outputs.treebank.send(parsed.treebank)
        self.Outputs.tokens.send(parsed.tokens)

    def on_exception(self, error: Exception) -> None:
        self._show_nothing()
        if isinstance(error, NoTreebank):
            self.Error.no_treebank(sentence(error))
            self.lines["Result"].setText(escape(self.Error.no_treebank.formatted))
        elif isinstance(error, MissingTagsError):
            self.Error.no_tags(sentence(error))
            self.lines["Result"].setText(escape(self.Error.no_tags.formatted))
            self._make_room()
        else:
            log.exception("parsing failed", exc_info=error)
            self.Error.failed(f"{type(error).__name__}: {error}")

    def _show_nothing(self) -> None:
        self.clear_messages()
        self.parsed = None
        self._update_button()
        self._describe()
        self.Outputs.treebank.send(None)
        self.Outputs.tokens.send(None)

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()

    # What is shown

    def _statistics(self) -> dict[str, list[str]]:
        """What each line of the info box says, the name first."""
        lines: dict[str, list[str]] = {"Parser": [], "Treebank": [], "Result": []}
        if self.parser is not None:
            lines["Parser"] = [self.parser.name, trees_text(self.parser)]
        if self.data is not None:
            what = ("sentence", "sentences") if sentence_variables(self.data.domain) \
                else ("row", "rows")
            lines["Treebank"] = [self.data.name, plural(len(self.data), *what)]
        if self.parsed is not None:
            seconds = self.parsed.seconds
            took = duration(seconds) if seconds >= 0.05 else "less than 0.1 s"
            lines["Result"] = [f"column '{self.parsed.column}'", f"parsed in {took}",
                               *self._doubts(),
                               *map(sentence, self.parsed.warned)]
            if self.parsed.no_trees:
                lines["Result"].append(self.Warning.no_trees.formatted)
            if self.Information.no_heads.is_shown():
                lines["Result"].append(self.Information.no_heads.formatted)
        return lines

    def _doubts(self) -> list[str]:
        """How many wrong heads are to be expected, if probabilities are known."""
        found = self.parsed.treebank.predictions[self.parsed.column]
        if found.probabilities is None:
            return []
        expected = np.nansum(found.expected_errors())
        total = sum(map(len, found.heads))
        return [f"about {expected:.0f} of {plural(total, 'head', 'heads')} are wrong, "
                "according to the parser's probabilities" + (
                    "" if self.parser.temperature else ", which are not calibrated")]

    def _why_nothing(self) -> str:
        missing = [what for what, found in (("a parser", self.parser),
                                            ("a treebank", self.data)) if found is None]
        return f"Connect {' and '.join(missing)}." if missing else "\u2013"

    def _describe(self) -> None:
        for line, words in self._statistics().items():
            if words:
                text = headed(words)
            else:
                text = self._why_nothing() if line == "Result" else "\u2013"
            self.lines[line].setText(text)
            self.lines[line].setToolTip(escape(words[0]) if words else "")
        self._make_room()

    def send_report(self) -> None:
        self.report_items([(line, escape(", ".join(words)) or "none")
                           for line, words in self._statistics().items()])


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    treebank = load_bundled("en")
    WidgetPreview(OWApplyParser).run(
        set_parser=ParserLearner(passes=3)(treebank[:200]), set_treebank=treebank[200:])
