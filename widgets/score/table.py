"""The table of scores: one row per parser, each score with its interval."""
from __future__ import annotations

from collections.abc import Sequence

from AnyQt.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QSize,
    Qt,
)
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter, QPalette, QPixmap
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from orange_structpred.widgets.common.layouts import bold
from orange_structpred.widgets.common.phrases import safe_tip
from orange_structpred.widgets.common.windows import NO_PARENT, mixed
from orange_structpred.widgets.score.columns import NAME_COLUMNS, ScoreColumn

INTERVAL_ROLE = Qt.UserRole + 1
MOST_ROWS_SHOWN = 8           # the table scrolls from here on
SHORTEST_NAME = 7       # letters; from there on it scrolls to the right
PADDING, CELL_GAP = 8, 10
SWATCH = 12
FAINT = 0.25            # of the highlight, over the base


class ScoreModel(QAbstractTableModel):
    """Scores in the order that was chosen; order holds the number of each row."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.columns: list[ScoreColumn] = []
        self.order: list[int] = []
        self.coloured: dict[int, str] = {}
        self.sort_title, self.descending = "", False

    def set_columns(self, columns: Sequence[ScoreColumn]) -> None:
        self.beginResetModel()
        self.columns = list(columns)
        self._arrange()
        self.endResetModel()

    def set_colours(self, coloured: dict[int, str]) -> None:
        """The colours that predictions have in the chart."""
        self.coloured = coloured
        if self.order:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.order) - 1, 0))

    def sort_by(self, title: str, descending: bool) -> None:
        """Sort by a column; "" is the order of the input."""
        self.beginResetModel()
        self.sort_title, self.descending = title, descending
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        values = next((column.values for column in self.columns
                       if column.title == self.sort_title), None)
        self.order = list(range(len(self.columns[0].values))) if self.columns else []
        if values is None:
            return
        # Missing scores are last, in both directions.
        known = [n for n in self.order if values[n] == values[n]]
        missing = [n for n in self.order if values[n] != values[n]]
        known.sort(key=lambda n: values[n], reverse=self.descending)
        self.order = known + missing

    def rowCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: QModelIndex = NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: QModelIndex, role: int = Qt.DisplayRole):
        column, number = self.columns[index.column()], self.order[index.row()]
        if role == Qt.DisplayRole:
            return column.texts[number]
        if role == INTERVAL_ROLE:
            return column.intervals[number] if column.intervals else ""
        if role == Qt.TextAlignmentRole:
            return (Qt.AlignLeft if column.title in NAME_COLUMNS else Qt.AlignRight) \
                | Qt.AlignVCenter
        if role == Qt.ToolTipRole:
            return self._tip(column, number)
        if role == Qt.DecorationRole and index.column() == 0 \
                and number in self.coloured:
            return colour_swatch(self.coloured[number])
        if role == Qt.FontRole and column.intervals \
                and column.values[number] >= column.best:
            return bold()
        return None

    @staticmethod
    def _tip(column: ScoreColumn, number: int) -> str:
        if column.intervals is None:
            return safe_tip(column.texts[number])
        interval = column.intervals[number]
        return f"{column.tip}: {column.texts[number]}" \
            + (f"\n95% confidence interval: {interval}" if interval else "")

    def headerData(self, section: int, orientation, role: int = Qt.DisplayRole):
        if orientation != Qt.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.DisplayRole:
            return column.title
        if role == Qt.ToolTipRole:
            return f"{column.tip}; click to sort"
        if role == Qt.TextAlignmentRole:
            return (Qt.AlignLeft if column.title in NAME_COLUMNS else Qt.AlignHCenter) \
                | Qt.AlignVCenter
        return None


def colour_swatch(colour: str) -> QIcon:
    # An icon of one colour in all modes: Qt would tint it in selected rows.
    icon, pixmap = QIcon(), QPixmap(SWATCH, SWATCH)
    # The frame keeps it apart from a selection of the same colour.
    pixmap.fill(QApplication.palette().color(QPalette.Base))
    painter = QPainter(pixmap)
    painter.fillRect(pixmap.rect().adjusted(1, 1, -1, -1), QColor(colour))
    painter.end()
    for mode in (QIcon.Normal, QIcon.Selected, QIcon.Disabled):
        icon.addPixmap(pixmap, mode)
    return icon


class ScoreDelegate(QStyledItemDelegate):
    """A number, and right of it its interval, fainter."""

    def sizeHint(self, option, index) -> QSize:
        size = super().sizeHint(option, index)
        interval = index.data(INTERVAL_ROLE)
        width = QFontMetrics(bold(option.font)).horizontalAdvance(index.data())
        if interval:
            width += CELL_GAP + self._room(option.fontMetrics, index)
        return QSize(width + 2 * PADDING, size.height())

    @staticmethod
    def _room(metrics: QFontMetrics, index: QModelIndex) -> int:
        """The same for all intervals of a column, so that scores stand in line."""
        return max(map(metrics.horizontalAdvance,
                       index.model().columns[index.column()].intervals))

    def paint(self, painter, option, index):
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.CE_ItemViewItem, option, painter, option.widget)
        is_selected = bool(option.state & QStyle.State_Selected)
        group = QPalette.Active if option.state & QStyle.State_Active \
            else QPalette.Inactive
        colour = option.palette.color(
            group, QPalette.HighlightedText if is_selected else QPalette.Text)
        area = option.rect.adjusted(PADDING, 0, -PADDING, 0)
        painter.save()
        interval = index.data(INTERVAL_ROLE)
        if interval:
            normal = QFont(option.font)
            normal.setBold(False)
            painter.setFont(normal)
            faint = QColor(colour)
            faint.setAlphaF(1. if is_selected else 0.7)
            painter.setPen(faint)
            painter.drawText(area, Qt.AlignRight | Qt.AlignVCenter, interval)
            area.adjust(0, 0, -CELL_GAP - self._room(QFontMetrics(normal), index), 0)
        painter.setFont(option.font)
        painter.setPen(colour)
        painter.drawText(area, Qt.AlignRight | Qt.AlignVCenter, text)
        painter.restore()


class ScoreView(QTableView):
    """The table. Predictions are named by their numbers.

    selection_changed, sorting_changed : by the user
    """

    selection_changed = Signal()
    sorting_changed = Signal()

    def __init__(self, model: ScoreModel, parent=None):
        super().__init__(
            parent, selectionBehavior=QAbstractItemView.SelectRows,
            selectionMode=QAbstractItemView.ExtendedSelection, showGrid=False,
            wordWrap=False, alternatingRowColors=True,
            horizontalScrollMode=QAbstractItemView.ScrollPerPixel)
        self.setModel(model)
        self.setTabKeyNavigation(False)
        self.setAccessibleName("Scores")
        self.setTextElideMode(Qt.ElideMiddle)
        self._names, self._numbers = QStyledItemDelegate(self), ScoreDelegate(self)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setMinimumSectionSize(40)
        header.setSectionResizeMode(QHeaderView.Fixed)
        header.sectionClicked.connect(self._on_header)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self._setting = False
        self.selectionModel().selectionChanged.connect(self._on_selection)

    def show_scores(self, columns: Sequence[ScoreColumn]) -> None:
        """Show other scores; nothing is selected then."""
        self._setting = True
        self.model().set_columns(columns)
        self._setting = False
        for section, column in enumerate(columns):
            self.setItemDelegateForColumn(
                section, self._names if column.title in NAME_COLUMNS else self._numbers)
        self._show_order()
        self._fit()

    def sort_by(self, title: str, descending: bool) -> None:
        selected = self.selected()
        self._setting = True
        self.model().sort_by(title, descending)
        self._setting = False
        self.select(selected)
        self._show_order()

    def _on_header(self, section: int) -> None:
        """Scores are sorted from the best on, then from the worst, then not at all."""
        model = self.model()
        title = model.columns[section].title
        first = title not in NAME_COLUMNS
        if model.sort_title != title:
            self.sort_by(title, first)
        elif model.descending == first:
            self.sort_by(title, not first)
        else:
            self.sort_by("", False)
        self.sorting_changed.emit()

    def _show_order(self) -> None:
        model = self.model()
        titles = [column.title for column in model.columns]
        section = titles.index(model.sort_title) if model.sort_title in titles else -1
        self.horizontalHeader().setSortIndicator(
            section, Qt.DescendingOrder if model.descending else Qt.AscendingOrder)

    def selected(self) -> list[int]:
        """Numbers of the selected predictions, in the order of the input."""
        return sorted(self.model().order[index.row()]
                      for index in self.selectionModel().selectedRows())

    def select(self, numbers: Sequence[int]) -> None:
        model, selection = self.model(), QItemSelection()
        for row, number in enumerate(model.order):
            if number in numbers:
                selection.select(model.index(row, 0),
                                 model.index(row, model.columnCount() - 1))
        self._setting = True
        self.selectionModel().select(selection, QItemSelectionModel.ClearAndSelect)
        self._setting = False

    def _on_selection(self) -> None:
        if not self._setting:
            self.selection_changed.emit()

    def keyPressEvent(self, event):
        if event.key() == Qt.Key_Escape and self.selected():
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def set_faint(self, faint: bool) -> None:
        """Show selected rows only faintly: what is sent is selected elsewhere."""
        palette = QPalette()
        if faint:
            full, base = (QApplication.palette().color(role)
                          for role in (QPalette.Highlight, QPalette.Base))
            palette.setColor(QPalette.Highlight, mixed(full, base, FAINT))
            palette.setColor(QPalette.HighlightedText,
                             QApplication.palette().color(QPalette.Text))
        self.setPalette(palette)

    # Size

    def _fit(self) -> None:
        """As high as the rows; names have the room that numbers leave."""
        rows = min(max(self.model().rowCount(), 2), MOST_ROWS_SHOWN)
        self.setFixedHeight(
            self.horizontalHeader().sizeHint().height()
            + rows * self.verticalHeader().defaultSectionSize()
            + self.horizontalScrollBar().sizeHint().height() * self._is_crowded()
            + 2 * self.frameWidth())
        widths = self._widths()
        for section, width in enumerate(widths):
            self.setColumnWidth(section, width)

    def _widths(self) -> list[int]:
        columns = self.model().columns
        if not columns:
            return []
        room_for_arrow = 30
        widths = [max(self.sizeHintForColumn(section) + PADDING,
                      self.fontMetrics().horizontalAdvance(column.title)
                      + room_for_arrow)
                  for section, column in enumerate(columns)]
        shortest = self.fontMetrics().horizontalAdvance("m" * SHORTEST_NAME)
        names = [section for section, column in enumerate(columns)
                 if column.title in NAME_COLUMNS]
        room = self.viewport().width() - sum(
            width for section, width in enumerate(widths) if section not in names)
        for section in names[1:]:
            widths[section] = min(widths[section], max(shortest, room // len(names)))
            room -= widths[section]
        widths[0] = max(min(shortest, widths[0]), room)
        return widths

    def _is_crowded(self) -> bool:
        return sum(self._widths()) > self.viewport().width()

    def resizeEvent(self, event):
        super().resizeEvent(event)
        self._fit()
