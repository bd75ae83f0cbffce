"""Load CoNLL Treebank: where treebanks come from."""
import threading
from pathlib import Path
from unittest.mock import Mock, patch

from AnyQt.QtCore import Qt
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QFileDialog

from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import load_bundled
from tests.treebank.toy import BLOCKS, CHAIN
from tests.treebank.web import server
from tests.widgets import loadtreebank
from tests.widgets.waiting import LONG, wait_for


class TestWidget(loadtreebank.LoadTreebankTest):
    """What Orange's WidgetTest asks of each widget."""

    def setUp(self):
        super().setUp()
        self.create()


class TestSources(loadtreebank.LoadTreebankTest):
    def test_a_new_widget_has_a_treebank(self):
        self.create()
        treebank = self.output()
        self.assertIsInstance(treebank, Treebank)
        self.assertEqual(treebank.sentences, load_bundled("en").sentences)
        self.assertTrue(self.widget.buttons["bundled"].isChecked())
        self.assertEqual(self.widget.path, "")

    def test_other_language(self):
        self.create()
        combo = self.widget.language_combo
        combo.setCurrentIndex(combo.findText("German"))
        combo.activated.emit(combo.currentIndex())
        self.assertEqual(self.output().sentences, load_bundled("de").sentences)
        self.assertEqual(self.widget.language, "de")

    def test_file(self):
        self.create_file(self.toy)
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.widget.file_combo.currentText(),
                         str(Path(self.folder.name, "toy.conllu")))
        self.assertEqual(self.widget.file_combo.toolTip(), str(self.toy))
        self.assertEqual(self.widget.get_widget_name_extension(), "toy")
        for kind in ("Error", "Warning", "Information"):
            self.assertEqual(self.shown(kind), [])

    def test_browsing(self):
        self.create()
        with patch.object(QFileDialog, "getOpenFileName",
                          Mock(return_value=(str(self.toy), ""))):
            self.widget.browse_button.click()
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.widget.source, "file")
        with patch.object(QFileDialog, "getOpenFileName",
                          Mock(return_value=("", ""))):
            self.widget.browse_button.click()
        self.assertEqual(self.widget.path, str(self.toy))

    def test_packed_file_and_table(self):
        packed = self.folder / "packed.conllu.gz"
        Treebank.from_file(self.toy).save(packed)
        tab = self.folder / "some.tab"
        Treebank.from_file(self.toy).save(tab)
        for path in (packed, tab):
            self.create_file(path)
            self.assertEqual(self.blocks(), BLOCKS)

    def test_switching_sources(self):
        other = self.write("other.conllu", [CHAIN])
        self.create_file(self.toy)
        self.widget.open_file(str(other))
        self.assertEqual(self.blocks(), [CHAIN])
        self.widget.buttons["bundled"].click()
        self.assertEqual(len(self.output()), len(load_bundled("en")))
        self.widget.buttons["file"].click()
        self.assertEqual(self.blocks(), [CHAIN])

    def test_nothing_chosen(self):
        self.create(source="file")
        self.assertIsNone(self.output())
        self.assertEqual(self.shown("Information"),
                         ["Choose a file, or drop one here."])
        self.widget.select_file(0)        # the item that says that there is none
        self.assertIsNone(self.output())
        self.widget.buttons["url"].click()
        self.assertEqual(self.shown("Information"),
                         ["Enter the address of a CoNLL file."])
        self.widget.buttons["bundled"].click()
        self.assertIsNotNone(self.output())
        self.assertEqual(self.shown("Information"), [])

    def test_reload(self):
        self.create_file(self.toy)
        self.assertEqual(len(self.output()), len(BLOCKS))
        self.write("toy.conllu", [CHAIN])
        self.widget.reload_button.click()
        self.assertEqual(self.blocks(), [CHAIN])


