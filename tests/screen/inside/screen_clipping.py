"""Texts in a window that are cut off, and controls that one has to scroll to."""
from __future__ import annotations

import re

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QFontMetrics
from AnyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QTabBar,
    QWidget,
)
from orangewidget.utils.messagewidget import MessageWidget

#: Pixels that a text may be wider than its place: fonts are measured in whole pixels
SLACK = 2


def cut_off(window: QWidget) -> list[str]:
    """What is cut off in a window, in words."""
    found = []
    for kind, check in ((QLabel, label), (QPushButton, button), (QCheckBox, button),
                        (QRadioButton, button), (QComboBox, combo), (QGroupBox, box),
                        (QHeaderView, header), (QTabBar, tabs),
                        (QScrollArea, scroll_area)):
        for widget in window.findChildren(kind):
            if widget.isVisible() and not widget.visibleRegion().isEmpty() \
                    and not is_in_status_bar(widget):
                found += [f"{kind.__name__}: {text}" for text in check(widget)]
    return list(dict.fromkeys(found))


def is_in_status_bar(widget: QWidget) -> bool:
    """Orange shortens messages there, and shows them whole in a tooltip."""
    return isinstance(widget.parent(), MessageWidget)


def plain(text: str) -> str:
    return re.sub(r"&(.)", r"\1", text)


def width_of(widget: QWidget, text: str) -> int:
    metrics = QFontMetrics(widget.font())
    return max(metrics.horizontalAdvance(line) for line in plain(text).split("\n"))


def label(widget: QLabel):
    text = QLabel.text(widget)
    if not text.strip() or widget.pixmap() is not None and not widget.pixmap().isNull():
        return
    if text.endswith("…"):
        yield f"{text!r} is elided"
        return
    own = widget.contentsRect()
    if widget.wordWrap() and widget.hasHeightForWidth():
        needed = widget.heightForWidth(widget.width())
        if needed > widget.height() + SLACK:
            yield f"{text[:60]!r} needs {needed} pixels of height, has {widget.height()}"
    else:
        hint = QLabel.sizeHint(widget)
        if hint.width() > widget.width() + SLACK:
            yield f"{text[:60]!r} needs {hint.width()} pixels, has {widget.width()}"
        elif QFontMetrics(widget.font()).height() > own.height() + SLACK:
            yield f"{text[:60]!r} has only {own.height()} pixels of height"


def button(widget):
    option = QStyleOptionButton()
    widget.initStyleOption(option)
    element = {QPushButton: QStyle.SE_PushButtonContents,
               QCheckBox: QStyle.SE_CheckBoxContents,
               QRadioButton: QStyle.SE_RadioButtonContents}
    part = next(own for kind, own in element.items() if isinstance(widget, kind))
    room = widget.style().subElementRect(part, option, widget).width()
    if not widget.icon().isNull():
        room -= widget.iconSize().width()
    needed = width_of(widget, widget.text())
    if widget.text() and needed > room + SLACK:
        yield f"{plain(widget.text())!r} needs {needed} pixels, has {room}"


def combo(widget: QComboBox):
    option = QStyleOptionComboBox()
    widget.initStyleOption(option)
    room = widget.style().subControlRect(
        QStyle.CC_ComboBox, option, QStyle.SC_ComboBoxEditField, widget).width()
    if not widget.itemIcon(widget.currentIndex()).isNull():
        room -= widget.iconSize().width() + 4
    needed = width_of(widget, widget.currentText().replace("&", "&&"))
    if needed > room + SLACK:
        yield f"{widget.currentText()!r} needs {needed} pixels, has {room}"


def box(widget: QGroupBox):
    needed = width_of(widget, widget.title())
    if needed > widget.width():
        yield f"{plain(widget.title())!r} needs {needed} pixels, has {widget.width()}"


def header(widget: QHeaderView):
    """Of the columns that are in sight."""
    model = widget.model()
    if model is None or widget.orientation() != Qt.Horizontal:
        return
    for section in range(widget.count()):
        text = model.headerData(section, Qt.Horizontal)
        if widget.isSectionHidden(section) or not isinstance(text, str):
            continue
        end = widget.sectionViewportPosition(section) + widget.sectionSize(section)
        needed = width_of(widget, text.replace("&", "&&"))
        if end <= widget.viewport().width() and needed > widget.sectionSize(section):
            yield f"{text!r} needs {needed} pixels, has {widget.sectionSize(section)}"


def tabs(widget: QTabBar):
    for index in range(widget.count()):
        needed, room = width_of(widget, widget.tabText(index)), widget.tabRect(index).width()
        if widget.isTabVisible(index) and needed > room:
            yield f"{plain(widget.tabText(index))!r} needs {needed} pixels, has {room}"


def scroll_area(widget: QScrollArea):
    """One that holds boxes of controls, not a list."""
    if not widget.findChildren(QGroupBox):
        return
    for bar, side in ((widget.verticalScrollBar(), "lower"),
                      (widget.horizontalScrollBar(), "right")):
        if bar.isVisible() and bar.maximum() > 0:
            yield f"{bar.maximum()} pixels at its {side} end are out of sight"
