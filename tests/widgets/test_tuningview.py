"""The parts of Tune Parser: fields of values, plot and table."""
import numpy as np
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtTest import QTest
from Orange.widgets.tests.base import GuiTest

from orange_structpred.tuning.results import Point
from orange_structpred.widgets.tune.controls import ValuesEdit, grid_text
from orange_structpred.widgets.tune.plot import (
    TuningPlot,
    colour_of,
    tuning_point_tip,
    varied,
)
from orange_structpred.widgets.tune.table import TuningTable
from orange_structpred.widgets.tune.view import TuningView

POINTS = [Point({"solver": solver}, C, train, loss, loss - 0.05, loss + 0.05, norm, 1)
          for solver, C, train, loss, norm in (
              ("bcfw", 0.1, 0.3, 0.4, 2), ("bcfw", 1, 0.1, 0.2, 20),
              ("mira", 0.1, 0.35, 0.5, 4), ("mira", 1, 0.2, 0.3, 70))]
LABELS = ["solver bcfw", "solver mira"]


class TestValuesEdit(GuiTest):
    def test_menu(self):
        edit = ValuesEdit("hash", {"tokens": "", "posTags": "", "a + b": ""})
        seen = []
        edit.valueChanged.connect(seen.append)
        actions = {action.text(): action for action in edit.menu.actions()}
        actions["tokens"].trigger()
        actions["a + b"].trigger()
        assert edit.value() == "tokens, a + b"
        edit.menu.aboutToShow.emit()
        assert actions["a + b"].isChecked() and not actions["posTags"].isChecked()
        actions["tokens"].trigger()
        assert seen == ["tokens", "tokens, a + b", "a + b"]

    def test_the_menu_stays_open_until_all_is_ticked(self):
        edit = ValuesEdit("hash", {"tokens": "", "posTags": "", "lemmas": ""})
        seen = []
        edit.valueChanged.connect(seen.append)
        edit.show()
        menu = edit.menu
        menu.popup(edit.mapToGlobal(edit.rect().bottomLeft()))
        tokens, tags, lemmas = menu.actions()
        for action in (tokens, tags):
            QTest.mouseClick(menu, Qt.LeftButton,
                             pos=menu.actionGeometry(action).center())
            assert menu.isVisible()
        menu.setActiveAction(lemmas)
        QTest.keyClick(menu, Qt.Key_Space)
        assert menu.isVisible() and seen == []
        assert edit.edit.text() == "tokens, posTags, lemmas"
        menu.close()
        assert seen == ["tokens, posTags, lemmas"]

    def test_typed(self):
        edit = ValuesEdit("epsilon", {})
        QTest.keyClicks(edit.edit, "0.1, 1")
        assert edit.value() == ""           # not yet
        QTest.keyClick(edit.edit, Qt.Key_Return)
        assert edit.value() == "0.1, 1"

    def test_how_much_work(self):
        assert grid_text([1], 1) == "1 value of C"
        assert grid_text([1, 2], 3, 5) == (
            "2 values of C × 3 settings × 5 folds = 30 parsers")


