"""UAS Score: the table, inputs, messages, settings and reports."""
import ast

import pytest
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor, QIcon, QPalette
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.widgets.data.owconcatenate import OWConcatenate
from orangecanvas.scheme.readwrite import literal_dumps

from orange_structpred.evaluation import BREAKDOWNS, evaluate
from orange_structpred.learner import ParserLearner
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.owuasscore import NOT_SCORED, NOTHING_TO_SCORE
from orange_structpred.widgets.score.table import colour_swatch
from tests.evaluation.toy import CROSSED, GOLD
from tests.treebank.toy import UNPARSED
from tests.treebank.toy import treebank as treebank_of
from tests.widgets import uasscore
from tests.widgets.uasscore import HEADS, shifted, toy
from tests.widgets.waiting import wait_for


class TestTable(uasscore.UASScoreTest):
    def test_scores_are_those_of_the_library(self):
        self.send(toy())
        evaluation = evaluate(toy(), "worse")
        cells = self.cells()
        assert list(cells) == ["Parser", "Sentences", "Tokens", "UAS", "LAS",
                               "Complete", "Root"]
        assert cells["Parser"] == ["worse", "perfect"]
        assert cells["UAS"] == [f"{100 * evaluation.uas:.2f}", "100.00"]
        assert cells["LAS"] == [f"{100 * evaluation.las:.2f}", "–"]
        assert cells["Complete"] == [f"{100 * evaluation.complete:.2f}", "100.00"]
        assert cells["Root"] == ["100.00", "100.00"]
        assert cells["Tokens"] == ["10", "10"]

    def test_valid_trees_where_heads_may_be_none(self):
        cyclic = [heads.copy() for heads in HEADS]
        cyclic[0][:2] = 2, 1        # each other's head
        self.send(toy().with_prediction("cyclic", cyclic))
        assert self.cells()["Trees"] == ["100.00", "100.00", "66.67"]
        assert self.output("scores")[2, "Trees"] == pytest.approx(200 / 3)

    def test_without_punctuation(self):
        self.send(toy())
        self.widget.controls.punct.click()
        evaluation = evaluate(toy(), "worse")
        cells = self.cells()
        assert cells["UAS"][0] == f"{100 * evaluation.uas_nopunct:.2f}"
        assert cells["LAS"][0] == f"{100 * evaluation.las_nopunct:.2f}"
        assert cells["Complete"][0] == f"{100 * evaluation.complete_nopunct:.2f}"
        assert cells["Tokens"] == ["7", "7"]
        assert "without punctuation" in self.widget.chart.charts.chart.title
        assert self.output("scores")[0, "UAS"] == 100 * evaluation.uas_nopunct

    def test_intervals(self):
        self.send(self.english)
        low, high = evaluate(self.english, "good").confidence_interval("uas")
        intervals = self.widget.table.model().columns[3].intervals
        assert intervals[0] == f"{100 * low:.1f} – {100 * high:.1f}"
        self.widget.controls.intervals.click()
        assert self.widget.table.model().columns[3].intervals == ["", ""]

    def test_no_las_without_relations(self):
        self.send(self.english)
        assert "LAS" not in self.cells()

    def test_sorting_by_a_header(self):
        self.send(self.english)
        view = self.widget.table
        self.select_rows(1)
        section = list(self.cells()).index("UAS")
        view.horizontalHeader().sectionClicked.emit(section)
        assert self.cells()["Parser"] == ["good", "bad"]
        view.horizontalHeader().sectionClicked.emit(section)
        assert self.cells()["Parser"] == ["bad", "good"]
        assert view.selected() == [1]
        assert (self.widget.sort_title, self.widget.sort_descending) == ("UAS", False)
        self.create(**self.widget.settingsHandler.pack_data(self.widget))
        self.send(self.english)
        assert self.cells()["Parser"] == ["bad", "good"]
        self.widget.table.horizontalHeader().sectionClicked.emit(section)
        assert self.cells()["Parser"] == ["good", "bad"]

    def test_the_best_is_bold(self):
        self.send(self.english)
        model = self.widget.table.model()
        section = list(self.cells()).index("UAS")
        fonts = [model.data(model.index(row, section), Qt.FontRole) for row in (0, 1)]
        assert fonts[0].bold()
        assert fonts[1] is None

    def test_scores_output(self):
        self.send(self.english)
        scores = self.output("scores")
        assert list(map(str, scores.get_column("Parser"))) == ["good", "bad"]
        assert scores.get_column("UAS")[0] == 100 * evaluate(self.english, "good").uas
        assert (scores.get_column("UAS low") < scores.get_column("UAS")).all()
        self.send(None)
        assert self.output("scores") is None

    def test_text(self):
        assert self.widget.score_table() == "nothing to score"
        self.send(toy())
        header, worse, perfect = self.widget.score_table().splitlines()
        assert header.split()[:4] == ["Parser", "Sentences", "Tokens", "UAS"]
        assert worse.split()[:4] == ["worse", "3", "10", "80.00"]
        assert perfect.startswith("perfect")
        assert len(header) == len(worse) == len(perfect)

    def test_numbers_have_their_room_before_names(self):
        treebank = load_bundled("en")[:20]
        for name in ("The first of two long names of parsers", "The other one of them"):
            treebank = treebank.with_prediction(
                name, [own.heads for own in treebank.sentences],
                [own.deprels for own in treebank.sentences])
        self.widget.show()
        for width, names in ((1180, 1), (1400, 2)):
            self.widget.resize(width, 700)
            self.send(*[treebank] * names)
            self.process_events()
            table = self.widget.table
            columns = list(self.cells())
            assert "LAS" in columns and columns[-1] == "Root"
            for section, title in enumerate(columns):
                if title not in ("Parser", "Treebank"):
                    assert table.columnWidth(section) >= table.sizeHintForColumn(section)
            assert sum(map(table.columnWidth, range(len(columns)))) \
                <= table.viewport().width()

    def test_a_swatch_is_seen_on_a_selection_of_its_colour(self):
        base = QApplication.palette().color(QPalette.Base)
        for mode in (QIcon.Normal, QIcon.Selected):
            image = colour_swatch("#0a7fc2").pixmap(12, 12, mode).toImage()
            assert image.pixelColor(6, 6) == QColor("#0a7fc2")
            assert image.pixelColor(0, 6) == image.pixelColor(11, 6) == base


