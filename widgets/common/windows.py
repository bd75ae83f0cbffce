"""Windows and fields that can be read: their size and their colours."""
from __future__ import annotations

from AnyQt.QtCore import QSize
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

#: Height that windows have for their titles, at most
TITLE_BAR = 40


def open_in_full_size(widget: QWidget) -> None:
    """Give a window the size that it wants, if the screen has room for it.

    Qt itself would give it two thirds of the screen at most, which hides controls on
    a laptop.
    """
    room = widget.screen().availableGeometry().size() - QSize(0, TITLE_BAR)
    widget.resize(widget.sizeHint().boundedTo(room))


def make_placeholder_readable(edit: QLineEdit | QPlainTextEdit) -> None:
    """Orange's dark style has no colour for placeholders: they are black on black."""
    palette = edit.palette()
    colour = QColor(palette.color(QPalette.Text))
    colour.setAlphaF(0.55)
    palette.setColor(QPalette.PlaceholderText, colour)
    edit.setPalette(palette)
