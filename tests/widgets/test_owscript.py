"""Workflow to Script in a real workflow."""
import json
import tempfile
import time
from itertools import groupby
from pathlib import Path
from unittest.mock import patch

from AnyQt.QtWidgets import QApplication, QFileDialog, QMessageBox
from Orange.widgets.data.owdatasampler import OWDataSampler
from Orange.widgets.visualize.owmosaic import OWMosaicDisplay
from orangecanvas.registry import WidgetDescription
from orangecanvas.scheme import SchemeLink, SchemeNode
from orangecanvas.scheme.widgetmanager import WidgetManager
from orangewidget.tests.base import GuiTest, WidgetTest
from orangewidget.workflow.widgetsscheme import WidgetsScheme
from pygments.token import Comment, Keyword, Number, String

from orange_structpred.export import read_workflow
from orange_structpred.export.script import write_script
from orange_structpred.treebank.bundled import bundled_path
from orange_structpred.widgets import owscript
from orange_structpred.widgets.owapplyparser import OWApplyParser
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owscript import MISSING_STEP, OWScript, tokens
from orange_structpred.widgets.owtrainparser import OWTrainParser
from tests.data import ROOT
from tests.widgets.questions import answered


class TestInWorkflow(GuiTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.scheme = WidgetsScheme(title="My Workflow",
                                    env={"basedir": str(self.folder)})
        self.addCleanup(self.close)
        self.scheme.widget_manager.set_creation_policy(WidgetManager.Immediate)
        self.load = self.add(OWLoadTreebank, "Treebank")
        self.script = self.add(OWScript, "Script")
        self.widget = self.scheme.widget_for_node(self.script)
        self.widget.look()

    def close(self):
        for node in self.scheme.nodes[:]:
            self.scheme.remove_node(node)

    def add(self, widget, title, **settings):
        description = WidgetDescription(
            **{**widget.get_widget_description(), "category": "Some"})
        # New widgets begin with the settings of the last one of their class.
        widget.settingsHandler.defaults = {}
        node = SchemeNode(description, title=title, properties={
            **settings, "__version__": widget.settings_version})
        self.scheme.add_node(node)
        return node

    def link(self, source, output, sink, entry):
        link = SchemeLink(source, source.output_channel(output), sink,
                          sink.input_channel(entry))
        self.scheme.add_link(link)
        return link

    def text(self):
        self.widget.look()
        return self.widget.editor.toPlainText()

    def test_the_script_of_its_workflow(self):
        text = self.text()
        self.assertIn("My Workflow", text)
        self.assertIn('else load_bundled("en"))', text)
        self.assertNotIn("Script\n", text)
        self.assertFalse(self.widget.Warning.missing.is_shown())

    def test_what_is_saved_gives_the_same_script(self):
        train = self.add(OWTrainParser, "Train", C=10.0)
        sampler = self.add(OWDataSampler, "Sampler")
        self.link(self.load, "Treebank", sampler, "Data")
        self.link(sampler, "Data Sample", train, "Treebank")
        text = self.text()
        path = self.folder / "some.ows"
        self.scheme.sync_node_properties()
        with open(path, "wb") as file:
            self.scheme.save_to(file, pickle_fallback=True)
        self.assertEqual(write_script(read_workflow(path)).text, text)

    def test_follows_widgets_links_titles_and_settings(self):
        train = self.add(OWTrainParser, "Train")
        self.assertIn("# Train does nothing", self.text())
        link = self.link(self.load, "Treebank", train, "Treebank")
        self.assertIn("train = ParserLearner(C=args.C, random_state=args.seed)(treebank)",
                      self.text())
        self.scheme.widget_for_node(train).C = 10.0
        self.assertIn('"--C", type=float, default=10.0', self.text())
        train.title = "Best parser"
        self.assertIn("best_parser = ", self.text())
        link.set_enabled(False)
        self.assertIn("# Best parser does nothing", self.text())
        self.scheme.remove_node(train)
        self.assertNotIn("best", self.text().lower())

    def test_looks_again_by_itself_only_while_it_is_shown(self):
        self.assertFalse(self.widget.timer.isActive())
        self.widget.show()
        self.assertTrue(self.widget.timer.isActive())
        self.load.title = "Other"
        end = time.monotonic() + 30
        while "other = " not in self.widget.editor.toPlainText():
            self.assertLess(time.monotonic(), end)
            QApplication.processEvents()
        self.widget.hide()
        self.assertFalse(self.widget.timer.isActive())

    def test_does_not_change_the_workflow(self):
        before = [dict(node.properties) for node in self.scheme.nodes]
        self.text()
        self.assertEqual([dict(node.properties) for node in self.scheme.nodes], before)

    def test_what_is_missing(self):
        apply = self.add(OWApplyParser, "Apply")
        pivot = self.add(OWMosaicDisplay, "Counts")
        self.link(apply, "Tokens", pivot, "Data")
        self.assertIn("# MISSING: Counts", self.text())
        self.assertTrue(self.widget.Warning.missing.is_shown())
        self.assertIn("1 widget", str(self.widget.Warning.missing))
        self.assertEqual(self.widget.missing_list.count(), 1)
        self.scheme.remove_node(pivot)
        self.assertNotIn("MISSING", self.text())
        self.assertFalse(self.widget.Warning.missing.is_shown())
        self.assertEqual(self.widget.missing_list.count(), 0)

    def test_copy(self):
        self.load.title = "Newest"
        self.widget.copy_button.click()
        self.assertIn("newest = ", QApplication.clipboard().text())

    def test_save_with_paths_from_there(self):
        treebank = self.folder / "data" / "some.conllu"
        treebank.parent.mkdir()
        treebank.write_bytes(bundled_path("en").read_bytes())
        self.scheme.widget_for_node(self.load).open_file(str(treebank))
        self.assertIn('HERE / "data/some.conllu"', self.text())
        path = self.folder / "scripts" / "mine.py"
        path.parent.mkdir()
        with patch.object(QFileDialog, "getSaveFileName",
                          return_value=(str(path), "")) as dialog:
            self.widget.save_button.click()
        self.assertEqual(dialog.call_args[0][2], str(self.folder / "my_workflow"))
        self.assertIn('HERE / "../data/some.conllu"', path.read_text())
        self.assertFalse(self.widget.Error.not_saved.is_shown())
        self.assertEqual(str(self.widget.Information.saved), f"Saved to {path}.")
        self.scheme.node_for_widget(self.scheme.widget_for_node(self.load)).set_title("Other")
        self.text()
        self.assertFalse(self.widget.Information.saved.is_shown())

    def test_save_a_notebook(self):
        kind = "Jupyter notebook (*.ipynb)"
        for name in ("mine.ipynb", "mine"):
            with patch.object(QFileDialog, "getSaveFileName",
                              return_value=(str(self.folder / name), kind)):
                self.widget.save_button.click()
            path = self.folder / "mine.ipynb"
            cells = json.loads(path.read_text())["cells"]
            self.assertEqual(cells[0]["source"][0], "# My Workflow\n")
            path.unlink()
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_name_typed_decides_and_nothing_is_lost(self):
        (self.folder / "mine.py").write_text("precious")
        with patch.object(QFileDialog, "getSaveFileName", return_value=(
                str(self.folder / "mine.ipynb"), "Python script (*.py)")):
            self.widget.save_button.click()
        self.assertIn("cells", json.loads((self.folder / "mine.ipynb").read_text()))
        with patch.object(QFileDialog, "getSaveFileName", return_value=(
                str(self.folder / "mine"), "Python script (*.py)")), \
                answered(QMessageBox.No) as questions:
            self.widget.save_button.click()
        self.assertEqual(len(questions), 1)
        self.assertEqual((self.folder / "mine.py").read_text(), "precious")

    def test_scripts_of_examples_are_saved_elsewhere(self):
        (self.folder / "__init__.py").touch()       # examples are in packages
        with patch.object(QFileDialog, "getSaveFileName",
                          return_value=("", "")) as dialog:
            self.widget.save_button.click()
        self.assertEqual(Path(dialog.call_args[0][2]), Path.home() / "my_workflow")

    def test_cannot_be_saved(self):
        self.widget.save(str(self.folder / "no such folder" / "mine.py"))
        self.assertIn("No such file or directory", str(self.widget.Error.not_saved))

    def test_report(self):
        self.widget.send_report()
        self.assertIn("load_bundled", self.widget.report_html)


class TestAlone(WidgetTest):
    def test_without_a_workflow(self):
        widget = self.create_widget(OWScript)
        widget.look()
        self.assertEqual(widget.editor.toPlainText(), "")
        self.assertIn("Put this widget into a workflow",
                      widget.editor.placeholderText())
        self.assertFalse(widget.copy_button.isEnabled())
        self.assertFalse(widget.save_button.isEnabled())
        widget.copy()
        widget.save_as()
        widget.send_report()


def test_colours():
    def kinds(text):
        """The parts with a colour; those of a string are one."""
        return [(kind, "".join(part for _, _, part in parts)) for kind, parts
                in groupby(tokens(text), lambda found: found[0])]

    assert kinds('from a import b  # x "y"') == [
        (Keyword, "fromimport"), (Comment, '# x "y"')]
    assert kinds('f("# no \\" comment", 0.5, a2=1e-05)') == [
        (String, '"# no \\" comment"'), (Number, "0.51e-05")]
    assert kinds("# MISSING: it") == [(MISSING_STEP, "# MISSING: it")]
    assert kinds('"""A: b."""') == [(String, '"""A: b."""')]


def test_scripts_of_examples_are_saved_at_home(tmp_path):
    home = str(Path.home())
    assert owscript.start_folder(str(tmp_path)) == str(tmp_path)
    assert owscript.start_folder(str(ROOT / "workflows")) == home
    assert owscript.start_folder("") == home
    assert owscript.start_folder(str(tmp_path / "none")) == home


def test_file_names():
    assert owscript.script_file_name("A First Parser!") == "a_first_parser"
    assert owscript.script_file_name("") == "workflow"
