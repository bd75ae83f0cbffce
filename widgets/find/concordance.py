"""Matches in their context, one on each line; sorted by what a column shows."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPointF,
    Qt,
)
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QFont, QPalette, QTextCharFormat, QTextLayout, QTextOption
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from orange_structpred.search import Matches
from orange_structpred.search.matches import Line
from orange_structpred.treebank.drawn import is_right_to_left
from orange_structpred.widgets.common.phrases import plain_tip
from orange_structpred.widgets.common.windows import NO_PARENT

SENTENCE_ROW, BEFORE, MATCH, AFTER = range(4)
CONCORDANCE_TITLES = ("#", "Before", "Match", "After")
CONCORDANCE_TIPS = ("Number of the sentence in the treebank",
                    "What stands before the match; sorted by its last word",
                    "From the first matched word to the last",
                    "What stands after the match")
MOST_LINES = 20_000
READ_AT_ONCE = 200          # lines


WORDS_ROLE = Qt.UserRole + 1


class MatchedWord(NamedTuple):
    """A word in a match, and whether it is one that a node stands for."""

    form: str
    is_matched: bool


def sort_key(line: Line, column: int):
    if column == BEFORE:
        return [word.casefold() for word in reversed(line.left.split())]
    return line.row if column == SENTENCE_ROW else line[column].casefold()


class ConcordanceModel(QAbstractTableModel):
    """numbers : of the match in each row"""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.matches: Matches | None = None
        self.context = 10
        self.column, self.descending = SENTENCE_ROW, False
        self.numbers = np.zeros(0, int)
        self._lines: dict[int, list[Line]] = {}

    def set_matches(self, matches: Matches | None, context: int) -> None:
        self.beginResetModel()
        self.matches, self.context = matches, context
        self._lines = {}
        self._sort()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.AscendingOrder) -> None:
        self.beginResetModel()
        self.column, self.descending = max(column, SENTENCE_ROW), order == Qt.DescendingOrder
        self._sort()
        self.endResetModel()

    def _sort(self) -> None:
        n = 0 if self.matches is None else min(len(self.matches), MOST_LINES)
        numbers = range(n)
        if self.column != SENTENCE_ROW:
            lines = [self.line(number) for number in numbers]
            numbers = sorted(numbers, key=lambda i: sort_key(lines[i], self.column),
                             reverse=self.descending)
        elif self.descending:
            numbers = numbers[::-1]
        self.numbers = np.array(numbers, dtype=int)

    def line(self, number: int) -> Line:
        """Lines are made when they are looked at, some at a time."""
        block, position = divmod(number, READ_AT_ONCE)
        if block not in self._lines:
            first = block * READ_AT_ONCE
            self._lines[block] = self.matches[first:first + READ_AT_ONCE].lines(
                context=self.context)
        return self._lines[block][position]

    def rowCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.numbers)

    def columnCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(CONCORDANCE_TITLES)

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole):
        column = index.column()
        if role == Qt.TextAlignmentRole:
            side = Qt.AlignLeft if column == AFTER else (
                Qt.AlignHCenter if column == MATCH else Qt.AlignRight)
            return side | Qt.AlignVCenter
        number = int(self.numbers[index.row()])
        if role == WORDS_ROLE:
            return self.words(number)
        if role in (Qt.DisplayRole, Qt.ToolTipRole):
            line = self.line(number)
            if role == Qt.ToolTipRole:
                text = self.matches.index.words.sentences[line.row].text
                return plain_tip(f"{self.names(number)}\n{text}")
            return str(line.row + 1) if column == SENTENCE_ROW else line[column]
        return None

    def words(self, number: int) -> list[MatchedWord]:
        """The words of a match, from the first to the last that a node stands for."""
        positions = set(self.matches.positions[number].tolist())
        forms = self._forms(number)
        return [MatchedWord(forms[position - 1], position in positions)
                for position in range(min(positions), max(positions) + 1)]

    def names(self, number: int) -> str:
        """Which node stands for which word."""
        forms = self._forms(number)
        return ", ".join(
            f"{node}: {forms[position - 1]}" for node, position in zip(
                self.matches.nodes, self.matches.positions[number].tolist()))

    def _forms(self, number: int) -> list[str]:
        return self.matches.index.words.sentences[self.matches.rows[number]].forms

    def headerData(self, section: int, orientation: Qt.Orientation,
                   role: int = Qt.DisplayRole):
        if orientation == Qt.Horizontal and role == Qt.DisplayRole:
            return CONCORDANCE_TITLES[section]
        if orientation == Qt.Horizontal and role == Qt.ToolTipRole:
            return CONCORDANCE_TIPS[section]
        return None


class LineDelegate(QStyledItemDelegate):
    """Where there is no room, the words far from the match are left out, and those between
    matched words. Matched words are bold."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        if index.column() == BEFORE:
            option.textElideMode = Qt.ElideLeft

    def paint(self, painter, option, index):
        if index.column() != MATCH:
            super().paint(painter, option, index)
            return
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        option.text = ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.CE_ItemViewItem, option, painter, option.widget)
        area = style.subElementRect(QStyle.SE_ItemViewItemText, option, option.widget)
        words = index.data(WORDS_ROLE)
        for shown in (words, abridged(words)):
            layout = laid_out(shown, option.font, option.direction, area.width())
            line = layout.lineAt(0)
            if line.naturalTextWidth() <= area.width():
                break
        is_selected = bool(option.state & QStyle.State_Selected)
        painter.save()
        painter.setClipRect(area)
        painter.setPen(option.palette.color(
            QPalette.HighlightedText if is_selected else QPalette.Text))
        layout.draw(painter, QPointF(
            area.left(), area.center().y() - line.height() / 2 + 0.5))
        painter.restore()


