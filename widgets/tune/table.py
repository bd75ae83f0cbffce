"""The table of all points that were tried."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from AnyQt.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QSignalBlocker,
    QSortFilterProxyModel,
    Qt,
)
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QBrush, QColor, QIcon, QPainter, QPen, QPixmap
from AnyQt.QtWidgets import QAbstractItemView, QHeaderView, QTableView
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol

from orange_structpred.tuning.results import Point
from orange_structpred.widgets.common.layouts import bold
from orange_structpred.widgets.common.plots import colour_of, symbol_of
from orange_structpred.widgets.common.windows import NO_PARENT
from orange_structpred.widgets.tune.plot import tuning_point_tip, varied

SORT_ROLE = Qt.UserRole
SETTINGS_SHARE = 0.6    # of the width, at most, if there is not enough for all


class GridColumn(NamedTuple):
    title: str
    tip: str
    value: Callable[[Point], object]        # to sort by
    text: Callable[[Point], str]


GRID_COLUMNS = (
    GridColumn("Setting", "What the grid varies, besides C",
           lambda point: point.label, lambda point: point.label),
    GridColumn("C", "Weight of the loss", lambda point: point.C,
           lambda point: f"{point.C:g}"),
    GridColumn("Validation loss", "Percentage of wrong heads in held-out sentences",
           lambda point: point.validation_loss,
           lambda point: f"{100 * point.validation_loss:.2f}"),
    GridColumn("95% interval", "Of the validation loss", lambda point: point.low,
           lambda point: f"{100 * point.low:.2f} – {100 * point.high:.2f}"),
    GridColumn("Training loss", "Percentage of wrong heads in training sentences",
           lambda point: point.train_loss,
           lambda point: f"{100 * point.train_loss:.2f}"),
    GridColumn("|w|²", "Squared length of the weight vector",
           lambda point: point.squared_norm,
           lambda point: f"{point.squared_norm:.4g}"),
    GridColumn("Seconds", "To learn and to measure", lambda point: point.seconds,
           lambda point: f"{point.seconds:.1f}"),
    GridColumn("Valid trees", "Percentage of held-out sentences whose predicted heads "
               "form a tree, which the approximate decoder does not guarantee",
               lambda point: point.valid_trees,
               lambda point: f"{100 * point.valid_trees:.2f}"),
)


class TuningModel(QAbstractTableModel):
    """One row per point; the best in bold."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.points: list[Point] = []
        self.labels: list[str] = []
        self.varied: dict[str, dict[str, str]] = {}     # what labels differ in
        self.best: Point | None = None

    def set_points(self, points: Sequence[Point], labels: Sequence[str]) -> None:
        self.beginResetModel()
        self.points, self.labels = list(points), list(labels)
        self.varied = varied(labels)
        self.best = min(points, key=lambda point: point.validation_loss, default=None)
        self.endResetModel()

    def rowCount(self, parent=NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.points)

    def columnCount(self, parent=NO_PARENT) -> int:
        return 0 if parent.isValid() else len(GRID_COLUMNS)

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation == Qt.Vertical:
            return str(section + 1) if role == Qt.DisplayRole else None
        if role == Qt.DisplayRole and not section and len(self.labels) > 1:
            return ", ".join(self.varied[self.labels[0]])   # names of parameters
        if role == Qt.DisplayRole:
            return GRID_COLUMNS[section].title
        if role == Qt.ToolTipRole:
            return GRID_COLUMNS[section].tip
        if role == Qt.TextAlignmentRole:
            return Qt.AlignVCenter | (Qt.AlignRight if section else Qt.AlignLeft)
        return None

    def data(self, index, role=Qt.DisplayRole):
        point, column = self.points[index.row()], GRID_COLUMNS[index.column()]
        if role == Qt.DisplayRole:
            return (column.text(point) if index.column()
                    else ", ".join(self.varied[point.label].values()))
        if role == SORT_ROLE:
            return column.value(point)
        if role == Qt.ToolTipRole:
            return tuning_point_tip(point) + ("<br/><b>best</b>" if point is self.best else "")
        if role == Qt.TextAlignmentRole and index.column():
            return Qt.AlignVCenter | Qt.AlignRight
        if role == Qt.FontRole and point is self.best:
            return bold()
        if role == Qt.DecorationRole and not index.column():
            return symbol_swatch(self.labels.index(point.label))
        return None


