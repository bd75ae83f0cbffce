import ast
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from AnyQt.QtCore import QPointF, Qt
from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.widgets.tests.base import GuiTest, WidgetTest

from orange_structpred import load_bundled
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.tuning.arguments import tuning_arguments
from orange_structpred.tuning.search import Point, tune
from orange_structpred.widgets.common import learning
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.tune.controls import ValuesEdit, grid_text
from orange_structpred.widgets.tune.plot import TuningPlot, colour_of, tip, varied
from orange_structpred.widgets.tune.table import TuningTable
from orange_structpred.widgets.tune.tasks import Result
from orange_structpred.widgets.tune.view import TuningView
from tests.treebank.toy import UNPARSED
from tests.tuning.test_search import SENTENCES, TOY, figures
from tests.widgets.waiting import wait_for

SMALL = {"groups": ["head", "dependent"], "passes": 2, "C_from": 0.01, "C_to": 1.0}
FOREVER = {"groups": ["head"], "passes": 1_000_000, "epsilon": 1e-6,
           "auto_tune": "always"}
POINTS = [Point({"solver": solver}, C, train, loss, loss - 0.05, loss + 0.05, norm, 1)
          for solver, C, train, loss, norm in (
              ("bcfw", 0.1, 0.3, 0.4, 2), ("bcfw", 1, 0.1, 0.2, 20),
              ("mira", 0.1, 0.35, 0.5, 4), ("mira", 1, 0.2, 0.3, 70))]
LABELS = ["solver bcfw", "solver mira"]


class TuneParserTest(WidgetTest):
    def setUp(self):
        self.widget: OWTuneParser = self.create(**SMALL)

    def create(self, **settings) -> OWTuneParser:
        self.widget = self.create_widget(OWTuneParser, stored_settings=settings)
        return self.widget

    def send(self, data=TOY, validation=None):
        self.send_signals([(self.widget.Inputs.treebank, data),
                           (self.widget.Inputs.validation, validation)])

    def wait(self):
        self.wait_until_finished(timeout=300_000)

    def output(self, name: str):
        self.wait()
        return self.get_output(getattr(self.widget.Outputs, name), wait=60_000)

    def control(self, name: str, form: str):
        return self.widget.forms[form].controls[name]

    def shown(self, kind: str) -> list[str]:
        return ["".join(message.formatted)
                for message in getattr(self.widget, kind).active]

    def settings(self) -> dict:
        return self.widget.settingsHandler.pack_data(self.widget)


