import unittest

import numpy as np
import pytest
from AnyQt.QtCore import QEvent, QPoint
from AnyQt.QtGui import QHelpEvent
from AnyQt.QtWidgets import QApplication, QToolTip
from orangewidget.tests.base import GuiTest

from orange_structpred.parsing.features.contributions import (
    SOURCES,
    Contribution,
    NetContribution,
    PartContribution,
    VoteContribution,
)
from orange_structpred.parsing.relations.relation_explanation import RelationExplanation
from orange_structpred.treebank import Sentence
from orange_structpred.widgets.tree.explainer import Answer
from orange_structpred.widgets.tree.items import ON_LIGHT
from orange_structpred.widgets.tree.panel import (
    Explanation,
    TreePanel,
    choose_bars,
    needed_decimals,
    ordinal,
    signed,
    strongest,
)
from orange_structpred.widgets.tree.picture import MISSED, WRONG_EDGE
from orange_structpred.widgets.tree.token import ShownToken, word_html
from tests.treebank.toy import UNPARSED, block
from tests.widgets.tips import read_tip

EVIDENCE = [Contribution("a", 3.), Contribution("b", -2.), Contribution("c", 1.),
            Contribution("d", .5), Contribution("e", -.25)]
SENTENCE = Sentence(block([2, 0, 2], "It <works> well"))
COLOURS = {MISSED: "#00f", WRONG_EDGE: "#f00"}


def names(items):
    return "".join(item.name for item in items)


@pytest.mark.parametrize("count, shown, rest", [
    (5, "acdbe", None), (9, "acdbe", None),
    (4, "acb", .25), (3, "ab", 1.25), (2, "a", -.75)])
def test_strongest(count, shown, rest):
    rows, weaker = strongest(EVIDENCE, count)
    assert names(rows) == shown
    assert (weaker and weaker.value) == rest
    if weaker:
        assert weaker.name == f"… and {5 - len(rows)} weaker"
        assert sum(row.value for row in [*rows, weaker]) == 2.25


FOUR = [*EVIDENCE, PartContribution("s", -.5), PartContribution("g", .25),
        VoteContribution("vote", .125), NetContribution("net", -.0625)]


def test_sums_of_sources_stand_above_single_features():
    sums, rows, rest = choose_bars(FOUR, 12)
    assert [item.name for item in sums] == list(SOURCES)
    assert [item.value for item in sums] == [2.25, -.25, .125, -.0625]
    assert names(rows) == "acdgbse" and rest is None        # vote and net are sums already
    sums, rows, rest = choose_bars(FOUR, 8)
    assert len(sums) + len(rows) + 1 == 7 and rest.name == "… and 5 weaker"
    assert not choose_bars(FOUR, 7).sums and not choose_bars(EVIDENCE, 99).sums


def test_one_side_leaves_its_lines_to_the_other():
    for sign in (1, -1):
        one_sided = [Contribution(str(i), sign * i) for i in range(1, 9)]
        rows, rest = strongest(one_sided, 5)
        assert names(rows) == "8765" and rest.value == sign * 10
    assert strongest([], 5) == ([], None)


def test_numbers():
    assert [signed(x) for x in (1.234, -0.5, 0)] == ["+1.23", "−0.50", "+0.00"]
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]


@pytest.mark.parametrize("values, decimals", [
    ([], 2), ([0.], 2), ([31.], 2), ([.31, -.001], 2), ([.031, 0.], 3),
    ([-.0031], 4), ([1e-30], 8)])
def test_small_values_have_more_decimals(values, decimals):
    explanations = [Explanation("", [Contribution("x", value)]) for value in values]
    assert needed_decimals(explanations) == decimals


def test_summary():
    known = Explanation("edge", EVIDENCE, 0.25, np.array([0.6, 0.1, 0.05]))
    assert known.summary() == "edge: score +2.25, 25% sure, 2nd of 4 heads"
    assert Explanation("edge", EVIDENCE).summary(4) == "edge: score +2.2500"


def test_words():
    assert word_html(SENTENCE, 0) == "<i>root</i>"
    assert "&lt;works&gt;" in word_html(SENTENCE, 2)
    assert word_html(SENTENCE, 2).endswith("<sub>2</sub>")


