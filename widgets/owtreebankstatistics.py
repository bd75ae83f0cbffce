"""Treebank Statistics: sizes, relations, word order and valency, with their sentences."""
from __future__ import annotations

from html import escape
from math import isnan
from typing import NamedTuple

from AnyQt.QtCore import QSignalBlocker, QSize, Qt
from AnyQt.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QListWidget,
    QSizePolicy,
    QSplitter,
)
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output, OWWidget

from orange_structpred.export.searching import DEFAULT_FIGURE
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.search.clusters import Clusters
from orange_structpred.search.figures import (
    FIGURES_OF_SIZES,
    TREEBANK_FIGURES,
    TreebankProfile,
)
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.widgets.common import summaries  # noqa: F401  (registers them)
from orange_structpred.widgets.common.background import BackgroundWidget, observed_by
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.storedsettings import (
    StoredSettings,
    is_pair_of_texts,
    list_of,
)
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.find.clusters import ClusterView, clusters_html
from orange_structpred.widgets.owfindtrees import GOLD_TREES
from orange_structpred.widgets.statistics.bars import BarPlot

FIGURE_NAMES = tuple(TREEBANK_FIGURES)
CLICK_HINT = "Click a bar or a cell to send its sentences on; its words are marked."


class ComputedFigure(NamedTuple):
    sizes: dict[str, float]
    clusters: Clusters


def compute_figure(statistics: TreebankProfile, name: str, state: TaskState
                   ) -> ComputedFigure:
    """Count in a thread."""
    return ComputedFigure(statistics.sizes,
                          statistics.figure(name, progress=observed_by(state)))