class TestTuning(TuneParserTest):
    def test_nothing_without_data(self):
        for name in ("parser", "learner", "results"):
            assert self.output(name) is None
        assert not self.widget.start_button.isEnabled()
        assert self.widget.view.status.text() == "No treebank to learn from."
        validation = self.widget.forms["Validation"]
        assert not validation.given.isVisibleTo(self.widget)
        assert validation.controls["evaluation"].isVisibleTo(self.widget)

    def test_results_are_those_of_the_library(self):
        self.create(**SMALL, share=0.3, random_state=2,
                    varied={"solver": "bcfw, mira"})
        self.send()
        table = self.output("results")
        grid, options = tuning_arguments(self.settings())
        assert grid == {"C": [0.01, 0.1, 1], "solver": ["bcfw", "mira"]}
        own = tune(TOY, grid, **options)
        assert figures(own) == figures(self.widget.tuning)
        np.testing.assert_array_equal(
            table.get_column("validation loss"),
            [point.validation_loss for point in own.points])
        parser, learner = self.output("parser"), self.output("learner")
        assert isinstance(parser, Parser) and isinstance(learner, ParserLearner)
        np.testing.assert_array_equal(
            parser.edge_scores(SENTENCES[0]),
            own.parser().edge_scores(SENTENCES[0]))
        assert (learner.C, learner.solver) == (own.best.C, own.best.setting["solver"])
        assert learner.random_state == 2 and learner.passes == 2
        assert self.shown("Error") == self.shown("Warning") == []

    def test_folds_train_the_selected_on_all_sentences(self):
        self.create(**SMALL, evaluation="folds", folds=2)
        self.send()
        parser = self.output("parser")
        own = self.output("learner")(TOY)
        np.testing.assert_array_equal(parser.edge_scores(SENTENCES[0]),
                                      own.edge_scores(SENTENCES[0]))
        other = next(point for point in self.widget.tuning.points
                     if point is not self.widget.selected)
        self.widget.view.plot.pointClicked.emit(other)
        wait_for(lambda: self.output("parser") is not None)
        own = self.output("learner")(TOY)
        assert own.name == f"explicit bcfw C={other.C:g}"
        np.testing.assert_array_equal(
            self.output("parser").edge_scores(SENTENCES[0]),
            own.edge_scores(SENTENCES[0]))

    def test_a_validation_treebank(self):
        self.create(**SMALL, evaluation="folds")
        self.send(TOY[:9], TOY[9:])
        self.wait()
        own = tune(TOY[:9], {"C": [0.01, 0.1, 1]}, validation=TOY[9:], solver="bcfw",
                   groups=["head", "dependent"], passes=2)
        assert figures(own) == figures(self.widget.tuning)
        assert not self.control("evaluation", "Validation").isVisibleTo(self.widget)

    def test_results_come_one_by_one_and_stopping_keeps_them(self):
        # the larger C never ends
        self.create(**{**FOREVER, "C_from": 1e-6, "C_to": 10.0})
        self.send()
        wait_for(lambda: self.widget.view.plot.points)
        assert self.widget.stop_button.isEnabled()
        assert not self.widget.start_button.isEnabled()
        self.widget.stop_button.click()
        self.wait()
        done = len(self.widget.tuning.points)
        assert 1 <= done < 8
        assert self.shown("Information") == [f"Stopped with {done} of 8 results."]
        assert len(self.output("results")) == done
        assert self.output("parser") is not None
        assert not self.widget.stop_button.isEnabled()

    def test_new_data_ends_the_old_work(self):
        self.create(**FOREVER)
        self.send()
        wait_for(lambda: self.widget.view.status.text().startswith(("0 of", "1 of")))
        self.send(None)
        self.wait()
        assert self.output("results") is None
        assert self.widget.view.plot.points == []

    def test_large_treebanks_wait(self):
        self.create(**{**FOREVER, "auto_tune": "small"})
        self.send()
        assert self.widget.task is None
        assert self.shown("Information") == ["Tuning may take a while (6 values of C): press Tune."]
        self.create(**SMALL, auto_tune="never")
        self.send()
        assert self.shown("Information") == ["Press Tune to try the grid."]
        self.widget.start_button.click()
        assert self.output("parser") is not None
        self.control("passes", "Learning").setValue(3)
        assert self.shown("Information")[-1].startswith("Settings have changed")

    def test_a_changed_setting_tunes_again(self):
        self.send()
        self.wait()
        self.control("solver", "Compare").setValue("mira, perceptron")
        wait_for(lambda: len(self.widget.labels) == 2)
        assert self.output("results").domain["setting"].values == (
            "solver mira", "solver perceptron")

    def test_threads_make_no_difference(self):
        self.send()
        self.wait()
        tuning = self.widget.tuning
        self.widget.n_jobs = 2
        self.widget.update_arguments()
        self.widget.begin_if_automatic()
        assert self.widget.tuning is tuning and self.widget.task is None


class TestSelection(TuneParserTest):
    def test_by_hand_in_plot_and_table(self):
        self.send()
        self.wait()
        first, _, last = self.widget.tuning.points
        assert self.widget.selected is self.widget.tuning.best
        self.widget.view.plot.pointClicked.emit(first)
        assert self.widget.selection == {"label": "", "C": 0.01}
        # only the best was kept: this one is trained again
        wait_for(lambda: self.output("parser") is not None)
        assert self.output("parser").name.endswith("C=0.01")
        assert self.output("learner").C == 0.01
        assert self.widget.view.table.currentIndex().row() == 0
        self.widget.view.table.setCurrentIndex(self.widget.view.table.model().index(2, 1))
        assert self.widget.view.plot.selected is last
        wait_for(lambda: self.output("parser") is not None)
        assert self.output("parser").name.endswith("C=1")
        assert self.settings()["selection"] == {"label": "", "C": 1.0}
        self.widget.view.best_button.click()
        assert self.widget.selection is None
        assert self.output("parser") is self.widget.tuning.parser()

    def test_it_is_kept(self):
        self.create(**SMALL, selection={"label": "", "C": 0.01})
        self.send()
        assert self.output("learner").C == 0.01
        assert self.widget.view.best_button.isEnabled()

    def test_of_another_grid(self):
        self.create(**SMALL, selection={"label": "solver mira", "C": 0.01})
        self.send()
        assert self.output("parser") is self.widget.tuning.parser()
        assert self.widget.selection is None

    def test_after_folds_a_kept_selection_is_trained(self):
        self.create(**SMALL, evaluation="folds", folds=2,
                    selection={"label": "", "C": 0.01})
        self.send()
        assert self.output("parser").name == "explicit bcfw C=0.01"


