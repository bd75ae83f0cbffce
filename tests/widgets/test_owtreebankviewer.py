"""Treebank Viewer: trees, the list of sentences and settings."""
import ast

from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtTest import QTest
from Orange.data import Table
from Orange.widgets.data.owtable import OWTable
from orangewidget.tests.utils import simulate

from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.widgets.owtreebankviewer import OWTreebankViewer
from orange_structpred.widgets.tree.list import LENGTH_COLUMN, LIST_TITLES, UAS_COLUMN
from orange_structpred.widgets.tree.picture import WRONG_EDGE
from orange_structpred.widgets.tree.sentencepane import GOLD_ONLY
from tests.treebank.toy import UNPARSED
from tests.widgets import treebankviewer
from tests.widgets.treebankviewer import FOUND, HEADS, predicted, treebank


class TestTrees(treebankviewer.TreeViewerTest):
    def test_nothing(self):
        widget = self.widget
        for data in (None, predicted(), None):
            self.send(data)
        self.assertIsNone(self.output())
        self.assertIsNone(widget.drawn)
        self.assertEqual(widget.scene.words, [])
        self.assertIsNone(widget.printed)
        self.assertEqual(widget.line.text(), "")
        self.assertFalse(widget.pane.prediction_combo.isEnabled())
        widget.send_report()

    def test_empty_treebank(self):
        self.send(predicted()[:0])
        self.assertIsNone(self.output())
        self.assertEqual(self.widget.pane.model.rowCount(), 0)

    def test_wrong_table(self):
        self.send(predicted())
        self.send(Table("iris"))
        self.assertTrue(self.widget.Error.no_treebank.is_shown())
        self.assertIn("'iris' is not a treebank", str(self.widget.Error.no_treebank))
        self.assertIsNone(self.output())
        self.assertEqual(self.widget.scene.words, [])
        self.send(predicted())
        self.assertFalse(self.widget.Error.no_treebank.is_shown())
        self.assertEqual(len(self.widget.scene.words), 5)

    def test_damaged_prediction(self):
        data = predicted()
        with data.unlocked(data.metas):
            data[1, "A"] = "2 0 2"
        self.send(data)
        self.assertIn("row 2", str(self.widget.Error.no_treebank))
        self.assertEqual(self.widget.pane.model.rowCount(), 0)

    def test_any_table_that_carries_a_treebank(self):
        data = predicted()
        plain = Table.from_table(data.domain, data)
        self.assertNotIsInstance(plain, Treebank)
        self.send(plain)
        self.assertEqual(list(self.widget.scene.arcs["below"]), [1, 2, 3, 4, 5])
        self.assertIsInstance(self.output(), Treebank)

    def test_gold_only(self):
        self.send(treebank())
        self.assertEqual(list(self.widget.scene.arcs["above"]), [1, 2, 3, 4, 5])
        self.assertEqual(self.widget.scene.arcs["below"], {})
        self.assertFalse(self.widget.pane.prediction_combo.isEnabled())
        self.assertTrue(self.widget.list.isColumnHidden(UAS_COLUMN))

    def test_predictions(self):
        self.send(predicted())
        widget = self.widget
        self.assertEqual(widget.pane.chosen, "A")
        self.assertEqual(widget.scene.arcs["below"][4].kind, WRONG_EDGE)
        self.assertIn("1 wrong head, UAS 80.0%", widget.about.text())
        self.choose_prediction("B")
        self.assertNotEqual(widget.scene.arcs["below"][4].kind, WRONG_EDGE)
        self.assertEqual(widget.scene.arcs["below"][4].label, "dep")
        self.assertIn("0 wrong heads", widget.about.text())
        self.choose_prediction(GOLD_ONLY)
        self.assertEqual(widget.scene.arcs["below"], {})
        self.assertNotIn("UAS", widget.about.text())

    def test_the_choice_of_a_prediction_is_kept(self):
        self.send(predicted())
        self.choose_prediction("B")
        self.send(None)
        self.send(treebank())
        self.send(predicted())
        self.assertEqual(self.widget.pane.chosen, "B")
        self.choose_prediction(GOLD_ONLY)
        self.send(predicted())
        self.assertIsNone(self.widget.pane.chosen)

    def test_no_gold_heads(self):
        unparsed = Treebank.from_sentences([Sentence(UNPARSED)])
        self.send(unparsed)
        self.assertTrue(self.widget.Information.no_trees.is_shown())
        self.assertEqual(len(self.widget.scene.words), 2)
        self.send(unparsed.with_prediction("A", [[2, 0]]))
        self.assertFalse(self.widget.Information.no_trees.is_shown())
        self.assertEqual(list(self.widget.scene.arcs["above"]), [1, 2])
        self.assertEqual(self.widget.scene.arcs["below"], {})
        self.assertTrue(self.widget.list.isColumnHidden(UAS_COLUMN))

    def test_display(self):
        self.send(predicted())
        widget = self.widget
        simulate.combobox_activate_item(widget.controls.words, "lemma")
        self.assertEqual(widget.scene.words[0].word, "the")
        simulate.combobox_activate_item(widget.controls.tags, "UPOS and XPOS")
        self.assertEqual(widget.scene.words[0].tags, ["X", "XX"])
        widget.controls.relations.click()
        self.assertEqual(widget.scene.arcs["above"][1].label, "")
        self.assertEqual((widget.words, widget.tags, widget.relations),
                         ("lemma", "UPOS and XPOS", False))

    def test_theme(self):
        self.send(predicted())
        before = self.widget.scene.words[0].look.text
        dark = QPalette(self.widget.palette())
        dark.setColor(QPalette.Base, QColor("#222222"))
        dark.setColor(QPalette.Text, QColor("#eeeeee"))
        self.widget.setPalette(dark)
        self.assertNotEqual(self.widget.scene.words[0].look.text, before)
        self.assertEqual(self.widget.scene.words[0].look.text.name(), "#eeeeee")