def abridged(words: Sequence[MatchedWord]) -> list[MatchedWord]:
    """Matched words, with dots for what stands between them."""
    shown: list[MatchedWord] = []
    for word in words:
        if word.is_matched:
            shown.append(word)
        elif shown[-1].is_matched:
            shown.append(MatchedWord("…", False))
    return shown


def laid_out(words: Sequence[MatchedWord], font: QFont, direction: Qt.LayoutDirection,
             width: float) -> QTextLayout:
    """A line of text with matched words in bold, in the middle of this width."""
    bold, ranges, start = QTextCharFormat(), [], 0
    bold.setFontWeight(QFont.Bold)
    for word in words:
        length = len(word.form.encode("utf-16-le")) // 2        # as Qt counts
        if word.is_matched:
            matched = QTextLayout.FormatRange()
            matched.start, matched.length, matched.format = start, length, bold
            ranges.append(matched)
        start += length + 1
    layout = QTextLayout(" ".join(word.form for word in words), font)
    option = QTextOption(Qt.AlignHCenter)
    option.setWrapMode(QTextOption.NoWrap)
    option.setTextDirection(direction)
    layout.setTextOption(option)
    layout.setFormats(ranges)
    layout.beginLayout()
    layout.createLine().setLineWidth(width)
    layout.endLayout()
    return layout


class ConcordanceView(QTableView):
    """Selected are matches, whatever the order of the lines is."""

    matches_selected = Signal()
    order_chosen = Signal(int, bool)

    def __init__(self, parent=None):
        super().__init__(parent)
        self.lines = ConcordanceModel(self)
        self.setModel(self.lines)
        self.setItemDelegate(LineDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectRows)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(
            round(1.6 * self.fontMetrics().height()))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(SENTENCE_ROW, Qt.AscendingOrder)
        header.sectionClicked.connect(self._on_header)
        for column, mode in ((SENTENCE_ROW, QHeaderView.ResizeToContents),
                             (BEFORE, QHeaderView.Stretch),
                             (MATCH, QHeaderView.Interactive),
                             (AFTER, QHeaderView.Stretch)):
            header.setSectionResizeMode(column, mode)
        self.setColumnWidth(MATCH, 20 * self.fontMetrics().averageCharWidth())
        self.selectionModel().selectionChanged.connect(
            lambda *_: self.matches_selected.emit())

    def show_matches(self, matches: Matches | None, context: int) -> None:
        """Nothing is selected after this."""
        self.lines.set_matches(matches, context)
        words = "" if matches is None or not len(matches) else [
            form for line in matches[:20].lines(context=2) for form in line.match.split()]
        self.setLayoutDirection(
            Qt.RightToLeft if words and is_right_to_left(words) else Qt.LeftToRight)
        widest = max((len(self.lines.line(i).match)
                      for i in range(min(self.lines.rowCount(), READ_AT_ONCE))), default=0)
        letters = min(max(widest, 8), 40) + 3
        self.setColumnWidth(MATCH, letters * self.fontMetrics().averageCharWidth())

    def sort_by(self, column: int, descending: bool) -> None:
        """Sort anew; what is selected stays so."""
        order = Qt.DescendingOrder if descending else Qt.AscendingOrder
        chosen = self.selected()
        self.horizontalHeader().setSortIndicator(column, order)
        self.lines.sort(column, order)
        self.select(chosen)

    def _on_header(self, column: int) -> None:
        descending = column == self.lines.column and not self.lines.descending
        self.sort_by(column, descending)
        self.order_chosen.emit(column, descending)

    def selected(self) -> list[int]:
        """Numbers of the selected matches."""
        return sorted(int(self.lines.numbers[index.row()])
                      for index in self.selectionModel().selectedRows())

    def select(self, numbers: Collection[int]) -> None:
        chosen = QItemSelection()
        for row in np.flatnonzero(np.isin(self.lines.numbers, list(numbers))).tolist():
            index = self.lines.index(row, 0)
            chosen.select(index, index)
        self.selectionModel().select(
            chosen, QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows)
