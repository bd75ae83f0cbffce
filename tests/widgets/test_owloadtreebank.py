import ast
import shutil
import tempfile
import threading
from pathlib import Path
from unittest.mock import Mock, patch

from AnyQt.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from AnyQt.QtGui import QDragEnterEvent, QDropEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QFileDialog
from Orange.data import Table
from Orange.widgets.gui import TableBarItem
from Orange.widgets.tests.base import WidgetTest
from orangecanvas.scheme.readwrite import literal_dumps

from orange_structpred.treebank import ConllError, Treebank
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.statistics import describe
from orange_structpred.widgets.load.drophandlers import TreebankDropHandler
from orange_structpred.widgets.load.statistics import skipped_rows, statistics_rows
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from tests.treebank.toy import BLOCKS, CHAIN, CROSSED, UNPARSED, file_of, treebank
from tests.treebank.web import server
from tests.widgets.waiting import wait_for

FAULTY = CHAIN.replace("\tX\t", "\t")
WAIT = 60_000


class LoadTreebankTest(WidgetTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Recent files are in Qt's settings; each test has its own.
        self.addCleanup(QSettings.setDefaultFormat, QSettings.defaultFormat())
        QSettings.setDefaultFormat(QSettings.IniFormat)
        QSettings.setPath(QSettings.IniFormat, QSettings.UserScope,
                          str(self.folder / "qt"))
        self.toy = self.write("toy.conllu", BLOCKS)

    def write(self, name, blocks):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(file_of(blocks))
        return path

    def create(self, basedir=None, **settings) -> OWLoadTreebank:
        env = {} if basedir is None else {"basedir": str(basedir)}
        with patch.object(OWLoadTreebank, "workflowEnv", Mock(return_value=env)):
            self.widget = self.create_widget(OWLoadTreebank, stored_settings=settings)
        return self.widget

    def create_file(self, path, **settings):
        return self.create(source="file", path=str(path), **settings)

    def output(self):
        self.wait_until_finished(timeout=WAIT)
        return self.get_output(self.widget.Outputs.treebank, wait=0)

    def shown(self, kind):
        self.wait_until_finished(timeout=WAIT)
        # Messages without arguments are equal to nothing but themselves.
        return ["".join(message.formatted)
                for message in getattr(self.widget, kind).active]

    def blocks(self):
        return [sentence.block for sentence in self.output().sentences]

    def numbers(self):
        form = self.widget.statistics.numbers
        return {form.itemAt(row, form.ItemRole.LabelRole).widget().text():
                form.itemAt(row, form.ItemRole.FieldRole).widget().text()
                for row in range(form.rowCount())}

    def table(self, key):
        model = self.widget.statistics.tables[key].model()
        return [[model.data(model.index(row, column))
                 for column in range(model.columnCount())]
                for row in range(model.rowCount())]

    def tabs(self):
        tabs = self.widget.statistics.tabs
        return [tabs.tabText(index) for index in range(tabs.count())]


class TestWidget(LoadTreebankTest):
    """What Orange's WidgetTest asks of each widget."""

    def setUp(self):
        super().setUp()
        self.create()


class TestSources(LoadTreebankTest):
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


class TestFaults(LoadTreebankTest):
    def test_fault(self):
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY]))
        self.assertIsNone(self.output())
        error, = self.shown("Error")
        self.assertRegex(error, r"^bad.conllu, line 9: found 9 columns .*, "
                                r"expected 10 columns separated by tabs\n")
        self.assertIn("'Skip sentences with errors' reads the others: 1 sentence.",
                      error)
        # The whole message is in the window as well.
        self.assertIn("expected 10 columns", self.widget.statistics.name.text())
        self.assertTrue(self.widget.statistics.tabs.isHidden())

    def test_skip(self):
        cycle = CHAIN.replace("\t0\troot", "\t3\troot")
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY, CROSSED, cycle]))
        self.assertIsNone(self.output())
        self.widget.controls.skip_bad.click()
        self.assertEqual(self.blocks(), [CHAIN, CROSSED])
        self.assertEqual(self.shown("Error"), [])
        self.assertEqual(
            self.shown("Warning"),
            ["Skipped 2 sentences with errors.\nThe tab 'Skipped' lists where and why."])
        self.assertIs(self.widget.statistics.tabs.currentWidget(),
                      self.widget.statistics.tables["skipped"])
        self.assertEqual(self.tabs()[-1], "Skipped (2)")
        first, second = self.table("skipped")
        self.assertEqual(first[0], "line 9")
        self.assertIn("9 columns", first[1])
        self.assertEqual(first[2], "10 columns separated by tabs")
        self.assertEqual(second[:2], ["line 21", "no root"])
        self.widget.controls.skip_bad.click()
        self.assertEqual(len(self.shown("Error")), 1)
        self.assertEqual(self.shown("Warning"), [])
        self.assertIsNone(self.output())

    def test_the_list_of_skipped_sentences_goes_with_them(self):
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY]), skip_bad=True)
        self.assertEqual(len(self.output()), 1)
        self.widget.open_file(str(self.toy))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.shown("Warning"), [])
        self.assertEqual(self.tabs(), ["UPOS (5)", "XPOS (6)", "Relations (5)"])

    def test_nothing_but_faults(self):
        self.create_file(self.write("bad.conllu", [FAULTY]), skip_bad=True)
        self.assertIsNone(self.output())
        error, = self.shown("Error")
        self.assertRegex(error, "^bad.conllu, line 3: found 9 columns .*\n"
                                "All sentences have errors; this may not be a "
                                "treebank.$")
        self.assertEqual(len(self.table("skipped")), 1)
        self.assertFalse(self.widget.statistics.tabs.isHidden())
        # The same without the list, since nothing was to be skipped.
        self.widget.controls.skip_bad.click()
        self.assertEqual(self.shown("Error"), [error])
        self.assertTrue(self.widget.statistics.tabs.isHidden())

    def test_skipping_is_offered_only_if_it_helps(self):
        contents = {
            "empty": (b"", ("empty.conllu, line 1: found an empty file, expected at "
                           "least one sentence")),
            "blank": (b"\n \n", ("blank.conllu, line 1: found nothing but blank lines, "
                               "expected at least one sentence")),
            "wide": (CHAIN.encode("utf-16"), ("wide.conllu, line 1: found UTF-16 text, "
                                             "expected UTF-8 text")),
            "prose": (b"Once upon a time\n", ("prose.conllu, line 1: found 1 column "
                      "('Once upon a time'), expected 10 columns separated by tabs\n"
                      "All sentences have errors; this may not be a treebank.")),
        }
        for name, (data, message) in contents.items():
            path = self.folder / f"{name}.conllu"
            path.write_bytes(data)
            for skip_bad in (False, True):
                with self.subTest(name, skip_bad=skip_bad):
                    self.create_file(path, skip_bad=skip_bad)
                    self.assertIsNone(self.output())
                    self.assertEqual(self.shown("Error"), [message])

    def test_tables(self):
        tab = self.folder / "some.tab"
        table = treebank([CHAIN, CROSSED]).copy()
        with table.unlocked():
            table.metas[0, 2] = FAULTY
        Table.from_table_rows(table, ...).save(str(tab))
        self.create_file(tab)
        error, = self.shown("Error")
        self.assertRegex(error, "^some, row 1, line 3: found 9 columns")
        self.assertIn("reads the others: 1 sentence.", error)
        treebank([CHAIN])[:0].save(tab)
        self.create_file(tab)
        self.assertEqual(self.shown("Error"), ["There are no sentences in some.tab."])

    def test_what_is_no_treebank(self):
        binary = self.folder / "binary.conllu"
        binary.write_bytes(bytes(range(256)))
        empty = self.write("empty.conllu", [])
        iris = self.folder / "iris.tab"
        Table("iris").save(str(iris))
        broken = self.folder / "broken.xlsx"
        broken.write_bytes(b"no spreadsheet")
        for path, message in ((binary, "binary.conllu, line 1: found a NUL byte"),
                              (empty, "empty.conllu, line 1: found an empty file"),
                              (iris, "'iris' is not a treebank: found the columns"),
                              (broken, "not a zip file"),
                              (self.folder, "Is a directory: "),
                              (self.folder / "nothing", "File not found: ")):
            with self.subTest(path.name):
                self.create_file(path)
                self.assertIsNone(self.output())
                error, = self.shown("Error")
                self.assertIn(message, error)
                self.assertNotIn("Traceback", error)

    def test_recovery(self):
        self.create_file(self.folder / "nothing")
        self.assertEqual(len(self.shown("Error")), 1)
        self.widget.open_file(str(self.toy))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.shown("Error"), [])


