"""What speaks for and against edges, as bars; the panel under the tree."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QEvent, QRectF, QSize, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QPainter, QPalette
from AnyQt.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from orange_structpred.parsing.features.contributions import (
    Contribution,
    NetContribution,
    summands,
)
from orange_structpred.parsing.features.feature_names import in_words
from orange_structpred.widgets.common.layouts import in_column
from orange_structpred.widgets.common.phrases import MINUS, plain_tip
from orange_structpred.widgets.common.windows import mixed
from orange_structpred.widgets.tree.items import ON_DARK, ON_LIGHT
from orange_structpred.widgets.tree.picture import MISSED, WRONG_EDGE, whole_percent

NO_FEATURES = "The parser has no features with a weight for this edge."
SUM_GAP = 0.4       # between the sums of sources and single features, in rows
FEWEST_BELOW_SUMS = 3       # rows for single features; with less room there are no sums


@dataclass(frozen=True)
class Explanation:
    """Why an edge has its score.

    title : which edge it is, HTML
    contributions : what adds up to its score
    probability : of the edge, if known
    others : probabilities of the same dependent's other heads, if known
    words : what the net's part depends on, if that was asked for: how much the logarithm
        of the head's probability falls when a word is hidden
    """

    title: str
    contributions: Sequence[Contribution]
    probability: float | None = None
    others: np.ndarray | None = None
    words: Sequence[Contribution] | None = None

    @property
    def score(self) -> float:
        return sum(item.value for item in self.contributions)

    @property
    def shown(self) -> Sequence[Contribution]:
        """What there are bars for."""
        return self.contributions if self.words is None else self.words

    @property
    def has_net(self) -> bool:
        return any(isinstance(item, NetContribution) for item in self.contributions)

    def summary(self, decimals: int = 2) -> str:
        if self.words is not None:
            return (f"{self.title}: how much the net's log p of this head falls when a "
                    "word is hidden")
        text = f"{self.title}: score {signed(self.score, decimals)}"
        if self.probability is not None:
            text += f", {whole_percent(self.probability)} sure"
        if self.others is not None:
            rank = 1 + int(np.sum(self.others > self.probability))
            text += f", {ordinal(rank)} of {len(self.others) + 1} heads"
        return text


def signed(value: float, decimals: int = 2) -> str:
    return f"{value:+.{decimals}f}".replace("-", MINUS)


def needed_decimals(explanations: Sequence[Explanation]) -> int:
    """So many that two digits of the strongest contributions are seen; kernels weigh little."""
    largest = max((abs(item.value) for explanation in explanations
                   for item in explanation.shown), default=0.)
    return min(max(1 - floor(log10(largest)), 2), 8) if largest else 2


def ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if 10 < number % 100 < 14 else ending}"


def strongest(contributions: Sequence[Contribution], count: int
              ) -> tuple[list[Contribution], Contribution | None]:
    """What speaks most for, then what speaks most against; and the sum of the rest.

    count : how many lines there are for all of this; of for and against, either
        leaves to the other what it does not need
    """
    ahead = sorted((e for e in contributions if e.value > 0), key=lambda e: -e.value)
    against = sorted((e for e in contributions if e.value <= 0), key=lambda e: e.value)
    if len(contributions) <= count:
        return ahead + against, None
    count -= 1
    n_ahead = min(len(ahead), max(count - count // 2, count - len(against)))
    n_against = count - n_ahead
    weaker = ahead[n_ahead:] + against[n_against:]
    return (ahead[:n_ahead] + against[:n_against],
            Contribution(f"… and {len(weaker)} weaker", sum(e.value for e in weaker)))


class Bars(NamedTuple):
    """What fits into a view.

    sums : of the sources of which a score is made; none if there is only one
    rows : single features
    rest : the sum of those for which there is no room
    """

    sums: list[Contribution]
    rows: list[Contribution]
    rest: Contribution | None


def choose_bars(contributions: Sequence[Contribution], count: int) -> Bars:
    """Sums of sources first, as long as there is some room for features; a source that is
    one contribution, as the net is, is not repeated."""
    sums = summands(contributions)
    if len(sums) < 2 or count < len(sums) + FEWEST_BELOW_SUMS + 1:
        return Bars([], *strongest(contributions, count))
    sources = [item.source for item in contributions]
    several = [item for item in contributions if sources.count(item.source) > 1]
    return Bars(sums, *strongest(several, count - len(sums) - 1))


class ContributionsView(QWidget):
    """Bars for what a score is a sum of, and for the strongest contributions of one edge,
    as many as there is room for."""

    BAR = 0.1           # the bars' share of the width, to each side

    def __init__(self, parent=None):
        super().__init__(parent)
        self.contributions: Sequence[Contribution] = ()
        self.decimals, self.in_words, self.are_words = 2, True, False
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Expanding)

    def set_contributions(self, contributions: Sequence[Contribution], decimals: int,
                          are_words: bool = False) -> None:
        """are_words : names are words of the sentence, not of features"""
        self.contributions, self.decimals = contributions, decimals
        self.are_words = are_words
        self.update()

    def set_in_words(self, in_words: bool) -> None:
        """Whether features are told in words, or by their templates."""
        self.in_words = in_words
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(300, 9 * self._row_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 5 * self._row_height())

    def _row_height(self) -> int:
        return self.fontMetrics().height() + 2

    def bars(self) -> Bars:
        return choose_bars(self.contributions, self.height() // self._row_height())

    def _name(self, item: Contribution) -> str:
        return in_words(item.name) if self.in_words and not self.are_words else item.name

    def _tops(self, bars: Bars) -> list[tuple[Contribution, float]]:
        """All rows with where they begin."""
        height = self._row_height()
        gap = height * (len(bars.sums) + SUM_GAP) if bars.sums else 0.
        below = bars.rows if bars.rest is None else [*bars.rows, bars.rest]
        return [*((item, i * height) for i, item in enumerate(bars.sums)),
                *((item, gap + i * height) for i, item in enumerate(below))]

    def paintEvent(self, _):
        bars = self.bars()
        if not bars.rows and not bars.sums:
            QPainter(self).drawText(self.rect(), Qt.AlignLeft | Qt.AlignTop, NO_FEATURES)
            return
        height, metrics = self._row_height(), self.fontMetrics()
        text = self.palette().color(QPalette.WindowText)
        window = self.palette().color(QPalette.Window)
        faint = mixed(text, window, 0.62)
        colours = ON_DARK if window.lightnessF() < 0.5 else ON_LIGHT
        value_width = metrics.horizontalAdvance("  " + signed(10, self.decimals))
        bar = self.width() * self.BAR
        middle = value_width + 8 + bar
        name_left = middle + bar + 8
        room = self.width() - name_left
        largest_sum, largest = (max((abs(row.value) for row in rows), default=0.) or 1.
                                for rows in (bars.sums, bars.rows))
        painter, font = QPainter(self), self.font()
        tops = self._tops(bars)
        for i, (row, top) in enumerate(tops):
            is_sum = i < len(bars.sums)
            font.setBold(is_sum)
            painter.setFont(font)
            painter.setPen(faint if row is bars.rest else text)
            painter.drawText(QRectF(0, top, value_width, height),
                             Qt.AlignRight | Qt.AlignVCenter,
                             signed(row.value, self.decimals))
            painter.drawText(
                QRectF(name_left, top, room, height), Qt.AlignLeft | Qt.AlignVCenter,
                painter.fontMetrics().elidedText(
                    row.name if is_sum else self._name(row), Qt.ElideRight, int(room)))
            if row is not bars.rest:
                length = bar * row.value / (largest_sum if is_sum else largest)
                painter.fillRect(
                    QRectF(middle, top + height * 0.2, length, height * 0.6).normalized(),
                    colours[MISSED if row.value > 0 else WRONG_EDGE])
        painter.setPen(mixed(text, window, 0.35))
        ends = [top + height for row, top in tops if row is not bars.rest]
        painter.drawLine(int(middle), 0, int(middle), int(max(ends)))
        if bars.sums:
            line = int(height * (len(bars.sums) + SUM_GAP / 2))
            painter.drawLine(0, line, self.width(), line)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.ToolTip:
            bars, y = self.bars(), event.pos().y()
            row = next((row for row, top in self._tops(bars)
                        if top <= y < top + self._row_height()
                        and row is not bars.rest), None)
            if row is not None:
                value = signed(row.value, self.decimals)
                names = dict.fromkeys((self._name(row), row.name))
                QToolTip.showText(event.globalPos(),
                                  plain_tip("\n".join([*names, value])), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)


class EdgeView(QWidget):
    """An edge, its score and the contributions."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.explanation: Explanation | None = None
        self.title = QLabel(textFormat=Qt.RichText, wordWrap=True,
                            alignment=Qt.AlignLeft | Qt.AlignBottom)
        self.title.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Minimum)
        # room for two lines, so that the bars of two edges begin side by side
        self.title.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.bars = ContributionsView()
        self.setLayout(in_column(self.title, self.bars, largest=self.bars, spacing=4))

    def set_explanation(self, explanation: Explanation | None, decimals: int) -> None:
        self.explanation = explanation
        self.setVisible(explanation is not None)
        if explanation is not None:
            self.title.setText(explanation.summary(decimals))
            self.bars.set_contributions(explanation.shown, decimals,
                                        explanation.words is not None)


