"""What speaks for and against edges, as bars; the panel under the tree."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np
from AnyQt.QtCore import QEvent, QRectF, QSize, Qt
from AnyQt.QtGui import QPainter, QPalette
from AnyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.parsing.features.feature_names import in_words
from orange_structpred.widgets.common.phrases import MINUS, plain_tip
from orange_structpred.widgets.tree.items import ON_DARK, ON_LIGHT, mixed
from orange_structpred.widgets.tree.picture import MISSED, WRONG_EDGE, whole_percent

NO_FEATURES = "The parser has no features with a weight for this edge."


@dataclass(frozen=True)
class Explanation:
    """Why an edge has its score.

    title : which edge it is, HTML
    contributions : what adds up to its score
    probability : of the edge, if known
    others : probabilities of the same dependent's other heads, if known
    """

    title: str
    contributions: Sequence[Contribution]
    probability: float | None = None
    others: np.ndarray | None = None

    @property
    def score(self) -> float:
        return sum(item.value for item in self.contributions)

    def summary(self, decimals: int = 2) -> str:
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
                   for item in explanation.contributions), default=0.)
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


class ContributionsView(QWidget):
    """Bars for the strongest contributions of one edge, as many as there is room for."""

    BAR = 0.1           # the bars' share of the width, to each side

    def __init__(self, parent=None):
        super().__init__(parent)
        self.contributions: Sequence[Contribution] = ()
        self.decimals, self.in_words = 2, True
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Expanding)

    def set_contributions(self, contributions: Sequence[Contribution], decimals: int
                          ) -> None:
        self.contributions, self.decimals = contributions, decimals
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

    def _rows(self) -> tuple[list[Contribution], Contribution | None]:
        return strongest(self.contributions, self.height() // self._row_height())

    def paintEvent(self, _):
        rows, rest = self._rows()
        if not rows:
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
        largest = max(abs(row.value) for row in rows) or 1.
        painter = QPainter(self)
        for i, row in enumerate(rows if rest is None else [*rows, rest]):
            top = i * height
            painter.setPen(faint if row is rest else text)
            painter.drawText(QRectF(0, top, value_width, height),
                             Qt.AlignRight | Qt.AlignVCenter,
                             signed(row.value, self.decimals))
            painter.drawText(
                QRectF(name_left, top, room, height), Qt.AlignLeft | Qt.AlignVCenter,
                metrics.elidedText(in_words(row.name) if self.in_words else row.name,
                                   Qt.ElideRight, int(room)))
            if row is not rest:
                painter.fillRect(
                    QRectF(middle, top + height * 0.2, bar * row.value / largest,
                           height * 0.6).normalized(),
                    colours[MISSED if row.value > 0 else WRONG_EDGE])
        painter.setPen(mixed(text, window, 0.35))
        painter.drawLine(int(middle), 0, int(middle), len(rows) * height)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.ToolTip:
            rows, row = self._rows()[0], event.pos().y() // self._row_height()
            if row < len(rows):
                value = signed(rows[row].value, self.decimals)
                names = dict.fromkeys((in_words(rows[row].name), rows[row].name))
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.title)
        layout.addWidget(self.bars, 1)

    def set_explanation(self, explanation: Explanation | None, decimals: int) -> None:
        self.explanation = explanation
        self.setVisible(explanation is not None)
        if explanation is not None:
            self.title.setText(explanation.summary(decimals))
            self.bars.set_contributions(explanation.contributions, decimals)


class TreePanel(QWidget):
    """The contributions for the edges to a token: one, or gold and prediction."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.edges = [EdgeView(), EdgeView()]
        self.hint = QLabel(alignment=Qt.AlignCenter, wordWrap=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 0)
        layout.setSpacing(18)
        for widget in (*self.edges, self.hint):
            layout.addWidget(widget, 1)
        self.set_explanations([])

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
