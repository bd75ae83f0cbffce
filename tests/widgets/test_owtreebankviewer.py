import ast
import copy
import re
import tempfile
import threading
import unittest
from pathlib import Path
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import QPoint, QPointF, Qt
from AnyQt.QtGui import QColor, QImage, QPalette, QWheelEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from Orange.data import Table
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.tests.base import WidgetTest
from orangewidget.io import PngFormat, SvgFormat
from orangewidget.tests.utils import simulate

from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.parsing.contributions import Contribution
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.marks import with_marks
from orange_structpred.widgets.owtreebankviewer import TREE_HINT, OWTreebankViewer
from orange_structpred.widgets.tree.explainer import LONG_SENTENCE
from orange_structpred.widgets.tree.list import (
    DOUBT_COLUMN,
    LENGTH_COLUMN,
    LIST_TITLES,
    UAS_COLUMN,
)
from orange_structpred.widgets.tree.picture import WRONG_EDGE
from orange_structpred.widgets.tree.saving import PICTURE_FILTERS
from orange_structpred.widgets.tree.sentencepane import GOLD_ONLY
from tests.treebank.toy import UNPARSED, block
from tests.widgets.waiting import wait_for

FORMS = ("The dog sees a cat", "Cats sleep", "Dogs bark at night")
HEADS = ([2, 3, 0, 5, 3], [2, 0], [2, 0, 4, 2])
FOUND = ([2, 3, 0, 3, 3], [2, 0], [2, 0, 2, 3])       # UAS 80, 100, 50


def treebank():
    return Treebank.from_sentences(
        [Sentence(block(heads, forms, sent_id=f"s{i}"))
         for i, (forms, heads) in enumerate(zip(FORMS, HEADS))], name="toy")


def predicted():
    return treebank().with_prediction("A", FOUND).with_prediction(
        "B", HEADS, [["dep"] * len(heads) for heads in HEADS])


class SlowParser(Parser):
    """A parser that thinks until it is allowed to answer."""

    def __init__(self, parser):
        self.__dict__.update(parser.__dict__)
        self.asked, self.allowed = threading.Event(), threading.Event()

    def explain(self, sentence, head, dependent, heads=None):
        self.asked.set()
        assert self.allowed.wait(30)
        return [Contribution("slow", 1.)]

    def edge_probabilities(self, sentence):
        return np.full((len(sentence) + 1,) * 2, 1 / len(sentence))


class FailingParser(SlowParser):
    def explain(self, sentence, head, dependent, heads=None):
        raise ValueError("no idea")


class TreeViewerTest(WidgetTest):
    def setUp(self):
        self.widget: OWTreebankViewer = self.create_widget(OWTreebankViewer)

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)

    def send_parser(self, parser):
        self.send_signal(self.widget.Inputs.parser, parser)

    def output(self):
        return self.get_output(self.widget.Outputs.selected)

    def show_sentence(self, index):
        self.widget.list.select([index])

    def choose_prediction(self, name):
        simulate.combobox_activate_item(self.widget.pane.prediction_combo, name)

    def wait_for_answer(self):
        self.process_events(lambda: self.widget.explainer.question is None,
                            timeout=60_000)


class TestProbabilities(TreeViewerTest):
    SHARES = ([1, 0.9, 0.99, 0.3, 0.999], [1, 0.98], [0.5, 1, 0.5, np.nan])

    def setUp(self):
        super().setUp()
        self.send(treebank().with_prediction("A", FOUND, None, self.SHARES)
                  .with_prediction("B", HEADS))

    def labels(self):
        return [item.label for _, item in sorted(self.widget.scene.arcs["below"].items())]

    def test_arcs_tell_how_sure_they_are(self):
        self.show_sentence(0)
        self.assertEqual(self.labels(), ["", "90%", "root 99%", "30%", ""])
        arcs = self.widget.scene.arcs["below"]
        self.assertLess(arcs[4].opaque, arcs[2].opaque)
        self.assertEqual(arcs[1].opaque, 1)
        self.assertIn("1 wrong head, UAS 80.0%", self.widget.about.text())
        self.assertIn("0.8 expected", self.widget.about.text())
        self.widget.controls.probabilities.click()
        self.assertEqual(self.labels(), ["", "", "root", "", ""])
        self.assertEqual(self.widget.scene.arcs["below"][4].opaque, 1)

    def test_words_tell_it(self):
        self.show_sentence(0)
        self.widget._on_click(4)
        self.assertIn("wrongly predicted</font> head", self.widget.line.text())
        self.assertIn(", 30% sure", self.widget.line.text())
        self.show_sentence(2)
        self.widget._on_click(4)
        self.assertNotIn("sure", self.widget.line.text())

    def test_what_to_look_at_first(self):
        header = self.widget.list.horizontalHeader()
        self.assertFalse(self.widget.list.isColumnHidden(DOUBT_COLUMN))
        header.setSortIndicator(DOUBT_COLUMN, Qt.DescendingOrder)
        self.assertEqual(self.widget.list.model().rows.tolist(), [2, 0, 1])
        self.choose_prediction("B")
        self.assertTrue(self.widget.list.isColumnHidden(DOUBT_COLUMN))
        self.assertNotIn("expected", self.widget.about.text())


