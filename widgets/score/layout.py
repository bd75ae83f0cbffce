"""The controls and views of UAS Score."""
from __future__ import annotations

from typing import TYPE_CHECKING

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QLabel, QSizePolicy
from Orange.widgets import gui

from orange_structpred.evaluation import BREAKDOWNS
from orange_structpred.widgets.common.layouts import label_of
from orange_structpred.widgets.score.charts import ORDERS
from orange_structpred.widgets.score.chartview import ChartView
from orange_structpred.widgets.score.history import HistoryView
from orange_structpred.widgets.score.labels import ComparisonLabel, SelectionLabel
from orange_structpred.widgets.score.table import ScoreModel, ScoreView

if TYPE_CHECKING:
    from orange_structpred.widgets.owuasscore import OWUASScore

RELATION_TIPS = {
    "relation": "Universal relations: acl:relcl counts as acl",
    "relation with subtypes": "acl:relcl and acl are groups of their own"}


def add_score_controls(widget: OWUASScore) -> None:
    """What is counted, how the chart is drawn, and what is sent."""
    box = gui.vBox(widget.controlArea, "Scores")
    gui.checkBox(
        box, widget, "punct", "Count &punctuation", callback=widget.on_punct,
        tooltip="Whether tokens with the tag PUNCT count, in scores, chart and "
                "errors")
    gui.checkBox(
        box, widget, "intervals", "Confidence &intervals", callback=widget.show_all,
        tooltip="95% confidence intervals of the scores and of the bars, from a "
                "bootstrap over the sentences")
    box = gui.vBox(widget.controlArea, "Chart")
    widget.by_combo = gui.comboBox(
        None, widget, "by", items=BREAKDOWNS, sendSelectedValue=True,
        callback=widget.on_breakdown,
        tooltip="What the tokens of a group have in common in the gold tree")
    for by, tip in RELATION_TIPS.items():
        widget.by_combo.setItemData(BREAKDOWNS.index(by), tip, Qt.ToolTipRole)
    box.layout().addWidget(label_of("UAS &by:", widget.by_combo))
    box.layout().addWidget(widget.by_combo)
    widget.order_combo = gui.comboBox(
        None, widget, "order", items=ORDERS, sendSelectedValue=True,
        callback=widget.show_chart,
        tooltip="The order of the groups; with several parsers, the tokens "
                "and errors of all of them count together")
    box.layout().addWidget(label_of("&Order:", widget.order_combo))
    box.layout().addWidget(widget.order_combo)
    gui.checkBox(
        box, widget, "from_zero", "Axis from &zero", callback=widget.show_chart,
        tooltip="If not checked, the axis begins just below the lowest bar, which makes "
                "small differences visible")
    box = gui.vBox(widget.controlArea, "Selection")
    gui.checkBox(
        box, widget, "only_errors", "Only with &errors",
        callback=widget.commit.deferred,
        tooltip="Send only sentences in which a selected token has a wrong head")
    widget.selection_label = SelectionLabel()
    box.layout().addWidget(widget.selection_label)
    gui.rubber(widget.controlArea)
    gui.auto_send(widget.buttonsArea, widget, "auto_commit")


def add_score_views(widget: OWUASScore) -> None:
    """Scores, comparison, tags, earlier results and chart, one below the other."""
    widget.table = ScoreView(ScoreModel(widget))
    widget.table.sort_by(widget.sort_title, widget.sort_descending)
    widget.table.selection_changed.connect(widget.on_rows)
    widget.table.sorting_changed.connect(widget.on_sorting)
    widget.comparison = ComparisonLabel()
    widget.tags_label = QLabel(
        wordWrap=True, textFormat=Qt.PlainText,
        textInteractionFlags=Qt.TextSelectableByMouse,
        toolTip="Share of tokens with the right tag, in percent; punctuation counts")
    widget.tags_label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Minimum)
    widget.history_view = HistoryView()
    widget.history_view.cleared.connect(widget.clear_history)
    widget.chart = ChartView()
    widget.chart.selection_changed.connect(widget.on_bars)
    layout = widget.mainArea.layout()
    layout.addWidget(widget.table)
    layout.addWidget(widget.comparison)
    layout.addWidget(widget.tags_label)
    layout.addWidget(widget.history_view)
    layout.addWidget(widget.chart, 1)