def symbol_swatch(number: int) -> QIcon:
    """What the points of a setting look like in the plot."""
    picture = QPixmap(12, 12)
    picture.fill(Qt.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.Antialiasing)
    painter.translate(6, 6)
    colour = QColor(colour_of(number))
    drawSymbol(painter, symbol_of(number), 10, QPen(colour, 0.1), QBrush(colour))
    painter.end()
    return QIcon(picture)


class TuningTable(QTableView):
    """Points to sort and to select; one is always selected."""

    pointSelected = Signal(object)          # Point

    def __init__(self, parent=None):
        super().__init__(
            parent, sortingEnabled=True, alternatingRowColors=True,
            selectionBehavior=QAbstractItemView.SelectRows, tabKeyNavigation=False,
            selectionMode=QAbstractItemView.SingleSelection, showGrid=False,
            editTriggers=QAbstractItemView.NoEditTriggers, wordWrap=False,
            textElideMode=Qt.ElideMiddle)
        self.points = TuningModel(self)
        self.sorted = QSortFilterProxyModel(self)
        self.sorted.setSortRole(SORT_ROLE)
        self.sorted.setSourceModel(self.points)
        self.setModel(self.sorted)
        self.sortByColumn(-1, Qt.AscendingOrder)
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setDefaultSectionSize(
            self.fontMetrics().height() + 7)
        self.setMinimumHeight(5 * self.verticalHeader().defaultSectionSize())
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setHighlightSections(False)
        self.selectionModel().currentRowChanged.connect(self._row_changed)

    def show_points(self, points: Sequence[Point], labels: Sequence[str],
                    selected: Point | None) -> None:
        with QSignalBlocker(self):
            self.points.set_points(points, labels)
            # one setting needs no name, and leaves its room to the figures
            self.setColumnHidden(0, len(labels) < 2)
            self.setColumnHidden(len(GRID_COLUMNS) - 1,
                                 all(point.valid_trees == 1 for point in points))
            self._give_room()
            self.select(selected)

    def _give_room(self) -> None:
        """Settings have what figures leave, and if this is little, more of the width
        than these, which can be scrolled to. Without settings figures share it all."""
        header, width = self.horizontalHeader(), self.viewport().width()
        wanted, *figures = (
            max(self.sizeHintForColumn(column), header.sectionSizeHint(column)) + 4
            for column in range(len(GRID_COLUMNS))
            if not column or not self.isColumnHidden(column))
        even = self.isColumnHidden(0) and max(figures) * len(figures) <= width
        header.setSectionResizeMode(QHeaderView.Stretch if even
                                    else QHeaderView.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.Fixed)
        if not self.isColumnHidden(0):
            header.resizeSection(0, max(width - sum(figures), min(
                wanted, round(SETTINGS_SHARE * width))))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._give_room()

    def select(self, point: Point | None) -> None:
        """Select the row of a point; nothing is emitted."""
        with QSignalBlocker(self):
            if point in self.points.points:
                row = self.points.points.index(point)
                # the arrow keys do nothing in a column that is hidden
                column = int(self.isColumnHidden(0))
                index = self.sorted.mapFromSource(self.points.index(row, column))
                self.selectionModel().setCurrentIndex(
                    index,
                    QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows)
                self.scrollTo(index)
            else:
                self.clearSelection()

    def _row_changed(self, current: QModelIndex, _) -> None:
        if current.isValid():
            row = self.sorted.mapToSource(current).row()
            self.pointSelected.emit(self.points.points[row])
