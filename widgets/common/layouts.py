"""Labels, and parts of a window beside and below each other."""
from __future__ import annotations

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QFont
from AnyQt.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

NO_MARGINS = (0, 0, 0, 0)


def wrapped_label(text_format: Qt.TextFormat = Qt.PlainText, *, lines: int = 0
                  ) -> QLabel:
    """A label for text of any length, which makes the window no wider.

    lines : for which there is always room
    """
    label = QLabel(wordWrap=True, textFormat=text_format)
    label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
    label.setMinimumHeight(lines * label.fontMetrics().lineSpacing())
    return label


def label_of(text: str, control: QWidget) -> QLabel:
    """A label whose mnemonic leads to a control."""
    label = QLabel(text)
    label.setBuddy(control)
    return label


def bold(font: QFont | None = None) -> QFont:
    """The font in bold; by default that of whoever draws."""
    font = QFont() if font is None else QFont(font)
    font.setBold(True)
    return font


def in_row(*parts: QWidget | QLayout | None, **options) -> QHBoxLayout:
    """Parts beside each other, see `fill`."""
    return fill(QHBoxLayout(), *parts, **options)


def in_column(*parts: QWidget | QLayout | None, **options) -> QVBoxLayout:
    """Parts below each other, see `fill`."""
    return fill(QVBoxLayout(), *parts, **options)


def fill(layout: QBoxLayout, *parts: QWidget | QLayout | None,
         largest: QWidget | QLayout | None = None, spacing: int | None = None,
         margins: tuple[int, int, int, int] | None = NO_MARGINS) -> QBoxLayout:
    """Put parts into a layout.

    parts : widgets and layouts; None for an empty space, as large as there is room
    largest : the part that gets the room that is left
    spacing, margins : None for those of the style
    """
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, QLayout):
            layout.addLayout(part, int(part is largest))
        else:
            layout.addWidget(part, int(part is largest))
    if spacing is not None:
        layout.setSpacing(spacing)
    if margins is not None:
        layout.setContentsMargins(*margins)
    return layout


def area_of(layout: QLayout) -> QWidget:
    """A widget with nothing but a layout."""
    area = QWidget()
    area.setLayout(layout)
    return area


def split_area(orientation: Qt.Orientation, *parts: QWidget, shares: Sequence[int] = (),
               sizes: Sequence[int] = ()) -> QSplitter:
    """Parts whose sizes the user can change; none can be hidden.

    shares : of room that comes and goes with the size of the window
    sizes : at first
    """
    area = QSplitter(orientation, childrenCollapsible=False)
    for part in parts:
        area.addWidget(part)
    for number, share in enumerate(shares):
        area.setStretchFactor(number, share)
    if sizes:
        area.setSizes(list(sizes))
    return area
