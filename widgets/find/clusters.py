"""Matches counted by one or two keys; cells can be selected."""
from __future__ import annotations

from collections.abc import Collection

from AnyQt.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    Qt,
)
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from orange_structpred.search.clusters import Clusters
from orange_structpred.widgets.common.phrases import html_table_of, safe_tip
from orange_structpred.widgets.common.windows import NO_PARENT

MORE, FEWER = "#0072b2", "#d55e00"      # than expected
STRONGEST = 10                          # standard deviations of the darkest colour
COUNT_COLUMNS = ("matches", "%")
REPORTED = 50                           # rows

ClusterCell = tuple[str, str]


class ClusterModel(QAbstractTableModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self.clusters: Clusters | None = None

    def set_clusters(self, clusters: Clusters | None) -> None:
        self.beginResetModel()
        self.clusters = clusters
        if clusters is not None:
            self.totals = clusters.totals
            self.shares = 100 * self.totals / max(self.totals.sum(), 1)
            self.expected, self.residuals = clusters.expected, clusters.residuals
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() or self.clusters is None else len(self.clusters.values)

    def columnCount(self, parent: QModelIndex = NO_PARENT) -> int:
        if parent.isValid() or self.clusters is None:
            return 0
        crossed = len(self.clusters.columns) if self.clusters.by else 0
        return len(COUNT_COLUMNS) + crossed

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole):
        row, column = index.row(), index.column() - len(COUNT_COLUMNS)
        if role == Qt.TextAlignmentRole:
            return Qt.AlignRight | Qt.AlignVCenter
        if role == Qt.DisplayRole:
            if column == -2:
                return f"{self.totals[row]:,}"
            if column == -1:
                return f"{self.shares[row]:.1f}"
            count = self.clusters.counts[row, column]
            return f"{count:,}" if count else ""
        if column < 0:
            return None
        if role == Qt.ToolTipRole:
            return safe_tip(f"{self.clusters.values[row]}, "
                            f"{self.clusters.columns[column]}: "
                            f"{self.clusters.counts[row, column]:,} matches, "
                            f"{self.expected[row, column]:,.1f} expected")
        if role == Qt.BackgroundRole:
            return shade(self.residuals[row, column])
        return None

    def headerData(self, section: int, orientation: Qt.Orientation,
                   role: int = Qt.DisplayRole):
        if role != Qt.DisplayRole or self.clusters is None:
            return None
        if orientation == Qt.Vertical:
            return self.clusters.values[section]
        return [*COUNT_COLUMNS, *self.clusters.columns][section]


def shade(residual: float) -> QColor | None:
    """A colour for more or fewer matches than expected; none for about as many."""
    if abs(residual) < 2:
        return None
    colour = QColor(MORE if residual > 0 else FEWER)
    colour.setAlpha(round(30 + 110 * min(abs(residual), STRONGEST) / STRONGEST))
    return colour


class ClusterView(QTableView):
    cells_selected = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.table = ClusterModel(self)
        self.setModel(self.table)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setWordWrap(False)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeToContents)
        header.setMinimumSectionSize(3 * self.fontMetrics().height())
        header.setHighlightSections(False)
        rows = self.verticalHeader()
        rows.setDefaultSectionSize(round(1.6 * self.fontMetrics().height()))
        rows.setMaximumWidth(30 * self.fontMetrics().averageCharWidth())
        self.selectionModel().selectionChanged.connect(
            lambda *_: self.cells_selected.emit())

    def show_clusters(self, clusters: Clusters | None) -> None:
        """Nothing is selected after this."""
        self.table.set_clusters(clusters)

    def selected(self) -> list[ClusterCell]:
        """Pairs of a value and a column, "" for all columns, in the table's order."""
        clusters = self.table.clusters
        if clusters is None:
            return []
        cells = []
        for index in sorted(self.selectedIndexes()):
            column = index.column() - len(COUNT_COLUMNS)
            cell = (clusters.values[index.row()],
                    clusters.columns[column] if column >= 0 else "")
            if cell not in cells:
                cells.append(cell)
        return cells

    def select(self, cells: Collection[ClusterCell]) -> None:
        """Select those of the cells that are there."""
        clusters, chosen = self.table.clusters, QItemSelection()
        for value, column in cells:
            if clusters is None or value not in clusters.values or (
                    column and column not in clusters.columns):
                continue
            column_number = len(COUNT_COLUMNS) + clusters.columns.index(column) if column else 0
            index = self.table.index(clusters.values.index(value), column_number)
            chosen.select(index, index)
        self.selectionModel().select(chosen, QItemSelectionModel.ClearAndSelect)


def clusters_html(clusters: Clusters) -> str:
    """The table for a report, its most frequent values."""
    lines = clusters.lines(expected=clusters.by is not None)
    more = len(lines) - REPORTED - 1
    return html_table_of(lines[:REPORTED + 1]) + (
        f"<p>and {more:,} more</p>" if more > 0 else "")
