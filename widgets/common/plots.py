"""What plots have in common: colours, axes, legends, and pointing at points."""
from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from AnyQt.QtGui import QFontInfo, QPalette
from AnyQt.QtWidgets import QApplication, QToolTip
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView, PlotItem
from pyqtgraph.graphicsItems.LegendItem import ItemSample
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol

# Distinct for colour-blind eyes, on light and dark backgrounds
LINE_COLOURS = ("#0a7fc2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9",
                "#8c8c8c", "#7b5fb0")
SYMBOLS = ("o", "s", "t", "d", "t1", "p", "h", "star")
NEAR = 14               # pixels from a point within which it is meant
LABEL_ROOM_AT_ENDS = 15      # pixels
AXIS_LABEL_ROOM = {"left": 12, "bottom": 40}     # pixels from a label to the next


def colour_of(number: int) -> str:
    return LINE_COLOURS[number % len(LINE_COLOURS)]


def symbol_of(number: int) -> str:
    """Symbols change with colours, and again when these begin anew."""
    return SYMBOLS[(number + number // len(LINE_COLOURS)) % len(SYMBOLS)]


class LogAxis(AxisItem):
    """A logarithmic axis with as many ticks as can be read."""

    def tickValues(self, low, high, size):
        decades = range(math.floor(low), math.ceil(high) + 1)
        room = AXIS_LABEL_ROOM[self.orientation] * (high - low) / max(size, 1)
        fewer: list[float] = []
        for digits in ((1,), (1, 3), (1, 2, 5), range(1, 10)):
            ticks = [math.log10(digit) + decade for decade in decades
                     for digit in digits]
            seen = [tick for tick in ticks if low <= tick <= high]
            if len(fewer) > 1 and min(np.diff(sorted(seen))) < room:
                return [(1., fewer)]
            if len(seen) >= 4:
                return [(1., seen)]
            fewer = seen
        # less than a decade: round numbers at even distances
        bottom, top = 10**low, 10**high
        if top < 1.001 * bottom:
            return [(1., [low])]
        size = 10 ** math.floor(math.log10((top - bottom) / 4))
        step = max(digit * size for digit in (1, 2, 5)
                   if 4 * digit * size <= (top - bottom) * 1.001)
        numbers = range(math.ceil(bottom / step), math.floor(top / step) + 1)
        return [(1., [math.log10(number * step) for number in numbers])]

    def tickStrings(self, values, scale, spacing):
        return [f"{10**value:.4g}" for value in values]

    def boundingRect(self) -> QRectF:
        """With room for labels of ticks at the ends, which would be left out."""
        room = LABEL_ROOM_AT_ENDS if self.orientation == "bottom" else 0
        return super().boundingRect().adjusted(-room, 0, room, 0)


class LineSample(ItemSample):
    """A line in a legend, as it looks in the plot."""

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


def still_plot(left: AxisItem, bottom: AxisItem, *, grid: bool = True) -> PlotItem:
    """An empty plot, which is neither dragged nor zoomed."""
    plot = PlotItem(axisItems={"left": left, "bottom": bottom}, enableMenu=False)
    plot.setMouseEnabled(False, False)
    plot.hideButtons()
    for axis in (left, bottom):
        axis.enableAutoSIPrefix(False)
    if grid:
        plot.showGrid(x=True, y=True, alpha=0.15)
    return plot


def legend_above(plot: PlotItem) -> pg.LegendItem:
    """A legend of lines for the margin above a plot, in its right corner."""
    size = QFontInfo(QApplication.font()).pointSizeF()
    legend = pg.LegendItem(sampleType=LineSample, labelTextSize=f"{size:g}pt",
                           horSpacing=10)
    legend.setParentItem(plot)
    legend.anchor((1, 0), (1, 0), (-8, 0))
    return legend


class PlotView(GraphicsView):
    """Draws itself anew in other colours, and tells about points under the mouse.

    A subclass draws (`draw`), finds points (`point_at`) and says what they are (`tip`).
    """

    is_ready = False        # once everything is there that is to be drawn

    def begin_drawing(self) -> None:
        """Draw for the first time."""
        self.is_ready = True
        self.draw()

    def draw(self) -> None:
        raise NotImplementedError

    def point_at(self, position: QPoint) -> object | None:
        """What is meant by a place of the view, if anything."""
        return None

    def tip(self, point: object) -> str:
        raise NotImplementedError

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.ToolTip:
            point = self.point_at(event.pos())
            QToolTip.showText(event.globalPos(),
                              "" if point is None else self.tip(point), self)
            return True
        return super().viewportEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and self.is_ready:
            self.draw()


class LinePlot(PlotView):
    """Lines with points, and a legend above them, where it hides nothing.

    Solid lines are for what was held out; what was learned from is dashed, and in the
    same colour.
    """

    def __init__(self, bottom: AxisItem, parent=None):
        super().__init__(parent)
        self.plot = still_plot(AxisItem("left"), bottom)
        self.setCentralItem(self.plot)
        self.legend = legend_above(self.plot)

    def places(self) -> Iterable[tuple[object, float, float]]:
        """All points that can be pointed at, with their coordinates."""
        return ()

    def point_at(self, position: QPoint) -> object | None:
        pointed, best, nearest = self.mapToScene(position), None, float(NEAR)
        for point, x, y in self.places():
            away = self.plot.vb.mapViewToScene(QPointF(x, y)) - pointed
            if math.hypot(away.x(), away.y()) < nearest:
                best, nearest = point, math.hypot(away.x(), away.y())
        return best

    def line_looks(self, colour, symbol: str | None, *, dashed: bool = False
                   ) -> dict[str, object]:
        """Options for the items of pyqtgraph."""
        looks = {"symbol": symbol, "symbolPen": pg.mkPen(colour), "antialias": True}
        if dashed:
            return looks | {
                "pen": pg.mkPen(colour, width=1.2, style=Qt.DashLine), "symbolSize": 5,
                "symbolBrush": self.palette().color(QPalette.Base)}
        return looks | {"pen": pg.mkPen(colour, width=2), "symbolSize": 9,
                        "symbolBrush": colour}

    def fill_legend(self, entries: Sequence[tuple[str, pg.PlotDataItem]]) -> None:
        """Names as HTML and lines, in as many columns as there is room for."""
        self.legend.clear()
        self.legend.setLabelTextColor(self.palette().color(QPalette.Text))
        for name, line in entries:
            self.legend.addItem(line, name)
        for columns in range(len(entries), 0, -1):
            self.legend.setColumnCount(columns)
            self.legend.layout.activate()
            self.legend.updateSize()
            if self.legend.width() < self.width() - 24:
                break
        height = self.legend.height() if entries else 0
        self.plot.layout.setContentsMargins(4, 8 + height, 14, 4)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self.is_ready:       # labels and legend have other room
            self.draw()
