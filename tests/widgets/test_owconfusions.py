import re

from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest
from orangewidget.tests.utils import simulate

from orange_structpred.evaluation.confusions import KINDS_OF_HEADS, confusions
from orange_structpred.export.script import write_script
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.marks import marks
from orange_structpred.widgets.owconfusions import OWConfusions
from tests.export.toy import LOAD, OURS, VIEWER, workflow

CONFUSIONS = OURS + "owconfusions.OWConfusions"


def predicted():
    """Each token depends on the one before, and is a noun."""
    treebank = load_bundled("en")[:30]
    return treebank.with_prediction(
        "chain", [list(range(len(own))) for own in treebank.sentences],
        [["dep"] * len(own) for own in treebank.sentences]).with_tags(
            "nouns", {"upos": [["NOUN"] * len(own) for own in treebank.sentences]})


class TestConfusions(WidgetTest):
    def setUp(self):
        self.widget: OWConfusions = self.create_widget(OWConfusions)

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    def choose(self, name, value):
        simulate.combobox_activate_item(getattr(self.widget.controls, name), value)

    def test_the_matrix_is_that_of_the_library(self):
        self.send(predicted())
        own = confusions(predicted())
        assert self.output("confusions").X.tolist() == own.to_table().X.tolist()
        view = self.widget.view
        assert view.rowCount() == len(own.rows)
        assert view.item(0, 0).text() == f"{own.tokens[0]:,}"
        column = list(KINDS_OF_HEADS).index("sibling")
        count = own.counts[0, column]
        assert view.item(0, 2 + column).text() == (f"{count:,}" if count else "")
        assert view.horizontalHeaderItem(2).toolTip() == KINDS_OF_HEADS["root"]
        assert self.output("treebank") is None

    def test_cells_send_their_sentences(self):
        self.send(predicted())
        own = confusions(predicted())
        row, column = divmod(own.counts.argmax(), len(own.columns))
        self.widget.view.item(row, 2 + column).setSelected(True)
        sent = self.output("treebank")
        assert sum(map(len, marks(sent))) == own.counts.max()
        cell = own.rows[row], own.columns[column]
        assert self.widget.selection == [list(cell)]
        assert sum(map(len, marks(own.sentences([cell])))) == own.counts.max()
        assert "Selected: " in self.widget.status.text()
        # what has no row or column in the matrix cannot be selected
        self.widget.view.clearSelection()
        self.widget.view.item(0, 0).setSelected(True)
        assert self.output("treebank") is None

    def test_select_all(self):
        self.send(predicted())
        self.widget._select_all()
        assert sum(map(len, marks(self.output("treebank")))) \
            == confusions(predicted()).counts.sum()

    def test_other_matrices(self):
        self.send(predicted())
        self.choose("rows", "PoS")
        self.choose("columns", "wrong relation")
        own = confusions(predicted(), rows="PoS", columns="wrong relation")
        assert self.output("confusions").X.tolist() == own.to_table().X.tolist()
        self.widget.controls.punct.click()
        assert "PUNCT" not in self.widget.confusions.rows
        self.choose("shown", "share of the row")
        assert self.widget.view.item(0, 1).text().endswith("%")
        self.choose("prediction", "nouns: upos")
        assert self.widget.confusions.columns == ["NOUN"]
        assert not self.widget.controls.rows.isEnabled()

    def test_settings_return(self):
        self.send(predicted())
        self.choose("prediction", "nouns: upos")
        row = self.widget.confusions.rows.index("VERB")
        self.widget.view.item(row, 2).setSelected(True)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.widget = self.create_widget(OWConfusions, stored_settings=settings)
        self.send(predicted())
        assert self.widget.prediction == "nouns: upos"
        assert self.widget.view.selected() == [("VERB", "NOUN")]
        assert self.output("treebank") is not None

    def test_bad_input(self):
        self.send(Table("iris")[:5])
        assert self.widget.Error.no_treebank.is_shown()
        self.send(load_bundled("en")[:3])
        assert "connect Apply Parser" in self.widget.Error.no_predictions.formatted
        treebank = load_bundled("en")[:3]
        self.send(treebank.with_prediction("all", [s.heads for s in treebank.sentences]))
        assert not self.widget.Error.no_predictions.is_shown()
        assert self.widget.Information.nothing_wrong.is_shown()
        self.choose("columns", "wrong relation")
        assert "has no relations" in self.widget.Error.failed.formatted
        self.send(None)
        assert not self.widget.Error.active
        assert self.output("confusions") is None

    def test_settings_of_strangers(self):
        self.widget = self.create_widget(OWConfusions, stored_settings={
            "rows": 3, "columns": "x", "selection": ["x", 4], "shown": None})
        assert self.widget.rows == "relation" and self.widget.selection == []

    def test_report(self):
        self.widget.send_report()
        self.send(predicted())
        self.widget.send_report()
        assert "chain" in self.widget.report_html
        assert "own descendant" in self.widget.report_html
        # the larger the darker, as on the screen
        shades = set(re.findall(r"rgba\(213, 94, 0, (0\.\d\d)\)", self.widget.report_html))
        assert len(shades) > 1


def test_script():
    nodes = [(LOAD, "Treebank", {}), (CONFUSIONS, "Confusions", {
        "prediction": "chain", "punct": False, "columns": "wrong relation",
        "selection": [["nmod", "obl"]]}), (VIEWER, "Viewer", {})]
    links = [(0, "Treebank", 1, "Treebank"), (1, "Treebank", 2, "Treebank")]
    text = write_script(workflow(nodes, links)).text
    assert "from orange_structpred.evaluation import confusions\n" in text
    text = " ".join(text.split())
    assert 'confusions_2 = confusions( treebank, "chain", rows="relation", ' in text
    assert 'columns="wrong relation", punct=False)' in text
    assert "print(confusions_2)" in text
    assert 'confusions_2.sentences([("nmod", "obl")])' in text
    nodes[1] = (CONFUSIONS, "Confusions", {"rows": "x"})
    assert "rows 'x' are not known" in write_script(workflow(nodes, links)).missing[0]
