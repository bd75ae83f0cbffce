"""Treebank Viewer in tests: a small treebank with predictions, and what it gives."""
from Orange.widgets.tests.base import WidgetTest
from orangewidget.tests.utils import simulate

from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from tests.treebank.toy import block

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
        self.process_events(lambda: self.widget.explainer.question is None)
