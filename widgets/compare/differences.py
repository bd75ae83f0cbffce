"""The list of what two annotators differ in."""
from __future__ import annotations

from collections.abc import Collection, Sequence

from AnyQt.QtCore import QAbstractTableModel, QModelIndex, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QAbstractItemView, QTableView

from orange_structpred.evaluation.agreement import Difference
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.tree_layout import isolated
from orange_structpred.widgets.common.layouts import bold
from orange_structpred.widgets.common.phrases import plain_tip
from orange_structpred.widgets.common.windows import NO_PARENT
from orange_structpred.widgets.tree.list import searchable

DIFFERENCE_TITLES = ("Sentence", "Word", "Layer", "First", "Second")
FIRST_COLUMN, SECOND_COLUMN = 3, 4
ALL_LAYERS = "all"

DifferenceKey = tuple[int, int, str]


def difference_key(difference: Difference) -> DifferenceKey:
    return difference.row, difference.word, difference.layer


class DifferenceModel(QAbstractTableModel):
    """Differences of a layer that contain a text; what is chosen is bold."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.differences: list[Difference] = []
        self.sentences: Sequence[Sentence] = ()
        self.second: Collection[DifferenceKey] = ()
        self.layer, self.text = ALL_LAYERS, ""
        self.rows: list[int] = []       # numbers of the differences that are shown

    def set_differences(self, differences: Sequence[Difference],
                        sentences: Sequence[Sentence]) -> None:
        self.beginResetModel()
        self.differences, self.sentences = list(differences), sentences
        self._find_rows()
        self.endResetModel()

    def set_filter(self, layer: str, text: str) -> None:
        self.beginResetModel()
        self.layer, self.text = layer, searchable(text.strip())
        self._find_rows()
        self.endResetModel()

    def set_second(self, second: Collection[DifferenceKey]) -> None:
        """Of which differences the second treebank's value is chosen."""
        self.second = second
        if self.rows:
            self.dataChanged.emit(self.index(0, 0),
                                  self.index(len(self.rows) - 1, SECOND_COLUMN))

    def _find_rows(self) -> None:
        self.rows = [
            number for number, difference in enumerate(self.differences)
            if self.layer in (ALL_LAYERS, difference.layer) and (
                not self.text or self.text in searchable(" ".join(self._cells(number))))]

    def _cells(self, number: int) -> list[str]:
        difference = self.differences[number]
        sentence = self.sentences[difference.row]
        return [sentence.sent_id or str(difference.row + 1), sentence.forms[difference.word - 1],
                difference.layer, difference.first, difference.second]

    def rowCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(DIFFERENCE_TITLES)

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole):
        number, column = self.rows[index.row()], index.column()
        if role == Qt.DisplayRole:
            return isolated(self._cells(number)[column])
        if role == Qt.ToolTipRole:
            return plain_tip(self.sentences[self.differences[number].row].text)
        if role == Qt.FontRole:
            is_second = difference_key(self.differences[number]) in self.second
            if column == (SECOND_COLUMN if is_second else FIRST_COLUMN):
                return bold()
        return None

    def headerData(self, section: int, orientation, role: int = Qt.DisplayRole):
        if role == Qt.DisplayRole and orientation == Qt.Horizontal:
            return DIFFERENCE_TITLES[section]
        return None


class DifferenceList(QTableView):
    """current_changed : another difference, or another selection
    value_clicked : a difference's number, and whether in the column of the second
    """

    current_changed = Signal()
    value_clicked = Signal(int, bool)

    def __init__(self, model: DifferenceModel):
        super().__init__(wordWrap=False, showGrid=False,
                         selectionBehavior=QAbstractItemView.SelectRows,
                         selectionMode=QAbstractItemView.ExtendedSelection,
                         tabKeyNavigation=False)
        self.setModel(model)
        self.verticalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        for column, width in enumerate((90, 90, 55, 90)):
            self.setColumnWidth(column, width)
        self.selectionModel().selectionChanged.connect(
            lambda *_: self.current_changed.emit())
        model.modelReset.connect(self.current_changed)
        self.doubleClicked.connect(self._on_double_click)

    def selected(self) -> list[int]:
        """Numbers of the differences that are selected."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.model().rows[row] for row in rows]

    def current(self) -> int | None:
        """The number of the current difference."""
        row = self.currentIndex().row()
        return self.model().rows[row] if 0 <= row < len(self.model().rows) else None

    def step(self) -> None:
        """To the next row."""
        row = self.currentIndex().row() + 1
        if row < self.model().rowCount():
            self.selectRow(row)

    def _on_double_click(self, index: QModelIndex) -> None:
        if index.column() in (FIRST_COLUMN, SECOND_COLUMN):
            self.value_clicked.emit(self.model().rows[index.row()],
                                    index.column() == SECOND_COLUMN)
