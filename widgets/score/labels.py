"""Labels that say what is compared and what is selected, with names cut short."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil

from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtGui import QFontMetrics, QTextDocument
from AnyQt.QtWidgets import QLabel, QSizePolicy

from orange_structpred.widgets.common.layouts import bold
from orange_structpred.widgets.common.phrases import safe_tip
from orange_structpred.widgets.common.windows import muted
from orange_structpred.widgets.score.comparedpair import ComparedPair

LABEL_MARGIN = 2
#: A name takes so much of a line of a comparison at most
NAME_SHARE = 0.35
NOT_SELECTED = "Nothing is selected."
LINES = 4       # of what is said of a selection, at most


class ComparisonLabel(QLabel):
    """A comparison or a hint, as high as its text; long names are shortened."""

    def __init__(self):
        super().__init__(wordWrap=True, textFormat=Qt.RichText)
        self.setTextInteractionFlags(Qt.TextSelectableByMouse)
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.setAlignment(Qt.AlignTop | Qt.AlignLeft)
        self.setContentsMargins(LABEL_MARGIN, LABEL_MARGIN, LABEL_MARGIN, LABEL_MARGIN)
        self._shown: ComparedPair | str = ""

    def show_text(self, shown: ComparedPair | str) -> None:
        """A comparison, or a hint where there is none."""
        self._shown = shown
        self._fit()

    def _fit(self) -> None:
        if isinstance(self._shown, str):
            self.setToolTip("")
            colour = muted(self.palette()).name()
            self.setText(f"<span style='color: {colour}'>{escape(self._shown)}</span>")
        else:
            self.setToolTip(self._shown.words())
            self.setText(self._shown.words(self._shortened))
        # Room for two lines, so that the chart seldom jumps
        least = 2 * self.fontMetrics().lineSpacing()
        self.setFixedHeight(max(least, self._text_height()) + 2 * LABEL_MARGIN)

    def _text_height(self) -> int:
        # heightForWidth of a label is never below the height that was set before.
        document = QTextDocument()
        document.setDefaultFont(self.font())
        document.setDocumentMargin(0)
        document.setHtml(self.text())
        document.setTextWidth(self.width() - 2 * LABEL_MARGIN)
        return ceil(document.size().height())

    def _shortened(self, name: str) -> str:
        return QFontMetrics(bold(self.font())).elidedText(
            name, Qt.ElideMiddle, int(NAME_SHARE * self.width()))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def changeEvent(self, event):
        super().changeEvent(event)
        if event.type() == QEvent.FontChange:
            self._fit()


def selection_words(bars: Sequence[tuple[str, str]], parsers: Sequence[str]) -> str:
    """What is selected: bars, told by parser and group, else all of some parsers."""
    if not bars:
        return "All tokens of " + (
            parsers[0] if len(parsers) == 1 else f"{len(parsers)} parsers")
    if len(bars) == 1:
        (parser, label), = bars
        return f"Bar {label} of {parser}"
    of = list(dict.fromkeys(parser for parser, _ in bars))
    return f"{len(bars)} bars of " + (of[0] if len(of) == 1 else f"{len(of)} parsers")


class SelectionLabel(QLabel):
    """What is selected, and what is in it."""

    def __init__(self):
        super().__init__(textFormat=Qt.PlainText)
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self._lines = [NOT_SELECTED]
        self._fit()

    def show_selection(self, bars: Sequence[tuple[str, str]], parsers: Sequence[str],
                       *contents: str) -> None:
        """Bars and parsers as in `selection_words`; contents : further lines"""
        self._lines = [selection_words(bars, parsers), *contents] if bars or parsers \
            else [NOT_SELECTED]
        self.setToolTip(safe_tip("\n".join(
            [selection_words([bar], []) for bar in bars]
            or [selection_words([], [parser]) for parser in parsers])))
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        first, *others = self._lines
        if metrics.horizontalAdvance(first) > self.width() and " of " in first:
            what, name = first.split(" of ", 1)
            lines = [f"{what} of", name, *others]
        else:
            lines = self._lines
        # always as high, so that nothing jumps
        lines = [*lines, *[""] * (LINES - len(lines))]
        self.setText("\n".join(
            metrics.elidedText(line, Qt.ElideMiddle, self.width()) for line in lines))

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._fit()
