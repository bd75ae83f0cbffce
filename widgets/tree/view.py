"""A view of a tree that is zoomed and dragged, and what is said around it."""
from __future__ import annotations

from AnyQt.QtCore import QEvent, QPoint, QRect, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence, QPainter, QTransform
from AnyQt.QtWidgets import (
    QAction,
    QFrame,
    QGraphicsView,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from orange_structpred.widgets.common.layouts import area_of, in_column, split_area
from orange_structpred.widgets.tree.panel import TreePanel
from orange_structpred.widgets.tree.scene import TreeScene

SMALLEST_ZOOM, LARGEST_ZOOM = 20, 400     # percent
ZOOM_STEP = 1.2
#: What "fit" may make of a tree: no smaller than can be read, else it is scrolled.
SMALLEST_FIT, LARGEST_FIT = 72, 125
MARGIN = 60         # pixels that are kept free beside a word that is scrolled to


class TreeView(QGraphicsView):
    """Shows a TreeScene.

    zoomed : the zoom in percent, when it changes
    fit_changed : whether trees are made to fit, when that changes
    look_changed : trees must be drawn anew, with other colours or fonts
    """

    zoomed = Signal(float)
    fit_changed = Signal(bool)
    look_changed = Signal()

    def __init__(self, scene: TreeScene, parent=None):
        super().__init__(scene, parent)
        self.zoom = 100.
        self.fit = True
        self.setFrameShape(QFrame.StyledPanel)
        self.setRenderHints(QPainter.Antialiasing | QPainter.TextAntialiasing)
        self.setDragMode(QGraphicsView.ScrollHandDrag)
        self.setTransformationAnchor(QGraphicsView.AnchorUnderMouse)
        self.setAccessibleName("Tree")
        self.viewport().setCursor(Qt.ArrowCursor)

    def make_actions(self, owner: QWidget) -> list[QAction]:
        """What changes the zoom, for buttons; their keys work in all of the owner.

        The keys are left to whoever has text typed in.
        """
        def action(text, tip, keys, slot):
            made = QAction(text, owner, toolTip=f"{tip} ({keys[0]})")
            made.setShortcuts([QKeySequence(key) for key in keys])
            made.setShortcutContext(Qt.WidgetWithChildrenShortcut)
            made.triggered.connect(slot)
            owner.addAction(made)
            return made

        smaller = action("−", "Zoom out", ["-", QKeySequence.ZoomOut], self.zoom_out)
        actual = action(f"{self.zoom:.0f}%", "Actual size", ["0", "Ctrl+0"],
                        lambda: self.set_zoom(100))
        larger = action("+", "Zoom in", ["+", "=", QKeySequence.ZoomIn], self.zoom_in)
        fit = action("Fit", "Make trees fit, as far as they stay readable",
                     ["F", "Ctrl+9"], self.set_fit)
        fit.setCheckable(True)
        fit.setChecked(self.fit)
        self.zoomed.connect(lambda percent: actual.setText(f"{percent:.0f}%"))
        self.fit_changed.connect(fit.setChecked)
        return [smaller, actual, larger, fit]

    def set_zoom(self, percent: float) -> None:
        """Zoom to so many percent; trees are not made to fit any more."""
        self.set_fit(False)
        self._scale(percent)

    def zoom_in(self) -> None:
        self.set_zoom(self.zoom * ZOOM_STEP)

    def zoom_out(self) -> None:
        self.set_zoom(self.zoom / ZOOM_STEP)

    def set_fit(self, fit: bool) -> None:
        """Whether this and the next trees are made to fit into the view."""
        if fit != self.fit:
            self.fit = fit
            self.fit_changed.emit(fit)
        if fit:
            self._fit()

    def _scale(self, percent: float) -> None:
        percent = min(max(percent, SMALLEST_ZOOM), LARGEST_ZOOM)
        if abs(percent - 100) < 5 and not self.fit:
            percent = 100.      # zooming in and out again ends where it began
        self.zoom = percent
        self.setTransform(QTransform.fromScale(percent / 100, percent / 100))
        self.zoomed.emit(percent)

    def _fit(self) -> None:
        size, tree = self.maximumViewportSize(), self.sceneRect().size()
        if tree.isEmpty():
            return
        size -= QSize(4, 4)     # what is rounded up must not need scroll bars
        high = 100 * size.height() / tree.height()
        percent = min(high, 100 * size.width() / tree.width())
        if percent < SMALLEST_FIT:
            # It has to be scrolled anyway; then at least only along.
            bar = self.horizontalScrollBar().sizeHint().height() + 2
            percent = min(100 * (size.height() - bar) / tree.height(), 100)
        self._scale(min(max(percent, SMALLEST_FIT), LARGEST_FIT))

    def adapt(self, *, start: bool = True) -> None:
        """Fit what is in the scene now, if wanted.

        start : scroll to where reading starts, with the words in the middle
        """
        if self.fit:
            self._fit()
        if start:
            area, scene = self.sceneRect(), self.scene()
            self.centerOn(area.right() if scene.right_to_left else area.left(),
                          scene.words_centre)

    def show_word(self, word: int) -> None:
        """Scroll to a word, if it cannot be seen."""
        self.ensureVisible(self.scene().words[word - 1], MARGIN, 0)

    def _is_at_start(self) -> bool:
        bar = self.horizontalScrollBar()
        return bar.value() == (bar.maximum() if self.scene().right_to_left
                               else bar.minimum())

    def resizeEvent(self, event):
        start, scene = self._is_at_start(), self.scene()
        area = self.mapToScene(QRect(QPoint(), event.oldSize())).boundingRect()
        words = [word for word in scene.focused_words()
                 if area.contains(word.sceneBoundingRect().center())]
        super().resizeEvent(event)
        if self.fit:
            self.adapt(start=start)
            if not start:       # what one looked at stays
                self.centerOn(area.center().x(), scene.words_centre)
                for word in words:
                    self.show_word(word.token)

    def enterEvent(self, event):
        super().enterEvent(event)
        self._choose_cursor()

    def mouseReleaseEvent(self, event):
        super().mouseReleaseEvent(event)
        self._choose_cursor()

    def _choose_cursor(self) -> None:
        # A hand only where there is something to drag.
        bars = self.horizontalScrollBar(), self.verticalScrollBar()
        self.viewport().setCursor(
            Qt.OpenHandCursor if any(bar.maximum() > bar.minimum() for bar in bars)
            else Qt.ArrowCursor)

    def wheelEvent(self, event):
        if event.modifiers() & Qt.ControlModifier:
            self.set_zoom(self.zoom * ZOOM_STEP ** (event.angleDelta().y() / 120))
            event.accept()
        elif not self.verticalScrollBar().maximum() > self.verticalScrollBar().minimum():
            # Trees are wide: where nothing moves up and down, the wheel moves along.
            event.setAccepted(self.horizontalScrollBar().event(event))
        else:
            super().wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.NativeGesture \
                and event.gestureType() == Qt.ZoomNativeGesture:
            self.set_zoom(self.zoom * (1 + event.value()))
            return True
        return super().event(event)

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange):
            self.look_changed.emit()

    def keyPressEvent(self, event):
        # Up and down go through the sentences, see the widget.
        if event.key() in (Qt.Key_Up, Qt.Key_Down) and not event.modifiers():
            event.ignore()
        else:
            super().keyPressEvent(event)


