"""Scripts compute the tables that Orange's own widgets compute."""
import math
from itertools import product

import numpy as np
from Orange.data import DiscreteVariable, Domain, Table
from Orange.widgets.data.owconcatenate import OWConcatenate
from Orange.widgets.data.owdatainfo import OWDataInfo
from Orange.widgets.data.owmergedata import OWMergeData
from Orange.widgets.data.owpivot import OWPivot
from Orange.widgets.data.owselectcolumns import OWSelectAttributes
from Orange.widgets.visualize.owdistributions import OWDistributions
from orangewidget.tests.utils import simulate

from orange_structpred.export.script import write_script
from orange_structpred.tables.contents import table_info
from orange_structpred.tables.histogram import histogram
from orange_structpred.tables.merging import merge
from orange_structpred.tables.pivot import FUNCTIONS, pivot
from orange_structpred.tables.rows import concatenate
from orange_structpred.treebank import Treebank
from tests.export.toy import (
    COLUMNS,
    DISTRIBUTIONS,
    INFO,
    LOAD,
    MERGE,
    PIVOT,
    TABLE,
    workflow,
)
from tests.widgets.test_script_widgets import LOADED, ScriptTest, blocks


class TablesTest(ScriptTest):
    def assertSameTable(self, first, second, message=""):
        self.assertEqual([list(map(str, part)) for part in parts(first.domain)],
                         [list(map(str, part)) for part in parts(second.domain)], message)
        for variable in (*first.domain.variables, *first.domain.metas):
            one, two = (table.get_column(variable.name) for table in (first, second))
            if variable.is_discrete:
                # values may have another order
                one, two = ([None if math.isnan(value) else own.domain[
                    variable.name].values[int(value)] for value in column]
                    for own, column in ((first, one), (second, two)))
                self.assertEqual(one, two, f"{variable} {message}")
            elif variable.is_continuous:
                np.testing.assert_allclose(one.astype(float), two.astype(float))
            else:
                self.assertEqual(list(map(str, one)), list(map(str, two)), message)

    def heart(self, widget):
        data = Table("heart_disease")       # numbers, categories, missing values
        self.send_signal("Data", data, widget=widget)
        return data


def parts(domain):
    return domain.attributes, domain.class_vars, domain.metas


class TestConcatenate(TablesTest):
    def test_categories_with_other_values(self):
        tables = [Table.from_numpy(Domain([DiscreteVariable("colour", values)]),
                                   np.array([[0.], [1.], [np.nan]]))
                  for values in (("red", "blue"), ("blue", "green"), ("red", "blue"))]
        widget = self.create_widget(OWConcatenate)
        for number, table in enumerate(tables):
            self.send_signal(widget.Inputs.additional_data, table, number, widget=widget)
        expected = self.get_output("Data", widget=widget)
        self.assertSameTable(concatenate(*tables), expected)
        self.assertEqual(expected.domain["colour"].values, ("red", "blue", "green"))


class TestPivot(TablesTest):
    def test_all_functions(self):
        widget = self.create_widget(OWPivot)
        data = self.heart(widget)
        widget.sel_agg_functions = set(range(len(FUNCTIONS)))
        for rows, columns in (("gender", "chest pain"), ("chest pain", None),
                              ("thal", "major vessels colored")):
            if columns and not data.domain[columns].is_discrete:
                rows, columns = columns, rows
            simulate.combobox_activate_item(widget.controls.row_feature, rows)
            simulate.combobox_activate_index(widget.controls.col_feature, 0)
            if columns:
                simulate.combobox_activate_item(widget.controls.col_feature, columns)
            simulate.combobox_activate_item(widget.controls.val_feature, "cholesterol")
            widget.pivot = None
            widget.commit.now()
            self.assertSameTable(
                pivot(data, rows, columns, values="cholesterol", functions=FUNCTIONS),
                self.get_output("Pivot Table", widget=widget))

    def test_script(self):
        widget = self.create_widget(OWPivot)
        self.send_signal("Data", self.treebank, widget=widget)
        simulate.combobox_activate_item(widget.controls.row_feature, "length")
        simulate.combobox_activate_item(widget.controls.col_feature, "projective")
        simulate.combobox_activate_item(widget.controls.val_feature, "height")
        widget.aggregation_checkboxes[3].click()
        widget.commit.now()
        values, text = self.through(PIVOT, widget, ["Pivot Table"])
        self.assertIn('functions=["count", "mean"])', text)
        self.assertSameTable(values["it"], self.get_output("Pivot Table", widget=widget))


