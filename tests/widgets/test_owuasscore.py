import ast
from html import escape

import numpy as np
import pytest
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QColor, QIcon, QPalette
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import DiscreteVariable, Table
from Orange.widgets.data.owconcatenate import OWConcatenate
from Orange.widgets.tests.base import WidgetTest
from Orange.widgets.tests.utils import simulate

from orange_structpred.evaluation import BREAKDOWNS, PairedTest, evaluate, paired_test
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.owuasscore import (
    NOT_SCORED,
    NOTHING_TO_SCORE,
    OWUASScore,
)
from orange_structpred.widgets.score.charts import ORDERS, charted, make_chart
from orange_structpred.widgets.score.chartscene import ChartLook, ChartScene
from orange_structpred.widgets.score.comparison import (
    Comparison,
    comparison_words,
    further_words,
    p_value_text,
    signed_points,
)
from orange_structpred.widgets.score.labels import NOT_SELECTED, selection_words
from orange_structpred.widgets.score.table import swatch
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED
from tests.evaluation.toy import sentence as sentence_of
from tests.treebank.toy import UNPARSED
from tests.treebank.toy import treebank as treebank_of
from tests.widgets.waiting import wait_for

HEADS = [sentence.heads for sentence in PREDICTED]
DEPRELS = [sentence.deprels for sentence in PREDICTED]
GOLD_HEADS = [sentence.heads for sentence in GOLD]


def toy(name: str = "toy") -> Treebank:
    """With a labelled prediction of two errors and a perfect one without labels."""
    return Treebank.from_sentences(GOLD, name=name).with_prediction(
        "worse", HEADS, DEPRELS).with_prediction("perfect", GOLD_HEADS)


def shifted(treebank: Treebank, name: str, every: int) -> Treebank:
    """With a prediction in which every so manieth head is another one."""
    heads, seen = [], 0
    for sentence in treebank.sentences:
        own = sentence.heads.copy()
        for token in range(len(own)):
            seen += 1
            if seen % every == 0 and len(own) > 2:
                own[token] = next(head for head in range(len(own) + 1)
                                  if head not in (token + 1, own[token]))
        heads.append(own)
    return treebank.with_prediction(name, heads)


