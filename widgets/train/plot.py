"""A training while it runs, as curves over the passes."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import QEvent, QPoint, QRectF, Qt
from AnyQt.QtGui import QFontInfo, QPalette
from AnyQt.QtWidgets import QApplication, QToolTip
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView, PlotItem
from pyqtgraph.graphicsItems.LegendItem import ItemSample
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol

from orange_structpred.parsing.relations.labelled_loss import labelled_loss
from orange_structpred.svm import Report
from orange_structpred.widgets.common.phrases import duration

# Distinct for colour-blind eyes, on light and dark backgrounds
PRIMAL, DUAL, LOSS = "#d55e00", "#0a7fc2", "#009e73"
VALIDATION = "#cc79a7"
NET = "#e69f00"
FIRST_PASSES = 10       # the axis shows so many passes before it grows
MANY_PASSES = 50        # from here on points are small
AXIS_LABEL_ROOM = {"left": 12, "bottom": 40}     # pixels from a label to the next


class PassAxis(AxisItem):
    """An axis of whole numbers."""

    def tickSpacing(self, low, high, size):
        return [(step, offset) for step, offset in super().tickSpacing(low, high, size)
                if step >= 1] or [(1, 0)]


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


class CurveSample(ItemSample):
    """A curve in a legend, as it looks in the plot."""

    def paint(self, painter, *_):
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        painter.setPen(self.item.opts["pen"])
        painter.drawLine(0, 11, 24, 11)
        painter.translate(12, 11)
        drawSymbol(painter, self.item.opts["symbol"], self.item.opts["symbolSize"],
                   self.item.opts["symbolPen"], self.item.legend_brush)

    def boundingRect(self):
        return QRectF(0, 0, 26, 20)


def legend_above(plot: PlotItem, samples: type[ItemSample]) -> pg.LegendItem:
    """A legend for the margin above a plot, in its right corner."""
    size = QFontInfo(QApplication.font()).pointSizeF()
    legend = pg.LegendItem(sampleType=samples, labelTextSize=f"{size:g}pt",
                           horSpacing=10)
    legend.setParentItem(plot)
    legend.anchor((1, 0), (1, 0), (-8, 0))
    return legend


class TrainingPlot(GraphicsView):
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
        self.legend = legend_above(self.objective, CurveSample)
        self.loss = self._panel("Training loss (%)", AxisItem("left"))
        self.loss.setLabel("bottom", "Pass")
        self.loss_legend = legend_above(self.loss, CurveSample)
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
        # stands in the legend for the points that are hollow
        self._estimate = self._curve(self.objective, PRIMAL, "o")
        self.begin(passes=FIRST_PASSES, certificate=True)

    def _panel(self, title: str, axis: AxisItem) -> PlotItem:
        panel = PlotItem(axisItems={"left": axis, "bottom": PassAxis("bottom")},
                         enableMenu=False)
        panel.setLabel("left", title)
        axis.setWidth(70)
        axis.enableAutoSIPrefix(False)
        panel.setMouseEnabled(False, False)
        panel.hideButtons()
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
        brush = pg.mkBrush(color)
        curve = panel.plot(
            pen=pg.mkPen(color, width=2, style=style), symbol=symbol, symbolSize=8,
            symbolPen=pg.mkPen(color, width=1.5), symbolBrush=brush, antialias=True,
            connect="finite")
        curve.legend_brush = brush
        return curve

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
        self._draw()

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
            self._draw()

    def end(self, reports: Sequence[Report]) -> None:
        """Show the passes that there were, and no room for more."""
        self.reports, self._running = list(reports), False
        self._draw()

    def _draw(self) -> None:
        passes = np.array([report.pass_ for report in self.reports], dtype=float)
        filled = self._curves["primal"].legend_brush
        hollow = self._estimate.legend_brush = pg.mkBrush(
            self.palette().color(QPalette.Base))
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
        entries = {"primal": self._curves["primal"]} if self._certificate else {}
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

    def report_at(self, point: QPoint) -> Report | None:
        """The pass above or below which a place of the view is, if any."""
        position = self.mapToScene(point)
        for panel in (self.objective, self.loss):
            if panel.scene() is not None and panel.vb.sceneBoundingRect().contains(
                    position):
                pass_ = round(panel.vb.mapSceneToView(position).x())
                return next((report for report in self.reports if report.pass_ == pass_), None)
        return None

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.ToolTip:
            report = self.report_at(event.pos())
            QToolTip.showText(event.globalPos(), pass_tip(report) if report else "", self)
            return True
        return super().viewportEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.PaletteChange and hasattr(self, "_estimate"):
            self._draw()


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
