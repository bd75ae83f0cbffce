import copy
import threading
import time
from unittest.mock import patch

import numpy as np
from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest
from orangecanvas.scheme.readwrite import literal_dumps

from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser, UnknownTagsWarning
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.seen import FEWEST_WORDS
from orange_structpred.widgets.owapplyparser import OWApplyParser
from tests.treebank.toy import CHAIN, UNPARSED, treebank
from tests.widgets.showntexts import ShownTexts
from tests.widgets.waiting import LONG


def slow(parser: Parser) -> Parser:
    """The parser, but one that goes on until it is cancelled."""
    class SlowParser(Parser):
        def __call__(self, data, progress, *, name=None, probabilities=False):
            self.begun.set()
            try:
                while True:
                    progress(0.5)
                    time.sleep(0.01)
            except Cancelled:
                self.cancelled.set()
                raise

    result = copy.copy(parser)
    result.__class__ = SlowParser
    result.begun, result.cancelled = threading.Event(), threading.Event()
    return result


class ApplyParserTest(ShownTexts, WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sentences = load_bundled("en")[:60]
        cls.parser = ParserLearner(passes=2, name="my parser")(cls.sentences[:50])
        cls.treebank = cls.sentences[50:]

    def setUp(self):
        super().setUp()
        self.create()

    def create(self, **settings) -> OWApplyParser:
        self.widget = self.create_widget(OWApplyParser, stored_settings=settings)
        return self.widget

    def send_parser(self, parser):
        self.send_signal(self.widget.Inputs.parser, parser)

    def send_treebank(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)

    def name_column(self, name):
        self.widget.name_edit.selectAll()
        QTest.keyClick(self.widget.name_edit, Qt.Key_Delete)
        QTest.keyClicks(self.widget.name_edit, name)
        QTest.keyClick(self.widget.name_edit, Qt.Key_Return)

    def output(self, name="treebank"):
        self.wait_until_finished()
        return self.get_output(getattr(self.widget.Outputs, name), wait=0)

    def shown(self, kind):
        self.wait_until_finished()
        return super().shown(kind)

    def heads(self, column="my parser"):
        return [own.tolist() for own in self.output().predictions[column].heads]

    def expected(self, data=None):
        data = self.treebank if data is None else data
        return [own.tolist() for own in self.parser.predict_heads(data.sentences)]


class TestParsing(ApplyParserTest):
    def test_inputs_in_any_order(self):
        senders = [(self.send_parser, self.parser), (self.send_treebank, self.treebank)]
        for order in (senders, senders[::-1]):
            self.create()
            (first, one), (second, other) = order
            first(one)
            self.assertIsNone(self.output())
            self.assertIsNone(self.output("tokens"))
            second(other)
            result = self.output()
            self.assertIsInstance(result, Treebank)
            self.assertEqual(list(result.predictions), ["my parser"])
            self.assertEqual(self.heads(), self.expected())
            self.assertEqual(result.sentences, self.treebank.sentences)

    def test_inputs_go(self):
        for leave in (self.send_parser, self.send_treebank):
            self.create()
            self.send_parser(self.parser)
            self.send_treebank(self.treebank)
            self.assertIsNotNone(self.output())
            leave(None)
            self.assertIsNone(self.output())
            self.assertIsNone(self.output("tokens"))

    def test_tokens(self):
        self.send_parser(self.parser)
        self.send_treebank(self.treebank)
        tokens = self.output("tokens")
        heads = np.concatenate(self.expected())
        np.testing.assert_array_equal(tokens.get_column("predicted head"), heads)
        gold = np.concatenate([s.heads for s in self.treebank.sentences])
        np.testing.assert_array_equal(tokens.get_column("gold head"), gold)
        np.testing.assert_array_equal(tokens.Y, gold == heads)

    def test_without_heads(self):
        bare = Treebank.from_sentences(
            [s.with_heads([-1] * len(s)) for s in self.treebank.sentences])
        self.send_treebank(bare)
        self.send_parser(self.parser)
        self.assertEqual(self.heads(), self.expected())
        tokens = self.output("tokens")
        np.testing.assert_array_equal(tokens.get_column("predicted head"),
                                      np.concatenate(self.expected()))
        self.assertTrue(np.isnan(tokens.get_column("gold head")).all())
        self.assertTrue(np.isnan(tokens.Y).all())
        self.assertEqual(self.shown("Error"), [])

    def test_a_table_that_carries_a_treebank(self):
        table = Table.from_table_rows(self.treebank, ...)
        self.assertIs(type(table), Table)
        self.send_treebank(table)
        self.send_parser(self.parser)
        self.assertEqual(self.heads(), self.expected())

    def test_empty_treebank(self):
        self.send_parser(self.parser)
        self.send_treebank(self.treebank[:0])
        self.assertEqual(len(self.output()), 0)
        self.assertEqual(list(self.output().predictions), ["my parser"])
        self.assertEqual(len(self.output("tokens")), 0)

    def test_chain(self):
        other = copy.copy(self.parser)
        other.name = "other"
        first = self.widget
        second = self.create_widget(OWApplyParser)
        third = self.create_widget(OWApplyParser)
        data = self.treebank
        for widget, parser in ((first, self.parser), (second, other),
                               (third, self.parser)):
            self.widget = widget
            self.send_parser(parser)
            self.send_treebank(data)
            data = self.output()
        self.assertEqual(list(data.predictions),
                         ["my parser", "other", "my parser (2)"])
        # Each widget lists the tokens of its own prediction.
        self.assertEqual(self.output("tokens").name, "tokens of my parser (2)")

    def test_column_name(self):
        self.create(column_name="  mine ")
        self.send_parser(self.parser)
        self.send_treebank(self.treebank)
        self.assertEqual(list(self.output().predictions), ["mine"])
        self.assertEqual(self.heads("mine"), self.expected())
        self.assertEqual(self.parser.name, "my parser")
        self.assertEqual(self.widget.name_edit.placeholderText(), "my parser")
        self.name_column("")
        self.assertEqual(list(self.output().predictions), ["my parser"])


class TestMessages(ApplyParserTest):
    def test_wrong_table(self):
        self.send_parser(self.parser)
        self.send_treebank(Table("iris"))
        self.assertIsNone(self.output())
        self.assertIsNone(self.output("tokens"))
        error, = self.shown("Error")
        self.assertRegex(error, "^'iris' is not a treebank: found the columns sepal length")
        self.assertIn("150 rows", self.widget.labels["Treebank"].text())
        self.send_treebank(self.treebank)
        self.assertEqual(self.heads(), self.expected())
        self.assertEqual(self.shown("Error"), [])

    def test_broken_sentences(self):
        broken = self.treebank.copy()
        with broken.unlocked():
            broken[2, "conllu"] = "1\tword"
        self.send_parser(self.parser)
        self.send_treebank(Table.from_table_rows(broken, ...))
        error, = self.shown("Error")
        self.assertIn("row 3, line 1: found 2 columns", error)
        self.assertIsNone(self.output())

    def test_unknown_tags(self):
        self.send_parser(self.parser)
        self.send_treebank(treebank([CHAIN, UNPARSED]))
        warning, = self.shown("Warning")
        self.assertRegex(warning, r"^100% of the tags are unknown to the parser 'my "
                                  r"parser' \(X, XX\)")
        self.assertIn("100% of the tags", self.widget.labels["Result"].text())
        self.assertEqual(len(self.output()), 2)
        self.send_treebank(self.treebank)
        self.assertEqual(self.shown("Warning"), [])

    def test_missing_tags(self):
        bare = Treebank.from_sentences([Sentence("\n".join(
            f"{i}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_" for i, form in enumerate(
                ("No", "tags"), 1)))])
        self.send_parser(self.parser)
        self.send_treebank(bare)
        error, = self.shown("Error")
        self.assertIn("has no part-of-speech tags", error)
        self.assertIn("has no part-of-speech tags", self.widget.labels["Result"].text())
        self.assertIsNone(self.output())

    def test_all_that_is_said_can_be_read(self):
        self.send_parser(self.parser)
        self.send_treebank(treebank([UNPARSED] * 3))
        self.assertIsNotNone(self.output())
        self.widget.show()
        self.widget.resize(300, 200)
        self.widget.make_room()
        self.process_events()
        label = self.widget.labels["Result"]
        self.assertIn("had no heads", label.text())
        self.assertGreaterEqual(label.height(), label.heightForWidth(label.width()))

    def test_what_is_no_tree(self):
        rough = ParserLearner(passes=1, decoder="approximate")(self.sentences[:3])
        with self.assertWarns(UnknownTagsWarning):
            wrong = rough.invalid_trees(rough.predict_heads(self.sentences.sentences))
        self.assertGreater(wrong, 1)
        self.send_parser(rough)
        self.send_treebank(self.sentences)
        self.assertIn(f"The predicted heads of {wrong} sentences do not form a tree.",
                      self.shown("Warning"))
        self.assertEqual(len(self.output("tokens")),
                         sum(map(len, self.sentences.sentences)))

    def test_what_nobody_thought_of(self):
        broken = copy.copy(self.parser)
        broken._decoder = "odd"
        self.send_parser(broken)
        with self.assertLogs("orange_structpred.widgets.common.failures"):
            self.send_treebank(self.treebank)
            error, = self.shown("Error")
        self.assertEqual(error, "This is a bug in orange-structpred, not a problem with "
                                "your input (KeyError: 'odd')")
        self.assertIsNone(self.output())

    def test_sentences_that_it_was_trained_on(self):
        self.send_parser(self.parser)
        self.send_treebank(self.sentences[45:])
        seen = sum(len(own) >= FEWEST_WORDS for own in self.sentences.sentences[45:50])
        warning, = self.shown("Warning")
        self.assertRegex(warning, f"^{seen} of these sentences (was|were) used for training")
        self.assertIn("used for training", self.widget.labels["Result"].text())
        self.send_treebank(self.treebank)
        self.assertEqual(self.shown("Warning"), [])

    def test_too_little_memory(self):
        self.send_parser(self.parser)
        with patch.object(Parser, "__call__", side_effect=MemoryError):
            self.send_treebank(self.treebank)
            self.assertEqual(self.shown("Error"),
                             ["Not enough memory: the input is too large"])
        self.assertIsNone(self.output())

    def test_info(self):
        def result():
            return self.widget.labels["Result"].text()

        self.assertEqual(result(), "Connect a parser and a treebank.")
        self.send_parser(self.parser)
        self.assertEqual(result(), "Connect a treebank.")
        self.send_treebank(self.treebank)
        self.output()
        for line, text in (("Parser", "my parser"), ("Treebank", "10 sentences"),
                           ("Result", "column &#x27;my parser&#x27;")):
            self.assertIn(text, self.widget.labels[line].text())

    def test_report(self):
        self.widget.send_report()
        self.assertIn("none", self.widget.report_html)
        self.send_parser(self.parser)
        self.send_treebank(self.treebank)
        self.output()
        self.widget.report_html = ""
        self.widget.send_report()
        for text in ("my parser", f"{self.parser.decoder} trees", "10 sentences", "parsed in"):
            self.assertIn(text, self.widget.report_html)


class TestStopping(ApplyParserTest):
    def setUp(self):
        super().setUp()
        self.slow = slow(self.parser)
        self.send_parser(self.slow)
        self.send_treebank(self.treebank)
        self.assertTrue(self.slow.begun.wait(LONG))

    def test_stop_and_begin_again(self):
        button = self.widget.button
        self.assertTrue(self.widget.isInvalidated())
        self.assertEqual(button.text(), "S&top")
        button.click()
        self.assertTrue(self.slow.cancelled.wait(LONG))
        self.assertFalse(self.widget.isInvalidated())
        self.assertIsNone(self.output())
        self.assertEqual(self.shown("Information"),
                         ["Stopped: press Parse to start again."])
        QTest.qWait(50)
        self.assertEqual(self.shown("Error"), [])
        self.assertEqual(button.text(), "&Parse")
        self.assertTrue(button.isEnabled())
        self.widget.parser = self.parser        # one that comes to an end
        button.click()
        self.assertEqual(self.heads(), self.expected())
        self.assertEqual(self.shown("Information"), [])
        self.assertFalse(button.isEnabled())    # there is nothing left to do

    def test_a_new_parser_ends_the_old(self):
        self.send_parser(self.parser)
        self.assertTrue(self.slow.cancelled.wait(LONG))
        self.assertEqual(self.heads(), self.expected())
        self.assertEqual(self.shown("Error"), [])

    def test_a_lost_input_ends_it(self):
        self.send_treebank(None)
        self.assertTrue(self.slow.cancelled.wait(LONG))
        self.assertFalse(self.widget.isInvalidated())
        self.assertIsNone(self.output())

    def test_deleting(self):
        self.widget.onDeleteWidget()
        self.assertTrue(self.slow.cancelled.wait(LONG))
        self.assertIsNone(self.widget.task)


class TestMissingHeads(ApplyParserTest):
    """Of three sentences the second has no heads."""

    def setUp(self):
        super().setUp()
        first, second, third = self.treebank.sentences[:3]
        self.bare = second.with_heads([-1] * len(second))
        self.partly = Treebank.from_sentences([first, self.bare, third])
        self.send_parser(self.parser)

    def test_they_are_told_of(self):
        self.send_treebank(self.partly)
        self.assertEqual(self.output().sentences, self.partly.sentences)
        message, = self.shown("Information")
        self.assertTrue(message.startswith("1 sentence had no heads."))
        self.send_treebank(self.treebank)
        self.assertEqual(self.shown("Information"), [])

    def test_they_are_filled_in(self):
        self.create(fill_heads=True)
        self.send_parser(self.parser)
        self.send_treebank(self.partly)
        expected = self.partly.sentences
        expected[1] = self.bare.with_heads(self.expected(self.partly)[1],
                                           self.parser.predict([self.bare]).deprels[0])
        self.assertEqual(self.output().sentences, expected)
        self.assertEqual(self.heads(), self.expected(self.partly))
        self.assertEqual(self.shown("Information"), [])
        # the table of tokens knows what was annotated
        gold = self.output("tokens").get_column("gold head")
        begin = len(expected[0])
        self.assertTrue(np.isnan(gold[begin:begin + len(self.bare)]).all())
        self.assertFalse(np.isnan(gold[:begin]).any())

    def test_probabilities(self):
        self.send_treebank(self.treebank)
        self.assertIsNone(self.output().predictions[self.parser.name].probabilities)
        self.assertNotIn("probability", self.output("tokens").domain)
        self.widget.controls.probabilities.click()
        found = self.output().predictions[self.parser.name].probabilities
        self.assertEqual([len(own) for own in found],
                         [len(own) for own in self.treebank.sentences])
        self.assertIn("probability", self.output("tokens").domain)
        self.assertIn("are wrong, according to the parser",
                      self.widget.labels["Result"].text())

    def test_a_parser_that_is_not_calibrated(self):
        parser = copy.copy(self.parser)
        parser.temperature = None
        self.create(probabilities=True)
        box = self.widget.controls.probabilities
        self.assertTrue(box.isChecked())
        self.send_parser(parser)
        self.send_treebank(self.treebank)
        self.assertFalse(box.isEnabled() or box.isChecked())
        self.assertIsNone(self.output().predictions[self.parser.name].probabilities)
        self.assertTrue(self.widget.Information.not_calibrated.is_shown())
        self.send_parser(self.parser)       # the setting has stayed
        self.assertTrue(box.isEnabled() and box.isChecked())
        self.assertIsNotNone(self.output().predictions[self.parser.name].probabilities)

    def test_a_click_is_enough(self):
        self.send_treebank(self.partly)
        self.output()
        self.widget.controls.fill_heads.click()
        self.assertTrue(self.output().has_heads)


class TestSettings(ApplyParserTest):
    def test_round_trip(self):
        self.create(column_name="mine", fill_heads=True)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        literal_dumps(settings)
        self.create(**settings)
        self.assertEqual(self.widget.name_edit.text(), "mine")
        self.assertTrue(self.widget.controls.fill_heads.isChecked())