class TestTrees(TreeViewerTest):
    def test_nothing(self):
        widget = self.widget
        for data in (None, predicted(), None):
            self.send(data)
        self.assertIsNone(self.output())
        self.assertIsNone(widget.drawn)
        self.assertEqual(widget.scene.words, [])
        self.assertIsNone(widget.printed)
        self.assertEqual(widget.line.text(), "")
        self.assertFalse(widget.pane.prediction_combo.isEnabled())
        widget.send_report()

    def test_empty_treebank(self):
        self.send(predicted()[:0])
        self.assertIsNone(self.output())
        self.assertEqual(self.widget.pane.model.rowCount(), 0)

    def test_wrong_table(self):
        self.send(predicted())
        self.send(Table("iris"))
        self.assertTrue(self.widget.Error.no_treebank.is_shown())
        self.assertIn("'iris' is not a treebank", str(self.widget.Error.no_treebank))
        self.assertIsNone(self.output())
        self.assertEqual(self.widget.scene.words, [])
        self.send(predicted())
        self.assertFalse(self.widget.Error.no_treebank.is_shown())
        self.assertEqual(len(self.widget.scene.words), 5)

    def test_damaged_prediction(self):
        data = predicted()
        with data.unlocked(data.metas):
            data[1, "A"] = "2 0 2"
        self.send(data)
        self.assertIn("row 2", str(self.widget.Error.no_treebank))
        self.assertEqual(self.widget.pane.model.rowCount(), 0)

    def test_any_table_that_carries_a_treebank(self):
        data = predicted()
        plain = Table.from_table(data.domain, data)
        self.assertNotIsInstance(plain, Treebank)
        self.send(plain)
        self.assertEqual(list(self.widget.scene.arcs["below"]), [1, 2, 3, 4, 5])
        self.assertIsInstance(self.output(), Treebank)

    def test_gold_only(self):
        self.send(treebank())
        self.assertEqual(list(self.widget.scene.arcs["above"]), [1, 2, 3, 4, 5])
        self.assertEqual(self.widget.scene.arcs["below"], {})
        self.assertFalse(self.widget.pane.prediction_combo.isEnabled())
        self.assertTrue(self.widget.list.isColumnHidden(UAS_COLUMN))

    def test_predictions(self):
        self.send(predicted())
        widget = self.widget
        self.assertEqual(widget.pane.chosen, "A")
        self.assertEqual(widget.scene.arcs["below"][4].kind, WRONG_EDGE)
        self.assertIn("1 wrong head, UAS 80.0%", widget.about.text())
        self.choose_prediction("B")
        self.assertNotEqual(widget.scene.arcs["below"][4].kind, WRONG_EDGE)
        self.assertEqual(widget.scene.arcs["below"][4].label, "dep")
        self.assertIn("0 wrong heads", widget.about.text())
        self.choose_prediction(GOLD_ONLY)
        self.assertEqual(widget.scene.arcs["below"], {})
        self.assertNotIn("UAS", widget.about.text())

    def test_the_choice_of_a_prediction_is_kept(self):
        self.send(predicted())
        self.choose_prediction("B")
        self.send(None)
        self.send(treebank())
        self.send(predicted())
        self.assertEqual(self.widget.pane.chosen, "B")
        self.choose_prediction(GOLD_ONLY)
        self.send(predicted())
        self.assertIsNone(self.widget.pane.chosen)

    def test_no_gold_heads(self):
        unparsed = Treebank.from_sentences([Sentence(UNPARSED)])
        self.send(unparsed)
        self.assertTrue(self.widget.Information.no_trees.is_shown())
        self.assertEqual(len(self.widget.scene.words), 2)
        self.send(unparsed.with_prediction("A", [[2, 0]]))
        self.assertFalse(self.widget.Information.no_trees.is_shown())
        self.assertEqual(list(self.widget.scene.arcs["above"]), [1, 2])
        self.assertEqual(self.widget.scene.arcs["below"], {})
        self.assertTrue(self.widget.list.isColumnHidden(UAS_COLUMN))

    def test_display(self):
        self.send(predicted())
        widget = self.widget
        simulate.combobox_activate_item(widget.controls.words, "lemma")
        self.assertEqual(widget.scene.words[0].word, "the")
        simulate.combobox_activate_item(widget.controls.tags, "UPOS and XPOS")
        self.assertEqual(widget.scene.words[0].tags, ["X", "XX"])
        widget.controls.relations.click()
        self.assertEqual(widget.scene.arcs["above"][1].label, "")
        self.assertEqual((widget.words, widget.tags, widget.relations),
                         ("lemma", "UPOS and XPOS", False))

    def test_theme(self):
        self.send(predicted())
        before = self.widget.scene.words[0].look.text
        dark = QPalette(self.widget.palette())
        dark.setColor(QPalette.Base, QColor("#222222"))
        dark.setColor(QPalette.Text, QColor("#eeeeee"))
        self.widget.setPalette(dark)
        self.assertNotEqual(self.widget.scene.words[0].look.text, before)
        self.assertEqual(self.widget.scene.words[0].look.text.name(), "#eeeeee")


