"""Find Trees: all matches of a pattern in a treebank."""
from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import NamedTuple

from AnyQt.QtCore import QSignalBlocker, QSize
from AnyQt.QtWidgets import QComboBox, QListWidget, QSizePolicy
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output, OWWidget

from orange_structpred.errors import InputError
from orange_structpred.search import Matches, PatternError, find
from orange_structpred.search.clusters import Clusters
from orange_structpred.search.examples import EXAMPLE_PATTERNS
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import check_wanted, observed_by
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.layouts import label_of
from orange_structpred.widgets.common.phrases import plain_tip, plural, sentence
from orange_structpred.widgets.common.storedsettings import is_shown_whole, list_of
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.find.clusters import ClusterView, clusters_html
from orange_structpred.widgets.find.concordance import (
    CONCORDANCE_TITLES,
    MOST_LINES,
    ConcordanceView,
)
from orange_structpred.widgets.find.field import PatternField
from orange_structpred.widgets.find.searching import GOLD_TREES, TreeSearchWidget

NO_KEY = "(none)"
REPORTED_LINES = 50


class FoundTrees(NamedTuple):
    """What a search brings, made in a thread."""

    matches: Matches
    clusters: Clusters | None
    table: Table
    sentences: Treebank
    bad_key: str        # why there are no clusters


def search_trees(treebank: Treebank, pattern: str, prediction: str | None, key: str,
                 by: str, state: TaskState) -> FoundTrees:
    """Search in a thread, with all that is shown and sent at once."""
    matches = find(treebank, pattern, prediction=prediction,
                   progress=observed_by(state, 0., 0.9))
    clusters, bad_key = clusters_of(matches, key, by)
    check_wanted(state)
    return FoundTrees(matches, clusters, matches.to_table(), matches.sentences(), bad_key)


def clusters_of(matches: Matches, key: str, by: str) -> tuple[Clusters | None, str]:
    """The clusters by one or two keys, or why there are none."""
    try:
        return (matches.cluster(key, by or None) if key else None), ""
    except InputError as error:
        return None, str(error)