class UASScoreTest(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.english = shifted(shifted(load_bundled("en")[:60], "good", 9), "bad", 4)

    def setUp(self):
        self.widget: OWUASScore = self.create_widget(OWUASScore)

    def create(self, **settings) -> OWUASScore:
        self.widget = self.create_widget(OWUASScore, stored_settings=settings)
        return self.widget

    def send(self, *tables):
        for number, table in enumerate(tables):
            self.send_signal(self.widget.Inputs.treebank, table, number)
        self.wait_until_finished()

    def output(self, name: str):
        return self.get_output(getattr(self.widget.Outputs, name))

    def shown(self, kind: str) -> list[str]:
        return ["".join(message.formatted)
                for message in getattr(self.widget, kind).active]

    def cells(self) -> dict[str, list[str]]:
        model = self.widget.table.model()
        return {column.title: [column.texts[number] for number in model.order]
                for column in model.columns}

    def select_rows(self, *rows: int):
        self.widget.table.clearSelection()
        for row in rows:
            index = self.widget.table.model().index(row, 0)
            self.widget.table.selectionModel().select(
                index, self.widget.table.selectionModel().Select
                | self.widget.table.selectionModel().Rows)

    def click_bar(self, parser: str, label: str, modifiers=Qt.NoModifier):
        chart = self.widget.chart
        item, = (item for item in chart.charts.bars
                 if chart.charts.key(item.bar) == (parser, label))
        chart.ensureVisible(item)
        QTest.mouseClick(chart.viewport(), Qt.LeftButton, modifiers,
                         chart.mapFromScene(item.rect().center()))


class TestTable(UASScoreTest):
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
            image = swatch("#0a7fc2").pixmap(12, 12, mode).toImage()
            assert image.pixelColor(6, 6) == QColor("#0a7fc2")
            assert image.pixelColor(0, 6) == image.pixelColor(11, 6) == base


class TestInputs(UASScoreTest):
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


class TestMessages(UASScoreTest):
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

    def test_wrong_table(self):
        self.send(Table("iris"), toy())
        message, = self.shown("Error")
        assert "iris" in message and "conllu" in message
        assert self.cells()["Parser"] == ["worse", "perfect"]   # the other is scored

    def test_sentences_without_gold_heads_are_left_out(self):
        parts = treebank_of([UNPARSED, CROSSED.block])
        self.send(parts.with_prediction("p", [[0, 1], CROSSED.heads]))
        assert self.shown("Warning") == [
            "Without gold or predicted heads, so not scored: 1 sentence of toy for p."]
        assert self.cells()["Sentences"] == ["1"]
        self.select_rows(0)
        assert len(self.output("treebank")) == 1
        assert self.output("treebank").sentences[0].sent_id == "crossed"


class TestComparison(UASScoreTest):
    def test_two_rows(self):
        self.send(self.english)
        self.select_rows(0, 1)
        test = paired_test(evaluate(self.english, "good"),
                           evaluate(self.english, "bad"))
        text = self.widget.comparison.text()
        assert text.startswith("<b>good</b> is better than <b>bad</b> by "
                               f"{100 * test.difference:.2f} points of UAS")
        assert escape(p_value_text(test.p_value)) in text
        self.select_rows(0)
        assert "select two parsers" in self.widget.comparison.text()

    def test_different_sentences(self):
        self.send(self.english, toy())
        self.select_rows(0, 2)
        message, = self.shown("Information")
        assert "different sentences" in message
        assert "different sentences" in self.widget.comparison.text()
        self.select_rows(2, 3)
        assert self.shown("Information") == []

    def test_same_sentences_of_two_inputs(self):
        self.send(self.english[:, :], shifted(self.english, "third", 3))
        labels = self.cells()["Parser"]
        self.select_rows(1, labels.index("third"))
        assert "is better than <b>third</b>" in self.widget.comparison.text()
        assert self.shown("Information") == []

    def test_all_of_it_is_seen(self):
        long = "A very long name of a parser with all of its parameters, "
        treebank = shifted(shifted(load_bundled("en")[:60], f"{long}C=1", 9),
                           f"{long}C=2", 4)
        self.widget.show()
        self.send(treebank)
        self.select_rows(0, 1)
        label = self.widget.comparison
        heights = {}
        for points in (10, 13):
            font = label.font()
            font.setPointSize(points)
            label.setFont(font)
            for width in (1280, 800, 1, 1279):
                self.widget.resize(width, 700)
                self.process_events()
                heights[points, width] = label.height()
                assert label.height() >= label.heightForWidth(label.width())
                assert "Further differences" in label.text()
                assert long not in label.text()         # shortened
                assert "C=1</b>" in label.text() and "C=2</b>" in label.text()
                assert label.text().index("C=1</b>") < label.text().index("C=2</b>")
        for points in (10, 13):
            # It follows the text both ways.
            assert heights[points, 1279] == heights[points, 1280] < heights[points, 1]
        assert f"<b>{long}C=1</b> is better than <b>{long}C=2</b>" in label.toolTip()
        assert "Further differences" in label.toolTip()
        self.select_rows()
        assert label.toolTip() == ""

    def test_names_that_would_look_the_same(self):
        compared = Comparison("one and two", "one or two", None)
        assert compared.words(lambda name: "one…two").startswith(
            "<b>one and two</b> and <b>one or two</b>")
        assert compared.words(str.upper).startswith("<b>ONE AND TWO</b>")

    def test_words(self):
        assert comparison_words("a", "b", PairedTest(-0.0123, -0.02, -0.004, 0.002)) \
            == ("<b>b</b> is better than <b>a</b> by 1.23 points of UAS (95% interval 0.40 to "
                "2.00). The difference is significant: p\xa0=\xa00.002.")
        assert "The difference may be due to chance: p\xa0=\xa00.34" in comparison_words(
            "a", "b", PairedTest(0.001, -0.002, 0.004, 0.34))
        assert "−0.20 to 0.40" in comparison_words(
            "a", "b", PairedTest(0.001, -0.002, 0.004, 0.34))
        assert comparison_words("a", "b", PairedTest(0, 0, 0, 1)) \
            == "<b>a</b> and <b>b</b> have the same UAS (p\xa0=\xa01.00)."
        assert comparison_words("C<1", "b", PairedTest(0.1, 0, 0.2, 0.0001)).endswith(
            "is significant: p\xa0&lt;\xa00.001.")
        tests = {"UAS": PairedTest(-0.1, 0, 0, 0), "Root": PairedTest(0.02, 0, 0, 0.5)}
        assert further_words(tests) == "Root −2.00 (p\xa0=\xa00.50)"

    def test_figures(self):
        assert [p_value_text(p) for p in (0.0001, 0.0123, 0.5)] == [
            "p\xa0<\xa00.001", "p\xa0=\xa00.012", "p\xa0=\xa00.50"]
        assert [signed_points(share) for share in (0.01, -0.01, 1e-6)] == [
            "+1.00", "−1.00", "0.00"]


class TestSelection(UASScoreTest):
    def test_nothing(self):
        self.send(self.english)
        assert self.output("treebank") is None
        assert self.output("errors") is None

    def test_a_row(self):
        self.send(self.english)
        self.select_rows(1)
        sentences, errors = self.output("treebank"), self.output("errors")
        assert isinstance(sentences, Treebank)
        assert list(sentences.predictions) == ["good", "bad"]
        assert len(sentences) == 60
        evaluation = evaluate(self.english, "bad")
        assert len(errors) == (~evaluation.head_correct).sum()
        assert set(map(str, errors.get_column("form"))) <= {
            form for sentence in sentences.sentences for form in sentence.forms}
        assert errors.domain["parser"].values == ("bad",)
        correct = errors.domain["correct"]
        assert {correct.str_val(value) for value in errors.get_column(correct)} == {"no"}

    def test_two_rows(self):
        self.send(self.english)
        self.select_rows(0, 1)
        errors = self.output("errors")
        parser = errors.get_column("parser")
        for code, name in enumerate(("good", "bad")):
            wrong = ~evaluate(self.english, name).head_correct
            assert (parser == code).sum() == wrong.sum()
        assert len(self.output("treebank")) == 60

    def test_only_with_errors(self):
        self.create(only_errors=True)
        self.send(toy())
        self.select_rows(0)
        assert [sentence.sent_id for sentence in self.output("treebank").sentences] \
            == ["toy-1", "toy-2"]
        self.widget.controls.punct.click()      # the second has a wrong "!" only
        assert [sentence.sent_id for sentence in self.output("treebank").sentences] \
            == ["toy-1"]
        assert len(self.output("errors")) == 1
        self.select_rows(1)                     # all is right
        assert self.output("treebank") is None
        assert len(self.output("errors")) == 0

    def test_bars_of_each_breakdown(self):
        self.send(self.english)
        evaluation = evaluate(self.english, "bad")
        for by in BREAKDOWNS:
            simulate.combobox_activate_item(self.widget.by_combo, by)
            group = max(evaluation.breakdown(by),
                        key=lambda group: group.tokens - group.correct)
            self.click_bar("bad", group.label)
            assert len(self.output("treebank")) == len(group.sentences), by
            assert len(self.output("errors")) == group.tokens - group.correct, by

    def test_bars_with_control_and_off_again(self):
        self.create(by="PoS")
        self.send(self.english)
        groups = {group.label: group
                  for group in evaluate(self.english, "good").breakdown("PoS")}
        self.click_bar("good", "NOUN")
        self.click_bar("good", "VERB", Qt.ControlModifier)
        assert len(self.output("errors")) == sum(
            groups[label].tokens - groups[label].correct for label in ("NOUN", "VERB"))
        self.click_bar("good", "NOUN", Qt.ControlModifier)
        assert self.widget.selected_bars == [["good", "VERB"]]
        QTest.mouseClick(self.widget.chart.viewport(), Qt.LeftButton,
                         Qt.NoModifier, QPoint(3, 3))
        assert self.widget.selected_bars == []
        assert self.output("errors") is None

    def test_a_label_stands_for_its_group(self):
        self.create(by="direction")
        self.send(self.english)
        chart = self.widget.chart
        area, label = chart.charts.group_labels[1]
        QTest.mouseClick(chart.viewport(), Qt.LeftButton, Qt.NoModifier,
                         chart.mapFromScene(area.center()))
        assert chart.selected == [("good", label), ("bad", label)]

    def test_arrow_keys(self):
        self.send(self.english)
        chart = self.widget.chart
        keys = [chart.charts.key(item.bar) for item in chart.charts.bars]
        for key in (Qt.Key_Right, Qt.Key_Right, Qt.Key_Right, Qt.Key_Left):
            QTest.keyClick(chart, key)
        assert chart.selected == [keys[1]]
        QTest.keyClick(chart, Qt.Key_Escape)
        assert chart.selected == []

    def test_a_row_replaces_bars(self):
        self.send(self.english)
        QTest.keyClick(self.widget.chart, Qt.Key_Right)
        self.select_rows(0)
        assert self.widget.chart.selected == self.widget.selected_bars == []
        assert len(self.output("treebank")) == 60

    def test_predictions_of_two_inputs_for_the_same_sentences(self):
        one = self.english
        other = shifted(load_bundled("en")[:60], "third", 3)
        self.send(one, other)
        self.select_rows(0, 2)
        sentences = self.output("treebank")
        assert len(sentences) == 60
        assert list(sentences.predictions) == ["good", "bad", "third"]

    def test_sentences_of_two_treebanks(self):
        german = shifted(load_bundled("de")[:20], "third", 5)
        self.send(self.english, german)
        self.select_rows(1, 2)
        sentences, errors = self.output("treebank"), self.output("errors")
        assert len(sentences) == 80
        assert list(sentences.predictions) == ["good", "bad", "third"]
        assert (sentences.predictions["third"].heads[0] == -1).all()
        relation: DiscreteVariable = errors.domain["relation"]
        for row in errors[-5:]:
            sentence = german.sentences[int(row["sentence"]) - 1]
            position = int(row["position"]) - 1
            assert sentence.forms[position] == str(row["form"])
            full = sentence.deprels[position]
            assert full == str(row["relation with subtypes"])
            assert full.split(":")[0] == relation.str_val(row[relation])

    def test_what_is_sent_can_be_seen(self):
        self.create(by="PoS")
        self.send(self.english)
        label, table = self.widget.selection_label, self.widget.table
        assert label.text().split("\n") == [NOT_SELECTED, "", "", ""]
        strong = table.palette().color(QPalette.Highlight)
        self.select_rows(0, 1)
        assert label.text().splitlines()[0] == "All tokens of 2 parsers"
        assert label.toolTip() == "All tokens of good\nAll tokens of bad"
        self.click_bar("good", "NOUN")
        assert label.text().splitlines()[0] == "Bar NOUN of good"
        # The rows are compared, but not sent: their highlight is faint.
        assert table.selected() == [0, 1]
        assert table.palette().color(QPalette.Highlight) != strong
        self.click_bar("bad", "VERB", Qt.ControlModifier)
        assert label.text().splitlines()[0] == "2 bars of 2 parsers"
        assert label.toolTip() == "Bar NOUN of good\nBar VERB of bad"
        QTest.keyClick(self.widget.chart, Qt.Key_Escape)
        assert label.text().splitlines()[0] == "All tokens of 2 parsers"
        assert table.palette().color(QPalette.Highlight) == strong

    def test_long_names_leave_controls_alone(self):
        self.send(toy())
        self.select_rows(0)
        width = self.widget.controlArea.sizeHint().width()
        self.send(Treebank.from_sentences(GOLD).with_prediction("n" * 200, HEADS))
        self.select_rows(0)
        assert self.widget.controlArea.sizeHint().width() == width
        label = self.widget.selection_label
        assert label.toolTip() == "All tokens of " + "n" * 200
        # a name that is too long has a line to itself
        first, second = label.text().splitlines()[:2]
        assert first == "All tokens of" and second.startswith("n") and "…" in second

    def test_words_of_selections(self):
        assert selection_words([], ["a"]) == "All tokens of a"
        assert selection_words([("a", "x"), ("a", "y")], ["b"]) == "2 bars of a"

    def test_renamed_parsers_remain_selected(self):
        before = shifted(shifted(load_bundled("en")[:60], "a", 9), "b", 4)
        after = shifted(shifted(load_bundled("en")[:60], "a", 9), "c", 4)
        self.create(by="PoS")
        self.send(before)
        self.select_rows(1)
        self.send(None)         # as while another parser learns
        self.send(after)
        assert self.widget.table.selected() == [1]
        assert self.widget.selected_parsers == ["c"]
        assert len(self.output("treebank")) == 60
        self.click_bar("c", "NOUN")
        self.send(before)
        assert self.widget.chart.selected == [("b", "NOUN")]
        # Where names only change their places they count.
        self.select_rows(1)
        self.send(shifted(shifted(load_bundled("en")[:60], "b", 4), "a", 9))
        assert self.widget.table.selected() == [0]

    def test_manual_sending(self):
        self.create(auto_commit=False)
        self.send(self.english)
        self.select_rows(0)
        assert self.output("treebank") is None
        self.widget.commit.now()
        assert self.output("treebank") is not None


class TestChart(UASScoreTest):
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


class TestWidget(UASScoreTest):
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
        assert "No predictions in a&lt;b: connect Apply Parser." \
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


@pytest.mark.parametrize("groups", [1, 2, 5, 17, 40])
@pytest.mark.parametrize("parsers", [1, 3, 5])
def test_bars_of_a_group_have_room(groups, parsers):
    for label in (20., 90.):
        for room in (250., 1000.):
            bar, group = ChartScene._widths(label, parsers, groups, room)
            assert bar >= 9
            assert group >= max(label, bar * parsers)
            assert np.isfinite(group)
