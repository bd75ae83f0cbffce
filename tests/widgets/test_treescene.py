import unittest

import numpy as np
from AnyQt.QtCore import QPoint, QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QImage, QPainter, QPainterPathStroker, QPalette
from AnyQt.QtTest import QSignalSpy, QTest
from AnyQt.QtWidgets import QApplication
from orangewidget.tests.base import GuiTest

from orange_structpred.treebank import Sentence
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.widgets.tree.items import ON_DARK, ON_LIGHT, Look
from orange_structpred.widgets.tree.picture import (
    AGREED,
    MISSED,
    WRONG_EDGE,
    DrawnTree,
    Picture,
    make_picture,
)
from orange_structpred.widgets.tree.scene import TreeScene
from orange_structpred.widgets.tree.view import LARGEST_FIT, SMALLEST_FIT, TreeView
from tests.parsing.reference import is_projective_tree as is_projective
from tests.treebank.toy import CROSSED, block

SENTENCE = Sentence(block([2, 0, 4, 2, 2], "It works really well ."))
WRONG_HEADS = np.array([2, 0, 2, 2, 4])


def look(palette=None):
    return Look(palette or QApplication.palette(), QApplication.font())


def drawn(*args, **kwargs):
    scene = TreeScene()
    scene.draw(make_picture(*args, **kwargs), look())
    return scene


def rendered(scene, background):
    area = scene.sceneRect()
    image = QImage(area.size().toSize(), QImage.Format_RGB32)
    image.fill(background)
    painter = QPainter(image)
    scene.render(painter, QRectF(image.rect()), area)
    painter.end()
    return image


def colours(image):
    return {image.pixelColor(x, y).name()
            for x in range(image.width()) for y in range(image.height())}


def crossed(path, rect):
    stroker = QPainterPathStroker()
    stroker.setWidth(1)
    return stroker.createStroke(path).intersects(rect)


