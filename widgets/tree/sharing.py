"""Buttons of Treebank Viewer that save and copy the selected trees."""
from __future__ import annotations

from functools import partial
from pathlib import Path

from AnyQt.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QWidget,
)
from Orange.widgets.widget import OWWidget

from orange_structpred.treebank.latex import latex_document, tikz_dependency
from orange_structpred.treebank.texttree import text_tree
from orange_structpred.treebank.web_page import web_page
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.savedialogs import ask_where_to_save
from orange_structpred.widgets.tree.saving import (
    PICTURE_FILTERS,
    files_of,
    save_trees,
)

SCALES = {"1×": 1., "2×": 2., "4×": 4.}     # of saved pictures
TREES_FILE = "trees"


class ShareButtons(QWidget):
    """Save and copy the trees of the selected sentences, or the one that is drawn."""

    def __init__(self, viewer: OWWidget):
        super().__init__()
        self.viewer = viewer
        self.saved = Path.home() / TREES_FILE     # the last file, without its extension
        self.save_button = QPushButton(
            "Sa&ve Trees…", autoDefault=False, clicked=self.save,
            toolTip="Save the trees of all selected sentences: as PDF, LaTeX "
                    "(tikz-dependency), web page, SVG or PNG")
        self.copy_button = QPushButton(
            "&Copy as Text", autoDefault=False, clicked=self.copy,
            toolTip="Copy the trees of all selected sentences as plain text")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for button in (self.save_button, self.copy_button):
            layout.addWidget(button)

    def numbers(self) -> list[int]:
        """Indices of the sentences that are meant."""
        drawn = self.viewer.drawn
        return self.viewer.list.selected() or ([] if drawn is None else [drawn])

    def save(self) -> None:
        numbers = [number + 1 for number in self.numbers()]
        path = ask_where_to_save(
            self.viewer, f"Save {plural(len(numbers), 'Tree', 'Trees')}", self.saved,
            PICTURE_FILTERS, files=lambda path: files_of(path, numbers))
        if path is not None:
            self.saved = path.with_suffix("")
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Save the trees without asking."""
        viewer = self.viewer
        viewer.Error.not_saved.clear()
        viewer.Information.saved.clear()
        trees = {number + 1: partial(viewer.on_paper, index=number)
                 for number in self.numbers()}
        try:
            save_trees(path, trees, {".tex": self.latex, ".html": self.page},
                       SCALES[viewer.scale])
        except OSError as error:
            viewer.Error.not_saved(f"{error.strerror}: {error.filename}")
        else:
            files = files_of(path, list(trees))
            viewer.Information.saved(
                plural(len(trees), "tree", "trees"),
                path if len(files) == 1 else
                f"{plural(len(files), 'file', 'files')}, {files[0]} to {files[-1].name}")

    def latex(self) -> str:
        viewer = self.viewer
        return latex_document(
            tikz_dependency(viewer.sentences[number], *viewer.predicted(number),
                            words=viewer.words, tags=viewer.tags,
                            relations=viewer.relations, marked=viewer.marked[number])
            for number in self.numbers())

    def page(self) -> str:
        """A web page of the trees that are drawn, predicted ones if there are any."""
        numbers = self.numbers()
        return web_page(self.viewer.treebank[numbers], limit=max(len(numbers), 1),
                        prediction=self.viewer.pane.chosen)

    def copy(self) -> None:
        QApplication.clipboard().setText(self.text())

    def text(self) -> str:
        return "\n\n".join(map(self.tree_text, self.numbers()))

    def tree_text(self, number: int) -> str:
        """The sentence, its gold tree, and the predicted one if it is another."""
        viewer = self.viewer
        sentence = viewer.sentences[number]
        heads, deprels = viewer.predicted(number)
        parts = [sentence.text]
        if sentence.heads.max() >= 0:
            parts.append(text_tree(sentence, words=viewer.words))
        if heads is not None and heads.max() >= 0:
            parts.append(f"{viewer.pane.chosen}:\n" + text_tree(
                sentence, heads, deprels, words=viewer.words))
        return "\n\n".join(parts)
