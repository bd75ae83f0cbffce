"""What is in a treebank, as a panel: numbers, tags, and what was skipped."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from AnyQt.QtCore import Qt
from AnyQt.QtGui import QColor
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QFormLayout,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableView,
    QTabWidget,
    QWidget,
)
from Orange.widgets import gui
from orangewidget.utils.itemmodels import PyTableModel

from orange_structpred.treebank import ConllError, Treebank
from orange_structpred.treebank.ud import licence_name
from orange_structpred.widgets.common.layouts import in_column, wrapped_label
from orange_structpred.widgets.common.phrases import elided, plural, safe_tip

#: Tabs with counts: title, key of the statistics, what is counted
COUNTED = (("UPOS", "upos", "Universal PoS tag (in CoNLL-X the coarse one)"),
           ("XPOS", "xpos", "The language's own PoS tag (in CoNLL-X the fine one)"),
           ("Relations", "relations", "Relation of a token to its head"))
BAR_COLOUR = QColor("#b39ddb")
LICENCE_ROW, LONGEST_LICENCE = "Licence", 1500     # letters of it in a tooltip
#: Bars are relative to the largest share, but at least to this one
SMALLEST_FULL_BAR = 0.1
SHARE_TIP = (f"Share of the tokens. A bar of full width stands for the largest share, or "
             f"{SMALLEST_FULL_BAR:.0%} if no share is that large.")


def statistics_rows(treebank: Treebank, statistics: Mapping, licence: str = ""
                    ) -> list[tuple[str, str]]:
    """Names and values to show, from what `describe` says of the sentences.

    licence : its text, if it is known
    """
    sentences, unparsed = statistics["sentences"], statistics["unparsed"]
    forms = plural(statistics["forms"], "different form", "different forms")
    longest = plural(statistics["length_max"], "token", "tokens")
    rows = [("Sentences", f"{sentences:,}"),
            ("Tokens", f"{statistics['tokens']:,} ({forms})"),
            ("Sentence length",
             f"{statistics['length_mean']:.1f} on average, longest {longest}")]
    tagged = statistics["upos"] or statistics["xpos"]
    if not unparsed:
        heads = "all known"
    elif unparsed == sentences:
        heads = "unknown: can be parsed, but not learned from" if tagged \
            else "unknown"
    else:
        heads = f"unknown in {plural(unparsed, 'sentence', 'sentences')}"
    rows.append(("Heads", heads))
    if unparsed < sentences:
        trees = plural(statistics["non_projective"], "tree", "trees")
        rows.append(("Non-projective",
                     f"{trees} ({statistics['non_projective_share']:.1f}%)"))
    rows.append(("PoS tags", f"{len(statistics['upos'])} UPOS, {len(statistics['xpos'])} XPOS"
                 if tagged else "none: parsers need them, so tag the sentences first"))
    if treebank.predictions:
        rows.append(("Predictions", ", ".join(treebank.predictions)))
    if licence:
        rows.append((LICENCE_ROW, licence_name(licence)))
    return rows


def skipped_rows(skipped: Sequence[ConllError]) -> list[tuple[str, str, str]]:
    """Where something was skipped, what was found there and what was expected."""
    return [(_place(fault), fault.found, fault.expected) for fault in skipped]


def _place(fault: ConllError) -> str:
    # Sentences out of a table have the row in the place of the file.
    row = re.fullmatch(r".*, (row \d+)", fault.file)
    return f"{row[1]}, line {fault.line}" if row else f"line {fault.line}"


class TreebankStatistics(QWidget):
    """Numbers at the top, tabs with counted tags and skipped sentences below."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.name = wrapped_label(Qt.RichText)
        self.numbers = QFormLayout(
            labelAlignment=Qt.AlignLeft, horizontalSpacing=16, verticalSpacing=2)
        self.tabs = QTabWidget(documentMode=True)
        self.tables: dict[str, QTableView] = {}
        for title, key, tip in COUNTED:
            self.tables[key] = table = _table(
                ("Tag" if key != "relations" else "Relation", "Tokens", "Share"),
                {2: SHARE_TIP})
            table.setItemDelegateForColumn(2, gui.TableBarItem(table, BAR_COLOUR))
            self.tabs.addTab(table, title)
            self.tabs.setTabToolTip(self.tabs.count() - 1, tip)
        self.tables["skipped"] = _table(("Where", "Found", "Expected"))
        layout = in_column(self.name, self.numbers, self.tabs, largest=self.tabs)
        layout.addStretch()
        self.setLayout(layout)
        self.clear()

    def clear(self, reason: str = "") -> None:
        """Show in the place of statistics why there are none."""
        self.reason = reason
        self.name.setText(_breakable(reason))
        self._set_numbers([])
        for _, key, _ in COUNTED:
            self._set_counts(key, {})
        self.set_skipped([])
        self.tabs.hide()

    def show_statistics(self, treebank: Treebank, statistics: Mapping,
                        licence: str = "") -> None:
        self.name.setText(f"<b>{escape(treebank.name)}</b>")
        self._set_numbers(statistics_rows(treebank, statistics, licence),
                          {LICENCE_ROW: elided(licence, LONGEST_LICENCE)})
        for index, (_, key, _) in enumerate(COUNTED):
            self._set_counts(key, statistics[key])
            self.tabs.setTabEnabled(index, True)
        self.set_skipped(treebank.skipped)
        if self.tabs.currentIndex() < len(COUNTED) \
                and not statistics[COUNTED[self.tabs.currentIndex()][1]]:
            self.tabs.setCurrentIndex(0)
        for index, (_, key, _) in enumerate(COUNTED):
            self.tabs.setTabEnabled(index, bool(statistics[key]))
        self.tabs.show()

    def set_skipped(self, skipped: Sequence[ConllError]) -> None:
        """List faults in a tab of their own, which is in front if there are any."""
        table = self.tables["skipped"]
        index = self.tabs.indexOf(table)
        if not skipped:
            if index >= 0:
                self.tabs.removeTab(index)
                self.tabs.setCurrentIndex(0)
            return
        table.model().wrap(skipped_rows(skipped))
        _fit_columns(table, {0: 150, 1: 230})
        title = f"Skipped ({len(skipped):,})"
        if index < 0:
            index = self.tabs.addTab(table, title)
            self.tabs.setTabToolTip(index, "Sentences with errors that were left out")
        self.tabs.setTabText(index, title)
        self.tabs.setCurrentIndex(index)
        self.tabs.show()

    def _set_numbers(self, rows: Sequence[tuple[str, str]],
                     tips: Mapping[str, str] = {}) -> None:
        while self.numbers.rowCount():
            self.numbers.removeRow(0)
        for name, value in rows:
            label = QLabel(value, textFormat=Qt.PlainText,
                           textInteractionFlags=Qt.TextSelectableByMouse)
            label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
            label.setToolTip(safe_tip(
                tips.get(name, value if name == "Predictions" else "")))
            self.numbers.addRow(f"{name}:", label)

    def _set_counts(self, key: str, counts: Mapping[str, int]) -> None:
        model, total = self.tables[key].model(), max(1, sum(counts.values()))
        full = max(max(counts.values(), default=0), SMALLEST_FULL_BAR * total)
        model.wrap([[tag, count, count / total] for tag, count in counts.items()])
        for row, count in enumerate(counts.values()):
            model.setData(model.index(row, 1), f"{count:,}", Qt.DisplayRole)
            share = model.index(row, 2)
            model.setData(share, f"{100 * count / total:.1f}%", Qt.DisplayRole)
            model.setData(share, f"{100 * count / total:.2f}%", Qt.ToolTipRole)
            model.setData(share, count / full, gui.TableBarItem.BarRole)
        _fit_columns(self.tables[key], {0: 230})
        index = self.tabs.indexOf(self.tables[key])
        title = next(title for title, name, _ in COUNTED if name == key)
        self.tabs.setTabText(index, f"{title} ({len(counts):,})")


