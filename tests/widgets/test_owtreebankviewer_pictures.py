"""Treebank Viewer: zoom, and pictures in files."""
import re
import tempfile
from pathlib import Path
from unittest.mock import patch

from AnyQt.QtCore import QPoint, QPointF, Qt
from AnyQt.QtGui import QColor, QImage, QPalette, QWheelEvent
from AnyQt.QtTest import QTest
from AnyQt.QtWidgets import QApplication
from orangewidget.io import PngFormat, SvgFormat
from orangewidget.tests.utils import simulate

from orange_structpred.widgets.tree.sharing import PICTURE_FILTERS
from tests.widgets import treebankviewer
from tests.widgets.treebankviewer import predicted


class TestZoom(treebankviewer.TreeViewerTest):
    def setUp(self):
        super().setUp()
        self.send(predicted())
        self.widget.show()
        self.widget.activateWindow()
        self.process_events()

    def tearDown(self):
        self.widget.hide()
        super().tearDown()

    def test_keys(self):
        view = self.widget.view
        for target in (view, self.widget.list):
            target.setFocus()
            QTest.keyClick(target, Qt.Key_0)
            self.assertEqual(view.zoom, 100)
            self.assertFalse(self.widget.fit)
            QTest.keyClick(target, Qt.Key_Plus)
            self.assertAlmostEqual(view.zoom, 120)
            QTest.keyClick(target, Qt.Key_Minus)
            self.assertEqual(view.zoom, 100)
            QTest.keyClick(target, Qt.Key_F)
            self.assertTrue(self.widget.fit)
            self.assertEqual(view.zoom, 125)

    def test_keys_are_text_in_the_filter(self):
        self.widget.pane.filter_edit.setFocus()
        QTest.keyClicks(self.widget.pane.filter_edit, "0+-f")
        self.assertEqual(self.widget.pane.filter_edit.text(), "0+-f")
        self.assertTrue(self.widget.fit)

    def test_wheel(self):
        view = self.widget.view
        view.set_zoom(100)
        for turn, expected in ((120, 120), (-120, 100)):
            at = QPointF(50, 50)
            QApplication.sendEvent(view.viewport(), QWheelEvent(
                at, view.mapToGlobal(at), QPoint(), QPoint(0, turn), Qt.NoButton,
                Qt.ControlModifier, Qt.NoScrollPhase, False))
            self.assertAlmostEqual(view.zoom, expected)


