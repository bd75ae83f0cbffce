"""Many trees saved at once: as pictures, as a document, as LaTeX or a web page."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from AnyQt.QtCore import QBuffer, QMarginsF, QRectF, QSizeF
from AnyQt.QtGui import QPageSize, QPainter, QPdfWriter
from AnyQt.QtWidgets import QGraphicsScene
from Orange.widgets.io import PngFormat, SvgFormat

from orange_structpred.files.writing import write_bytes, write_through

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