def _breakable(text: str) -> str:
    """HTML of a message in which long paths and addresses can be broken."""
    return re.sub(r"(?<=\w)([/\\._-])", "\\1&#8203;", escape(text)).replace("\n", "<br/>")


def _fit_columns(table: QTableView, widest: Mapping[int, int]) -> None:
    """Make columns as wide as what is in them, but not wider than that."""
    for column, most in widest.items():
        table.resizeColumnToContents(column)
        table.setColumnWidth(column, min(
            most, max(table.horizontalHeader().defaultSectionSize() // 2,
                      table.columnWidth(column) + 8)))


class _Model(PyTableModel):
    """A table some of whose columns have a tip, by their number."""

    def __init__(self, tips: Mapping[int, str], parent: QWidget):
        super().__init__(parent=parent)
        self._tips = tips

    def headerData(self, section, orientation, role=Qt.DisplayRole):
        if orientation == Qt.Horizontal and role == Qt.ToolTipRole \
                and section in self._tips:
            return self._tips[section]
        return super().headerData(section, orientation, role)


def _table(header: Sequence[str], tips: Mapping[int, str] = {}) -> QTableView:
    table = QTableView(
        sortingEnabled=True, showGrid=False, alternatingRowColors=True,
        selectionBehavior=QAbstractItemView.SelectRows,
        selectionMode=QAbstractItemView.ExtendedSelection,
        editTriggers=QAbstractItemView.NoEditTriggers,
        horizontalScrollMode=QAbstractItemView.ScrollPerPixel,
        wordWrap=False)
    model = _Model(tips, table)
    model.setHorizontalHeaderLabels(header)
    table.setModel(model)
    # The order of the file, or the most frequent first, until a header is clicked.
    table.horizontalHeader().setSortIndicator(-1, Qt.AscendingOrder)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.Interactive)
    table.horizontalHeader().setStretchLastSection(True)
    table.horizontalHeader().setHighlightSections(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 6)
    table.setMinimumHeight(100)
    return table
