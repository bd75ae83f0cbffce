"""A walk through the examples in a running Orange, and what was found."""
from __future__ import annotations

import json
import os
import re
import sys
import time
import traceback
from pathlib import Path

from AnyQt.QtCore import QEvent, QPoint, QRect, QRectF, QTimer, QUrl
from AnyQt.QtGui import QFontInfo, QPixmap
from AnyQt.QtWidgets import QApplication, QWidget
from orangecanvas.application.canvasmain import CanvasMainWindow
from orangecanvas.scheme import Scheme, SchemeNode
from orangecanvas.scheme.events import NodeEvent
from screen_clipping import cut_off

OURS = "orange_structpred.widgets."
SETTLE = 0.6        # seconds in which a window that was opened is laid out and drawn
SHOWN_AGAIN = 10    # such times after which a window without a frame is shown again
DRAWN = 60          # in which a window has its frame, and a report its page, at most
PATIENCE = 600      # for an example; the first one compiles
REPORT_SIZE = 1100, 700
#: Whether there is a window manager, which gives windows their frames
FRAMES = bool(os.environ.get("STRUCTPRED_FRAMES"))
#: What widgets that no example has are connected to, in this order
SOURCES = ("Apply Parser", "Train Parser")


def begin(folder: str) -> None:
    """Start as soon as there is a main window."""
    windows = [own for own in QApplication.topLevelWidgets()
               if isinstance(own, CanvasMainWindow) and own.isVisible()]
    if not windows:
        QTimer.singleShot(200, lambda: begin(folder))
        return
    walk = Walk(windows[0], Path(folder))
    try:
        walk.run()
    except Exception:
        walk.problem("the walk", traceback.format_exc())
    walk.finish()