def test_long_words_leave_room_for_the_others():
    own = Sentence(block([2, 0], f"{'x' * 300} is"))
    token = ShownToken(own, 1, np.array([2, 0]))
    line = plain(token.line())
    assert len(line) < 65 and line.endswith("predicted head is2"), line
    title = token.explanations(Answer(None, {2: EVIDENCE}))[0].title
    assert len(plain(title)) < 55 and "gold and predicted" in title


def plain(html):
    for mark in ("\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}", "&lrm;",
                 "<b>", "</b>", "<sub>", "</sub>", "&nbsp;"):
        html = html.replace(mark, "")
    return html


def test_line_of_a_token():
    assert plain(ShownToken(SENTENCE, 1).line()) == "It1 · gold head &lt;works&gt;2 (dep)"
    shares = np.array([0.5, np.nan, np.nan])        # of heads that a pipeline has set
    sure, unknown = (ShownToken(SENTENCE, k, probabilities=shares).line() for k in (1, 2))
    assert plain(sure) == "It1 · annotated head &lt;works&gt;2 (dep), 50% sure"
    assert "gold head" in unknown
    right = ShownToken(SENTENCE, 1, np.array([2, 0, 2]), ["nsubj", "root", "_"], COLOURS)
    assert plain(right.line()) == ("It1 · gold head &lt;works&gt;2 (dep) · "
                                   "predicted head &lt;works&gt;2 (nsubj)")
    wrong = ShownToken(SENTENCE, 3, np.array([2, 0, 0]), None, COLOURS)
    assert plain(wrong.line()) == (
        'well3 · <font color="#00f">gold</font> head &lt;works&gt;2 (dep) · '
        '<font color="#f00">wrongly predicted</font> head <i>root</i>')
    assert plain(ShownToken(Sentence(UNPARSED), 1).line()) == "a1"


def test_question_names_each_head_once():
    assert ShownToken(SENTENCE, 3, np.array([2, 0, 2])).question().heads == (2,)
    assert ShownToken(SENTENCE, 3, np.array([2, 0, 0])).question().heads == (2, 0)
    assert ShownToken(SENTENCE, 3, np.array([2, 0, 3])).question().heads == (2,)
    assert ShownToken(Sentence(UNPARSED), 1).question().heads == ()


def test_explanations():
    shares = np.arange(16.).reshape(4, 4)
    token = ShownToken(SENTENCE, 3, np.array([2, 0, 0]), None, COLOURS)
    why = RelationExplanation("obj", "nsubj", EVIDENCE)
    gold, wrong = token.explanations(
        Answer(shares, {2: EVIDENCE, 0: EVIDENCE[:1]}, why))
    assert plain(gold.title) == ('&lt;works&gt;2 → well3 '
                                 '(<font color="#00f">gold</font>)')
    assert gold.others.tolist() == [3, 7]       # heads 0 and 1; 3 is the token
    assert wrong.others.tolist() == [7, 11]
    assert wrong.score == 3 and wrong.probability == 3
    same = ShownToken(SENTENCE, 1, np.array([2, 0, 2]))
    only, = same.explanations(Answer(None, {2: EVIDENCE}))
    assert plain(only.title).endswith("(gold and predicted)") and only.others is None
    _, relation = same.explanations(Answer(None, {2: EVIDENCE}, why))
    assert plain(relation.summary()) == "obj rather than nsubj: score +2.25"


def test_relations_are_in_question_where_the_head_is_right():
    right = np.array([2, 0, 2])
    assert ShownToken(SENTENCE, 1, np.array([0, 1, 2])).question().relation is None
    for relations, expected in ((None, ("dep", "")),
                                (["nsubj", "root", "_"], ("nsubj", "dep")),
                                (["dep:x", "_", "_"], ("dep:x", ""))):
        asked = ShownToken(SENTENCE, 1, right, relations).question()
        assert (asked.relation, asked.rival) == expected
        assert asked.tree == (2, 0, 2)
    assert ShownToken(Sentence(UNPARSED), 1).question().relation is None


