"""A view of a chart of scores, in which bars can be selected."""
from __future__ import annotations

from collections.abc import Sequence
from math import inf

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter
from AnyQt.QtWidgets import QGraphicsView

from orange_structpred.widgets.score.charts import Chart
from orange_structpred.widgets.score.chartscene import (
    CHART_MARGIN,
    ChartLook,
    ChartScene,
)

LOWEST = 12         # lines of text that a chart is high at least


class ChartView(QGraphicsView):
    """A chart of which bars can be selected with the mouse and the arrow keys.

    selection_changed : by the user
    """

    selection_changed = Signal()

    def __init__(self, parent=None):
        self.charts = ChartScene()
        self.selected: list[tuple[str, str]] = []
        self._shown: Chart | str = ""
        super().__init__(self.charts, parent)
        self.charts.setParent(self)
        self.setRenderHint(QPainter.Antialiasing)
        self.setAlignment(Qt.AlignLeft | Qt.AlignTop)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setViewportUpdateMode(QGraphicsView.FullViewportUpdate)
        self.setMinimumSize(320, max(220, LOWEST * self.fontMetrics().height()))
        self.setFocusPolicy(Qt.StrongFocus)
        self.setAccessibleName("UAS by groups of tokens")
        self.horizontalScrollBar().valueChanged.connect(self._keep_in_place)

    def show_chart(self, chart: Chart | str) -> None:
        """Show a chart, or a text where there is none."""
        self._shown = chart
        self._draw()

    def select(self, keys: Sequence[tuple[str, str]]) -> None:
        """Select those of these bars that there are."""
        there = [self.charts.key(item.bar) for item in self.charts.bars]
        self.selected = [key for key in there if key in set(keys)]
        self.charts.mark(self.selected)

    def printed(self, widest: float = inf) -> ChartScene | None:
        """The chart on white, with all its groups, or those for which there is room."""
        if isinstance(self._shown, str):
            return None
        chart, scene, size = self._shown, ChartScene(), self.viewport().size()
        look = ChartLook.for_print(self.font())
        width, height = min(widest, max(640, size.width())), max(320, size.height())
        scene.draw(chart, look, width, height)
        if scene.width() > widest:
            around = scene.axis_width + CHART_MARGIN
            groups = int(len(chart.labels) * (widest - around)
                         / (scene.width() - around))
            scene.draw(chart.first(max(1, groups)), look, width, height)
        scene.mark(self.selected)
        return scene

    def _draw(self) -> None:
        look, size = ChartLook.of(self.palette(), self.font()), self.viewport().size()
        if isinstance(self._shown, str):
            self.charts.show_text(self._shown, look, size.width(), size.height())
        else:
            self.charts.draw(self._shown, look, size.width(), size.height())
            self.charts.mark(self.selected)
        self._keep_in_place()

    def _keep_in_place(self) -> None:
        if self.charts.fixed is not None:
            self.charts.fixed.setX(self.mapToScene(0, 0).x())

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._draw()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() in (QEvent.PaletteChange, QEvent.FontChange):
            self._draw()

    def mousePressEvent(self, event):
        if event.button() != Qt.LeftButton:
            super().mousePressEvent(event)
            return
        keys = self.charts.keys_at(self.mapToScene(event.pos()))
        if event.modifiers() & (Qt.ControlModifier | Qt.ShiftModifier):
            before = self.selected
            keys = [key for key in before if key not in keys] \
                if keys and set(keys) <= set(before) else before + keys
        self._select_by_user(keys)

    def keyPressEvent(self, event):
        steps = {Qt.Key_Left: -1, Qt.Key_Right: 1}
        keys = [self.charts.key(item.bar) for item in self.charts.bars]
        if event.key() in steps and keys:
            at = keys.index(self.selected[-1]) + steps[event.key()] if self.selected \
                else 0
            at = min(max(at, 0), len(keys) - 1)
            self._select_by_user([keys[at]])
            self.ensureVisible(self.charts.bars[at], 60, 0)
        elif event.key() == Qt.Key_Escape and self.selected:
            self._select_by_user([])
        else:
            super().keyPressEvent(event)

    def _select_by_user(self, keys: Sequence[tuple[str, str]]) -> None:
        before = self.selected
        self.select(keys)
        if self.selected != before:
            self.selection_changed.emit()
