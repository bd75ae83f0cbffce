"""UAS Score: score the predictions of parsers, and see where their errors are."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from html import escape

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtWidgets import QLabel, QSizePolicy
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, MultiInput, Output, OWWidget

from orange_structpred.evaluation import BREAKDOWNS
from orange_structpred.treebank import Treebank
from orange_structpred.widgets import summaries  # noqa: F401  (registers them)
from orange_structpred.widgets.background import BackgroundWidget
from orange_structpred.widgets.phrases import plural
from orange_structpred.widgets.scorecharts import COLOURS, MOST_PARSERS, make_chart
from orange_structpred.widgets.scorechartview import ChartView
from orange_structpred.widgets.scoreselection import (
    Part,
    in_groups,
    selected_sentences,
    whole,
    wrong_tokens,
)
from orange_structpred.widgets.scoretable import ScoreModel, ScoreView, make_columns
from orange_structpred.widgets.scoring import (
    Scored,
    Scores,
    compare,
    comparison_words,
    further_words,
    named,
    same_sentences,
    score_all,
    scores_table,
    text_table,
)
from orange_structpred.widgets.storedsettings import drop_unfit
from orange_structpred.widgets.windows import open_in_full_size

log = logging.getLogger(__name__)

NOTHING = "Connect a treebank with predictions, as Apply Parser makes it."
NOT_SCORED = "Nothing to score; the message below says why."
NOT_SELECTED = "Nothing is selected.\n"
HINT_ONE = "Click a parser or a bar to send its sentences and errors on."
HINT = ("Click a parser or a bar to send its sentences and errors on; "
        "select two parsers to compare them.")


class OWUASScore(OWWidget, BackgroundWidget):
    name = "UAS Score"
    description = ("Score the predictions of parsers: attachment scores, how sure they "
                   "are, and where the errors stand.")
    icon = "icons/uasscore.svg"
    priority = 40
    keywords = ("uas score, las, attachment, evaluate, evaluation, accuracy, "
                "confidence interval, significance, error analysis, compare")

    class Inputs:
        treebank = MultiInput("Treebank", Table, doc="With gold heads and predictions")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="The sentences of the selected parsers or bars")
        errors = Output("Errors", Table, dynamic=False,
                        doc="A row a token with a wrong head in the selection")
        scores = Output("Scores", Table, dynamic=False, doc="A row a parser")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        no_predictions = Msg("No predictions in {}: connect Apply Parser.")
        no_gold = Msg("No gold heads in {}: nothing to score predictions against.")
        failed = Msg("Scoring failed: {}")

    class Warning(OWWidget.Warning):
        left_out = Msg("Without gold or predicted heads, so not scored: {}.")

    class Information(OWWidget.Information):
        different_sentences = Msg("The selected parsers were scored on different "
                                  "sentences and cannot be compared in pairs.")
        too_many = Msg("The chart shows {} of {} parsers: select others in the table.")

    settings_version = 1
    graph_name = "printed"

    punct: bool = Setting(True)
    intervals: bool = Setting(True)
    by: str = Setting(BREAKDOWNS[0])
    from_zero: bool = Setting(True)
    only_errors: bool = Setting(False)
    auto_commit: bool = Setting(True)
    sort_title: str = Setting("")
    sort_descending: bool = Setting(False)
    selected_parsers: list = Setting([], schema_only=True)
    # Pairs of a parser and the label of a group, in the chart by `by`
    selected_bars: list = Setting([], schema_only=True)

    @classmethod
    def migrate_settings(cls, settings: dict[str, object], version: int | None) -> None:
        drop_unfit(cls, settings, {"by": BREAKDOWNS})

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)
        self.tables: list[Table] = []
        self.scored: list[Scored] = []
        self._make_controls()
        self._make_main_area()
        self._show()
        open_in_full_size(self)

    # Layout

    def _make_controls(self) -> None:
        box = gui.vBox(self.controlArea, "Scores")
        gui.checkBox(
            box, self, "punct", "Count &punctuation", callback=self._on_punct,
            tooltip="Whether tokens with the tag PUNCT count, in scores, chart and "
                    "errors")
        gui.checkBox(
            box, self, "intervals", "Confidence &intervals", callback=self._show_table,
            tooltip="95% intervals, from a bootstrap over the sentences")
        box = gui.vBox(self.controlArea, "Chart")
        self.by_combo = gui.comboBox(
            None, self, "by", items=BREAKDOWNS, sendSelectedValue=True,
            callback=self._on_breakdown,
            tooltip="What the tokens of a group of bars have in common, in the gold tree")
        label = QLabel("UAS &by:")
        label.setBuddy(self.by_combo)
        box.layout().addWidget(label)
        box.layout().addWidget(self.by_combo)
        gui.checkBox(
            box, self, "from_zero", "Axis from &zero", callback=self._show_chart,
            tooltip="Otherwise the axis begins below the lowest bar, so that small "
                    "differences can be seen")
        box = gui.vBox(self.controlArea, "Selection")
        gui.checkBox(
            box, self, "only_errors", "Only with &errors",
            callback=self.commit.deferred,
            tooltip="Send only sentences in which a selected token has a wrong head")
        self.selection_label = gui.widgetLabel(box, NOT_SELECTED)
        gui.rubber(self.controlArea)
        gui.auto_send(self.buttonsArea, self, "auto_commit")

    def _make_main_area(self) -> None:
        self.table = ScoreView(ScoreModel(self))
        self.table.sort_by(self.sort_title, self.sort_descending)
        self.table.selection_changed.connect(self._on_rows)
        self.table.sorting_changed.connect(self._on_sorting)
        self.comparison = QLabel(wordWrap=True, textFormat=Qt.RichText)
        self.comparison.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.comparison.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.comparison.setAlignment(Qt.AlignTop | Qt.AlignLeft)
        self.comparison.setContentsMargins(2, 2, 2, 2)
        # Room for three lines, so that the chart does not jump
        self.comparison.setFixedHeight(3 * self.fontMetrics().lineSpacing() + 6)
        self.chart = ChartView()
        self.chart.selection_changed.connect(self._on_bars)
        layout = self.mainArea.layout()
        layout.addWidget(self.table)
        layout.addWidget(self.comparison)
        layout.addWidget(self.chart, 1)

    def sizeHint(self) -> QSize:
        return QSize(1180, 700)

    # Input

    @Inputs.treebank
    def set_treebank(self, index: int, data: Table) -> None:
        self.tables[index] = data

    @Inputs.treebank.insert
    def insert_treebank(self, index: int, data: Table) -> None:
        self.tables.insert(index, data)

    @Inputs.treebank.remove
    def remove_treebank(self, index: int) -> None:
        self.tables.pop(index)

    def handleNewSignals(self) -> None:
        self.cancel()
        self.clear_messages()
        self.scored = []
        self._show()
        tables = [table for table in self.tables if table is not None]
        if tables:
            self.chart.show_chart("Scoring…")
            self.start(score_all, tables)
        else:
            self._send_scores()
            self.commit.now()

    def on_done(self, result: Scores) -> None:
        self.scored = result.scored
        for message, faults in ((self.Error.no_treebank, result.no_treebank),
                                (self.Error.no_predictions, result.no_predictions),
                                (self.Error.no_gold, result.no_gold),
                                (self.Warning.left_out, result.left_out)):
            if faults:
                message(", ".join(faults))
        self._show()
        self._send_scores()
        self.commit.now()

    def on_exception(self, error: Exception) -> None:
        log.exception("scoring failed", exc_info=error)
        self.Error.failed(str(error) or type(error).__name__)
        self.scored = []
        self._show()
        self._send_scores()
        self.commit.now()

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()

    # What is shown

    def _show(self) -> None:
        self._show_table()
        self._show_chart()

    def _show_table(self) -> None:
        self.table.show_scores(make_columns(self.scored, self.punct, self.intervals)
                               if self.scored else [])
        self.table.select([number for number, own in enumerate(self.scored)
                           if own.label in self.selected_parsers])
        self.table.setVisible(bool(self.scored))
        self.comparison.setVisible(bool(self.scored))
        self._show_colours()
        self._show_comparison()

    def _charted(self) -> list[int]:
        """The predictions in the chart: all, or the selected if there are too many."""
        if len(self.scored) <= MOST_PARSERS:
            return list(range(len(self.scored)))
        chosen = self.table.selected()[:MOST_PARSERS]
        return chosen or list(range(MOST_PARSERS))

    def _show_colours(self) -> None:
        self.table.model().set_colours(dict(zip(self._charted(), COLOURS)))

    def _show_chart(self) -> None:
        charted = self._charted()
        self._show_colours()
        self.Information.too_many(len(charted), len(self.scored),
                                  shown=len(charted) < len(self.scored))
        if not self.scored:
            self.chart.show_chart(NOTHING if not any(
                table is not None for table in self.tables) else NOT_SCORED)
            self.chart.select([])
            return
        chart = make_chart([self.scored[number] for number in charted], self.by,
                           self.punct, from_zero=self.from_zero)
        self.chart.show_chart(chart if chart.bars else "No tokens count.")
        self.chart.select([tuple(bar) for bar in self.selected_bars])

    def _show_comparison(self) -> None:
        lines = self._comparison()
        if not lines:
            lines = [HINT if len(self.scored) > 1 else HINT_ONE] if self.scored else []
            lines = [f"<span style='color: gray'>{line}</span>" for line in lines]
        self.comparison.setText("<br/>".join(lines))

    def _comparison(self) -> list[str]:
        """The selected two predictions compared, as lines of HTML."""
        numbers = self.table.selected()
        self.Information.different_sentences.clear()
        if len(numbers) != 2:
            return []
        a, b = (self.scored[number] for number in numbers)
        if not same_sentences(a, b):
            self.Information.different_sentences()
            names = f"{named(a.label)} and {named(b.label)}"
            return [f"{names} were scored on different sentences: no paired comparison."]
        tests = compare(a, b, self.punct)
        return [comparison_words(a.label, b.label, tests["UAS"]),
                f"Further differences: {further_words(tests)}."]

    # Changes

    def _on_punct(self) -> None:
        self._show()
        self._send_scores()
        self.commit.deferred()

    def _on_breakdown(self) -> None:
        self.selected_bars = []
        self._show_chart()
        self.commit.deferred()

    def _on_sorting(self) -> None:
        model = self.table.model()
        self.sort_title, self.sort_descending = model.sort_title, model.descending

    def _on_rows(self) -> None:
        self.selected_parsers = [self.scored[n].label for n in self.table.selected()]
        if len(self.scored) > MOST_PARSERS:
            self._show_chart()
        # A row stands for all its tokens.
        self.chart.select([])
        self.selected_bars = []
        self._show_comparison()
        self.commit.deferred()

    def _on_bars(self) -> None:
        self.selected_bars = [list(key) for key in self.chart.selected]
        self.commit.deferred()

    # Output

    def selection(self) -> list[Part]:
        """The selected tokens: of bars if some are selected, else of rows."""
        if self.chart.selected:
            return [in_groups(own, self.by, labels, self.punct) for own in self.scored
                    if (labels := [label for name, label in self.chart.selected
                                   if name == own.label])]
        return [whole(self.scored[number], self.punct)
                for number in self.table.selected()]

    @gui.deferred
    def commit(self) -> None:
        parts = self.selection()
        sentences = selected_sentences(parts, self.only_errors)
        errors = wrong_tokens(parts)
        self.selection_label.setText("\n".join([
            plural(len(sentences or ()), "sentence", "sentences"),
            plural(len(errors), "wrong head", "wrong heads"),
        ] if parts else [NOT_SELECTED]))
        self.Outputs.treebank.send(sentences)
        self.Outputs.errors.send(errors)

    def _send_scores(self) -> None:
        self.Outputs.scores.send(
            scores_table(self.scored, self.punct) if self.scored else None)

    def score_table(self) -> str:
        """The scores as plain text."""
        if not self.scored:
            return "nothing to score"
        return text_table(self.scored, self.punct)

    @property
    def printed(self):
        """The chart as it is saved: with all its groups, on white."""
        return self.chart.printed()

    def send_report(self) -> None:
        if not self.scored:
            return
        self.report_items((
            ("Treebanks", "; ".join(dict.fromkeys(
                f"{own.treebank.name}, "
                + plural(own.evaluation.sentences, "sentence", "sentences")
                for own in self.scored))),
            ("Punctuation", "counts" if self.punct else "does not count")))
        self.report_raw("Scores (%)", html_table(self.scored, self.punct,
                                                 self.intervals))
        compared = self._comparison()
        if compared:
            self.report_raw("Comparison", "<br/>".join(compared))
        self.report_plot("Chart", self.printed)


def html_table(scored: Sequence[Scored], punct: bool, intervals: bool) -> str:
    """The table of scores for a report."""
    columns = make_columns(scored, punct, intervals)
    rows = ["".join(f"<th>{escape(column.title)}</th>" for column in columns)]
    for number in range(len(scored)):
        rows.append("".join(
            f"<td>{escape(column.texts[number])}"
            + (f" ({escape(column.intervals[number])})"
               if column.intervals and column.intervals[number] else "") + "</td>"
            for column in columns))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    bundled = load_bundled("en")
    parsed = bundled[200:]
    for passes in (1, 3):
        parsed = ParserLearner(passes=passes, name=f"{passes} passes")(
            bundled[:200])(parsed)
    WidgetPreview(OWUASScore).run(insert_treebank=(0, parsed))
