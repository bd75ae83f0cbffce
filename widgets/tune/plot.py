"""Losses of many parsers: the thesis's figure 6.4."""
from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPalette

from orange_structpred.tuning.results import Point
from orange_structpred.widgets.common.phrases import duration
from orange_structpred.widgets.common.plots import (
    LinePlot,
    LogAxis,
    colour_of,
    symbol_of,
)

AXIS_LABELS = {"C": "C", "squared_norm": "|w|²"}
MOST_FOR_LEGEND = 0.2   # of the height
POINT_LABEL_ROOM = 26         # pixels between the labels of points


class TuningPlot(LinePlot):
    """Training and validation loss against C or |w|^2, one line per setting.

    Validation loss is solid, with a band for its 95% interval; training loss has
    the same colour and is dashed.
    """

    pointClicked = Signal(object)           # Point

    def __init__(self, parent=None):
        super().__init__(LogAxis("bottom"), parent)
        self.points: list[Point] = []
        self.labels: list[str] = []         # of settings, in the order of colours
        self.Cs: list[float] = []           # of the grid
        self.selected: Point | None = None
        self.axis = "C"
        self.training, self.bands = True, True
        self.plot.setLabel("left", "Wrong heads (%)")
        # the title of the axis, with legend and labels
        self.setMinimumHeight(round(
            self.plot.getAxis("left").label.boundingRect().width()
            + 7 * self.fontMetrics().height()))
        self.scene().sigMouseClicked.connect(self._clicked)
        self._mark = pg.ScatterPlotItem(size=19, brush=None, symbol="o")
        self.begin_drawing()

    # What is shown

    def begin(self, labels: Iterable[str], Cs: Iterable[float]) -> None:
        """An empty plot for these settings and values of C."""
        self.labels, self.Cs = list(labels), list(Cs)
        self.points, self.selected = [], None
        self.draw()

    def show_points(self, points: Sequence[Point], selected: Point | None) -> None:
        self.points, self.selected = list(points), selected
        self.draw()

    def set_view(self, *, axis: str, training: bool, bands: bool) -> None:
        self.axis, self.training, self.bands = axis, training, bands
        self.draw()

    def select(self, point: Point | None) -> None:
        self.selected = point
        self._draw_mark()

    def x(self, point: Point) -> float:
        """Where a point stands; nan where a logarithmic scale has no place."""
        value = getattr(point, self.axis)
        return math.log10(value) if value > 0 else math.nan

    def placed(self) -> list[Point]:
        """Points that can be drawn, by setting and C."""
        return sorted((point for point in self.points if math.isfinite(self.x(point))),
                      key=lambda point: (self.labels.index(point.label), point.C))

    # Drawing

    def draw(self) -> None:
        self.plot.clear()
        self.plot.setLabel("bottom", AXIS_LABELS[self.axis])
        shown = [(number, label) for number, label in enumerate(self.labels)
                 if any(point.label == label for point in self.placed())]
        curves = [(label, self._draw_setting(number, label))
                  for number, label in shown]
        self._draw_labels()
        self.plot.addItem(self._mark)
        self._draw_mark()
        self._draw_legend(curves)
        self._scale()

    def _draw_setting(self, number: int, label: str) -> pg.PlotDataItem:
        points = [point for point in self.placed() if point.label == label]
        colour = QColor(colour_of(number))
        x = np.array([self.x(point) for point in points])

        def percent(name: str) -> np.ndarray:
            return np.array([100 * getattr(point, name) for point in points])

        if self.bands and len(points) > 1:
            band = QColor(colour)
            band.setAlpha(40 if len(self.labels) < 4 else 22)
            edges = [pg.PlotDataItem(x, percent(name)) for name in ("low", "high")]
            self.plot.addItem(pg.FillBetweenItem(*edges, brush=band))
        elif self.bands and points:
            self.plot.addItem(pg.ErrorBarItem(
                x=x, y=percent("validation_loss"), pen=pg.mkPen(colour),
                top=percent("high") - percent("validation_loss"),
                bottom=percent("validation_loss") - percent("low")))
        symbol = symbol_of(number)
        if self.training:
            self.plot.plot(x, percent("train_loss"),
                           **self.line_looks(colour, symbol, dashed=True))
        return self.plot.plot(x, percent("validation_loss"),
                              **self.line_looks(colour, symbol))

    def _draw_labels(self) -> None:
        """The C of each point, where the axis does not tell it."""
        points = self.placed()
        if self.axis == "C" or not points:
            return
        xs = [self.x(point) for point in points]
        wide = max(max(xs) - min(xs), 1e-9)
        room = POINT_LABEL_ROOM / max(self.width() - 100, 100) * wide
        high = max(point.high for point in points)
        taken: list[tuple[float, float]] = []
        colour = self.palette().color(QPalette.Text)
        for point in sorted(points, key=lambda point: point is not self.selected):
            x, y = self.x(point), point.validation_loss
            if any(abs(x - a) < room and abs(y - b) < 0.05 * high for a, b in taken):
                continue
            taken.append((x, y))
            item = pg.TextItem(f"{point.C:g}", color=colour, anchor=(0.5, 1.25))
            item.setPos(x, 100 * y)
            self.plot.addItem(item, ignoreBounds=True)

    def _draw_mark(self) -> None:
        if self.selected is None or not math.isfinite(self.x(self.selected)):
            self._mark.setData([], [])
            return
        self._mark.setPen(pg.mkPen(self.palette().color(QPalette.Text), width=2))
        self._mark.setBrush(pg.mkBrush(None))
        self._mark.setData([self.x(self.selected)],
                           [100 * self.selected.validation_loss])

    def _draw_legend(self, curves: Sequence[tuple[str, pg.PlotDataItem]]) -> None:
        """Above the plot, where it hides nothing. Settings are left out if they would
        take much of the height: the table has their colours, too."""
        kinds = self._kinds() if curves else []
        settings = []
        if len(self.labels) > 1:
            names = {label: ", ".join(map(" ".join, parameters.items()))
                     for label, parameters in varied(self.labels).items()}
            settings = [(escape(names[label]), curve) for label, curve in curves]
        self.fill_legend(settings + kinds)
        if settings and self.legend.height() > MOST_FOR_LEGEND * self.height():
            self.fill_legend(kinds)

    def _kinds(self) -> list[tuple[str, pg.PlotDataItem]]:
        """What solid and dashed lines are."""
        plain = len(self.labels) > 1
        colour = (self.palette().color(QPalette.Text) if plain
                  else QColor(colour_of(0)))
        symbol = None if plain else symbol_of(0)
        kinds = [("validation loss", pg.PlotDataItem(**self.line_looks(colour, symbol)))]
        if self.training:
            kinds.append(("training loss", pg.PlotDataItem(
                **self.line_looks(colour, symbol, dashed=True))))
        return kinds

    def _scale(self) -> None:
        """All of the grid is in sight from the first point on."""
        xs = [self.x(point) for point in self.placed()]
        if self.axis == "C":
            xs += [math.log10(C) for C in self.Cs]
        low, high = (min(xs), max(xs)) if xs else (-3, 2)
        if high - low < 0.1:
            low, high = low - 1, high + 1
        self.plot.setXRange(low, high, padding=0.05)
        if not self.points:
            self.plot.setYRange(0, 50, padding=0)
            return
        top = max(100 * (point.high if self.bands else point.validation_loss)
                  for point in self.points)
        if self.training:
            top = max(top, *(100 * point.train_loss for point in self.points))
        self.plot.setYRange(0, max(1.08 * top, 1), padding=0)

    # Pointing at points

    def places(self) -> Iterator[tuple[Point, float, float]]:
        for point in self.placed():
            for loss in (point.validation_loss, *[point.train_loss] * self.training):
                yield point, self.x(point), 100 * loss

    def tip(self, point: Point) -> str:
        return tuning_point_tip(point)

    def _clicked(self, event) -> None:
        if event.button() == Qt.LeftButton:
            point = self.point_at(self.mapFromScene(event.scenePos()))
            if point is not None:
                self.pointClicked.emit(point)

    def mouseMoveEvent(self, event) -> None:
        super().mouseMoveEvent(event)
        near = self.point_at(event.pos()) is not None
        self.viewport().setCursor(Qt.PointingHandCursor if near else Qt.ArrowCursor)


def tuning_point_tip(point: Point) -> str:
    """All about a point."""
    name = f"<b>{escape(point.label)}</b><br/>" if point.label else ""
    return (f"{name}<nobr>C = <b>{point.C:g}</b></nobr><br/>"
            f"<nobr>validation loss <b>{100 * point.validation_loss:.2f}%</b> "
            f"({100 * point.low:.2f} to {100 * point.high:.2f})</nobr><br/>"
            f"<nobr>training loss {100 * point.train_loss:.2f}%</nobr><br/>"
            f"<nobr>|w|² = {point.squared_norm:.4g}, {duration(point.seconds)}</nobr>")


def varied(labels: Sequence[str]) -> dict[str, dict[str, str]]:
    """Settings by their labels: parameters and values that not all of them have."""
    parts = {label: label.split(", ") for label in labels}
    common = set.intersection(*map(set, parts.values())) if parts else set()
    return {label: dict(part.split(" ", 1) for part in words if part not in common)
            for label, words in parts.items()}
