"""What Treebank Viewer and Edit Treebank have in common."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from AnyQt.QtWidgets import QFormLayout, QWidget
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Msg, OWWidget

from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.layouts import label_of
from orange_structpred.widgets.common.storedsettings import (
    StoredSettings,
    is_shown_whole,
    list_of,
)
from orange_structpred.widgets.tree.list import LIST_TITLES
from orange_structpred.widgets.tree.picture import DRAWN_TAGS, DRAWN_WORDS
from orange_structpred.widgets.tree.sentencepane import FilteredSentences
from orange_structpred.widgets.tree.view import TreePane


class TreeListWidget(InputLinks, StoredSettings, OWWidget, openclass=True):
    """Sentences in a list, and the tree of the current one beside it.

    A subclass has a `treebank`, its `sentences` and the index of the one that is
    `drawn`. It draws (`draw`), follows the list (`on_current`) and sends (`commit`).
    """

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")

    #: what is said where the filter leaves no sentence
    nothing_left: str

    want_control_area = False

    words: str = Setting(DRAWN_WORDS[0], fits=DRAWN_WORDS)
    tags: str = Setting(DRAWN_TAGS[0], fits=DRAWN_TAGS)
    sort_column: int = Setting(0, fits=range(len(LIST_TITLES)))
    sort_descending: bool = Setting(False)
    auto_commit: bool = Setting(True)
    selection: list = Setting([], schema_only=True, fits=list_of(is_shown_whole))

    # Layout

    def take_list(self, pane: FilteredSentences) -> None:
        self.pane, self.list = pane, pane.list
        pane.order_chosen.connect(self._on_order)
        pane.current_changed.connect(self.on_current)
        pane.selection_changed.connect(self.on_selection)

    def take_tree(self, pane: TreePane) -> None:
        self.view, self.about, self.line = pane.view, pane.about, pane.line
        self.view.look_changed.connect(self.draw)

    def add_display(self, choices: Iterable[tuple[str, str, Sequence[str], str]]
                    ) -> tuple[QWidget, QFormLayout]:
        """A box below the list, and the form in it, for how trees are drawn.

        choices : text, setting, items and tooltip of combo boxes
        """
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.AllNonFixedFieldsGrow)
        box = gui.widgetBox(self.pane, "Display", orientation=form, addToLayout=False)
        for text, setting, items, tip in choices:
            combo = gui.comboBox(box, self, setting, items=items, tooltip=tip,
                                 sendSelectedValue=True, callback=self.draw,
                                 addToLayout=False)
            form.addRow(label_of(text, combo), combo)
        self.pane.layout().addWidget(box)
        return box, form

    # The list

    def _on_order(self, column: int, descending: bool) -> None:
        self.sort_column, self.sort_descending = column, descending

    def on_selection(self) -> None:
        selected = self.list.selected()
        # what comes after no treebank may be the same as before
        if self.sentences and selected != self.selection:
            self.selection = selected
            self.commit.deferred()

    # The tree

    def links_changed(self) -> None:
        if self.drawn is None:
            self.draw()

    def why_nothing(self) -> str:
        if self.Error.no_treebank.is_shown():
            return "The input is not a treebank."
        if self.treebank is None:
            return self.missing_text(["a treebank"])
        return self.nothing_left if self.sentences else "The treebank has no sentences."
