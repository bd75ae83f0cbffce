import re

from orangewidget.tests.base import GuiTest
from orangewidget.utils.signals import can_summarize, summarize

from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common import summaries
from tests.treebank.toy import BLOCKS, CHAIN, treebank


def text(summary) -> str:
    return re.sub("<[^>]*>", "", summary.details.replace("<br/>", "\n"))


class TestSummaries(GuiTest):
    def test_all_signals_have_one(self):
        for kind in (Treebank, Parser, ParserLearner):
            self.assertTrue(can_summarize(kind, "signal", None))
        self.assertIs(summarize.dispatch(Treebank), summaries.summarize_treebank)
        self.assertIs(summarize.dispatch(Parser), summaries.summarize_model)

    def test_treebank(self):
        summary = summarize(treebank())
        self.assertEqual(summary.summary, len(BLOCKS))
        self.assertEqual(text(summary), "toy: 6 sentences, 20 tokens")
        view = summary.preview_func()
        self.assertEqual(view.model().rowCount(), len(BLOCKS))
        view.deleteLater()

    def test_predictions(self):
        toy = treebank([CHAIN], name="a < b")
        for name in ("MST", "<b>"):
            toy = toy.with_prediction(name, [[0, 1, 2]])
        self.assertEqual(
            text(summarize(toy)),
            "a &lt; b: 1 sentence, 3 tokens\nPredictions: MST, &lt;b&gt;")

    def test_treebank_that_lost_its_columns(self):
        toy = treebank()
        part = toy.transform(type(toy.domain)([], None, toy.domain.metas[:1]))
        self.assertEqual(text(summarize(part)), "toy: 6 sentences")

    def test_parser(self):
        parser = ParserLearner(passes=2, name="a < b", decoder="exact", relations=False)(
            treebank(BLOCKS[:3]))
        summary = summarize(parser)
        self.assertEqual(text(summary), f"a &lt; b\nexact trees, {parser.n_weights:,} "
                                        "weights\n2 passes over the treebank")
        parser.log = parser.log[:1]
        parser.stopped = True
        self.assertIn("1 pass over the treebank, stopped before the last",
                      text(summarize(parser)))

    def test_parser_with_relations(self):
        parser = ParserLearner(passes=1, decoder="exact")(treebank(BLOCKS[:3]))
        self.assertIn("\nexact trees with relations, ", text(summarize(parser)))
