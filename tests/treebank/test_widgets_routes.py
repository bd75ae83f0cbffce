"""Treebanks through Orange's own widgets."""
import os
import tempfile
from pathlib import Path

import numpy as np
from AnyQt.QtCore import QModelIndex, Qt
from Orange.data import ContinuousVariable, Domain, StringVariable, Table
from Orange.data.filter import FilterContinuous
from Orange.widgets.data.owconcatenate import OWConcatenate
from Orange.widgets.data.owdatasampler import OWDataSampler
from Orange.widgets.data.owfile import OWFile
from Orange.widgets.data.owmergedata import OWMergeData
from Orange.widgets.data.owsave import OWSave
from Orange.widgets.data.owselectcolumns import OWSelectAttributes
from Orange.widgets.data.owselectrows import OWSelectRows
from Orange.widgets.data.owtable import OWTable
from Orange.widgets.tests.base import WidgetTest
from Orange.widgets.visualize.owdistributions import OWDistributions

from orange_structpred import Treebank
from tests.treebank.test_table import assert_same, with_two_predictions
from tests.treebank.toy import BLOCKS, CHAIN, CROSSED, ONE_WORD, file_of, treebank

FILTERS = {
    ".tab": "Tab-separated values (*.tab)",
    ".csv": "Comma-separated values (*.csv)",
    ".xlsx": "Microsoft Excel spreadsheet (*.xlsx)",
    ".pkl": "Pickled Orange data (*.pkl)",
    ".tab.gz": "Compressed Tab-separated values (*.tab.gz)",
    ".conllu": "CoNLL-U treebank (*.conllu)",
    ".conllu.gz": "Compressed CoNLL-U treebank (*.conllu.gz)",
}


class RoutesTest(WidgetTest):
    def setUp(self):
        super().setUp()
        self.widget = None
        self.locking, Table.LOCKING = Table.LOCKING, True
        self.bank = with_two_predictions(treebank(BLOCKS * 3))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def tearDown(self):
        Table.LOCKING = self.locking
        super().tearDown()

    def through(self, cls, table, *, inputs="data", output="data", settings=None,
                act=None):
        """What a widget sends out for a table."""
        widget = self.create_widget(cls, stored_settings=settings)
        self.send_signal(getattr(widget.Inputs, inputs), table)
        if act is not None:
            act(widget)
        return self.get_output(getattr(widget.Outputs, output))

    def assert_part(self, found, rows):
        """Found is a treebank with these rows of the treebank."""
        found = Treebank.from_table(found)
        assert_same(found, self.bank[rows])


