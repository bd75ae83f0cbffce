"""Compare Treebanks: two annotators, and a third treebank."""
from pathlib import Path
from tempfile import TemporaryDirectory

from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest

from orange_structpred import load_bundled
from orange_structpred.export.script import write_script
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.editing import set_head, set_layer
from orange_structpred.widgets.owcomparetreebanks import OWCompareTreebanks
from tests.export.toy import LOAD, OURS, TABLE, workflow
from tests.treebank.toy import block
from tests.widgets.edittreebank import toy
from tests.without_qt import run_main

COMPARE = OURS + "owcomparetreebanks.OWCompareTreebanks"


def second():
    sentences = toy().sentences
    sentences[0] = set_layer(set_head(sentences[0], 1, 3), 2, "upos", "NOUN")
    sentences[2] = set_head(sentences[2], 3, 2)
    return Treebank.from_sentences(sentences, name="second")


class TestCompareTreebanks(WidgetTest):
    def setUp(self):
        self.widget: OWCompareTreebanks = self.create_widget(OWCompareTreebanks)
        self.widget.resize(1100, 600)
        self.widget.show()

    def send(self, first, other):
        self.send_signal(self.widget.Inputs.first, first)
        self.send_signal(self.widget.Inputs.second, other)

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    def test_agreement_and_differences(self):
        self.send(toy(), second())
        shown = {self.widget.agreement.verticalHeaderItem(row).text():
                 self.widget.agreement.item(row, 0).text()
                 for row in range(self.widget.agreement.rowCount())}
        assert shown["Heads (UAS)"] == "81.82%"         # 9 of 11 words
        assert self.widget.model.rowCount() == 3
        assert len(self.output("differences")) == 3
        assert len(self.output("agreement")) == len(shown)
        assert self.output("treebank").sentences == toy().sentences
        self.widget.layer_combo.setCurrentText("upos")
        self.widget.layer_combo.textActivated.emit("upos")
        assert self.widget.model.rowCount() == 1
        self.widget.filter_edit.setText("nothing like it")
        assert self.widget.model.rowCount() == 0
        assert "the filter" in self.widget.why_nothing()

    def test_a_difference_is_scrolled_to(self):
        text = " ".join(f"word{number}" for number in range(150))
        sentence = Sentence(block([0, *range(1, 150)], text))
        self.send(Treebank.from_sentences([sentence]),
                  Treebank.from_sentences([set_layer(sentence, 120, "upos", "VERB")]))
        view, word = self.widget.view, self.widget.scene.words[119]
        assert view.viewport().rect().contains(
            view.mapFromScene(word.sceneBoundingRect().center()))

    def test_keys_choose(self):
        self.send(toy(), second())
        self.widget.activateWindow()
        self.widget.list.setFocus()
        QTest.qWaitForWindowActive(self.widget)
        assert self.widget.list.current() == 0
        QTest.keyClick(self.widget.list, Qt.Key_2)
        assert self.widget.list.current() == 1          # on to the next
        merged = self.output("treebank").sentences
        assert merged[0].heads.tolist() == second().sentences[0].heads.tolist()
        assert merged[0].upos == toy().sentences[0].upos
        self.widget.list.selectAll()
        self.widget.buttons[1].click()
        assert self.output("treebank").sentences == second().sentences
        self.widget.buttons[0].click()
        assert self.output("treebank").sentences == toy().sentences

    def test_choices_are_kept_in_the_workflow(self):
        self.send(toy(), second())
        self.widget.list.selectAll()
        self.widget.choose(True)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.widget = self.create_widget(OWCompareTreebanks, stored_settings=settings)
        self.send(toy(), second())
        assert self.output("treebank").sentences == second().sentences

    def test_no_tree(self):
        own = toy().sentences[0]
        n = len(own)
        chains = [Treebank.from_sentences([own.with_heads(heads)]) for heads in (
            [0, *range(1, n)], [*range(2, n + 1), 0])]
        self.send(*chains)
        self.widget.list.selectRow(0)
        self.widget.choose(True)
        assert self.widget.Warning.refused.is_shown()
        assert self.output("treebank").sentences == chains[0].sentences

    def test_bad_input(self):
        self.send(toy(), Table("iris")[:3])
        assert self.widget.Error.no_treebank.is_shown()
        self.send(toy(), Treebank.from_sentences(toy().sentences[::-1][:1]))
        n = len(toy()) - 1
        assert f"{n} in the first treebank, 0 in the second" in str(
            self.widget.Warning.unmatched)
        self.send(toy()[:1], toy())
        assert f"0 in the first treebank, {n} in the second" in str(
            self.widget.Warning.unmatched)
        self.send(toy(), None)
        assert self.output("treebank") is None
        self.widget.send_report()
        self.send(toy(), toy())
        assert "agree" in self.widget.why_nothing()
        self.widget.send_report()

    def test_script(self):
        bundled = load_bundled("en")
        nodes = [(LOAD, "Treebank", {"source": "bundled"}),
                 (LOAD, "Other", {"source": "bundled"}),
                 (COMPARE, "Compare", {"second": []}), (TABLE, "Third", {})]
        links = [(0, "Treebank", 2, "First"), (1, "Treebank", 2, "Second"),
                 (2, "Treebank", 3, "Data")]
        script = write_script(workflow(nodes, links))
        assert script.missing == []
        with TemporaryDirectory() as folder:
            path = Path(folder) / "script.py"
            path.write_text(script.text, encoding="utf-8")
            values = run_main(path)
        assert values["compare_treebank"].sentences == bundled.sentences
