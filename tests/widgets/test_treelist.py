import unittest

import numpy as np
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtTest import QSignalSpy, QTest
from orangewidget.tests.base import GuiTest

from orange_structpred.treebank import Prediction, Sentence
from orange_structpred.widgets.tree.list import (
    DOUBT_COLUMN,
    LENGTH_COLUMN,
    NUMBER_COLUMN,
    SENTENCE_COLUMN,
    UAS_COLUMN,
    WRONG_COLUMN,
    SentenceModel,
    SentenceView,
    sorted_rows,
    wrong_heads,
)
from tests.treebank.toy import UNPARSED, block
from tests.widgets.tips import read_tip

SENTENCES = [Sentence(block([0, 1, 2], "Cats like milk", sent_id="s-cats")),
             Sentence(block([2, 0], "dogs bark", sent_id="s-dogs")),
             Sentence(block([0], "Apples", sent_id="s-apples"))]


def test_sorted_rows():
    rows = np.arange(5)
    keys = np.array([2., np.nan, 1., 2., 3.])
    assert sorted_rows(keys, rows, False).tolist() == [2, 0, 3, 4, 1]
    assert sorted_rows(keys, rows, True).tolist() == [4, 0, 3, 2, 1]
    names = np.array(["b", "a", "b", "c", "a"], dtype=object)
    assert sorted_rows(names, rows, False).tolist() == [1, 4, 0, 2, 3]
    assert sorted_rows(names, rows[1:], True).tolist() == [3, 2, 1, 4]


def test_wrong_heads():
    heads = [np.array([0, 1, 1]), np.array([2, 0]), np.array([-1])]
    found = wrong_heads(SENTENCES, Prediction(heads))
    np.testing.assert_equal(found, [1, 0, np.nan])
    unparsed = [Sentence(UNPARSED)]
    assert wrong_heads(unparsed, Prediction([np.array([2, 0])])) is None


def test_expected_errors():
    heads = [own.heads for own in SENTENCES]
    shares = [np.array([1, 0.5, 0.75]), np.array([np.nan, 0.9]), np.array([np.nan])]
    found = Prediction(heads, None, shares).expected_errors()
    np.testing.assert_allclose(found, [0.75, 0.1, np.nan])
    assert np.isnan(Prediction(heads).expected_errors()).all()


class TestModel(GuiTest):
    def setUp(self):
        super().setUp()
        self.model = SentenceModel()
        self.model.set_sentences(SENTENCES)

    def column(self, column, role=Qt.DisplayRole):
        return [self.model.data(self.model.index(row, column), role)
                for row in range(self.model.rowCount())]

    def test_most_doubtful_first(self):
        self.model.set_wrong(None, np.array([0.25, 1.5, np.nan]))
        self.assertEqual(self.column(DOUBT_COLUMN), ["0.2", "1.5", "–"])
        self.model.sort(DOUBT_COLUMN, Qt.DescendingOrder)
        self.assertEqual(self.column(NUMBER_COLUMN), ["2", "1", "3"])
        self.assertEqual(self.model.headerData(
            DOUBT_COLUMN, Qt.Horizontal, Qt.InitialSortOrderRole), Qt.DescendingOrder)

    def test_cells(self):
        self.model.set_wrong(np.array([1, 0, np.nan]))
        self.assertEqual(self.column(NUMBER_COLUMN), ["1", "2", "3"])
        self.assertEqual(self.column(LENGTH_COLUMN), ["3", "2", "1"])
        self.assertEqual(self.column(WRONG_COLUMN), ["1", "0", "–"])
        self.assertEqual(self.column(UAS_COLUMN), ["67", "100", "–"])
        self.assertEqual(self.column(DOUBT_COLUMN), ["–", "–", "–"])
        self.assertEqual(self.column(SENTENCE_COLUMN), ["Cats like milk", "dogs bark", "Apples"])
        self.assertEqual(read_tip(self.column(SENTENCE_COLUMN, Qt.ToolTipRole)[1]),
                         "s-dogs\ndogs bark")

    def test_sort(self):
        self.model.sort(SENTENCE_COLUMN)
        self.assertEqual(self.column(NUMBER_COLUMN), ["3", "1", "2"])
        self.model.sort(LENGTH_COLUMN, Qt.AscendingOrder)
        self.assertEqual(self.column(NUMBER_COLUMN), ["3", "2", "1"])
        self.model.sort(UAS_COLUMN, Qt.DescendingOrder)
        self.assertEqual(self.column(NUMBER_COLUMN), ["1", "2", "3"])   # there is no UAS
        self.model.set_wrong(np.array([1, 0, np.nan]))
        self.assertEqual(self.column(NUMBER_COLUMN), ["2", "1", "3"])

    def test_tips_are_no_html(self):
        self.model.set_sentences([Sentence(block([2, 0], "<b> &amp;", sent_id="<p>"))])
        self.assertEqual([*map(read_tip, self.column(SENTENCE_COLUMN, Qt.ToolTipRole))],
                         ["<p>\n<b> &amp;"])

    def test_accents_may_be_written_in_two_ways(self):
        both = "caf\u00e9", "cafe\u0301"
        self.model.set_sentences([Sentence(block([0], form)) for form in both])
        for pattern in both:
            self.model.set_pattern(pattern.upper())
            self.assertEqual(self.column(NUMBER_COLUMN), ["1", "2"])
        self.model.set_pattern("cafe")
        self.assertEqual(self.column(NUMBER_COLUMN), [])

    def test_what_word_processors_write_is_found_as_it_is_read(self):
        forms = "Ver\u00adwaltung", "Verwaltung", "\ufb01ne", "fine", "don\u2019t", "don't"
        self.model.set_sentences([Sentence(block([0], form)) for form in forms])
        for k, form in enumerate(forms):
            self.model.set_pattern(form)
            first = k - k % 2 + 1
            self.assertEqual(self.column(NUMBER_COLUMN), [str(first), str(first + 1)])

    def test_filter(self):
        for pattern, expected in (("LIKE", ["1"]), ("s-dogs", ["2"]), ("zzz", []),
                                  ("  ", ["1", "2", "3"]), ("s", ["1", "2", "3"])):
            self.model.set_pattern(pattern)
            self.assertEqual(self.column(NUMBER_COLUMN), expected)
        self.model.set_pattern("k")
        self.model.sort(LENGTH_COLUMN)
        self.assertEqual(self.column(NUMBER_COLUMN), ["2", "1"])