class TestWeb(LoadTreebankTest):
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


class TestStopping(LoadTreebankTest):
    def setUp(self):
        super().setUp()
        web = server()
        self.web = web.__enter__()
        self.addCleanup(web.__exit__, None, None, None)
        self.before = set(threading.enumerate())
        # Nothing comes from there, however long one waits.
        self.create(source="url", url=f"{self.web.address}/silent.conllu")
        self.assertTrue(self.web.asked.wait(30))

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


class TestSettings(LoadTreebankTest):
    def packed(self):
        return self.widget.settingsHandler.pack_data(self.widget)

    def test_round_trip(self):
        self.create(source="url", url="http://localhost:9/x.conllu", language="de",
                    path=str(self.toy), skip_bad=True)
        settings = self.packed()
        self.widget = self.create_widget(OWLoadTreebank, stored_settings=settings)
        widget = self.widget
        self.assertEqual(
            (widget.source, widget.url, widget.language, widget.path, widget.skip_bad),
            ("url", "http://localhost:9/x.conllu", "de", str(self.toy), True))
        self.assertTrue(widget.buttons["url"].isChecked())
        self.assertEqual(widget.language_combo.currentText(), "German")
        self.assertEqual(widget.url_combo.currentText(), "http://localhost:9/x.conllu")
        self.assertTrue(widget.controls.skip_bad.isChecked())

    def test_workflows_can_be_read_without_the_widget(self):
        self.create_file(self.toy)
        self.widget.open_file(str(self.write("other.conllu", [CHAIN])))
        # Raises what is no literal; Orange would pickle all settings then.
        settings = ast.literal_eval(literal_dumps(self.packed()))
        self.assertEqual(settings["source"], "file")
        self.assertEqual(settings["path"], str(self.folder / "other.conllu"))
        # Other files of the user are none of a workflow's business.
        self.assertNotIn("toy.conllu", repr(settings))

    def test_unrelated_files_stay_out_of_workflows(self):
        self.create_file(self.toy)
        self.create()
        self.assertEqual(self.packed()["path"], "")
        self.assertEqual(self.widget.file_combo.itemData(0, Qt.ToolTipRole),
                         str(self.toy))

    def test_recent_files(self):
        other = self.write("other.conllu", [CHAIN])
        self.create_file(self.toy)
        self.widget.open_file(str(other))
        self.create()
        combo = self.widget.file_combo
        self.assertEqual([combo.itemData(i, Qt.ToolTipRole) for i in range(combo.count())],
                         [str(other), str(self.toy)])
        combo.setCurrentIndex(1)
        combo.activated.emit(1)
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(combo.itemData(0, Qt.ToolTipRole), str(self.toy))
        self.assertEqual(combo.currentIndex(), 0)