class TestTables(RoutesTest):
    def test_data_sampler(self):
        settings = {"sampling_type": OWDataSampler.FixedProportion,
                    "sampleSizePercentage": 50, "use_seed": True}
        widget = self.create_widget(OWDataSampler, stored_settings=settings)
        self.send_signal(widget.Inputs.data, self.bank)
        rows = []
        for output in (widget.Outputs.data_sample, widget.Outputs.remaining_data):
            found = self.get_output(output)
            assert isinstance(found, Treebank)
            own = [self.bank.ids.tolist().index(i) for i in found.ids]
            self.assert_part(found, own)
            rows += own
        assert sorted(rows) == list(range(len(self.bank)))

    def test_bootstrap(self):
        """The same sentence several times."""
        found = self.through(OWDataSampler, self.bank, output="data_sample", settings={
            "sampling_type": OWDataSampler.Bootstrap, "use_seed": True})
        blocks = [sentence.block for sentence in Treebank.from_table(found).sentences]
        assert set(blocks) <= set(BLOCKS) and len(blocks) == len(self.bank)

    def test_select_rows(self):
        def long_ones(widget):
            widget.remove_all()
            is_greater = [operator for operator, *_ in widget.Operators[
                ContinuousVariable]].index(FilterContinuous.Greater)
            widget.add_row(self.bank.domain["length"], is_greater, ["3"])
            widget.conditions_changed()
            widget.commit.now()

        found = self.through(OWSelectRows, self.bank, output="matching_data",
                             act=long_ones)
        assert isinstance(found, Treebank)
        rows = np.flatnonzero(self.bank.X[:, 0] > 3)
        assert 0 < len(rows) < len(self.bank)
        self.assert_part(found, rows)

    def test_select_columns(self):
        """A target does not stop a table from being a treebank."""
        domain = Domain(self.bank.domain.attributes[:1],
                        self.bank.domain["projective"], self.bank.domain.metas)
        found = self.through(OWSelectAttributes, self.bank.transform(domain))
        self.assert_part(found, ...)

    def test_data_table(self):
        widget = self.create_widget(OWTable)
        self.send_signal(widget.Inputs.data, self.bank)
        widget.set_selection([1, 3], list(range(
            len(self.bank.domain.variables) + len(self.bank.domain.metas))))
        widget.commit.now()
        widget.show()
        widget.grab()
        self.assert_part(self.get_output(widget.Outputs.selected_data), [1, 3])
        self.assert_part(self.get_output(widget.Outputs.annotated_data), ...)

    def test_distributions(self):
        widget = self.create_widget(OWDistributions)
        self.send_signal(widget.Inputs.data, self.bank)
        widget.grab()
        found = self.get_output(widget.Outputs.annotated_data)
        self.assert_part(found, ...)

    def test_concatenate(self):
        """Treebanks with different predictions: each row keeps what it has."""
        other = treebank([CHAIN, CROSSED], name="other")
        other = other.with_prediction("other", [[0, 0, 1], [0, 0, 0, 1]])
        widget = self.create_widget(OWConcatenate)
        self.send_signal(widget.Inputs.additional_data, self.bank, 0)
        self.send_signal(widget.Inputs.additional_data, other, 1)
        assert not widget.Error.bow_concatenation.is_shown()
        found = Treebank.from_table(self.get_output(widget.Outputs.data))
        assert isinstance(found, Treebank)
        assert found.sentences == self.bank.sentences + other.sentences
        assert list(found.predictions) == ["flat", "gold", "other"]
        n = len(self.bank)
        heads = [own.tolist() for own in found.predictions["other"].heads]
        assert heads[n:] == [[0, 0, 1], [0, 0, 0, 1]]
        assert heads[0] == [-1, -1, -1]
        assert found.predictions["gold"].heads[0].tolist() == [0, 1, 2]

    def test_concatenate_to_primary(self):
        widget = self.create_widget(OWConcatenate)
        self.send_signal(widget.Inputs.primary_data, self.bank)
        self.send_signal(widget.Inputs.additional_data, treebank([ONE_WORD]), 0)
        found = Treebank.from_table(self.get_output(widget.Outputs.data))
        assert found.sentences[-1].block == ONE_WORD
        assert len(found) == len(self.bank) + 1
        assert list(found.predictions) == ["flat", "gold"]


class TestMergeData(RoutesTest):
    def merged(self, left, right, merging, name="sent_id"):
        widget = self.create_widget(OWMergeData)
        widget.merging = merging
        self.send_signal(widget.Inputs.data, left)
        self.send_signal(widget.Inputs.extra_data, right)
        widget.attr_boxes.set_state([(left.domain[name], right.domain[name])])
        widget.commit.now()
        assert not widget.Error.active, [str(error) for error in widget.Error.active]
        return self.get_output(widget.Outputs.data)

    def test_columns_of_another_table(self):
        bank = with_two_predictions(treebank())
        genre = StringVariable("genre")
        sent_id = StringVariable("sent_id")
        other = Table.from_numpy(Domain([], [], [sent_id, genre]), np.empty((2, 0)),
                                 metas=np.array([["crossed", "news"], ["chain", "x"]],
                                                dtype=object))
        found = Treebank.from_table(self.merged(bank, other, OWMergeData.LeftJoin))
        assert_same(found, bank)
        assert found.get_column("genre")[:3].tolist() == ["x", "news", ""]

    def test_predictions_of_two_parsers(self):
        """Treebanks that two parsers gave their predictions to become one."""
        bank = treebank()
        zeros = [[0] * len(sentence) for sentence in bank.sentences]
        gold = [sentence.heads for sentence in bank.sentences]
        left = bank.with_prediction("one", zeros)
        right = bank.with_prediction("two", gold)[::-1]
        for merging in (OWMergeData.LeftJoin, OWMergeData.InnerJoin):
            found = Treebank.from_table(self.merged(left, right, merging))
            assert_same(found, left.with_prediction("two", gold))

    def test_outer_join(self):
        """Rows of either side; the column of sentences comes twice."""
        left, right = treebank(BLOCKS[:4]), treebank(BLOCKS[2:])
        left = left.with_prediction("one", [[0] * len(s) for s in left.sentences])
        table = self.merged(left, right, OWMergeData.OuterJoin)
        found = Treebank.from_table(table)
        assert [sentence.block for sentence in found.sentences] == BLOCKS
        heads = found.predictions["one"].heads
        assert heads[0].tolist() == [0, 0, 0] and heads[5].tolist() == [-1, -1]