class TestList(treebankviewer.TreeViewerTest):
    def test_output(self):
        self.send(predicted())
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s0"])
        self.widget.list.selectAll()
        out = self.output()
        self.assertEqual(len(out), 3)
        self.assertEqual(list(out.predictions), ["A", "B"])
        self.widget.list.clearSelection()
        self.assertIsNone(self.output())

    def test_output_in_the_order_of_the_treebank(self):
        self.send(predicted())
        self.widget.list.horizontalHeader().setSortIndicator(UAS_COLUMN, Qt.AscendingOrder)
        self.widget.list.selectAll()
        self.assertEqual([s.sent_id for s in self.output().sentences],
                         ["s0", "s1", "s2"])

    def test_output_waits_if_told_to(self):
        self.widget.controls.auto_commit.click()
        self.send(predicted())
        self.show_sentence(2)
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s0"])
        self.widget.commit.now()
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s2"])

    def test_output_fits_other_widgets(self):
        self.send(predicted())
        table = self.create_widget(OWTable)
        self.send_signal(table.Inputs.data, self.output(), widget=table)
        self.assertEqual(table.view.model().rowCount(), 1)

    def test_filter(self):
        self.send(predicted())
        self.widget.pane.filter_edit.setText("dog")
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 2])
        self.assertEqual(self.widget.drawn, 0)
        self.widget.pane.filter_edit.setText("bark")
        self.assertEqual(self.widget.drawn, 2)
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s2"])
        self.widget.pane.filter_edit.setText("nothing like this")
        self.assertIsNone(self.widget.drawn)
        self.assertIsNone(self.output())
        self.assertEqual(self.widget.scene.words, [])
        self.widget.pane.filter_edit.clear()
        self.assertEqual(self.widget.drawn, 0)

    def test_sort(self):
        self.send(predicted())
        self.show_sentence(1)
        header = self.widget.list.horizontalHeader()
        header.setSortIndicator(UAS_COLUMN, Qt.AscendingOrder)
        self.assertEqual(self.widget.pane.model.rows.tolist(), [2, 0, 1])
        self.assertEqual(self.widget.drawn, 1)
        self.assertEqual(self.widget.list.selected(), [1])
        self.choose_prediction("B")
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 1, 2])
        header.setSortIndicator(LENGTH_COLUMN, Qt.DescendingOrder)
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 2, 1])
        self.assertEqual((self.widget.sort_column, self.widget.sort_descending),
                         (LENGTH_COLUMN, True))

    def test_new_predictions_keep_the_sentence(self):
        self.send(predicted())
        self.show_sentence(2)
        self.send(treebank().with_prediction("C", HEADS))
        self.assertEqual(self.widget.drawn, 2)
        self.assertEqual(self.widget.pane.chosen, "C")
        self.assertEqual(list(self.output().predictions), ["C"])
        self.send(predicted()[1:])
        self.assertEqual(self.widget.drawn, 0)

    def test_many_sentences(self):
        many = Treebank.from_sentences(treebank().sentences * 2000)
        self.send(many.with_prediction("A", list(FOUND) * 2000))
        self.assertEqual(self.widget.pane.model.rowCount(), 6000)
        self.widget.pane.filter_edit.setText("cats")
        self.assertEqual(self.widget.pane.model.rowCount(), 2000)
        self.widget.list.selectAll()
        self.assertEqual(len(self.output()), 2000)

    def test_keys(self):
        widget = self.widget
        self.send(predicted())
        widget.show()
        for target in (widget.list, widget.view, widget.pane.filter_edit):
            self.show_sentence(0)
            QTest.keyClick(target, Qt.Key_Down)
            self.assertEqual(widget.drawn, 1, target)
            QTest.keyClick(target, Qt.Key_Down)
            QTest.keyClick(target, Qt.Key_Up)
            self.assertEqual(widget.drawn, 1, target)
        widget.hide()

    def test_sorting_shows_the_first_ones(self):
        many = Treebank.from_sentences(treebank().sentences * 100)
        self.send(many.with_prediction("A", list(FOUND) * 100))
        self.widget.show()
        self.show_sentence(1)           # one of the best
        self.widget.list.horizontalHeader().setSortIndicator(UAS_COLUMN, Qt.AscendingOrder)
        self.assertEqual(self.widget.list.indexAt(QPoint(2, 2)).row(), 0)
        self.assertEqual(self.widget.drawn, 1)

    def test_escape_clears_the_filter(self):
        self.send(predicted())
        self.widget.show()
        QTest.keyClicks(self.widget.pane.filter_edit, "dog")
        QTest.keyClick(self.widget.pane.filter_edit, Qt.Key_Escape)
        self.assertEqual(self.widget.pane.filter_edit.text(), "")
        self.assertTrue(self.widget.isVisible())
        self.assertEqual(self.widget.pane.model.rowCount(), 3)

    def test_the_same_sentences_come_again(self):
        """As when a parser is trained anew: in between there is nothing."""
        self.send(predicted())
        self.widget.list.select([1, 2], 2)
        self.widget.scene.token_clicked.emit(3)
        for between in ([], [None], [Table("iris"), None]):
            for data in [*between, treebank().with_prediction("C", HEADS)]:
                self.send(data)
            self.assertEqual(self.widget.list.selected(), [1, 2])
            self.assertEqual(self.widget.selection, [1, 2])
            self.assertEqual(self.widget.drawn, 2)
            self.assertEqual((self.widget.token, self.widget.pinned), (3, True))
            self.assertTrue(self.widget.scene.words[2].focused)
            self.assertEqual(len(self.output()), 2)
        self.send(None)
        self.assertIsNone(self.output())
        self.send(predicted()[::-1])            # others
        self.assertEqual(self.widget.list.selected(), [0])
        self.assertEqual((self.widget.token, self.widget.pinned), (0, False))

    def test_long_names_of_predictions_do_not_widen_the_picture(self):
        widths = []
        for length in (5, 500):
            self.send(treebank().with_prediction("A" * length, FOUND))
            widths.append(self.widget.scene.sceneRect().width())
        self.assertLess(widths[1], 3 * widths[0])

    def test_a_wrong_table_is_told_in_the_window(self):
        self.send(Table("iris"))
        self.assertEqual(self.widget.why_nothing(), "The input is not a treebank.")


