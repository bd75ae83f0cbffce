"""What the validator finds in sentences: checked as one edits, listed, filtered."""
from __future__ import annotations

from collections.abc import Sequence

from AnyQt.QtCore import QItemSelectionModel, QSignalBlocker, QSortFilterProxyModel, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QStandardItem, QStandardItemModel
from AnyQt.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QTableView,
    QWidget,
)
from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.treebank import Sentence
from orange_structpred.treebank.validation import (
    VALIDATION_LEVELS,
    Finding,
    SentenceFinding,
    can_validate,
    repeated_ids,
    validate_sentence,
    validation_languages,
)
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.layouts import in_column, in_row, label_of
from orange_structpred.widgets.common.phrases import plain_tip, plural
from orange_structpred.widgets.common.windows import make_placeholder_readable
from orange_structpred.widgets.edit.tasks import EditorTask

FINDING_TITLES = ("Sentence", "Level", "Rule", "Words", "Reason")
WITHOUT_VALIDATOR = ('Only trees are checked. Install the official validator: pip install '
                     '"orange3-structpred[validate]"')
FINDING_ROLE = Qt.UserRole + 1
MOST_SHOWN = 5000


def check_sentences(sentences: Sequence[Sentence], language: str, level: int,
                    state: TaskState) -> dict[Sentence, list[Finding]]:
    """The findings of each sentence."""
    progress, findings = observed_by(state), {}
    for number, sentence in enumerate(sentences):
        progress(number / len(sentences))
        findings[sentence] = validate_sentence(sentence, language=language, level=level)
    return findings


class FindingsPanel(QWidget):
    """The list of findings, and what is checked.

    finding_chosen : the sentence's number and the words, counted from 1
    options_changed : another language or level
    check_all : the button was pressed
    """

    finding_chosen = Signal(int, tuple)
    options_changed = Signal()
    check_all = Signal()

    def __init__(self, language: str, level: int):
        super().__init__()
        self.language_combo = QComboBox(
            editable=True, toolTip="Rules of a language; ud for those of all languages")
        self.language_combo.addItem(language)
        self.level_combo = QComboBox(toolTip=(
            "1 format, 2 universal tags and relations, 3 trees, 4 features and relations "
            "of the language, 5 its auxiliaries and copulas"))
        self.level_combo.addItems(list(map(str, VALIDATION_LEVELS)))
        self.level_combo.setCurrentText(str(level))
        self.filter_edit = QLineEdit(placeholderText="Filter findings…",
                                     clearButtonEnabled=True)
        make_placeholder_readable(self.filter_edit)
        self.all_button = QPushButton("Check All", autoDefault=False, toolTip=(
            "Check all sentences; the one that is drawn is checked as you edit"))
        self.summary = QLabel()
        self.summary.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self._model = QStandardItemModel(0, len(FINDING_TITLES), self)
        self._model.setHorizontalHeaderLabels(FINDING_TITLES)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._model)
        self._shown.setFilterKeyColumn(-1)
        self._shown.setFilterCaseSensitivity(Qt.CaseInsensitive)
        self.table = table = QTableView(
            sortingEnabled=True, wordWrap=False,
            selectionBehavior=QAbstractItemView.SelectRows,
            selectionMode=QAbstractItemView.SingleSelection,
            editTriggers=QAbstractItemView.NoEditTriggers)
        table.setModel(self._shown)
        table.sortByColumn(0, Qt.AscendingOrder)
        table.verticalHeader().hide()
        table.horizontalHeader().setStretchLastSection(True)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.Interactive)
        for column, width in enumerate((70, 50, 170, 110)):
            table.setColumnWidth(column, width)
        self._make_layout()
        self.filter_edit.textChanged.connect(self._shown.setFilterFixedString)
        self.level_combo.activated.connect(lambda: self.options_changed.emit())
        self.language_combo.textActivated.connect(lambda: self.options_changed.emit())
        self.all_button.clicked.connect(lambda: self.check_all.emit())
        table.selectionModel().currentRowChanged.connect(self._on_current)
        if not can_validate():
            self.summary.setText(WITHOUT_VALIDATOR)

    def _make_layout(self) -> None:
        bar = in_row(
            label_of("Langua&ge:", self.language_combo), self.language_combo,
            label_of("Le&vel:", self.level_combo), self.level_combo, self.filter_edit,
            self.all_button, largest=self.filter_edit)
        self.setLayout(in_column(bar, self.table, self.summary, largest=self.table,
                                 margins=(4, 2, 4, 2)))

    @property
    def language(self) -> str:
        return self.language_combo.currentText().strip() or "ud"

    @property
    def level(self) -> int:
        return int(self.level_combo.currentText())

    def showEvent(self, event):
        super().showEvent(event)
        if self.language_combo.count() == 1:        # reading the tables takes a second
            chosen = self.language
            self.language_combo.clear()
            self.language_combo.addItems(validation_languages())
            self.language_combo.setCurrentText(chosen)

    def show_findings(self, findings: Sequence[SentenceFinding],
                      sentences: Sequence[Sentence], n_checked: int) -> None:
        with QSignalBlocker(self.table.selectionModel()):
            self._model.removeRows(0, self._model.rowCount())
            for row, finding in findings[:MOST_SHOWN]:
                forms = sentences[row].forms
                words = " ".join(forms[word - 1] for word in finding.words)
                cells = [row + 1, finding.level, finding.test, words, finding.reason]
                items = []
                for cell in cells:
                    item = QStandardItem()
                    item.setData(cell, Qt.DisplayRole)      # numbers are sorted as such
                    item.setToolTip(plain_tip(finding.reason))
                    items.append(item)
                items[0].setData((row, finding.words), FINDING_ROLE)
                self._model.appendRow(items)
        errors = sum(finding.finding.is_error for finding in findings)
        parts = [plural(n_checked, "sentence", "sentences") + " checked",
                 plural(errors, "error", "errors"),
                 plural(len(findings) - errors, "warning", "warnings")]
        if len(findings) > MOST_SHOWN:
            parts.append(f"the first {MOST_SHOWN:,} are shown")
        self.summary.setText(" · ".join(
            parts if can_validate() else [*parts, WITHOUT_VALIDATOR]))

    def choose(self, number: int) -> None:
        """Select a finding by its row in the list."""
        self.table.selectionModel().setCurrentIndex(
            self._shown.index(number, 0),
            QItemSelectionModel.ClearAndSelect | QItemSelectionModel.Rows)

    def _on_current(self, current, _previous=None) -> None:
        if current.isValid():
            row, words = current.siblingAtColumn(0).data(FINDING_ROLE)
            self.finding_chosen.emit(row, tuple(words))


