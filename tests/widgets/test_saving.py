"""Save Treebank, and what all dialogs that ask for a file name have in common."""
import gzip
import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest
from AnyQt.QtWidgets import QFileDialog, QMessageBox
from Orange.data import Table
from Orange.widgets.data.owsave import OWSave
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import Treebank, load_bundled, read_conll
from orange_structpred.__main__ import main
from orange_structpred.export.script import write_script
from orange_structpred.treebank.conll import NoConllError, iter_conll
from orange_structpred.widgets.common.saving import with_ending, without_ending
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from orange_structpred.widgets.owsaveparser import OWSaveParser
from orange_structpred.widgets.owsavetreebank import FORMAT_NAMES, OWSaveTreebank
from orange_structpred.widgets.owscript import SCRIPT_FILTERS
from orange_structpred.widgets.tree.sharing import PICTURE_FILTERS
from tests.export.toy import LOAD, workflow
from tests.treebank.toy import CHAIN, UNPARSED, treebank
from tests.widgets.questions import answered

SAVE_TREEBANK = "orange_structpred.widgets.owsavetreebank.OWSaveTreebank"
CONLLU, CONLLU_GZ, CONLLX, CONLLX_GZ = FORMAT_NAMES


@pytest.mark.parametrize("endings", [
    FORMAT_NAMES, SCRIPT_FILTERS, PICTURE_FILTERS, OWSaveParser.filters],
    ids=["treebank", "script", "trees", "parser"])
def test_the_name_that_was_typed_decides(endings):
    for ending in endings.values():
        for kind, other in endings.items():
            assert with_ending(f"a.b{ending}", endings, kind) == Path(f"a.b{ending}")
            assert with_ending(f"A{ending.upper()}", endings, kind) == Path(
                f"A{ending.upper()}")
            assert with_ending("a.b", endings, kind) == Path(f"a.b{other}")
        assert without_ending(f"a.b{ending}", endings) == "a.b"
    assert with_ending("a", endings, "").suffix
    assert without_ending("a.b", endings) == "a.b"


def typed(name, kind=""):
    """A user who types a name, with a kind of file chosen beside it."""
    return patch.object(QFileDialog, "getSaveFileName", return_value=(str(name), kind))


class TestSaveTreebank(WidgetTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.widget = self.create_widget(OWSaveTreebank)
        self.treebank = load_bundled("en")[:5]

    def save_as(self, name, kind=CONLLU):
        with typed(self.folder / name, kind):
            self.widget.save_file_as()
        return self.folder / name

    def test_formats(self):
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        assert self.widget.saved_label.text() == "Not saved yet."
        for name, kind in (("a.conllu", CONLLX), ("b.conllu.gz", CONLLU),
                           ("c.conllx", CONLLU), ("d.conllx.gz", CONLLU),
                           ("E.CONLLU", CONLLX), ("F.CONLLX.GZ", CONLLU)):
            path = self.save_as(name, kind)
            name = name.lower()
            opened = gzip.open if name.endswith(".gz") else open
            with opened(path, "rt", encoding="utf-8") as file:
                text = file.read()
            assert ("# text" in text) == ("conllu" in name)
            read = Treebank.from_file(path)
            assert read.name == path.name[0]
            saved = read.sentences
            assert [own.heads.tolist() for own in saved] == [
                own.heads.tolist() for own in self.treebank.sentences]
            kind = "CoNLL-X" if "conllx" in name else "CoNLL-U"
            text = self.widget.saved_label.text()
            assert text.startswith(f"Saved 5 sentences as {kind}")
            assert text.endswith(f"to {path}.")
        assert {own.name for own in self.folder.iterdir()} == {
            "a.conllu", "b.conllu.gz", "c.conllx", "d.conllx.gz", "E.CONLLU", "F.CONLLX.GZ"}

    def test_a_name_without_ending_and_what_is_there_already(self):
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        self.save_as("mine", CONLLU)
        path = self.folder / "mine.conllu"
        assert len(Treebank.from_file(path)) == 5
        path.write_text("precious")
        with answered(QMessageBox.No) as questions:
            self.save_as("mine", CONLLU)
        assert "“mine.conllu” already exists" in questions[0]
        assert path.read_text() == "precious"
        with answered(QMessageBox.Yes):
            self.save_as("mine", CONLLU)
        assert path.read_text() != "precious"

    def test_predictions_are_kept(self):
        heads = [own.heads for own in self.treebank.sentences]
        self.send_signal(self.widget.Inputs.treebank,
                         self.treebank.with_prediction("mine", heads))
        path = self.save_as("a.conllu")
        assert list(Treebank.from_file(path).predictions) == ["mine"]
        assert "with 1 prediction as CoNLL-U" in self.widget.saved_label.text()

    def test_autosave_and_what_is_no_treebank(self):
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        path = self.save_as("a.conllu")
        self.widget.auto_save = True
        self.send_signal(self.widget.Inputs.treebank, treebank([CHAIN, UNPARSED]))
        assert len(Treebank.from_file(path)) == 2
        self.send_signal(self.widget.Inputs.treebank, Table("iris"))
        assert self.widget.Error.no_treebank.is_shown()
        assert self.widget.saved_label.text() == "Nothing to save."
        assert len(Treebank.from_file(path)) == 2
        self.send_signal(self.widget.Inputs.treebank, None)
        assert not self.widget.Error.active

    def test_a_folder_that_is_not_there(self):
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        self.save_as("none/a.conllu")
        assert "No such file or directory" in str(self.widget.Error.general_error)
        assert self.widget.saved_label.text() == "Not saved yet."

    def test_report(self):
        self.widget.send_report()
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        self.save_as("a.conllu")
        self.widget.send_report()
        assert "5 sentences as CoNLL-U" in self.widget.report_html

    def test_in_a_script(self):
        script = write_script(workflow(
            [(LOAD, "Load", {"source": "bundled"}),
             (SAVE_TREEBANK, "Save Treebank", {
                 "stored_path": ".", "stored_name": "mine.conllx"})],
            [(0, "Treebank", 1, "Treebank")]))
        assert not script.missing
        assert "Treebank.from_table(" in script.text and "mine.conllx" in script.text

    def test_a_table_under_a_wrong_name(self):
        """What Save Data writes if its type is .tab, whatever name is typed."""
        path = self.folder / "mine.conllu"
        for kind in (".tab", ".csv"):
            writer = next(own for own in OWSave.get_filters().values()
                          if kind in own.EXTENSIONS)
            writer.write(str(path), self.treebank)
            for read in (Treebank.from_file, read_conll, lambda path: [*iter_conll(path)]):
                with pytest.raises(NoConllError, match=rf"mine.conllu, line 1: found a table "
                                   rf"\({kind}\).*Save Treebank"):
                    read(path)
            assert main(["info", str(path)]) == 2
        loader = self.create_widget(OWLoadTreebank, stored_settings={
            "source": "file", "path": str(path)})
        self.wait_until_finished(widget=loader)
        assert any("mine.conllu, line 1: found a table (.csv)" in own.formatted
                   for own in loader.Error.active), loader.Error.active
