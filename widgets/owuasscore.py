"""UAS Score: score the predictions of parsers, and see where their errors are."""
from __future__ import annotations

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, MultiInput, Output, OWWidget

from orange_structpred.evaluation import (
    BREAKDOWNS,
    Comparison,
    ScoredPrediction,
    score_treebanks,
)
from orange_structpred.evaluation.selection import (
    Part,
    selected_sentences,
    wrong_tokens,
)
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import WorkingWidget, observed_by
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.storedsettings import (
    is_pair_of_texts,
    is_text,
    list_of,
)
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.score.charts import (
    COLOURS,
    MOST_PARSERS,
    ORDERS,
    charted,
    make_chart,
)
from orange_structpred.widgets.score.columns import make_columns, score_rows
from orange_structpred.widgets.score.comparedpair import ComparedPair, compare
from orange_structpred.widgets.score.history import (
    history_rows,
    is_record,
    record_of,
    with_records,
)
from orange_structpred.widgets.score.layout import add_score_controls, add_score_views

NOTHING_TO_SCORE = "Connect a treebank with predictions, for example from Apply Parser."
NOT_SCORED = "There is nothing to score; the message below says why."
ONLY_TAGS = "Only tags are predicted: their accuracy is shown above."
HINT_ONE = "Click a parser or a bar to send its sentences and errors on."
SCORES_HINT = ("Click a parser or a bar to send its sentences and errors on; "
        "select two parsers to compare them.")
REPORT_WIDTH = 1200         # pixels that a picture in a report is wide at most


def score(tables: list[Table], state: TaskState) -> Comparison:
    """Score all predictions of all tables; runs in a thread."""
    observe = observed_by(state)
    return score_treebanks(*tables, progress=lambda fraction, name="": observe(
        fraction, f"Scoring {name}…"))


