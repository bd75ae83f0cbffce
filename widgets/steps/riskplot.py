"""A convex risk with its cutting planes, for one weight: the thesis's figure 2.3."""
from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import Qt
from AnyQt.QtGui import QPalette
from Orange.widgets.visualize.utils.plotutils import AxisItem

from orange_structpred.svm.steps import PlaneSteps, cutting_lines, highest_line
from orange_structpred.teaching import OneWeight
from orange_structpred.widgets.common.plots import LinePlot

RISK_COLOUR, PLANE_COLOUR = "#0a7fc2", "#8c8c8c"
BOUND_COLOUR, OBJECTIVE_COLOUR = "#d55e00", "#009e73"
LEAST_WEIGHT, MOST_WEIGHT, POINTS = -0.5, 2.5, 121        # of the weight


class RiskPlot(LinePlot):
    """The mean hinge loss against w, the cutting planes below it, and the next w."""

    def __init__(self, parent=None):
        super().__init__(AxisItem("bottom"), parent)
        self.plot.setLabel("left", "Mean hinge loss")
        self.plot.setLabel("bottom", "w")
        self.grid = np.linspace(LEAST_WEIGHT, MOST_WEIGHT, POINTS)
        self.risks: np.ndarray | None = None
        self.steps: PlaneSteps | None = None
        self.seen: list[float] = []
        self.begin_drawing()

    def show_risk(self, risks: np.ndarray | None, steps: PlaneSteps | None,
                  seen: list[float]) -> None:
        """risks : on the grid; seen : weights of the rounds so far"""
        self.risks, self.steps, self.seen = risks, steps, list(seen)
        self.draw()

    def draw(self) -> None:
        self.plot.clear()
        entries: list[tuple[str, pg.PlotDataItem]] = []
        if self.risks is None:
            self.fill_legend(entries)
            return
        lines = cutting_lines(self.steps.planes)
        for number, line in enumerate(lines):
            newest = number == len(lines) - 1
            planes = self.plot.plot(
                self.grid, line.at(self.grid), antialias=True,
                pen=pg.mkPen(PLANE_COLOUR, width=2 if newest else 1))
            if not number:
                entries.append(("cutting planes", planes))
        if lines:
            bound = highest_line(lines, self.grid)
            entries.append(("the highest of them, at least 0", self.plot.plot(
                self.grid, bound, antialias=True,
                pen=pg.mkPen(BOUND_COLOUR, width=2.5, style=Qt.DashLine))))
            entries.append(("with |w|² / 2C", self.plot.plot(
                self.grid, bound + self.grid**2 / (2 * self.steps.C), antialias=True,
                pen=pg.mkPen(OBJECTIVE_COLOUR, width=1.5, style=Qt.DotLine))))
        entries.insert(0, ("risk", self.plot.plot(
            self.grid, self.risks, antialias=True, pen=pg.mkPen(RISK_COLOUR, width=3))))
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
        self.fill_legend(entries)
        self.plot.setXRange(LEAST_WEIGHT, MOST_WEIGHT, padding=0.02)
        self.plot.setYRange(0, 1.3 * max(1., self.risks[self.grid >= 0].max()), padding=0)


SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def risk_curve(problem: OneWeight) -> np.ndarray:
    """The risk on the grid of the plot."""
    return np.array([problem.risk(w) for w in np.linspace(LEAST_WEIGHT, MOST_WEIGHT, POINTS)])
