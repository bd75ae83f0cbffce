"""A convex risk with its cutting planes, for one weight: the thesis's figure 2.3."""
from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QPalette
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView, PlotItem

from orange_structpred.svm.steps import PlaneSteps, cutting_lines, highest_line
from orange_structpred.teaching import OneWeight
from orange_structpred.widgets.train.plot import legend_above
from orange_structpred.widgets.tune.plot import LineSample

RISK_COLOUR, PLANE_COLOUR = "#0a7fc2", "#8c8c8c"
BOUND_COLOUR, OBJECTIVE_COLOUR = "#d55e00", "#009e73"
LEAST_WEIGHT, MOST_WEIGHT, POINTS = -0.5, 2.5, 121        # of the weight


class RiskPlot(GraphicsView):
    """The mean hinge loss against w, the cutting planes below it, and the next w."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.plot = PlotItem(axisItems={side: AxisItem(side)
                                        for side in ("left", "bottom")}, enableMenu=False)
        self.plot.setLabel("left", "Mean hinge loss")
        self.plot.setLabel("bottom", "w")
        for side in ("left", "bottom"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.plot.setMouseEnabled(False, False)
        self.plot.hideButtons()
        self.plot.showGrid(x=True, y=True, alpha=0.15)
        self.setCentralItem(self.plot)
        self.legend = legend_above(self.plot, LineSample)
        self.grid = np.linspace(LEAST_WEIGHT, MOST_WEIGHT, POINTS)
        self.risks: np.ndarray | None = None
        self.steps: PlaneSteps | None = None
        self.seen: list[float] = []

    def show_risk(self, risks: np.ndarray | None, steps: PlaneSteps | None,
                  seen: list[float]) -> None:
        """risks : on the grid; seen : weights of the rounds so far"""
        self.risks, self.steps, self.seen = risks, steps, list(seen)
        self._draw()

    def _draw(self) -> None:
        self.plot.clear()
        self.legend.clear()
        self.legend.setLabelTextColor(self.palette().color(QPalette.Text))
        if self.risks is None:
            self.plot.layout.setContentsMargins(4, 8, 14, 4)
            return
        entries = []
        lines = cutting_lines(self.steps.planes)
        for number, line in enumerate(lines):
            newest = number == len(lines) - 1
            planes = self.plot.plot(
                self.grid, line.at(self.grid), antialias=True,
                pen=pg.mkPen(PLANE_COLOUR, width=2 if newest else 1))
            if not number:
                entries.append((planes, "cutting planes"))
        if lines:
            bound = highest_line(lines, self.grid)
            entries.append((self.plot.plot(
                self.grid, bound, antialias=True,
                pen=pg.mkPen(BOUND_COLOUR, width=2.5, style=Qt.DashLine)),
                "the highest of them, at least 0"))
            entries.append((self.plot.plot(
                self.grid, bound + self.grid**2 / (2 * self.steps.C), antialias=True,
                pen=pg.mkPen(OBJECTIVE_COLOUR, width=1.5, style=Qt.DotLine)),
                "with |w|² / 2C"))
        entries.insert(0, (self.plot.plot(
            self.grid, self.risks, antialias=True, pen=pg.mkPen(RISK_COLOUR, width=3)), "risk"))
        heights = np.interp(self.seen, self.grid, self.risks)
        self.plot.addItem(pg.ScatterPlotItem(
            self.seen, heights, size=10, brush=pg.mkBrush(RISK_COLOUR),
            pen=pg.mkPen(self.palette().color(QPalette.Base))))
        for number, (w, height) in enumerate(zip(self.seen, heights)):
            item = pg.TextItem(f"w{number}".translate(SUBSCRIPTS), anchor=(0.5, 1.4),
                               color=self.palette().color(QPalette.Text))
            item.setPos(w, height)
            self.plot.addItem(item, ignoreBounds=True)
        following = float(self.steps.model.weights()[0])
        self.plot.addItem(pg.InfiniteLine(
            following, pen=pg.mkPen(OBJECTIVE_COLOUR, width=1, style=Qt.DashLine)))
        for curve, name in entries:
            self.legend.addItem(curve, name)
        self.legend.setColumnCount(len(entries))
        self.plot.layout.setContentsMargins(4, 8 + self.legend.height(), 14, 4)
        self.plot.setXRange(LEAST_WEIGHT, MOST_WEIGHT, padding=0.02)
        self.plot.setYRange(0, 1.3 * max(1., self.risks[self.grid >= 0].max()), padding=0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "seen"):
            self._draw()


SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def risk_curve(problem: OneWeight) -> np.ndarray:
    """The risk on the grid of the plot."""
    return np.array([problem.risk(w) for w in np.linspace(LEAST_WEIGHT, MOST_WEIGHT, POINTS)])
