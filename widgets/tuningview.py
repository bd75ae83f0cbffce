"""What Tune Parser shows of a grid: losses as lines and as a table."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFontInfo
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from orange_structpred.tuning import Point
from orange_structpred.widgets.parameterform import ParameterForm
from orange_structpred.widgets.tuningplot import TuningPlot
from orange_structpred.widgets.tuningtable import TuningTable
from orange_structpred.widgets.valuecontrols import Choice, ValueCheckBox, ValueRadios

AXES = {
    "C": Choice("&C", "The weight of the loss, on a logarithmic scale"),
    "squared_norm": Choice("|&w|²", "The squared length of the weight vector: how "
                           "complex a parser is, whatever its setting"),
}
SIZES = [420, 190]      # of plot and table


class TuningView(QWidget):
    """Points in a plot and in a table, with one of them selected.

    changed : how the plot looks, a control of `options`
    pointSelected : a point was clicked
    bestWanted : the best point is to be selected
    splitterMoved : heights of plot and table
    """

    changed = Signal()
    pointSelected = Signal(object)
    bestWanted = Signal()
    splitterMoved = Signal(list)

    def __init__(self, sizes: Sequence[int] = (), parent: QWidget | None = None):
        super().__init__(parent)
        self.labels: list[str] = []
        self.plot = TuningPlot()
        self.plot.pointClicked.connect(self.pointSelected)
        self.table = TuningTable()
        self.table.pointSelected.connect(self.pointSelected)
        self.splitter = QSplitter(Qt.Vertical, childrenCollapsible=False)
        self.splitter.addWidget(self._plot_with_options())
        self.splitter.addWidget(self.table)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes(list(sizes) or SIZES)
        self.splitter.splitterMoved.connect(
            lambda *_: self.splitterMoved.emit(self.splitter.sizes()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._head())
        layout.addWidget(self.splitter)

    def _head(self) -> QHBoxLayout:
        self.status = QLabel()
        self.status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.chosen = QLabel(textFormat=Qt.RichText)
        font = self.chosen.font()
        font.setPointSizeF(1.15 * QFontInfo(font).pointSizeF())
        self.chosen.setFont(font)
        self.chosen.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.best_button = QPushButton(
            "Select &Best", toolTip="Select the parser with the smallest validation "
            "loss, now and whenever the grid is tried again", autoDefault=False,
            clicked=lambda: self.bestWanted.emit())
        lines = QVBoxLayout()
        lines.setSpacing(3)
        lines.addWidget(self.status)
        lines.addWidget(self.chosen)
        head = QHBoxLayout()
        head.addLayout(lines, 1)
        head.addWidget(self.best_button, 0, Qt.AlignBottom)
        head.setContentsMargins(8, 4, 4, 2)
        return head

    def _plot_with_options(self) -> QWidget:
        self.options = ParameterForm()
        line = QHBoxLayout()
        line.addWidget(QLabel("Loss against"))
        line.addWidget(self.options.add("axis", ValueRadios(AXES), ""))
        line.addStretch(1)
        line.addWidget(self.options.add(
            "show_training", ValueCheckBox("Trainin&g loss"),
            "Draw the loss on the sentences that parsers learn from, too"))
        line.addWidget(self.options.add(
            "show_bands", ValueCheckBox("95% inter&vals"),
            "How much the validation loss may differ by chance"))
        line.setContentsMargins(8, 0, 8, 0)
        self.options.changed.connect(self._options_changed)
        upper = QWidget()
        layout = QVBoxLayout(upper)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.plot, 1)
        return upper

    def set_options(self, values: Mapping[str, object]) -> None:
        self.options.set_values(values)
        self._options_changed()

    def _options_changed(self) -> None:
        values = self.options.values()
        self.plot.set_view(axis=values["axis"], training=values["show_training"],
                           bands=values["show_bands"])
        self.changed.emit()

    # What is shown

    def say(self, text: str) -> None:
        """Say in a sentence where things stand."""
        self.status.setText(text)
        self.status.setToolTip(text)

    def begin(self, labels: Sequence[str]) -> None:
        """Empty plot and table, made for these settings."""
        self.labels = list(labels)
        self.plot.begin(self.labels)
        self.table.show_points([], self.labels, None)

    def show_points(self, points: Sequence[Point], selected: Point | None) -> None:
        self.plot.show_points(points, selected)
        self.table.show_points(points, self.labels, selected)

    def select(self, point: Point) -> None:
        self.plot.select(point)
        self.table.select(point)

    def show_selected(self, point: Point | None, best: Point | None,
                      by_hand: bool) -> None:
        """Say in words which point is selected."""
        self.best_button.setEnabled(point is not None and by_hand)
        if point is None:
            self.chosen.setText("")
            return
        which = "Best" if point is best else "Selected"
        label = f"{point.label}, " if point.label else ""
        more = "" if point is best else (
            f" (best: {100 * best.validation_loss:.2f}%)")
        text = (f"{which}: {label}<b>C = {point.C:g}</b>, validation loss "
                f"<b>{100 * point.validation_loss:.2f}%</b>{more}")
        self.chosen.setText(text)
        self.chosen.setToolTip(text)