class TestFiles(treebankviewer.TreeViewerTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_pictures(self):
        self.send(predicted())
        size = self.widget.printed.sceneRect().size()
        png, svg = str(self.folder / "tree.png"), str(self.folder / "tree.svg")
        PngFormat.write(png, self.widget.printed)
        SvgFormat.write(svg, self.widget.printed)
        image = QImage(png)
        self.assertAlmostEqual(image.width(), size.width(), delta=60)
        self.assertEqual(image.pixelColor(2, 2), QColor("white"))
        text = Path(svg).read_text(encoding="utf-8")
        for word in ("dog", "sees", "wrong head"):
            self.assertIn(word, text)

    def select(self, *rows):
        self.widget.list.select(list(rows), rows[0])

    def test_many_trees_at_once(self):
        self.send(predicted())
        self.select(0, 2)
        sharing = self.widget.sharing
        for suffix in ("svg", "png"):
            sharing.save_to(self.folder / f"trees.{suffix}")
            self.assertEqual({path.name for path in self.folder.glob(f"*.{suffix}")},
                             {f"trees-1.{suffix}", f"trees-3.{suffix}"})
        self.assertIn("night", (self.folder / "trees-3.svg").read_text("utf-8"))
        widths = [QImage(str(self.folder / f"trees-{n}.png")).width() for n in (1, 3)]
        simulate.combobox_activate_item(self.widget.controls.scale, "4×")
        sharing.save_to(self.folder / "trees.png")
        self.assertGreater(QImage(str(self.folder / "trees-1.png")).width(),
                           1.7 * widths[0])
        sharing.save_to(self.folder / "trees.pdf")
        data = (self.folder / "trees.pdf").read_bytes()
        self.assertTrue(data.startswith(b"%PDF"))
        self.assertEqual(len(re.findall(rb"/Type\s*/Page\b", data)), 2)
        sharing.save_to(self.folder / "trees.html")
        page = (self.folder / "trees.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), len(sharing.numbers()))
        sharing.save_to(self.folder / "trees.tex")
        text = (self.folder / "trees.tex").read_text("utf-8")
        self.assertEqual(text.count(r"\begin{dependency}"), 2)
        self.assertIn(r"Dogs \& bark \& at \& night", text)
        self.assertIn("edge below", text)
        self.select(1)
        sharing.save_to(self.folder / "one.svg")
        self.assertTrue((self.folder / "one.svg").exists())

    def test_trees_that_cannot_be_saved(self):
        self.send(predicted())
        self.widget.sharing.save_to(self.folder / "nowhere" / "trees.pdf")
        self.assertIn("No such file", self.widget.Error.not_saved.formatted)
        self.widget.sharing.save_to(self.folder / "trees.pdf")
        self.assertFalse(self.widget.Error.not_saved.is_shown())

    def test_the_dialog(self):
        self.send(predicted())
        self.select(0, 1)
        sharing = self.widget.sharing
        module = "orange_structpred.widgets.common.saving"
        answer = str(self.folder / "mine"), next(
            text for text in PICTURE_FILTERS if "svg" in text)
        with patch(f"{module}.QFileDialog.getSaveFileName", return_value=answer), \
                patch(f"{module}.QMessageBox.exec") as question:
            sharing.save_button.click()
            question.assert_not_called()
            self.assertTrue((self.folder / "mine-2.svg").exists())
            self.assertIn("mine-1.svg to mine-", str(self.widget.Information.saved))
            (self.folder / "mine-1.svg").write_text("mine")
            sharing.save_button.click()
            question.assert_called_once()       # and the answer was not yes
        self.assertEqual((self.folder / "mine-1.svg").read_text(), "mine")
        with patch(f"{module}.QFileDialog.getSaveFileName", return_value=("", "")):
            sharing.save_button.click()

    def test_copies_as_text(self):
        self.send(predicted())
        self.select(2)
        self.widget.sharing.copy_button.click()
        self.assertEqual(QApplication.clipboard().text(), (
            "Dogs bark at night\n\nbark (root)\n├─ Dogs (dep)\n└─ night (dep)\n"
            "   └─ at (dep)\n\nA:\nbark (root)\n├─ Dogs\n└─ at *\n   └─ night *"))

    def test_nothing_to_share(self):
        buttons = self.widget.sharing.save_button, self.widget.sharing.copy_button
        self.assertFalse(any(button.isEnabled() for button in buttons))
        self.send(predicted())
        self.assertTrue(all(button.isEnabled() for button in buttons))
        QApplication.clipboard().setText("mine")
        self.widget.pane.filter_edit.setText("zzz")
        for button in buttons:
            self.assertFalse(button.isEnabled())
            button.click()
        self.assertEqual(QApplication.clipboard().text(), "mine")
        self.widget.pane.filter_edit.setText("")
        self.assertTrue(all(button.isEnabled() for button in buttons))

    def test_sizes_of_pictures(self):
        self.send(predicted())
        widths = {}
        for scale in ("1×", "2×", "4×"):
            simulate.combobox_activate_item(self.widget.controls.scale, scale)
            widths[scale] = self.widget.printed.sceneRect().width()
        # margins stay as they are
        self.assertGreater(widths["2×"], 1.7 * widths["1×"])
        self.assertGreater(widths["4×"], 1.7 * widths["2×"])

    def test_pictures_are_on_white_in_a_dark_application(self):
        before = QApplication.palette()
        self.addCleanup(QApplication.setPalette, before)
        dark = QPalette(before)
        dark.setColor(QPalette.Base, QColor("#222222"))
        dark.setColor(QPalette.Text, QColor("#eeeeee"))
        QApplication.setPalette(dark)
        self.send(predicted())
        path = str(self.folder / "tree.png")
        PngFormat.write(path, self.widget.printed)
        image = QImage(path)
        self.assertEqual(image.pixelColor(2, 2), QColor("white"))
        colours = [image.pixelColor(x, y).lightness() for x in range(image.width())
                   for y in range(0, image.height(), 3)]
        self.assertLess(min(colours), 60)       # the words
        # and it is seen in its own colours on the screen
        self.assertEqual(self.widget.scene.backgroundBrush().color(),
                         self.widget.view.palette().color(QPalette.Base))

    def test_pictures_are_on_white_in_dark_themes(self):
        dark = QPalette()
        dark.setColor(QPalette.Base, QColor("#222222"))
        self.widget.setPalette(dark)
        self.send(predicted())
        path = str(self.folder / "tree.png")
        PngFormat.write(path, self.widget.printed)
        self.assertEqual(QImage(path).pixelColor(2, 2), QColor("white"))
