"""A training while it runs, as curves over the passes; what it has chosen, as bars."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QPoint, Qt
from AnyQt.QtGui import QColor, QPalette
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView, PlotItem

from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.svm import Report
from orange_structpred.widgets.common.phrases import duration, elided
from orange_structpred.widgets.common.plots import (
    LogAxis,
    PlotView,
    legend_above,
    still_plot,
)

# Distinct for colour-blind eyes, on light and dark backgrounds
PRIMAL, DUAL, LOSS = "#d55e00", "#0a7fc2", "#009e73"
VALIDATION = "#cc79a7"
NET = "#e69f00"
FIRST_PASSES = 10       # the axis shows so many passes before it grows
MANY_PASSES = 50        # from here on points are small
MOST_KEPT_BARS = 12
LONGEST_BAR_NAME = 34       # characters
KEPT_BAR_HEIGHT = 0.7
ROOM_FOR_BAR = 17           # pixels
TICK_ROOM = 12              # pixels beside the names


class PassAxis(AxisItem):
    """An axis of whole numbers."""

    def tickSpacing(self, low, high, size):
        return [(step, offset) for step, offset in super().tickSpacing(low, high, size)
                if step >= 1] or [(1, 0)]


class TrainingPlot(PlotView):
    """Primal and dual objective and the loss of a net above, on a logarithmic scale, if
    there are any; losses below.

    Filled points of the primal objective are measured at one fixed model, hollow
    ones are estimates that a solver makes on its way.
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.reports: list[Report] = []
        self._passes = 1
        self._running = False
        self._layout = pg.GraphicsLayout()
        self._layout.layout.setContentsMargins(4, 8, 12, 4)
        self.setCentralItem(self._layout)
        self.objective = self._panel("Objective", LogAxis("left"))
        self.objective.setLogMode(y=True)
        self.legend = legend_above(self.objective)
        self.loss = self._panel("Training loss (%)", AxisItem("left"))
        self.loss.setLabel("bottom", "Pass")
        self.loss_legend = legend_above(self.loss)
        self._curves = {
            "primal": self._curve(self.objective, PRIMAL, "o"),
            "dual": self._curve(self.objective, DUAL, "s", Qt.DashLine),
            "net_loss": self._curve(self.objective, NET, "t1"),
            "loss": self._curve(self.loss, LOSS, "d"),
            "validation_loss": self._curve(self.loss, VALIDATION, "o"),
        }
        # titles beside each other are not to meet
        self._heights = [self._least_height(panel)
                         for panel in (self.objective, self.loss)]
        self._heights[0] += 2 * self.fontMetrics().height()     # its legend
        self.setMinimumHeight(round(sum(self._heights)) + 16)
        # stand in the legend for the points that are filled, and those that are hollow
        self._measured, self._estimate = (
            self._curve(self.objective, PRIMAL, "o") for _ in range(2))
        self.is_ready = True
        self.begin(passes=FIRST_PASSES, certificate=True)

    def _panel(self, title: str, axis: AxisItem) -> PlotItem:
        panel = still_plot(axis, PassAxis("bottom"), grid=False)
        panel.setLabel("left", title)
        axis.setWidth(70)
        panel.showGrid(y=True, alpha=0.2)
        return panel

    @staticmethod
    def _least_height(panel: PlotItem) -> float:
        """As long as the title of the axis, and what is below it."""
        bottom = panel.getAxis("bottom")
        return (panel.getAxis("left").label.boundingRect().width() + 8
                + bottom.height() + (bottom.label.boundingRect().height()
                                     if bottom.labelText else 0))

    def _curve(self, panel: PlotItem, color: str, symbol: str,
               style=Qt.SolidLine) -> pg.PlotDataItem:
        return panel.plot(
            pen=pg.mkPen(color, width=2, style=style), symbol=symbol, symbolSize=8,
            symbolPen=pg.mkPen(color, width=1.5), symbolBrush=pg.mkBrush(color),
            antialias=True, connect="finite")

    def begin(self, *, passes: int, certificate: bool, validation: bool = False
              ) -> None:
        """Show an empty plot for a training of at most so many passes.

        certificate : whether the solver has a primal and a dual objective to show
        validation : whether there is a validation loss
        """
        self.reports = []
        self._show_validation(validation)
        self._passes, self._running, self._certificate = passes, True, certificate
        self._arrange(certificate)
        self.draw()

    def _arrange(self, objective: bool) -> None:
        """Put both panels into the plot, or only the losses."""
        self._layout.clear()
        if objective:
            self._layout.addItem(self.objective, 0, 0)
        self._layout.addItem(self.loss, 1, 0)
        self.objective.getAxis("bottom").setStyle(showValues=False)
        for row, height in enumerate(self._heights):
            self._layout.layout.setRowMinimumHeight(
                row, height if row or objective else 0)
        self._layout.layout.setRowStretchFactor(0, 3 if objective else 0)
        self._layout.layout.setRowStretchFactor(1, 2)

    def _show_validation(self, shown: bool) -> None:
        """Two losses need a legend, one is named by the axis."""
        self.loss.setLabel("left", "Loss (%)" if shown else "Training loss (%)")
        # as in Tune Parser: what is learned from is dashed beside what is held out
        self._curves["loss"].setPen(pg.mkPen(
            LOSS, width=2, style=Qt.DashLine if shown else Qt.SolidLine))
        self.loss_legend.clear()
        for name, curve in ((("training", "loss"), ("validation", "validation_loss"))
                            if shown else ()):
            self.loss_legend.addItem(self._curves[curve], name)
        self.loss_legend.setColumnCount(2)
        self.loss.layout.setContentsMargins(
            0, self.loss_legend.height() if shown else 0, 0, 0)

    def add(self, reports: Sequence[Report]) -> None:
        """Draw further passes; reports within a pass have nothing to draw."""
        passes = [report for report in reports if report.end_of_pass]
        if passes:
            self.reports += passes
            self.draw()

    def end(self, reports: Sequence[Report]) -> None:
        """Show the passes that there were, and no room for more."""
        self.reports, self._running = list(reports), False
        self.draw()

    def draw(self) -> None:
        passes = np.array([report.pass_ for report in self.reports], dtype=float)
        self._estimate.setSymbolBrush(pg.mkBrush(self.palette().color(QPalette.Base)))
        filled, hollow = (curve.opts["symbolBrush"]
                          for curve in (self._measured, self._estimate))
        self._show("primal", passes, self._positive("primal"), symbolBrush=[
            filled if report.certified else hollow for report in self.reports])
        for name in ("dual", "net_loss"):
            self._show(name, passes, self._positive(name))
        for name in ("loss", "validation_loss"):
            self._show(name, passes, 100 * self._figures(name))
        for curve in self._curves.values():
            curve.setSymbolSize(8 if len(passes) < MANY_PASSES else 4)
        if self._has_net() and self.objective.scene() is None:
            self._arrange(True)
        self._update_legend()
        self._scale(passes)

    def _show(self, name: str, passes: np.ndarray, figures: np.ndarray, **options
              ) -> None:
        if not np.isfinite(figures).any():      # pyqtgraph would warn of its bounds
            passes, figures, options = [], [], {}
        self._curves[name].setData(passes, figures, **options)

    def _figures(self, name: str) -> np.ndarray:
        return np.array([getattr(report, name) for report in self.reports], dtype=float)

    def _positive(self, name: str) -> np.ndarray:
        """Figures that a logarithmic scale can show."""
        figures = self._figures(name)
        return np.where((figures > 0) & np.isfinite(figures), figures, np.nan)

    def _has_net(self) -> bool:
        return bool(np.isfinite(self._figures("net_loss")).any())

    def _update_legend(self) -> None:
        entries = {"primal": self._measured} if self._certificate else {}
        if self._certificate and any(not report.certified for report in self.reports):
            entries["primal, estimated"] = self._estimate
        if self._certificate:
            entries["dual"] = self._curves["dual"]
        if self._has_net():
            entries["loss of the net"] = self._curves["net_loss"]
        self.legend.clear()
        for legend in (self.legend, self.loss_legend):
            legend.setLabelTextColor(self.palette().color(QPalette.Text))
        self.legend.setColumnCount(max(1, len(entries)))
        for name, curve in entries.items():
            self.legend.addItem(curve, name)
        self.objective.layout.setContentsMargins(0, self.legend.height(), 0, 0)

    def _scale(self, passes: np.ndarray) -> None:
        seen = int(passes[-1]) if len(passes) else 0
        right = max(seen, 2)
        if self._running:
            right = max(right, min(self._passes,
                                   max(FIRST_PASSES, math.ceil(1.5 * seen))))
        for panel in (self.objective, self.loss):
            panel.setXRange(0.5, right + 0.5, padding=0)
        losses = np.append(self._figures("loss"), self._figures("validation_loss"))
        if np.isfinite(losses).any():
            self.loss.setYRange(0, max(110 * np.nanmax(losses), 0.1), padding=0)
        else:
            self.loss.setYRange(0, 100, padding=0)
        if len(passes):
            self.objective.enableAutoRange(y=True)
        else:
            self.objective.setYRange(-2, 0, padding=0.05)

    def point_at(self, position: QPoint) -> Report | None:
        """The pass above or below which a place of the view is, if any."""
        position = self.mapToScene(position)
        for panel in (self.objective, self.loss):
            if panel.scene() is not None and panel.vb.sceneBoundingRect().contains(
                    position):
                pass_ = round(panel.vb.mapSceneToView(position).x())
                return next((report for report in self.reports if report.pass_ == pass_), None)
        return None

    def tip(self, point: Report) -> str:
        return pass_tip(point)


