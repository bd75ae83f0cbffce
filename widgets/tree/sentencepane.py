"""A list of sentences, with a filter, and the prediction that is compared."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from AnyQt.QtCore import QEvent, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import QAction, QComboBox, QLineEdit, QSizePolicy, QWidget

from orange_structpred.treebank import Prediction, Sentence
from orange_structpred.treebank.prediction import (
    expected_errors,
    stored_head_probabilities,
)
from orange_structpred.widgets.common.layouts import in_column, in_row, label_of
from orange_structpred.widgets.common.windows import make_placeholder_readable
from orange_structpred.widgets.tree.list import SentenceModel, SentenceView, wrong_heads

GOLD_ONLY = "none (gold only)"


class FilteredSentences(QWidget):
    """A list of sentences, and above it a field for what they must contain.

    order_chosen : the column to sort by, and whether in descending order
    current_changed, selection_changed : in the list, which may be the same as before

    Parameters
    ----------
    model : of the list
    sort_column, descending : order of the list
    owner : the widget in which the key for the filter works
    """

    order_chosen = Signal(int, bool)
    current_changed = Signal()
    selection_changed = Signal()

    def __init__(self, model: SentenceModel, sort_column: int, descending: bool,
                 owner: QWidget):
        super().__init__()
        self.filter_edit = QLineEdit(
            placeholderText="Filter by text or sentence id…", clearButtonEnabled=True,
            toolTip="Show only sentences that contain this text (Ctrl+F)")
        make_placeholder_readable(self.filter_edit)
        self.filter_edit.textChanged.connect(self._on_filter)
        self.filter_edit.installEventFilter(self)
        find = QAction("Find", owner, shortcut=QKeySequence.Find)
        find.triggered.connect(
            lambda: self.filter_edit.setFocus(Qt.ShortcutFocusReason))
        owner.addAction(find)

        self.model = model
        model.setParent(self)
        self.list = SentenceView(self.model)
        order = Qt.DescendingOrder if descending else Qt.AscendingOrder
        self.model.sort(sort_column, order)
        header = self.list.horizontalHeader()
        header.setSortIndicator(sort_column, order)
        header.sortIndicatorChanged.connect(self._on_sort)
        self.list.current_changed.connect(self.current_changed)
        self.list.selection_changed.connect(self.selection_changed)
        self.setLayout(in_column(self.filter_edit, self.list, largest=self.list))

    def _on_filter(self, text: str) -> None:
        self._rearrange(lambda: self.model.set_pattern(text))

    def _on_sort(self, column: int, order: Qt.SortOrder) -> None:
        self.order_chosen.emit(column, order == Qt.DescendingOrder)
        self._rearrange(lambda: self.model.sort(column, order))
        self.list.scrollToTop()         # who sorts wants to see the first ones

    def _rearrange(self, change: Callable[[], None]) -> None:
        """Change the list; what was selected and is still in it stays selected."""
        selected, current = self.list.selected(), self.list.current()
        change()
        self.list.select(selected, current)
        self.current_changed.emit()
        self.selection_changed.emit()

    def eventFilter(self, watched, event):
        if watched is self.filter_edit and event.type() == QEvent.KeyPress:
            if event.key() == Qt.Key_Escape and self.filter_edit.text():
                self.filter_edit.clear()        # and do not close the window
                return True
            if self.step_by(event.key()):
                return True
        return super().eventFilter(watched, event)

    def step_by(self, key: int) -> bool:
        """Go to the sentence before or after, if a key asks for it."""
        rows = {Qt.Key_Up: -1, Qt.Key_Down: 1}.get(key, 0)
        if rows:
            self.list.step(rows)
        return bool(rows)


class SentencePane(FilteredSentences):
    """The left side of Treebank Viewer.

    prediction_chosen : another one, or "" for none
    """

    prediction_chosen = Signal(str)

    def __init__(self, sort_column: int, descending: bool, owner: QWidget):
        super().__init__(SentenceModel(), sort_column, descending, owner)
        self.predictions: Mapping[str, Prediction] = {}
        #: of the heads of the sentences themselves, if they are known
        self.own_probabilities: list[np.ndarray] | None = None
        self._wrong: dict[str | None, np.ndarray | None] = {None: None}
        self.prediction_combo = QComboBox(
            toolTip="The prediction that is drawn below the words and scored",
            sizeAdjustPolicy=QComboBox.AdjustToMinimumContentsLengthWithIcon,
            minimumContentsLength=12)
        self.prediction_combo.activated.connect(self._on_prediction)
        self.prediction_combo.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.layout().insertLayout(
            0, in_row(label_of("&Prediction:", self.prediction_combo),
                      self.prediction_combo))

    def set_sentences(self, sentences: Sequence[Sentence],
                      predictions: Mapping[str, Prediction],
                      preferred: str | None) -> None:
        """Show these; nothing is selected.

        preferred : a prediction, "" for none, or None for the first
        """
        self.predictions = predictions
        self.own_probabilities = stored_head_probabilities(sentences)
        self._wrong = {None: None}
        names = list(predictions)
        self.prediction_combo.clear()
        self.prediction_combo.addItems([*names, GOLD_ONLY])
        self.prediction_combo.setEnabled(bool(names))
        if preferred in names:
            self.prediction_combo.setCurrentIndex(names.index(preferred))
        elif preferred == "":
            self.prediction_combo.setCurrentIndex(len(names))
        self.model.set_sentences(sentences)
        self._show_scores()

    @property
    def chosen(self) -> str | None:
        """The name of the prediction that is shown, if any."""
        name = self.prediction_combo.currentText()
        return name if name in self.predictions else None

    @property
    def probabilities(self) -> list[np.ndarray] | None:
        """Of the heads of the prediction that is shown, or, without one, of the sentences'
        own heads; None if they are not known."""
        name = self.chosen
        return self.own_probabilities if name is None \
            else self.predictions[name].probabilities

    def uas(self, sentence: int) -> float:
        """Of the prediction; nan if it is not known."""
        uas = self.model.uas
        return np.nan if uas is None else float(uas[sentence])

    def _on_prediction(self) -> None:
        self._rearrange(self._show_scores)
        self.prediction_chosen.emit(self.chosen or "")

    def _show_scores(self) -> None:
        name = self.chosen
        if name not in self._wrong:
            self._wrong[name] = wrong_heads(self.model.sentences,
                                            self.predictions[name])
        doubt = expected_errors(self.probabilities or [])
        self.model.set_wrong(self._wrong[name], None if np.isnan(doubt).all() else doubt)
        self.list.fit_columns()