class TestMovedWorkflows(LoadTreebankTest):
    def test_the_folder_moves_with_the_workflow(self):
        before, after = self.folder / "before", self.folder / "after"
        path = self.write("before/data/toy.conllu", BLOCKS)
        self.create(before, source="file", path=str(path))
        self.assertEqual(self.blocks(), BLOCKS)
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.assertEqual(settings["relative_path"], str(Path("data", "toy.conllu")))
        shutil.move(before, after)
        self.create(after, **settings)
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.widget.path, str(after / "data" / "toy.conllu"))

    def test_the_copy_beside_the_workflow_comes_first(self):
        path = self.write("before/toy.conllu", BLOCKS)
        self.write("after/toy.conllu", [CHAIN])
        self.create(self.folder / "before", source="file", path=str(path))
        settings = self.widget.settingsHandler.pack_data(self.widget)
        self.create(self.folder / "after", **settings)
        self.assertEqual(self.blocks(), [CHAIN])

    def test_saving_elsewhere(self):
        self.create_file(self.toy)
        self.assertEqual(self.widget.relative_path, "")
        for basedir, relative in ((self.folder, "toy.conllu"),
                                  (self.folder / "other", ""),
                                  (self.folder, "toy.conllu")):
            env = {"basedir": str(basedir)}
            self.widget.workflowEnv = Mock(return_value=env)
            self.widget.workflowEnvChanged("basedir", str(basedir), "")
            self.assertEqual(self.widget.relative_path, relative)
            self.assertEqual(self.widget.path, str(self.toy))


