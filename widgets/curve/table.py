"""Means and deviations of a learning curve, a line for each number of sentences."""
from __future__ import annotations

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
)

from orange_structpred.tuning.curves import LearningCurve, point_text
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.plots import colour_of


class CurveTable(QTableWidget):
    def __init__(self, parent=None):
        super().__init__(parent)
        self.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.NoSelection)
        self.setFocusPolicy(Qt.NoFocus)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeToContents)
        self.horizontalHeader().setHighlightSections(False)
        self.show_curve(None)

    def show_curve(self, curve: LearningCurve | None) -> None:
        self.clear()
        self.setVisible(bool(curve and curve.results))
        if curve is None:
            return
        points = {(point.learner, point.size): point for point in curve.points}
        sizes = [size for size in curve.sizes if any(
            (name, size) in points for name in curve.learners)]
        self.setRowCount(len(sizes))
        self.setColumnCount(1 + len(curve.learners))
        self.setHorizontalHeaderItem(0, QTableWidgetItem("Sentences"))
        for column, name in enumerate(curve.learners, 1):
            item = QTableWidgetItem(f"{name}, {curve.measures[name]} (%)")
            item.setToolTip("Mean over the seeds ± deviation")
            self.setHorizontalHeaderItem(column, item)
            for row, size in enumerate(sizes):
                point = points.get((name, size))
                cell = QTableWidgetItem(point_text(point))
                cell.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
                if point is not None:
                    cell.setToolTip(plural(point.seeds, "seed", "seeds"))
                    cell.setData(Qt.DecorationRole, QColor(colour_of(column - 1)))
                self.setItem(row, column, cell)
        for row, size in enumerate(sizes):
            cell = QTableWidgetItem(f"{size:,}")
            cell.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
            self.setItem(row, 0, cell)
        rows = sum(map(self.rowHeight, range(self.rowCount())))
        self.setFixedHeight(rows + self.horizontalHeader().sizeHint().height()
                            + 2 * self.frameWidth()
                            + self.horizontalScrollBar().sizeHint().height())
