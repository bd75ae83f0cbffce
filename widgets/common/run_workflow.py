"""Run a workflow without a window: its real widgets, until all have finished.

    python -m orange_structpred.widgets.common.run_workflow WORKFLOW.ows --pictures DIR

prints the table of each widget that has one (a method `score_table`), writes a
picture of the workflow and of each widget, and ends with exit code 1 if a
widget shows an error or has not finished in time, 2 if the workflow cannot be
opened.
"""
from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EIO
from pathlib import Path
from xml.etree.ElementTree import ParseError

from AnyQt.QtCore import (
    QEvent,
    QEventLoop,
    QRectF,
    QSettings,
    Qt,
    qInstallMessageHandler,
)
from AnyQt.QtGui import QFontDatabase, QImage, QPainter
from AnyQt.QtWidgets import QApplication, QWidget
from orangecanvas.canvas.scene import CanvasScene
from orangecanvas.registry import WidgetRegistry
from orangecanvas.scheme import SchemeNode
from orangecanvas.scheme.widgetmanager import WidgetManager
from orangecanvas.styles import breeze_dark
from orangewidget.settings import set_widget_settings_dir_components
from orangewidget.workflow.widgetsscheme import WidgetsScheme

WORKFLOW_TIMEOUT = 600
#: Widgets may start something a moment after they got their data; only after
#: so many seconds in which nothing happens all of them count as finished.
QUIET = 0.3
WORKFLOW_MARGIN = 20
#: Names that Qt lists on Linux even if there is no font behind them.
GENERIC_FONTS = frozenset({"Monospace", "Sans Serif", "Serif"})


class WorkflowRunError(Exception):
    """A workflow that cannot be opened."""


class FailedError(Exception):
    """A workflow of which a widget failed or did not finish."""


def discover() -> WidgetRegistry:
    """All installed widgets, found as Orange's canvas finds them."""
    from Orange.canvas.config import Config

    registry = WidgetRegistry()
    Config.widget_discovery(registry).run(Config.widgets_entry_points())
    return registry


@contextmanager
def open_workflow(path: str | os.PathLike, registry: WidgetRegistry
                  ) -> Iterator[WidgetsScheme]:
    """A workflow with its widgets; they are closed at the end.

    A QApplication must exist. Widgets do their work when the event loop runs,
    see `wait_until_finished`.
    """
    faults: list[Exception] = []
    path = Path(path)
    scheme = WidgetsScheme(env={"basedir": str(path.absolute().parent)})
    scheme.widget_manager.set_creation_policy(WidgetManager.Immediate)
    try:
        with open(path, "rb") as file:
            scheme.load_from(file, registry=registry, error_handler=faults.append)
        if faults:
            raise WorkflowRunError(f"{path}: {faults[0]}")
        yield scheme
    except ParseError as error:
        raise WorkflowRunError(f"{path}: found invalid XML ({error}), "
                            "expected a workflow (.ows)") from error
    finally:
        QApplication.sendEvent(scheme, QEvent(QEvent.Close))
        # Widgets asked to be deleted later; let it happen while Qt is there.
        QApplication.sendPostedEvents(None, QEvent.DeferredDelete)
        QApplication.processEvents()


def busy(scheme: WidgetsScheme) -> list[SchemeNode]:
    """The widgets that compute, or wait for the output of one that does."""
    manager = scheme.signal_manager
    nodes = {*manager.active_nodes(), *manager.blocking_nodes(),
             *manager.invalidated_nodes(), *manager.pending_nodes()}
    return [node for node in scheme.nodes if node in nodes]


def wait_until_finished(scheme: WidgetsScheme, timeout: float = WORKFLOW_TIMEOUT) -> None:
    """Run the event loop until no widget has anything left to do."""
    begin = quiet_since = time.monotonic()
    while True:
        QApplication.processEvents(QEventLoop.AllEvents, 50)
        now = time.monotonic()
        working = busy(scheme)
        if working:
            quiet_since = now
        elif now - quiet_since >= QUIET:
            return
        if now - begin > timeout:
            names = ", ".join(node.title for node in working) or "the event loop"
            raise FailedError(f"not finished after {timeout:g} s: {names}")
        time.sleep(0.01)


def errors(scheme: WidgetsScheme) -> list[str]:
    """What widgets show as errors, each with the title of its widget."""
    messages = []
    for node in scheme.nodes:
        widget = scheme.widget_for_node(node)
        if widget is None:
            # the canvas keeps the traceback
            texts = [str(message.contents).strip().rpartition("\n")[2]
                     for message in node.state_messages()]
            messages.append(f"{node.title}: the widget could not be created"
                            + "".join(f" ({text})" for text in texts if text))
        else:
            messages += [f"{node.title}: {message}" for message in widget.Error.active]
    return messages


def tables(scheme: WidgetsScheme) -> list[tuple[str, str]]:
    """Title and text of the widgets that have a table to print."""
    titled = []
    for node in scheme.nodes:
        score_table = getattr(scheme.widget_for_node(node), "score_table", None)
        if callable(score_table):       # Orange's own widgets call other things so
            titled.append((node.title, score_table()))
    return titled