class TestPlotAndTable(GuiTest):
    def setUp(self):
        self.plot = TuningPlot()
        self.plot.resize(600, 400)
        self.plot.show()
        self.plot.begin(LABELS, [0.1, 1])
        self.plot.show_points(POINTS, POINTS[1])

    def lines(self):
        return [(item.opts["pen"].style(), item.opts["pen"].color().name(),
                 item.xData.tolist(), np.round(item.yData, 6).tolist())
                for item in self.plot.plot.listDataItems()
                if item.opts.get("symbol") and item.opts["pen"] is not None
                and hasattr(item, "xData")]

    def test_lines(self):
        lines = self.lines()
        assert lines == [
            (Qt.DashLine, colour_of(0), [-1, 0], [30, 10]),
            (Qt.SolidLine, colour_of(0), [-1, 0], [40, 20]),
            (Qt.DashLine, colour_of(1), [-1, 0], [35, 20]),
            (Qt.SolidLine, colour_of(1), [-1, 0], [50, 30])]
        self.plot.set_view(axis="squared_norm", training=False, bands=False)
        assert [line[2] for line in self.lines()] == [
            np.log10([2, 20]).tolist(), np.log10([4, 70]).tolist()]
        texts = [item.toPlainText() for item in self.plot.plot.items
                 if hasattr(item, "toPlainText")]
        assert sorted(texts) == ["0.1", "0.1", "1", "1"]

    def test_a_click_on_a_point(self):
        clicked = []
        self.plot.pointClicked.connect(clicked.append)
        for point, loss in ((POINTS[2], POINTS[2].validation_loss),
                            (POINTS[0], POINTS[0].train_loss)):
            place = self.plot.plot.vb.mapViewToScene(
                QPointF(self.plot.x(point), 100 * loss))
            QTest.mouseClick(self.plot.viewport(), Qt.LeftButton,
                             pos=self.plot.mapFromScene(place))
            assert clicked.pop() is point
        place = self.plot.plot.vb.mapViewToScene(QPointF(-0.5, 3))
        QTest.mouseClick(self.plot.viewport(), Qt.LeftButton,
                         pos=self.plot.mapFromScene(place))
        assert clicked == []

    def test_the_mark(self):
        x, y = self.plot._mark.getData()
        np.testing.assert_allclose([x[0], y[0]], [0, 20])
        self.plot.select(POINTS[2])
        x, y = self.plot._mark.getData()
        np.testing.assert_allclose([x[0], y[0]], [-1, 50])

    def test_a_norm_of_zero_has_no_place(self):
        self.plot.set_view(axis="squared_norm", training=True, bands=True)
        point = Point({}, 1, 0, 0.5, 0.5, 0.5, 0., 1)
        self.plot.begin([""], [1])
        self.plot.show_points([point], point)
        assert len(self.plot._mark.getData()[0]) == 0

    def legend(self) -> list[str]:
        return [label.text for _, label in self.plot.legend.items]

    def test_the_legend_hides_nothing(self):
        for axis in ("C", "squared_norm"):
            self.plot.set_view(axis=axis, training=True, bands=True)
            assert self.legend() == [*LABELS, "validation loss", "training loss"]
            QTest.qWait(10)
            legend = self.plot.legend.mapRectToScene(self.plot.legend.boundingRect())
            view = self.plot.plot.vb.mapRectToScene(self.plot.plot.vb.boundingRect())
            assert legend.height() > 0 and not legend.intersects(view)
            assert self.plot.sceneRect().contains(legend)

    def test_a_large_legend_is_left_out(self):
        settings = [{"hash": [f"{name}::dir", "tokens", "lemmas"], "kernel": kernel}
                    for name in ("posTags", "posTags2", "inside", "outside")
                    for kernel in ("constant", "bow")]
        points = [Point(setting, 1, 0.1, 0.2, 0.1, 0.3, 2, 1) for setting in settings]
        self.plot.begin([point.label for point in points], [1])
        self.plot.show_points(points, points[0])
        assert self.legend() == ["validation loss", "training loss"]
        self.plot.resize(1600, 900)
        assert len(self.legend()) == 10

    def test_the_whole_grid_is_in_sight_from_the_first_point_on(self):
        self.plot.begin(LABELS, [0.001, 0.1, 100])
        for points in ([], POINTS[:1]):
            self.plot.show_points(points, None)
            low, high = self.plot.plot.viewRange()[0]
            assert low <= -3 and high >= 2

    def test_labels_of_ticks_do_not_meet(self):
        metrics = self.plot.fontMetrics()
        for axis in ("C", "squared_norm"):
            self.plot.begin([""], [0.001])
            self.plot.set_view(axis=axis, training=True, bands=True)
            point = Point({}, 0.001, 0.3, 0.4, 0.3, 0.5, 0.002, 1)
            self.plot.show_points([point], None)
            QTest.qWait(10)
            bottom = self.plot.plot.getAxis("bottom")
            (low, high), width = self.plot.plot.viewRange()[0], bottom.width()
            (_, ticks), = bottom.tickValues(low, high, width)
            places = [(tick - low) / (high - low) * width for tick in ticks]
            widths = list(map(metrics.horizontalAdvance,
                              bottom.tickStrings(ticks, 1, 1)))
            assert len(ticks) > 1
            for place, after, own, other in zip(places, places[1:], widths, widths[1:]):
                assert place + own / 2 < after - other / 2

    def test_what_settings_differ_in(self):
        first, second = "hash a + b, kernel bow, epsilon 1", "hash a, kernel bow, epsilon 1"
        assert varied([first, second]) == {first: {"hash": "a + b"},
                                           second: {"hash": "a"}}
        assert varied([""]) == {"": {}} and varied([]) == {}

    def test_tips(self):
        text = tuning_point_tip(POINTS[1])
        assert "solver bcfw" in text and "20.00%" in text and "15.00 to 25.00" in text

    def test_table(self):
        table = TuningTable()
        table.show_points(POINTS, LABELS, POINTS[1])
        chosen = []
        table.pointSelected.connect(chosen.append)
        assert table.currentIndex().row() == 1
        assert table.points.index(1, 0).data(Qt.FontRole).bold()
        table.sortByColumn(2, Qt.DescendingOrder)
        texts = [table.model().index(row, 2).data() for row in range(4)]
        assert texts == ["50.00", "40.00", "30.00", "20.00"]
        assert chosen == []
        table.setFocus()
        QTest.keyClick(table, Qt.Key_Up)
        assert chosen == [POINTS[3]]
        table.show_points(POINTS[:2], LABELS[:1], None)
        assert table.isColumnHidden(0) and chosen == [POINTS[3]]

    def test_arrow_keys_in_a_table_without_settings(self):
        table = TuningTable()
        table.show_points(POINTS[:2], LABELS[:1], POINTS[0])
        chosen = []
        table.pointSelected.connect(chosen.append)
        QTest.keyClick(table, Qt.Key_Down)
        assert chosen == [POINTS[1]]

    def test_settings_have_the_room_that_figures_leave(self):
        settings = [{"hash": ["posTags::dir", "tokens", name], "kernel": "constant"}
                    for name in ("between", "inside")]
        points = [Point(setting, 1, 0.1, 0.2, 0.1, 0.3, 2, 1) for setting in settings]
        table = TuningTable()
        table.show_points(points, [point.label for point in points], points[0])
        model = table.model()
        assert model.headerData(0, Qt.Horizontal) == "hash"
        assert [model.index(row, 0).data() for row in range(2)] == [
            "posTags::dir + tokens + between", "posTags::dir + tokens + inside"]
        table.show()
        for width in (420, 1200):
            table.resize(width, 200)
            QTest.qWait(10)
            room = table.viewport().width()
            assert table.columnWidth(0) >= min(table.sizeHintForColumn(0), 0.6 * room)
        assert table.horizontalScrollBar().maximum() == 0
        assert sum(map(table.columnWidth, range(7))) > 0.95 * table.viewport().width()

    def test_what_is_selected_in_words(self):
        view = TuningView()
        view.begin(LABELS, [0.1, 1])
        view.show()
        view.show_selected(POINTS[2], POINTS[1], True)
        assert view.chosen.text() == (
            "Selected: <b>C = 0.1</b>, validation loss <b>50.00%</b> (best: 20.00%)")
        view.setting.resize(40, 20)
        assert view.setting.text() not in ("", "solver mira")       # elided
        assert view.setting.toolTip() == view.selected_text()
        assert view.selected_text().endswith("<br/>solver mira")
        view.begin([""], [1])
        assert not view.setting.isVisibleTo(view)
