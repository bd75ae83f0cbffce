"""What a link between two widgets connects when it is drawn without saying what."""
import re
from importlib import import_module

from Orange.widgets.data.owtable import OWTable
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.widget import OWWidget
from orangecanvas.registry import WidgetDescription
from orangecanvas.scheme import SchemeLink, SchemeNode
from orangewidget.tests.base import GuiTest
from orangewidget.workflow.widgetsscheme import WidgetsScheme

from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.owannotate import OWAnnotate
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owlearningcurve import OWLearningCurve
from orange_structpred.widgets.owlearningsteps import OWLearningSteps
from orange_structpred.widgets.owloadparser import OWLoadParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owsaveparser import OWSaveParser
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtraintagger import OWTrainTagger
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore
from tests.data import ROOT
from tests.widgets.showntexts import html_texts
from tests.widgets.toy_widgets import OWSource
from tests.widgets.waiting import wait_for

#: A link as it is drawn, and what it is to connect
OBVIOUS = [
    (OWLoadTreebank, OWTrainParser, "Treebank", "Treebank"),
    (OWTrainParser, OWApplyParser, "Parser", "Parser"),
    (OWTrainParser, OWTreebankViewer, "Parser", "Parser"),
    (OWTrainParser, OWSaveParser, "Parser", "Parser"),
    (OWTrainParser, OWLearningCurve, "Learner", "Learner"),
    (OWTrainParser, OWTestAndScore, "Learner", "Learner"),
    (OWTuneParser, OWApplyParser, "Parser", "Parser"),
    (OWTuneParser, OWTreebankViewer, "Parser", "Parser"),
    (OWTrainTagger, OWApplyTagger, "Pipeline", "Pipeline"),
    (OWTrainTagger, OWTreebankViewer, "Pipeline", "Pipeline"),
    (OWLoadParser, OWTreebankViewer, "Parser", "Parser"),
    (OWLoadParser, OWAnnotate, "Pipeline", "Pipeline"),
    (OWLearningSteps, OWApplyParser, "Parser", "Parser"),
    (OWLearningSteps, OWTreebankViewer, "Parser", "Parser"),
    (OWLearningCurve, OWTable, "Curve", "Data"),
    (OWApplyParser, OWUASScore, "Treebank", "Treebank"),
    (OWApplyParser, OWTreebankViewer, "Treebank", "Treebank"),
    (OWApplyTagger, OWApplyParser, "Treebank", "Treebank"),
    (OWUASScore, OWTreebankViewer, "Treebank", "Treebank"),
]


def proposed_links(source, sink) -> list[tuple]:
    """Outputs, inputs and weights of the links that Orange proposes, the best one first."""
    nodes = [SchemeNode(WidgetDescription(
        **{**widget.get_widget_description(), "category": "Some"}))
        for widget in (source, sink)]
    return WidgetsScheme().propose_links(*nodes)


def opens_edit_links(proposed: list[tuple]) -> bool:
    """Orange asks where two links are equally good."""
    return len(proposed) > 1 and proposed[0][2] == proposed[1][2]


def in_registry(signals: str = "inputs") -> list[type[OWWidget]]:
    """All widgets of the add-on that have inputs, or outputs."""
    classes = []
    for path in sorted((ROOT / "widgets").glob("ow*.py")):
        module = import_module(f"orange_structpred.widgets.{path.stem}")
        classes += [value for name, value in vars(module).items()
                    if name.startswith("OW") and value.__module__ == module.__name__
                    and value.get_signals(signals)]
    return classes


class TestLinks(GuiTest):
    def test_the_obvious_link(self):
        for source, sink, output, entry in OBVIOUS:
            with self.subTest(source=source.name, sink=sink.name):
                proposed = proposed_links(source, sink)
                self.assertFalse(opens_edit_links(proposed))
                self.assertEqual((proposed[0][0].name, proposed[0][1].name),
                                 (output, entry))

    def test_no_link_needs_a_dialog(self):
        """But for outputs that are rarely meant, such as logs."""
        for source in in_registry("outputs"):
            for sink in in_registry():
                proposed = [link for link in proposed_links(source, sink) if link[2] > 0]
                with self.subTest(source=source.name, sink=sink.name):
                    self.assertFalse(opens_edit_links(proposed))


