"""What was chosen where weights are learned, as bars."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from AnyQt.QtGui import QColor
from Orange.widgets.visualize.utils.plotutils import AxisItem, GraphicsView

from orange_structpred.widgets.common.phrases import elided
from orange_structpred.widgets.common.plots import still_plot

BAR_COLOUR = "#0a7fc2"      # that of the dual objective: seen on light and dark
MOST_KEPT_BARS = 12
LONGEST_BAR_NAME = 34       # characters
KEPT_BAR_HEIGHT = 0.7
ROOM_FOR_BAR = 17           # pixels
TICK_ROOM = 12              # pixels beside the names


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
            x0=0, y=rows, width=widths, height=KEPT_BAR_HEIGHT, brush=QColor(BAR_COLOUR),
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
