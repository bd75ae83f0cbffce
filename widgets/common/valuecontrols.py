"""Controls whose value is a plain literal.

Each has `value`, `setValue` and the signal `valueChanged`, as Qt's spin boxes do, and
`shown`: a value in the words of the control.
"""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from AnyQt.QtCore import QLocale, QSignalBlocker, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QValidator
from AnyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QWidget,
)
from Orange.widgets.utils.spinbox import DoubleSpinBox

from orange_structpred.kinds import Choice
from orange_structpred.widgets.common.layouts import in_row
from orange_structpred.widgets.common.windows import make_placeholder_readable

NUMBER_PATTERN = re.compile(r"(\d+(?:[.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


class ValueCombo(QComboBox):
    """A combo box that shows one thing and stands for another."""

    valueChanged = Signal(object)

    def __init__(self, items: Mapping[str, Choice], parent=None):
        super().__init__(parent)
        for value, (text, meaning) in items.items():
            self.addItem(text, value)
            self.setItemData(self.count() - 1, meaning, Qt.ToolTipRole)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.currentIndexChanged.connect(
            lambda: self.valueChanged.emit(self.value()))

    def value(self) -> str:
        return self.currentData()

    def setValue(self, value: str) -> None:
        """Choose a value; one from elsewhere is added as it is."""
        index = self.findData(value)
        if index < 0:
            index = self.count()
            self.addItem(str(value), value)
        self.setCurrentIndex(index)

    def meaning(self) -> str:
        return self.currentData(Qt.ToolTipRole) or ""

    def shown(self, value: str) -> str:
        index = self.findData(value)
        return str(value) if index < 0 else self.itemText(index)


class Radios(QWidget):
    """Radio buttons; who inherits says where they stand."""

    valueChanged = Signal(object)

    def __init__(self, items: Mapping[str, Choice], parent=None):
        super().__init__(parent)
        self.buttons: dict[str, QRadioButton] = {}
        for value, (text, meaning) in items.items():
            button = self.buttons[value] = QRadioButton(text, self, toolTip=meaning)
            button.setChecked(len(self.buttons) == 1)
            button.toggled.connect(
                lambda on, value=value: on and self.valueChanged.emit(value))

    def value(self) -> str:
        return next(value for value, button in self.buttons.items()
                    if button.isChecked())

    def setValue(self, value: str) -> None:
        """Choose a value; one that is not known is ignored."""
        if value in self.buttons:
            self.buttons[value].setChecked(True)

    def shown(self, value: str) -> str:
        return plain_label(self.buttons[value].text()) if value in self.buttons else value


class ValueRadios(Radios):
    """Radio buttons beside each other."""

    def __init__(self, items: Mapping[str, Choice], parent=None):
        super().__init__(items, parent)
        self.setLayout(in_row(*self.buttons.values(), None))


class ValueCheckBox(QCheckBox):
    """A check box whose value is True or False."""

    valueChanged = Signal(bool)

    def __init__(self, text: str, parent=None):
        super().__init__(text, parent)
        self.toggled.connect(self.valueChanged)

    def value(self) -> bool:
        return self.isChecked()

    def setValue(self, value: bool) -> None:
        self.setChecked(bool(value))

    def shown(self, value: bool) -> str:
        return "yes" if value else "no"


class ValueEdit(QLineEdit):
    """A field for a text, without the spaces around it."""

    def __init__(self, example: str = "", parent=None):
        super().__init__(parent, placeholderText=example)
        make_placeholder_readable(self)
        self.valueChanged = self.editingFinished

    def value(self) -> str:
        return self.text().strip()

    def setValue(self, text: str) -> None:
        self.setText(text)

    def shown(self, text: str) -> str:
        return text


def tick_if_possible(box: QCheckBox, wanted: bool, possible: bool) -> None:
    """Show a setting as it works: not ticked where it cannot have an effect.

    The setting itself stays, for when it can.
    """
    box.setEnabled(possible)
    with QSignalBlocker(box):
        box.setChecked(wanted and possible)


class IntegerSpin(QSpinBox):
    """A spin box for whole numbers."""

    def __init__(self, low: int, high: int, parent=None):
        super().__init__(parent, minimum=low, maximum=high, keyboardTracking=False)

    def shown(self, value: int) -> str:
        special = self.specialValueText() if value == self.minimum() else ""
        return special or f"{value}{self.suffix()}"


class NumberSpin(DoubleSpinBox):
    """A spin box for numbers, typed with a comma or a point, or as 1e-3.

    A number that is out of range becomes the nearest one that is not. Other text does not
    become a number by leaving something out: when it is done, the value is what it was
    before.
    """

    def __init__(self, low: float, high: float, step: float = 1, parent=None):
        super().__init__(parent, decimals=-1, minimum=low, maximum=high,
                         singleStep=step, minimumContentsLenght=6,
                         keyboardTracking=False)

    def validate(self, text: str, cursor: int) -> tuple[QValidator.State, str, int]:
        number = typed_number(text)
        fits = number is not None and self.minimum() <= number <= self.maximum()
        return (QValidator.Acceptable if fits else QValidator.Intermediate, text, cursor)

    def fixup(self, text: str) -> str:
        """Qt would leave out what it takes for marks of thousands."""
        number = typed_number(text)
        return text if number is None else self.textFromValue(
            min(max(number, self.minimum()), self.maximum()))

    def valueFromText(self, text: str) -> float:
        number = typed_number(text)
        return self.value() if number is None else number

    def textFromValue(self, value: float) -> str:
        """Without marks for thousands, which look like decimal ones."""
        locale = QLocale(self.locale())
        locale.setNumberOptions(locale.numberOptions() | QLocale.OmitGroupSeparator)
        return locale.toString(value, "f", QLocale.FloatingPointShortest)

    def shown(self, value: float) -> str:
        special = self.specialValueText() if value == self.minimum() else ""
        return special or f"{value:g}"


def typed_number(text: str) -> float | None:
    """The number in a text, if it is one."""
    match = NUMBER_PATTERN.fullmatch(text.strip())
    return float(match[0].replace(",", ".")) if match else None


class LogSpinBox(NumberSpin):
    """A spin box for numbers above 0 that steps through 1, 2, 5, 10, 20, 50..."""

    def stepBy(self, steps: int) -> None:
        index = stop_index(self.value())
        index = math.floor(index + 1e-9) if steps > 0 else math.ceil(index - 1e-9)
        self.setValue(stop_value(index + steps))


def stop_value(index: int) -> float:
    """The stops 1, 2, 5, 10, 20...; stop 0 is 1."""
    decade, step = divmod(index, 3)
    return float(f"{(1, 2, 5)[step]}e{decade}")


def stop_index(value: float) -> float:
    """Inverse of `stop_value`, with fractions between stops."""
    low = 3 * math.floor(math.log10(value) + 1e-12)
    while stop_value(low + 1) <= value * (1 + 1e-12):
        low += 1
    left, right = math.log(stop_value(low)), math.log(stop_value(low + 1))
    return low + max(0., (math.log(value) - left) / (right - left))


class LogSlider(QWidget):
    """A logarithmic slider, and a spin box for values between its stops."""

    valueChanged = Signal(float)

    def __init__(self, low: float, high: float, parent=None):
        super().__init__(parent)
        # in the order in which Tab goes
        self.slider = QSlider(Qt.Horizontal, self)
        self.spin = LogSpinBox(low, high, parent=self)
        self.slider.setRange(round(stop_index(low)), round(stop_index(high)))
        self.slider.setPageStep(3)
        self.slider.setTickInterval(3)
        self.slider.setTickPosition(QSlider.TicksBelow)
        self.setLayout(in_row(self.slider, self.spin, largest=self.slider))
        self.setFocusProxy(self.spin)
        self.slider.valueChanged.connect(
            lambda stop: self.spin.setValue(stop_value(stop)))
        self.spin.valueChanged.connect(self._spin_changed)

    def _spin_changed(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(stop_index(value)))
        self.valueChanged.emit(value)

    def value(self) -> float:
        return self.spin.value()

    def setValue(self, value: float) -> None:
        self.spin.setValue(value)

    def shown(self, value: float) -> str:
        return self.spin.shown(value)


FEWEST_ROWS = 3         # of a grid of check boxes


class CheckGrid(QScrollArea):
    """Check boxes in two columns; the value is the list of checked names."""

    valueChanged = Signal(object)

    def __init__(self, items: Mapping[str, str], rows: int, parent=None):
        """
        items : name and tooltip
        rows : as many are seen without scrolling; where these are not all and there
            is little room, at least `FEWEST_ROWS`
        """
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(4, 3, 4, 3)
        self._grid.setHorizontalSpacing(6)
        self._grid.setVerticalSpacing(2)
        for name, meaning in items.items():
            self._add(name, meaning)
        self._rows = rows
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.NoFrame if len(items) <= 2 * rows
                           else QFrame.StyledPanel)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed if len(items)
                           <= 2 * rows else QSizePolicy.Maximum)
        inside.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def _add(self, name: str, meaning: str) -> None:
        box = QCheckBox(name)
        box.setToolTip(meaning)
        box.toggled.connect(lambda: self.valueChanged.emit(self.value()))
        row, column = divmod(len(self.boxes), 2)
        self._grid.addWidget(box, row, column)
        self.boxes[name] = box

    def sizeHint(self) -> QSize:
        return self._size(self._rows)

    def minimumSizeHint(self) -> QSize:
        return self._size(min(self._rows, FEWEST_ROWS) if len(self.boxes)
                          > 2 * self._rows else self._rows)

    def _size(self, seen: int) -> QSize:
        """With so many rows seen without scrolling."""
        inside = self.widget().sizeHint()
        rows = -(-len(self.boxes) // 2)
        height = inside.height()
        width = inside.width() + 2 * self.frameWidth()
        if rows > seen:
            height = height * seen // rows
            width += self.verticalScrollBar().sizeHint().width()
        return QSize(width, height + 2 * self.frameWidth())

    def value(self) -> list[str]:
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def showEvent(self, event) -> None:
        """What is checked shall be seen first."""
        super().showEvent(event)
        if checked := [box for box in self.boxes.values() if box.isChecked()]:
            self.widget().layout().activate()
            self.widget().adjustSize()
            self.ensureWidgetVisible(checked[0], 0, 4)

    def setValue(self, names: str | Iterable[str]) -> None:
        """Check these names only; one from elsewhere is added as it is."""
        names = [names] if isinstance(names, str) else list(names)
        before = self.value()
        with QSignalBlocker(self):
            for name in names:
                if name not in self.boxes:
                    self._add(name, "")
            for name, box in self.boxes.items():
                box.setChecked(name in names)
        if self.value() != before:
            self.valueChanged.emit(self.value())

    def shown(self, names: str | Iterable[str]) -> str:
        return names if isinstance(names, str) else " + ".join(names)


def plain_label(text: str) -> str:
    """The text of a label, without its underlined letter and colon."""
    return text.replace("&", "").removesuffix(":")