def save_pictures(scheme: WidgetsScheme, registry: WidgetRegistry,
                  folder: str | os.PathLike) -> list[Path]:
    """PNG files of the workflow and of each widget, in the workflow's order."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pictures = [("workflow", picture_of_workflow(scheme, registry))]
    pictures += [(node.title, picture_of_widget(widget)) for node in scheme.nodes
                 if (widget := scheme.widget_for_node(node)) is not None]
    paths = []
    for number, (title, picture) in enumerate(pictures):
        name = re.sub(r"\W+", "-", title.lower()).strip("-")
        path = folder / f"{number:02d}-{name}.png"
        if not picture.save(str(path)):
            raise OSError(EIO, "cannot write the picture", str(path))
        paths.append(path)
    return paths


def picture_of_widget(widget: QWidget) -> QImage:
    """A widget as it looks when its window is opened."""
    hidden = widget.testAttribute(Qt.WA_DontShowOnScreen)
    # Layout, and what widgets do when first shown, need a shown widget; nobody
    # needs to see its window.
    widget.setAttribute(Qt.WA_DontShowOnScreen, True)
    widget.show()
    QApplication.processEvents()
    picture = widget.grab().toImage()
    widget.hide()
    widget.setAttribute(Qt.WA_DontShowOnScreen, hidden)
    return picture


def picture_of_workflow(scheme: WidgetsScheme, registry: WidgetRegistry) -> QImage:
    """The workflow as Orange's canvas draws it, in the colours of its categories."""
    scene = CanvasScene()
    scene.set_registry(registry)
    scene.set_scheme(scheme)
    scene.clearSelection()
    area = scene.itemsBoundingRect().adjusted(
        -WORKFLOW_MARGIN, -WORKFLOW_MARGIN, WORKFLOW_MARGIN, WORKFLOW_MARGIN)
    picture = QImage(area.size().toSize(), QImage.Format_RGB32)
    picture.fill(Qt.white)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.Antialiasing)
    scene.render(painter, QRectF(picture.rect()), area)
    painter.end()
    scene.clear_scene()
    return picture


@contextmanager
def collected_exceptions() -> Iterator[list[BaseException]]:
    """Exceptions that left a Qt slot; without a hook Qt ends the process."""
    raised, before = [], sys.excepthook
    sys.excepthook = lambda kind, value, trace: raised.append(value)
    try:
        yield raised
    finally:
        sys.excepthook = before


def run(path: str, pictures: str | None, timeout: float) -> None:
    """Run a workflow and print what came of it; FailedError if a widget failed."""
    registry = discover()
    with collected_exceptions() as raised, open_workflow(path, registry) as scheme:
        wait_until_finished(scheme, timeout)
        for title, text in tables(scheme):
            print(f"{title}\n{text}\n")
        if pictures is not None:
            written = save_pictures(scheme, registry, pictures)
            print(f"{len(written)} pictures in {pictures}")
        failed = errors(scheme)
    for error in raised:
        traceback.print_exception(error)
    failed += [f"{type(error).__name__}: {error}" for error in raised]
    if failed:
        raise FailedError("; ".join(failed))


def _print_message(_kind, _context, message: str) -> None:
    """Qt's messages, but for what the offscreen platform says of each window."""
    if "does not support propagateSizeHints" not in message:
        print(message, file=sys.stderr)


def make_application(settings: str) -> QApplication:
    """A Qt application that leaves the user's settings alone.

    settings : a folder for what widgets and Qt would save in the user's
    """
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY") \
            and sys.platform.startswith("linux"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    qInstallMessageHandler(_print_message)
    # Before any widget is imported: classes read their defaults from there.
    set_widget_settings_dir_components(settings, "run")
    QSettings.setDefaultFormat(QSettings.IniFormat)
    QSettings.setPath(QSettings.IniFormat, QSettings.UserScope, settings)
    application = QApplication(["orange-structpred"])
    # A bare server has no fonts; Matplotlib, which Orange needs, has.
    if GENERIC_FONTS.issuperset(QFontDatabase.families()):
        use_matplotlib_font(application)
    return application


def use_matplotlib_font(application: QApplication) -> None:
    """DejaVu Sans, which is there wherever Orange is."""
    from matplotlib import get_data_path
    for path in Path(get_data_path(), "fonts", "ttf").glob("DejaVuSans*.ttf"):
        QFontDatabase.addApplicationFont(str(path))
    font = application.font()
    font.setFamily("DejaVu Sans")
    application.setFont(font)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m orange_structpred.widgets.common.run_workflow",
        description="Run an Orange workflow without a window.")
    parser.add_argument("workflow", metavar="WORKFLOW.ows")
    parser.add_argument("--pictures", metavar="DIR",
                        help="write a PNG of the workflow and of each widget")
    parser.add_argument("--dark", action="store_true",
                        help="in Orange's dark style")
    parser.add_argument("--timeout", metavar="SECONDS", type=float, default=WORKFLOW_TIMEOUT,
                        help="give up after this many seconds (default: %(default)s)")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as settings:
        # Qt wants the application to outlive all widgets.
        application = make_application(settings)
        if args.dark:
            application.setStyle("fusion")
            application.setPalette(breeze_dark())
        try:
            run(args.workflow, args.pictures, args.timeout)
        except FailedError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        except WorkflowRunError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        except OSError as error:
            print(f"error: {error.filename}: {error.strerror}", file=sys.stderr)
            return 2
        finally:
            application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
