"""Apply Parser: let a parser find the heads in a treebank."""
from __future__ import annotations

import copy
import logging
import time
from html import escape
from typing import NamedTuple

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QFormLayout, QGridLayout, QLabel, QPushButton, QSizePolicy
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.evaluation import prediction_table
from orange_structpred.learner import Cancelled, Parser, as_treebank
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.columns import sentence_variables
from orange_structpred.widgets import summaries  # noqa: F401  (registers them)
from orange_structpred.widgets.background import BackgroundWidget
from orange_structpred.widgets.librarywarnings import recorded_warnings
from orange_structpred.widgets.phrases import duration, plural, sentence
from orange_structpred.widgets.storedsettings import drop_unfit

log = logging.getLogger(__name__)

#: Share of the work that parsing is; the rest is the table of tokens
PARSING = 0.8


class Parsed(NamedTuple):
    """What came of parsing a treebank.

    column : name of the prediction
    no_trees : number of sentences whose predicted heads form no tree
    seconds : that the parser took
    warned : what the library warned of
    """

    treebank: Treebank
    tokens: Table
    column: str
    no_trees: int
    seconds: float
    warned: list[str]


class NoTreebank(ValueError):
    """The input carries no sentences."""


def parse(parser: Parser, data: Table, column_name: str, state: TaskState) -> Parsed:
    """Parse a treebank and list its tokens; runs in a thread.

    column_name : of the prediction; "" for the parser's name
    """
    def progress(share: float) -> bool:
        state.set_progress_value(100 * PARSING * share)
        return not state.is_interruption_requested()

    try:
        treebank = as_treebank(data)
        before = set(treebank.predictions)
    except ValueError as error:
        raise NoTreebank(str(error)) from error
    if column_name:
        parser = copy.copy(parser)
        parser.name = column_name
    state.set_status("Parsing...")
    begin = time.perf_counter()
    with recorded_warnings() as warned:
        parsed = parser(treebank, progress=progress)
    seconds = time.perf_counter() - begin
    column = next(name for name in parsed.predictions if name not in before)
    if not progress(1):
        raise Cancelled
    state.set_status("Listing tokens...")
    return Parsed(parsed, prediction_table(parsed, column), column,
                  parser.invalid_trees(parsed.predictions[column].heads),
                  seconds, warned)


