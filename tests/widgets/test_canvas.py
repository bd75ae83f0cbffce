"""The widgets in workflows with Orange's own, saved and opened again."""
import pickle
import shutil
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from Orange.classification import MajorityLearner
from Orange.data import Table
from Orange.widgets.data.owdatasampler import OWDataSampler
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.model.owloadmodel import OWLoadModel
from Orange.widgets.utils.filedialogs import RecentPath
from orangecanvas.registry import WidgetDescription, WidgetRegistry
from orangecanvas.scheme import SchemeLink, SchemeNode
from orangewidget.tests.base import GuiTest
from orangewidget.workflow.widgetsscheme import WidgetsScheme

from orange_structpred.learner import ParserLearner
from orange_structpred.treebank.bundled import bundled_path, load_bundled
from orange_structpred.widgets.common import run_workflow
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank

WIDGETS = (OWLoadTreebank, OWDataSampler, OWLoadModel, OWApplyParser, OWTable)
LOAD, SAMPLER, MODEL, APPLY, TABLE = range(5)
LINKS = ((LOAD, "Treebank", SAMPLER, "Data"), (SAMPLER, "Data Sample", APPLY, "Treebank"),
         (MODEL, "Model", APPLY, "Parser"), (APPLY, "Tokens", TABLE, "Data"))
SAMPLE = 20


class TestWorkflow(GuiTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.parser = ParserLearner(passes=1, name="mine")(load_bundled("en")[:30])
        cls.registry = WidgetRegistry()
        for widget in WIDGETS:
            cls.registry.register_widget(WidgetDescription(
                **{**widget.get_widget_description(), "category": "Some"}))

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save_workflow(self, model, treebank: Path, path: Path) -> None:
        """A workflow that samples a treebank and applies a pickled model to it."""
        with open(self.folder / "some.pkcls", "wb") as file:
            pickle.dump(model, file)
        scheme = WidgetsScheme()
        for widget in WIDGETS:
            description = self.registry.widget(
                f"{widget.__module__}.{widget.__qualname__}")
            scheme.add_node(SchemeNode(description, title=widget.name))
        for source, output, sink, entry in LINKS:
            first, second = scheme.nodes[source], scheme.nodes[sink]
            scheme.add_link(SchemeLink(first, first.output_channel(output),
                                       second, second.input_channel(entry)))
        scheme.nodes[LOAD].properties = {"source": "file", "path": str(treebank),
                                         "relative_path": treebank.name}
        scheme.nodes[SAMPLER].properties = {
            "sampling_type": OWDataSampler.FixedSize, "sampleSizeNumber": SAMPLE}
        scheme.nodes[MODEL].properties = {
            "recent_paths": [RecentPath(str(self.folder / "some.pkcls"), None, None)]}
        with open(path, "wb") as file:
            scheme.save_to(file, pickle_fallback=True)

    def run_workflow(self, path: Path) -> list:
        """What went over the links, and what the widgets saved of themselves."""
        with run_workflow.open_workflow(path, self.registry) as scheme:
            run_workflow.wait_until_finished(scheme, 120)
            self.assertEqual(run_workflow.errors(scheme), [])
            contents = [next(iter(scheme.signal_manager.link_contents(link).values()))
                        for link in scheme.links]
            self.apply_output = scheme.widget_for_node(scheme.nodes[APPLY]).result
            scheme.sync_node_properties()
            with open(path, "wb") as file:
                scheme.save_to(file, pickle_fallback=True)
        return contents

    def test_model_from_a_file_sample_of_a_treebank(self):
        before = self.folder / "before"
        before.mkdir()
        treebank = Path(shutil.copy(bundled_path("en"), before))
        self.save_workflow(self.parser, treebank, before / "some.ows")
        # The folder of the workflow goes elsewhere, and its treebank with it.
        after = before.rename(self.folder / "after")
        loaded, sample, parser, tokens = self.run_workflow(after / "some.ows")
        self.assertEqual(len(loaded), len(load_bundled("en")))
        self.assertEqual(len(sample), SAMPLE)
        self.assertEqual(parser.name, "mine")
        self.assertEqual(list(self.apply_output.treebank.predictions), ["mine"])
        self.assertEqual(len(tokens), sum(map(len, sample.sentences)))
        root = ElementTree.parse(after / "some.ows")
        formats = {node.get("node_id"): node.get("format")
                   for node in root.iter("properties")}
        self.assertEqual((formats[str(LOAD)], formats[str(APPLY)]),
                         ("literal", "literal"))

    def test_a_model_that_is_no_parser(self):
        iris = Table("iris")
        self.save_workflow(MajorityLearner()(iris), bundled_path("en"),
                           self.folder / "some.ows")
        self.run_workflow(self.folder / "some.ows")
        self.assertIsNone(self.apply_output)
