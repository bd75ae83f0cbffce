"""Draw the pictures of the documentation from the running widgets.

    sh tools/sandbox.sh python doc/make_images.py [--folder FOLDER] [NAME ...]

runs the example workflows with their real widgets and writes doc/images/*.png,
with numbers at the parts that the pages explain. Where a number stands is taken
from the widgets themselves, so that it stays right when they change.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from AnyQt.QtCore import QBuffer, QPoint, QRect, QRectF, QSize, Qt
from AnyQt.QtGui import QColor, QImage, QPainter, QPen
from AnyQt.QtWidgets import QApplication, QGroupBox, QWidget
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme import SchemeNode
from orangewidget.workflow.widgetsscheme import WidgetsScheme
from PIL import Image

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.widgets.common import run_workflow

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "doc" / "images"
WORKFLOWS = ROOT / "workflows"
FIRST = WORKFLOWS / "110-first-parser.ows"
CURVE = WORKFLOWS / "160-learning-curve.ows"
STEPS = WORKFLOWS / "170-step-by-step.ows"
TEXTS = WORKFLOWS / "180-text-to-trees.ows"
WRONG_TAGS = WORKFLOWS / "190-wrong-tags.ows"
TAXONOMY = WORKFLOWS / "210-classes-in-a-tree.ows"
COMPARED = WORKFLOWS / "130-explicit-against-kernel.ows"
OURS = "orange_structpred.widgets."
RADIUS = 11
COLOUR = QColor("#6a3d9a")
MARGIN = 20


class Callout(NamedTuple):
    """A part of a widget that gets a number.

    x, y : where in it the number stands, in shares of its width and height
    """

    part: QWidget
    x: float = 0.
    y: float = 0.
    shift: QPoint = QPoint(0, 0)


def box(widget: QWidget, title: str) -> Callout:
    """A group of controls by its title; the number stands in the line of the title."""
    group = next(group for group in widget.findChildren(QGroupBox)
                 if group.title().strip() == title and group.isVisibleTo(widget))
    return Callout(group, 1, 0, QPoint(-RADIUS - 4, RADIUS - 3))


def above(part: QWidget) -> Callout:
    """For buttons at the bottom of a widget."""
    return Callout(part, 0.5, 0, QPoint(0, -RADIUS - 2))


def at_end(part: QWidget) -> Callout:
    """For controls that fill a line: the number stands at its end."""
    return Callout(part, 1, 0.5, QPoint(-RADIUS, 0))


def inside(part: QWidget, x: float = 1, y: float = 0) -> Callout:
    """For tables and plots: the number stands in a corner, or between two."""
    sign = QPoint(round(RADIUS * 1.6 * (1 - 2 * x)), round(RADIUS * 1.6 * (1 - 2 * y)))
    return Callout(part, x, y, sign)


def draw_widget(widget: QWidget, size: QSize, callouts: Callable[[], list[Callout]]
                ) -> QImage:
    """The widget with its numbers.

    callouts : asked once the widget has its size, in the order of the numbers
    """
    widget.setAttribute(Qt.WA_DontShowOnScreen, True)
    widget.show()
    widget.resize(size)
    for _ in range(5):      # layouts and plots take a few rounds to settle
        QApplication.processEvents()
    picture = widget.grab().toImage().convertToFormat(QImage.Format_RGB32)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.Antialiasing)
    for number, callout in enumerate(callouts(), 1):
        draw_number(painter, number, centre(widget, callout))
    painter.end()
    widget.hide()
    return picture


def centre(widget: QWidget, callout: Callout) -> QPoint:
    """Where a number stands in the picture of a widget, never cut off."""
    part = callout.part
    place = part.mapTo(widget, QPoint(
        round(callout.x * part.width()), round(callout.y * part.height())))
    place += callout.shift
    room = QRect(QPoint(0, 0), widget.size()).adjusted(
        RADIUS + 1, RADIUS + 1, -RADIUS - 1, -RADIUS - 1)
    return QPoint(min(max(place.x(), room.left()), room.right()),
                  min(max(place.y(), room.top()), room.bottom()))


def draw_number(painter: QPainter, number: int, place: QPoint) -> None:
    area = QRectF(place.x() - RADIUS, place.y() - RADIUS, 2 * RADIUS, 2 * RADIUS)
    painter.setPen(QPen(Qt.white, 2))
    painter.setBrush(COLOUR)
    painter.drawEllipse(area)
    font = painter.font()
    font.setBold(True)
    font.setPixelSize(13)
    painter.setFont(font)
    painter.drawText(area, Qt.AlignCenter, str(number))


class Studio:
    """A workflow that has run, whose widgets can be drawn."""

    def __init__(self, scheme: WidgetsScheme, registry: WidgetRegistry):
        self.scheme, self.registry = scheme, registry

    def widget(self, file: str) -> QWidget | None:
        """The first widget of a module, owtrainparser for instance."""
        for node in self.scheme.nodes:
            if node.description.qualified_name.startswith(f"{OURS}{file}."):
                return self.scheme.widget_for_node(node)
        return None

    def add(self, file: str, *links: tuple[str, str, str], title: str = "", **settings
            ) -> QWidget:
        """A further widget.

        links : title of another one, its output, the input
        title : of the widget; by default its name
        """
        description = next(own for own in self.registry.widgets()
                           if own.qualified_name.startswith(f"{OURS}{file}."))
        node = SchemeNode(description, title or None, properties={
            **settings, "__version__": 1} if settings else {})
        self.scheme.add_node(node)
        for title, output, entry in links:
            source = next(own for own in self.scheme.nodes if own.title == title)
            self.scheme.new_link(source, output, node, entry)
        run_workflow.wait_until_finished(self.scheme)
        return self.scheme.widget_for_node(node)


@contextmanager
def studio(path: Path, registry: WidgetRegistry) -> Iterator[Studio]:
    with run_workflow.open_workflow(path, registry) as scheme:
        run_workflow.wait_until_finished(scheme)
        failed = run_workflow.errors(scheme)
        if failed:
            raise run_workflow.FailedError("; ".join(failed))
        yield Studio(scheme, registry)


# The pictures. Each function gives names of files and pictures.

Pictures = Iterator[tuple[str, QImage]]


def first_parser(own: Studio) -> Pictures:
    yield "first-parser", run_workflow.picture_of_workflow(
        own.scheme, own.registry)

    load = own.widget("owloadtreebank")
    yield "load-treebank", draw_widget(load, QSize(600, 660), lambda: [
        at_end(load.file_combo), at_end(load.url_combo), at_end(load.language_combo),
        Callout(load.ud_picker, 0, 0.5, QPoint(-RADIUS - 4, 0)),
        Callout(load.controls.skip_bad, 1, 0.5, QPoint(2 * RADIUS, 0)),
        Callout(load.reload_button, 0, 0.5, QPoint(-RADIUS - 4, 0)),
        box(load, "Treebank")])

    train = own.widget("owtrainparser")
    yield "train-parser", draw_widget(train, QSize(1080, 720), lambda: [
        box(train, "Name"), box(train, "Features"), box(train, "Learning"),
        box(train, "Trees"), above(train.auto_combo), above(train.start_button),
        inside(train.figures), inside(train.plot)])

    apply = own.widget("owapplyparser")
    yield "apply-parser", draw_widget(apply, QSize(480, 340), lambda: [
        box(apply, "Prediction"), box(apply, "Info"),
        Callout(apply.button, 1, 0.5, QPoint(RADIUS, 0))])

    viewer = own.widget("owtreebankviewer")
    choose_sentence(viewer)
    yield "treebank-viewer", draw_widget(viewer, QSize(1220, 740), lambda: [
        at_end(viewer.pane.prediction_combo), at_end(viewer.pane.filter_edit),
        Callout(viewer.list, 1, 0, QPoint(-RADIUS, RADIUS)), box(viewer, "Display"),
        inside(viewer.view, 0, 0), inside(viewer.line, 1, 0.5),
        inside(viewer.panel, 1, 1)])

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "parsers", "english.npz")     # the folder is shown, too
        path.parent.mkdir()
        train.model.save(path)
        loaded = own.add("owloadparser", path=str(path))
        yield "load-parser", draw_widget(loaded, loaded.sizeHint(), lambda: [
            at_end(loaded.file_combo), box(loaded, "Model")])
    saved = own.add("owsaveparser", ("Train Parser", "Parser", "Parser"))
    yield "save-parser", draw_widget(saved, saved.sizeHint(), lambda: [
        Callout(saved.controls.auto_save, 1, 0, QPoint(RADIUS, -RADIUS)),
        above(saved.bt_save)])

    kept = own.add("owsavetreebank", ("Apply Parser", "Treebank", "Treebank"))
    yield "save-treebank", draw_widget(kept, kept.sizeHint(), lambda: [
        Callout(kept.controls.auto_save, 1, 0, QPoint(RADIUS, -RADIUS)),
        at_end(kept.saved_label), above(kept.bt_save)])

    confusions = own.add("owconfusions", ("Apply Parser", "Treebank", "Treebank"))
    confusions.view.select([("nmod", "above head")])
    confusions.view.cells_changed.emit()
    yield "confusions", draw_widget(confusions, QSize(1080, 600), lambda: [
        at_end(confusions.prediction_combo), box(confusions, "Matrix"),
        inside(confusions.view, 1, 0.6)])

    find = own.add("owfindtrees", ("Apply Parser", "Treebank", "Treebank"),
                   key="O.upos", by="order(V, O)")
    yield "find-trees", draw_widget(find, QSize(1080, 700), lambda: [
        inside(find.field), at_end(find.tree_combo), box(find, "Clusters"),
        box(find, "Examples"), inside(find.lines, 1, 0.3),
        inside(find.cluster_view, 1, 0.6)])

    statistics = own.add("owtreebankstatistics", ("Apply Parser", "Treebank", "Treebank"),
                         figure="Head and dependent")
    yield "treebank-statistics", draw_widget(statistics, QSize(1080, 720), lambda: [
        at_end(statistics.tree_combo), box(statistics, "Sizes"),
        box(statistics, "Figures"), inside(statistics.bars, 1, 0.4),
        inside(statistics.table, 1, 0.6)])

    edit = own.add("owedittreebank", ("Apply Parser", "Treebank", "Treebank"))
    edit.select_word(2)
    edit.choose_head()
    yield "edit-treebank", draw_widget(edit, QSize(1180, 640), lambda: [
        inside(edit.list, 1, 0.7), at_end(edit.done_bar), inside(edit.view),
        inside(edit.word_form, 1, 0.5), at_end(edit.toolbar)])

    for _ in range(3):
        edit.attach_to_root()
        edit.next_to_do()
        edit.select_word(4)
    compare = own.add("owcomparetreebanks", ("Apply Parser", "Treebank", "First"),
                      ("Edit Treebank", "Treebank", "Second"))
    yield "compare-treebanks", draw_widget(compare, QSize(1180, 620), lambda: [
        inside(compare.agreement, 1, 0.3), inside(compare.list, 1, 0.5),
        inside(compare.view), above(compare.buttons[0])])

    script = own.add("owscript")
    yield "workflow-to-script", draw_widget(script, QSize(860, 420), lambda: [
        inside(script.editor), above(script.copy_button)])


def tuned(own: Studio) -> Pictures:
    tune = own.add("owtuneparser", ("Data Sampler", "Data Sample", "Treebank"),
                   features="kernel", varied={"hash": "posTags2::dir, tokens, "
                                              "posTags2::dir + tokens"},
                   C_from=0.01, C_to=100.0, auto_tune="always")
    yield "tune-parser", draw_widget(tune, QSize(1160, 740), lambda: [
        box(tune, "C"), box(tune, "Compare"), box(tune, "Validation"),
        above(tune.stop_button), Callout(tune.view.chosen, 0.8, 0),
        Callout(tune.view.plot, 0, 0, QPoint(2 * RADIUS, 2 * RADIUS)),
        Callout(tune.view.table, 0.26, 0, QPoint(0, 3 * RADIUS))])


def nets(own: Studio) -> Pictures:
    train = own.add("owtrainparser", ("Data Sampler", "Data Sample", "Treebank"),
                    ("Data Sampler", "Remaining Data", "Validation Treebank"),
                    title="Accurate", neural=True, auto_train="always")
    yield "train-net", draw_widget(train, QSize(1080, 760), lambda: [
        Callout(train.forms["Features"].controls["neural"], 1, 0.5, QPoint(-RADIUS, 0)),
        inside(train.figures), inside(train.plot)])
    own.add("owapplyparser", ("Data Sampler", "Remaining Data", "Treebank"),
            ("Accurate", "Parser", "Parser"), title="Apply Accurate")
    viewer = own.add("owtreebankviewer", ("Apply Accurate", "Treebank", "Treebank"),
                     ("Accurate", "Parser", "Parser"))
    choose_sentence(viewer)
    yield "net-contributions", draw_widget(viewer, QSize(1220, 740), lambda: [
        inside(viewer.panel, 1, 0.2), Callout(viewer.panel.words_box, 1, 0.5)])


def choose_sentence(viewer: QWidget) -> None:
    """A readable sentence with few wrong heads, one of an nmod if there is such a
    sentence, and a click on the word with that head."""
    def order(number: int) -> tuple[bool, int]:
        own = wrong[number]
        return not any(is_nmod(number, index) for index in own), len(own)

    def is_nmod(number: int, index: int) -> bool:
        return viewer.sentences[number].deprels[index] == "nmod"

    heads = viewer.pane.predictions[viewer.pane.chosen].heads
    wrong = [np.flatnonzero(own.heads != found)
             for own, found in zip(viewer.sentences, heads)]
    number = min((k for k, own in enumerate(viewer.sentences)
                  if len(wrong[k]) and 7 <= len(own) <= 13), key=order)
    index = max(wrong[number], key=lambda index: is_nmod(number, index))
    viewer.list.select([number], number)
    viewer.scene.token_clicked.emit(int(index) + 1)
    while not viewer.panel.explanations():
        QApplication.processEvents()


def compared(own: Studio) -> Pictures:
    yield "explicit-against-kernel", run_workflow.picture_of_workflow(
        own.scheme, own.registry)
    train = next(widget for node in own.scheme.nodes
                 if (widget := own.scheme.widget_for_node(node)).name == "Train Parser"
                 and widget.features == "kernel")
    yield "train-parser-kernel", draw_widget(train, QSize(1080, 760), lambda: [
        Callout(train.forms["Features"].controls["features"], 1, 0.5,
                QPoint(-RADIUS, 0)),
        Callout(train.forms["Features"].controls["hash"], 1, 1,
                QPoint(-RADIUS - 20, -RADIUS - 4)),
        at_end(train.forms["Features"].controls["kernel"]),
        inside(train.figures), inside(train.plot)])

    score = own.widget("owuasscore")
    yield "uas-score", draw_widget(score, QSize(1180, 700), lambda: [
        box(score, "Scores"), box(score, "Chart"), box(score, "Selection"),
        Callout(score.table, 0.2, 1, QPoint(0, -2 * RADIUS)), inside(score.comparison, 1, 0),
        inside(score.chart, 1, 0)])


def learning_curve(own: Studio) -> Pictures:
    curve = own.widget("owlearningcurve")
    yield "learning-curve", draw_widget(curve, QSize(1000, 640), lambda: [
        box(curve, "Training sentences"), box(curve, "Scores"), box(curve, "Plot"),
        above(curve.start_button), inside(curve.plot, 0.25, 0),
        Callout(curve.table, 0, 0.5, QPoint(2 * RADIUS, 0))])


def step_by_step(own: Studio) -> Pictures:
    steps = own.widget("owlearningsteps")

    def press(button: str, times: int) -> None:
        for _ in range(times):
            steps.buttons[button].click()
            run_workflow.wait_until_finished(own.scheme)

    yield "learning-steps", draw_widget(steps, QSize(1180, 720), lambda: [
        box(steps, "Learning"), box(steps, "Sentence"), above(steps.buttons["step"]),
        Callout(steps.status, 1, 1, QPoint(-RADIUS, -4)), inside(steps.view, 0, 0), inside(steps.edges, 1, 1),
        inside(steps.features, 1, 1)])
    steps.tabs.setCurrentIndex(2)
    press("step", 4)
    yield "learning-steps-risk", draw_widget(steps, QSize(1000, 600), list)
    steps.set_parser(ParserLearner("transitions", relations=False)(steps.treebank))
    steps.handleNewSignals()
    run_workflow.wait_until_finished(own.scheme)
    steps.tabs.setCurrentIndex(3)
    steps.transitions.table.selectRow(7)
    yield "learning-steps-transitions", draw_widget(steps, QSize(1000, 640), list)


def text_to_trees(own: Studio) -> Pictures:
    yield "text-to-trees", run_workflow.picture_of_workflow(
        own.scheme, own.registry)
    train = own.widget("owtraintagger")
    yield "train-tagger", draw_widget(train, QSize(960, 620), lambda: [
        box(train, "Name"), box(train, "Learn"), box(train, "Learning of Tags"),
        above(train.auto_combo), above(train.start_button), inside(train.figures),
        inside(train.plot)])
    annotated = own.widget("owannotate")
    yield "annotate", draw_widget(annotated, QSize(520, 540), lambda: [
        box(annotated, "Text"), box(annotated, "Info"), above(annotated.button)])
    imported = own.add("owimporttext", text=annotated.text)
    yield "import-text", draw_widget(imported, QSize(520, 520), lambda: [
        box(imported, "Text"), box(imported, "Info"), above(imported.button)])


def wrong_tags(own: Studio) -> Pictures:
    yield "wrong-tags", run_workflow.picture_of_workflow(
        own.scheme, own.registry)
    tagged = own.widget("owapplytagger")
    yield "apply-tagger", draw_widget(tagged, QSize(500, 400), lambda: [
        box(tagged, "Predictions"), box(tagged, "Info"), above(tagged.button)])


def structured(own: Studio) -> Pictures:
    svm = next(own.scheme.widget_for_node(node) for node in own.scheme.nodes
               if node.title == "Tree")
    yield "structured-svm", draw_widget(svm, QSize(300, 470), lambda: [
        box(svm, "Name"), box(svm, "Target"), box(svm, "Learning")])


def compile_all() -> None:
    """So that the times in the pictures are not those of the compiler."""
    few = load_bundled("en")[:20]
    for features in ("explicit", "kernel"):
        parser = ParserLearner(features, kernel="bow", passes=1)(few)
        parser(few)


def pictures(registry: WidgetRegistry) -> Pictures:
    for path, draw in ((FIRST, first_parser), (COMPARED, compared), (FIRST, tuned),
                       (FIRST, nets), (CURVE, learning_curve), (STEPS, step_by_step),
                       (TEXTS, text_to_trees), (WRONG_TAGS, wrong_tags),
                       (TAXONOMY, structured)):
        with studio(path, registry) as own:
            yield from draw(own)


def save(picture: QImage, path: Path) -> None:
    """As a PNG with a palette, which is a third as large and looks the same."""
    buffer = QBuffer()
    picture.save(buffer, "PNG")
    with Image.open(BytesIO(bytes(buffer.data()))) as own:
        own.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
            path, optimize=True)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="NAME", nargs="*",
                        help="write only pictures of these names, without .png")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    args = parser.parse_args(argv)
    args.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as settings:
        application = run_workflow.make_application(settings)
        run_workflow.use_matplotlib_font(application)       # the same everywhere
        compile_all()
        for name, picture in pictures(run_workflow.discover()):
            if args.names and name not in args.names:
                continue
            path = args.folder / f"{name}.png"
            save(picture, path)
            print(f"{path.name}: {picture.width()} x {picture.height()}, "
                  f"{path.stat().st_size // 1024} KB")
        application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
