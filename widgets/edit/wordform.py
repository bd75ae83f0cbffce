"""Fields for the annotation of a word, which complete what is typed."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from AnyQt.QtCore import Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QStandardItem, QStandardItemModel
from AnyQt.QtWidgets import QCompleter, QGridLayout, QLineEdit, QWidget

from orange_structpred.treebank import Sentence
from orange_structpred.treebank.editing.suggestions import SMALLEST_SHARE, Suggestion
from orange_structpred.treebank.layers import EMPTY, UNIVERSAL_VALUES, layer_values
from orange_structpred.widgets.common.layouts import label_of
from orange_structpred.widgets.tree.picture import whole_percent

FORM = "form"
VALUE_ROLE = Qt.UserRole + 1
#: Layers, their titles, their keys, and their share of the width
WORD_LAYERS = ((FORM, "&Word", "W", 3), ("lemma", "&Lemma", "L", 3),
               ("upos", "&UPOS", "U", 2), ("xpos", "&XPOS", "X", 2),
               ("feats", "&Features", "F", 5), ("deprel", "&Relation", "R", 3))


class LayerField(QLineEdit):
    """A value of a word; Enter takes what was typed, Esc takes it back.

    is_closed : whether there are few values, so that Enter completes what was typed
    empty : what an empty field stands for
    value_entered : a new value
    left : the keyboard is free for other things again
    """

    value_entered = Signal(str)
    left = Signal()

    def __init__(self, title: str, *, is_closed: bool = False, empty: str = EMPTY):
        super().__init__()
        self.value, self.is_closed, self.empty = "", is_closed, empty
        self.setAccessibleName(title.replace("&", ""))
        self._values = QStandardItemModel(self)
        completer = QCompleter(self._values, self)
        completer.setCaseSensitivity(Qt.CaseInsensitive)
        completer.setFilterMode(Qt.MatchContains)
        completer.setCompletionRole(VALUE_ROLE)
        completer.setMaxVisibleItems(12)
        completer.activated[str].connect(self._enter)
        self.setCompleter(completer)
        self.textEdited.connect(self._match)        # before the list opens
        self.editingFinished.connect(self._on_finished)

    def show_value(self, value: str, suggestions: Sequence[Suggestion]) -> None:
        self.value = value
        self.setText("" if value == self.empty else value)
        self.setCursorPosition(0)
        self.show_suggestions(suggestions)

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """What can be chosen; a list that is open stays open."""
        is_open = self.completer().popup().isVisible()
        self._values.clear()
        for suggestion, share in suggestions:
            item = QStandardItem(
                f"{suggestion}    {whole_percent(share)}" if share >= SMALLEST_SHARE
                else suggestion)
            item.setData(suggestion, VALUE_ROLE)
            item.setEditable(False)
            self._values.appendRow(item)
        if is_open and self._values.rowCount():
            self.completer().complete()

    def choose(self) -> None:
        """Start typing, with all values to choose from."""
        self.setFocus(Qt.ShortcutFocusReason)
        self.selectAll()
        if self._values.rowCount():
            self.completer().setCompletionPrefix("")
            popup = self.completer().popup()
            popup.setMinimumWidth(popup.sizeHintForColumn(0) + 40)
            self.completer().complete()

    def _beginning(self, text: str) -> list[str]:
        """The values that begin like this."""
        values = (self._values.item(row).data(VALUE_ROLE)
                  for row in range(self._values.rowCount()))
        return [value for value in values if value.lower().startswith(text.lower())]

    def _match(self, text: str) -> None:
        """List the values that begin like this; if there are none, those that have it
        elsewhere."""
        self.completer().setFilterMode(
            Qt.MatchStartsWith if self._beginning(text) else Qt.MatchContains)

    def completed(self, text: str) -> str:
        """What Enter takes, of layers with few values: the first value that begins like
        this. All else is taken as it is."""
        beginning = self._beginning(text) if self.is_closed and text else []
        return text if text in beginning or not beginning else beginning[0]

    def _enter(self, text: str) -> None:
        self.completer().popup().hide()     # it would swallow keys during the change
        self.setText(text)
        self._take()
        self.left.emit()

    def _on_finished(self) -> None:
        if not self.completer().popup().isVisible():
            self._take()

    def _take(self) -> None:
        value = self.text().strip() or self.empty
        if value != self.value:
            self.value = value
            self.value_entered.emit(value)

    def keyPressEvent(self, event):
        if event.key() in (Qt.Key_Return, Qt.Key_Enter):
            self._enter(self.completed(self.text().strip()))
        elif event.key() == Qt.Key_Escape:
            self.setText("" if self.value == self.empty else self.value)
            self.left.emit()
        else:
            super().keyPressEvent(event)


class WordForm(QWidget):
    """The annotation of the selected word in a row of fields.

    value_entered : a layer, and its new value
    left : the keyboard is free for other things again
    """

    value_entered = Signal(str, str)
    left = Signal()

    def __init__(self, parent=None):
        super().__init__(parent)
        layout = QGridLayout(self)
        layout.setContentsMargins(4, 2, 4, 2)
        layout.setVerticalSpacing(1)
        self.fields: dict[str, LayerField] = {}
        for column, (layer, title, key, width) in enumerate(WORD_LAYERS):
            # each word has a form, which may be a "_"
            field = LayerField(title, is_closed=layer in UNIVERSAL_VALUES,
                               empty="" if layer == FORM else EMPTY)
            field.setToolTip(f"Press {key} to edit; Enter accepts, Esc cancels")
            field.value_entered.connect(partial(self.value_entered.emit, layer))
            field.left.connect(self.left)
            layout.addWidget(label_of(title, field), 0, column)
            layout.addWidget(field, 1, column)
            layout.setColumnStretch(column, width)
            self.fields[layer] = field
        self.show_word(None, 0, lambda layer: [])

    def show_word(self, sentence: Sentence | None, word: int,
                  suggest: Callable[[str], Sequence[Suggestion]]) -> None:
        """The annotation of a word; 0 for none.

        suggest : values of a layer
        """
        self.setEnabled(bool(word))
        for layer, field in self.fields.items():
            if not word or sentence is None:
                field.show_value(field.empty, [])
            elif layer == FORM:
                field.show_value(sentence.forms[word - 1], [])
            else:
                field.show_value(layer_values(sentence, layer)[word - 1], suggest(layer))

    def show_suggestions(self, layer: str, suggestions: Sequence[Suggestion]) -> None:
        self.fields[layer].show_suggestions(suggestions)
