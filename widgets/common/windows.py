"""Windows, tables and fields that can be read: their size and their colours."""
from __future__ import annotations

from AnyQt.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt, QTimer
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

#: How much of the colour of text a hint has; the rest is that of the window
HINT_SHARE = 0.7
#: Height that windows have for their titles, at most
TITLE_BAR = 40
#: Milliseconds between looks at the frame of a window, how often it is looked at, and how
#: often it has to be where it should be
LOOK_FOR_FRAME, LOOKS_FOR_FRAME, STEADY_LOOKS = 20, 1000, 25
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
    """Moves a window to where its title bar can be seen, when it is shown.

    A window gets its frame from another process, the window manager, some time after it
    was shown; until then its title bar has no height. The manager may also move it.
    """

    def __init__(self, window: QWidget):
        super().__init__(window)
        self._timer = QTimer(self, interval=LOOK_FOR_FRAME)
        self._timer.timeout.connect(self._look)
        self._looks = self._steady = 0

    def eventFilter(self, window: QWidget, event: QEvent) -> bool:
        if event.type() == QEvent.Show:
            self._looks = self._steady = 0
            self._timer.start()
        elif event.type() == QEvent.Hide:
            self._timer.stop()
        return False

    def _look(self) -> None:
        window = self.parent()
        self._looks += 1
        frame = frame_of(window)
        corner = position_within(frame, window.screen().availableGeometry())
        if window.isWindow() and corner != frame.topLeft():
            window.setGeometry(window.geometry().translated(corner - frame.topLeft()))
            self._steady = 0
        elif frame.top() < window.geometry().top():
            self._steady += 1
        if self._steady == STEADY_LOOKS or self._looks == LOOKS_FOR_FRAME:
            self._timer.stop()


def frame_of(window: QWidget) -> QRect:
    """A window with its frame, as the window manager has told it.

    The widget itself keeps what it hears first, which is a frame of 1 x 1 pixels if the
    manager is slow.
    """
    handle = window.windowHandle()
    return window.frameGeometry() if handle is None else handle.frameGeometry()


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


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """A colour between two, with this share of the first."""
    return QColor.fromRgbF(*(
        share * a + (1 - share) * b
        for a, b in zip(first.getRgbF()[:3], second.getRgbF()[:3])))


def muted(palette: QPalette) -> QColor:
    """A colour for hints: paler than other text, and still easy to read."""
    return mixed(palette.color(QPalette.WindowText), palette.color(QPalette.Window),
                 HINT_SHARE)


def make_placeholder_readable(edit: QLineEdit | QPlainTextEdit) -> None:
    """Orange's dark style has no colour for placeholders: they are black on black."""
    palette = edit.palette()
    colour = QColor(palette.color(QPalette.Text))
    colour.setAlphaF(0.55)
    palette.setColor(QPalette.PlaceholderText, colour)
    edit.setPalette(palette)