class TestFiles(RoutesTest):
    def save(self, table, extension, **settings):
        path = str(self.folder / f"saved{extension}")
        widget = self.create_widget(OWSave, stored_settings=settings)
        self.send_signal(widget.Inputs.data, table)
        widget.filename, widget.filter = path, FILTERS[extension]
        assert widget.writer is not None
        widget.save_file()
        return path, widget

    def load(self, path):
        widget = self.create_widget(OWFile, stored_settings={"recent_paths": []})
        widget.add_path(path)
        widget.load_data()
        return self.get_output(widget.Outputs.data), widget

    def test_save_data_and_file(self):
        for extension in FILTERS:
            with self.subTest(extension=extension):
                path, _ = self.save(self.bank, extension)
                found, widget = self.load(path)
                assert not widget.Error.active
                again = Treebank.from_table(found)
                assert_same(again, self.bank)
                assert again.domain == self.bank.domain
                np.testing.assert_array_equal(again.X, self.bank.X)
                assert isinstance(found, Treebank) or extension == ".xlsx"

    def test_save_data_without_types(self):
        for extension in (".tab", ".csv", ".xlsx"):
            with self.subTest(extension=extension):
                path, _ = self.save(self.bank, extension, add_type_annotations=False)
                found, _ = self.load(path)
                assert_same(Treebank.from_table(found), self.bank)

    def test_plain_table_to_conll(self):
        """What Merge Data sends is no Treebank, and can be saved as one."""
        path, widget = self.save(Table.from_table_rows(self.bank, ...), ".conllu")
        assert not widget.Error.active
        assert_same(self.load(path)[0], self.bank)

    def test_no_treebank_to_conll(self):
        path, widget = self.save(Table("iris"), ".conllu")
        assert widget.Error.general_error.is_shown()
        assert "is not a treebank" in str(widget.Error.general_error)
        assert not os.path.exists(path)

    def test_file_with_faults(self):
        path = self.folder / "bad.conllu"
        path.write_bytes(file_of([CHAIN, CHAIN.replace("\t2\tdep", "\t7\tdep")]))
        found, widget = self.load(str(path))
        assert found is None
        assert widget.Error.unknown.is_shown()
        assert "bad.conllu, line 11: found head '7', expected" \
            in str(widget.Error.unknown)

    def test_edited_columns(self):
        """File makes a plain table when the user changes a column."""
        path, _ = self.save(self.bank, ".conllu")
        _, widget = self.load(path)
        model = widget.domain_editor.model()
        for row in range(model.rowCount(QModelIndex())):
            cell = model.index(row, 0)
            if cell.data() in ("length", "gold"):
                model.setData(cell, f"my {cell.data()}", Qt.EditRole)
        widget.apply_button.click()
        found = self.get_output(widget.Outputs.data)
        names = [var.name for var in found.domain.variables + found.domain.metas]
        assert "my length" in names
        again = Treebank.from_table(found)
        assert again.sentences == self.bank.sentences
        assert list(again.predictions) == ["flat", "my gold"]

    def test_formats_are_offered(self):
        offered = OWSave.get_filters()
        assert set(FILTERS.values()) <= set(offered)
        assert len([name for name in offered if "*.csv)" in name]) == 1
        readers = self.create_widget(OWFile).available_readers
        assert [r.DESCRIPTION for r in readers if ".conllu" in r.EXTENSIONS] \
            == ["CoNLL-U treebank"]
