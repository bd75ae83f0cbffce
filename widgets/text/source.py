"""Where a widget takes its text from: data, a file, or a field to type in."""
from __future__ import annotations

import os
from typing import NamedTuple

from AnyQt.QtCore import QTimer
from AnyQt.QtWidgets import QComboBox, QGridLayout, QPlainTextEdit, QSizePolicy
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from orange_structpred.tagging.importing import documents_of, text_variables
from orange_structpred.treebank.columns import sentence_variables
from orange_structpred.treebank.text import plain_text, read_text
from orange_structpred.widgets.common.doing import DoingWidget
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.recentplaces import SourcesMixin
from orange_structpred.widgets.common.windows import make_placeholder_readable

#: Texts and tooltips of their buttons
TEXT_SOURCES = {
    "data": ("&Data, column:", "A column of the data, with one document in each row"),
    "file": ("&File:", "A text file in UTF-8"),
    "text": ("T&yped:", "Text that you type or paste here")}
TYPED = "text"          # name of a treebank of what was typed
TYPING_PATIENCE = 700          # milliseconds after the last key until what is typed counts


class Source(NamedTuple):
    """Where the text is: a column of a table, a file, or what was typed."""

    kind: str
    data: Table | None = None
    column: str | None = None
    path: str = ""
    text: str = ""

    @property
    def name(self) -> str:
        if self.kind == "data":
            return self.data.name
        if self.kind == "file":
            return os.path.splitext(os.path.basename(self.path))[0]
        return TYPED

    def documents(self) -> list[str]:
        """The texts; an InputError or an OSError says why there are none."""
        if self.kind == "data":
            return documents_of(self.data, self.column)
        return [read_text(self.path) if self.kind == "file"
                else plain_text(self.text, "Typed text")]


class TextSourceWidget(SourcesMixin, DoingWidget, openclass=True):
    """A widget with text to work on. Data, as soon as there are some, are the source."""

    #: whether data may be a treebank, which has no text column to choose
    takes_treebanks = False

    source = Setting("text", fits=TEXT_SOURCES)
    column = Setting("")                        # "" for the most likely one
    text = Setting("", schema_only=True)

    recent_key = "recent-paths/text"
    open_title, open_filters = "Open Text", "Text (*.txt);;All files (*)"

    def __init__(self):
        DoingWidget.__init__(self)
        self.init_recent_files()
        self.data: Table | None = None
        self.timer = QTimer(self, interval=TYPING_PATIENCE, singleShot=True)
        self.timer.timeout.connect(self._text_typed)
        self.settingsAboutToBePacked.connect(self._take_typed)

    # Controls

    def add_source(self):
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        gui.widgetBox(self.controlArea, "Text", orientation=grid)
        self.make_source_buttons(TEXT_SOURCES)
        for row, button in enumerate(self.buttons.values()):
            grid.addWidget(button, row, 0)
        self.column_combo = QComboBox(toolTip="The column with the texts")
        self.column_combo.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.column_combo.activated.connect(self._column_chosen)
        grid.addWidget(self.column_combo, 0, 1, 1, 2)
        grid.addWidget(self.file_combo, 1, 1)
        grid.addWidget(self.browse_button, 1, 2)
        self.editor = QPlainTextEdit(
            self.text, placeholderText="Type or paste text here. An empty line ends a "
            "paragraph.", tabChangesFocus=True,
            toolTip="Text that you type or paste here")
        make_placeholder_readable(self.editor)
        self.editor.setMinimumHeight(5 * self.editor.fontMetrics().lineSpacing())
        self.editor.textChanged.connect(self.timer.start)
        grid.addWidget(self.editor, 3, 0, 1, 3)
        self._show_source(self.source)
        self.set_file_list()
        self.path_changed()
        self._show_columns()

    def choose(self, source: str):
        self._show_source(source)
        if source == "file":
            self.path_changed()
        self.do()

    def _show_source(self, source: str):
        """Typed text looks like the source only where it is."""
        self.source = source
        self.buttons[source].setChecked(True)
        self.editor.setEnabled(source == "text")

    def _column_chosen(self):
        self.column = self.column_combo.currentText()
        self.choose("data")

    def _text_typed(self):
        if self.editor.toPlainText() != self.text:
            self.text = self.editor.toPlainText()
            self.choose("text")

    def _take_typed(self):
        """What was typed a moment ago is saved, too."""
        if self.timer.isActive():
            self.timer.stop()
            self._text_typed()

    # Input

    def take_data(self, data: Table | None):
        self.data = data
        if data is not None:
            self._show_source("data")
        self._show_columns()

    def is_treebank(self) -> bool:
        return (self.takes_treebanks and self.data is not None
                and bool(sentence_variables(self.data.domain)))

    def _show_columns(self):
        names = [] if self.data is None else [
            var.name for var in text_variables(self.data)]
        self.column_combo.clear()
        if self.is_treebank():
            names = ["(sentences of the treebank)"]
        self.column_combo.addItems(names)
        if self.column in names:
            self.column_combo.setCurrentText(self.column)
        for widget in (self.buttons["data"], self.column_combo):
            widget.setEnabled(self.data is not None)

    def chosen_source(self) -> Source:
        if self.source == "data":
            chosen = self.column_combo.currentText()
            return Source("data", self.data, chosen or None)
        return Source(self.source, path=self.path, text=self.text)

    def missing(self) -> list[str]:
        return super().missing() + self.no_text()

    def no_text(self) -> list[str]:
        """What is missing of the source."""
        if self.source == "data" and self.data is None:
            return ["data with text"]
        if self.source == "file" and not self.path:
            return ["choose a text file"]
        if self.source == "text" and not self.text.strip():
            return ["data with text, choose a file or type some text"]
        return []

    def source_words(self) -> list[str]:
        """What to say of the source."""
        if self.no_text():
            return []
        if self.source == "data":
            what = ("sentence", "sentences") if self.is_treebank() \
                else ("document", "documents")
            return [self.data.name, plural(len(self.data), *what)]
        if self.source == "file":
            return [os.path.basename(self.path)]
        return ["typed text", plural(len(self.text), "character", "characters")]

    def onDeleteWidget(self):
        self.timer.stop()
        super().onDeleteWidget()