class TestInputs(uasscore.UASScoreTest):
    def test_several_treebanks(self):
        german = shifted(load_bundled("de")[:20], "good", 5)
        self.send(self.english, german)
        assert self.cells()["Parser"] == [
            f"good, {self.english.name}", "bad", f"good, {german.name}"]
        assert self.cells()["Sentences"] == ["60", "60", "20"]
        self.send_signal(self.widget.Inputs.treebank, None, 0)
        self.wait_until_finished()
        assert self.cells()["Parser"] == ["good"]
        assert "Treebank" not in self.cells()

    def test_the_same_treebank_twice(self):
        self.send(toy(), toy())
        assert self.cells()["Parser"] == ["worse, toy", "perfect, toy",
                                          "worse, toy (2)", "perfect, toy (2)"]

    def test_data_goes_away(self):
        self.send(toy())
        assert self.widget.table.isVisibleTo(self.widget)
        self.send(None)
        assert not self.widget.table.isVisibleTo(self.widget)
        assert self.widget.chart._shown == NOTHING_TO_SCORE
        assert self.cells() == {}

    def test_a_table_that_carries_a_treebank(self):
        table = Table.from_table_rows(toy(), [0, 1])
        assert not isinstance(table, Treebank)
        self.send(table)
        assert self.cells()["Sentences"] == ["2", "2"]

    def test_out_of_concatenate(self):
        first, second = shifted(self.english[:9], "x", 7), shifted(toy(), "y", 3)
        concatenate = self.create_widget(OWConcatenate)
        concatenate.controls.merge_type.buttons[0].click()      # union
        for number, table in enumerate((first, second)):
            self.send_signal(concatenate.Inputs.additional_data, table, number,
                             widget=concatenate)
        self.send(self.get_output(concatenate.Outputs.data, widget=concatenate))
        cells = dict(zip(self.cells()["Parser"], self.cells()["Sentences"]))
        assert cells == {"good": "9", "bad": "9", "x": "9", "worse": "3",
                         "perfect": "3", "y": "3"}
        warning, = self.shown("Warning")
        assert "9 sentences of" in warning
        # Errors are told by the rows of the table that came in.
        self.widget.table.select([self.cells()["Parser"].index("y")])
        self.widget.table.selection_changed.emit()
        errors = self.output("errors")
        assert errors.get_column("sentence").min() > 9

    def test_no_thread_outlives_the_widget(self):
        self.send_signal(self.widget.Inputs.treebank, self.english, 0)
        future = self.widget.task.future
        self.widget.onDeleteWidget()
        wait_for(future.done)

    def test_new_input_ends_the_old_scoring(self):
        self.send_signal(self.widget.Inputs.treebank, self.english, 0)
        before = self.widget.task
        self.send_signal(self.widget.Inputs.treebank, toy(), 0)
        assert before.is_interruption_requested()
        self.wait_until_finished()
        assert self.cells()["Parser"] == ["worse", "perfect"]