class TestList(TreeViewerTest):
    def test_output(self):
        self.send(predicted())
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s0"])
        self.widget.list.selectAll()
        out = self.output()
        self.assertEqual(len(out), 3)
        self.assertEqual(list(out.predictions), ["A", "B"])
        self.widget.list.clearSelection()
        self.assertIsNone(self.output())

    def test_output_in_the_order_of_the_treebank(self):
        self.send(predicted())
        self.widget.list.horizontalHeader().setSortIndicator(UAS_COLUMN, Qt.AscendingOrder)
        self.widget.list.selectAll()
        self.assertEqual([s.sent_id for s in self.output().sentences],
                         ["s0", "s1", "s2"])

    def test_output_waits_if_told_to(self):
        self.widget.controls.auto_commit.click()
        self.send(predicted())
        self.show_sentence(2)
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s0"])
        self.widget.commit.now()
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s2"])

    def test_output_fits_other_widgets(self):
        self.send(predicted())
        table = self.create_widget(OWTable)
        self.send_signal(table.Inputs.data, self.output(), widget=table)
        self.assertEqual(table.view.model().rowCount(), 1)

    def test_filter(self):
        self.send(predicted())
        self.widget.pane.filter_edit.setText("dog")
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 2])
        self.assertEqual(self.widget.drawn, 0)
        self.widget.pane.filter_edit.setText("bark")
        self.assertEqual(self.widget.drawn, 2)
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s2"])
        self.widget.pane.filter_edit.setText("nothing like this")
        self.assertIsNone(self.widget.drawn)
        self.assertIsNone(self.output())
        self.assertEqual(self.widget.scene.words, [])
        self.widget.pane.filter_edit.clear()
        self.assertEqual(self.widget.drawn, 0)

    def test_sort(self):
        self.send(predicted())
        self.show_sentence(1)
        header = self.widget.list.horizontalHeader()
        header.setSortIndicator(UAS_COLUMN, Qt.AscendingOrder)
        self.assertEqual(self.widget.pane.model.rows.tolist(), [2, 0, 1])
        self.assertEqual(self.widget.drawn, 1)
        self.assertEqual(self.widget.list.selected(), [1])
        self.choose_prediction("B")
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 1, 2])
        header.setSortIndicator(LENGTH_COLUMN, Qt.DescendingOrder)
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 2, 1])
        self.assertEqual((self.widget.sort_column, self.widget.sort_descending),
                         (LENGTH_COLUMN, True))

    def test_new_predictions_keep_the_sentence(self):
        self.send(predicted())
        self.show_sentence(2)
        self.send(treebank().with_prediction("C", HEADS))
        self.assertEqual(self.widget.drawn, 2)
        self.assertEqual(self.widget.pane.chosen, "C")
        self.assertEqual(list(self.output().predictions), ["C"])
        self.send(predicted()[1:])
        self.assertEqual(self.widget.drawn, 0)

    def test_many_sentences(self):
        many = Treebank.from_sentences(treebank().sentences * 2000)
        self.send(many.with_prediction("A", list(FOUND) * 2000))
        self.assertEqual(self.widget.pane.model.rowCount(), 6000)
        self.widget.pane.filter_edit.setText("cats")
        self.assertEqual(self.widget.pane.model.rowCount(), 2000)
        self.widget.list.selectAll()
        self.assertEqual(len(self.output()), 2000)

    def test_keys(self):
        widget = self.widget
        self.send(predicted())
        widget.show()
        for target in (widget.list, widget.view, widget.pane.filter_edit):
            self.show_sentence(0)
            QTest.keyClick(target, Qt.Key_Down)
            self.assertEqual(widget.drawn, 1, target)
            QTest.keyClick(target, Qt.Key_Down)
            QTest.keyClick(target, Qt.Key_Up)
            self.assertEqual(widget.drawn, 1, target)
        widget.hide()


    def test_sorting_shows_the_first_ones(self):
        many = Treebank.from_sentences(treebank().sentences * 100)
        self.send(many.with_prediction("A", list(FOUND) * 100))
        self.widget.show()
        self.show_sentence(1)           # one of the best
        self.widget.list.horizontalHeader().setSortIndicator(UAS_COLUMN, Qt.AscendingOrder)
        self.assertEqual(self.widget.list.indexAt(QPoint(2, 2)).row(), 0)
        self.assertEqual(self.widget.drawn, 1)

    def test_escape_clears_the_filter(self):
        self.send(predicted())
        self.widget.show()
        QTest.keyClicks(self.widget.pane.filter_edit, "dog")
        QTest.keyClick(self.widget.pane.filter_edit, Qt.Key_Escape)
        self.assertEqual(self.widget.pane.filter_edit.text(), "")
        self.assertTrue(self.widget.isVisible())
        self.assertEqual(self.widget.pane.model.rowCount(), 3)

    def test_the_same_sentences_come_again(self):
        """As when a parser is trained anew: in between there is nothing."""
        self.send(predicted())
        self.widget.list.select([1, 2], 2)
        self.widget.scene.token_clicked.emit(3)
        for between in ([], [None], [Table("iris"), None]):
            for data in [*between, treebank().with_prediction("C", HEADS)]:
                self.send(data)
            self.assertEqual(self.widget.list.selected(), [1, 2])
            self.assertEqual(self.widget.selection, [1, 2])
            self.assertEqual(self.widget.drawn, 2)
            self.assertEqual((self.widget.token, self.widget.pinned), (3, True))
            self.assertTrue(self.widget.scene.words[2].focused)
            self.assertEqual(len(self.output()), 2)
        self.send(None)
        self.assertIsNone(self.output())
        self.send(predicted()[::-1])            # others
        self.assertEqual(self.widget.list.selected(), [0])
        self.assertEqual((self.widget.token, self.widget.pinned), (0, False))

    def test_long_names_of_predictions_do_not_widen_the_picture(self):
        widths = []
        for length in (5, 500):
            self.send(treebank().with_prediction("A" * length, FOUND))
            widths.append(self.widget.scene.sceneRect().width())
        self.assertLess(widths[1], 3 * widths[0])

    def test_a_wrong_table_is_told_in_the_window(self):
        self.send(Table("iris"))
        self.assertEqual(self.widget.why_nothing(), "The input is not a treebank.")


