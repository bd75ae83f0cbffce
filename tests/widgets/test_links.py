"""What a link between two widgets connects when it is drawn without saying what."""
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from orangecanvas.registry import WidgetDescription
from orangecanvas.scheme import SchemeLink, SchemeNode
from orangewidget.tests.base import GuiTest
from orangewidget.workflow.widgetsscheme import WidgetsScheme

from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owapplytagger import OWApplyTagger
from orange_structpred.widgets.owlearningcurve import OWLearningCurve
from orange_structpred.widgets.owlearningsteps import OWLearningSteps
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owsaveparser import OWSaveParser
from orange_structpred.widgets.owtrainparser import OWTrainParser
from orange_structpred.widgets.owtraintagger import OWTrainTagger
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.owtuneparser import OWTuneParser
from orange_structpred.widgets.owuasscore import OWUASScore

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
    (OWLearningSteps, OWApplyParser, "Parser", "Parser"),
    (OWLearningSteps, OWTreebankViewer, "Parser", "Parser"),
    (OWLearningCurve, OWTable, "Curve", "Data"),
    (OWApplyParser, OWUASScore, "Treebank", "Treebank"),
    (OWApplyParser, OWTreebankViewer, "Treebank", "Treebank"),
    (OWApplyTagger, OWApplyParser, "Treebank", "Treebank"),
    (OWUASScore, OWTreebankViewer, "Treebank", "Treebank"),
]


def dragged(source, sink) -> tuple[str, str] | None:
    """The link that Orange draws without a question; None if it opens Edit Links."""
    scheme = WidgetsScheme()
    nodes = [SchemeNode(WidgetDescription(
        **{**widget.get_widget_description(), "category": "Some"}))
        for widget in (source, sink)]
    for node in nodes:
        scheme.add_node(node)
    proposed = scheme.propose_links(*nodes)
    output, entry, weight = proposed[0]
    if len(proposed) > 1 and proposed[1][2] == weight:
        return None
    return output.name, entry.name


class TestLinks(GuiTest):
    def test_the_obvious_link(self):
        for source, sink, output, entry in OBVIOUS:
            with self.subTest(source=source.name, sink=sink.name):
                self.assertEqual(dragged(source, sink), (output, entry))


class TestWaiting(GuiTest):
    """What widgets say of inputs that are connected, but have nothing to send yet."""

    def test_what_is_waited_for(self):
        scheme = WidgetsScheme()
        nodes = {}
        for widget in (OWTrainParser, OWApplyParser, OWLoadTreebank):
            nodes[widget] = SchemeNode(WidgetDescription(
                **{**widget.get_widget_description(), "category": "Some"}),
                title=f"My {widget.name}")
            scheme.add_node(nodes[widget])
        apply = scheme.widget_for_node(nodes[OWApplyParser])
        train = scheme.widget_for_node(nodes[OWTrainParser])
        label = apply.labels["Result"]
        self.assertEqual(label.text(), "Connect a parser and a treebank.")
        link = SchemeLink(
            nodes[OWTrainParser], nodes[OWTrainParser].output_channel("Parser"),
            nodes[OWApplyParser], nodes[OWApplyParser].input_channel("Parser"))
        scheme.add_link(link)
        self.assertEqual(label.text(), "Waiting for a parser from My Train Parser. "
                                       "Connect a treebank.")
        scheme.remove_link(link)
        self.assertEqual(label.text(), "Connect a parser and a treebank.")
        self.assertEqual(train.status_text(), "No treebank to learn from.")
        scheme.add_link(SchemeLink(
            nodes[OWLoadTreebank], nodes[OWLoadTreebank].output_channel("Treebank"),
            nodes[OWTrainParser], nodes[OWTrainParser].input_channel("Treebank")))
        self.assertEqual(train.figures.status.text(),
                         "Waiting for a treebank from My Load CoNLL Treebank.")
        scheme.clear()