class TestMessages(uasscore.UASScoreTest):
    def test_another_chart_while_scoring(self):
        self.send_signal(self.widget.Inputs.treebank, self.english, 0)
        assert self.widget.task is not None
        self.widget.by_combo.setCurrentIndex(2)
        self.widget.by_combo.activated.emit(2)
        assert self.widget.chart._shown == "Scoring…"
        self.wait_until_finished()
        assert self.widget.chart._shown.bars

    def test_no_predictions(self):
        self.send(Treebank.from_sentences(GOLD, name="toy"))
        assert self.shown("Error") == ["No predictions in toy: connect Apply Parser."]
        assert self.widget.chart._shown == NOT_SCORED
        self.send(toy())
        assert self.shown("Error") == []

    def test_no_gold_heads(self):
        self.send(treebank_of([UNPARSED]).with_prediction("p", [[0, 1]]))
        message, = self.shown("Error")
        assert message.startswith("No gold heads in toy")

    def test_no_sentences(self):
        self.send(toy()[:0])
        assert self.shown("Error") == ["No sentences in toy: nothing to score."]

    def test_those_that_cannot_be_scored_are_left_out(self):
        self.send(Treebank.from_sentences(GOLD, name="bare"), toy())
        assert self.shown("Error") == []
        assert self.shown("Warning") == [
            "No predictions in bare: left out. Connect Apply Parser."]
        assert self.cells()["Parser"] == ["worse", "perfect"]
        self.send_signal(self.widget.Inputs.treebank, None, 1)
        self.wait_until_finished()
        assert self.shown("Error") == ["No predictions in bare: connect Apply Parser."]
        assert self.shown("Warning") == []

    def test_wrong_table(self):
        self.send(Table("iris"), toy())
        message, = self.shown("Error")
        assert "iris" in message and "conllu" in message
        assert self.cells()["Parser"] == ["worse", "perfect"]   # the other is scored

    def test_sentences_without_gold_heads_are_left_out(self):
        parts = treebank_of([UNPARSED, CROSSED.block])
        self.send(parts.with_prediction("p", [[0, 1], CROSSED.heads]))
        assert self.shown("Warning") == [
            "Not scored, because gold or predicted heads are missing: 1 sentence of toy "
            "for p."]
        assert self.cells()["Sentences"] == ["1"]
        self.select_rows(0)
        assert len(self.output("treebank")) == 1
        assert self.output("treebank").sentences[0].sent_id == "crossed"


