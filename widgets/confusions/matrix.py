"""A matrix of counts, the larger the darker, whose cells can be selected."""
from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape

from AnyQt.QtCore import QItemSelectionModel, QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)

from orange_structpred.evaluation.confusions import Confusions
from orange_structpred.widgets.common.phrases import plural, safe_tip

COLOUR = "#d55e00"
DARKEST = 190           # of the colour's opacity, 255 at most
LEADING = ("tokens", "wrong")       # columns before those of the matrix

Cell = tuple[str, str]


class ConfusionView(QTableWidget):
    """Rows and columns by their labels; only cells of the matrix can be selected."""

    cells_changed = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.confusions: Confusions | None = None
        self.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeToContents)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(3 * self.fontMetrics().height())
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeToContents)
        self.itemSelectionChanged.connect(self.cells_changed)

    def show_matrix(self, confusions: Confusions | None, *, shares: bool,
                    tips: Mapping[str, str]) -> None:
        """shares : percent of the row's tokens instead of counts
        tips : what columns mean, where their names do not say it
        """
        self.confusions = confusions
        with QSignalBlocker(self):
            self.clear()
            self.setRowCount(len(confusions.rows) if confusions else 0)
            self.setColumnCount(
                len(LEADING) + len(confusions.columns) if confusions else 0)
            if confusions is not None:
                self._fill(confusions, shares, tips)

    def _fill(self, confusions: Confusions, shares: bool, tips: Mapping[str, str]
              ) -> None:
        counts = confusions.counts
        for column, name in enumerate((*LEADING, *confusions.columns)):
            item = QTableWidgetItem(name)
            item.setToolTip(tips.get(name, ""))
            self.setHorizontalHeaderItem(column, item)
        self.setVerticalHeaderLabels(confusions.rows)
        most = counts.max(initial=1)
        for row, (label, tokens, row_counts) in enumerate(
                zip(confusions.rows, confusions.tokens.tolist(), counts)):
            for column, count in enumerate((tokens, int(row_counts.sum()), *row_counts.tolist())):
                in_matrix = column >= len(LEADING)
                text = f"{100 * count / tokens:.1f}%" if shares and column else f"{count:,}"
                item = QTableWidgetItem(text if count or not in_matrix else "")
                item.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
                if not in_matrix:
                    item.setFlags(Qt.ItemIsEnabled)
                elif count:
                    colour = QColor(COLOUR)
                    colour.setAlpha(round(25 + (DARKEST - 25) * count / most))
                    item.setBackground(colour)
                    item.setToolTip(safe_tip(
                        f"{label} → {confusions.columns[column - len(LEADING)]}: "
                        + plural(count, "token", "tokens")
                        + f", {100 * count / tokens:.1f}% of {tokens:,}"))
                self.setItem(row, column, item)

    def html(self) -> str:
        """The matrix with its colours, for a report, which is light in any style."""
        def cell(item: QTableWidgetItem) -> str:
            red, green, blue, opacity = item.background().color().getRgb()
            ground = f"background: rgba({red}, {green}, {blue}, {opacity / 255:.2f})" \
                if item.background().style() != Qt.NoBrush else ""
            return f'<td style="text-align: right; {ground}">{item.text()}</td>'

        columns, rows = range(self.columnCount()), range(self.rowCount())
        titles = "".join(f"<th>{escape(self.horizontalHeaderItem(column).text())}</th>"
                         for column in columns)
        return f"<table><tr><th></th>{titles}</tr>" + "".join(
            f"<tr><th>{escape(self.verticalHeaderItem(row).text())}</th>"
            + "".join(cell(self.item(row, column)) for column in columns) + "</tr>"
            for row in rows) + "</table>"

    def selected(self) -> list[Cell]:
        """Pairs of a row and a column, in the order of the matrix."""
        if self.confusions is None:
            return []
        places = sorted((index.row(), index.column() - len(LEADING))
                        for index in self.selectedIndexes())
        return [(self.confusions.rows[row], self.confusions.columns[column])
                for row, column in places if column >= 0]

    def select(self, cells: Collection[Cell]) -> None:
        """Select those of the cells that are there; nothing is emitted."""
        with QSignalBlocker(self):
            self.clearSelection()
            for row, column in cells:
                if self.confusions and row in self.confusions.rows \
                        and column in self.confusions.columns:
                    self.selectionModel().select(
                        self.model().index(
                            self.confusions.rows.index(row),
                            len(LEADING) + self.confusions.columns.index(column)),
                        QItemSelectionModel.Select)
