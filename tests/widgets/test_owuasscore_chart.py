"""UAS Score: the chart."""
import numpy as np
import pytest
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.widgets.tests.utils import simulate

from orange_structpred.evaluation import BREAKDOWNS, evaluate
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.score.charts import ORDERS, charted, make_chart
from orange_structpred.widgets.score.chartscene import ChartLook, ChartScene
from tests.evaluation.toy import sentence as sentence_of
from tests.widgets import uasscore
from tests.widgets.uasscore import shifted, toy


class TestChart(uasscore.UASScoreTest):
    def test_bars_are_the_breakdown(self):
        self.send(self.english)
        for by in BREAKDOWNS:
            for punct in (True, False):
                chart = make_chart(self.widget.scored, by, punct)
                for number, name in enumerate(("good", "bad")):
                    groups = evaluate(self.english, name).breakdown(by, punct)
                    assert [(bar.label, bar.tokens, bar.uas) for bar in chart.bars
                            if bar.parser == number] == [
                        (group.label, group.tokens, group.uas) for group in groups]

    def test_counts_of_different_treebanks(self):
        self.send(self.english, toy())
        chart = make_chart([self.widget.scored[0], self.widget.scored[2]],
                           "sentence length", True)
        short, = (group for group in
                  evaluate(self.english, "good").breakdown("sentence length")
                  if group.label == "1-10")
        assert chart.labels[0] == "1-10"
        assert chart.counts("1-10") == f"n = 10–{short.tokens:,}"

    def labels(self) -> list[str]:
        return list(self.widget.chart.charts.chart.labels)

    def test_order_of_the_groups(self):
        self.create(by="relation")
        self.send(self.english)
        default = self.labels()
        groups = [{group.label: group for group in evaluate(
            self.english, name).breakdown("relation")} for name in ("good", "bad")]
        tokens, wrong = (
            {label: sum(value(own[label]) for own in groups) for label in default}
            for value in (lambda group: group.tokens,
                          lambda group: group.tokens - group.correct))
        orders = {"Most tokens first": tokens, "Most errors first": wrong,
                  "Lowest UAS first": {label: wrong[label] / tokens[label]
                                       for label in default}}
        assert list(orders) == list(ORDERS[1:])
        for order, values in orders.items():
            simulate.combobox_activate_item(self.widget.order_combo, order)
            shown = [values[label] for label in self.labels()]
            assert shown == sorted(shown, reverse=True)
            assert sorted(self.labels()) == sorted(default)
        simulate.combobox_activate_item(self.widget.order_combo, ORDERS[0])
        assert self.labels() == default

    def test_intervals_on_bars(self):
        self.send(self.english)
        bars = self.widget.chart.charts.bars
        assert all(item.whisker is not None for item in bars)
        for item in bars:
            low, high = item.bar.interval
            assert low <= item.bar.uas <= high
            assert "95% confidence interval" in item.toolTip()
        self.widget.controls.intervals.click()
        assert all(item.whisker is None for item in self.widget.chart.charts.bars)

    def test_many_groups_need_no_scrolling(self):
        self.create(by="relation")
        self.widget.resize(self.widget.sizeHint())
        self.widget.show()
        self.send(self.english)
        assert len(self.labels()) > 15
        assert self.widget.chart.horizontalScrollBar().maximum() == 0

    def test_axis(self):
        self.send(self.english)
        lowest = min(bar.uas for bar in make_chart(
            self.widget.scored, "direction", True).bars)
        chart = make_chart(self.widget.scored, "direction", True, from_zero=False)
        assert 0 < chart.lowest < lowest < chart.lowest + 0.11

    def test_no_text_overlaps(self):
        self.send(self.english, shifted(load_bundled("de")[:40], "third", 5))
        look = ChartLook.for_print(self.widget.font())
        for by in BREAKDOWNS:
            for width in (320, 900):
                scene = ChartScene()
                scene.draw(make_chart(self.widget.scored, by, True), look, width, 400)
                texts = [item for item in scene.items() if hasattr(item, "text")]
                areas = [item.sceneBoundingRect().adjusted(1, 1, -1, -1)
                         for item in texts]
                for i, area in enumerate(areas):
                    assert scene.sceneRect().contains(area), texts[i].text()
                    for j in range(i):
                        assert not area.intersects(areas[j]), (
                            by, width, texts[i].text(), texts[j].text())

    def test_at_most_five(self):
        treebank = self.english
        for number in range(5):
            treebank = shifted(treebank, f"p{number}", 5 + number)
        self.send(treebank)
        assert len(self.widget.chart.charts.chart.parsers) == 5
        message, = self.shown("Information")
        assert message == ("The chart shows 5 of 7 parsers: the first in the table; "
                           "select others to see them.")
        self.select_rows(5, 6)
        assert self.widget.chart.charts.chart.parsers == ["good", "bad", "p0", "p3", "p4"]
        assert self.shown("Information") == [
            ("The chart shows 5 of 7 parsers: the selected ones, then the first in the "
            "table.")]
        self.widget.table.selectAll()
        assert self.shown("Information") == [
            "The chart shows 5 of 7 parsers: the first of the selected ones."]
        assert self.widget.chart.charts.chart.parsers == ["good", "bad", "p0", "p1", "p2"]
        self.select_rows(2, 3, 4, 5, 6)
        assert self.shown("Information") == [
            "The chart shows 5 of 7 parsers: the selected ones."]
        # What is first is seen in the table.
        self.select_rows()
        self.widget.table.horizontalHeader().sectionClicked.emit(
            list(self.cells()).index("UAS"))
        assert self.widget.chart.charts.chart.parsers == sorted(
            self.cells()["Parser"][:5], key=["good", "p0", "p1", "p2", "p3", "p4"].index)
        coloured = self.widget.table.model().coloured
        assert sorted(coloured) == sorted(self.widget.table.model().order[:5])

    def test_which_are_in_the_chart(self):
        assert charted([2, 0, 1], []) == [0, 1, 2]
        assert charted([9, 8, 7, 6, 5, 4, 3], [3, 4]) == [3, 4, 7, 8, 9]
        assert charted(range(10), range(3, 10)) == [3, 4, 5, 6, 7]

    def test_it_says_what_becomes_of_subtypes(self):
        self.send(toy())
        combo = self.widget.by_combo
        for by, title, labels in (
                ("relation", "UAS by relation without subtypes (% of tokens)", {"aux"}),
                ("relation with subtypes", "UAS by relation with subtypes (% of tokens)",
                 {"aux:pass", "nsubj:pass"})):
            simulate.combobox_activate_item(combo, by)
            chart = self.widget.chart.charts.chart
            assert chart.title == title
            assert labels <= set(chart.labels)
            assert "acl:relcl" in combo.itemData(combo.currentIndex(), Qt.ToolTipRole)

    def test_the_picture_in_a_report_is_no_wider_than_a_page(self):
        many = [sentence_of(f"x TAG{number} 0 root") for number in range(350)]
        self.create(by="PoS")
        self.send(Treebank.from_sentences(many).with_prediction("p", [[0]] * 350))
        assert self.widget.printed.width() > 5000       # a file has all of it
        scene = self.widget.chart.printed(1200)
        assert scene.width() <= 1200
        assert 5 < len(scene.chart.labels) < 100
        assert scene.chart.title.endswith(
            f"(% of tokens): {len(scene.chart.labels)} of 350 groups")
        simulate.combobox_activate_item(self.widget.by_combo, "direction")
        assert self.widget.chart.printed(1200).chart == self.widget.chart.charts.chart

    def test_the_axis_stays_in_view(self):
        self.create(by="relation")
        self.widget.resize(700, 500)
        self.widget.show()
        self.send(self.english)
        bar = self.widget.chart.horizontalScrollBar()
        assert bar.maximum() > 0
        bar.setValue(bar.maximum())
        assert self.widget.chart.charts.fixed.x() == bar.maximum()
        assert self.widget.printed.fixed.x() == 0
        # What is hidden by the axis cannot be selected.
        middle = self.widget.chart.viewport().height() // 2
        QTest.mouseClick(self.widget.chart.viewport(), Qt.LeftButton, Qt.NoModifier,
                         QPoint(10, middle))
        assert self.widget.chart.selected == []

    def test_dark_palette(self):
        self.send(self.english)
        palette = QPalette(QApplication.palette())
        palette.setColor(QPalette.Base, QColor("black"))
        self.widget.chart.setPalette(palette)
        brush = self.widget.chart.charts.backgroundBrush()
        assert brush.color() == QColor("black")


@pytest.mark.parametrize("groups", [1, 2, 5, 17, 40])
@pytest.mark.parametrize("parsers", [1, 3, 5])
def test_bars_of_a_group_have_room(groups, parsers):
    for label in (20., 90.):
        for room in (250., 1000.):
            bar, group = ChartScene._widths(label, parsers, groups, room)
            assert bar >= 9
            assert group >= max(label, bar * parsers)
            assert np.isfinite(group)
