"""A pattern and commands: all changes in a list, those that are ticked are made."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from orange_structpred.errors import InputError
from orange_structpred.search.mass_edit import MassEdit, mass_edit
from orange_structpred.search.scanner import PatternError
from orange_structpred.treebank import Sentence, Treebank
from orange_structpred.treebank.editing import SentenceChange
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.widgets.common.layouts import in_column, in_row, label_of
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.phrases import sentence as as_sentence
from orange_structpred.widgets.common.windows import make_placeholder_readable
from orange_structpred.widgets.find.field import PatternField

CHANGE_TITLES = ("Sentence", "Word", "Key", "Before", "After", "Text")
COMMANDS_HINT = "N.upos = PROPN; V -[obl]-> N becomes nmod"
COMMANDS_TIP = ("Separated by semicolons: N.upos = PROPN, N.lemma = N.form, N.Number = "
                "Sing, V -[obl]-> N becomes nmod, N.head = V. In a short pattern the "
                "word is W.")
MOST_PREVIEWED = 20_000
CONTEXT_WORDS = 6           # on each side of a changed word


def words_around(sentence: Sentence, word: int) -> str:
    """A word with its neighbours."""
    first, last = max(word - 1 - CONTEXT_WORDS, 0), word + CONTEXT_WORDS
    forms = sentence.forms
    return (("… " if first else "") + " ".join(forms[first:last])
            + (" …" if last < len(forms) else ""))


class MassEditDialog(QDialog):
    """Preview of what commands would change.

    Parameters
    ----------
    sentences : gives those of now
    make : makes changes as one step, and says whether it has
    """

    def __init__(self, sentences: Callable[[], Sequence[Sentence]],
                 make: Callable[[str, Sequence[SentenceChange]], bool],
                 parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle("Change All Matches")
        self._sentences, self._make = sentences, make
        self.edit: MassEdit | None = None
        self._previewed: tuple[Sentence, ...] = ()
        self.pattern = PatternField()
        self.pattern.pattern_changed.connect(self.preview)
        self.commands = QLineEdit(placeholderText=COMMANDS_HINT, toolTip=COMMANDS_TIP)
        make_placeholder_readable(self.commands)
        self.commands.editingFinished.connect(self.preview)
        self.list = QTreeWidget(rootIsDecorated=False, uniformRowHeights=True,
                                selectionMode=QAbstractItemView.ExtendedSelection)
        self.list.setHeaderLabels(CHANGE_TITLES)
        self.list.itemChanged.connect(self._enable)
        self.message = QLabel(wordWrap=True, textFormat=Qt.PlainText)
        all_button = QPushButton("Tick All", autoDefault=False)
        none_button = QPushButton("Tick None", autoDefault=False)
        all_button.clicked.connect(lambda: self.tick(True))
        none_button.clicked.connect(lambda: self.tick(False))
        buttons = QDialogButtonBox(QDialogButtonBox.Close)
        buttons.button(QDialogButtonBox.Close).setAutoDefault(False)    # Enter previews
        self.make_button = buttons.addButton("Change", QDialogButtonBox.ApplyRole)
        self.make_button.setAutoDefault(False)
        self.make_button.clicked.connect(self.apply)
        buttons.rejected.connect(self.reject)
        self.setLayout(in_column(
            label_of("&Pattern, as in Find Trees:", self.pattern), self.pattern,
            label_of("&Commands:", self.commands), self.commands, self.message,
            self.list, in_row(all_button, none_button, None, buttons),
            largest=self.list, margins=None))
        self.resize(820, 560)
        self.preview()

    def preview(self) -> None:
        """List what would change."""
        self.edit = None
        self.list.clear()
        self.pattern.mark(None)
        sentences = self._previewed = tuple(self._sentences())
        text = ""
        if not sentences or not self.pattern.toPlainText().strip():
            text = "Type a pattern, then the changes to make to its matches."
        elif not self.commands.text().strip():
            text = "Type the changes to make."
        else:
            try:
                self.edit = mass_edit(Treebank.from_sentences(sentences),
                                      self.pattern.toPlainText(), self.commands.text())
            except PatternError as error:
                if error.source == "pattern":
                    self.pattern.mark(error.position)
                text = as_sentence(error)
            except InputError as error:
                text = as_sentence(error)
        if self.edit is not None:
            text = self._fill()
        self.message.setText(text)
        self._enable()

    def _fill(self) -> str:
        """Show the changes; what is said of them."""
        with QSignalBlocker(self.list):
            for change in self.edit.changes[:MOST_PREVIEWED]:
                previewed = self._previewed[change.row]
                item = QTreeWidgetItem([
                    previewed.sent_id or str(change.row + 1),
                    f"{change.word} {previewed.forms[change.word - 1]}", change.key,
                    change.before or EMPTY, change.after or EMPTY,
                    words_around(previewed, change.word)])
                item.setCheckState(0, Qt.Checked)
                self.list.addTopLevelItem(item)
        for column in range(len(CHANGE_TITLES) - 1):
            self.list.resizeColumnToContents(column)
        parts = [plural(len(self.edit.matches), "match", "matches"),
                 plural(len(self.edit), "change", "changes"), *self.edit.notes]
        if self.edit.conflicts:
            parts.append(plural(len(self.edit.conflicts), "change is", "changes are")
                         + " left out, since another match gives the same word another "
                         "value")
        if len(self.edit) > MOST_PREVIEWED:
            parts.append(f"only the first {MOST_PREVIEWED:,} are listed and made")
        return " · ".join(parts)

    def chosen(self) -> list[int]:
        """Numbers of the changes that are ticked."""
        return [number for number in range(self.list.topLevelItemCount())
                if self.list.topLevelItem(number).checkState(0) == Qt.Checked]

    def tick(self, ticked: bool) -> None:
        with QSignalBlocker(self.list):
            for number in range(self.list.topLevelItemCount()):
                self.list.topLevelItem(number).setCheckState(
                    0, Qt.Checked if ticked else Qt.Unchecked)
        self._enable()

    def apply(self) -> None:
        """Make the changes that are ticked, as one step."""
        if self.edit is None or tuple(self._sentences()) != self._previewed:
            self.preview()
            return
        chosen = set(self.chosen())
        changes = self.edit.sentence_changes(chosen)
        if changes and self._make(f"change all: {self.commands.text().strip()}", changes):
            self.preview()
            made = plural(len(chosen), "change was made", "changes were made")
            self.message.setText(f"{made} (Ctrl+Z in the window of the editor takes them "
                                 f"back). Now: {self.message.text()}")

    def _enable(self) -> None:
        n = len(self.chosen())
        self.make_button.setEnabled(n > 0)
        self.make_button.setText(f"Change {n:,}" if n else "Change")