class TestDistributions(TablesTest):
    def test_all_kinds(self):
        widget = self.create_widget(OWDistributions)
        data = self.heart(widget)
        for name, by, bins, cumulative, sort in product(
                ("age", "ST by exercise", "major vessels colored", "chest pain", "thal"),
                (None, "gender"), (0, 2, 50), (False, True), (False, True)):
            widget.var = data.domain[name]
            widget.cvar = data.domain[by] if by else None
            widget.number_of_bins = bins
            widget._user_var_bins.clear()
            widget.cumulative_distr, widget.sort_by_freq = cumulative, sort
            widget.set_valid_data()
            widget.recompute_binnings()
            widget.replot()
            widget.apply.now()
            self.assertSameTable(
                histogram(data, name, by=by, bins=bins, cumulative=cumulative, sort=sort),
                self.get_output("Histogram Data", widget=widget),
                f"{name} {by} {bins} {cumulative} {sort}")

    def test_script(self):
        widget = self.create_widget(OWDistributions)
        self.send_signal("Data", self.treebank, widget=widget)
        widget.cvar = self.treebank.domain["projective"]
        widget.number_of_bins = 1
        widget._on_bin_slider_released()
        widget._on_cvar_changed()
        values, text = self.through(DISTRIBUTIONS, widget, ["Histogram Data"])
        self.assertIn('by="projective", bins=1)', text)
        self.assertSameTable(values["it"],
                             self.get_output("Histogram Data", widget=widget))


class TestSelectColumns(TablesTest):
    def test_roles_and_order(self):
        widget = self.create_widget(OWSelectAttributes)
        self.send_signal("Data", self.treebank, widget=widget)
        first, *others = widget.used_attrs[:]
        widget.used_attrs[:] = others[::-1][:2]
        widget.class_attrs[:] = [first]
        widget.meta_attrs[:] = widget.meta_attrs[:][::-1]
        widget.commit.now()
        values, _ = self.through(COLUMNS, widget, ["Data"])
        sent = self.get_output("Data", widget=widget)
        self.assertSameTable(values["it"], sent)
        self.assertIsInstance(values["it"], Treebank)
        self.assertEqual(len(sent.domain.attributes), 2)


class TestMerge(TablesTest):
    def check(self, data, extra, pairs, kind):
        """What the widget sends, and what the library computes."""
        widget = self.create_widget(OWMergeData, stored_settings={
            "merging": kind, "__version__": 2})
        self.send_signals([("Data", data), ("Extra Data", extra)], widget=widget)
        widget.attr_boxes.set_state([
            tuple(own if own[0].isupper() else table.domain[own]
                  for table, own in zip((data, extra), pair)) for pair in pairs])
        widget.commit.now()
        sent = self.get_output("Data", widget=widget)
        how = ("left", "inner", "outer")[kind]
        if sent is None and not widget.Error.active:
            self.assertEqual(len(merge(data, extra, pairs, how=how)), 0)
        elif sent is None:
            self.assertRaises(ValueError, merge, data, extra, pairs, how=how)
        else:
            self.assertSameTable(merge(data, extra, pairs, how=how), sent,
                                 f"{pairs} {how}")
        return widget, sent

    def test_all_kinds(self):
        treebank = self.treebank
        numbers = treebank[5:12].copy()
        with numbers.unlocked():
            numbers.X[:, 0] += 1
        for kind, extra, pairs in product(
                range(3), (treebank[10:30], numbers, treebank[20:]),
                ([("text", "text")], [("Row index", "Row index")],
                 [("Instance id", "Instance id")], [("length", "length")],
                 [("text", "text"), ("length", "length")], [("length", "text")],
                 [("Row index", "text")], [("projective", "projective")])):
            self.check(treebank[:20], extra, pairs, kind)

    def test_missing_values_and_categories(self):
        data = Table("heart_disease")
        for kind in range(3):
            self.check(data[:40], data[30:60], [("Row index", "Row index")], kind)
            self.check(data[:40], data[:5], [("thal", "thal")], kind)

    def test_script(self):
        widget, sent = self.check(self.treebank, self.treebank[10:30],
                                  [("text", "text"), ("length", "length")], 1)
        self.treebank[10:30].save(self.folder / "some.conllu")
        values, text = self.run_script(
            [LOADED, (LOAD, "Extra", {"source": "file", "relative_path": "some.conllu"}),
             (MERGE, "It", self.packed(widget)), (TABLE, "Table", {})],
            [(0, "Treebank", 2, "Data"), (1, "Treebank", 2, "Extra Data"),
             (2, "Data", 3, "Data")])
        self.assertIn('how="inner"', text)
        self.assertEqual(blocks(values["it"]), blocks(sent))


class TestDataInfo(TablesTest):
    def test_same_text(self):
        widget = self.create_widget(OWDataInfo)
        for data in (self.treebank, Table("heart_disease"), Table("housing")):
            self.send_signal("Data", data, widget=widget)
            shown = "\n".join(f"{label}: {text}" for label, text
                              in widget.data_desc.items())
            # an exact number of rows is what the widget calls an approximate one
            self.assertEqual(table_info(data), shown.replace("~", ""))

    def test_script(self):
        text = write_script(workflow([LOADED, (INFO, "It", {})],
                                     [(0, "Treebank", 1, "Data")])).text
        self.assertIn("    print(table_info(treebank))", text)