class TestSettings(treebankviewer.TreeViewerTest):
    def test_round_trip(self):
        self.send(predicted())
        widget = self.widget
        self.choose_prediction("B")
        widget.controls.relations.click()
        widget.list.horizontalHeader().setSortIndicator(LENGTH_COLUMN, Qt.DescendingOrder)
        widget.view.set_zoom(150)
        widget.list.select([1, 2])
        stored = widget.settingsHandler.pack_data(widget)
        for name, value in stored.items():
            self.assertEqual(ast.literal_eval(repr(value)), value, name)

        self.widget = self.create_widget(OWTreebankViewer, stored_settings=stored)
        self.send(predicted())
        self.assertEqual(self.widget.pane.chosen, "B")
        self.assertFalse(self.widget.relations)
        self.assertEqual(self.widget.pane.model.rows.tolist(), [0, 2, 1])
        self.assertEqual(self.widget.view.zoom, 150)
        self.assertFalse(self.widget.view.fit)
        self.assertEqual(self.widget.list.selected(), [1, 2])
        self.assertEqual([s.sent_id for s in self.output().sentences], ["s1", "s2"])

    def test_a_new_viewer_fits_its_trees(self):
        self.send(predicted())
        self.widget.view.set_zoom(150)
        self.widget.settingsHandler.update_defaults(self.widget)
        new = self.create_widget(OWTreebankViewer)
        self.assertTrue(new.view.fit)
        self.assertTrue(new.fit)

    def test_columns_of_the_first_version(self):
        for column in (0, 1, 2, 3):
            widget = self.create_widget(OWTreebankViewer, stored_settings={
                "sort_column": column, "__version__": 1})
            self.assertEqual(LIST_TITLES[widget.sort_column],
                             ("#", "Len", "UAS", "Sentence")[column])

    def test_a_selection_that_is_no_more(self):
        stored = {"selection": [7, 8]}
        self.widget = self.create_widget(OWTreebankViewer, stored_settings=stored)
        self.send(predicted())
        self.assertEqual(self.widget.list.selected(), [0])

    def test_size(self):
        self.assertLessEqual(self.widget.sizeHint().width(), 1280)
        self.assertLessEqual(self.widget.sizeHint().height(), 800)
        self.assertLessEqual(self.widget.minimumSizeHint().width(), 1000)
        self.assertLessEqual(self.widget.minimumSizeHint().height(), 600)

    def test_summaries(self):
        self.send(predicted())
        found = self.widget.input_summaries["Treebank"][None]
        self.assertEqual(found.summary, 3)
        self.assertIn("11 tokens", found.details)
