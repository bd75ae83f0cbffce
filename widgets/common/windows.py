"""Windows, tables and fields that can be read: their size and their colours."""
from __future__ import annotations

from AnyQt.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
)
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

#: How much of the colour of text a hint has; the rest is that of the window
HINT_SHARE = 0.7
#: Height that windows have for their titles, at most
TITLE_BAR = 40
#: The parent of all rows of a table
NO_PARENT = QModelIndex()


def open_in_full_size(widget: QWidget) -> None:
    """Give a window the size that it wants, if the screen has room for it.

    Qt itself would give it two thirds of the screen at most, which hides controls on
    a laptop.
    """
    room = widget.screen().availableGeometry().size() - QSize(0, TITLE_BAR)
    widget.resize(widget.sizeHint().boundedTo(room))
    widget.installEventFilter(OnScreen(widget))


class OnScreen(QObject):
    """Moves a window to where its title bar can be seen, when it is shown."""

    def eventFilter(self, window: QWidget, event: QEvent) -> bool:
        if event.type() == QEvent.Show:
            # not at once: its frame is there only when it has been drawn
            QTimer.singleShot(0, self._move)
        return False

    def _move(self) -> None:
        window = self.parent()
        if window.isWindow() and window.isVisible():
            room = window.screen().availableGeometry()
            window.move(position_within(window.frameGeometry(), room))


def position_within(frame: QRect, room: QRect) -> QPoint:
    """Where a window goes so that all of it, or else its upper left corner, is seen."""
    return QPoint(max(room.left(), min(frame.left(), room.right() + 1 - frame.width())),
                  max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height())))


def paper_palette() -> QPalette:
    """Black on white, whatever the application looks like."""
    palette = QPalette()
    for role in (QPalette.Text, QPalette.WindowText):
        palette.setColor(role, Qt.black)
    for role in (QPalette.Base, QPalette.Window):
        palette.setColor(role, Qt.white)
    return palette


def muted(palette: QPalette) -> QColor:
    """A colour for hints: paler than other text, and still easy to read."""
    text, ground = (palette.color(role).getRgbF()[:3]
                    for role in (QPalette.WindowText, QPalette.Window))
    return QColor.fromRgbF(*(HINT_SHARE * own + (1 - HINT_SHARE) * other
                             for own, other in zip(text, ground)))


def make_placeholder_readable(edit: QLineEdit | QPlainTextEdit) -> None:
    """Orange's dark style has no colour for placeholders: they are black on black."""
    palette = edit.palette()
    colour = QColor(palette.color(QPalette.Text))
    colour.setAlphaF(0.55)
    palette.setColor(QPalette.PlaceholderText, colour)
    edit.setPalette(palette)