class TestMessages(TuneParserTest):
    def test_no_treebank(self):
        self.send(Table("iris"))
        assert self.widget.Error.no_treebank.is_shown()
        self.send(TOY, Table("iris"))
        assert not self.widget.Error.no_treebank.is_shown()
        assert self.widget.Error.no_validation.is_shown()
        assert not self.widget.start_button.isEnabled()
        self.send(TOY)
        assert self.output("parser") is not None

    def test_values_that_make_no_sense(self):
        self.send()
        self.wait()
        for text, words in (("bcfw, newton", "'newton' is not known"),
                            ("bcfw,,mira", "each comma")):
            self.control("solver", "Compare").setValue(text)
            assert words in self.shown("Error")[0]
            assert self.widget.view.status.text() == self.shown("Error")[0]
            assert not self.widget.start_button.isEnabled()
        self.control("solver", "Compare").setValue("")
        assert self.shown("Error") == []
        assert self.widget.view.status.text().startswith("3 results on")
        self.control("C_from", "C").setValue(10)
        assert "the larger one last" in self.shown("Error")[0]

    def test_a_treebank_without_heads(self):
        self.send(Treebank.from_sentences([Sentence(UNPARSED)] * 3))
        self.wait()
        message, = self.shown("Error")
        assert "without heads" in message
        assert self.widget.view.status.text() == message

    def test_warnings_of_the_library(self):
        """Also those of threads in which settings are tried at the same time."""
        strange = Treebank.from_sentences(
            [Sentence(s.block.replace("\tX\t", "\tQ\t")) for s in SENTENCES])
        for n_jobs in (1, 2):
            self.create(**SMALL, n_jobs=n_jobs, varied={"solver": "bcfw, mira"})
            self.send(TOY, strange)
            self.wait()
            assert self.shown("Error") == []
            message, = self.shown("Warning")
            assert "of the tags are unknown to the parser" in message
            assert "bcfw C=0.01" in message and "mira C=1" in message

    def test_the_best_at_the_end_of_the_range(self):
        self.create(**{**SMALL, "C_from": 0.001, "C_to": 0.01})
        self.send(load_bundled("en")[:60])
        self.wait()
        assert self.widget.tuning.open_end == "upper"
        assert "The best C, 0.01, is at the upper end" in self.shown("Information")[0]

    def test_values_of_C_that_make_no_difference(self):
        self.create(**{**SMALL, "solver": "mira", "C_from": 100., "C_to": 1000.})
        self.send()
        self.wait()
        assert self.shown("Information")[-1] == (
            "C = 1000 gave the same parser as the best one: tuning C pays off with the "
            "solvers BCFW and one-slack.")

    def test_nobody_is_told_to_use_the_solver_that_is_used(self):
        self.create(**{**SMALL, "solver": "bcfw", "C_from": 100., "C_to": 1000.})
        self.send()
        self.wait()
        tuning = self.widget.tuning
        tuning.points[1] = replace(tuning.points[0], C=1000.)
        self.widget.running = self.widget.tried
        self.widget.on_done(Result(tuning, None))
        assert "C = 1000 gave the same parser as the best one." in self.shown(
            "Information")

    def test_programming_errors_are_told(self):
        self.send(None)
        with self.assertLogs(learning.log, "ERROR"):
            self.widget.on_exception(KeyError("x"))
        assert "KeyError" in self.shown("Error")[0]