class TestView(GuiTest):
    def setUp(self):
        super().setUp()
        self.model = SentenceModel()
        self.view = SentenceView(self.model)
        self.model.set_sentences(SENTENCES)

    def test_select(self):
        self.view.select([2, 0], 2)
        self.assertEqual(self.view.selected(), [0, 2])
        self.assertEqual(self.view.current(), 2)
        self.view.select([1])
        self.assertEqual((self.view.selected(), self.view.current()), ([1], 1))
        self.view.select([17])
        self.assertEqual((self.view.selected(), self.view.current()), ([0], 0))

    def test_sentences_are_named_by_their_place_in_the_treebank(self):
        self.model.sort(LENGTH_COLUMN)
        self.view.select([0, 1], 1)
        self.assertEqual(self.view.selected(), [0, 1])
        self.assertEqual(self.view.currentIndex().row(), 1)

    def test_step(self):
        current = QSignalSpy(self.view.current_changed)
        self.view.select([0])
        self.view.step(1)
        self.assertEqual((self.view.selected(), self.view.current()), ([1], 1))
        self.view.step(-1)
        self.view.step(-1)      # there is nothing above
        self.assertEqual(self.view.current(), 0)
        self.assertEqual(len(current), 3)

    def test_nothing_to_select(self):
        self.model.set_pattern("zzz")
        self.view.select([0])
        self.view.step(1)
        self.assertEqual((self.view.selected(), self.view.current()), ([], None))

    def test_uas_is_there_only_if_known(self):
        self.view.fit_columns()
        self.assertTrue(self.view.isColumnHidden(UAS_COLUMN))
        self.model.set_wrong(np.zeros(3))
        self.view.fit_columns()
        self.assertFalse(self.view.isColumnHidden(UAS_COLUMN))
        self.assertFalse(self.view.isColumnHidden(WRONG_COLUMN))

    def test_the_sentence_with_most_wrong_heads_comes_first(self):
        self.model.set_wrong(np.array([0, 1, 1]))
        self.view.fit_columns()
        self.view.resize(600, 200)
        header = self.view.horizontalHeader()
        header.sortIndicatorChanged.connect(self.model.sort)
        self.view.show()
        QTest.mouseClick(header.viewport(), Qt.LeftButton, pos=QPoint(
            header.sectionViewportPosition(WRONG_COLUMN) + 10, header.height() // 2))
        self.assertEqual(self.model.rows.tolist(), [1, 2, 0])


if __name__ == "__main__":
    unittest.main()