class TestDropping(LoadTreebankTest):
    def drop(self, url):
        """Drop a URL on the widget; whether it was taken."""
        data = QMimeData()
        data.setUrls([url])
        args = (Qt.CopyAction, data, Qt.LeftButton, Qt.NoModifier)
        enter = QDragEnterEvent(QPointF(1, 1).toPoint(), *args)
        enter.ignore()
        self.widget.dragEnterEvent(enter)
        if not enter.isAccepted():
            return False
        event = QDropEvent(QPointF(1, 1), *args)
        self.widget.dropEvent(event)
        return event.isAccepted()

    def test_file(self):
        self.create()
        self.assertTrue(self.drop(QUrl.fromLocalFile(str(self.toy))))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual((self.widget.source, self.widget.path),
                         ("file", str(self.toy)))
        self.assertEqual(self.widget.file_combo.itemData(0, Qt.ToolTipRole),
                         str(self.toy))

    def test_address(self):
        self.create()
        with server() as web:
            self.assertTrue(self.drop(QUrl(f"{web.address}/toy.conllu")))
            self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(self.widget.source, "url")

    def test_what_cannot_be_dropped(self):
        self.create()
        for url in (QUrl.fromLocalFile(str(self.folder)), QUrl("mailto:me@x.org"),
                    QUrl.fromLocalFile(str(self.folder / "nothing.conllu"))):
            self.assertFalse(self.drop(url), url)
        self.assertEqual(self.widget.source, "bundled")

    def test_canvas(self):
        handler = TreebankDropHandler()
        self.assertEqual(handler.qualifiedName(),
                         "orange_structpred.widgets.owloadtreebank.OWLoadTreebank")
        local, remote = QUrl.fromLocalFile(str(self.toy)), QUrl("https://x.org/a.conllu.gz")
        for url in (local, remote):
            self.assertTrue(handler.canDropUrl(url))
        for url in (QUrl.fromLocalFile("/tmp/iris.tab"), QUrl("https://x.org/a.html"),
                    QUrl("mailto:a.conllu")):
            self.assertFalse(handler.canDropUrl(url), url)
        self.create(**handler.parametersFromUrl(local))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(handler.parametersFromUrl(remote),
                         {"source": "url", "url": "https://x.org/a.conllu.gz"})