class TestSettings(TuneParserTest):
    def test_literals(self):
        self.control("groups", "Compare").setValue("all, head")
        self.send()
        self.wait()
        settings = {name: value for name, value in self.settings().items()
                    if name != "savedWidgetGeometry"}
        assert ast.literal_eval(repr(settings)) == settings
        assert settings["varied"] == {"groups": "all, head"}

    def test_only_rows_of_the_chosen_features(self):
        def rows():
            return [name for name, control in self.widget.forms["Compare"].controls
                    .items() if control.isVisibleTo(self.widget)]

        assert rows() == ["solver", "epsilon", "groups"]
        self.control("features", "Features").setValue("kernel")
        assert rows() == ["solver", "epsilon", "hash", "kernel"]

    def report(self) -> str:
        self.widget.report_html = ""
        self.widget.send_report()
        return self.widget.report_html

    def test_report(self):
        self.create(**SMALL, varied={"groups": "all, all without context"})
        assert "<b>C:</b> 0.01, 0.1, 1<" in self.report()
        self.send()
        self.wait()
        html = self.report()
        for text in ("<b>Feature groups:</b> all, all without context<",
                     "<b>Features:</b> Explicit<", "<b>Solver:</b> BCFW<",
                     "<b>Epsilon:</b> 0.01<", "<b>Passes:</b> 2<",
                     "<b>Decoding:</b> Automatic<", "<b>Single root:</b> yes<",
                     "<b>Random split, for validation:</b> 0.2<", "<b>Seed:</b> 0<",
                     self.widget.view.selected_text(), "Validation loss"):
            assert text in html
        assert "kernel" not in html and "have been changed" not in html
        self.control("passes", "Learning").setValue(3)
        html = self.report()
        assert "<b>Passes:</b> 2<" in html
        assert "The settings have been changed since." in html

    def test_report_of_kernels(self):
        self.create(**SMALL, features="kernel", hash=["posTags"], evaluation="folds",
                    folds=2, solver="auto", kernel_params={"n": 3},
                    varied={"kernel": "constant, ngram n=2", "groups": "all"})
        html = self.report()
        for text in ("<b>Hash functions:</b> posTags<", "<b>Solver:</b> Automatic (BCFW)<",
                     "<b>Input kernels:</b> constant, ngram n=2<",
                     "<b>Cross-validation, folds (k):</b> 2<"):
            assert text in html
        for text in ("Feature groups", "Kernel parameters", "split"):
            assert text not in html

    def test_report_of_a_validation_treebank(self):
        validation = TOY[9:]
        validation.name = "others"
        self.send(TOY[:9], validation)
        self.wait()
        html = self.report()
        assert f"<b>Treebank:</b> others</br><b>Sentences:</b> {len(validation)}<" in html
        assert "split" not in html

    def test_report_of_what_was_stopped(self):
        self.create(**{**FOREVER, "C_from": 1e-6, "C_to": 10.0})
        self.send()
        wait_for(lambda: self.widget.view.plot.points)
        assert "Tuning is not done yet." in self.report()
        self.widget.stop_button.click()
        self.wait()
        done = len(self.widget.tuning.points)
        assert f"Stopped with {done} of 8 results." in self.report()

    def test_minimum_size(self):
        self.widget.show()
        before = self.widget.minimumSizeHint()
        assert 380 <= before.height() <= 740
        self.send()
        self.wait()
        assert self.widget.minimumSizeHint() == before

    def test_size(self):
        size = self.widget.sizeHint()
        assert size.width() <= 1280 and size.height() <= 800
        assert self.widget.minimumSizeHint().height() <= 760


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
        text = tip(POINTS[1])
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


class TestCluster(TuneParserTest):
    """Where the work is done."""

    def test_an_address_that_does_not_answer(self):
        self.create(**SMALL, place="cluster", scheduler="tcp://127.0.0.1:1")
        with patch("orange_structpred.running.cluster.CONNECTION_TIMEOUT", 0.5):
            self.widget.run_on.test()
            self.process_events(lambda: "no scheduler answers".casefold()
                                in self.widget.run_on.answer.text().casefold(),
                                timeout=60_000)
            self.send()
            self.wait()
        assert "o scheduler answers at tcp://127.0.0.1:1" in "".join(self.shown("Error"))

    def test_without_an_address(self):
        self.create(**SMALL, place="cluster")
        self.widget.run_on.test()
        assert "Enter the address" in self.widget.run_on.answer.text()
        assert self.widget.run_on.client() is None

    def test_settings(self):
        run_on = self.widget.run_on
        assert not run_on.address.isVisibleTo(self.widget)
        run_on.place.setValue("cluster")
        run_on.address.setText(" tcp://host:8786 ")
        run_on.address.editingFinished.emit()
        assert (self.widget.place, self.widget.scheduler) == ("cluster", "tcp://host:8786")
        assert run_on.address.isVisibleTo(self.widget)
        self.create(**SMALL, place="nowhere")
        assert self.widget.run_on.client() is None

    def test_on_a_cluster(self):
        distributed = pytest.importorskip("distributed")
        with distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=False,
                dashboard_address=None, silence_logs=50) as workers:
            self.create(**SMALL, place="cluster", scheduler=workers.scheduler_address)
            self.widget.run_on.test()
            self.process_events(lambda: "1 worker is ready"
                                in self.widget.run_on.answer.text(), timeout=60_000)
            self.send()
            self.wait()
            found = [point.validation_loss for point in self.widget.tuning.points]
        self.create(**SMALL)
        self.send()
        self.wait()
        assert found == [point.validation_loss for point in self.widget.tuning.points]

    def test_closed_while_the_cluster_works(self):
        distributed = pytest.importorskip("distributed")
        with distributed.LocalCluster(
                n_workers=1, threads_per_worker=1, processes=False,
                dashboard_address=None, silence_logs=50) as workers, \
                distributed.Client(workers, set_as_default=False) as client:
            self.create(**FOREVER, place="cluster", scheduler=workers.scheduler_address)
            self.send()

            def tasks():
                return sum(map(len, client.processing().values()))

            self.process_events(lambda: tasks() > 0, timeout=60_000)
            thread = self.widget.task.future
            self.widget.onDeleteWidget()
            self.process_events(lambda: thread.done() and tasks() == 0, timeout=60_000)
