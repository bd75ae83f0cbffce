"""Scripts do with treebanks what Orange's own widgets do with the same settings."""
import pickle
import tempfile
from itertools import product
from pathlib import Path

from Orange.data import Table
from Orange.widgets.data.owconcatenate import OWConcatenate
from Orange.widgets.data.owdatasampler import OWDataSampler
from Orange.widgets.data.owfile import OWFile
from Orange.widgets.data.owselectrows import OWSelectRows
from Orange.widgets.model.owloadmodel import OWLoadModel
from Orange.widgets.tests.base import WidgetTest
from Orange.widgets.utils.filedialogs import RecentPath

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.export.script import write_script
from tests.export.toy import (
    CONCATENATE,
    FILE,
    LOAD,
    LOAD_MODEL,
    SAMPLER,
    SELECT,
    TABLE,
    workflow,
)
from tests.without_qt import run_main

LOADED = (LOAD, "Treebank", {"source": "bundled", "language": "en"})


def blocks(table):
    return None if table is None else [str(row["conllu"]) for row in table]


class ScriptTest(WidgetTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.treebank = load_bundled("en")

    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def packed(self, widget):
        return pickle.dumps(widget.settingsHandler.pack_data(widget))

    def run_script(self, nodes, links):
        """The variables after running the script of a workflow."""
        script = write_script(workflow(nodes, links, folder=self.folder))
        self.assertEqual(script.missing, [])
        path = self.folder / "script.py"
        path.write_text(script.text, encoding="utf-8")
        return run_main(path), script.text

    def through(self, kind, widget, outputs):
        """What a script sends from a widget's outputs to a table each."""
        nodes = [LOADED, (kind, "It", self.packed(widget)),
                 *((TABLE, f"Table {number}", {}) for number in range(len(outputs)))]
        links = [(0, "Treebank", 1, "Data"),
                 *((1, output, number + 2, "Data")
                   for number, output in enumerate(outputs))]
        return self.run_script(nodes, links)


class TestDataSampler(ScriptTest):
    def test_same_rows(self):
        for kind, size, replace, stratify in product(range(4), (1, 100, 400),
                                                     (False, True), (False, True)):
            widget = self.create_widget(OWDataSampler, stored_settings={
                "sampling_type": kind, "sampleSizeNumber": size,
                "sampleSizePercentage": size // 4, "replacement": replace,
                "stratify": stratify, "selectedFold": 3, "__version__": 2})
            self.send_signal("Data", self.treebank, widget=widget)
            widget.commit()
            values, text = self.through(
                SAMPLER, widget, ["Data Sample", "Remaining Data"])
            for output, name in (("Data Sample", "it_sample"),
                                 ("Remaining Data", "it_rest")):
                sent = self.get_output(output, widget=widget)
                self.assertEqual(blocks(values[name]), blocks(sent) or [], text)

    def test_folds_of_old_workflows(self):
        widget = self.create_widget(OWDataSampler, stored_settings={
            "sampling_type": 2, "selectedFold": 2, "compatibility_mode": True,
            "__version__": 2})
        self.send_signal("Data", self.treebank, widget=widget)
        widget.commit()
        values, _ = self.through(SAMPLER, widget, ["Data Sample", "Remaining Data"])
        sent = self.get_output("Data Sample", widget=widget)
        self.assertEqual(len(sent), 40)
        self.assertEqual(blocks(values["it_sample"]), blocks(sent))


class TestSelectRows(ScriptTest):
    def check(self, *conditions):
        """Conditions are a column, the number of an operator, and values."""
        widget = self.create_widget(OWSelectRows)
        self.send_signal("Data", self.treebank, widget=widget)
        widget.remove_all_rows()
        for name, operator, values in conditions:
            everything = name.startswith("All ")
            widget.add_row(name if everything else self.treebank.domain[name],
                           operator, values)
        widget.conditions_changed()
        widget.commit.now()
        values, text = self.through(SELECT, widget,
                                    ["Matching Data", "Unmatched Data"])
        sent = self.get_output("Matching Data", widget=widget)
        rest = self.get_output("Unmatched Data", widget=widget)
        self.assertEqual(blocks(values["it"]), blocks(sent) or [], text)
        self.assertEqual(blocks(values["it_rest"]), blocks(rest) or [], text)
        return len(values["it"]), text

    def test_numbers(self):
        for operator in range(8):
            values = ["10", "14"] if operator in (6, 7) else ["12"]
            found, _ = self.check(("length", operator, values))
            self.assertGreater(found, 0)
            self.assertLess(found, len(self.treebank))
        self.check(("length", 8, []))
        self.check(("mean arc length", 2, ["2.3456789"]))

    def test_strings(self):
        for operator in range(14):
            values = ["B", "T"] if operator in (6, 7) else ["The"]
            self.check(("text", operator, values))
        self.check(("text", 14, []))
        self.check(("text", 15, []))

    def test_categories(self):
        for operator, values in ((0, [1]), (1, [1]), (2, [1]), (2, [1, 2]), (3, [])):
            self.check(("projective", operator, values))

    def test_all_variables(self):
        self.check(("All variables", 0, []))
        self.check(("All numeric variables", 4, ["0.5"]))
        self.check(("All string variables", 8, ["a"]))

    def test_several(self):
        _, text = self.check(("length", 3, ["15"]), ("projective", 0, [2]),
                             ("text", 9, ["x"]))
        self.assertIn('FilterContinuous("length", FilterContinuous.LessEqual, 15.0)',
                      text)
        self.assertIn('FilterDiscrete("projective", {"yes"})', text)

    def test_no_condition(self):
        widget = self.create_widget(OWSelectRows)
        self.send_signal("Data", self.treebank, widget=widget)
        widget.remove_all_rows()
        widget.conditions_changed()
        _, text = self.through(SELECT, widget, ["Matching Data"])
        self.assertIn("print(treebank)", text)

    def test_purging_is_said_to_be_missing(self):
        widget = self.create_widget(OWSelectRows)
        self.send_signal("Data", self.treebank, widget=widget)
        widget.purge_attributes = True
        script = write_script(workflow(
            [LOADED, (SELECT, "It", self.packed(widget))],
            [(0, "Treebank", 1, "Data")]))
        self.assertEqual(script.missing, ["It: it also removes values and columns"])


class TestConcatenate(ScriptTest):
    def check(self, primary, **settings):
        parser = ParserLearner(passes=1, name="quick")(self.treebank[:30])
        parsed = parser(self.treebank)
        widget = self.create_widget(OWConcatenate, stored_settings=settings)
        if primary:
            self.send_signal("Primary Data", self.treebank, widget=widget)
        else:
            self.send_signal(widget.Inputs.additional_data, self.treebank, 0,
                             widget=widget)
        self.send_signal(widget.Inputs.additional_data, parsed, 1, widget=widget)
        sent = self.get_output("Data", widget=widget)
        with open(self.folder / "quick.pkcls", "wb") as file:
            pickle.dump(parser, file)
        first = "Primary Data" if primary else "Additional Data"
        values, text = self.run_script(
            [LOADED, (LOAD_MODEL, "Quick", pickle.dumps({"recent_paths": [
                RecentPath(str(self.folder / "quick.pkcls"), "basedir",
                           "quick.pkcls")]})),
             ("orange_structpred.widgets.owapplyparser.OWApplyParser", "Parsed", {}),
             (CONCATENATE, "It", self.packed(widget))],
            [(1, "Model", 2, "Parser"), (0, "Treebank", 2, "Treebank"),
             (0, "Treebank", 3, first), (2, "Treebank", 3, "Additional Data")])
        self.assertIn('"--quick", metavar="FILE", default=HERE / "quick.pkcls"', text)
        self.assertIn('with open(args.quick, "rb") as quick_file:', text)
        self.assertEqual(blocks(values["it"]), blocks(sent))
        names = [[variable.name for variable in (*table.domain.variables,
                                                 *table.domain.metas)]
                 for table in (values["it"], sent)]
        self.assertEqual(*names)
        return names[0]

    def test_with_primary_data(self):
        self.assertNotIn("quick", self.check(True))

    def test_all_columns(self):
        self.assertIn("quick", self.check(False, merge_type=0))

    def test_shared_columns(self):
        self.assertNotIn("quick", self.check(False, merge_type=1))


class TestFiles(ScriptTest):
    def check_file(self, name, call):
        path = self.folder / name
        self.treebank[:20].save(path)
        widget = self.create_widget(OWFile, stored_settings={
            "recent_paths": [RecentPath(str(path), None, None)]})
        widget.add_path(str(path))
        widget.load_data()
        sent = self.get_output("Data", widget=widget)
        values, text = self.run_script([(FILE, "It", self.packed(widget))], [])
        self.assertIn(f'default=HERE / "{name}"', text)
        self.assertIn(call, text)
        self.assertEqual(blocks(values["it"]), blocks(sent))
        self.assertEqual(len(values["it"]), 20)

    def test_treebank(self):
        self.check_file("some.conllu", 'it = Treebank.from_file(args.it)')

    def test_table(self):
        self.check_file("some.tab", 'it = Table.from_file(str(args.it))')

    def test_table_of_orange(self):
        widget = self.create_widget(OWFile, stored_settings={"recent_paths": [
            RecentPath(str(Path(Table("iris").__file__)), "sample-datasets",
                       "iris.tab")]})
        values, text = self.run_script([(FILE, "It", self.packed(widget))], [])
        self.assertIn('default="iris"', text)
        self.assertEqual(len(values["it"]), 150)

    def test_load_model_that_nothing_is_chosen_in(self):
        widget = self.create_widget(OWLoadModel, stored_settings={"recent_paths": []})
        _, text = self.run_script([(LOAD_MODEL, "It", self.packed(widget))], [])
        self.assertIn("# It does nothing: no file is chosen.", text)