def pass_tip(report: Report) -> str:
    """All about a pass."""
    lines = [f"<b>Epoch {report.epoch:,} of the net</b>" if report.epoch else
             f"<b>Pass {report.pass_:,}</b>"]
    if np.isfinite(report.primal):
        about = "" if report.certified else "≈ "
        lines += [f"primal {about}{report.primal:.4g}", f"dual {report.dual:.4g}",
                  f"gap {about}{report.gap:.4f}"]
    if np.isfinite(report.loss):
        lines.append(f"training loss {report.loss:.2%}")
    if np.isfinite(report.net_loss):
        lines.append(f"net loss {report.net_loss:.3f}")
    if np.isfinite(report.validation_loss):
        lines.append(f"validation loss {report.validation_loss:.2%}")
    if np.isfinite(loss := labelled_loss(report)):
        lines.append(f"LAS {1 - loss:.2%}")
    if np.isfinite(report.norm):
        lines.append(f"|w| = {report.norm:.4g}")
    lines.append(f"after {duration(report.seconds)}")
    return "<br/>".join(f"<nobr>{line}</nobr>" for line in lines)


class KeptBars(GraphicsView):
    """Norms of the hash functions, input kernels or feature groups that a parser keeps,
    the largest first. Not seen where nothing of this kind was learned."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.names = AxisItem(orientation="left")
        self.plot = still_plot(self.names, AxisItem(orientation="bottom"), grid=False)
        self.plot.invertY(True)
        self.setCentralItem(self.plot)
        self.shown_names: list[str] = []
        self.hide()

    def show_norms(self, norms: Mapping[str, float] | None) -> None:
        """norms : of what is kept, by name; None hides the bars"""
        self.plot.clear()
        self.shown_names = sorted(norms or {}, key=lambda name: -norms[name])
        self.setVisible(bool(self.shown_names))
        if not self.shown_names:
            return
        kept = len(self.shown_names)
        self.shown_names = self.shown_names[:MOST_KEPT_BARS]
        widths = np.array([norms[name] for name in self.shown_names])
        rows = np.arange(len(widths))
        self.plot.addItem(pg.BarGraphItem(
            x0=0, y=rows, width=widths, height=KEPT_BAR_HEIGHT, brush=QColor(DUAL),
            pen=None))
        texts = [elided(name, LONGEST_BAR_NAME) for name in self.shown_names]
        self.names.setTicks([list(zip(rows.tolist(), texts))])
        self.names.setWidth(TICK_ROOM + max(
            map(self.fontMetrics().horizontalAdvance, texts)))
        more = f", the {len(rows)} largest" if kept > len(rows) else ""
        self.plot.setLabel("bottom", f"Norm of the weights ({kept:,} kept{more})")
        self.plot.setYRange(-0.6, len(rows) - 0.4, padding=0)
        self.plot.setXRange(0, 1.05 * widths.max(), padding=0)
        self.setFixedHeight(ROOM_FOR_BAR * len(rows) + 60)
        self.setToolTip("The hash functions, input kernels or feature groups that the parser "
                        "has kept, and how large their weights are")