class Walk:
    def __init__(self, window: CanvasMainWindow, folder: Path):
        self.window, self.folder = window, folder
        self.problems: list[str] = []
        self.pictures: list[str] = []
        self.seen: set[str] = set()
        self.reported: set[str] = set()
        self.wait(SETTLE)       # for its frame
        room = window.screen().availableGeometry()
        frame = window.frameGeometry().size() - window.geometry().size()
        window.resize(room.size() - frame)
        window.move(room.topLeft())
        self.hook, sys.excepthook = sys.excepthook, self.raised

    def raised(self, kind, error, trace) -> None:
        """An exception that nobody caught; Orange opens a window about it."""
        self.problem("an exception", "".join(
            traceback.format_exception(kind, error, trace)))
        self.hook(kind, error, trace)

    def problem(self, where: str, what: str) -> None:
        self.problems.append(f"{where}: {what}")

    def run(self) -> None:
        registry = self.window.widget_registry
        ours = [own for own in registry.widgets() if own.qualified_name.startswith(OURS)]
        if not ours:
            self.problem("the toolbox", "no widget of this add-on was found")
            return
        only = os.environ.get("STRUCTPRED_ONLY", "")
        for path in self.examples():
            if only in path:
                self.example(path)
        if only:
            return
        unseen = [own for own in ours if own.qualified_name not in self.seen]
        self.widgets_alone(unseen)

    def examples(self) -> list[str]:
        """In the order in which Orange offers them."""
        from orangecanvas import config
        from orangecanvas.application.examples import workflows
        paths = [own.abspath() for own in workflows(config.default)
                 if "structpred" in str(getattr(own.package, "__name__", own.resource))]
        if not paths:
            self.problem("the examples", "none was found")
        return paths

    def example(self, path: str) -> None:
        from orange_structpred.widgets.common.run_workflow import (
            FailedError,
            errors,
            wait_until_finished,
        )
        name = Path(path).stem
        self.window.current_document().setModified(False)
        self.window.load_scheme(path)
        scheme = self.window.current_document().scheme()
        self.wait(SETTLE)
        for node in scheme.nodes:       # made now, not when their turn comes
            scheme.widget_for_node(node)
        try:
            wait_until_finished(scheme, PATIENCE)
        except FailedError as error:
            self.problem(name, str(error))
        self.wait(SETTLE)
        for error in errors(scheme):
            self.problem(name, f"an error is shown: {error}")
        self.in_sight(name)
        self.take(self.window, f"{name} canvas")
        for node in scheme.nodes:
            self.open(scheme, node, f"{name} {node.title}")

    def report(self, widget: QWidget, title: str) -> None:
        """What a widget writes into Orange's report, as the screen shows it."""
        report = widget._get_designated_report_view()
        report.clear()
        report.resize(*REPORT_SIZE)
        report.move(0, 0)
        report.show()
        report.raise_()
        self.page(report, blank=True)       # without the report before
        widget.show_report()
        picture = self.page(report, blank=False)
        if picture is None:
            self.problem(title, "its report stays blank")
        else:
            self.save(picture, f"{title} report")
        report.hide()

    def page(self, report: QWidget, blank: bool) -> QPixmap | None:
        """The window of a report, once its page is blank, or is not."""
        end = time.monotonic() + DRAWN
        while time.monotonic() < end:
            self.wait(SETTLE)
            # the page is drawn by another process, which a window does not know of
            picture = report.screen().grabWindow(0, 0, 0, *REPORT_SIZE)
            if is_blank(picture, report.report_view) == blank:
                return picture
        return None

    def in_sight(self, name: str) -> None:
        """All of the workflow can be seen without scrolling."""
        view = self.window.current_document().view()
        seen = view.mapToScene(view.viewport().rect()).boundingRect()
        items = view.scene().itemsBoundingRect()
        if not QRectF(seen).adjusted(-1, -1, 1, 1).contains(items):
            self.problem(name, f"the workflow ({items.width():.0f} x "
                         f"{items.height():.0f} pixels) does not fit the window "
                         f"({seen.width():.0f} x {seen.height():.0f})")

    def widgets_alone(self, descriptions) -> None:
        """Those that no example has, connected to what the last workflow has."""
        from orange_structpred.widgets.common.run_workflow import wait_until_finished
        scheme = self.window.current_document().scheme()
        sources = {node.title: node for node in scheme.nodes}
        for description in descriptions:
            node = SchemeNode(description)
            scheme.add_node(node)
            for title in SOURCES:
                for output, entry, weight in scheme.propose_links(sources[title], node):
                    if weight > 0 and not scheme.find_links(sink_node=node,
                                                            sink_channel=entry):
                        scheme.new_link(sources[title], output.name, node, entry.name)
            widget = scheme.widget_for_node(node)
            if hasattr(widget, "canDropUrl") and not node.input_channels():
                path = self.folder / "parser.npz"
                scheme.widget_for_node(sources["Train Parser"]).model.save(path)
                if widget.canDropUrl(QUrl.fromLocalFile(str(path))):
                    widget.open_file(str(path))
            wait_until_finished(scheme, PATIENCE)
            self.open(scheme, node, f"alone {description.name}")

    def open(self, scheme: Scheme, node: SchemeNode, title: str) -> None:
        """Open the window of a node, as a double click does."""
        kind = node.description.qualified_name
        self.seen.add(kind)
        QApplication.sendEvent(node, QEvent(NodeEvent.NodeActivateRequest))
        widget = scheme.widget_for_node(node)
        self.wait_for_frame(widget)
        if kind.startswith(OURS):       # Orange's own are not ours to mend
            for text in cut_off(widget):
                self.problem(title, f"cut off: {text}")
            self.check_frame(widget, title)
        self.take(widget, title)
        widget.hide()
        if kind.startswith(OURS) and kind not in self.reported:
            self.reported.add(kind)
            self.report(widget, title)

    def wait_for_frame(self, window: QWidget) -> None:
        """Until a window has its frame, and both stay where they are: on a busy machine
        the window manager takes its time. Now and then, Qt misses what it says of a new
        window, and hears it when the window is shown again."""
        end, before, rounds = time.monotonic() + DRAWN, None, 0
        while time.monotonic() < end:
            self.wait(SETTLE)
            frame, rounds = window.frameGeometry(), rounds + 1
            if frame == before and (not FRAMES or frame.top() < window.geometry().top()):
                return
            before = frame
            if rounds % SHOWN_AGAIN == 0:
                window.hide()
                window.show()

    def check_frame(self, window: QWidget, title: str) -> None:
        """All of a window, with its title bar, is on the screen."""
        room, frame = window.screen().availableGeometry(), window.frameGeometry()
        if FRAMES and frame.top() >= window.geometry().top():
            self.problem(title, "its window has no title bar")
        if not room.contains(frame):
            self.problem(title, f"its window, {in_words(frame)}, is not all within the "
                         f"screen, {in_words(room)}")

    def take(self, widget: QWidget, title: str) -> None:
        """A picture of a window, as it stands on the screen."""
        if FRAMES:
            frame = widget.frameGeometry()
            self.save(widget.screen().grabWindow(
                0, frame.x(), frame.y(), frame.width(), frame.height()), title)
        else:
            self.save(widget.grab(), title)

    def save(self, picture: QPixmap, title: str) -> None:
        name = re.sub(r"\W+", "-", title.lower()).strip("-") + ".png"
        if not picture.save(str(self.folder / name)):
            self.problem(title, "its picture could not be saved")
        self.pictures.append(name)

    @staticmethod
    def wait(seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.01)

    def finish(self) -> None:
        (self.folder / "found.json").write_text(json.dumps({
            "problems": self.problems, "pictures": self.pictures,
            "font": QFontInfo(QApplication.font()).family()}), encoding="utf-8")
        os._exit(0)     # no dialog asks whether to save


def in_words(place: QRect) -> str:
    return (f"{place.width()} x {place.height()} pixels at {place.left()}, "
            f"{place.top()}")


def is_blank(picture: QPixmap, page: QWidget) -> bool:
    """Whether the title of a page has not been drawn yet."""
    corner = page.mapToGlobal(QPoint(0, 0))
    image = picture.toImage()
    seen = {image.pixel(corner.x() + x, corner.y() + y)
            for x in range(5, 120) for y in (10, 13, 16)}
    return len(seen) == 1
