"""Treebank Viewer: tokens, their scores, probabilities and marks."""
import copy
import threading
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest

from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.marks import with_marks
from orange_structpred.widgets.common.failures import BUG
from orange_structpred.widgets.owtreebankviewer import TREE_HINT, OWTreebankViewer
from orange_structpred.widgets.tree.explainer import LONG_SENTENCE
from orange_structpred.widgets.tree.list import DOUBT_COLUMN
from tests.treebank.toy import UNPARSED, block
from tests.widgets import treebankviewer
from tests.widgets.treebankviewer import FOUND, HEADS, predicted, treebank
from tests.widgets.waiting import LONG, wait_for


class SlowParser(Parser):
    """A parser that thinks until it is allowed to answer."""

    def __init__(self, parser):
        self.__dict__.update(parser.__dict__)
        self.asked, self.allowed = threading.Event(), threading.Event()

    def explain(self, sentence, head, dependent, heads=None):
        self.asked.set()
        assert self.allowed.wait(LONG)
        return [Contribution("slow", 1.)]

    def edge_probabilities(self, sentence):
        return np.full((len(sentence) + 1,) * 2, 1 / len(sentence))


class FailingParser(SlowParser):
    def explain(self, sentence, head, dependent, heads=None):
        raise ValueError("no idea")


class TestToken(treebankviewer.TreeViewerTest):
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

    def test_words_on_which_the_net_depends(self):
        small = self.bundled[:20]
        parser = ParserLearner("neural", epochs=1, hidden=4, calibrate=False,
                               name="net")(small)
        self.send(parser(small))
        self.assertTrue(self.widget.panel.words_box.isHidden())
        self.send_parser(parser)
        self.widget.scene.token_clicked.emit(1)
        self.wait_for_answer()
        self.assertIsNone(self.widget.panel.explanations()[0].words)
        self.widget.panel.words_box.click()
        self.wait_for_answer()
        shown, sentence = self.widget.panel.explanations()[0], small.sentences[0]
        expected = parser.explain_net(sentence, int(sentence.heads[0]), 1)
        np.testing.assert_allclose([item.value for item in shown.words],
                                   [item.value for item in expected], atol=1e-4)
        self.widget.send_report()
        self.send_parser(self.parser)
        self.assertTrue(self.widget.panel.words_box.isHidden())
        self.wait_for_answer()
        self.assertIsNone(self.widget.panel.explanations()[0].words)

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
        self.process_events(parser.asked.is_set)
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
        self.process_events(parser.asked.is_set)
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

    def test_a_fault_of_ours_is_told_as_one(self):
        self.send(predicted())
        self.send_parser(self.parser)
        with patch.object(Parser, "explain", side_effect=KeyError("head")):
            self.widget.scene.token_hovered.emit(1)
            self.wait_for_answer()
        self.assertIn(BUG, str(self.widget.Warning.not_explained))

    def test_a_failure_is_told_only_of_its_token(self):
        self.send_parser(FailingParser(self.parser))
        for leave in (lambda: self.send(self.parsed), lambda: self.show_sentence(1),
                      lambda: self.widget.scene.token_hovered.emit(2)):
            self.send(predicted())
            self.show_sentence(0)
            self.widget.scene.token_hovered.emit(1)
            self.wait_for_answer()
            self.assertTrue(self.widget.Warning.not_explained.is_shown())
            leave()
            self.assertFalse(self.widget.Warning.not_explained.is_shown())

    def test_a_wrong_relation_is_compared_with_gold(self):
        """Whatever relation the connected parser prefers itself."""
        sentence = self.bundled.sentences[0]
        relations = [*sentence.deprels]
        token = relations.index("det") + 1
        preferred = self.parser.explain_relation(
            sentence, token, heads=sentence.heads).relation
        predicted = next(name for name in self.parser.relations.names
                         if name not in ("det", preferred))
        self.send_parser(self.parser)
        for found, expected in ((predicted, f"<b>{predicted}</b> rather than det"),
                                ("unknown", "<b>det</b> rather than ")):
            relations[token - 1] = found
            self.send(self.bundled[:1].with_prediction("A", [sentence.heads], [relations]))
            self.widget.scene.token_clicked.emit(token)
            self.wait_for_answer()
            self.assertIn(expected, self.widget.panel.explanations()[1].title)

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
        self.assertIn("Connect a treebank", self.widget.report_html)


class TestProbabilities(treebankviewer.TreeViewerTest):
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

    def test_errors_to_expect_where_gold_heads_are_unknown(self):
        self.send(Treebank.from_sentences([Sentence(UNPARSED)]).with_prediction(
            "A", [[2, 0]], None, [[0.6, 0.9]]))
        self.assertIn("0.5 wrong heads expected", self.widget.about.text())

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
        box = self.widget.controls.probabilities
        self.assertTrue(box.isChecked())
        self.choose_prediction("B")
        self.assertFalse(box.isChecked() or box.isEnabled())
        self.assertTrue(self.widget.list.isColumnHidden(DOUBT_COLUMN))
        self.assertNotIn("expected", self.widget.about.text())
        self.choose_prediction("A")
        self.assertTrue(box.isChecked())


class TestMarks(treebankviewer.TreeViewerTest):
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
