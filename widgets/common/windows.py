"""The size of windows."""
from __future__ import annotations

from AnyQt.QtCore import QSize
from AnyQt.QtWidgets import QWidget

#: Height that windows have for their titles, at most
TITLE_BAR = 40


def open_in_full_size(widget: QWidget) -> None:
    """Give a window the size that it wants, if the screen has room for it.

    Qt itself would give it two thirds of the screen at most, which hides controls on
    a laptop.
    """
    room = widget.screen().availableGeometry().size() - QSize(0, TITLE_BAR)
    widget.resize(widget.sizeHint().boundedTo(room))