class TestWidget(uasscore.UASScoreTest):
    def test_settings(self):
        self.create(by="PoS", punct=False, from_zero=False)
        self.send(self.english)
        self.click_bar("bad", "NOUN")
        settings = self.widget.settingsHandler.pack_data(self.widget)
        assert ast.literal_eval(repr(settings)) == settings
        errors = len(self.output("errors"))
        self.create(**settings)
        self.send(self.english)
        assert self.widget.by_combo.currentText() == "PoS"
        assert self.widget.chart.selected == [("bad", "NOUN")]
        assert len(self.output("errors")) == errors

    def test_selected_rows_are_restored(self):
        self.send(self.english)
        self.select_rows(1)
        self.create(**self.widget.settingsHandler.pack_data(self.widget))
        self.send(self.english)
        assert self.widget.table.selected() == [1]
        assert len(self.output("treebank")) == 60

    def test_a_breakdown_that_is_not_known(self):
        self.create(by="colour")
        assert self.widget.by == BREAKDOWNS[0]

    def test_report_without_scores(self):
        self.widget.send_report()
        assert NOTHING_TO_SCORE in self.widget.report_html
        self.widget.report_html = ""
        self.send(Treebank.from_sentences(GOLD, name="a<b"))
        self.widget.send_report()
        assert "No predictions in a‹b: connect Apply Parser." \
            in self.widget.report_html

    def test_report(self):
        self.send(self.english)
        self.select_rows(0, 1)
        self.widget.send_report()
        report = self.widget.report_html
        uas = evaluate(self.english, "good").uas
        assert f"{100 * uas:.2f}" in report
        assert "<b>good</b> is better than <b>bad</b>" in report
        assert "svg" in report or "<img" in report

    def test_it_fits_a_small_screen(self):
        self.send(self.english)
        size = self.widget.sizeHint().expandedTo(self.widget.minimumSizeHint())
        assert size.width() <= 1280
        assert size.height() <= 800


class TestHistory(uasscore.UASScoreTest):
    def rows(self) -> list[list[str]]:
        table = self.widget.history_view.table
        return [[table.item(row, column).text() for column in range(table.columnCount())]
                for row in range(table.rowCount())]

    def of(self, name: str, every: int):
        return shifted(load_bundled("en")[:20], name, every)

    def test_earlier_results_stay_side_by_side(self):
        assert not self.widget.history_view.isVisibleTo(self.widget)
        for name, every in (("C=0.01", 3), ("C=1", 9), ("C=100", 5)):
            self.send(self.of(name, every))
        assert [row[0] for row in self.rows()] == ["C=1", "C=0.01"]
        assert self.cells()["Parser"] == ["C=100"]
        assert self.widget.history_view.isVisibleTo(self.widget)
        evaluation = evaluate(self.of("C=1", 9))
        assert self.rows()[0][2:] == ["20", f"{100 * evaluation.uas:.2f}", "–"]
        self.widget.controls.punct.click()
        assert self.rows()[0][3] == f"{100 * evaluation.uas_nopunct:.2f}"
        # what comes again is not there twice
        self.send(self.of("C=1", 9))
        assert [row[0] for row in self.rows()] == ["C=100", "C=0.01"]
        self.widget.send_report()
        assert "C=0.01" in self.widget.report_html
        # nothing is lost with the input, nor with the workflow
        self.send(None)
        assert [row[0] for row in self.rows()] == ["C=1", "C=100", "C=0.01"]
        settings = self.widget.settingsHandler.pack_data(self.widget)
        literal_dumps(settings)
        self.create(**settings)
        assert [row[0] for row in self.rows()] == ["C=1", "C=100", "C=0.01"]
        self.widget.history_view.clear_button.click()
        assert self.rows() == [] == self.widget.history
        assert not self.widget.history_view.isVisibleTo(self.widget)

    def test_damaged_history(self):
        for history in ("x", [1], [["a", "b", 1, 2, 3, 4]], [["a", 2, 1, 1., 1., 1., 1.]]):
            assert self.create(history=history).history == []

    def test_a_perfect_score_without_relations(self):
        self.send(toy())
        self.send(None)
        assert {row[0]: row[3:] for row in self.rows()}["perfect"] == ["100.00", "–"]

    def test_sentences_of_the_training(self):
        training = load_bundled("en")[:30]
        parser = ParserLearner(order=1, passes=1, relations=False, name="p")(training)
        self.send(parser(training))
        assert str(self.widget.Warning.seen).startswith("Scores are too high, because")
        assert self.widget.Warning.seen.is_shown()
        self.send(parser(load_bundled("en")[30:60]))
        assert not self.widget.Warning.seen.is_shown()

    def test_some_of_the_sentences_that_were_parsed(self):
        treebank = load_bundled("en")[:60]
        parsed = ParserLearner(order=1, passes=1, relations=False, name="p")(
            treebank[:20])(treebank)
        self.send(parsed[:59])
        assert str(self.widget.Warning.seen).startswith("Scores are too high, because")
        self.send(parsed[20:])
        text = str(self.widget.Warning.seen)
        assert text.startswith("Scores may be too high") and "up to " in text
