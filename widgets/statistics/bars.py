"""Counts as bars, one for each value; a click selects one."""
from __future__ import annotations

from collections.abc import Collection, Iterable
from html import escape

import numpy as np
import pyqtgraph as pg
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QPalette
from Orange.widgets.visualize.utils.plotutils import AxisItem

from orange_structpred.search.clusters import OTHER_VALUES, UNDEFINED, Clusters
from orange_structpred.widgets.common.phrases import elided
from orange_structpred.widgets.common.plots import PlotView, still_plot

#: Distinct for colour-blind eyes, on light and dark backgrounds
BAR_COLOURS = ("#0a7fc2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7f7f7f")
MOST_BARS = 40
MOST_TICKS = 20         # of numbers; an axis with more chooses its own
LONGEST_TICK = 14       # characters
#: What the values of a key are, by its last part
VALUES = {"upos": "tag", "deprel": "relation", "1": "relation", "frame": "frame",
          "lemma": "lemma", "form": "form", "length": "words in a sentence",
          "height": "arcs from the root to the deepest word",
          "crossing": "whether arcs cross"}
BAR_WIDTH = 0.8
PALE = 70               # opacity of bars that are not selected, of 255


class BarPlot(PlotView):
    """Bars are stacked where there is a second key; its rare values are one colour."""

    bar_clicked = Signal(int)       # row of the clusters

    def __init__(self, parent=None):
        super().__init__(parent)
        self.ticks = AxisItem(orientation="bottom")
        self.plot = still_plot(AxisItem(orientation="left"), self.ticks, grid=False)
        self.setCentralItem(self.plot)
        self.legend = self.plot.addLegend(offset=(-10, 5))
        self.clusters: Clusters | None = None
        self.numeric = False
        self.rows = np.zeros(0, int)
        self.chosen: frozenset[int] = frozenset()
        self.plot.scene().sigMouseClicked.connect(self._on_click)
        self.begin_drawing()

    def show_clusters(self, clusters: Clusters | None, *, numeric: bool,
                      chosen: Collection[int] = ()) -> None:
        """numeric : values are numbers, and the axis is one of numbers
        chosen : rows that stand out
        """
        self.clusters, self.numeric = clusters, numeric
        self.chosen = frozenset(chosen)
        self.draw()

    def draw(self) -> None:
        self.plot.clear()
        self.legend.clear()
        self.legend.hide()
        self.legend.setLabelTextColor(self.palette().color(QPalette.Text))
        clusters = self.clusters
        if clusters is None or not set(clusters.values) - {UNDEFINED}:
            self.rows = np.zeros(0, int)
            self.plot.setTitle(None)
            self.ticks.setTicks([[]])
            return
        n = len(clusters.values) - (UNDEFINED in clusters.values) if self.numeric else min(
            len(clusters.values), MOST_BARS)
        self.rows = np.arange(n)
        places = self.places()
        below = np.zeros(n)
        for number, (name, heights) in enumerate(self.layers(n)):
            colour = QColor(BAR_COLOURS[number % len(BAR_COLOURS)])
            pale = QColor(colour)
            pale.setAlpha(PALE)
            brushes = [pale if self.chosen and row not in self.chosen else colour
                       for row in range(n)]
            bars = pg.BarGraphItem(x=places, y0=below, height=heights, width=BAR_WIDTH,
                                   brush=colour, brushes=brushes, pen=None,
                                   name=escape(name) or None)
            self.plot.addItem(bars)
            below = below + heights
        self.legend.setVisible(bool(clusters.by))
        values = [elided(clusters.values[row], LONGEST_TICK) for row in self.rows]
        self.ticks.setTicks(None if self.numeric and n > MOST_TICKS
                            else [[*zip(places, values)]])
        self.plot.setLabel("left", "matches")
        self.plot.setLabel("bottom", VALUES.get(clusters.key.rpartition(".")[2],
                                                clusters.key.partition("(")[0]))
        self.ticks.setRotateTicks(not self.numeric and n > 8)
        self.make_room_for_ticks(values)
        self.plot.setXRange(places.min() - 1, places.max() + 1, padding=0)
        self.plot.setYRange(0, float(below.max()) * 1.05 or 1, padding=0)

    def make_room_for_ticks(self, values: Iterable[str]) -> None:
        """Below the bars, from the first drawing on: an axis learns the sizes of its
        texts only while it is drawn."""
        if not self.ticks.style["rotateTicks"]:
            self.ticks.setHeight(None)
            return
        metrics = self.fontMetrics()
        self.ticks.setHeight(max(map(metrics.horizontalAdvance, values))
                             + 2 * metrics.lineSpacing())

    def places(self) -> np.ndarray:
        """Where each bar stands."""
        if self.numeric:
            return np.array([float(self.clusters.values[row]) for row in self.rows])
        return self.rows.astype(float)

    def layers(self, n: int) -> list[tuple[str, np.ndarray]]:
        """Names and heights of what is stacked, the most frequent below."""
        counts, columns = self.clusters.counts[:n], self.clusters.columns
        most = len(BAR_COLOURS)
        if len(columns) <= most:
            return [(name, counts[:, i]) for i, name in enumerate(columns)]
        return [*((columns[i], counts[:, i]) for i in range(most - 1)),
                (OTHER_VALUES, counts[:, most - 1:].sum(axis=1))]

    def _on_click(self, event) -> None:
        if self.clusters is None or not len(self.rows):
            return
        point = self.plot.vb.mapSceneToView(event.scenePos())
        away = np.abs(self.places() - point.x())
        nearest = int(away.argmin())
        if away[nearest] <= 0.5 and point.y() >= 0:
            self.bar_clicked.emit(int(self.rows[nearest]))
