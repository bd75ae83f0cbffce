"""The picture of a tree that is changed with the mouse."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from AnyQt.QtCore import QPointF, QRectF, Qt, QTimer
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QCursor, QKeySequence, QPainter, QPainterPath, QPen
from AnyQt.QtWidgets import QAction, QApplication, QGraphicsPathItem, QWidget

from orange_structpred.treebank import Sentence
from orange_structpred.treebank.editing import checked_words
from orange_structpred.treebank.text import tokens_of
from orange_structpred.widgets.tree.items import Look, TokenItem, WordItem
from orange_structpred.widgets.tree.picture import Picture, make_picture
from orange_structpred.widgets.tree.scene import TreeScene
from orange_structpred.widgets.tree.view import MARGIN, TreeView

CHECK_MARK = "✓"
ROOT_GAP = 26.          # between the symbol of the root and the first word
SCROLL_INTERVAL = 30    # milliseconds


def edited_picture(sentence: Sentence, suggestion: Sentence | None = None, *,
                   words: str, tags: str, framed: Collection[int] = ()) -> Picture:
    """A sentence as it is, above; below it, what a parser would make of it.

    Under the words stand the tokens of several words, and marks of checked words.

    framed : words that stand out
    """
    heads, relations = (suggestion.heads, suggestion.deprels) if suggestion else (
        None, None)
    picture = make_picture(sentence, heads, relations, name="Suggested", words=words,
                           tags=tags, marked=framed)
    if picture.below is not None:
        picture = replace(
            picture, above=replace(picture.above, title="Now",
                                   legend=("would go", "other relation")),
            below=replace(picture.below, legend=("new head", "new relation")))
    lines = [line for line in (multiword_line(sentence), checked_line(sentence))
             if any(line)]
    wrong = [*picture.wrong_tags, *[()] * len(lines)]
    return replace(picture, tags=[*picture.tags, *lines], wrong_tags=wrong)


def multiword_line(sentence: Sentence) -> list[str]:
    """For each word, the token that it is a part of: ``⌞zum``, then ``⌟``."""
    line, word = [], 0
    for token in tokens_of(sentence):
        n = len(token.words)
        line += [""] if n == 1 else [f"⌞{token.form}", *["·"] * (n - 2), "⌟"]
        word += n
    return line


def checked_line(sentence: Sentence) -> list[str]:
    checked = checked_words(sentence)
    return [CHECK_MARK if word in checked else ""
            for word in range(1, len(sentence) + 1)]


class RootItem(TokenItem):
    """The root as a thing to click on, for a word that shall have no head."""

    TEXT = "root"
    set_is_head = WordItem.set_is_head

    def __init__(self, look: Look):
        super().__init__(0, look)
        self.width = look.tags.horizontalAdvance(self.TEXT) + 12
        self.is_head = False
        self.setToolTip("Click here, or press 0, to make the selected word the root")

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self.width, self.look.words.height())

    def paint(self, painter: QPainter, option, widget=None):
        look = self.look
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setPen(QPen(look.faint, 1.2))
        fill = QColor(look.highlight)
        fill.setAlphaF(0.16)
        painter.setBrush(fill if self.is_head else Qt.NoBrush)
        painter.drawRoundedRect(self.boundingRect().adjusted(1, 1, -1, -1), 8, 8)
        painter.setFont(look.tag_font)
        painter.drawText(self.boundingRect(), Qt.AlignCenter, self.TEXT)


class EditScene(TreeScene):
    """A tree whose words and arcs are clicked, and dragged to new heads.

    word_clicked : a word, and whether the selection is to reach to it (Shift)
    arc_clicked : the dependent of the arc
    suggested_clicked : the same, for an arc of the suggested tree
    root_clicked : the symbol of the root
    head_dragged : a word that was dragged, itself or the arc to it, and the word on which
        it was dropped, 0 for the root
    """

    word_clicked = Signal(int, bool)
    arc_clicked = Signal(int)
    suggested_clicked = Signal(int)
    root_clicked = Signal()
    head_dragged = Signal(int, int)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.root: RootItem | None = None
        self._pressed: TokenItem | None = None
        self._start = QPointF()
        self._screen_start = None
        self._line: QGraphicsPathItem | None = None
        self._target: WordItem | RootItem | None = None

    def _clear(self) -> None:
        super()._clear()
        self.root = self._pressed = self._line = self._target = None

    @property
    def is_dragging(self) -> bool:
        return self._line is not None

    def draw(self, picture: Picture, look: Look, tips: Sequence[str] = ()) -> None:
        super().draw(picture, look, tips)
        self.root = RootItem(look)
        rects = [word.sceneBoundingRect() for word in self.words]
        x = max(rect.right() for rect in rects) + ROOT_GAP if self.right_to_left \
            else min(rect.left() for rect in rects) - ROOT_GAP - self.root.width
        self.root.setPos(x, 0)
        self.addItem(self.root)
        self._finish()

    def mousePressEvent(self, event):
        item = self.item_under(event)
        if item is None or event.button() != Qt.LeftButton:
            event.ignore()      # so that the view scrolls by dragging
            return
        self._pressed, self._start = item, event.scenePos()
        self._screen_start = event.screenPos()
        event.accept()

    def mouseMoveEvent(self, event):
        if self._pressed is None or not self._pressed.token:
            super().mouseMoveEvent(event)
            return
        far = (event.screenPos() - self._screen_start).manhattanLength()
        if self._line is None and far < QApplication.startDragDistance():
            return
        if self._line is None:
            look = self._pressed.look
            self._line = QGraphicsPathItem()
            self._line.setPen(QPen(QColor(look.highlight), 2.2, Qt.DashLine))
            self._line.setAcceptedMouseButtons(Qt.NoButton)
            self.addItem(self._line)
        word = self.words[self._pressed.token - 1].sceneBoundingRect()
        start, end = QPointF(word.center().x(), word.top()), event.scenePos()
        path = QPainterPath(start)
        above = QPointF((start.x() + end.x()) / 2, min(start.y(), end.y()) - 40)
        path.quadTo(above, end)
        self._line.setPath(path)
        self._line.setZValue(-1e6)      # under all that it can be dropped on
        self._show_target(self.item_under(event))

    def _show_target(self, item: TokenItem | None) -> None:
        """Mark the head that a word would get if it were dropped here."""
        if self._target is not None and self._target not in self._heads:
            self._target.set_is_head(False)
        self._target = item if self._is_target(item) else None
        if self._target is not None:
            self._target.set_is_head(True)

    def _is_target(self, item: TokenItem | None) -> bool:
        return isinstance(item, (WordItem, RootItem)) and item.token != self._pressed.token

    def mouseReleaseEvent(self, event):
        pressed, was_dragged = self._pressed, self.is_dragging
        if pressed is None:
            super().mouseReleaseEvent(event)
            return
        event.accept()
        target = self.item_under(event)
        is_target = self._is_target(target)
        if was_dragged:
            self._show_target(None)
            self.removeItem(self._line)
        self._pressed = self._line = None
        if was_dragged:
            if is_target:
                self.head_dragged.emit(pressed.token, target.token)
        elif isinstance(pressed, RootItem):
            self.root_clicked.emit()
        elif isinstance(pressed, WordItem):
            self.word_clicked.emit(pressed.token,
                                   bool(event.modifiers() & Qt.ShiftModifier))
        elif self.arcs["below"].get(pressed.token) is pressed:
            self.suggested_clicked.emit(pressed.token)
        else:
            self.arc_clicked.emit(pressed.token)


class EditView(TreeView):
    """Leaves all keys without Ctrl to the commands of the editor, and scrolls while a
    word is dragged to the edge."""

    def __init__(self, scene: EditScene, parent=None):
        super().__init__(scene, parent)
        self._scrolling = QTimer(self, interval=SCROLL_INTERVAL)
        self._scrolling.timeout.connect(self._scroll_to_mouse)

    def mouseMoveEvent(self, event):
        super().mouseMoveEvent(event)
        if self.scene().is_dragging and not self._scrolling.isActive():
            self._scrolling.start()

    def _scroll_to_mouse(self) -> None:
        if not self.scene().is_dragging:
            self._scrolling.stop()
            return
        x, width = self.viewport().mapFromGlobal(QCursor.pos()).x(), self.viewport().width()
        beyond = min(x - MARGIN, 0) or max(x - (width - MARGIN), 0)
        bar = self.horizontalScrollBar()
        bar.setValue(bar.value() + max(min(beyond, MARGIN), -MARGIN) // 2)

    def make_actions(self, owner: QWidget) -> list[QAction]:
        actions = super().make_actions(owner)
        for action in actions:
            kept = [keys for keys in action.shortcuts()
                    if "Ctrl" in keys.toString(QKeySequence.PortableText)]
            action.setShortcuts(kept)
            tip = action.toolTip().rpartition(" (")[0]
            action.setToolTip(f"{tip} ({kept[0].toString()})" if kept else tip)
        return actions

    def keyPressEvent(self, event):
        event.ignore()      # no scrolling: the arrow keys select words and sentences
