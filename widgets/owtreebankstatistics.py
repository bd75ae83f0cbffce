"""Treebank Statistics: sizes, relations, word order and valency, with their sentences."""
from __future__ import annotations

from collections.abc import Callable
from html import escape
from math import isnan
from typing import NamedTuple

from AnyQt.QtCore import QSignalBlocker, QSize, Qt
from AnyQt.QtWidgets import QFormLayout, QLabel, QListWidget, QSizePolicy
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Output

from orange_structpred.export.searching import DEFAULT_FIGURE
from orange_structpred.search.clusters import Clusters
from orange_structpred.search.figures import (
    FIGURES_OF_SIZES,
    TREEBANK_FIGURES,
    TreebankProfile,
)
from orange_structpred.treebank import Treebank
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.reports import report_picture
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.find.clusters import ClusterView, clusters_html
from orange_structpred.widgets.find.searching import GOLD_TREES, TreeSearchWidget
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


class OWTreebankStatistics(TreeSearchWidget):
    name = "Treebank Statistics"
    description = ("Show sizes, relations, word order and valency frames of a treebank, "
                   "and their sentences.")
    icon = "icons/treebankstatistics.svg"
    priority = 48
    keywords = ("statistics, report, word order, valency, frames, relations, parts of "
                "speech, lengths, treebank")

    work = "counting"

    class Outputs:
        sentences = Output("Sentences", Treebank, default=True, dynamic=False,
                           doc="Sentences of what is selected; its words are marked")
        counts = Output("Counts", Table, dynamic=False, doc="The figure as a table")

    figure: str = Setting(DEFAULT_FIGURE, fits=FIGURE_NAMES)

    def __init__(self):
        super().__init__()
        self.statistics: TreebankProfile | None = None
        self.result: ComputedFigure | None
        self._make_controls()
        self._make_main()
        self.show_result()
        open_in_full_size(self)

    def _make_controls(self) -> None:
        self.add_trees("Which trees are counted")
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
        self.bars = BarPlot()
        self.bars.bar_clicked.connect(self._on_bar)
        self.table = ClusterView()
        self.table.cells_selected.connect(self._on_cells)
        self.add_panes(self.bars, self.table, (1, 1))

    def sizeHint(self) -> QSize:
        return QSize(1080, 720)

    # Changes

    def trees_changed(self) -> None:
        self.statistics = None if self.treebank is None else TreebankProfile(
            self.treebank, prediction=self.prediction or None)

    def _on_figure(self, row: int) -> None:
        self.figure, self.cells = FIGURE_NAMES[row], []
        self.begin()

    def _on_size(self, name: str) -> None:
        """Show the figure behind a size, with its sentences selected if it is one of
        them."""
        figure, value = FIGURES_OF_SIZES[name]
        if figure != self.figure:
            self.figures.setCurrentRow(FIGURE_NAMES.index(figure))
        if value:
            self.cells = [[value, ""]]
            if self.result is not None:
                self.show_result()
                self.commit.deferred()

    def what_to_do(self) -> tuple[Callable, ...] | None:
        if self.statistics is None:
            return None
        return compute_figure, self.statistics, self.figure

    # What is shown

    def show_result(self) -> None:
        sizes = self.result.sizes if self.result else {}
        for name, label in self.size_labels.items():
            label.setText(f"<a href='{escape(name)}'>{size_text(sizes[name])}</a>"
                          if name in sizes else "–")
        clusters = self.result and self.result.clusters
        with QSignalBlocker(self.table):
            self.table.show_clusters(clusters)
            self.table.select(self.chosen_cells())
        self._show_bars()

    def _show_bars(self) -> None:
        clusters = self.result and self.result.clusters
        rows = {clusters.values.index(value) for value, _ in self.cells
                if value in clusters.values} if clusters else set()
        self.bars.show_clusters(clusters, numeric=TREEBANK_FIGURES[self.figure].numeric,
                                chosen=rows)
        self.status.setText(self.status_text())

    def status_text(self) -> str:
        if self.treebank is None:
            return super().status_text()
        if self.result is None:
            return ""
        text = TREEBANK_FIGURES[self.figure].explanation + ". "
        if not self.cells:
            return text + CLICK_HINT
        chosen = self.selected()
        return text + (f"Selected: {plural(len(chosen), 'match', 'matches')} in "
                       + plural(chosen.n_sentences, "sentence", "sentences") + ".")

    # Selection

    def selected(self):
        return self.result.clusters.select(self.chosen_cells())

    def _on_bar(self, row: int) -> None:
        self.table.select([(self.result.clusters.values[row], "")])

    def _on_cells(self) -> None:
        self.cells = [list(cell) for cell in self.table.selected()]
        self._show_bars()
        self.commit.deferred()

    @gui.deferred
    def commit(self) -> None:
        clusters = self.result and self.result.clusters
        self.Outputs.sentences.send(
            self.selected().sentences() if clusters and self.cells else None)
        self.Outputs.counts.send(clusters and clusters.to_table())

    def send_report(self) -> None:
        if self.result is None:
            self.report_paragraph(self.status_text() or "No statistics.")
            return
        self.report_items([
            ("Treebank", self.treebank.name),
            ("Trees", self.prediction or GOLD_TREES),
            *((sentence(name), size_text(value))
              for name, value in self.result.sizes.items())])
        report_picture(self, self.figure, self.bars)
        self.report_raw("Counts", clusters_html(self.result.clusters))


def size_text(value: float) -> str:
    if isnan(value):
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


if __name__ == "__main__":  # pragma: no cover
    from orange_structpred import load_bundled

    WidgetPreview(OWTreebankStatistics).run(set_treebank=load_bundled("en"))