class SentenceChecks:
    """A part of Edit Treebank: validation in the background.

    framed : words that a chosen finding is about; None while none is chosen
    """

    def set_up_checks(self) -> None:
        self.framed: tuple[int, ...] | None = None
        self._findings: dict[Sentence, list[Finding]] = {}
        self.checking = EditorTask("checking a sentence", self)
        self.checking_all = EditorTask("checking sentences", self, self.bar)
        for task in (self.checking, self.checking_all):
            task.finished.connect(self._on_checked)
            task.failed.connect(self.on_task_failure)
        self.findings_panel = panel = FindingsPanel(self.check_language, self.check_level)
        panel.hide()
        panel.finding_chosen.connect(self._on_finding)
        panel.options_changed.connect(self._on_check_options)
        panel.check_all.connect(self.check_all)

    def toggle_findings(self) -> None:
        self.show_findings_panel = not self.show_findings_panel
        self.findings_panel.setVisible(self.show_findings_panel)
        self.check_drawn()
        self.draw()

    def check_drawn(self) -> None:
        """Check the sentence that is drawn, if nobody has yet."""
        if not self.show_findings_panel or self.sentence is None:
            return
        if self.sentence not in self._findings:
            self._check(self.checking, [self.sentence])
        else:
            self._show_findings()

    def check_all(self) -> None:
        self._check(self.checking_all, [key for key in dict.fromkeys(self.sentences)
                                        if key not in self._findings])

    def _check(self, task: EditorTask, sentences: Sequence[Sentence]) -> None:
        if sentences:
            task.start(check_sentences, sentences, self.findings_panel.language,
                       self.findings_panel.level)
        else:
            self._show_findings()

    def _on_check_options(self) -> None:
        self.check_language = self.findings_panel.language
        self.check_level = self.findings_panel.level
        self._findings = {}
        self.checking_all.cancel()      # by other rules
        self.check_drawn()

    def _on_checked(self, findings: dict[Sentence, list[Finding]]) -> None:
        self._findings.update(findings)
        self._show_findings()
        if self.sentence is not None and self.sentence in findings:
            self.draw()
        self.check_drawn()      # it may have changed in the meantime

    def _show_findings(self) -> None:
        checked = [(row, self._findings[sentence]) for row, sentence in enumerate(self.sentences)
                   if sentence in self._findings]
        listed = [SentenceFinding(row, finding)
                  for row, findings in checked for finding in findings]
        if len(checked) == len(self.sentences):
            listed = sorted([*listed, *repeated_ids(self.sentences)],
                            key=lambda finding: finding.row)
        self.findings_panel.show_findings(listed, self.sentences, len(checked))

    def _on_finding(self, row: int, words: tuple[int, ...]) -> None:
        if row < len(self.sentences):
            self.list.select([row], row)
            self.framed = words
            self.draw()
            if words and self.sentence is not None and max(words) <= len(self.sentence):
                self.view.show_word(words[0])

    def framed_words(self) -> frozenset[int]:
        """Words in frames: of the finding that was chosen, else of all errors."""
        if not self.show_findings_panel or self.sentence is None:
            return frozenset()
        if self.framed is not None:
            return frozenset(self.framed)
        return frozenset(word for finding in self._findings.get(self.sentence, ())
                         if finding.is_error for word in finding.words)

    def end_checks(self) -> None:
        for task in (self.checking, self.checking_all):
            task.shutdown()
