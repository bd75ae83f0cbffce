"""Load CoNLL Treebank: settings, moved workflows and dropped files."""
import ast
import shutil
from pathlib import Path
from unittest.mock import Mock

from AnyQt.QtCore import QMimeData, QPointF, Qt, QUrl
from AnyQt.QtGui import QDragEnterEvent, QDropEvent
from orangecanvas.scheme.readwrite import literal_dumps

from orange_structpred.widgets.load.drophandlers import TreebankDropHandler
from orange_structpred.widgets.owloadtreebank import OWLoadTreebank
from tests.treebank.toy import BLOCKS, CHAIN
from tests.treebank.web import server
from tests.widgets import loadtreebank


class TestSettings(loadtreebank.LoadTreebankTest):
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


class TestMovedWorkflows(loadtreebank.LoadTreebankTest):
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


class TestDropping(loadtreebank.LoadTreebankTest):
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
        for url in (local, remote, QUrl.fromLocalFile("/tmp/TOY.CONLLU")):
            self.assertTrue(handler.canDropUrl(url))
        for url in (QUrl.fromLocalFile("/tmp/iris.tab"), QUrl("https://x.org/a.html"),
                    QUrl("mailto:a.conllu")):
            self.assertFalse(handler.canDropUrl(url), url)
        self.create(**handler.parametersFromUrl(local))
        self.assertEqual(self.blocks(), BLOCKS)
        self.assertEqual(handler.parametersFromUrl(remote),
                         {"source": "url", "url": "https://x.org/a.conllu.gz"})
