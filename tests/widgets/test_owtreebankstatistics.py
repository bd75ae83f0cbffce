import pytest
from AnyQt.QtCore import QItemSelectionModel, QPointF
from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest
from orangewidget.tests.utils import simulate

from orange_structpred.export.script import write_script
from orange_structpred.search.figures import (
    FIGURES_OF_SIZES,
    TREEBANK_FIGURES,
    TreebankProfile,
)
from orange_structpred.treebank import Sentence, Treebank, load_bundled
from orange_structpred.treebank.marks import marks
from orange_structpred.widgets.owtreebankstatistics import OWTreebankStatistics
from tests.export.toy import LOAD, OURS, TABLE, workflow
from tests.treebank.toy import CROSSED, UNPARSED
from tests.widgets.waiting import wait_for
from tests.without_qt import run_main

STATISTICS = OURS + "owtreebankstatistics.OWTreebankStatistics"


class Click:
    """A click in the scene of a plot, as pyqtgraph tells it."""

    def __init__(self, plot, x, y):
        self.place = plot.vb.mapViewToScene(QPointF(x, y))

    def scenePos(self):
        return self.place


class TestTreebankStatistics(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")[:80]
        cls.statistics = TreebankProfile(cls.treebank)

    def setUp(self):
        self.widget: OWTreebankStatistics = self.create_widget(OWTreebankStatistics)

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)
        self.wait()

    def wait(self):
        wait_for(lambda: self.widget.task is None)

    def choose(self, name):
        self.widget.figures.setCurrentRow(list(TREEBANK_FIGURES).index(name))
        self.wait()

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    def test_figures_are_those_of_the_library(self):
        self.send(self.treebank)
        assert ">80<" in self.widget.size_labels["sentences"].text()
        for name in TREEBANK_FIGURES:
            self.choose(name)
            own = self.statistics.figure(name).to_table()
            assert self.output("counts").X.tolist() == own.X.tolist()
            assert self.output("sentences") is None
            assert len(self.widget.bars.rows) > 0
            axis = self.widget.bars.ticks.labelText      # in words, not a key
            assert not set(axis) & set(".->()"), axis

    def test_a_bar_sends_its_sentences(self):
        self.send(self.treebank)
        self.choose("Parts of speech")
        self.widget.show()
        self.widget.bars._on_click(Click(self.widget.bars.plot, 1.2, 3))
        own = self.statistics.figure("Parts of speech")
        sent = self.output("sentences")
        assert self.widget.cells == [[own.values[1], ""]]
        assert sum(map(len, marks(sent))) == own.totals[1]
        assert f"{own.totals[1]:,} matches" in self.widget.status.text()
        self.widget.bars._on_click(Click(self.widget.bars.plot, -3, 3))
        assert self.widget.cells == [[own.values[1], ""]]
        self.widget.hide()

    def test_a_cell_sends_its_sentences(self):
        self.send(self.treebank)
        self.choose("Head and dependent")
        own = self.statistics.figure("Head and dependent")
        row = own.values.index("obj")
        column = own.columns.index("H D")
        self.widget.table.selectionModel().select(
            self.widget.table.table.index(row, 2 + column),
            QItemSelectionModel.ClearAndSelect)
        assert len(self.output("sentences")) == own.select([("obj", "H D")]).n_sentences
        self.choose("Sentence length")
        assert self.widget.cells == []
        assert self.output("sentences") is None

    def test_each_size_leads_to_a_figure(self):
        crossing = Sentence(CROSSED)
        self.send(Treebank.from_sentences([*self.treebank.sentences[:9], crossing]))
        assert FIGURES_OF_SIZES.keys() == self.widget.size_labels.keys()
        for name, (figure, _) in FIGURES_OF_SIZES.items():
            self.widget.size_labels[name].linkActivated.emit(name)
            self.wait()
            assert self.widget.figure == figure
            assert self.widget.figures.currentItem().text() == figure
        for _ in range(2):      # also where its figure is shown already
            self.widget.size_labels["non-projective (%)"].linkActivated.emit(
                "non-projective (%)")
            self.wait()
            assert self.output("sentences").sentences == [crossing]

    def test_heads_that_are_not_known(self):
        bare = Sentence(UNPARSED)
        self.send(Treebank.from_sentences([bare, *self.treebank.sentences[:5]]))
        self.choose("Height of trees")
        own = self.widget.result.clusters.values
        assert own[-1] == "(none)" and own[:-1] == sorted(own[:-1], key=int)
        assert len(self.widget.bars.rows) == len(own) - 1
        ((*ticks,),) = self.widget.bars.ticks._tickLevels
        assert [text for _, text in ticks] == own[:-1]      # no halves between numbers
        self.send(Treebank.from_sentences([bare]))
        assert len(self.widget.bars.rows) == 0

    def test_predicted_trees(self):
        self.send(self.treebank.with_prediction(
            "chain", [list(range(len(own))) for own in self.treebank.sentences]))
        self.choose("Arc length")
        simulate.combobox_activate_item(self.widget.tree_combo, "chain")
        self.wait()
        assert self.output("counts").metas.tolist() == [["1"]]

    def test_bad_input_and_settings(self):
        self.send(Table("iris")[:5])
        assert self.widget.Error.no_treebank.is_shown()
        self.send(None)
        assert not self.widget.Error.active
        assert self.output("counts") is None
        self.widget = self.create_widget(OWTreebankStatistics, stored_settings={
            "figure": "x", "cells": [["not there", "x"]]})
        self.send(self.treebank)
        assert self.widget.figure == "Relations by part of speech"
        assert len(self.output("sentences")) == 0

    def test_an_empty_treebank(self):
        self.send(self.treebank[:0])
        for name in TREEBANK_FIGURES:
            self.choose(name)
            assert len(self.output("counts")) == 0

    def test_report(self):
        self.widget.send_report()
        self.send(self.treebank)
        self.widget.send_report()
        assert "nsubj" in self.widget.report_html


@pytest.mark.parametrize("cells", [[], [["obj", "H D"]]])
def test_script(cells, tmp_path):
    nodes = [(LOAD, "Treebank", {"source": "bundled"}), (STATISTICS, "Statistics", {
        "figure": "Head and dependent", "cells": cells}),
             (TABLE, "Selected", {}), (TABLE, "Counts", {})]
    links = [(0, "Treebank", 1, "Treebank"), (1, "Counts", 3, "Data")]
    if cells:
        links.append((1, "Sentences", 2, "Data"))
    script = write_script(workflow(nodes, links))
    assert not any("Statistics" in text for text in script.missing)
    path = tmp_path / "script.py"
    path.write_text(script.text, encoding="utf-8")
    values = run_main(path)
    own = TreebankProfile(load_bundled("en")).figure("Head and dependent")
    assert values["statistics_counts"].X.tolist() == own.to_table().X.tolist()
    if cells:
        assert 'statistics.select([("obj", "H D")]).sentences()' in script.text


def test_a_figure_that_does_not_exist():
    nodes = [(LOAD, "Treebank", {}), (STATISTICS, "Statistics", {"figure": "x"})]
    missing = write_script(workflow(nodes, [(0, "Treebank", 1, "Treebank")])).missing
    assert "figure 'x' is not known" in missing[0]