class OWTreebankStatistics(InputLinks, StoredSettings, OWWidget, BackgroundWidget):
    name = "Treebank Statistics"
    description = ("Show sizes, relations, word order and valency frames of a treebank, "
                   "and their sentences.")
    icon = "icons/treebankstatistics.svg"
    priority = 48
    keywords = ("statistics, report, word order, valency, frames, relations, parts of "
                "speech, lengths, treebank")

    class Inputs:
        treebank = Input("Treebank", Table)

    class Outputs:
        sentences = Output("Sentences", Treebank, default=True, dynamic=False,
                           doc="Sentences of what is selected; its words are marked")
        counts = Output("Counts", Table, dynamic=False, doc="The figure as a table")

    class Error(OWWidget.Error):
        no_treebank = Msg("{}")
        failed = Msg("{}.")

    settings_version = 1
    want_main_area = True

    figure: str = Setting(DEFAULT_FIGURE, fits=FIGURE_NAMES)
    prediction: str = Setting("", schema_only=True)
    auto_commit: bool = Setting(True)
    #: pairs of a value of the first key and one of the second
    cells: list = Setting([], schema_only=True, fits=list_of(is_pair_of_texts))

    def __init__(self):
        OWWidget.__init__(self)
        BackgroundWidget.__init__(self)
        self.statistics: TreebankProfile | None = None
        self.computed: ComputedFigure | None = None
        self._make_controls()
        self._make_main()
        self._show()
        open_in_full_size(self)

    def _make_controls(self) -> None:
        box = gui.vBox(self.controlArea, "Trees")
        self.tree_combo = QComboBox(toolTip="Which trees are counted")
        self.tree_combo.activated.connect(self._on_trees)
        box.layout().addWidget(self.tree_combo)
        form = QFormLayout()
        gui.widgetBox(self.controlArea, "Sizes", orientation=form)
        self.size_labels = {}
        for name, (figure, value) in FIGURES_OF_SIZES.items():
            label = QLabel("–", alignment=Qt.AlignRight, textFormat=Qt.RichText,
                           toolTip="Click to see " + (
                               "these sentences" if value else f"the figure {figure}"))
            label.setTextInteractionFlags(
                Qt.LinksAccessibleByMouse | Qt.LinksAccessibleByKeyboard)
            label.linkActivated.connect(self._on_size)
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance("0,000,000"))
            form.addRow(f"{sentence(name)}:", label)
            self.size_labels[name] = label
        box = gui.vBox(self.controlArea, "Figures", stretch=10)
        self.figures = QListWidget()
        self.figures.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Expanding)
        for number, (name, figure) in enumerate(TREEBANK_FIGURES.items()):
            self.figures.addItem(name)
            self.figures.item(number).setToolTip(figure.explanation)
        self.figures.setCurrentRow(FIGURE_NAMES.index(self.figure))
        self.figures.currentRowChanged.connect(self._on_figure)
        box.layout().addWidget(self.figures)
        gui.auto_send(self.buttonsArea, self, "auto_commit")

    def _make_main(self) -> None:
        self.status = QLabel(wordWrap=True, textFormat=Qt.PlainText)
        self.status.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.bars = BarPlot()
        self.bars.bar_clicked.connect(self._on_bar)
        self.table = ClusterView()
        self.table.cells_selected.connect(self._on_cells)
        panes = QSplitter(Qt.Vertical, childrenCollapsible=False)
        panes.addWidget(self.bars)
        panes.addWidget(self.table)
        panes.setStretchFactor(0, 1)
        panes.setStretchFactor(1, 1)
        self.mainArea.layout().addWidget(self.status)
        self.mainArea.layout().addWidget(panes, 1)

    def sizeHint(self) -> QSize:
        return QSize(1080, 720)

    # Input

    @Inputs.treebank
    def set_treebank(self, data: Table | None) -> None:
        self.Error.no_treebank.clear()
        treebank, names = None, []
        if data is not None:
            try:
                treebank = as_treebank(data)
                names = list(treebank.predictions)
            except ValueError as error:
                self.Error.no_treebank(sentence(error))
                treebank = None
        if treebank is not None and self.prediction not in names:
            self.prediction = ""
        self.tree_combo.clear()
        self.tree_combo.addItems([GOLD_TREES, *names])
        self.tree_combo.setCurrentIndex(
            names.index(self.prediction) + 1 if self.prediction in names else 0)
        self.statistics = None if treebank is None else TreebankProfile(
            treebank, prediction=self.prediction or None)
        self._count()

    # Changes

    def _on_trees(self, index: int) -> None:
        self.prediction = self.tree_combo.itemText(index) if index else ""
        if self.statistics is not None:
            self.statistics = TreebankProfile(
                self.statistics.treebank, prediction=self.prediction or None)
        self.cells = []
        self._count()

    def _on_figure(self, row: int) -> None:
        self.figure, self.cells = FIGURE_NAMES[row], []
        self._count()

    def _on_size(self, name: str) -> None:
        """Show the figure behind a size, with its sentences selected if it is one of
        them."""
        figure, value = FIGURES_OF_SIZES[name]
        if figure != self.figure:
            self.figures.setCurrentRow(FIGURE_NAMES.index(figure))
        if value:
            self.cells = [[value, ""]]
            if self.computed is not None:
                self._show()
                self.commit.deferred()

    def _count(self) -> None:
        self.cancel()
        self.computed = None
        self.Error.failed.clear()
        if self.statistics is None:
            self._show()
            self.commit.now()
            return
        self.setInvalidated(True)
        self.start(compute_figure, self.statistics, self.figure)
        self.status.setText("Counting…")

    def on_done(self, computed: ComputedFigure) -> None:
        self.setInvalidated(False)
        self.computed = computed
        self._show()
        self.commit.now()

    def on_exception(self, error: Exception) -> None:
        self.setInvalidated(False)
        if isinstance(error, Cancelled):
            return
        self.Error.failed(sentence(failure_text("counting", error)))
        self._show()
        self.commit.now()

    # What is shown

    def _show(self) -> None:
        sizes = self.computed.sizes if self.computed else {}
        for name, label in self.size_labels.items():
            label.setText(f"<a href='{escape(name)}'>{size_text(sizes[name])}</a>"
                          if name in sizes else "–")
        clusters = self.computed and self.computed.clusters
        blocker = QSignalBlocker(self.table)
        self.table.show_clusters(clusters)
        self.table.select([tuple(cell) for cell in self.cells])
        blocker.unblock()
        self._show_bars()

    def _show_bars(self) -> None:
        clusters = self.computed and self.computed.clusters
        rows = {clusters.values.index(value) for value, _ in self.cells
                if value in clusters.values} if clusters else set()
        self.bars.show_clusters(clusters, numeric=TREEBANK_FIGURES[self.figure].numeric,
                                chosen=rows)
        self.status.setText(self.status_text())

    def links_changed(self) -> None:
        self.status.setText(self.status_text())

    def status_text(self) -> str:
        if self.Error.no_treebank.is_shown():
            return "The input is not a treebank."
        if self.statistics is None:
            return self.missing_text(["a treebank"])
        if self.computed is None:
            return ""
        text = TREEBANK_FIGURES[self.figure].explanation + ". "
        if not self.cells:
            return text + CLICK_HINT
        chosen = self.selected()
        return text + (f"Selected: {plural(len(chosen), 'match', 'matches')} in "
                       + plural(chosen.n_sentences, "sentence", "sentences") + ".")

    # Selection

    def selected(self):
        return self.computed.clusters.select([tuple(cell) for cell in self.cells])

    def _on_bar(self, row: int) -> None:
        self.table.select([(self.computed.clusters.values[row], "")])

    def _on_cells(self) -> None:
        self.cells = [list(cell) for cell in self.table.selected()]
        self._show_bars()
        self.commit.deferred()

    @gui.deferred
    def commit(self) -> None:
        clusters = self.computed and self.computed.clusters
        self.Outputs.sentences.send(
            self.selected().sentences() if clusters and self.cells else None)
        self.Outputs.counts.send(clusters and clusters.to_table())

    def onDeleteWidget(self):
        self.shutdown()
        super().onDeleteWidget()

    def send_report(self) -> None:
        if self.computed is None:
            self.report_paragraph(self.status_text() or "No statistics.")
            return
        self.report_items([
            ("Treebank", self.statistics.treebank.name),
            ("Trees", self.prediction or GOLD_TREES),
            *((sentence(name), size_text(value))
              for name, value in self.computed.sizes.items())])
        report_picture(self, self.figure, self.bars)
        self.report_raw("Counts", clusters_html(self.computed.clusters))


def size_text(value: float) -> str:
    if isnan(value):
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import load_bundled

    WidgetPreview(OWTreebankStatistics).run(set_treebank=load_bundled("en"))
