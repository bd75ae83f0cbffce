"""The scores in Orange's report."""
from __future__ import annotations

from typing import TYPE_CHECKING

from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.score.columns import html_table
from orange_structpred.widgets.score.history import history_rows

if TYPE_CHECKING:
    from orange_structpred.widgets.owuasscore import OWUASScore

REPORT_WIDTH = 1200         # pixels that a picture in a report is wide at most


def report_scores(widget: OWUASScore) -> None:
    """The table of scores, a comparison and the chart, for Orange's report."""
    if widget.scores.tags:
        widget.report_paragraph("Accuracy of tags (%)", "; ".join(
            map(sentence, widget.scores.tag_lines())))
    if not widget.scored:
        reasons = [str(message) for message in widget.Error.active] \
            or ["Scoring is not done yet." if widget.task
                else widget.nothing_to_score()]
        widget.report_paragraph("Scores (%)", "No scores. " + " ".join(reasons))
        return
    widget.report_items((
        ("Treebanks", "; ".join(dict.fromkeys(
            f"{result.treebank.name}, "
            + plural(result.evaluation.sentences, "sentence", "sentences")
            for result in widget.scored))),
        ("Punctuation", "counts" if widget.punct else "does not count")))
    widget.report_raw("Scores (%)", html_table(widget.scored, widget.punct,
                                             widget.intervals))
    if earlier := widget.earlier_results():
        widget.report_table("Earlier results (%)", history_rows(earlier, widget.punct))
    compared = widget.compared()
    if compared:
        widget.report_raw("Comparison", compared.words())
    report_picture(widget, "Chart", widget.chart.printed(REPORT_WIDTH))
