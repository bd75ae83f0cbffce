"""Confusions: what tokens with wrong heads, relations or tags were taken for."""
from __future__ import annotations

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.evaluation.confusions import (
    CONFUSION_COLUMNS,
    KINDS_OF_HEADS,
    ROWS,
    Confusions,
    confusions,
    prediction_names,
)
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.widgets.common.inputlinks import InputLinks, read_input
from orange_structpred.widgets.common.layouts import label_of, wrapped_label
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.storedsettings import (
    StoredSettings,
    is_pair_of_texts,
    list_of,
)
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.confusions.matrix import ConfusionView

SHOWN = ("number of tokens", "share of the row")
CELL_HINT = "Click a cell to send its sentences on; the tokens it counts are marked."


class OWConfusions(InputLinks, StoredSettings, OWWidget):
    name = "Confusions"
    description = ("Count what tokens with wrong heads, relations or tags were "
                   "mistaken for.")
    icon = "icons/confusions.svg"
    priority = 45
    keywords = ("confusions, confusion matrix, wrong heads, error analysis, relations, "
                "tags, errors")

    class Inputs:
        treebank = Input("Treebank", Table)

    class Outputs:
        treebank = Output("Treebank", Treebank, default=True, dynamic=False,
                          doc="The sentences of the selected cells, with their tokens marked")
        confusions = Output("Confusions", Table, dynamic=False, explicit=True,
                            doc="The matrix as a table")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        no_predictions = Msg("No predictions in {}: connect Apply Parser or Apply Tagger.")
        failed = Msg("{}.")

    class Information(OWWidget.Information):
        nothing_wrong = Msg("There are no errors to show.")

    settings_version = 1
    want_main_area = True

    prediction: str = Setting("", schema_only=True)
    rows: str = Setting(ROWS[0], fits=ROWS)
    columns: str = Setting(CONFUSION_COLUMNS[0], fits=CONFUSION_COLUMNS)
    punct: bool = Setting(True)
    shown: str = Setting(SHOWN[0], fits=SHOWN)
    auto_commit: bool = Setting(True)
    #: pairs of a row and a column
    selection: list = Setting([], schema_only=True, fits=list_of(is_pair_of_texts))

    def __init__(self):
        super().__init__()
        self.treebank: Treebank | None = None
        self.confusions: Confusions | None = None
        self._make_controls()
        self.status = wrapped_label()
        self.view = ConfusionView()
        self.view.cells_changed.connect(self._on_cells)
        self.mainArea.layout().addWidget(self.status)
        self.mainArea.layout().addWidget(self.view, 1)
        self._count()
        open_in_full_size(self)

    def _make_controls(self) -> None:
        box = gui.vBox(self.controlArea, "Prediction")
        self.prediction_combo = gui.comboBox(
            box, self, "prediction", sendSelectedValue=True, callback=self._on_change,
            tooltip="Predicted trees or predicted tags of the treebank")
        box = gui.vBox(self.controlArea, "Matrix")
        self.tree_controls = []
        for text, name, items, tip in (
                ("Ro&ws:", "rows", ROWS, "What the tokens of a row have in common in the "
                 "gold tree"),
                ("C&olumns:", "columns", CONFUSION_COLUMNS, "What the tokens were mistaken for: what "
                 "the wrong head is in the gold tree, its part of speech, or the wrong "
                 "relation")):
            combo = gui.comboBox(None, self, name, items=items, sendSelectedValue=True,
                                 callback=self._on_change, tooltip=tip)
            label = label_of(text, combo)
            box.layout().addWidget(label)
            box.layout().addWidget(combo)
            self.tree_controls += [label, combo]
        combo = gui.comboBox(
            None, self, "shown", items=SHOWN, sendSelectedValue=True,
            callback=self._show, tooltip="Numbers, or percent of all tokens of the row, "
            "right ones included")
        box.layout().addWidget(label_of("&Show:", combo))
        box.layout().addWidget(combo)
        gui.checkBox(box, self, "punct", "Count &punctuation", callback=self._on_change,
                     tooltip="Whether tokens with the tag PUNCT count")
        gui.rubber(self.controlArea)
        gui.button(self.buttonsArea, self, "Select &All", callback=self._select_all,
                   autoDefault=False, tooltip="Select all cells, so that all sentences "
                   "with something wrong are sent")
        gui.auto_send(self.buttonsArea, self, "auto_commit")

    def sizeHint(self) -> QSize:
        return QSize(1060, 640)

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        def read(data: Table) -> tuple[Treebank, list[str]]:
            treebank = as_treebank(data)
            return treebank, prediction_names(treebank)

        self.Error.no_predictions.clear()
        self.treebank, names = read_input(
            data, self.Error.no_treebank, read) or (None, [])
        before = self.prediction
        self.prediction_combo.clear()
        self.prediction_combo.addItems(names)
        self.prediction_combo.setEnabled(bool(names))
        if self.treebank is not None and not names:
            self.Error.no_predictions(self.treebank.name)
        if before in names:
            self.prediction = before
        elif names:
            self.prediction = names[0]
        self._count()
        self.commit.now()

    # The matrix

    def _on_change(self) -> None:
        self._count()
        self.commit.deferred()

    def _count(self) -> None:
        self.Error.failed.clear()
        self.confusions = None
        if self.treebank is not None and self.prediction_combo.count():
            try:
                self.confusions = confusions(
                    self.treebank, self.prediction or None, rows=self.rows,
                    columns=self.columns, punct=self.punct)
            except ValueError as error:
                self.Error.failed(sentence(error))
        trees = self.treebank is None or self.prediction in self.treebank.predictions
        for control in self.tree_controls:
            control.setEnabled(trees)
        self.Information.nothing_wrong(shown=bool(
            self.confusions is not None and not self.confusions.rows))
        self._show()
        self.Outputs.confusions.send(self.confusions and self.confusions.to_table())

    def _show(self) -> None:
        self.view.show_matrix(self.confusions, shares=self.shown == SHOWN[1],
                              tips=KINDS_OF_HEADS)
        self.view.select([tuple(cell) for cell in self.selection])
        self.view.setVisible(bool(self.confusions and self.confusions.rows))
        self.status.setText(self.status_text())

    def links_changed(self) -> None:
        self.status.setText(self.status_text())

    def status_text(self) -> str:
        if self.treebank is None:
            return self.waiting_text("Treebank") or (
                "Connect a treebank with predictions, for example from Apply Parser.")
        if self.confusions is None:
            return ""
        confusions, cells = self.confusions, self.view.selected()
        wrong = int(confusions.counts.sum())
        text = (f"{plural(wrong, 'wrong token', 'wrong tokens')} of “{confusions.name}”: "
                f"{confusions.row_title} in the rows, {confusions.column_title} in the columns. ")
        if not cells:
            return text + CELL_HINT
        counted = sum(int(confusions.counts[confusions.rows.index(row), confusions.columns.index(column)])
                      for row, column in cells)
        return text + (f"Selected: {plural(counted, 'token', 'tokens')} in "
                       + plural(len(cells), "cell", "cells") + ".")

    # Selection

    def _on_cells(self) -> None:
        self.selection = [list(cell) for cell in self.view.selected()]
        self.status.setText(self.status_text())
        self.commit.deferred()

    def _select_all(self) -> None:
        if self.confusions is not None:
            self.view.select([(row, column) for row in self.confusions.rows
                              for column in self.confusions.columns])
            self._on_cells()

    @gui.deferred
    def commit(self) -> None:
        cells = self.view.selected()
        self.Outputs.treebank.send(
            self.confusions.sentences(cells) if cells else None)

    def send_report(self) -> None:
        if self.confusions is None:
            self.report_paragraph(self.status_text() or "No confusions.")
            return
        confusions = self.confusions
        self.report_items([
            ("Treebank", f"{confusions.treebank.name}, "
             + plural(len(confusions.treebank), "sentence", "sentences")),
            ("Prediction", confusions.name), ("Rows", confusions.row_title),
            ("Columns", confusions.column_title),
            ("Punctuation", "counts" if self.punct else "does not count")])
        self.report_raw("Confusions", self.view.html())


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import ParserLearner, load_bundled

    bundled = load_bundled("en")
    WidgetPreview(OWConfusions).run(
        set_treebank=ParserLearner(order=1, passes=1)(bundled[:100])(bundled[100:]))