def texts_of(widget: OWUASScore) -> str:
    """What stands in the chart."""
    return " ".join(item.text() for item in widget.chart.scene().items()
                    if hasattr(item, "text"))


class TestWaiting(GuiTest):
    """What widgets say of inputs that are connected, but have nothing to send yet."""

    def setUp(self):
        super().setUp()
        self.scheme = WidgetsScheme()

    def tearDown(self):
        self.scheme.clear()
        super().tearDown()

    def add(self, widget: type[OWWidget]) -> SchemeNode:
        node = SchemeNode(WidgetDescription(
            **{**widget.get_widget_description(), "category": "Some"}),
            title=f"My {widget.name}")
        self.scheme.add_node(node)
        return node

    def link(self, source: SchemeNode, output: str, sink: SchemeNode, entry: str
             ) -> SchemeLink:
        link = SchemeLink(source, source.output_channel(output),
                          sink, sink.input_channel(entry))
        self.scheme.add_link(link)
        return link

    def test_what_is_waited_for(self):
        load, train, apply = map(self.add, (OWLoadTreebank, OWTrainParser, OWApplyParser))
        widget = self.scheme.widget_for_node(apply)
        label = widget.labels["Result"]
        self.assertEqual(label.text(), "Connect a parser and a treebank.")
        link = self.link(train, "Parser", apply, "Parser")
        self.assertEqual(label.text(), "Waiting for a parser from My Train Parser. "
                                       "Connect a treebank.")
        self.assertEqual(apply.status_message(),
                         "Waiting for a parser from My Train Parser")
        self.scheme.remove_link(link)
        self.assertEqual(label.text(), "Connect a parser and a treebank.")
        self.assertEqual(apply.status_message(), "")

        learning = self.scheme.widget_for_node(train)
        self.assertEqual(learning.status_text(), "No treebank to learn from.")
        self.link(load, "Treebank", train, "Treebank")
        self.assertEqual(learning.figures.status.text(),
                         "Waiting for a treebank from My Load CoNLL Treebank.")

    def test_below_the_node_of_each_widget(self):
        """What is waited for over any input, until it comes or the work says more."""
        source = self.add(OWSource)
        for widget_class in in_registry():
            node = self.add(widget_class)
            self.scheme.widget_for_node(node)
            for entry in node.input_channels():
                output = next(output for output, proposed, _
                              in self.scheme.propose_links(source, node)
                              if proposed.name == entry.name)
                with self.subTest(widget=widget_class.name, input=entry.name):
                    link = self.link(source, output.name, node, entry.name)
                    assert re.fullmatch(
                        f"Waiting for (a |the )?{entry.name.lower()}( treebank)? from My Source",
                        node.status_message()), node.status_message()
                    self.scheme.remove_link(link)
                    assert not node.status_message().startswith("Waiting")

    def test_titles_are_no_html(self):
        """Titles come with workflows of strangers."""
        source = self.add(OWSource)
        source.set_title("<b>My</b> Source")
        for widget_class in in_registry():
            with self.subTest(widget=widget_class.name):
                node = self.add(widget_class)
                widget = self.scheme.widget_for_node(node)
                widget.show()
                for output, entry, _ in self.scheme.propose_links(source, node):
                    link = self.link(source, output.name, node, entry.name)
                    assert "<b>My" in node.status_message()
                    assert not [text for text in html_texts(widget) if "<b>My" in text]
                    self.scheme.remove_link(link)
                widget.hide()

    def test_it_comes(self):
        source, sink = map(self.add, (OWSource, OWUASScore))
        widget = self.scheme.widget_for_node(sink)
        assert "Connect a treebank" in texts_of(widget)
        self.link(source, "Table", sink, "Treebank")
        waiting = "Waiting for a treebank from My Source"
        assert sink.status_message() == waiting
        assert f"{waiting}." in texts_of(widget)
        output = self.scheme.widget_for_node(source).Outputs.table
        output.send(load_bundled("en")[:2])
        assert sink.status_message() == ""
        wait_for(lambda: widget.Error.no_predictions.is_shown())
        output.send(None)
        wait_for(lambda: sink.status_message() == waiting)
        wait_for(lambda: f"{waiting}." in texts_of(widget))