class TestTelling(LoadTreebankTest):
    def test_facts(self):
        self.create_file(self.toy)
        self.output()
        self.assertIn("toy", self.widget.statistics.name.text())
        self.assertEqual(self.numbers(), {
            "Sentences:": "6", "Tokens:": "20 (15 different forms)",
            "Sentence length:": "3.3 on average, longest 7 tokens",
            "Heads:": "unknown in 1 sentence",
            "Non-projective:": "2 trees (40.0%)", "PoS tags:": "5 UPOS, 6 XPOS"})
        self.assertEqual(self.tabs()[0], "UPOS (5)")
        self.assertEqual(self.table("upos")[0], ["X", "13", "65.0%"])

    def test_facts_without_heads(self):
        self.create_file(self.write("bare.conllu", [UNPARSED]))
        self.output()
        numbers = self.numbers()
        self.assertEqual(numbers["Heads:"],
                         "unknown: can be parsed, but not learned from")
        self.assertNotIn("Non-projective:", numbers)

    def test_statistics_without_tags(self):
        self.create_file(self.write("bare.conllu", [
            "1\tNo\t_\t_\t_\t_\t_\t_\t_\t_"]))
        self.output()
        numbers = self.numbers()
        self.assertEqual(numbers["Heads:"], "unknown")
        self.assertIn("tag the sentences first", numbers["PoS tags:"])

    def test_facts_of_predictions(self):
        toy = treebank([CHAIN]).with_prediction("MST", [[0, 1, 2]])
        self.assertIn(("Predictions", "MST"),
                      statistics_rows(toy, describe(toy.sentences)))
        self.assertIn(("Heads", "all known"), statistics_rows(toy, describe(toy.sentences)))

    def test_where_something_was_skipped(self):
        faults = [ConllError("a, row 1.conllu", 3, "x", "y"),
                  ConllError("table, row 12", 1, "x", "y")]
        self.assertEqual(skipped_rows(faults), [("line 3", "x", "y"),
                                                ("row 12, line 1", "x", "y")])

    def test_report(self):
        self.create_file(self.write("bad.conllu", [CHAIN, FAULTY]), skip_bad=True)
        self.output()
        self.widget.send_report()
        report = self.widget.report_html
        for text in (str(self.folder / "bad.conllu"), "skipped", "3 (3 different forms)",
                     "XX 3", "dep 2, root 1", "line 9", "10 columns separated by tabs"):
            self.assertIn(text, report)

    def test_report_of_nothing(self):
        self.create_file(self.folder / "nothing")
        self.widget.send_report()
        self.assertIn(f"No treebank: File not found: {self.folder / 'nothing'}",
                      self.widget.report_html)
        self.create_file(self.write("a<b>.conllu", [CHAIN, FAULTY]))
        self.output()
        self.widget.send_report()
        self.assertIn("No treebank: a&lt;b&gt;.conllu, line 9: found 9 columns",
                      self.widget.report_html)

    def test_bars_of_shares(self):
        def bars(counts):
            self.widget.statistics._set_counts("xpos", counts)
            model = self.widget.statistics.tables["xpos"].model()
            return [model.data(model.index(row, 2), TableBarItem.BarRole)
                    for row in range(model.rowCount())]

        self.create()
        self.assertEqual(bars({"A": 50, "B": 25, "C": 25}), [1, 0.5, 0.5])
        # Where nothing is frequent, no bar looks like it.
        self.assertEqual(bars({f"T{n}": 1 for n in range(200)}), [0.05] * 200)
        header = self.widget.statistics.tables["xpos"].model()
        self.assertIn("10% if no share is that large",
                      header.headerData(2, Qt.Horizontal, Qt.ToolTipRole))

    def test_what_is_being_read(self):
        self.create(source="file")
        self.assertIn("Choose a file", self.widget.statistics.name.text())
        for begin, name in (
                (lambda: self.widget.open_file(str(self.toy)), "toy.conllu"),
                (lambda: self.widget.choose("bundled"), "the English treebank"),
                (lambda: self.widget.open_url("http://localhost:9/x.conllu"),
                 "x.conllu")):
            begin()
            self.assertEqual(self.widget.statistics.reason, f"Reading {name}...")
            self.output()
            self.assertNotIn("Reading", self.widget.statistics.name.text())

    def test_tab_key_goes_row_by_row(self):
        self.create()
        order, at = [], self.widget.buttons["file"]
        known = {self.widget.buttons["file"]: "File", self.widget.file_combo: "files",
                 self.widget.browse_button: "Open", self.widget.buttons["url"]: "URL",
                 self.widget.url_combo: "field",
                 self.widget.buttons["bundled"]: "Bundled",
                 self.widget.language_combo: "language",
                 self.widget.controls.skip_bad: "skip",
                 self.widget.reload_button: "reload"}
        for _ in range(200):
            if at in known:
                order.append(known[at])
            at = at.nextInFocusChain()
            if at is self.widget.buttons["file"]:
                break
        self.assertEqual(order, list(known.values()))

    def test_fits_a_small_screen(self):
        self.create_file(self.folder / ("folder" * 50) / ("file" * 50))
        self.output()
        self.widget.show()
        self.process_events()
        self.assertLess(self.widget.width(), 800)
        self.assertLess(self.widget.height(), 700)
        self.assertLess(self.widget.minimumSizeHint().width(), 600)
