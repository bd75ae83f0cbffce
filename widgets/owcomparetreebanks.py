"""Compare Treebanks: agreement of two annotators, and a third treebank of both."""
from __future__ import annotations

from dataclasses import replace
from html import escape

from AnyQt.QtCore import QSize, Qt
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import (
    QAction,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.errors import InputError
from orange_structpred.evaluation.agreement import (
    AGREEMENT_MEASURES,
    COMPARED_LAYERS,
    TreebankComparison,
    coefficient,
    compare_treebanks,
)
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.tree_layout import isolated
from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.layouts import (
    area_of,
    in_column,
    in_row,
    label_of,
    split_area,
)
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.phrases import sentence as as_sentence
from orange_structpred.widgets.common.storedsettings import StoredSettings, list_of
from orange_structpred.widgets.common.windows import (
    make_placeholder_readable,
    open_in_full_size,
)
from orange_structpred.widgets.compare.differences import (
    ALL_LAYERS,
    DifferenceKey,
    DifferenceList,
    DifferenceModel,
    difference_key,
)
from orange_structpred.widgets.tree.items import Look
from orange_structpred.widgets.tree.picture import make_picture, word_tip
from orange_structpred.widgets.tree.scene import TreeScene
from orange_structpred.widgets.tree.token import DOT, LEFT_TO_RIGHT, word_html
from orange_structpred.widgets.tree.view import TreePane, TreeView

AGREEMENT_TITLES = ("Agreed", "Kappa", "Alpha", "Words")


def is_choice(value: object) -> bool:
    """A stored choice: row, word, layer."""
    return (isinstance(value, (list, tuple)) and len(value) == 3
            and all(isinstance(number, int) for number in value[:2])
            and value[2] in COMPARED_LAYERS)


class OWCompareTreebanks(InputLinks, StoredSettings, OWWidget):
    name = "Compare Treebanks"
    description = ("Measure how far two annotators agree, and choose what is right where "
                   "they do not.")
    icon = "icons/comparetreebanks.svg"
    priority = 51
    keywords = ("agreement, annotators, kappa, alpha, krippendorff, cohen, adjudication, "
                "differences, merge")

    class Inputs:
        first = Input("First", Table, default=True)
        second = Input("Second", Table)

    class Outputs:
        treebank = Output("Treebank", Treebank, default=True, dynamic=False,
                          doc="The first treebank, with what was chosen from the second")
        differences = Output("Differences", Table, dynamic=False)
        agreement = Output("Agreement", Table, dynamic=False)

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        nothing_common = Msg("The treebanks have no sentence in common.")

    class Warning(OWWidget.Warning):
        unmatched = Msg("Sentences without a counterpart of the same words are not "
                        "compared: {:,} in the first treebank, {:,} in the second.")
        refused = Msg("{}")

    want_control_area = False
    settings_version = 1

    layer: str = Setting(ALL_LAYERS, fits=(ALL_LAYERS, *COMPARED_LAYERS))
    second: list = Setting([], schema_only=True, fits=list_of(is_choice))
    auto_commit: bool = Setting(True)

    def __init__(self):
        super().__init__()
        self.data: dict[str, Table | None] = {"first": None, "second": None}
        self.comparison: TreebankComparison | None = None
        self.chosen: set[DifferenceKey] = set()
        self._make_layout()
        self._make_actions()
        self._show()
        open_in_full_size(self)

    # Layout

    def _make_layout(self) -> None:
        lists = self._make_lists()
        self.scene = TreeScene(self)
        pane = TreePane(TreeView(self.scene), self)
        self.view, self.about, self.line = pane.view, pane.about, pane.line
        self.view.look_changed.connect(self.draw)
        self.mainArea.layout().addWidget(split_area(
            Qt.Horizontal, lists, pane, shares=(0, 1), sizes=(480, 740)))

    def _make_lists(self) -> QWidget:
        self.agreement = QTableWidget(
            0, len(AGREEMENT_TITLES), editTriggers=QTableWidget.NoEditTriggers,
            selectionMode=QTableWidget.NoSelection)
        self.agreement.setHorizontalHeaderLabels(AGREEMENT_TITLES)
        self.agreement.horizontalHeader().setSectionResizeMode(QHeaderView.Stretch)
        height = self.agreement.fontMetrics().height() + 6
        self.agreement.verticalHeader().setDefaultSectionSize(height)
        self.agreement.setFixedHeight(
            len(AGREEMENT_MEASURES) * height + self.agreement.horizontalHeader()
            .sizeHint().height() + 2 * self.agreement.frameWidth())
        self.model = DifferenceModel(self)
        self.list = DifferenceList(self.model)
        self.list.current_changed.connect(self.draw)
        self.list.value_clicked.connect(
            lambda number, is_second: self._choose([number], is_second))
        self.buttons = []
        for text, is_second, tip in (
                ("&First is right", False, "Take the first treebank's value (1)"),
                ("&Second is right", True, "Take the second treebank's value (2)")):
            button = QPushButton(text, autoDefault=False, toolTip=tip)
            button.clicked.connect(
                lambda _, is_second=is_second: self.choose(is_second))
            self.buttons.append(button)
        self.summary = QLabel(wordWrap=True, textFormat=Qt.RichText)
        return area_of(in_column(
            self.agreement, self._make_filter(), self.list, in_row(*self.buttons),
            self.summary, gui.auto_send(None, self, "auto_commit"), largest=self.list))

    def _make_filter(self) -> QHBoxLayout:
        self.layer_combo = QComboBox(toolTip="Show only differences in this layer")
        self.layer_combo.addItems([ALL_LAYERS, *COMPARED_LAYERS])
        self.layer_combo.setCurrentText(self.layer)
        self.layer_combo.textActivated.connect(self._on_filter)
        self.filter_edit = QLineEdit(placeholderText="Filter differences…",
                                     clearButtonEnabled=True)
        make_placeholder_readable(self.filter_edit)
        self.filter_edit.textChanged.connect(self._on_filter)
        return in_row(label_of("&Layer:", self.layer_combo), self.layer_combo,
                      self.filter_edit, largest=self.filter_edit)

    def _make_actions(self) -> None:
        for key, is_second in (("1", False), ("2", True)):
            action = QAction(self, shortcut=QKeySequence(key))
            action.triggered.connect(
                lambda _=False, is_second=is_second: self.choose(is_second))
            self.list.addAction(action)
            action.setShortcutContext(Qt.WidgetShortcut)

    # Input

    @Inputs.first
    def set_first(self, data: Table | None) -> None:
        self.data["first"] = data

    @Inputs.second
    def set_second(self, data: Table | None) -> None:
        self.data["second"] = data

    def handleNewSignals(self) -> None:
        self.Error.clear()
        self.Warning.clear()
        self.comparison = None
        if None not in self.data.values():
            try:
                self._compare()
            except ValueError as error:
                self.Error.no_treebank(as_sentence(error))
        self._show()
        self.commit.now()

    def _compare(self) -> None:
        comparison = compare_treebanks(self.data["first"], self.data["second"])
        if not comparison.pairs:
            self.Error.nothing_common()
            return
        unmatched = [len(self.data[which]) - len(comparison.pairs)
                     for which in ("first", "second")]
        self.Warning.unmatched(*unmatched, shown=any(unmatched))
        self.comparison = comparison
        keys = set(map(difference_key, comparison.differences))
        self.chosen = {key for key in map(tuple, self.second) if key in keys}

    # Choosing

    def choose(self, is_second: bool) -> None:
        """Whose value is right in the selected differences; then the next one."""
        selected = self.list.selected()
        if selected and self._choose(selected, is_second) and len(selected) == 1:
            self.list.step()

    def _choose(self, numbers: list[int], is_second: bool) -> bool:
        """Whether a tree can be made of what is then chosen."""
        keys = {difference_key(self.model.differences[number]) for number in numbers}
        chosen = self.chosen | keys if is_second else self.chosen - keys
        self.Warning.refused.clear()
        rows = {row for row, _, _ in keys}
        try:
            self.comparison.merged([key for key in chosen if key[0] in rows])
        except InputError as error:
            self.Warning.refused(as_sentence(error))
            return False
        self.chosen = chosen
        self.second = [list(key) for key in sorted(chosen)]
        self.model.set_second(self.chosen)
        self._summarise()
        self.draw()
        self.commit.deferred()
        return True

    # What is shown

    def _show(self) -> None:
        comparison = self.comparison
        rows = comparison.agreement() if comparison else []
        self.agreement.setRowCount(len(rows))
        self.agreement.setVerticalHeaderLabels(
            [AGREEMENT_MEASURES[row.measure] for row in rows])
        for number, row in enumerate(rows):
            for column, text in enumerate((
                    f"{100 * row.agreed:.2f}%", coefficient(row.kappa), coefficient(row.alpha),
                    f"{row.words:,}")):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignRight | Qt.AlignVCenter)
                self.agreement.setItem(number, column, item)
        self.model.set_second(self.chosen)
        self.model.set_differences(comparison.differences if comparison else [],
                                   comparison.treebank.sentences if comparison else ())
        if self.model.rowCount():
            self.list.selectRow(0)
        self._summarise()
        self.draw()

    def _summarise(self) -> None:
        n = len(self.model.differences)
        self.summary.setText("" if self.comparison is None else (
            f"{plural(n, 'difference', 'differences')}{DOT}"
            f"{len(self.chosen):,} taken from the second"))
        for button in self.buttons:
            button.setEnabled(n > 0)

    def _on_filter(self) -> None:
        self.layer = self.layer_combo.currentText()
        self.model.set_filter(self.layer, self.filter_edit.text())

    def draw(self) -> None:
        look = Look(self.view.palette(), self.view.font())
        number = self.list.current()
        if self.comparison is None or number is None:
            self.scene.show_text(self.why_nothing(), look)
            self.about.setText("")
            self.line.setText("")
            self.view.adapt(start=True)
            return
        difference = self.model.differences[number]
        first = self.comparison.treebank.sentences[difference.row]
        self.scene.draw(self.picture(difference.row, difference.word), look,
                        [word_tip(first, i) for i in range(len(first))])
        self.about.setText(DOT.join([f"<b>Sentence {difference.row + 1}</b>",
                                     escape(first.sent_id or "")]).rstrip(DOT))
        chosen = "second" if difference_key(difference) in self.chosen else "first"
        self.line.setText(
            f"{LEFT_TO_RIGHT}{word_html(first, difference.word)}{DOT}{difference.layer}"
            f"{DOT}first {escape(isolated(difference.first))}{DOT}second "
            f"{escape(isolated(difference.second))}{DOT}taken: {chosen}")
        self.view.adapt(start=True)
        self.view.show_word(difference.word)

    def picture(self, row: int, word: int):
        """Both trees: the first above, the second below."""
        first, second = self.comparison.treebank.sentences[row], self.comparison.pairs[row]
        picture = make_picture(first, second.heads, second.deprels, name="Second",
                               marked={word}, predicted_tags={
                                   "upos": second.upos, "xpos": second.xpos})
        if picture.below is None:
            return picture
        legend = ("other head", "other relation")
        return replace(picture, above=replace(picture.above, title="First", legend=legend),
                       below=replace(picture.below, legend=legend))

    def links_changed(self) -> None:
        if self.comparison is None:
            self._show()

    def why_nothing(self) -> str:
        if self.Error.no_treebank.is_shown():
            return "The input is not a treebank."
        if self.Error.nothing_common.is_shown():
            return "The treebanks have no sentence in common."
        if None in self.data.values():
            return self.waiting_text() or "Connect two treebanks."
        return "No difference matches the filter." if self.model.differences \
            else "The annotators agree on everything."

    # Output

    @gui.deferred
    def commit(self) -> None:
        comparison = self.comparison
        self.Outputs.treebank.send(comparison and comparison.merged(self.chosen))
        self.Outputs.differences.send(
            comparison and comparison.differences_table(self.chosen))
        self.Outputs.agreement.send(comparison and comparison.agreement_table())

    def sizeHint(self) -> QSize:
        return QSize(1220, 680)

    def send_report(self) -> None:
        if self.comparison is None:
            self.report_paragraph(self.why_nothing())
            return
        self.report_items([
            ("Sentences", f"{len(self.comparison.pairs):,}"),
            ("Differences", f"{len(self.model.differences):,}"),
            ("Taken from the second", f"{len(self.chosen):,}")])
        self.report_table("Agreement", self.agreement)


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred.learner import ParserLearner
    from orange_structpred.treebank.bundled import load_bundled

    bundled = load_bundled("en")
    parser = ParserLearner(passes=3)(bundled[:200])
    WidgetPreview(OWCompareTreebanks).run(
        set_first=bundled[200:],
        set_second=Treebank.from_sentences(parser.parse(bundled[200:])))
