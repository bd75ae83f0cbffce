"""Load CoNLL Treebank with treebanks of Universal Dependencies."""
import os
from pathlib import Path
from unittest.mock import patch

from AnyQt.QtWidgets import QComboBox

from orange_structpred.export import Node, Workflow
from orange_structpred.export.script import write_script
from orange_structpred.treebank.ud import CACHE_VARIABLE, MIRROR_VARIABLE, cached_ud
from tests.treebank.test_ud import FILES
from tests.treebank.toy import BLOCKS
from tests.treebank.web import server
from tests.widgets import loadtreebank
from tests.without_qt import run_text


class TestUniversalDependencies(loadtreebank.LoadTreebankTest):
    def setUp(self):
        super().setUp()
        running = server(files=FILES)
        self.web = running.__enter__()
        self.addCleanup(running.__exit__, None, None, None)
        patched = patch.dict(os.environ, {
            CACHE_VARIABLE: str(self.folder / "ud"), MIRROR_VARIABLE: self.web.address})
        patched.start()
        self.addCleanup(patched.stop)

    def choose(self, combo: QComboBox, text: str):
        index = combo.findText(text)
        self.assertGreaterEqual(index, 0)
        combo.setCurrentIndex(index)
        combo.activated.emit(index)

    def test_downloads_when_asked_to(self):
        self.create()
        self.output()
        picker = self.widget.ud_picker
        self.assertEqual(picker.languages.count(), 193)
        self.choose(picker.languages, "German")
        self.assertEqual([picker.treebanks.itemText(k) for k in range(4)],
                         ["GSD", "HDT", "LIT", "PUD"])
        self.assertIsNone(self.output())
        self.assertEqual(self.shown("Information"), [
            "German-GSD train has not been downloaded yet: press Download."])
        self.assertEqual(self.widget.reload_button.text(), "Down&load")
        self.assertFalse(self.web.requests)
        self.widget.reload_button.click()
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.output().name, "German-GSD train")
        self.assertEqual(self.numbers()["Licence:"], "CC BY-SA 4.0")
        self.assertEqual(self.widget.reload_button.text(), "Re&load")
        self.widget.send_report()
        # offline from now on
        self.web.requests.clear()
        self.choose(picker.parts, "test")
        self.choose(picker.parts, "train")
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertFalse(self.web.requests)

    def test_part_that_does_not_exist(self):
        self.create(source="ud", ud="German-LIT", part="dev")
        self.assertIsNone(self.output())
        self.assertIn("German-LIT has no part 'dev'", self.shown("Error")[0])

    def test_treebank_of_another_release(self):
        self.create(source="ud", ud="German-GSDX", part="nonsense")
        self.assertIsNone(self.output())
        self.assertIn("did you mean German-GSD", self.shown("Error")[0])
        self.assertEqual(self.widget.ud_picker.name(), "German-GSDX")
        self.widget.choose("ud")
        self.assertIn("did you mean German-GSD", self.shown("Error")[0])

    def test_script(self):
        settings = {"source": "ud", "ud": "German-GSD", "part": "test",
                    "skip_bad": True}
        node = Node("1", "orange_structpred.widgets.owloadtreebank.OWLoadTreebank",
                    "German", settings)
        text = write_script(Workflow("", [node], [])).text
        self.assertIn('else load_ud("German-GSD", "test", on_error="skip")', text)
        space = run_text(text)
        self.create(**settings)
        self.assertEqual(space["german"].sentences, self.output().sentences)
        self.assertTrue(cached_ud("German-GSD", "test").is_relative_to(
            Path(self.folder)))
