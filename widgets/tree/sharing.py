"""Trees of Treebank Viewer saved as pictures, as a document, as LaTeX or a web page, or
copied as text: buttons, and what they do."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from AnyQt.QtCore import QBuffer, QMarginsF, QRectF, QSizeF
from AnyQt.QtGui import QPageSize, QPainter, QPdfWriter
from AnyQt.QtWidgets import QApplication, QGraphicsScene, QPushButton, QWidget
from Orange.widgets.io import PngFormat, SvgFormat
from Orange.widgets.widget import OWWidget

from orange_structpred.files.writing import write_bytes, write_through
from orange_structpred.treebank.latex import latex_document, tikz_dependency
from orange_structpred.treebank.texttree import text_tree
from orange_structpred.treebank.web_page import web_page
from orange_structpred.widgets.common.layouts import in_row
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.saving import ask_where_to_save

SCALES = {"1×": 1., "2×": 2., "4×": 4.}     # of saved pictures
TREES_FILE = "trees"
#: What a file may be, by the end of its name
FORMATS = {".pdf": "PDF, one page per tree", ".tex": "LaTeX (tikz-dependency)",
           ".html": "Web page of all trees", ".svg": "SVG, one file per tree", ".png": "PNG, one file per tree"}
PICTURE_FILTERS = {f"{text} (*{suffix})": suffix for suffix, text in FORMATS.items()}
DPI = 96                # pixels of a screen at 100%
MILLIMETRES = 25.4      # of an inch

#: By the number of a sentence, a function that draws its tree in a scale
Drawn = Mapping[int, Callable[[float], QGraphicsScene]]


def files_of(path: Path, numbers: list[int]) -> list[Path]:
    """What will be written: pictures have numbered files if there are several."""
    if path.suffix.lower() in (".pdf", ".tex", ".html") or len(numbers) == 1:
        return [path]
    return [path.with_name(f"{path.stem}-{number}{path.suffix}") for number in numbers]


def save_trees(path: Path, trees: Drawn, texts: Mapping[str, Callable[[], str]],
               scale: float) -> None:
    """Write trees in the format that the path's suffix names.

    texts : by suffix, functions that give a document of the same trees
    scale : of PNG pictures
    """
    suffix = path.suffix.lower()
    if suffix in texts:
        write_bytes(path, texts[suffix]().encode("utf-8"))
    elif suffix == ".pdf":
        write_bytes(path, pdf([draw(1) for draw in trees.values()]))
    else:
        kind, size = (PngFormat, scale) if suffix == ".png" else (SvgFormat, 1)
        for file, draw in zip(files_of(path, list(trees)), trees.values()):
            scene = draw(size)
            write_through(file, lambda name, scene=scene: kind.write_image(name, scene))


def pdf(scenes: list[QGraphicsScene]) -> bytes:
    """A document with a page for each scene, as large as this is."""
    buffer = QBuffer()
    buffer.open(QBuffer.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter()
    for number, scene in enumerate(scenes):
        size = scene.sceneRect().size()
        writer.setPageSize(QPageSize(
            QSizeF(size.width(), size.height()) * (MILLIMETRES / DPI),
            QPageSize.Millimeter, "", QPageSize.ExactMatch))
        if number:
            writer.newPage()
        else:
            painter.begin(writer)
        scene.render(painter, QRectF(0, 0, size.width(), size.height()),
                     scene.sceneRect())
    painter.end()
    buffer.close()
    return bytes(buffer.data())


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
        self.setLayout(in_row(self.save_button, self.copy_button))

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