class OWApplyParser(OWWidget, BackgroundWidget):
    name = "Apply Parser"
    description = "Let a parser find the heads in a treebank."
    icon = "icons/applyparser.svg"
    priority = 30
    keywords = ("apply parser, parse, predict, predictions, dependency parser, heads, "
                "treebank")

    class Inputs:
        parser = Input("Parser", Parser, doc="From Train Parser or Load Model")
        treebank = Input("Treebank", Table, doc="With or without heads")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="The treebank with one more column of predicted heads")
        tokens = Output("Tokens", Table, dynamic=False,
                        doc="A row a token with its gold and its predicted head")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        failed = Msg("Parsing failed: {}")

    class Warning(OWWidget.Warning):
        library = Msg("{}")
        no_trees = Msg("The predicted heads of {} form no tree.")

    class Information(OWWidget.Information):
        stopped = Msg("Stopped: press Apply to parse the treebank.")

    want_main_area = False

    settings_version = 1
    column_name = Setting("", schema_only=True)   # "" for the parser's name
    auto_apply = Setting(True)

    @classmethod
    def migrate_settings(cls, settings: dict[str, object], version: int | None) -> None:
        drop_unfit(cls, settings, {})

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)
        self.parser: Parser | None = None
        self.data: Table | None = None
        self.parsed: Parsed | None = None

        form = QFormLayout()
        gui.widgetBox(self.controlArea, "Prediction", orientation=form)
        self.name_edit = gui.lineEdit(
            None, self, "column_name", callback=self.commit.deferred,
            tooltip="Name of the new column; the parser's name if this is empty")
        form.addRow("&Column name:", self.name_edit)

        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(16)
        gui.widgetBox(self.controlArea, "Info", orientation=grid)
        self.lines: dict[str, QLabel] = {}
        for row, line in enumerate(self._facts()):
            grid.addWidget(QLabel(f"{line}:"), row, 0, Qt.AlignTop)
            self.lines[line] = label = QLabel(wordWrap=True, textFormat=Qt.RichText)
            label.setAlignment(Qt.AlignTop | Qt.AlignLeft)
            label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
            label.setMinimumHeight(2 * label.fontMetrics().lineSpacing())
            grid.addWidget(label, row, 1)
        grid.setRowStretch(grid.rowCount() - 1, 1)

        self.stop_button = QPushButton("S&top", toolTip="Stop parsing",
                                       autoDefault=False, enabled=False)
        self.stop_button.clicked.connect(self.stop)
        self.buttonsArea.layout().addWidget(self.stop_button)
        gui.auto_apply(self.buttonsArea, self, "auto_apply")
        self._describe()

    def sizeHint(self) -> QSize:
        return QSize(440, 310)

    # Inputs

    @Inputs.parser
    def set_parser(self, parser: Parser | None) -> None:
        self.parser = parser
        self.name_edit.setPlaceholderText(parser.name if parser else "")

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.data = data

    def handleNewSignals(self) -> None:
        self.cancel()
        self._show_nothing()
        self.commit.now()

    # Parsing

    @gui.deferred
    def commit(self) -> None:
        self.cancel()
        self._show_nothing()
        if self.parser is not None and self.data is not None:
            self.start(parse, self.parser, self.data, self.column_name.strip())
            self._set_busy(True)

    def stop(self) -> None:
        self.cancel()
        self._show_nothing()
        self.Information.stopped()

    def on_done(self, parsed: Parsed) -> None:
        self._set_busy(False)
        self.parsed = parsed
        if parsed.warned:
            self.Warning.library("\n".join(map(sentence, parsed.warned)))
        if parsed.no_trees:
            self.Warning.no_trees(plural(parsed.no_trees, "sentence", "sentences"))
        self._describe()
        self.Outputs.treebank.send(parsed.treebank)
        self.Outputs.tokens.send(parsed.tokens)

    def on_exception(self, error: Exception) -> None:
        self._show_nothing()
        if isinstance(error, NoTreebank):
            self.Error.no_treebank(sentence(error))
            self.lines["Result"].setText(escape(self.Error.no_treebank.formatted))
        else:
            log.exception("parsing failed", exc_info=error)
            self.Error.failed(f"{type(error).__name__}: {error}")

    def _show_nothing(self) -> None:
        self._set_busy(False)
        self.clear_messages()
        self.parsed = None
        self._describe()
        self.Outputs.treebank.send(None)
        self.Outputs.tokens.send(None)

    def _set_busy(self, busy: bool) -> None:
        self.stop_button.setEnabled(busy)

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()

    # Telling

    def _facts(self) -> dict[str, list[str]]:
        """For each line of the info the words to say, the name first."""
        facts: dict[str, list[str]] = {"Parser": [], "Treebank": [], "Result": []}
        if self.parser is not None:
            facts["Parser"] = [self.parser.name, f"{self.parser.construction} trees"]
        if self.data is not None:
            what = ("sentence", "sentences") if sentence_variables(self.data.domain) \
                else ("row", "rows")
            facts["Treebank"] = [self.data.name, plural(len(self.data), *what)]
        if self.parsed is not None:
            seconds = self.parsed.seconds
            took = duration(seconds) if seconds >= 0.05 else "less than 0.1 s"
            facts["Result"] = [f"column '{self.parsed.column}'", f"parsed in {took}",
                               *map(sentence, self.parsed.warned)]
        return facts

    def _describe(self) -> None:
        for line, words in self._facts().items():
            first, *others = map(escape, words or ["\u2013"])
            self.lines[line].setText("<br/>".join([f"<b>{first}</b>", *others]))

    def send_report(self) -> None:
        self.report_items([(line, ", ".join(words) or "none")
                           for line, words in self._facts().items()])


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    treebank = load_bundled("en")
    WidgetPreview(OWApplyParser).run(
        set_parser=ParserLearner(passes=3)(treebank[:200]), set_treebank=treebank[200:])