class TestScene(GuiTest):
    def test_arcs_and_words(self):
        scene = drawn(SENTENCE, WRONG_HEADS, name="MST")
        self.assertEqual([word.word for word in scene.words], SENTENCE.forms)
        self.assertEqual(list(scene.arcs["above"]), [1, 2, 3, 4, 5])
        self.assertEqual(list(scene.arcs["below"]), [1, 2, 3, 4, 5])
        self.assertEqual([arc.kind for arc in scene.arcs["above"].values()],
                         [AGREED, AGREED, MISSED, AGREED, MISSED])
        self.assertEqual([arc.kind for arc in scene.arcs["below"].values()],
                         [AGREED, AGREED, WRONG_EDGE, AGREED, WRONG_EDGE])
        words = scene.words[0].sceneBoundingRect()
        self.assertLess(scene.arcs["above"][3].sceneBoundingRect().center().y(),
                        words.top())
        self.assertGreater(scene.arcs["below"][3].sceneBoundingRect().center().y(),
                           words.bottom())

    def test_what_differs_is_marked_by_line_and_by_colour(self):
        own = look()
        pens = {kind: own.pen(kind) for kind in (AGREED, MISSED, WRONG_EDGE)}
        self.assertEqual(pens[AGREED].style(), Qt.SolidLine)
        self.assertEqual(len({tuple(pen.dashPattern()) for pen in pens.values()}), 3)
        self.assertEqual(len({pen.color().name() for pen in pens.values()}), 3)

    def test_relations_that_differ_are_underlined(self):
        scene = drawn(SENTENCE, SENTENCE.heads, ["obj", "root", "dep", "dep", "dep"])
        kinds = [arc.label_kind for arc in scene.arcs["below"].values()]
        self.assertEqual(kinds, [WRONG_EDGE, None, None, None, None])
        self.assertTrue(look().marked_font.underline())
        self.assertFalse(look().label_font.underline())

    def test_labels(self):
        scene = drawn(SENTENCE, WRONG_HEADS)
        self.assertEqual([arc.label for arc in scene.arcs["above"].values()],
                         ["dep", "root", "dep", "dep", "dep"])
        # Without relations only the root has a name.
        self.assertEqual([arc.label for arc in scene.arcs["below"].values()],
                         ["", "root", "", "", ""])

    def test_arrows_end_at_the_dependent_and_leave_room_for_others(self):
        scene = drawn(SENTENCE)
        word = scene.words[1].sceneBoundingRect()
        starts = [scene.arcs["above"][token].start for token in (1, 4, 5)]
        self.assertEqual(len(set(starts)), 3)
        self.assertTrue(all(word.left() <= x <= word.right() for x in starts))
        for token in (1, 3, 4, 5):
            own = scene.words[token - 1].sceneBoundingRect()
            self.assertTrue(
                own.left() <= scene.arcs["above"][token].end <= own.right())

    def test_labels_and_lines_do_not_meet_in_projective_trees(self):
        own = look()
        for sentence in load_bundled("en").sentences[:60]:
            if not is_projective(np.append(np.int32(-1), sentence.heads)):
                continue
            scene = TreeScene()
            scene.draw(make_picture(sentence), own)
            for i, word in enumerate(scene.words[1:]):
                self.assertFalse(word.sceneBoundingRect().intersects(
                    scene.words[i].sceneBoundingRect()))
            arcs = list(scene.arcs["above"].values())
            for arc in arcs:
                # Letters do not fill the height of a line.
                label = arc.label_rect.adjusted(0, 3, 0, -3)
                for other in arcs:
                    if other is not arc:
                        self.assertFalse(crossed(other.path, label), sentence)
                        self.assertFalse(label.intersects(
                            other.label_rect.adjusted(0, 3, 0, -3)), sentence)

    def test_crossing_arcs_leave_labels_readable(self):
        scene = drawn(Sentence(CROSSED))
        low, high = scene.arcs["above"][1], scene.arcs["above"][2]
        self.assertLess(low.arc_height, high.arc_height)
        self.assertGreater(low.zValue(), high.zValue())

    def test_themes(self):
        dark = QPalette()
        dark.setColor(QPalette.Base, QColor("#202428"))
        dark.setColor(QPalette.Text, QColor("#f0f0f0"))
        light = QPalette()
        light.setColor(QPalette.Base, Qt.white)
        light.setColor(QPalette.Text, Qt.black)
        for palette, marks in ((light, ON_LIGHT), (dark, ON_DARK)):
            scene = TreeScene()
            scene.draw(make_picture(SENTENCE, WRONG_HEADS), look(palette))
            found = colours(rendered(scene, palette.color(QPalette.Base)))
            for kind in (MISSED, WRONG_EDGE):
                self.assertIn(marks[kind].name(), found)

    def test_right_to_left(self):
        scene = drawn(Sentence(block([2, 0, 2], "הילדה קראה ספר")))
        self.assertTrue(scene.right_to_left)
        self.assertGreater(scene.words[0].x(), scene.words[1].x())
        self.assertGreater(scene.words[1].x(), scene.words[2].x())
        self.assertGreater(scene.arcs["above"][1].end, scene.arcs["above"][1].start)

    def test_long_words_are_cut(self):
        scene = drawn(Sentence(block([0, 1], "See " + "x" * 500)))
        self.assertIn("…", scene.words[1].word)
        self.assertLess(scene.sceneRect().width(), 800)

    def test_odd_predictions(self):
        # A cycle, a token that is its own head, an unknown head, no root.
        sentence = Sentence(block([0, 1, 1, 1]))
        scene = drawn(sentence, np.array([2, 1, 3, -1]))
        self.assertEqual(list(scene.arcs["below"]), [1, 2])

    def test_very_long_sentences_stay_a_picture(self):
        n = 2000
        scene = TreeScene()
        for heads in ([0] + [1] * (n - 1), [0, *range(1, n)]):
            scene.draw(Picture([f"w{i}" for i in range(n)], [],
                               DrawnTree(np.array(heads)), DrawnTree(np.array(heads))), look())
            self.assertEqual(len(scene.words), n)
            self.assertLess(scene.sceneRect().height(), 3000)

    def test_focus(self):
        scene = drawn(SENTENCE, WRONG_HEADS)
        scene.focus_token(5, {2, 4, 0})
        self.assertTrue(scene.words[4].focused)
        self.assertTrue(scene.arcs["above"][5].focused)
        self.assertTrue(scene.arcs["below"][5].focused)
        self.assertEqual([word.is_head for word in scene.words],
                         [False, True, False, True, False])
        scene.focus_token(1)
        self.assertFalse(scene.arcs["above"][5].focused)
        self.assertFalse(scene.words[1].is_head)
        scene.focus_token(0)
        self.assertFalse(scene.words[0].focused)

    def test_enlarged(self):
        scene = drawn(SENTENCE)
        before, word = scene.sceneRect().size(), scene.words[3].sceneBoundingRect()
        scene.enlarge(2)
        self.assertAlmostEqual(
            scene.words[3].sceneBoundingRect().left(), 2 * word.left())
        self.assertGreater(scene.sceneRect().width(), 1.7 * before.width())

    def test_text_in_place_of_a_tree(self):
        scene = drawn(SENTENCE)
        scene.show_text("nothing here", look())
        self.assertEqual(len(scene.items()), 1)
        self.assertEqual(scene.words, [])