class OWFindTrees(TreeSearchWidget):
    name = "Find Trees"
    description = "Find words and trees by a pattern, count and compare them."
    icon = "icons/findtrees.svg"
    priority = 47
    keywords = ("find, search, query, pattern, grew, concordance, kwic, cluster, "
                "frequency, treebank")

    work = "searching"

    class Outputs:
        sentences = Output("Sentences", Treebank, default=True, dynamic=False,
                           doc="Sentences with matches; matched words are marked")
        matches = Output("Matches", Table, dynamic=False, doc="One row per match")
        clusters = Output("Clusters", Table, dynamic=False,
                          doc="How often each value of a key occurs")

    class Error(TreeSearchWidget.Error):
        pattern = Msg("{}.")

    class Warning(OWWidget.Warning):
        key = Msg("{}.")
        truncated = Msg("There are more than {:,} matches; the rest is left out.")

    class Information(OWWidget.Information):
        notes = Msg("{}")
        listed = Msg("The list shows the first {:,} matches. The outputs have all.")

    pattern: str = Setting(EXAMPLE_PATTERNS[3][1], schema_only=True)
    key: str = Setting("", schema_only=True)
    by: str = Setting("", schema_only=True)
    context: int = Setting(10, fits=range(101))
    sort_column: int = Setting(0, fits=range(len(CONCORDANCE_TITLES)))
    sort_descending: bool = Setting(False)
    #: numbers of matches among those of the selected cells
    selection: list = Setting([], schema_only=True, fits=list_of(is_shown_whole))

    def __init__(self):
        super().__init__()
        self.result: FoundTrees | None
        self.shown: Matches | None = None       # of the selected cells, or all
        self._make_controls()
        self._make_main()
        self.show_result()
        open_in_full_size(self)

    def _make_controls(self) -> None:
        self.add_trees("Which trees are searched")
        box = gui.vBox(self.controlArea, "Clusters")
        self.key_combos = {}
        for name, text, tip in (
                ("key", "Coun&t by:", "A key of a node or an edge, such as N.lemma or "
                 "V->N.label; others than those in the list can be typed"),
                ("by", "C&ross with:", "A second key; cells are coloured where there are "
                 "more or fewer matches than expected")):
            combo = QComboBox(editable=True, insertPolicy=QComboBox.NoInsert, toolTip=tip)
            combo.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(12)
            combo.setEditText(getattr(self, name) or NO_KEY)
            combo.activated.connect(self._on_keys)
            combo.lineEdit().editingFinished.connect(self._on_keys)
            box.layout().addWidget(label_of(text, combo))
            box.layout().addWidget(combo)
            self.key_combos[name] = combo

        box = gui.vBox(self.controlArea, "Concordance")
        gui.spin(box, self, "context", 0, 100, label="Words around:",
                 callback=self._show_lines, tooltip="Words before and after a match")

        box = gui.vBox(self.controlArea, "Examples", stretch=10)
        self.examples = QListWidget(wordWrap=True)
        self.examples.setToolTip("Click a line to try its pattern; F1 explains all of "
                                 "the notation")
        for title, pattern in EXAMPLE_PATTERNS:
            self.examples.addItem(title)
            self.examples.item(self.examples.count() - 1).setToolTip(plain_tip(pattern))
        self.examples.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Expanding)
        self.examples.itemClicked.connect(self._on_example)
        self.examples.itemActivated.connect(self._on_example)
        box.layout().addWidget(self.examples)
        gui.auto_send(self.buttonsArea, self, "auto_commit")

    def _make_main(self) -> None:
        self.field = PatternField()
        self.field.set_pattern(self.pattern)
        self.field.pattern_changed.connect(self._on_pattern)
        self.lines = ConcordanceView()
        self.lines.sort_by(self.sort_column, self.sort_descending)
        self.lines.order_chosen.connect(self._on_order)
        self.lines.matches_selected.connect(self._on_lines)
        self.cluster_view = ClusterView()
        self.cluster_view.cells_selected.connect(self._on_cells)
        self.mainArea.layout().addWidget(self.field)
        self.add_panes(self.lines, self.cluster_view, (3, 2))

    def sizeHint(self) -> QSize:
        return QSize(1080, 700)

    # Changes

    def _on_pattern(self) -> None:
        text = self.field.toPlainText()
        if text != self.pattern:
            self.pattern = text
            self.forget_selection()
            self.begin()

    def _on_example(self, item) -> None:
        self.field.set_pattern(EXAMPLE_PATTERNS[self.examples.row(item)][1])

    def _on_keys(self) -> None:
        chosen = {name: combo.currentText().strip()
                  for name, combo in self.key_combos.items()}
        key, by = ("" if key_name == NO_KEY else key_name for key_name in chosen.values())
        if (key, by) == (self.key, self.by):
            return
        self.key, self.by = key, by
        self.forget_selection()
        if self.result is None:     # a search that is under way counts by the old keys
            self.begin()
        else:
            clusters, bad_key = clusters_of(self.result.matches, key, by)
            self.result = self.result._replace(clusters=clusters, bad_key=bad_key)
            self.show_result()
            self.commit.deferred()

    def forget_selection(self) -> None:
        super().forget_selection()
        self.selection = []

    # The search

    def begin(self) -> None:
        self.Error.pattern.clear()
        self.Warning.clear()
        self.Information.clear()
        self.field.mark(None)
        super().begin()

    def what_to_do(self) -> tuple[Callable, ...] | None:
        if self.treebank is None or not self.pattern.strip():
            return None
        return (search_trees, self.treebank, self.pattern, self.prediction or None,
                self.key, self.by)

    def show_error(self, error: Exception) -> None:
        if isinstance(error, PatternError):
            self.field.mark(error.position)
        message = self.Error.pattern if isinstance(error, InputError) else self.Error.failed
        message(sentence(failure_text(self.work, error)))

    # What is shown

    def show_result(self) -> None:
        result = self.result
        if result is not None:
            self.Warning.truncated(len(result.matches), shown=result.matches.truncated)
            self.Information.notes("\n".join(map(sentence, result.matches.notes)),
                                   shown=bool(result.matches.notes))
            self.Warning.key(sentence(result.bad_key), shown=bool(result.bad_key))
            self._offer_keys(result.matches)
        with QSignalBlocker(self.cluster_view):
            self.cluster_view.show_clusters(result and result.clusters)
            self.cluster_view.select(self.chosen_cells())
            self.cluster_view.setVisible(bool(result and result.clusters))
        self._show_lines()

    def _offer_keys(self, matches: Matches) -> None:
        keys = [NO_KEY, *matches.cluster_keys()]
        for name, combo in self.key_combos.items():
            with QSignalBlocker(combo):
                combo.clear()
                combo.addItems(keys)
                combo.setEditText(getattr(self, name) or NO_KEY)

    def _show_lines(self) -> None:
        """The matches of the selected cells, or all."""
        result = self.result
        self.shown = result and result.matches
        if result and result.clusters and self.cells:
            self.shown = result.clusters.select(self.chosen_cells())
        if self.shown is not None:
            self.selection = [number for number in self.selection
                              if 0 <= number < len(self.shown)]
        with QSignalBlocker(self.lines):
            self.lines.show_matches(self.shown, self.context)
            self.lines.select(self.selection)
        self.Information.listed(MOST_LINES, shown=bool(
            self.shown is not None and len(self.shown) > MOST_LINES))
        self.status.setText(self.status_text())

    def status_text(self) -> str:
        if self.treebank is None:
            return super().status_text()
        if self.result is None:
            if self.Error.pattern.is_shown():
                return self.Error.pattern.formatted
            return "" if self.pattern.strip() else "Type a pattern, or click an example."
        text = counted_matches(self.result.matches) + f" of {len(self.treebank):,}"
        if self.selection:
            text += f"; {len(self.selection):,} selected"
        elif self.cells:
            text += f"; {counted_matches(self.shown)} in the selected clusters"
        return text + "."

    def _on_order(self, column: int, descending: bool) -> None:
        self.sort_column, self.sort_descending = column, descending

    # Selection

    def _on_cells(self) -> None:
        self.cells = [list(cell) for cell in self.cluster_view.selected()]
        self.selection = []
        self._show_lines()
        self.commit.deferred()

    def _on_lines(self) -> None:
        self.selection = self.lines.selected()
        self.status.setText(self.status_text())
        self.commit.deferred()

    @gui.deferred
    def commit(self) -> None:
        if self.result is None:
            table = sentences = clusters = None
        else:
            table, sentences = self.result.table, self.result.sentences
            if self.cells or self.selection:
                chosen = self.shown[self.selection] if self.selection else self.shown
                table, sentences = chosen.to_table(), chosen.sentences()
            clusters = self.result.clusters and self.result.clusters.to_table()
        self.Outputs.matches.send(table)
        self.Outputs.sentences.send(sentences)
        self.Outputs.clusters.send(clusters)

    def send_report(self) -> None:
        self.report_items((
            ("Treebank", self.treebank.name if self.treebank is not None else "none"),
            ("Trees", self.prediction or GOLD_TREES)))
        self.report_raw("Pattern", f"<pre>{escape(self.pattern)}</pre>")
        self.report_paragraph(self.status_text())
        if self.result is None:
            return
        if self.result.clusters is not None:
            self.report_raw("Clusters", clusters_html(self.result.clusters))
        rows = "".join(
            f"<tr><td>{line.row + 1}</td><td style='text-align: right'>"
            f"{escape(line.left)}</td><td><b>{escape(line.match)}</b></td>"
            f"<td>{escape(line.right)}</td></tr>"
            for line in self.shown[:REPORTED_LINES].lines(context=self.context))
        more = len(self.shown) - REPORTED_LINES
        self.report_raw("Matches", f"<table>{rows}</table>" + (
            f"<p>and {more:,} more</p>" if more > 0 else ""))


def counted_matches(matches: Matches) -> str:
    return (plural(len(matches), "match", "matches") + " in "
            + plural(matches.n_sentences, "sentence", "sentences"))


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import load_bundled

    WidgetPreview(OWFindTrees).run(set_treebank=load_bundled("en"))