class TreePane(QWidget):
    """The right side of Treebank Viewer.

    view : the tree
    about : what is said above it; buttons to zoom stand beside it
    line : what is said of a token
    panel : what speaks for and against its edges; hidden at first
    splitter : between tree and panel

    Parameters
    ----------
    view : of the scene
    owner : the widget in which the keys to zoom work
    """

    def __init__(self, view: TreeView, owner: QWidget):
        super().__init__()
        self.view = view
        self.about = QLabel(textFormat=Qt.RichText)
        self.about.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.line = QLabel(textFormat=Qt.RichText)
        self.line.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.line.setMinimumHeight(self.line.fontMetrics().height() + 8)
        self.panel = TreePanel()
        self.panel.hide()
        self.splitter = split_area(
            Qt.Vertical,
            area_of(in_column(self.view, self.line, largest=self.view, spacing=0)),
            self.panel, shares=(1, 0))
        self.setLayout(in_column(self._bar(owner), self.splitter, largest=self.splitter))

    def _bar(self, owner: QWidget) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setSpacing(2)
        bar.addWidget(self.about, 1)
        for action in self.view.make_actions(owner):
            button = QToolButton(autoRaise=True)
            button.setDefaultAction(action)
            if "%" in action.text():
                button.setMinimumWidth(
                    button.fontMetrics().horizontalAdvance("400%") + 12)
            bar.addWidget(button)
        return bar
