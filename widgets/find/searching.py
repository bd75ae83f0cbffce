"""What Find Trees and Treebank Statistics have in common."""
from __future__ import annotations

from collections.abc import Callable

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QComboBox, QWidget
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Input, Msg, OWWidget

from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.widgets.common.background import WorkingWidget
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.inputlinks import read_input
from orange_structpred.widgets.common.layouts import split_area, wrapped_label
from orange_structpred.widgets.common.phrases import sentence
from orange_structpred.widgets.common.storedsettings import is_pair_of_texts, list_of

GOLD_TREES = "Gold trees"


def read_predicted(data: Table) -> tuple[Treebank, list[str]]:
    """A treebank, and the names of its predictions."""
    treebank = as_treebank(data)
    return treebank, list(treebank.predictions)


class TreeSearchWidget(WorkingWidget, openclass=True):
    """Counts something in the trees of a treebank, and sends the sentences of what is
    selected.

    A subclass says what is done (`what_to_do`), shows it (`show_result`), says where
    things stand (`status_text`) and sends what is selected (`commit`).
    """

    #: what is done, in words
    work: str

    class Inputs:
        treebank = Input("Treebank", Table)

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        failed = Msg("{}.")

    prediction: str = Setting("", schema_only=True)
    auto_commit: bool = Setting(True)
    #: pairs of a value of the first key and one of the second
    cells: list = Setting([], schema_only=True, fits=list_of(is_pair_of_texts))

    def __init__(self):
        super().__init__()
        self.treebank: Treebank | None = None
        self.result = None

    # Controls

    def add_trees(self, tooltip: str) -> None:
        self.tree_combo = QComboBox(toolTip=tooltip)
        self.tree_combo.activated.connect(self._on_trees)
        gui.vBox(self.controlArea, "Trees").layout().addWidget(self.tree_combo)

    def add_panes(self, upper: QWidget, lower: QWidget, shares: tuple[int, int]
                  ) -> None:
        """A line that says where things stand, and two panes below it."""
        self.status = wrapped_label()
        self.mainArea.layout().addWidget(self.status)
        self.mainArea.layout().addWidget(
            split_area(Qt.Vertical, upper, lower, shares=shares), 1)

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.treebank, names = read_input(
            data, self.Error.no_treebank, read_predicted) or (None, [])
        if self.treebank is not None and self.prediction not in names:
            self.prediction = ""
        self.tree_combo.clear()
        self.tree_combo.addItems([GOLD_TREES, *names])
        self.tree_combo.setCurrentIndex(
            names.index(self.prediction) + 1 if self.prediction in names else 0)
        self.trees_changed()
        self.begin()

    def _on_trees(self, index: int) -> None:
        self.prediction = self.tree_combo.itemText(index) if index else ""
        self.forget_selection()
        self.trees_changed()
        self.begin()

    def trees_changed(self) -> None:
        """There are other trees to count in."""

    def forget_selection(self) -> None:
        self.cells = []

    # The work

    def what_to_do(self) -> tuple[Callable, ...] | None:
        """A function for a thread and its arguments, if anything can be done."""
        raise NotImplementedError

    def begin(self) -> None:
        """Do anew what can be done."""
        self.cancel()
        self.result = None
        self.Error.failed.clear()
        work = self.what_to_do()
        if work is None:
            self._show_and_send()
        else:
            self.start(*work)
            self.status.setText(f"{sentence(self.work)}…")

    def on_done(self, result: object) -> None:
        self.result = result
        self._show_and_send()

    def on_exception(self, error: Exception) -> None:
        self.show_error(error)
        self._show_and_send()

    def show_error(self, error: Exception) -> None:
        self.Error.failed(sentence(failure_text(self.work, error)))

    def _show_and_send(self) -> None:
        self.show_result()
        self.commit.now()

    # What is shown

    def show_result(self) -> None:
        raise NotImplementedError

    def status_text(self) -> str:
        """Why nothing can be searched yet, or an empty text."""
        if self.Error.no_treebank.is_shown():
            return "The input is not a treebank."
        return self.missing_text(["a treebank"]) if self.treebank is None else ""

    def links_changed(self) -> None:
        self.status.setText(self.status_text())

    def chosen_cells(self) -> list[tuple[str, str]]:
        return [tuple(cell) for cell in self.cells]
