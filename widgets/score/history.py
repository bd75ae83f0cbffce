"""Earlier results of UAS Score, to be compared with those of now."""
from __future__ import annotations

from collections.abc import Sequence

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from orange_structpred.evaluation import ScoredPrediction
from orange_structpred.evaluation.report import percent_text
from orange_structpred.widgets.common.layouts import in_column, in_row
from orange_structpred.widgets.common.phrases import plain_tip
from orange_structpred.widgets.common.storedsettings import (
    is_shown_number,
    is_shown_whole,
    is_text,
    list_of,
)

MOST_RECORDS = 100
MOST_RECORDS_SHOWN = 4          # the table scrolls from here on
#: Scores of a record, with and without punctuation
RECORDED = {True: ("uas", "las"), False: ("uas_nopunct", "las_nopunct")}
HISTORY_TITLES = ("Parser", "Treebank", "Sentences", "UAS", "LAS")
#: A score that there is none of, as LAS of a parser without relations
NO_SCORE = -1.


def record_of(scored: ScoredPrediction) -> list:
    """A result as it is kept in a workflow: names, sentences and scores."""
    scores = [scored.evaluation.score(measure)
              for measures in RECORDED.values() for measure in measures]
    return [scored.label, scored.treebank.name, scored.evaluation.sentences,
            *(NO_SCORE if score is None or score != score else round(score, 6)
              for score in scores)]


def is_record(value: object) -> bool:
    return (isinstance(value, (list, tuple)) and len(value) == 7
            and all(map(is_text, value[:2])) and is_shown_whole(value[2])
            and list_of(is_shown_number)(value[3:]))


def with_records(history: Sequence[list], scored: Sequence[ScoredPrediction]) -> list[list]:
    """The history with new results at its end; a result that comes again moves there."""
    records = [record_of(result) for result in scored]
    kept = [list(record) for record in history if list(record) not in records]
    return [*kept, *records][-MOST_RECORDS:]


def history_rows(records: Sequence[list], punct: bool) -> list[list[str]]:
    """Titles and texts of records, the latest first."""
    first = 3 if punct else 5
    return [list(HISTORY_TITLES), *(
        [record[0], record[1], f"{record[2]:,}",
         *("–" if score < 0 else percent_text(score)
           for score in record[first:first + 2])] for record in reversed(records))]


class HistoryView(QWidget):
    """A table of earlier results, with a button that clears it."""

    cleared = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        self.table = QTableWidget(0, len(HISTORY_TITLES))
        self.table.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.NoSelection)
        self.table.setFocusPolicy(Qt.NoFocus)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.Stretch)
        self.clear_button = QPushButton(
            "Clear &History", autoDefault=False, clicked=self.cleared,
            toolTip="Forget the earlier results")
        label = QLabel("Earlier results, the latest first:")
        self.setLayout(in_column(
            in_row(label, self.clear_button, largest=label), self.table))
        self.show_records([], True)

    def show_records(self, records: Sequence[list], punct: bool) -> None:
        titles, *rows = history_rows(records, punct)
        self.table.setHorizontalHeaderLabels(titles)
        self.table.setRowCount(len(rows))
        for number, texts in enumerate(rows):
            for column, text in enumerate(texts):
                cell = QTableWidgetItem(text)
                cell.setToolTip(plain_tip(text))
                if column > 1:
                    cell.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
                self.table.setItem(number, column, cell)
        shown = min(len(rows), MOST_RECORDS_SHOWN)
        self.table.setFixedHeight(
            self.table.horizontalHeader().sizeHint().height()
            + sum(map(self.table.rowHeight, range(shown)))
            + 2 * self.table.frameWidth())
        self.setVisible(bool(rows))