class TestWeb(loadtreebank.LoadTreebankTest):
    def setUp(self):
        super().setUp()
        web = server()
        self.web = web.__enter__()
        self.addCleanup(web.__exit__, None, None, None)

    def create_url(self, path, **settings):
        return self.create(source="url", url=self.web.address + path, **settings)

    def test_url(self):
        self.create_url("/toy.conllu")
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.widget.get_widget_name_extension(), "toy")
        self.assertEqual(self.widget.url_combo.currentText(),
                         f"{self.web.address}/toy.conllu")

    def test_typing(self):
        self.create()
        edit = self.widget.url_combo.lineEdit()
        QTest.keyClicks(edit, f"{self.web.address}/toy.conllu")
        self.assertEqual(self.widget.source, "bundled")
        QTest.keyClick(edit, Qt.Key_Return)
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.widget.source, "url")
        self.assertTrue(self.widget.buttons["url"].isChecked())

    def test_return_tries_again(self):
        self.create_url("/toy.conllu")
        self.output()
        with patch.object(self.widget, "load", Mock(wraps=self.widget.load)) as load:
            QTest.keyClick(self.widget.url_combo.lineEdit(), Qt.Key_Return)
            load.assert_called_once()
        self.assertEqual(self.blocks(), BLOCKS)

    def test_passing_through_the_field(self):
        self.create(url=f"{self.web.address}/toy.conllu")
        edit = self.widget.url_combo.lineEdit()
        edit.editingFinished.emit()
        self.assertEqual(self.widget.source, "bundled")
        edit.clear()
        edit.editingFinished.emit()
        self.assertEqual(self.widget.source, "bundled")
        edit.setText(f"{self.web.address}/toy.conllu.gz")
        edit.editingFinished.emit()
        self.assertEqual(self.widget.source, "url")

    def test_faults(self):
        self.create_url("/faulty.conllu")
        error, = self.shown("Error")
        self.assertTrue(error.startswith("faulty.conllu, line 9: found 9 columns"))
        self.widget.controls.skip_bad.click()
        self.assertEqual(self.blocks(), [CHAIN])

    def test_what_goes_wrong(self):
        for path, message in (("/nothing.conllu", "the server answers 404 (Not Found)"),
                              ("/page.html", "found a web page"),
                              ("/short.conllu", "the transfer broke off")):
            with self.subTest(path):
                self.create_url(path)
                self.assertIsNone(self.output())
                error, = self.shown("Error")
                self.assertTrue(error.startswith(f"{self.web.address}{path}: "))
                self.assertIn(message, error)

    def test_recent_addresses(self):
        self.create_url("/toy.conllu")
        self.output()
        self.create_url("/nothing.conllu")
        self.output()
        self.create()
        combo = self.widget.url_combo
        self.assertEqual([combo.itemText(i) for i in range(combo.count())],
                         [f"{self.web.address}/toy.conllu"])
        self.assertEqual(combo.currentText(), "")
        combo.setCurrentIndex(0)
        combo.activated.emit(0)
        self.assertEqual(self.blocks(), BLOCKS)


class TestStopping(loadtreebank.LoadTreebankTest):
    def setUp(self):
        super().setUp()
        web = server()
        self.web = web.__enter__()
        self.addCleanup(web.__exit__, None, None, None)
        self.before = set(threading.enumerate())
        # Nothing comes from there, however long one waits.
        self.create(source="url", url=f"{self.web.address}/silent.conllu")
        self.assertTrue(self.web.asked.wait(LONG))

    def check_no_worker_is_left(self):
        wait_for(lambda: not any(
            thread.name.startswith("ThreadPoolExecutor")
            for thread in set(threading.enumerate()) - self.before))

    def test_stop(self):
        self.assertTrue(self.widget.isInvalidated())
        self.assertEqual(self.widget.reload_button.text(), "S&top")
        self.widget.reload_button.click()
        self.assertFalse(self.widget.isInvalidated())
        self.assertIsNone(self.output())
        self.assertEqual(self.shown("Information"),
                         ["Stopped: press Reload to read the treebank."])
        self.assertEqual(self.widget.reload_button.text(), "Re&load")

    def test_another_source_ends_the_first(self):
        self.widget.open_file(str(self.toy))
        self.assertEqual(self.blocks(), BLOCKS)
        self.web.closing.set()
        QTest.qWait(200)
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.shown("Error"), [])

    def test_deleting(self):
        self.widget.onDeleteWidget()
        self.check_no_worker_is_left()
