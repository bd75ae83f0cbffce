"""UAS by groups of tokens, as columns: one for each parser in each group."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from AnyQt.QtCore import QPointF, QRectF, Qt
from AnyQt.QtGui import QColor, QFont, QFontMetricsF, QPalette, QPen
from AnyQt.QtWidgets import (
    QGraphicsItem,
    QGraphicsItemGroup,
    QGraphicsLineItem,
    QGraphicsRectItem,
    QGraphicsScene,
    QGraphicsSimpleTextItem,
)

from orange_structpred.widgets.score.scoring import Scored

# Distinct for colour-blind eyes, on light and dark backgrounds
COLOURS = ("#0a7fc2", "#e69f00", "#009e73", "#cc79a7", "#8c8c8c")
MOST_PARSERS = len(COLOURS)

#: Of breakdowns that are called otherwise where more than a name is needed
TITLES = {"relation": "relation without subtypes"}

# In the units of the scene, which are pixels
MARGIN, GAP, LEGEND_SWATCH = 8., 4., 10.
BAR_WIDTHS = 9., 44.            # the narrowest and the widest
GROUP_GAP = 14.                 # at least so much between the bars of two groups
LONGEST_LABEL, LONGEST_NAME = 130., 280.
LOWEST_PLOT = 90.
FADED = 0.35

AXIS_Z, BAR_Z, TEXT_Z = 10, 2, 3


class Bar(NamedTuple):
    """How well a parser attached the tokens of a group; none if there are none."""

    parser: int
    label: str
    tokens: int
    correct: int
    sentences: int

    @property
    def uas(self) -> float:
        return self.correct / self.tokens


class Chart(NamedTuple):
    """What is drawn.

    title : above the bars
    parsers : names, by which bars are told apart
    labels : of the groups, in their order
    bars : of the groups that have tokens, group after group
    lowest : where the axis begins, a share
    """

    title: str
    parsers: Sequence[str]
    labels: Sequence[str]
    bars: Sequence[Bar]
    lowest: float = 0.

    def first(self, groups: int) -> Chart:
        """The chart of so many groups, the first."""
        labels = self.labels[:groups]
        known = set(labels)
        return self._replace(
            title=f"{self.title}: {groups} of {len(self.labels)} groups", labels=labels,
            bars=[bar for bar in self.bars if bar.label in known])

    def counts(self, label: str) -> str:
        """How many tokens are in a group; from, to if it differs by parser."""
        counts = sorted({bar.tokens for bar in self.bars if bar.label == label})
        return "n = " + "–".join(f"{count:,}" for count in
                                 dict.fromkeys((counts[0], counts[-1])))


def make_chart(scored: Sequence[Scored], by: str, punct: bool, *,
               from_zero: bool = True) -> Chart:
    """The chart of some predictions by a breakdown."""
    groups = [{group.label: group for group in own.groups[by, punct]}
              for own in scored]
    totals = Counter()
    for own in groups:
        totals.update({label: group.tokens for label, group in own.items()})
    orders = [own.codes[by][1] for own in scored]
    if all(order == orders[0] for order in orders):
        labels = [label for label in (orders[0] if orders else ()) if label in totals]
    else:       # by frequency, and other treebanks have other frequencies
        labels = sorted(totals, key=lambda label: (-totals[label], label))
    bars = [Bar(number, label, own[label].tokens, own[label].correct,
                len(own[label].sentences))
            for label in labels for number, own in enumerate(groups) if label in own]
    lowest = 0.
    if not from_zero and bars:
        # The tens below the lowest bar, so that this one can be seen
        lowest = max(0, int(100 * min(bar.uas for bar in bars) - 1) // 10 * 10) / 100
    tokens = "tokens" if punct else "tokens without punctuation"
    return Chart(f"UAS by {TITLES.get(by, by)} (% of {tokens})",
                 [own.label for own in scored], labels, bars, lowest)


def charted(order: Sequence[int], selected: Sequence[int]) -> list[int]:
    """Which predictions a chart has room for: the selected first, then others.

    order : numbers of all predictions as the table has them
    """
    chosen = [number for number in order if number in selected]
    others = [number for number in order if number not in selected]
    return sorted([*chosen, *others][:MOST_PARSERS])


class Look(NamedTuple):
    """Colours and fonts of a drawing."""

    background: QColor
    text: QColor
    faint: QColor
    grid: QColor
    font: QFont

    @classmethod
    def of(cls, palette: QPalette, font: QFont) -> Look:
        def mixed(share: float) -> QColor:
            a, b = palette.color(QPalette.Text), palette.color(QPalette.Base)
            return QColor(*(round(share * x + (1 - share) * y) for x, y in zip(
                (a.red(), a.green(), a.blue()), (b.red(), b.green(), b.blue()))))
        return cls(palette.color(QPalette.Base), palette.color(QPalette.Text),
                   mixed(0.62), mixed(0.15), font)

    @classmethod
    def for_print(cls, font: QFont) -> Look:
        return cls(*map(QColor, ("white", "black", "#606060", "#dddddd")), font)


class BarItem(QGraphicsRectItem):
    """A bar; the whole height above the axis can be pointed at."""

    def __init__(self, bar: Bar, area: QRectF, height: float, colour: QColor,
                 look: Look):
        super().__init__(area)
        self.setPen(QPen(Qt.NoPen))
        self.setZValue(BAR_Z)
        self.bar, self._look = bar, look
        self.body = QGraphicsRectItem(QRectF(
            area.left() + 0.5, area.bottom() - height, area.width() - 1, height), self)
        self.body.setBrush(colour)
        self.body.setPen(QPen(Qt.NoPen))

    def mark(self, selected: bool, others: bool) -> None:
        """Show whether this bar is selected, or others are."""
        pen = QPen(self._look.text, 2) if selected else QPen(Qt.NoPen)
        pen.setJoinStyle(Qt.MiterJoin)
        self.body.setPen(pen)
        self.body.setOpacity(FADED if others and not selected else 1.)
        self.body.setZValue(1 if selected else 0)


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

    def show_text(self, text: str, look: Look, width: float, height: float) -> None:
        """Nothing but a text."""
        self._clear(look)
        item = self._text(text, look.font, look.faint)
        box = item.boundingRect()
        item.setPos((width - box.width()) / 2, (height - box.height()) / 2)
        self.setSceneRect(0, 0, width, height)

    def draw(self, chart: Chart, look: Look, width: float, height: float) -> None:
        self._clear(look)
        self.chart = chart
        small = QFont(look.font)
        small.setPointSizeF(max(6., 0.9 * look.font.pointSizeF()))
        metrics = QFontMetricsF(small)
        line = metrics.height()

        ticks = self._ticks(chart)
        self.axis_width = left = MARGIN + metrics.horizontalAdvance("100") + 2 * GAP
        labels = [(metrics.elidedText(label, Qt.ElideRight, LONGEST_LABEL),
                   chart.counts(label)) for label in chart.labels]
        widest = max(max(map(metrics.horizontalAdvance, texts)) for texts in labels)
        bar_width, group_width = self._widths(
            widest, len(chart.parsers), len(labels), width - left - MARGIN)
        needed = left + group_width * len(labels) + MARGIN
        total = max(width, needed)
        first = left + (total - needed) / 2

        self.fixed = QGraphicsItemGroup()
        self.fixed.setZValue(AXIS_Z)
        self.addItem(self.fixed)
        top = self._draw_head(chart, look, small, width) + 1.5 * line
        bottom = max(height - 2 * line - 3 * GAP, top + LOWEST_PLOT)
        scale = (bottom - top) / (1 - chart.lowest)
        self._draw_axis(ticks, chart.lowest, QRectF(left, top, total - left - MARGIN,
                                                    bottom - top), scale, look, small)
        decimals = next((decimals for decimals, longest in ((1, "100.0"), (0, "100"))
                         if bar_width >= metrics.horizontalAdvance(longest) + 2), None)
        by_group = {label: [] for label in chart.labels}
        for bar in chart.bars:
            by_group[bar.label].append(bar)
        for number, label in enumerate(chart.labels):
            centre = first + (number + 0.5) * group_width
            begin = centre - bar_width * len(chart.parsers) / 2
            for bar in by_group[label]:
                x = begin + bar.parser * bar_width
                area = QRectF(x, top - line, bar_width, bottom - top + line)
                item = BarItem(bar, area, max((bar.uas - chart.lowest) * scale, 1.),
                               QColor(COLOURS[bar.parser]), look)
                item.setToolTip(self._tip(bar))
                self.addItem(item)
                self.bars.append(item)
                if decimals is not None:
                    self._put(f"{100 * bar.uas:.{decimals}f}", small, look.text,
                              x + bar_width / 2,
                              bottom - (bar.uas - chart.lowest) * scale - line, 0.5)
            name, count = labels[number]
            shown = self._put(name, small, look.text, centre, bottom + GAP, 0.5)
            self._put(count, small, look.faint, centre, bottom + GAP + line, 0.5)
            shown.setToolTip(f"{label}: {count.replace('n = ', '')} tokens")
            self.group_labels.append(
                (QRectF(centre - group_width / 2, bottom, group_width,
                        2 * line + 2 * GAP), label))
        self.setSceneRect(0, 0, total, bottom + 2 * line + 3 * GAP)

    def _clear(self, look: Look) -> None:
        self.clear()
        self.setBackgroundBrush(look.background)
        self.chart, self.fixed = None, None
        self.bars, self.group_labels = [], []

    @staticmethod
    def _widths(label: float, parsers: int, groups: int, room: float
                ) -> tuple[float, float]:
        """Width of a bar and of a group, so that no label meets another."""
        narrowest, widest = BAR_WIDTHS
        group = max(room / groups, label + 2 * GAP, parsers * narrowest + GROUP_GAP)
        bar = min(widest, (group - GROUP_GAP) / parsers)
        # Few groups need not be spread over the whole width.
        group = min(group, max(3 * parsers * widest, 2.5 * label, 6 * widest))
        return bar, max(group, label + 2 * GAP, parsers * bar + GROUP_GAP)

    @staticmethod
    def _ticks(chart: Chart) -> list[int]:
        lowest = round(100 * chart.lowest)
        step = next(step for step in (5, 10, 20) if (100 - lowest) / step <= 5)
        return [tick for tick in range(0, 101, step) if tick >= lowest]

    def _draw_head(self, chart: Chart, look: Look, small: QFont, width: float) -> float:
        """Title and legend; returns where they end."""
        bold = QFont(look.font)
        bold.setBold(True)
        title = self._text(QFontMetricsF(bold).elidedText(
            chart.title, Qt.ElideRight, width - 2 * MARGIN), bold, look.text)
        title.setToolTip(chart.title)
        title.setPos(MARGIN, MARGIN)
        line = QFontMetricsF(small).height()
        x, y = MARGIN, MARGIN + title.boundingRect().height() + GAP
        backing = QGraphicsRectItem()
        backing.setBrush(look.background)
        backing.setPen(QPen(Qt.NoPen))
        items = [backing, title]
        for number, name in enumerate(chart.parsers):
            shown = QFontMetricsF(small).elidedText(
                name, Qt.ElideMiddle, min(LONGEST_NAME, width - 60))
            text = self._text(shown, small, look.text)
            text.setToolTip(name)
            needed = LEGEND_SWATCH + GAP + text.boundingRect().width()
            if x > MARGIN and x + needed > width - MARGIN:
                x, y = MARGIN, y + line + 1
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
                   scale: float, look: Look, small: QFont) -> None:
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

    def _tip(self, bar: Bar) -> str:
        return (f"<b>{escape(self.chart.parsers[bar.parser])}</b><br/>"
                f"{escape(bar.label)}: UAS <b>{100 * bar.uas:.2f}</b><br/>"
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
