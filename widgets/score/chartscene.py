"""A chart of UAS by groups of tokens: one bar for each parser in each group."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QFont, QFontMetricsF, QPainterPath, QPalette, QPen
from AnyQt.QtWidgets import (
    QGraphicsItem,
    QGraphicsItemGroup,
    QGraphicsLineItem,
    QGraphicsPathItem,
    QGraphicsRectItem,
    QGraphicsScene,
    QGraphicsSimpleTextItem,
)

from orange_structpred.evaluation.report import interval_text
from orange_structpred.widgets.common.layouts import bold
from orange_structpred.widgets.common.phrases import safe_tip
from orange_structpred.widgets.common.windows import mixed
from orange_structpred.widgets.score.charts import COLOURS, Bar, Chart

# In the units of the scene, which are pixels
CHART_MARGIN, GAP, LEGEND_SWATCH = 8., 4., 10.
BAR_WIDTHS = 9., 44.            # the narrowest and the widest
GROUP_GAP = 14.                 # at least so much between the bars of two groups
CROWDED = 6.                    # the same, and the narrowest bar, where there are many
LONGEST_LABEL = 130.
LOWEST_PLOT = 90.
FADED = 0.35
WHISKER = 4.                    # half the width of its ends, at most

AXIS_Z, BAR_Z, TEXT_Z = 10, 2, 3


class ChartLook(NamedTuple):
    """Colours and fonts of a drawing."""

    background: QColor
    text: QColor
    faint: QColor
    grid: QColor
    font: QFont

    @classmethod
    def of(cls, palette: QPalette, font: QFont) -> ChartLook:
        text, base = palette.color(QPalette.Text), palette.color(QPalette.Base)
        return cls(base, text, mixed(text, base, 0.62), mixed(text, base, 0.15), font)

    @classmethod
    def for_print(cls, font: QFont) -> ChartLook:
        return cls(*map(QColor, ("white", "black", "#606060", "#dddddd")), font)


class BarItem(QGraphicsRectItem):
    """A bar; the whole height above the axis can be pointed at."""

    def __init__(self, bar: Bar, area: QRectF, height: float, colour: QColor,
                 look: ChartLook):
        super().__init__(area)
        self.setPen(QPen(Qt.NoPen))
        self.setZValue(BAR_Z)
        self.bar, self._look = bar, look
        self.whisker: QGraphicsPathItem | None = None
        self.body = QGraphicsRectItem(QRectF(
            area.left() + 0.5, area.bottom() - height, area.width() - 1, height), self)
        self.body.setBrush(colour)
        self.body.setPen(QPen(Qt.NoPen))

    def add_whisker(self, low: float, high: float) -> None:
        """Draw an interval over the bar: between two heights above the axis."""
        area, bottom = self.rect(), self.rect().bottom()
        path = QPainterPath()
        x, cap = area.center().x(), min(WHISKER, 0.3 * area.width())
        for height in (low, high):
            path.moveTo(x - cap, bottom - height)
            path.lineTo(x + cap, bottom - height)
        path.moveTo(x, bottom - low)
        path.lineTo(x, bottom - high)
        self.whisker = QGraphicsPathItem(path, self)
        self.whisker.setPen(QPen(self._look.text, 1.2))
        self.whisker.setZValue(2)

    def height(self) -> float:
        """Of the bar with its whisker."""
        whisker = self.whisker.path().boundingRect().top() if self.whisker \
            else self.body.rect().top()
        return self.rect().bottom() - min(whisker, self.body.rect().top())

    def mark(self, selected: bool, others: bool) -> None:
        """Show whether this bar is selected, or others are."""
        pen = QPen(self._look.text, 2) if selected else QPen(Qt.NoPen)
        pen.setJoinStyle(Qt.MiterJoin)
        self.body.setPen(pen)
        self.body.setOpacity(FADED if others and not selected else 1.)
        self.body.setZValue(1 if selected else 0)


class _Labels:
    """The names and numbers of tokens below the groups; upright if there is no room.

    width : that a group needs for its label
    height : of all that stands below the axis
    """

    def __init__(self, chart: Chart, metrics: QFontMetricsF):
        self._metrics = metrics
        self.names = [metrics.elidedText(label, Qt.ElideRight, LONGEST_LABEL)
                      for label in chart.labels]
        self.counts = [chart.counts(label) for label in chart.labels]
        self.turned, self.line = False, metrics.height()
        self.width = max(self._widest(self.names), self._widest(self.counts))
        self.height, self.names_height = 2 * self.line, self.line

    def turn(self) -> None:
        self.turned = True
        self.counts = [count.replace("n = ", "") for count in self.counts]
        self.names_height = self._widest(self.names)
        self.width = self.line
        self.height = self.names_height + GAP + self._widest(self.counts)

    def _widest(self, texts: Sequence[str]) -> float:
        return max(map(self._metrics.horizontalAdvance, texts))


class ChartScene(QGraphicsScene):
    """A chart drawn to a given size; it is wider if there are many groups.

    Title, legend and axis stand in `fixed`, which a view keeps at its left edge;
    what lies under the axis cannot be seen.
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.chart: Chart | None = None
        self.bars: list[BarItem] = []
        self.group_labels: list[tuple[QRectF, str]] = []
        self.fixed: QGraphicsItemGroup | None = None
        self.axis_width = 0.

    def show_text(self, text: str, look: ChartLook, width: float, height: float) -> None:
        """Nothing but a text."""
        self._clear(look)
        item = self._text(text, look.font, look.faint)
        box = item.boundingRect()
        item.setPos((width - box.width()) / 2, (height - box.height()) / 2)
        self.setSceneRect(0, 0, width, height)

    def draw(self, chart: Chart, look: ChartLook, width: float, height: float) -> None:
        self._clear(look)
        self.chart = chart
        small = QFont(look.font)
        small.setPointSizeF(max(6., 0.9 * look.font.pointSizeF()))
        metrics = QFontMetricsF(small)
        line = metrics.height()

        ticks = self._ticks(chart)
        self.axis_width = left = CHART_MARGIN + metrics.horizontalAdvance("100") + 2 * GAP
        labels = _Labels(chart, metrics)
        room = width - left - CHART_MARGIN
        parsers, groups = len(chart.parsers), len(chart.labels)
        bar_width, group_width = self._widths(labels.width, parsers, groups, room)
        if group_width * groups > room:
            labels.turn()
            bar_width, group_width = self._widths(
                labels.width, parsers, groups, room, crowded=True)
        needed = left + group_width * groups + CHART_MARGIN
        total = max(width, needed)
        first = left + (total - needed) / 2

        self.fixed = QGraphicsItemGroup()
        self.fixed.setZValue(AXIS_Z)
        self.addItem(self.fixed)
        top = self._draw_head(chart, look, small, width) + 1.5 * line
        bottom = max(height - labels.height - 3 * GAP, top + LOWEST_PLOT)
        scale = (bottom - top) / (1 - chart.lowest)
        self._draw_axis(ticks, chart.lowest, QRectF(left, top, total - left - CHART_MARGIN,
                                                    bottom - top), scale, look, small)
        decimals = next((decimals for decimals, longest in ((1, "100.0"), (0, "100"))
                         if bar_width >= metrics.horizontalAdvance(longest) + 2), None)
        by_group = {label: [] for label in chart.labels}
        for bar in chart.bars:
            by_group[bar.label].append(bar)
        for number, label in enumerate(chart.labels):
            centre = first + (number + 0.5) * group_width
            begin = centre - bar_width * parsers / 2
            for bar in by_group[label]:
                x = begin + bar.parser * bar_width
                item = self._draw_bar(
                    bar, QRectF(x, top - line, bar_width, bottom - top + line), scale,
                    look)
                if decimals is not None:
                    self._put(f"{100 * bar.uas:.{decimals}f}", small, look.text,
                              x + bar_width / 2, bottom - item.height() - line, 0.5)
            self._draw_label(labels, number, centre, bottom + GAP, look, small)
            self.group_labels.append(
                (QRectF(centre - group_width / 2, bottom, group_width,
                        labels.height + 2 * GAP), label))
        self.setSceneRect(0, 0, total, bottom + labels.height + 3 * GAP)

    def _draw_bar(self, bar: Bar, area: QRectF, scale: float, look: ChartLook) -> BarItem:
        lowest = self.chart.lowest
        item = BarItem(bar, area, max((bar.uas - lowest) * scale, 1.),
                       QColor(COLOURS[bar.parser]), look)
        if bar.interval is not None:
            item.add_whisker(*((bound - lowest) * scale for bound in bar.interval))
        item.setToolTip(self._tip(bar))
        self.addItem(item)
        self.bars.append(item)
        return item

    def _draw_label(self, labels: _Labels, number: int, centre: float, top: float,
                    look: ChartLook, small: QFont) -> None:
        name, count = labels.names[number], labels.counts[number]
        if not labels.turned:
            shown = self._put(name, small, look.text, centre, top, 0.5)
            self._put(count, small, look.faint, centre, top + labels.line, 0.5)
        else:
            shown = self._put_upright(name, small, look.text, centre, top)
            self._put_upright(count, small, look.faint, centre,
                              top + labels.names_height + GAP)
        label = self.chart.labels[number]
        shown.setToolTip(safe_tip(f"{label}: {count.replace('n = ', '')} tokens"))

    def _clear(self, look: ChartLook) -> None:
        self.clear()
        self.setBackgroundBrush(look.background)
        self.chart, self.fixed = None, None
        self.bars, self.group_labels = [], []

    @staticmethod
    def _widths(label: float, parsers: int, groups: int, room: float, *,
                crowded: bool = False) -> tuple[float, float]:
        """Width of a bar and of a group, so that no label meets another."""
        narrowest, widest = BAR_WIDTHS
        gap, narrowest = (CROWDED, CROWDED) if crowded else (GROUP_GAP, narrowest)
        group = max(room / groups, label + 2 * GAP, parsers * narrowest + gap)
        bar = min(widest, (group - gap) / parsers)
        # Few groups need not be spread over the whole width.
        group = min(group, max(3 * parsers * widest, 2.5 * label, 6 * widest))
        return bar, max(group, label + 2 * GAP, parsers * bar + gap)

    @staticmethod
    def _ticks(chart: Chart) -> list[int]:
        lowest = round(100 * chart.lowest)
        step = next(step for step in (5, 10, 20) if (100 - lowest) / step <= 5)
        return [tick for tick in range(0, 101, step) if tick >= lowest]

    def _draw_head(self, chart: Chart, look: ChartLook, small: QFont, width: float) -> float:
        """Title and legend; returns where they end."""
        font = bold(look.font)
        title = self._text(QFontMetricsF(font).elidedText(
            chart.title, Qt.ElideRight, width - 2 * CHART_MARGIN), font, look.text)
        title.setToolTip(chart.title)
        title.setPos(CHART_MARGIN, CHART_MARGIN)
        line = QFontMetricsF(small).height()
        x, y = CHART_MARGIN, CHART_MARGIN + title.boundingRect().height() + GAP
        backing = QGraphicsRectItem()
        backing.setBrush(look.background)
        backing.setPen(QPen(Qt.NoPen))
        items = [backing, title]
        for number, name in enumerate(chart.parsers):
            shown = QFontMetricsF(small).elidedText(
                name, Qt.ElideMiddle, width - 60)
            text = self._text(shown, small, look.text)
            text.setToolTip(safe_tip(name))
            needed = LEGEND_SWATCH + GAP + text.boundingRect().width()
            if x > CHART_MARGIN and x + needed > width - CHART_MARGIN:
                x, y = CHART_MARGIN, y + line + 1
            swatch = QGraphicsRectItem(
                x, y + (line - LEGEND_SWATCH) / 2, LEGEND_SWATCH, LEGEND_SWATCH)
            swatch.setBrush(QColor(COLOURS[number]))
            swatch.setPen(QPen(Qt.NoPen))
            text.setPos(x + LEGEND_SWATCH + GAP, y)
            items += [swatch, text]
            x += needed + 4 * GAP
        backing.setRect(0, 0, width, y + line)
        for item in items:
            self._fix(item)
        return y + line

    def _draw_axis(self, ticks: Sequence[int], lowest: float, area: QRectF,
                   scale: float, look: ChartLook, small: QFont) -> None:
        line = QFontMetricsF(small).height()
        strip = QGraphicsRectItem(0, area.top() - line, area.left() - GAP / 2,
                                  area.height() + 4 * line)
        strip.setBrush(look.background)
        strip.setPen(QPen(Qt.NoPen))
        self._fix(strip)
        for tick in ticks:
            y = area.bottom() - (tick / 100 - lowest) * scale
            grid = QGraphicsLineItem(area.left(), y, area.right(), y)
            is_base = tick == ticks[0]
            grid.setPen(QPen(look.faint if is_base else look.grid, 1))
            grid.setZValue(BAR_Z + 1 if is_base else 0)
            self.addItem(grid)
            text = self._put(str(tick), small, look.faint, area.left() - 2 * GAP,
                             y - line / 2, 1.)
            self._fix(text)

    def _fix(self, item: QGraphicsItem) -> None:
        if item.scene() is None:
            self.addItem(item)
        self.fixed.addToGroup(item)

    def _text(self, text: str, font: QFont, colour: QColor) -> QGraphicsSimpleTextItem:
        item = QGraphicsSimpleTextItem(text)
        item.setFont(font)
        item.setBrush(colour)
        item.setZValue(TEXT_Z)
        self.addItem(item)
        return item

    def _put(self, text: str, font: QFont, colour: QColor, x: float, y: float,
             share: float) -> QGraphicsSimpleTextItem:
        """A text at y of which this share of the width lies left of x."""
        item = self._text(text, font, colour)
        item.setPos(x - share * item.boundingRect().width(), y)
        # Bars beneath their numbers are to be pointed at.
        item.setAcceptedMouseButtons(Qt.NoButton)
        return item

    def _put_upright(self, text: str, font: QFont, colour: QColor, x: float, y: float
                     ) -> QGraphicsSimpleTextItem:
        """A text from below to above that ends at y, in the middle around x."""
        item = self._text(text, font, colour)
        box = item.boundingRect()
        item.setRotation(-90)
        item.setPos(x - box.height() / 2, y + box.width())
        item.setAcceptedMouseButtons(Qt.NoButton)
        return item

    def _tip(self, bar: Bar) -> str:
        interval = interval_text(bar.interval)
        return (f"<b>{escape(self.chart.parsers[bar.parser])}</b><br/>"
                f"{escape(bar.label)}: UAS <b>{100 * bar.uas:.2f}</b>"
                + (f"<br/><nobr>95% confidence interval: {interval}</nobr>"
                   if interval else "") + "<br/>"
                f"<nobr>{bar.correct:,} of {bar.tokens:,} heads are right, "
                f"in {bar.sentences:,} sentences</nobr>")

    def mark(self, selected: Sequence[tuple[str, str]]) -> None:
        """Mark the selected bars: names of parsers and labels of groups."""
        chosen = [item for item in self.bars if self.key(item.bar) in selected]
        for item in self.bars:
            item.mark(item in chosen, bool(chosen))

    def key(self, bar: Bar) -> tuple[str, str]:
        return self.chart.parsers[bar.parser], bar.label

    def keys_at(self, position: QPointF) -> list[tuple[str, str]]:
        """The bar at a position; all bars of a group at its label."""
        if self.fixed is None or position.x() < self.fixed.x() + self.axis_width:
            return []
        for item in self.bars:
            if item.rect().contains(position):
                return [self.key(item.bar)]
        for area, label in self.group_labels:
            if area.contains(position):
                return [self.key(item.bar) for item in self.bars
                        if item.bar.label == label]
        return []
