"""The list of sentences: filtered and sorted in arrays, so that thousands are fast."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from AnyQt.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    Qt,
)
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
)

from orange_structpred.treebank import Prediction, Sentence
from orange_structpred.treebank.normal_form import normal_form
from orange_structpred.treebank.tree_layout import isolated
from orange_structpred.widgets.common.phrases import plain_tip
from orange_structpred.widgets.common.windows import NO_PARENT

NUMBER_COLUMN, LENGTH_COLUMN, WRONG_COLUMN, UAS_COLUMN, DOUBT_COLUMN, SENTENCE_COLUMN = range(6)
LIST_TITLES = "#", "Len", "Wrong", "UAS", "Doubt", "Sentence"
LIST_TIPS = ("Number of the sentence in the treebank", "Number of tokens",
        "Number of wrong heads", "Tokens with the right head, in percent",
        "Expected number of wrong heads, by the parser's probabilities",
        "Text of the sentence")


def wrong_heads(sentences: Sequence[Sentence], prediction: Prediction
                ) -> np.ndarray | None:
    """Number of wrong heads in each sentence; nan where heads are not known, None if
    they are known in no sentence."""
    result = np.array([
        np.sum(sentence.heads != heads)
        if sentence.has_heads and heads.min() >= 0 else np.nan
        for sentence, heads in zip(sentences, prediction.heads)], float)
    return None if np.isnan(result).all() else result


def sorted_rows(keys: Sequence, rows: np.ndarray, descending: bool) -> np.ndarray:
    """Rows by their keys; rows of equal keys keep their order, nan are last."""
    chosen_keys = np.asarray(keys)[rows]
    _, rank = np.unique(chosen_keys, return_inverse=True)
    if descending:
        rank = -rank
    if chosen_keys.dtype.kind == "f":
        rank[np.isnan(chosen_keys)] = len(rows)
    return rows[np.argsort(rank, kind="stable")]


def searchable(text: str) -> str:
    """Text that is equal if it is read as equal: accents, quotes and ligatures may be
    written in two ways, and soft hyphens are not seen."""
    return normal_form(text).casefold()


class SentenceModel(QAbstractTableModel):
    """Sentences that contain the filter's text, in the order that was chosen.

    rows : the index of the sentence in each row
    """

    def __init__(self, parent=None):
        super().__init__(parent)
        self.sentences: list[Sentence] = []
        self.lengths = np.zeros(0, int)
        self.wrong: np.ndarray | None = None
        self.doubt: np.ndarray | None = None
        self.pattern = ""
        self.sort_column, self.descending = NUMBER_COLUMN, False
        self.rows = np.zeros(0, int)
        self._texts: list[str] = []
        self._searched: list[str] = []

    def set_sentences(self, sentences: Sequence[Sentence]) -> None:
        self.beginResetModel()
        self.sentences = list(sentences)
        n = len(self.sentences)
        self.lengths, self._texts, self._searched = np.zeros(n, int), [""] * n, [""] * n
        for i, sentence in enumerate(self.sentences):
            self.set_text(i, sentence)
        self.wrong = self.doubt = None
        self._find_rows()
        self.endResetModel()

    def set_text(self, i: int, sentence: Sentence) -> None:
        """What is shown of a sentence, and what it is found by."""
        self.lengths[i], self._texts[i] = len(sentence), sentence.text
        self._searched[i] = searchable(f"{sentence.text}\n{sentence.sent_id}")

    def set_wrong(self, wrong: np.ndarray | None, doubt: np.ndarray | None = None
                  ) -> None:
        """Number of wrong heads in each sentence, and of those to be expected; nan
        where it is not known."""
        self.beginResetModel()
        self.wrong, self.doubt = wrong, doubt
        self._find_rows()
        self.endResetModel()

    @property
    def uas(self) -> np.ndarray | None:
        """UAS of each sentence."""
        return None if self.wrong is None else 1 - self.wrong / self.lengths

    def set_pattern(self, pattern: str) -> None:
        self.beginResetModel()
        self.pattern = searchable(pattern.strip())
        self._find_rows()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.AscendingOrder) -> None:
        self.beginResetModel()
        self.sort_column, self.descending = column, order == Qt.DescendingOrder
        self._find_rows()
        self.endResetModel()

    def _find_rows(self) -> None:
        rows = np.array([i for i, text in enumerate(self._searched)
                         if self.pattern in text], dtype=int)
        keys = {NUMBER_COLUMN: np.arange(len(self.sentences)),
                LENGTH_COLUMN: self.lengths, WRONG_COLUMN: self.wrong, UAS_COLUMN: self.uas,
                DOUBT_COLUMN: self.doubt,
                SENTENCE_COLUMN: np.array([t.casefold() for t in self._texts], dtype=object),
                }[self.sort_column]
        self.rows = rows if keys is None else sorted_rows(keys, rows, self.descending)

    def rowCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(LIST_TITLES)

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole):
        column = index.column()
        if role == Qt.TextAlignmentRole:
            side = Qt.AlignLeft if column == SENTENCE_COLUMN else Qt.AlignRight
            return side | Qt.AlignVCenter
        if role not in (Qt.DisplayRole, Qt.ToolTipRole):
            return None
        i = int(self.rows[index.row()])
        if role == Qt.ToolTipRole:
            return self._tip(i) if column == SENTENCE_COLUMN else None
        if column == NUMBER_COLUMN:
            return str(i + 1)
        if column == LENGTH_COLUMN:
            return str(self.lengths[i])
        if column == SENTENCE_COLUMN:
            return self._texts[i]
        known = self.doubt if column == DOUBT_COLUMN else self.wrong
        if known is None or np.isnan(known[i]):
            return "–"
        if column == DOUBT_COLUMN:
            return f"{known[i]:.1f}"
        wrong, length = self.wrong[i], self.lengths[i]
        return f"{wrong:.0f}" if column == WRONG_COLUMN else f"{100 * (1 - wrong / length):.0f}"

    def _tip(self, i: int) -> str:
        sentence = self.sentences[i]
        text = sentence.text if len(sentence.text) < 1000 \
            else sentence.text[:1000] + "…"
        return plain_tip(f"{sentence.sent_id}\n{text}" if sentence.sent_id else text)

    def headerData(self, section: int, orientation, role: int = Qt.DisplayRole):
        if orientation != Qt.Horizontal:
            return None
        if role == Qt.DisplayRole:
            return LIST_TITLES[section]
        if role == Qt.ToolTipRole:
            return f"{LIST_TIPS[section]}; click to sort"
        if role == Qt.InitialSortOrderRole and section in (WRONG_COLUMN, DOUBT_COLUMN):
            return Qt.DescendingOrder       # the worst first
        if role == Qt.TextAlignmentRole:
            return (Qt.AlignLeft if section == SENTENCE_COLUMN else Qt.AlignHCenter) \
                | Qt.AlignVCenter
        return None


class TextDelegate(QStyledItemDelegate):
    """Text a little away from the numbers before it, in its own direction."""

    def initStyleOption(self, option, index):
        super().initStyleOption(option, index)
        option.text = f"\N{EN SPACE}{isolated(option.text)}"


class SentenceView(QTableView):
    """The list. Sentences are named by their index in the treebank.

    selection_changed, current_changed : not sent while the list is set up
    """

    selection_changed = Signal()
    current_changed = Signal()

    def __init__(self, model: SentenceModel, parent=None):
        super().__init__(
            parent, selectionBehavior=QAbstractItemView.SelectRows,
            selectionMode=QAbstractItemView.ExtendedSelection, showGrid=False,
            sortingEnabled=False, wordWrap=False, alternatingRowColors=True,
            horizontalScrollMode=QAbstractItemView.ScrollPerPixel)
        self.setModel(model)
        self.setTabKeyNavigation(False)
        self.setItemDelegateForColumn(SENTENCE_COLUMN, TextDelegate(self))
        self.setAccessibleName("Sentences")
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(
            self.fontMetrics().height() + 6)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSectionResizeMode(QHeaderView.Fixed)
        header.setSectionResizeMode(SENTENCE_COLUMN, QHeaderView.Stretch)
        header.setMinimumSectionSize(20)
        self.fit_columns()
        self.selectionModel().selectionChanged.connect(
            lambda *_: self.selection_changed.emit())
        self.selectionModel().currentRowChanged.connect(
            lambda *_: self.current_changed.emit())

    def fit_columns(self) -> None:
        """Columns of numbers as wide as their numbers and titles."""
        model, width = self.model(), self.fontMetrics().horizontalAdvance
        longest = max(map(len, model.sentences), default=0)
        for column, widest in ((NUMBER_COLUMN, str(len(model.sentences))),
                               (LENGTH_COLUMN, str(longest)), (WRONG_COLUMN, str(longest)),
                               (UAS_COLUMN, "100"), (DOUBT_COLUMN, "10.0")):
            # Room for the arrow that shows the order.
            self.setColumnWidth(
                column, max(width(widest) + 12, width(LIST_TITLES[column]) + 24))
        for column in (WRONG_COLUMN, UAS_COLUMN):
            self.setColumnHidden(column, model.wrong is None)
        self.setColumnHidden(DOUBT_COLUMN, model.doubt is None)

    def selected(self) -> list[int]:
        """The selected sentences, in the order of the treebank."""
        rows = [index.row() for index in self.selectionModel().selectedRows()]
        return sorted(self.model().rows[rows].tolist())

    def current(self) -> int | None:
        """The sentence to draw."""
        row = self.currentIndex().row()
        return int(self.model().rows[row]) if row >= 0 else None

    def select(self, sentences: Sequence[int], current: int | None = None) -> None:
        """Select those of these that are in the list; else the first row."""
        model = self.model()
        rows = np.flatnonzero(np.isin(model.rows, list(sentences)))
        if not len(rows):
            rows = np.arange(len(model.rows))[:1]
        if not len(rows):
            return
        same = np.flatnonzero(model.rows[rows] == current)
        row = rows[same[0] if len(same) else 0]
        selection, last = QItemSelection(), model.columnCount() - 1
        for block in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            selection.select(model.index(int(block[0]), 0),
                             model.index(int(block[-1]), last))
        index = model.index(int(row), 0)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.NoUpdate)
        self.selectionModel().select(selection, QItemSelectionModel.ClearAndSelect)
        self.scrollTo(index)

    def step(self, rows: int) -> None:
        """Go to the sentence so many rows down."""
        row = self.currentIndex().row() + rows
        if 0 <= row < self.model().rowCount():
            # selectRow would add to the selection while Ctrl is held
            self.selectionModel().setCurrentIndex(
                self.model().index(row, 0),
                QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows)
