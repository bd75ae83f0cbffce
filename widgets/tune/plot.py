"""Losses of many parsers: the thesis's figure 6.4."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, QRectF, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QToolTip
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView, PlotItem
from pyqtgraph.graphicsItems.LegendItem import ItemSample
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol

from orange_structpred.tuning.results import Point
from orange_structpred.widgets.common.phrases import duration
from orange_structpred.widgets.train.plot import LogAxis, legend_above

# Distinct for colour-blind eyes, on light and dark backgrounds
LINE_COLOURS = ("#0a7fc2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9",
           "#8c8c8c", "#7b5fb0")
SYMBOLS = ("o", "s", "t", "d", "t1", "p", "h", "star")
AXIS_LABELS = {"C": "C", "squared_norm": "|w|²"}
MOST_FOR_LEGEND = 0.2   # of the height
NEAR = 14               # pixels from a point within which it is meant
POINT_LABEL_ROOM = 26         # pixels between the labels of points


def colour_of(number: int) -> str:
    return LINE_COLOURS[number % len(LINE_COLOURS)]


def symbol_of(number: int) -> str:
    """Symbols change with colours, and again when these begin anew."""
    return SYMBOLS[(number + number // len(LINE_COLOURS)) % len(SYMBOLS)]


class LineSample(ItemSample):
    """A line in the legend, as it looks in the plot."""

    def paint(self, painter, *_):
        options = self.item.opts
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        painter.setPen(pg.mkPen(options["pen"]))
        painter.drawLine(0, 11, 26, 11)
        if options["symbol"]:
            painter.translate(13, 11)
            drawSymbol(painter, options["symbol"], options["symbolSize"],
                       pg.mkPen(options["symbolPen"]),
                       pg.mkBrush(options["symbolBrush"]))

    def boundingRect(self):
        return QRectF(0, 0, 28, 20)


class TuningPlot(GraphicsView):
    """Training and validation loss against C or |w|^2, one line per setting.

    Validation loss is solid, with a band for its 95% interval; training loss has
    the same colour and is dashed.
    """

    pointClicked = Signal(object)           # Point

    def __init__(self, parent=None):
        super().__init__(parent)
        self.points: list[Point] = []
        self.labels: list[str] = []         # of settings, in the order of colours
        self.Cs: list[float] = []           # of the grid
        self.selected: Point | None = None
        self.axis = "C"
        self.training, self.bands = True, True
        self.plot = PlotItem(axisItems={"left": AxisItem("left"),
                                        "bottom": LogAxis("bottom")}, enableMenu=False)
        self.plot.setLabel("left", "Wrong heads (%)")
        self.plot.getAxis("left").enableAutoSIPrefix(False)
        self.plot.getAxis("bottom").enableAutoSIPrefix(False)
        self.plot.setMouseEnabled(False, False)
        self.plot.hideButtons()
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        self.plot.layout.setContentsMargins(4, 10, 14, 4)
        self.setCentralItem(self.plot)
        # the title of the axis, with legend and labels
        self.setMinimumHeight(round(
            self.plot.getAxis("left").label.boundingRect().width()
            + 7 * self.fontMetrics().height()))
        self.legend = legend_above(self.plot, LineSample)
        self.scene().sigMouseClicked.connect(self._clicked)
        self._mark = pg.ScatterPlotItem(size=19, brush=None, symbol="o")
        self._draw()

    # What is shown

    def begin(self, labels: Iterable[str], Cs: Iterable[float]) -> None:
        """An empty plot for these settings and values of C."""
        self.labels, self.Cs = list(labels), list(Cs)
        self.points, self.selected = [], None
        self._draw()

    def show_points(self, points: Sequence[Point], selected: Point | None) -> None:
        self.points, self.selected = list(points), selected
        self._draw()

    def set_view(self, *, axis: str, training: bool, bands: bool) -> None:
        self.axis, self.training, self.bands = axis, training, bands
        self._draw()

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

    def _draw(self) -> None:
        self.plot.clear()
        self.legend.setLabelTextColor(self.palette().color(QPalette.Text))
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
        if self.training:
            self.plot.plot(
                x, percent("train_loss"), antialias=True, symbol=symbol_of(number),
                pen=pg.mkPen(colour, width=1.2, style=Qt.DashLine), symbolSize=5,
                symbolPen=pg.mkPen(colour), symbolBrush=self.palette().color(
                    QPalette.Base))
        return self.plot.plot(
            x, percent("validation_loss"), antialias=True, symbol=symbol_of(number),
            pen=pg.mkPen(colour, width=2), symbolSize=9, symbolPen=pg.mkPen(colour),
            symbolBrush=colour)

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
        self._fill_legend(settings + kinds)
        if settings and self.legend.height() > MOST_FOR_LEGEND * self.height():
            self._fill_legend(kinds)
        self.plot.layout.setContentsMargins(4, 8 + self.legend.height(), 14, 4)

    def _kinds(self) -> list[tuple[str, pg.PlotDataItem]]:
        """What solid and dashed lines are."""
        plain = len(self.labels) > 1
        colour = (self.palette().color(QPalette.Text) if plain
                  else QColor(colour_of(0)))
        symbol = {"symbol": None if plain else symbol_of(0),
                  "symbolPen": pg.mkPen(colour)}
        kinds = [("validation loss", pg.PlotDataItem(
            pen=pg.mkPen(colour, width=2), symbolSize=9, symbolBrush=colour, **symbol))]
        if self.training:
            kinds.append(("training loss", pg.PlotDataItem(
                pen=pg.mkPen(colour, width=1.2, style=Qt.DashLine), symbolSize=5,
                symbolBrush=self.palette().color(QPalette.Base), **symbol)))
        return kinds

    def _fill_legend(self, entries: Sequence[tuple[str, pg.PlotDataItem]]) -> None:
        """In as many columns as there is room for."""
        self.legend.clear()
        for text, curve in entries:
            self.legend.addItem(curve, text)
        for columns in range(len(entries), 0, -1):
            self.legend.setColumnCount(columns)
            self.legend.layout.activate()
            self.legend.updateSize()
            if self.legend.width() < self.width() - 24:
                break

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

    def point_at(self, position: QPointF) -> Point | None:
        """The point whose validation or training loss is near a place of the scene."""
        best, nearest = None, float(NEAR)
        for point in self.placed():
            losses = [point.validation_loss]
            if self.training:
                losses.append(point.train_loss)
            for loss in losses:
                drawn = self.plot.vb.mapViewToScene(QPointF(self.x(point), 100 * loss))
                away = math.hypot(drawn.x() - position.x(), drawn.y() - position.y())
                if away < nearest:
                    best, nearest = point, away
        return best

    def _clicked(self, event) -> None:
        if event.button() == Qt.LeftButton:
            point = self.point_at(event.scenePos())
            if point is not None:
                self.pointClicked.emit(point)

    def mouseMoveEvent(self, event) -> None:
        super().mouseMoveEvent(event)
        near = self.point_at(self.mapToScene(event.pos())) is not None
        self.viewport().setCursor(Qt.PointingHandCursor if near else Qt.ArrowCursor)

    def viewportEvent(self, event) -> bool:
        if event.type() == QEvent.ToolTip:
            point = self.point_at(self.mapToScene(event.pos()))
            QToolTip.showText(event.globalPos(), tuning_point_tip(point) if point else "", self)
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if hasattr(self, "_mark"):      # labels and legend have other room
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "_mark"):
            self._draw()


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
