"""Learning curves: scores against the number of training sentences, as lines and as a
table."""
from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)
from Orange.widgets.visualize.utils.plotutils import AxisItem

from orange_structpred.tuning.curves import CurvePoint, LearningCurve, point_text
from orange_structpred.widgets.common.phrases import duration, plural
from orange_structpred.widgets.common.plots import (
    LinePlot,
    LogAxis,
    colour_of,
    symbol_of,
)


class CurvePlot(LinePlot):
    """A line for each learner, with a band of one deviation around it.

    Scores on held-out sentences are solid lines, those on training sentences dashed.
    """

    def __init__(self, parent=None):
        super().__init__(LogAxis("bottom"), parent)
        self.curve: LearningCurve | None = None
        self.points: list[CurvePoint] = []
        self.training, self.log_axis = False, True
        self.plot.setLabel("bottom", "Training sentences")
        self.setMinimumHeight(10 * self.fontMetrics().height())
        self.begin_drawing()

    def show_curve(self, curve: LearningCurve | None) -> None:
        self.curve = curve
        self.points = curve.points if curve else []
        self.draw()

    def set_view(self, *, training: bool, log_axis: bool) -> None:
        if log_axis != self.log_axis:
            kind = LogAxis if log_axis else AxisItem
            self.plot.setAxisItems({"bottom": kind("bottom")})
            self.plot.setLabel("bottom", "Training sentences")
            self.plot.getAxis("bottom").enableAutoSIPrefix(False)
            self.plot.showGrid(x=True, y=True, alpha=0.15)
        self.training, self.log_axis = training, log_axis
        self.draw()

    def x(self, size: int) -> float:
        return math.log10(size) if self.log_axis else float(size)

    # Drawing

    def draw(self) -> None:
        self.plot.clear()
        names = self.curve.learners if self.curve else []
        measures = dict.fromkeys(self.curve.measures.values()) if self.curve else ()
        self.plot.setLabel("left", f"{' / '.join(measures) or 'Score'} (%)")
        self.fill_legend([(escape(name), self._draw_learner(number, name))
                          for number, name in enumerate(names)])
        self._scale()

    def _draw_learner(self, number: int, name: str) -> pg.PlotDataItem:
        points = [point for point in self.points if point.learner == name]
        colour = QColor(colour_of(number))
        x = np.array([self.x(point.size) for point in points])

        def percent(attribute: str) -> np.ndarray:
            return np.array([100 * getattr(point, attribute) for point in points])

        self._draw_band(x, percent("score"), percent("deviation"), colour)
        symbol = symbol_of(number)
        if self.training and points:
            self.plot.plot(x, percent("train_score"),
                           **self.line_looks(colour, symbol, dashed=True))
        return self.plot.plot(x, percent("score"), **self.line_looks(colour, symbol))

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

    def places(self) -> Iterator[tuple[CurvePoint, float, float]]:
        for point in self.points:
            for score in (point.score, *[point.train_score] * self.training):
                yield point, self.x(point.size), 100 * score

    def tip(self, point: CurvePoint) -> str:
        return curve_point_tip(point, self.curve.measures[point.learner])


def curve_point_tip(point: CurvePoint, measure: str) -> str:
    """All about a point."""
    lines = [f"<b>{escape(point.learner)}</b>",
             plural(point.size, "training sentence", "training sentences"),
             f"{escape(measure)} <b>{point_text(point)}</b>, "
             + plural(point.seeds, "seed", "seeds"),
             f"on training sentences {100 * point.train_score:.2f}",
             f"training took {duration(point.seconds)}"]
    return "<br/>".join(f"<nobr>{line}</nobr>" for line in lines)


class CurveTable(QTableWidget):
    def __init__(self, parent=None):
        super().__init__(parent)
        self.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.NoSelection)
        self.setFocusPolicy(Qt.NoFocus)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeToContents)
        self.horizontalHeader().setHighlightSections(False)
        self.show_curve(None)

    def show_curve(self, curve: LearningCurve | None) -> None:
        self.clear()
        self.setVisible(bool(curve and curve.results))
        if curve is None:
            return
        points = {(point.learner, point.size): point for point in curve.points}
        sizes = [size for size in curve.sizes if any(
            (name, size) in points for name in curve.learners)]
        self.setRowCount(len(sizes))
        self.setColumnCount(1 + len(curve.learners))
        self.setHorizontalHeaderItem(0, QTableWidgetItem("Sentences"))
        for column, name in enumerate(curve.learners, 1):
            item = QTableWidgetItem(f"{name}, {curve.measures[name]} (%)")
            item.setToolTip("Mean over the seeds ± deviation")
            self.setHorizontalHeaderItem(column, item)
            for row, size in enumerate(sizes):
                point = points.get((name, size))
                cell = QTableWidgetItem(point_text(point))
                cell.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
                if point is not None:
                    cell.setToolTip(plural(point.seeds, "seed", "seeds"))
                    cell.setData(Qt.DecorationRole, QColor(colour_of(column - 1)))
                self.setItem(row, column, cell)
        for row, size in enumerate(sizes):
            cell = QTableWidgetItem(f"{size:,}")
            cell.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
            self.setItem(row, 0, cell)
        rows = sum(map(self.rowHeight, range(self.rowCount())))
        self.setFixedHeight(rows + self.horizontalHeader().sizeHint().height()
                            + 2 * self.frameWidth()
                            + self.horizontalScrollBar().sizeHint().height())