class TestView(GuiTest):
    def setUp(self):
        super().setUp()
        self.scene = drawn(SENTENCE)
        self.view = TreeView(self.scene)
        self.view.resize(900, 500)
        self.view.show()
        QApplication.processEvents()

    def tearDown(self):
        self.view.hide()
        self.view.deleteLater()
        super().tearDown()

    def test_zoom(self):
        spy = QSignalSpy(self.view.fit_changed)
        self.view.set_zoom(100)
        self.assertEqual(self.view.zoom, 100)
        self.assertFalse(self.view.fit)
        self.assertEqual(len(spy), 1)
        self.view.zoom_in()
        self.assertAlmostEqual(self.view.transform().m11(), 1.2)
        self.view.zoom_out()
        self.assertEqual(self.view.zoom, 100)
        for _ in range(30):
            self.view.zoom_in()
        self.assertEqual(self.view.zoom, 400)

    def test_fit(self):
        self.view.set_zoom(400)
        self.view.set_fit(True)
        self.assertEqual(self.view.zoom, LARGEST_FIT)
        self.view.resize(int(0.9 * self.scene.sceneRect().width()), 500)
        QApplication.processEvents()
        self.assertLess(self.view.zoom, 90)
        self.assertGreaterEqual(self.view.zoom, SMALLEST_FIT)
        for width in range(300, 420, 7):
            self.view.resize(width, 200)
            QApplication.processEvents()
            self.assertGreater(self.view.zoom, SMALLEST_FIT)
            for bar in (self.view.horizontalScrollBar(),
                        self.view.verticalScrollBar()):
                self.assertEqual(bar.maximum(), bar.minimum())

    def test_what_cannot_fit_is_scrolled_from_its_start(self):
        for forms, start in (("word", "minimum"), ("מילה", "maximum")):
            sentence = Sentence(block([0, *range(1, 60)], " ".join([forms] * 60)))
            self.scene.draw(make_picture(sentence), look())
            self.view.adapt()
            bar = self.view.horizontalScrollBar()
            self.assertGreater(bar.maximum(), bar.minimum())
            self.assertEqual(bar.value(), getattr(bar, start)())
            self.assertGreaterEqual(self.view.zoom, SMALLEST_FIT)

    def test_mouse(self):
        hovered = QSignalSpy(self.scene.token_hovered)
        clicked = QSignalSpy(self.scene.token_clicked)
        label = self.scene.arcs["above"][3]
        at = self.view.mapFromScene(label.mapToScene(label.label_rect.center()))
        QTest.mouseMove(self.view.viewport(), at)
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, pos=at)
        self.assertEqual(hovered[-1][0], 3)
        self.assertEqual(clicked[-1][0], 3)
        word = self.view.mapFromScene(
            self.scene.words[0].sceneBoundingRect().center())
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, pos=word)
        self.assertEqual(clicked[-1][0], 1)
        QTest.mouseClick(self.view.viewport(), Qt.LeftButton, pos=QPoint(3, 3))
        self.assertEqual(len(clicked), 2)

    def test_arcs_are_hit_where_they_are_drawn(self):
        arc = self.scene.arcs["above"][5]
        self.assertTrue(arc.shape().contains(arc.path.pointAtPercent(0.5)))
        inside = QPointF((arc.start + arc.end) / 2, -arc.arc_height / 2)
        self.assertFalse(arc.shape().contains(inside))


if __name__ == "__main__":
    unittest.main()
