import pytest
from AnyQt.QtCore import QItemSelectionModel, Qt
from AnyQt.QtGui import QFont
from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.widgets.tests.base import WidgetTest
from orangewidget.tests.utils import simulate

from orange_structpred import find
from orange_structpred.export.script import write_script
from orange_structpred.search.examples import EXAMPLE_PATTERNS
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.marks import marks
from orange_structpred.widgets.find.concordance import (
    BEFORE,
    MATCH,
    MatchedWord,
    abridged,
    laid_out,
)
from orange_structpred.widgets.owfindtrees import OWFindTrees
from tests.export.toy import LOAD, OURS, TABLE, VIEWER, workflow
from tests.widgets.waiting import wait_for
from tests.without_qt import run_main

FIND = OURS + "owfindtrees.OWFindTrees"
OBJECTS = "pattern { V [upos=VERB]; V -[obj]-> N }"


class TestFindTrees(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")[:120]

    def setUp(self):
        self.widget: OWFindTrees = self.create_widget(OWFindTrees)

    def send(self, data):
        self.send_signal(self.widget.Inputs.treebank, data)
        self.wait()

    def wait(self):
        wait_for(lambda: self.widget.task is None and not self.widget.field._timer.isActive())

    def type(self, pattern):
        self.widget.field.set_pattern(pattern)
        self.wait()

    def output(self, name):
        return self.get_output(getattr(self.widget.Outputs, name))

    def cluster(self, key, by=""):
        for name, text in (("key", key), ("by", by)):
            edit = self.widget.key_combos[name].lineEdit()
            edit.setText(text)
            edit.editingFinished.emit()

    def test_answers_are_those_of_the_library(self):
        self.send(self.treebank)
        self.type(OBJECTS)
        found = find(self.treebank, OBJECTS)
        assert (f"{len(found)} matches in {found.n_sentences} sentences of 120"
                in self.widget.status.text())
        assert len(self.output("matches")) == len(found)
        assert marks(self.output("sentences")) == marks(found.sentences())
        assert self.output("clusters") is None
        assert self.widget.lines.lines.rowCount() == len(found)
        model = self.widget.lines.lines
        assert [model.index(0, column).data() for column in range(4)] == [
            str(found.rows[0] + 1), *found.lines(context=10)[0][1:]]

    def test_typing(self):
        self.send(self.treebank)
        self.widget.field.selectAll()
        QTest.keyClicks(self.widget.field, "upos=VERB")
        self.wait()
        assert len(self.output("matches")) == len(find(self.treebank, "upos=VERB"))

    def test_errors_point_at_the_character(self):
        self.send(self.treebank)
        self.type("pattern { V [upos=] }")
        assert "column 19" in self.widget.Error.pattern.formatted
        (mark,) = self.widget.field.extraSelections()
        assert mark.cursor.selectedText() == "]"
        assert self.output("matches") is None
        self.type('form="𝒳" upos=')
        (mark,) = self.widget.field.extraSelections()
        assert mark.cursor.selectedText() == "="
        self.type("upos=VERB")
        assert not self.widget.Error.active
        assert self.widget.field.extraSelections() == []
        self.type("Tens=Past")
        assert "did you mean Tense?" in self.widget.Information.notes.formatted
        self.type("")
        assert not self.widget.Information.notes.is_shown()
        assert self.output("matches") is None

    def test_an_example_is_one_click_away(self):
        self.send(self.treebank)
        examples = self.widget.examples
        item = examples.item(5)
        QTest.mouseClick(examples.viewport(), Qt.LeftButton,
                         pos=examples.visualItemRect(item).center())
        self.wait()
        assert self.widget.pattern == EXAMPLE_PATTERNS[5][1]
        assert len(self.output("matches")) == len(
            find(self.treebank, EXAMPLE_PATTERNS[5][1]))

    def test_selected_lines_are_sent(self):
        self.send(self.treebank)
        self.type(OBJECTS)
        view = self.widget.lines
        view.horizontalHeader().sectionClicked.emit(MATCH)
        view.selectRow(0)
        first = int(view.lines.numbers[0])
        lines = find(self.treebank, OBJECTS).lines()
        assert lines[first].match == min((line.match for line in lines), key=str.casefold)
        assert self.widget.selection == [first]
        assert len(self.output("matches")) == 1
        assert len(self.output("sentences")) == 1
        assert "1 selected" in self.widget.status.text()
        view.horizontalHeader().sectionClicked.emit(BEFORE)
        assert view.selected() == [first]
        ends = [view.lines.index(row, BEFORE).data().split()[-1:] for row in range(10)]
        assert ends == sorted(ends, key=lambda words: [w.casefold() for w in words])

    def test_matched_words_stand_out(self):
        self.send(self.treebank)
        self.type(OBJECTS)
        self.widget.show()
        model, found = self.widget.lines.lines, find(self.treebank, OBJECTS)
        for number, (line, positions) in enumerate(zip(found.lines(), found.positions)):
            words = model.words(number)
            assert " ".join(word.form for word in words) == line.match
            assert [word.form for word in words if word.is_matched] == [
                self.treebank.sentences[line.row].forms[position - 1]
                for position in sorted(positions)]
        first = found.positions[0]
        forms = self.treebank.sentences[found.rows[0]].forms
        assert f"V: {forms[first[0] - 1]}, N: {forms[first[1] - 1]}" in model.index(
            0, MATCH).data(Qt.ToolTipRole)
        assert not self.widget.lines.grab().isNull()
        words = [MatchedWord(form, form.isupper()) for form in ["A", "b", "c", "D", "E", "f", "G"]]
        assert [word.form for word in abridged(words)] == ["A", "…", "D", "E", "…", "G"]
        layout = laid_out([MatchedWord("𝒳", True), MatchedWord("b", False),
                           MatchedWord("c", True)], QFont(), Qt.LeftToRight, 200)
        assert [(part.start, part.length) for part in layout.formats()] == [(0, 2), (5, 1)]

    def test_clusters(self):
        self.send(self.treebank)
        self.type(OBJECTS)
        self.cluster("N.upos", "order(V, N)")
        own = find(self.treebank, OBJECTS).cluster("N.upos", "order(V, N)")
        assert self.output("clusters").X.tolist() == own.to_table().X.tolist()
        view = self.widget.cluster_view
        assert view.table.index(0, 0).data() == f"{own.totals[0]:,}"
        assert view.table.index(0, 2).data() == f"{own.counts[0, 0]:,}"
        assert "expected" in view.table.index(0, 2).data(Qt.ToolTipRole)
        view.selectionModel().select(
            view.table.index(0, 2), QItemSelectionModel.ClearAndSelect)
        assert self.widget.cells == [[own.values[0], own.columns[0]]]
        assert len(self.output("matches")) == own.counts[0, 0]
        assert self.widget.lines.lines.rowCount() == own.counts[0, 0]
        self.widget.lines.selectRow(1)
        assert len(self.output("matches")) == 1
        self.cluster("X.upos")
        assert "no node 'X'" in self.widget.Warning.key.formatted
        assert self.output("clusters") is None
        assert len(self.output("matches")) == len(own.matches)

    def test_predicted_trees(self):
        chain = self.treebank.with_prediction(
            "chain", [list(range(len(own))) for own in self.treebank.sentences])
        self.send(chain)
        self.type("pattern { A -> B; A < B }")
        gold = len(self.output("matches"))
        simulate.combobox_activate_item(self.widget.tree_combo, "chain")
        self.wait()
        words = sum(map(len, self.treebank.sentences))
        assert gold < len(self.output("matches")) == words - 120
        self.send(self.treebank)
        assert self.widget.prediction == ""
        assert len(self.output("matches")) == gold

    def test_a_search_without_end_stops_when_one_types_on(self):
        self.send(self.treebank)
        names = "ABCDEFGH"
        self.widget.field.set_pattern(
            "pattern { " + "; ".join(f"{name} []" for name in names)
            + "; A.form = B.lemma; G.lemma <> H.form; H.form = A.lemma }")
        wait_for(lambda: self.widget.task is not None)
        self.type("upos=VERB")
        assert len(self.output("matches")) == len(find(self.treebank, "upos=VERB"))

    def test_another_key_while_it_searches(self):
        self.type(OBJECTS)
        self.send_signal(self.widget.Inputs.treebank, self.treebank)
        assert self.widget.task is not None
        self.cluster("N.lemma")
        self.wait()
        own = find(self.treebank, OBJECTS).cluster("N.lemma").to_table()
        assert self.output("clusters").metas.tolist() == own.metas.tolist()

    def test_what_is_selected_is_in_the_workflow(self):
        settings = {"pattern": OBJECTS, "key": "N.upos", "cells": [["NOUN", ""]],
                    "selection": [1]}
        self.widget = self.create_widget(OWFindTrees, stored_settings=settings)
        self.send(self.treebank)
        table = self.output("matches")
        nouns = find(self.treebank, OBJECTS).where("N.upos", ["NOUN"])
        assert table.metas.tolist() == nouns[[1]].to_table().metas.tolist()
        assert self.widget.cluster_view.selected() == [("NOUN", "")]
        assert self.widget.lines.selected() == [1]

    def test_bad_input_and_settings(self):
        self.send(Table("iris")[:5])
        assert self.widget.Error.no_treebank.is_shown()
        self.send(None)
        assert not self.widget.Error.active
        assert self.output("matches") is None
        self.widget = self.create_widget(OWFindTrees, stored_settings={
            "pattern": 3, "cells": ["x"], "selection": ["x"], "sort_column": 99,
            "context": -1})
        assert (self.widget.cells, self.widget.sort_column) == ([], 0)
        self.widget = self.create_widget(OWFindTrees, stored_settings={
            "pattern": "upos=VERB", "key": "Q.x", "cells": [["a", "b"]],
            "selection": [10**6]})
        self.send(self.treebank)
        assert self.widget.lines.selected() == []

    def test_report(self):
        self.widget.send_report()
        self.send(self.treebank)
        self.type('pattern { N [form<>"<b>"] }')
        self.cluster("N.upos", "N.Number")
        self.widget.send_report()
        assert "&lt;b&gt;" in self.widget.report_html
        assert "NOUN" in self.widget.report_html


@pytest.mark.parametrize("settings", [
    {"pattern": OBJECTS, "key": "N.upos", "by": "V.Tense"},
    {"pattern": OBJECTS, "key": "N.upos", "cells": [["NOUN", ""]], "selection": [0, 2]},
])
def test_script(settings, tmp_path):
    nodes = [(LOAD, "Treebank", {"source": "bundled"}), (FIND, "Find Trees", settings),
             (VIEWER, "Viewer", {}), (TABLE, "Matches", {}), (TABLE, "Clusters", {})]
    links = [(0, "Treebank", 1, "Treebank"), (1, "Sentences", 2, "Treebank"),
             (1, "Matches", 3, "Data"), (1, "Clusters", 4, "Data")]
    script = write_script(workflow(nodes, links))
    assert script.missing == []
    path = tmp_path / "script.py"
    path.write_text(script.text, encoding="utf-8")
    values = run_main(path)
    found = find(load_bundled("en"), OBJECTS)
    clusters = found.cluster("N.upos", settings.get("by"))
    assert values["find_trees_counts"].X.tolist() == clusters.to_table().X.tolist()
    if "cells" in settings:
        found = clusters.select([("NOUN", "")])[[0, 2]]
    assert values["find_trees_matches"].metas.tolist() == found.to_table().metas.tolist()


def test_a_script_without_a_pattern():
    nodes = [(LOAD, "Treebank", {}), (FIND, "Find Trees", {"pattern": " "})]
    script = write_script(workflow(nodes, [(0, "Treebank", 1, "Treebank")]))
    assert "it has no pattern" in script.text
