"""Learning curves: scores against the number of training sentences."""
from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPointF, Qt
from AnyQt.QtGui import QColor, QPalette
from AnyQt.QtWidgets import QToolTip
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView, PlotItem

from orange_structpred.tuning.curves import CurvePoint, LearningCurve, point_text
from orange_structpred.widgets.common.phrases import duration, plural
from orange_structpred.widgets.train.plot import LogAxis, legend_above
from orange_structpred.widgets.tune.plot import (
    NEAR,
    LineSample,
    colour_of,
    symbol_of,
)


class CurvePlot(GraphicsView):
    """A line for each learner, with a band of one deviation around it.

    Scores on held-out sentences are solid lines, those on training sentences dashed.
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.curve: LearningCurve | None = None
        self.points: list[CurvePoint] = []
        self.training, self.log_axis = False, True
        self.plot = PlotItem(axisItems={"left": AxisItem("left"),
                                        "bottom": LogAxis("bottom")}, enableMenu=False)
        self.plot.setLabel("bottom", "Training sentences")
        for side in ("left", "bottom"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.plot.setMouseEnabled(False, False)
        self.plot.hideButtons()
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        self.setCentralItem(self.plot)
        self.setMinimumHeight(10 * self.fontMetrics().height())
        self.legend = legend_above(self.plot, LineSample)
        self._draw()

    def show_curve(self, curve: LearningCurve | None) -> None:
        self.curve = curve
        self.points = curve.points if curve else []
        self._draw()

    def set_view(self, *, training: bool, log_axis: bool) -> None:
        if log_axis != self.log_axis:
            kind = LogAxis if log_axis else AxisItem
            self.plot.setAxisItems({"bottom": kind("bottom")})
            self.plot.setLabel("bottom", "Training sentences")
            self.plot.getAxis("bottom").enableAutoSIPrefix(False)
            self.plot.showGrid(x=True, y=True, alpha=0.15)
        self.training, self.log_axis = training, log_axis
        self._draw()

    def x(self, size: int) -> float:
        return math.log10(size) if self.log_axis else float(size)

    # Drawing

    def _draw(self) -> None:
        self.plot.clear()
        names = self.curve.learners if self.curve else []
        measures = dict.fromkeys(self.curve.measures.values()) if self.curve else ()
        self.plot.setLabel("left", f"{' / '.join(measures) or 'Score'} (%)")
        curves = [(name, self._draw_learner(number, name))
                  for number, name in enumerate(names)]
        self._draw_legend(curves)
        self._scale()

    def _draw_learner(self, number: int, name: str) -> pg.PlotDataItem:
        points = [point for point in self.points if point.learner == name]
        colour = QColor(colour_of(number))
        x = np.array([self.x(point.size) for point in points])

        def percent(attribute: str) -> np.ndarray:
            return np.array([100 * getattr(point, attribute) for point in points])

        self._draw_band(x, percent("score"), percent("deviation"), colour)
        if self.training and points:
            self.plot.plot(
                x, percent("train_score"), antialias=True, symbol=symbol_of(number),
                pen=pg.mkPen(colour, width=1.2, style=Qt.DashLine), symbolSize=5,
                symbolPen=pg.mkPen(colour), symbolBrush=self.palette().color(
                    QPalette.Base))
        return self.plot.plot(
            x, percent("score"), antialias=True, symbol=symbol_of(number),
            pen=pg.mkPen(colour, width=2), symbolSize=9, symbolPen=pg.mkPen(colour),
            symbolBrush=colour)

    def _draw_band(self, x: np.ndarray, y: np.ndarray, deviation: np.ndarray,
                   colour: QColor) -> None:
        """As error bars, too: bands of several learners lie upon each other."""
        known = np.isfinite(deviation)
        if not known.any():
            return
        x, y, deviation = x[known], y[known], deviation[known]
        if len(x) > 1:
            band = QColor(colour)
            band.setAlpha(40)
            edges = [pg.PlotDataItem(x, y + sign * deviation) for sign in (-1, 1)]
            self.plot.addItem(pg.FillBetweenItem(*edges, brush=band))
        self.plot.addItem(pg.ErrorBarItem(x=x, y=y, height=2 * deviation,
                                          pen=pg.mkPen(colour, width=1)))

    def _draw_legend(self, curves: Sequence[tuple[str, pg.PlotDataItem]]) -> None:
        self.legend.clear()
        self.legend.setLabelTextColor(self.palette().color(QPalette.Text))
        for name, curve in curves:
            self.legend.addItem(curve, escape(name))
        for columns in range(len(curves), 0, -1):
            self.legend.setColumnCount(columns)
            self.legend.layout.activate()
            self.legend.updateSize()
            if self.legend.width() < self.width() - 24:
                break
        height = self.legend.height() if curves else 0
        self.plot.layout.setContentsMargins(4, 8 + height, 14, 4)

    def _scale(self) -> None:
        """All sizes are in sight from the first result on."""
        xs = [self.x(size) for size in self.curve.sizes] if self.curve else [1., 2.]
        if len(xs) < 2:
            xs = [xs[0] - 0.5, xs[0] + 0.5] if self.log_axis else [0., 2 * xs[0]]
        self.plot.setXRange(min(xs), max(xs), padding=0.05)
        lows, highs = [], []
        for point in self.points:
            spread = 0. if math.isnan(point.deviation) else point.deviation
            lows.append(100 * (point.score - spread))
            highs.append(100 * (point.score + spread))
            if self.training:
                lows.append(100 * point.train_score)
                highs.append(100 * point.train_score)
        low, high = (min(lows), max(highs)) if lows else (0., 100.)
        room = max(0.08 * (high - low), 0.5)
        self.plot.setYRange(max(0., low - room), min(102., high + room), padding=0)

    # Pointing at points

    def point_at(self, position: QPointF) -> CurvePoint | None:
        """The point near a place of the scene, if any."""
        best, nearest = None, float(NEAR)
        for point in self.points:
            scores = [point.score] + [point.train_score] * self.training
            for score in scores:
                drawn = self.plot.vb.mapViewToScene(
                    QPointF(self.x(point.size), 100 * score))
                away = math.hypot(drawn.x() - position.x(), drawn.y() - position.y())
                if away < nearest:
                    best, nearest = point, away
        return best

    def viewportEvent(self, event) -> bool:
        if event.type() == QEvent.ToolTip:
            point = self.point_at(self.mapToScene(event.pos()))
            text = curve_point_tip(point, self.curve.measures[point.learner]) if point else ""
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if hasattr(self, "legend"):
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "legend"):
            self._draw()


def curve_point_tip(point: CurvePoint, measure: str) -> str:
    """All about a point."""
    lines = [f"<b>{escape(point.learner)}</b>",
             plural(point.size, "training sentence", "training sentences"),
             f"{escape(measure)} <b>{point_text(point)}</b>, "
             + plural(point.seeds, "seed", "seeds"),
             f"on training sentences {100 * point.train_score:.2f}",
             f"training took {duration(point.seconds)}"]
    return "<br/>".join(f"<nobr>{line}</nobr>" for line in lines)
