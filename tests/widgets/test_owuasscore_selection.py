"""UAS Score: comparisons, and what is selected."""
from html import escape

from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QPalette
from AnyQt.QtTest import QTest
from Orange.data import DiscreteVariable
from Orange.widgets.tests.utils import simulate

from orange_structpred.evaluation import BREAKDOWNS, PairedTest, evaluate, paired_test
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.score.comparedpair import (
    ComparedPair,
    comparison_words,
    further_words,
    p_value_text,
    signed_points,
)
from orange_structpred.widgets.score.labels import NOT_SELECTED, selection_words
from tests.evaluation.toy import GOLD
from tests.widgets import uasscore
from tests.widgets.uasscore import HEADS, shifted, toy


class TestComparison(uasscore.UASScoreTest):
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
        compared = ComparedPair("one and two", "one or two", None)
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


class TestSelection(uasscore.UASScoreTest):
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
