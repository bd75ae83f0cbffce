"""Labels, and fonts and colours of what is written."""
from __future__ import annotations

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QFont
from AnyQt.QtWidgets import QLabel, QSizePolicy, QWidget


def wrapped_label(text_format: Qt.TextFormat = Qt.PlainText, *, lines: int = 0) -> QLabel:
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