class TestZoom(TreeViewerTest):
    def setUp(self):
        super().setUp()
        self.send(predicted())
        self.widget.show()
        self.widget.activateWindow()
        self.process_events()

    def tearDown(self):
        self.widget.hide()
        super().tearDown()

    def test_keys(self):
        view = self.widget.view
        for target in (view, self.widget.list):
            target.setFocus()
            QTest.keyClick(target, Qt.Key_0)
            self.assertEqual(view.zoom, 100)
            self.assertFalse(self.widget.fit)
            QTest.keyClick(target, Qt.Key_Plus)
            self.assertAlmostEqual(view.zoom, 120)
            QTest.keyClick(target, Qt.Key_Minus)
            self.assertEqual(view.zoom, 100)
            QTest.keyClick(target, Qt.Key_F)
            self.assertTrue(self.widget.fit)
            self.assertEqual(view.zoom, 125)

    def test_keys_are_text_in_the_filter(self):
        self.widget.pane.filter_edit.setFocus()
        QTest.keyClicks(self.widget.pane.filter_edit, "0+-f")
        self.assertEqual(self.widget.pane.filter_edit.text(), "0+-f")
        self.assertTrue(self.widget.fit)

    def test_wheel(self):
        view = self.widget.view
        view.set_zoom(100)
        for turn, expected in ((120, 120), (-120, 100)):
            at = QPointF(50, 50)
            QApplication.sendEvent(view.viewport(), QWheelEvent(
                at, view.mapToGlobal(at), QPoint(), QPoint(0, turn), Qt.NoButton,
                Qt.ControlModifier, Qt.NoScrollPhase, False))
            self.assertAlmostEqual(view.zoom, expected)