class OWUASScore(WorkingWidget):
    name = "UAS Score"
    description = ("Score the predictions of parsers: attachment scores, their "
                   "confidence intervals, and where the errors are.")
    icon = "icons/uasscore.svg"
    priority = 40
    keywords = ("uas score, las, attachment, evaluate, evaluation, accuracy, "
                "confidence interval, significance, error analysis, compare")

    class Inputs:
        treebank = MultiInput("Treebank", Table, doc="With gold heads and predictions")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False, default=True,
                          doc="The sentences of the selected parsers or bars")
        errors = Output("Errors", Table, dynamic=False, explicit=True,
                        doc="One row per token with a wrong head in the selection")
        scores = Output("Scores", Table, dynamic=False, explicit=True,
                        doc="One row per parser")
        tags = Output("Tag Scores", Table, dynamic=False, explicit=True,
                      doc="Accuracy of predicted tags, one row per tagger and layer")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        no_sentences = Msg("No sentences in {}: nothing to score.")
        no_predictions = Msg("No predictions in {}: connect Apply Parser.")
        no_gold = Msg("No gold heads in {}: nothing to score predictions against.")
        failed = Msg("Scoring failed: {}")

    class Warning(OWWidget.Warning):
        # of some of several inputs; the others are scored
        no_sentences = Msg("No sentences in {}: left out.")
        no_predictions = Msg("No predictions in {}: left out. Connect Apply Parser.")
        no_gold = Msg("No gold heads in {}: left out.")
        skipped = Msg("Not scored, because gold or predicted heads are missing: {}.")
        seen = Msg("Scores {} too high, because the parser was trained on some of "
                   "these sentences: {}.")

    class Information(OWWidget.Information):
        different_sentences = Msg("The selected parsers were scored on different "
                                  "sentences, so no paired test is possible.")
        too_many = Msg("The chart shows {} of {} parsers: {}.")

    graph_name = "printed"

    punct: bool = Setting(True)
    intervals: bool = Setting(True)
    by: str = Setting(BREAKDOWNS[0], fits=BREAKDOWNS)
    order: str = Setting(ORDERS[0], fits=ORDERS)
    from_zero: bool = Setting(True)
    only_errors: bool = Setting(False)
    auto_commit: bool = Setting(True)
    sort_title: str = Setting("")
    sort_descending: bool = Setting(False)
    selected_parsers: list = Setting([], schema_only=True, fits=list_of(is_text))
    # Results so far, see `record_of`
    history: list = Setting([], schema_only=True, fits=list_of(is_record))
    # Pairs of a parser and the label of a group, in the chart by `by`
    selected_bars: list = Setting([], schema_only=True, fits=list_of(is_pair_of_texts))

    def __init__(self):
        super().__init__()
        self.tables: list[Table] = []
        self.scores = Comparison()
        self._labels: list[str] = []        # of the last that were scored
        add_score_controls(self)
        add_score_views(self)
        self.show_all()
        open_in_full_size(self)

    @property
    def scored(self) -> list[ScoredPrediction]:
        return self.scores.scored

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
        self.scores = Comparison()
        tables = [table for table in self.tables if table is not None]
        if tables:
            self.start(score, tables)
        self.show_all()
        if not tables:
            self._send_scores()
            self.commit.now()

    def on_done(self, result: Comparison) -> None:
        self.scores = result
        self.history = with_records(self.history, self.scored)
        self._follow_names()
        messages = self.Warning if result.scored or result.tags else self.Error
        for message, faults in ((self.Error.no_treebank, result.no_treebank),
                                (messages.no_sentences, result.no_sentences),
                                (messages.no_predictions, result.no_predictions),
                                (messages.no_gold, result.no_gold),
                                (self.Warning.skipped, result.skipped)):
            if faults:
                message(", ".join(map(sentence, faults)
                                  if message is self.Error.no_treebank else faults))
        seen = [scored for scored in self.scored if scored.seen.most]
        self.Warning.seen(
            "are" if any(scored.seen.fewest for scored in seen) else "may be",
            "; ".join(f"{scored.seen} ({scored.label})" for scored in seen),
            shown=bool(seen))
        self.show_all()
        self._send_scores()
        self.commit.now()

    def _follow_names(self) -> None:
        """Parsers that were renamed but are in the same place remain selected."""
        before, now = self._labels, [result.label for result in self.scored]
        renamed = {old: new for old, new in zip(before, now)
                   if old not in now and new not in before}
        if renamed and len(before) == len(now):
            self.selected_parsers = [renamed.get(name, name)
                                     for name in self.selected_parsers]
            self.selected_bars = [[renamed.get(name, name), label]
                                  for name, label in self.selected_bars]
        self._labels = now or before

    def on_exception(self, error: Exception) -> None:
        self.Error.failed(failure_text("scoring", error))
        self.scores = Comparison()
        self.show_all()
        self._send_scores()
        self.commit.now()

    # What is shown

    def show_all(self) -> None:
        self._show_table()
        self.show_chart()

    def _show_table(self) -> None:
        self.table.show_scores(make_columns(self.scored, self.punct, self.intervals)
                               if self.scored else [])
        self.table.select([number for number, result in enumerate(self.scored)
                           if result.label in self.selected_parsers])
        self.table.setVisible(bool(self.scored))
        self.comparison.setVisible(bool(self.scored))
        self.tags_label.setText("\n".join(map(sentence, self.scores.tag_lines())))
        self.tags_label.setVisible(bool(self.scores.tags))
        self.history_view.show_records(self.earlier_results(), self.punct)
        self._show_colours()
        self._show_comparison()

    def earlier_results(self) -> list[list]:
        """The results that are not in the table of scores."""
        present = [record_of(result) for result in self.scored]
        return [record for record in self.history if list(record) not in present]

    def clear_history(self) -> None:
        self.history = []
        self._show_table()

    def _charted(self) -> list[int]:
        return charted(self.table.model().order, self.table.selected())

    def _show_colours(self) -> None:
        self.table.model().set_colours(dict(zip(self._charted(), COLOURS)))

    def show_chart(self) -> None:
        numbers, selected = self._charted(), len(self.table.selected())
        self._show_colours()
        which = ("the first in the table; select others to see them" if not selected
                 else "the selected ones, then the first in the table"
                 if selected < MOST_PARSERS else
                 "the selected ones" if selected == MOST_PARSERS else
                 "the first of the selected ones")
        self.Information.too_many(len(numbers), len(self.scored), which,
                                  shown=len(numbers) < len(self.scored))
        if self.scored:
            chart = make_chart([self.scored[number] for number in numbers], self.by,
                               self.punct, order=self.order, intervals=self.intervals,
                               from_zero=self.from_zero)
            self.chart.show_chart(chart if chart.bars else "There are no tokens to count.")
            self.chart.select([tuple(bar) for bar in self.selected_bars])
        else:
            self.chart.show_chart(
                "Scoring…" if self.task is not None else
                self.nothing_to_score()
                if not any(table is not None for table in self.tables)
                else ONLY_TAGS if self.scores.tags else NOT_SCORED)
            self.chart.select([])
        self._show_what_is_sent()

    def nothing_to_score(self) -> str:
        return self.waiting_text("Treebank") or NOTHING_TO_SCORE

    def links_changed(self) -> None:
        if not self.scored:
            self.show_chart()

    def _show_what_is_sent(self) -> None:
        """Rows are sent if there are no bars; otherwise they are only compared."""
        self.table.set_faint(bool(self.chart.selected))

    def _show_comparison(self) -> None:
        compared = self.compared()
        hint = SCORES_HINT if len(self.scored) > 1 else HINT_ONE
        self.comparison.show_text(compared or hint)
        self.Information.different_sentences(
            shown=compared is not None and compared.tests is None)

    def compared(self) -> ComparedPair | None:
        """The selected two predictions compared."""
        numbers = self.table.selected()
        if len(numbers) != 2:
            return None
        return compare(*(self.scored[number] for number in numbers), self.punct)

    # Changes

    def on_punct(self) -> None:
        self.show_all()
        self._send_scores()
        self.commit.deferred()

    def on_breakdown(self) -> None:
        self.selected_bars = []
        self.show_chart()
        self.commit.deferred()

    def on_sorting(self) -> None:
        model = self.table.model()
        self.sort_title, self.sort_descending = model.sort_title, model.descending
        if len(self.scored) > MOST_PARSERS:
            self.show_chart()
            self.commit.deferred()

    def on_rows(self) -> None:
        self.selected_parsers = [self.scored[n].label for n in self.table.selected()]
        if len(self.scored) > MOST_PARSERS:
            self.show_chart()
        # A row stands for all its tokens.
        self.chart.select([])
        self.selected_bars = []
        self._show_what_is_sent()
        self._show_comparison()
        self.commit.deferred()

    def on_bars(self) -> None:
        self.selected_bars = [list(key) for key in self.chart.selected]
        self._show_what_is_sent()
        self.commit.deferred()

    # Output

    def selection(self) -> list[Part]:
        """The selected tokens: of bars if some are selected, else of rows."""
        if self.chart.selected:
            return self.scores.parts(self.chart.selected, self.by, self.punct)
        return self.scores.parts([self.scored[number].label
                                  for number in self.table.selected()],
                                 punct=self.punct)

    @gui.deferred
    def commit(self) -> None:
        parts = self.selection()
        sentences = selected_sentences(parts, self.only_errors)
        errors = wrong_tokens(parts)
        self.selection_label.show_selection(
            self.chart.selected,
            [self.scored[number].label for number in self.table.selected()],
            plural(len(sentences or ()), "sentence", "sentences"),
            plural(len(errors or ()), "wrong head", "wrong heads"))
        self.Outputs.treebank.send(sentences)
        self.Outputs.errors.send(errors)

    def _send_scores(self) -> None:
        self.Outputs.scores.send(
            self.scores.table(self.punct) if self.scored else None)
        self.Outputs.tags.send(self.scores.tag_table() if self.scores.tags else None)

    def score_table(self) -> str:
        """The scores as plain text."""
        return self.scores.text(self.punct) or "nothing to score"

    @property
    def printed(self):
        """The chart as it is saved: with all its groups, on white."""
        return self.chart.printed()

    def send_report(self) -> None:
        """The table of scores, a comparison and the chart."""
        if self.scores.tags:
            self.report_paragraph("Accuracy of tags (%)", "; ".join(
                map(sentence, self.scores.tag_lines())))
        if not self.scored:
            reasons = [str(message) for message in self.Error.active] \
                or ["Scoring is not done yet." if self.task
                    else self.nothing_to_score()]
            self.report_paragraph("Scores (%)", "No scores. " + " ".join(reasons))
            return
        self.report_items((
            ("Treebanks", "; ".join(dict.fromkeys(
                f"{result.treebank.name}, "
                + plural(result.evaluation.sentences, "sentence", "sentences")
                for result in self.scored))),
            ("Punctuation", "counts" if self.punct else "does not count")))
        self.report_table("Scores (%)", score_rows(self.scored, self.punct,
                                                     self.intervals))
        if earlier := self.earlier_results():
            self.report_table("Earlier results (%)", history_rows(earlier, self.punct))
        compared = self.compared()
        if compared:
            self.report_raw("Comparison", compared.words())
        report_picture(self, "Chart", self.chart.printed(REPORT_WIDTH))


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    bundled = load_bundled("en")
    parsed = bundled[200:]
    for passes in (1, 3):
        parsed = ParserLearner(passes=passes, name=f"{passes} passes")(
            bundled[:200])(parsed)
    WidgetPreview(OWUASScore).run(insert_treebank=(0, parsed))