class TreePanel(QWidget):
    """The contributions for the edges to a token: one, or gold and prediction.

    words_asked : whether the words on which the net's part depends are to be shown
    """

    words_asked = Signal(bool)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.edges = [EdgeView(), EdgeView()]
        self.hint = QLabel(alignment=Qt.AlignCenter, wordWrap=True)
        self.words_box = QCheckBox(
            "Words on which the &net depends", toolTip=plain_tip(
                "What the net adds to a score is not made of named features. Check to hide "
                "one word after the other from the net and see how much less probable the "
                "head becomes"))
        self.words_box.hide()
        self.words_box.toggled.connect(self.words_asked)
        views = QHBoxLayout()
        views.setSpacing(18)
        for widget in (*self.edges, self.hint):
            views.addWidget(widget, 1)
        self.setLayout(in_column(views, self.words_box, largest=views, spacing=2,
                                 margins=(4, 2, 4, 0)))
        self.set_explanations([])

    def set_net(self, has_net: bool) -> None:
        """Whether the parser has a net."""
        self.words_box.setVisible(has_net)

    @property
    def wants_words(self) -> bool:
        return not self.words_box.isHidden() and self.words_box.isChecked()

    def set_explanations(self, explanations: Sequence[Explanation],
                         hint: str = "") -> None:
        """Show at most two; if there are none, the hint."""
        decimals = needed_decimals(explanations)
        for view, explanation in zip(self.edges, [*explanations, None, None]):
            view.set_explanation(explanation, decimals)
        self.hint.setText(hint)
        self.hint.setVisible(not explanations)

    def set_in_words(self, in_words: bool) -> None:
        """Whether features are told in words, or by their templates."""
        for view in self.edges:
            view.bars.set_in_words(in_words)

    def explanations(self) -> list[Explanation]:
        return [view.explanation for view in self.edges if view.explanation]

    def sizeHint(self) -> QSize:
        return QSize(600, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(300, 110)