class TestToken(TreeViewerTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bundled = load_bundled("en")
        cls.parser = ParserLearner(passes=2, order=1, name="small")(cls.bundled[:60])
        cls.parsed = cls.parser(cls.bundled[60:90])

    def show_wrong(self):
        """A sentence with a wrong head, and its token."""
        for index, (sentence, heads) in enumerate(zip(
                self.parsed.sentences, self.parsed.predictions["small"].heads)):
            wrong = np.flatnonzero(sentence.heads != heads)
            if len(wrong):
                self.show_sentence(index)
                return sentence, int(wrong[0]) + 1, heads
        raise AssertionError("there is no wrong head in the whole treebank")

    def test_without_a_parser(self):
        self.send(predicted())
        self.assertEqual(self.widget.line.text(), TREE_HINT)
        self.assertTrue(self.widget.panel.isHidden())
        self.widget.scene.token_hovered.emit(4)
        text = self.widget.line.text()
        for part in ("gold", "cat", "wrongly predicted", "sees"):
            self.assertIn(part, text)
        self.assertTrue(self.widget.scene.words[3].focused)
        self.widget.scene.token_hovered.emit(0)
        self.assertFalse(self.widget.scene.words[3].focused)
        self.assertEqual(self.widget.line.text(), text)

    def test_clicks_keep_a_token(self):
        self.send(predicted())
        scene = self.widget.scene
        scene.token_clicked.emit(4)
        self.assertIn("pinned", self.widget.line.text())
        for other in (1, 0):
            scene.token_hovered.emit(other)
            self.assertEqual(self.widget.token, 4)
            self.assertTrue(scene.words[3].focused)
        scene.token_clicked.emit(2)
        self.assertEqual((self.widget.token, self.widget.pinned), (2, True))
        scene.token_clicked.emit(2)
        self.assertFalse(self.widget.pinned)
        scene.token_clicked.emit(2)
        QTest.keyClick(self.widget, Qt.Key_Escape)
        self.assertEqual((self.widget.token, self.widget.pinned), (0, False))
        scene.token_clicked.emit(2)
        self.show_sentence(1)
        self.assertEqual((self.widget.token, self.widget.pinned), (0, False))

    def test_keys_go_through_the_words(self):
        self.send(predicted())
        self.widget.show()
        QTest.qWaitForWindowActive(self.widget)
        seen = []
        for key in (Qt.Key_Right, Qt.Key_Right, Qt.Key_Left, Qt.Key_Left, Qt.Key_Right):
            QTest.keyClick(self.widget.view, key, Qt.ControlModifier)
            self.assertTrue(self.widget.pinned)
            self.assertTrue(self.widget.scene.words[self.widget.token - 1].focused)
            seen.append(self.widget.token)
        self.assertEqual(seen, [1, 2, 1, 5, 1])
        QTest.keyClick(self.widget.view, Qt.Key_Escape)
        self.assertEqual((self.widget.token, self.widget.pinned), (0, False))
        QTest.keyClick(self.widget.view, Qt.Key_Left, Qt.ControlModifier)
        self.assertEqual(self.widget.token, 5)
        self.send(None)
        QTest.keyClick(self.widget.view, Qt.Key_Left, Qt.ControlModifier)
        self.assertEqual(self.widget.token, 0)

    def test_keys_follow_the_direction_of_the_script(self):
        self.send(Treebank.from_sentences([
            Sentence(block([2, 0], "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"))]))
        self.widget._step_token(1)
        self.assertEqual(self.widget.token, 2)      # the last word is at the left

    def test_whose_scores(self):
        self.send(self.parsed)
        self.widget.scene.token_hovered.emit(1)
        self.assertNotIn("scores of", self.widget.line.text())
        self.send_parser(self.parser)           # the one of the prediction
        self.assertNotIn("scores of", self.widget.line.text())
        parser = copy.copy(self.parser)
        parser.name = "<other>"
        self.send_parser(parser)
        self.assertIn("scores of <b>&lt;other&gt;</b>", self.widget.line.text())
        self.widget.send_report()
        self.assertIn("&lt;other&gt;", self.widget.report_html)

    def test_display_keeps_the_token(self):
        self.send(predicted())
        self.widget.scene.token_clicked.emit(4)
        self.widget.controls.relations.click()
        self.assertTrue(self.widget.scene.words[3].focused)
        self.assertTrue(self.widget.pinned)

    def test_contributions(self):
        for signals in ((self.send, self.parsed), (self.send_parser, self.parser)), \
                ((self.send_parser, self.parser), (self.send, self.parsed)):
            self.widget = self.create_widget(OWTreebankViewer)
            for send, value in signals:
                send(value)
            self.assertFalse(self.widget.panel.isHidden())
            sentence, token, heads = self.show_wrong()
            self.widget.scene.token_hovered.emit(token)
            self.wait_for_answer()
            gold, wrong = self.widget.panel.explanations()
            scores = self.parser.edge_scores(sentence)
            self.assertAlmostEqual(
                gold.score, scores[sentence.heads[token - 1], token], 4)
            self.assertAlmostEqual(wrong.score, scores[heads[token - 1], token], 4)
            self.assertEqual(len(gold.others), len(sentence) - 1)

    def test_answers_are_remembered(self):
        self.send(self.parsed)
        self.send_parser(self.parser)
        self.widget.scene.token_hovered.emit(1)
        self.wait_for_answer()
        shown = self.widget.panel.explanations()
        self.widget.scene.token_hovered.emit(2)
        self.widget.scene.token_hovered.emit(1)
        self.assertIsNone(self.widget.explainer.question)
        self.assertEqual(self.widget.panel.explanations()[0].contributions,
                         shown[0].contributions)

    def test_other_parser(self):
        self.send(self.parsed)
        self.send_parser(self.parser)
        self.widget.scene.token_clicked.emit(1)
        self.wait_for_answer()
        first, = {e.score for e in self.widget.panel.explanations()[:1]}
        self.send_parser(ParserLearner(passes=1, order=1, C=.01)(self.bundled[:20]))
        self.wait_for_answer()
        self.assertNotEqual(self.widget.panel.explanations()[0].score, first)
        self.send_parser(None)
        self.assertTrue(self.widget.panel.isHidden())
        self.assertIn("pinned", self.widget.line.text())

    def test_slow_parsers_do_not_stand_in_the_way(self):
        parser = SlowParser(self.parser)
        self.addCleanup(parser.allowed.set)
        self.send(predicted())
        self.send_parser(parser)
        self.widget.scene.token_hovered.emit(1)
        self.process_events(parser.asked.is_set, timeout=10_000)
        self.assertFalse(self.widget.isInvalidated())
        self.show_sentence(1)                   # the question does not matter now
        self.widget.scene.token_hovered.emit(2)
        self.assertEqual(self.widget.panel.explanations(), [])
        parser.allowed.set()
        self.wait_for_answer()
        self.assertEqual(self.widget.explainer.task, None)
        explanation, *_ = self.widget.panel.explanations()
        self.assertIn("sleep", explanation.title)

    def test_no_thread_outlives_the_widget(self):
        parser = SlowParser(self.parser)
        self.send(predicted())
        self.send_parser(parser)
        self.widget.scene.token_hovered.emit(1)
        self.process_events(parser.asked.is_set, timeout=10_000)
        before = threading.active_count()
        self.widget.onDeleteWidget()
        parser.allowed.set()
        wait_for(lambda: threading.active_count() < before)

    def test_failure(self):
        self.send(predicted())
        self.send_parser(FailingParser(self.parser))
        self.widget.scene.token_hovered.emit(1)
        self.wait_for_answer()
        self.assertIn("no idea", str(self.widget.Warning.not_explained))
        self.assertEqual(self.widget.panel.explanations(), [])
        self.send_parser(None)
        self.assertFalse(self.widget.Warning.not_explained.is_shown())

    def test_a_token_without_heads(self):
        self.send(Treebank.from_sentences([Sentence(UNPARSED)]))
        self.send_parser(self.parser)
        self.widget.scene.token_clicked.emit(1)
        self.wait_for_answer()
        self.assertEqual(self.widget.panel.explanations(), [])

    def test_long_sentences_are_explained_without_scoring_all_edges(self):
        n = LONG_SENTENCE + 1
        self.send(Treebank.from_sentences([
            Sentence(block([0, *range(1, n)])), Sentence(block([0, 1]))]))
        self.send_parser(self.parser)
        self.widget.scene.token_clicked.emit(n)
        self.wait_for_answer()
        explanation, *_ = self.widget.panel.explanations()
        self.assertIsNone(explanation.others)
        self.assertNotIn("heads", explanation.summary())
        self.show_sentence(1)
        self.widget.scene.token_clicked.emit(2)
        self.wait_for_answer()
        self.assertIn("of 2 heads", self.widget.panel.explanations()[0].summary())

    def test_report(self):
        self.send(self.parsed)
        self.send_parser(self.parser)
        _, token, _ = self.show_wrong()
        self.widget.scene.token_clicked.emit(token)
        self.wait_for_answer()
        self.widget.send_report()
        html = self.widget.report_html
        for part in ("data:image/png", "small", "UAS", "score", "head is",
                     self.widget.sentences[self.widget.drawn].text[:10]):
            self.assertIn(part, html)


    def test_reports_show_words_as_they_are(self):
        self.send(Treebank.from_sentences(
            [Sentence(block([2, 0], "<http://x> <script>", sent_id="<a>"))], name="<b>"))
        self.widget.send_report()
        for text in ("&lt;http://x&gt; &lt;script&gt;", "&lt;a&gt;", "&lt;b&gt;"):
            self.assertIn(text, self.widget.report_html)
        self.assertNotIn("<script>", self.widget.report_html)

    def test_a_report_of_nothing(self):
        self.widget.send_report()
        self.assertIn("Waiting for a treebank", self.widget.report_html)


class TestMarks(TreeViewerTest):
    def test_marked_tokens(self):
        self.send(with_marks(predicted(), [[2, 4], [], [1]]))
        self.assertEqual([word.marked for word in self.widget.scene.words],
                         [False, True, False, True, False])
        self.assertIn("2 marked tokens", self.widget.about.text())
        self.show_sentence(1)
        self.assertFalse(any(word.marked for word in self.widget.scene.words))
        self.assertNotIn("marked", self.widget.about.text())
        self.send(predicted())
        self.show_sentence(0)
        self.assertFalse(any(word.marked for word in self.widget.scene.words))


class TestFiles(TreeViewerTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_pictures(self):
        self.send(predicted())
        size = self.widget.printed.sceneRect().size()
        png, svg = str(self.folder / "tree.png"), str(self.folder / "tree.svg")
        PngFormat.write(png, self.widget.printed)
        SvgFormat.write(svg, self.widget.printed)
        image = QImage(png)
        self.assertAlmostEqual(image.width(), size.width(), delta=60)
        self.assertEqual(image.pixelColor(2, 2), QColor("white"))
        text = Path(svg).read_text(encoding="utf-8")
        for word in ("dog", "sees", "wrong head"):
            self.assertIn(word, text)

    def select(self, *rows):
        self.widget.list.select(list(rows), rows[0])

    def test_many_trees_at_once(self):
        self.send(predicted())
        self.select(0, 2)
        sharing = self.widget.sharing
        for suffix in ("svg", "png"):
            sharing.save_to(self.folder / f"trees.{suffix}")
            self.assertEqual({path.name for path in self.folder.glob(f"*.{suffix}")},
                             {f"trees-1.{suffix}", f"trees-3.{suffix}"})
        self.assertIn("night", (self.folder / "trees-3.svg").read_text("utf-8"))
        widths = [QImage(str(self.folder / f"trees-{n}.png")).width() for n in (1, 3)]
        simulate.combobox_activate_item(self.widget.controls.scale, "4×")
        sharing.save_to(self.folder / "trees.png")
        self.assertGreater(QImage(str(self.folder / "trees-1.png")).width(),
                           1.7 * widths[0])
        sharing.save_to(self.folder / "trees.pdf")
        data = (self.folder / "trees.pdf").read_bytes()
        self.assertTrue(data.startswith(b"%PDF"))
        self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", data)), 2)
        sharing.save_to(self.folder / "trees.tex")
        text = (self.folder / "trees.tex").read_text("utf-8")
        self.assertEqual(text.count(r"\begin{dependency}"), 2)
        self.assertIn(r"Dogs \& bark \& at \& night", text)
        self.assertIn("edge below", text)
        self.select(1)
        sharing.save_to(self.folder / "one.svg")
        self.assertTrue((self.folder / "one.svg").exists())

    def test_trees_that_cannot_be_saved(self):
        self.send(predicted())
        self.widget.sharing.save_to(self.folder / "nowhere" / "trees.pdf")
        self.assertIn("No such file", self.widget.Error.not_saved.formatted)
        self.widget.sharing.save_to(self.folder / "trees.pdf")
        self.assertFalse(self.widget.Error.not_saved.is_shown())

    def test_the_dialog(self):
        self.send(predicted())
        self.select(0, 1)
        sharing = self.widget.sharing
        module = "orange_structpred.widgets.tree.sharing"
        answer = str(self.folder / "mine"), next(
            text for text in PICTURE_FILTERS if "svg" in text)
        with patch(f"{module}.QFileDialog.getSaveFileName", return_value=answer), \
                patch(f"{module}.QMessageBox.question") as question:
            sharing.save_button.click()
            question.assert_not_called()
            self.assertTrue((self.folder / "mine-2.svg").exists())
            (self.folder / "mine-1.svg").write_text("mine")
            sharing.save_button.click()
            question.assert_called_once()       # and the answer was not yes
        self.assertEqual((self.folder / "mine-1.svg").read_text(), "mine")
        with patch(f"{module}.QFileDialog.getSaveFileName", return_value=("", "")):
            sharing.save_button.click()

    def test_copies_as_text(self):
        self.send(predicted())
        self.select(2)
        self.widget.sharing.copy_button.click()
        self.assertEqual(QApplication.clipboard().text(), (
            "Dogs bark at night\n\nbark (root)\n├─ Dogs (dep)\n└─ night (dep)\n"
            "   └─ at (dep)\n\nA:\nbark (root)\n├─ Dogs\n└─ at *\n   └─ night *"))

    def test_nothing_to_share(self):
        self.widget.sharing.save_button.click()
        self.widget.sharing.copy_button.click()
        self.assertEqual(self.widget.sharing.text(), "")

    def test_sizes_of_pictures(self):
        self.send(predicted())
        widths = {}
        for scale in ("1×", "2×", "4×"):
            simulate.combobox_activate_item(self.widget.controls.scale, scale)
            widths[scale] = self.widget.printed.sceneRect().width()
        # margins stay as they are
        self.assertGreater(widths["2×"], 1.7 * widths["1×"])
        self.assertGreater(widths["4×"], 1.7 * widths["2×"])

    def test_pictures_are_on_white_in_a_dark_application(self):
        before = QApplication.palette()
        self.addCleanup(QApplication.setPalette, before)
        dark = QPalette(before)
        dark.setColor(QPalette.Base, QColor("#222222"))
        dark.setColor(QPalette.Text, QColor("#eeeeee"))
        QApplication.setPalette(dark)
        self.send(predicted())
        path = str(self.folder / "tree.png")
        PngFormat.write(path, self.widget.printed)
        image = QImage(path)
        self.assertEqual(image.pixelColor(2, 2), QColor("white"))
        colours = [image.pixelColor(x, y).lightness() for x in range(image.width())
                   for y in range(0, image.height(), 3)]
        self.assertLess(min(colours), 60)       # the words
        # and it is seen in its own colours on the screen
        self.assertEqual(self.widget.scene.backgroundBrush().color(),
                         self.widget.view.palette().color(QPalette.Base))

    def test_pictures_are_on_white_in_dark_themes(self):
        dark = QPalette()
        dark.setColor(QPalette.Base, QColor("#222222"))
        self.widget.setPalette(dark)
        self.send(predicted())
        path = str(self.folder / "tree.png")
        PngFormat.write(path, self.widget.printed)
        self.assertEqual(QImage(path).pixelColor(2, 2), QColor("white"))


class TestSettings(TreeViewerTest):
    def test_round_trip(self):
        self.send(predicted())
        widget = self.widget
        self.choose_prediction("B")
        widget.controls.relations.click()
        widget.list.horizontalHeader().setSortIndicator(LENGTH_COLUMN, Qt.DescendingOrder)
        widget.view.set_zoom(150)
        widget.list.select([1, 2])
        stored = widget.settingsHandler.pack_data(widget)
        for name, value in stored.items():
            self.assertEqual(ast.literal_eval(repr(value)), value, name)

        self.widget = self.create_widget(OWTreebankViewer, stored_settings=stored)
        self.send(predicted())
        self.assertEqual(self.widget.pane.chosen, "B")
        self.assertFalse(self.widget.relations)
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 2, 1])
        self.assertEqual(self.widget.view.zoom, 150)
        self.assertFalse(self.widget.view.fit)
        self.assertEqual(self.widget.list.selected(), [1, 2])
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s1", "s2"])

    def test_a_new_viewer_fits_its_trees(self):
        self.send(predicted())
        self.widget.view.set_zoom(150)
        self.widget.settingsHandler.update_defaults(self.widget)
        new = self.create_widget(OWTreebankViewer)
        self.assertTrue(new.view.fit)
        self.assertTrue(new.fit)

    def test_columns_of_the_first_version(self):
        for column in (0, 1, 2, 3):
            widget = self.create_widget(OWTreebankViewer, stored_settings={
                "sort_column": column, "__version__": 1})
            self.assertEqual(LIST_TITLES[widget.sort_column],
                             ("#", "Len", "UAS", "Sentence")[column])

    def test_a_selection_that_is_no_more(self):
        stored = {"selection": [7, 8]}
        self.widget = self.create_widget(OWTreebankViewer, stored_settings=stored)
        self.send(predicted())
        self.assertEqual(self.widget.list.selected(), [0])

    def test_size(self):
        self.assertLessEqual(self.widget.sizeHint().width(), 1280)
        self.assertLessEqual(self.widget.sizeHint().height(), 800)
        self.assertLessEqual(self.widget.minimumSizeHint().width(), 1000)
        self.assertLessEqual(self.widget.minimumSizeHint().height(), 600)

    def test_summaries(self):
        self.send(predicted())
        found = self.widget.input_summaries["Treebank"][None]
        self.assertEqual(found.summary, 3)
        self.assertIn("11 tokens", found.details)


if __name__ == "__main__":
    unittest.main()