class TestPanel(GuiTest):
    def setUp(self):
        super().setUp()
        self.panel = TreePanel()
        self.panel.resize(900, 300)

    def test_one_or_two_explanations_or_a_hint(self):
        one = Explanation("one", EVIDENCE)
        for explanations, shown in (([], []), ([one], [one]),
                                    ([one, one], [one, one]), ([], [])):
            self.panel.set_explanations(explanations, "hint")
            self.assertEqual(self.panel.explanations(), shown)
            self.assertEqual(self.panel.hint.isHidden(), bool(shown))
            self.panel.grab()
        self.assertEqual(self.panel.hint.text(), "hint")

    def test_titles_have_room(self):
        """They are not cut off, and the bars of both edges begin side by side."""
        self.panel.resize(760, 240)
        long = Explanation("criticising → newspaper (gold)", EVIDENCE, 0.25, np.ones(16))
        self.panel.set_explanations([long, Explanation("short", EVIDENCE)])
        self.panel.grab()
        first, second = self.panel.edges
        for title in (first.title, second.title):
            self.assertLessEqual(title.heightForWidth(title.width()), title.height())
        self.assertEqual(first.bars.y(), second.bars.y())

    def test_bars_on_both_sides(self):
        self.panel.set_explanations([Explanation("one", EVIDENCE)])
        image = self.panel.edges[0].bars.grab().toImage()
        where = {kind: [x for x in range(image.width()) for y in range(image.height())
                        if image.pixelColor(x, y) == ON_LIGHT[kind]]
                 for kind in (MISSED, WRONG_EDGE)}
        self.assertGreater(len(where[MISSED]), len(where[WRONG_EDGE]))
        self.assertLess(max(where[WRONG_EDGE]), min(where[MISSED]) + 2)

    def test_features_in_words_or_as_templates(self):
        self.panel.set_explanations([Explanation("one", [
            Contribution("h.upos=VERB d.upos=NOUN", 1.)])])
        self.panel.resize(600, 200)
        self.panel.show()
        pictures = []
        for in_words in (True, False):
            self.panel.set_in_words(in_words)
            pictures.append(self.panel.edges[0].bars.grab().toImage())
        self.assertNotEqual(*pictures)

    def test_sums_have_bars_and_tips(self):
        self.panel.set_explanations([Explanation("one", FOUR)])
        self.panel.grab()
        bars = self.panel.edges[0].bars
        self.assertEqual(len(bars.bars().sums), 4)
        height = bars.fontMetrics().height() + 2
        for row, tip in ((0, f"{SOURCES[0]}\n+2.25"), (3, f"{SOURCES[3]}\n−0.06"),
                         (4.9, "a\n+3.00")):
            where = QPoint(20, int(row * height) + 2)
            QApplication.sendEvent(bars, QHelpEvent(
                QEvent.ToolTip, where, bars.mapToGlobal(where)))
            self.assertEqual(read_tip(QToolTip.text()), tip)

    def test_words_on_which_the_net_depends(self):
        words = [Contribution("net (1)", .5), Contribution("h.upos=VERB (2)", -.25)]
        shown = Explanation("one", FOUR, words=words)
        self.assertIn("when a word is hidden", shown.summary())
        self.panel.set_explanations([shown])
        self.panel.grab()
        bars = self.panel.edges[0].bars
        self.assertEqual(bars.contributions, words)
        QApplication.sendEvent(bars, QHelpEvent(
            QEvent.ToolTip, QPoint(20, 5), bars.mapToGlobal(QPoint(20, 5))))
        self.assertEqual(read_tip(QToolTip.text()), "net (1)\n+0.50")
        asked = []
        self.panel.words_asked.connect(asked.append)
        self.panel.words_box.click()
        self.assertFalse(self.panel.wants_words)        # there is no net
        self.panel.set_net(True)
        self.assertTrue(self.panel.wants_words)
        self.assertEqual(asked, [True])

    def test_whole_name_as_a_tip(self):
        long = [Contribution("h.form=<p>" + "x" * 300, 1.)]
        self.panel.set_explanations([Explanation("one", long)])
        bars = self.panel.edges[0].bars
        QApplication.sendEvent(bars, QHelpEvent(
            QEvent.ToolTip, QPoint(20, 5), bars.mapToGlobal(QPoint(20, 5))))
        self.assertEqual(read_tip(QToolTip.text()), "\n".join([
            "head is “<p>" + "x" * 300 + "”", long[0].name, "+1.00"]))


if __name__ == "__main__":
    unittest.main()
