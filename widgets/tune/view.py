"""What Tune Parser shows of a grid: losses as lines and as a table."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFontInfo
from AnyQt.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget
from orangewidget.utils.messagewidget import ElidingLabel

from orange_structpred.tuning.results import Point
from orange_structpred.widgets.common.layouts import (
    area_of,
    in_column,
    in_row,
    split_area,
    wrapped_label,
)
from orange_structpred.widgets.common.parameterform import ParameterForm
from orange_structpred.widgets.common.phrases import safe_tip
from orange_structpred.widgets.common.valuecontrols import (
    Choice,
    ValueCheckBox,
    ValueRadios,
)
from orange_structpred.widgets.tune.plot import TuningPlot
from orange_structpred.widgets.tune.table import TuningTable

AXES = {
    "C": Choice("&C", "The weight of the loss, on a logarithmic scale"),
    "squared_norm": Choice("|&w|²", "The squared length of the weight vector: how "
                           "complex a parser is, whatever its setting"),
}
VIEW_SIZES = [420, 190]      # of plot and table


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
        self.splitter = split_area(
            Qt.Vertical, self._plot_with_options(), self.table, shares=(1, 0),
            sizes=sizes or VIEW_SIZES)
        self.splitter.splitterMoved.connect(
            lambda *_: self.splitterMoved.emit(self.splitter.sizes()))
        self.setLayout(in_column(self._head(), self.splitter))

    def _head(self) -> QVBoxLayout:
        self.status = wrapped_label(lines=1)
        self.chosen = QLabel(textFormat=Qt.RichText)
        font = self.chosen.font()
        font.setPointSizeF(1.15 * QFontInfo(font).pointSizeF())
        self.chosen.setFont(font)
        self.chosen.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.setting = ElidingLabel(elide=True)
        self.setting.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.best_button = QPushButton(
            "Select &Best", toolTip="Select the parser with the smallest validation "
            "loss, now and whenever the grid is tried again", autoDefault=False,
            clicked=lambda: self.bestWanted.emit())
        line = in_row(self.chosen, self.best_button, largest=self.chosen)
        return in_column(self.status, line, self.setting, spacing=3,
                         margins=(8, 4, 4, 2))

    def _plot_with_options(self) -> QWidget:
        self.options = ParameterForm()
        line = in_row(
            QLabel("Loss against"), self.options.add("axis", ValueRadios(AXES), ""),
            None, self.options.add("show_training", ValueCheckBox("Training &loss"),
                             "Also plot the loss on the training sentences"),
            self.options.add("show_bands", ValueCheckBox("95% inter&vals"),
                             "95% confidence intervals of the validation loss"),
            margins=(8, 0, 8, 0))
        self.options.changed.connect(self._options_changed)
        return area_of(in_column(line, self.plot, largest=self.plot))

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
        self.status.setToolTip(safe_tip(text))

    def begin(self, labels: Sequence[str], Cs: Sequence[float]) -> None:
        """Empty plot and table, made for these settings and values of C."""
        self.labels = list(labels)
        self.setting.setVisible(len(self.labels) > 1)
        self.plot.begin(self.labels, Cs)
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
        text = label = ""
        if point is not None:
            which = "Best" if point is best else "Selected"
            more = "" if point is best else (
                f" (best: {100 * best.validation_loss:.2f}%)")
            text = (f"{which}: <b>C = {point.C:g}</b>, validation loss "
                    f"<b>{100 * point.validation_loss:.2f}%</b>{more}")
            label = point.label
        self.chosen.setText(text)
        self.setting.setText(label)
        for line in (self.chosen, self.setting):
            line.setToolTip("<br/>".join(filter(None, (text, escape(label)))))

    def selected_text(self) -> str:
        """What is said of the selected point, all of it, as rich text."""
        return self.chosen.toolTip()
