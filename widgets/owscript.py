"""Workflow to Script: the workflow around this widget as a Python script."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

from AnyQt.QtCore import QSize, Qt, QTimer
from AnyQt.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QKeySequence,
    QPalette,
    QSyntaxHighlighter,
    QTextCharFormat,
)
from AnyQt.QtWidgets import (
    QApplication,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QShortcut,
    QSizePolicy,
)
from Orange.widgets import gui
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, OWWidget
from orangecanvas.scheme.readwrite import dumps
from orangewidget.workflow.widgetsscheme import WidgetsScheme
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Number, Operator, String

from orange_structpred.export import Link, Node, Workflow, WorkflowError
from orange_structpred.export.notebook import NOTEBOOK, write_as
from orange_structpred.export.reading import nodes_in_order, read_settings
from orange_structpred.export.script import write_script
from orange_structpred.export.writer import Script
from orange_structpred.files.writing import write_bytes
from orange_structpred.widgets.common.layouts import label_of
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.saving import ask_where_to_save
from orange_structpred.widgets.common.storedsettings import StoredSettings
from orange_structpred.widgets.common.windows import (
    make_placeholder_readable,
    open_in_full_size,
)

#: Milliseconds between looks at the workflow
LOOK_AT_WORKFLOW = 500
NO_WORKFLOW = "Put this widget into a workflow to see the workflow's script here."
#: Kinds of files that are offered, and how their names end
SCRIPT_FILTERS = {"Python script (*.py)": ".py", "Jupyter notebook (*.ipynb)": NOTEBOOK}
#: Colour on light and on dark ground, whether bold, by the kind of a token
MISSING_STEP = "missing"
KINDS_OF_TOKEN = {
    MISSING_STEP: ("#b00020", "#ff8a80", True),
    Comment: ("#5f6b76", "#9aa5b1", False),
    String: ("#1b6e3c", "#8fd6a3", False),
    Keyword: ("#6a2ca0", "#c9a3f0", True),
    Operator.Word: ("#6a2ca0", "#c9a3f0", True),
    Number: ("#0b5cad", "#8ec1f5", False),
}


def tokens(text: str) -> Iterator[tuple[object, int, str]]:
    """The tokens of a line that have a colour: kind, where it begins, text."""
    for start, token_type, part in PythonLexer().get_tokens_unprocessed(text):
        if token_type in Comment and part.startswith("# MISSING:"):
            yield MISSING_STEP, start, part
        else:
            for kind in KINDS_OF_TOKEN:
                if kind is not MISSING_STEP and token_type in kind:
                    yield kind, start, part


class PythonColours(QSyntaxHighlighter):
    """Colours the text of an editor, on light and on dark ground."""

    def __init__(self, editor: QPlainTextEdit):
        super().__init__(editor.document())
        dark = editor.palette().color(QPalette.Base).lightness() < 128
        self.formats: dict[object, QTextCharFormat] = {}
        for kind, (on_light, on_dark, bold) in KINDS_OF_TOKEN.items():
            form = self.formats[kind] = QTextCharFormat()
            form.setForeground(QColor(on_dark if dark else on_light))
            if bold:
                form.setFontWeight(QFont.Bold)

    def highlightBlock(self, text: str) -> None:
        for kind, start, part in tokens(text):
            self.setFormat(start, len(part), self.formats[kind])


class Snapshot(NamedTuple):
    """All of a workflow that its script depends on, ready to be compared."""

    title: str
    folder: str
    nodes: tuple[tuple[str, str, str, str], ...]    # widget, title, form, settings
    links: tuple[Link, ...]


def take_snapshot(scheme: WidgetsScheme) -> Snapshot:
    """The workflow as it would be saved; nothing is changed in it."""
    number = {node: str(i) for i, node in enumerate(scheme.nodes)}
    nodes = tuple(
        (node.description.qualified_name, node.title,
         *dumped(scheme.widget_manager.widget_settings_for_node(node)))
        for node in scheme.nodes)
    links = tuple(
        Link(number[link.source_node], number[link.sink_node],
             link.source_channel.name, link.sink_channel.name)
        for link in scheme.links if link.enabled)
    return Snapshot(scheme.title or "", scheme.get_runtime_env("basedir") or "",
                    nodes, links)


def dumped(settings: dict) -> tuple[str, str]:
    """Form and text of settings, as Orange saves them."""
    try:
        text, form = dumps(settings, format="literal")
    except (TypeError, ValueError):
        text, form = dumps(settings, format="pickle")
    return form, text


def as_workflow(snapshot: Snapshot) -> Workflow:
    """What would be read from the workflow if it was saved now."""
    nodes = []
    for number, (widget, title, form, text) in enumerate(snapshot.nodes):
        node = Node(str(number), widget, " ".join(title.split()))
        read_settings(node, form, text)
        nodes.append(node)
    links = list(snapshot.links)
    return Workflow(" ".join(snapshot.title.split()), nodes_in_order(nodes, links, "workflow"),
                    links, Path(snapshot.folder) if snapshot.folder else None)


class OWScript(StoredSettings, OWWidget):
    name = "Workflow to Script"
    description = "Show the workflow that this widget is in as a Python script."
    icon = "icons/script.svg"
    priority = 70
    keywords = ("workflow to script, export, python, code, program, source, server, "
                "reproduce")

    class Warning(OWWidget.Warning):
        missing = Msg("{} cannot be written.")

    class Information(OWWidget.Information):
        saved = Msg("Saved to {}.")

    class Error(OWWidget.Error):
        workflow = Msg("{}")
        not_saved = Msg("Not saved: {}")

    want_control_area = False
    settings_version = 1

    def __init__(self):
        super().__init__()
        self.snapshot: Snapshot | None = None
        self.script: Script | None = None
        self._make_layout()
        # There is no signal for a changed setting of any widget; looking at them now
        # and then, while somebody looks at this widget, costs next to nothing.
        self.timer = QTimer(self, interval=LOOK_AT_WORKFLOW)
        self.timer.timeout.connect(self.look)
        self._show()
        open_in_full_size(self)

    def _make_layout(self) -> None:
        self.editor = QPlainTextEdit(readOnly=True, placeholderText=NO_WORKFLOW,
                                     lineWrapMode=QPlainTextEdit.NoWrap)
        make_placeholder_readable(self.editor)
        font = QFontDatabase.systemFont(QFontDatabase.FixedFont)
        font.setPointSize(max(font.pointSize(), self.font().pointSize()))
        self.editor.setFont(font)
        self.editor.setToolTip("The script is updated whenever the workflow changes")
        self.colours = PythonColours(self.editor)
        self.missing_list = QListWidget(
            wordWrap=True, selectionMode=QListWidget.NoSelection)
        self.missing_list.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Fixed)
        self.missing_list.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.missing_label = label_of("&Missing from the script:", self.missing_list)
        for widget in (self.editor, self.missing_label, self.missing_list):
            self.mainArea.layout().addWidget(widget)
        self.copy_button = QPushButton(
            "&Copy", toolTip="Copy the script to the clipboard", autoDefault=False,
            clicked=self.copy)
        self.save_button = QPushButton(
            "&Save…", toolTip="Save it as a Python script or as a "
            "Jupyter notebook (Ctrl+S)",
            autoDefault=False, clicked=self.save_as)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self, self.save_as)
        row = gui.hBox(self.mainArea)
        row.layout().addStretch(1)
        for button in (self.copy_button, self.save_button):
            row.layout().addWidget(button)

    def sizeHint(self) -> QSize:
        return QSize(820, 640)

    # Looking at the workflow

    def scheme(self) -> WidgetsScheme | None:
        """The workflow that this widget stands in."""
        workflow = getattr(self.signalManager, "workflow", None)
        return workflow() if workflow is not None else None

    def look(self) -> None:
        """Write the script anew if anything has changed."""
        scheme = self.scheme()
        snapshot = None if scheme is None else take_snapshot(scheme)
        if snapshot == self.snapshot:
            return
        self.snapshot, self.script = snapshot, None
        self.Error.workflow.clear()
        if snapshot is not None:
            try:
                self.script = write_script(as_workflow(snapshot))
            except WorkflowError as error:
                self.Error.workflow(sentence(error))
        self._show()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.look()
        self.timer.start()

    def hideEvent(self, event) -> None:
        self.timer.stop()
        super().hideEvent(event)

    def onDeleteWidget(self) -> None:
        self.timer.stop()
        super().onDeleteWidget()

    # What is shown

    def _show(self) -> None:
        text = self.script.text if self.script else ""
        missing = self.script.missing if self.script else []
        if self.editor.toPlainText() != text:
            self.Information.saved.clear()
            bar = self.editor.verticalScrollBar()
            scrolled = bar.value()
            self.editor.setPlainText(text)
            bar.setValue(scrolled)
        self.Warning.missing(plural(len(missing), "widget", "widgets"),
                             shown=bool(missing))
        self.missing_list.clear()
        self.missing_list.addItems(missing)
        lines = min(len(missing), 5)
        height = self.missing_list.sizeHintForRow(0) if missing else 0
        self.missing_list.setFixedHeight(
            lines * height + 2 * self.missing_list.frameWidth() + 2)
        for widget in (self.missing_label, self.missing_list):
            widget.setVisible(bool(missing))
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(text))

    # Taking it along

    def copy(self) -> None:
        self.look()
        if self.script is not None:
            QApplication.clipboard().setText(self.script.text)

    def save_as(self) -> None:
        self.look()
        if self.script is None:
            return
        start = os.path.join(start_folder(self.snapshot.folder),
                             script_file_name(self.snapshot.title))
        path = ask_where_to_save(self, "Save Script", start, SCRIPT_FILTERS)
        if path is not None:
            self.save(str(path))

    def save(self, path: str) -> None:
        """Write a script or a notebook to a file; paths in it are right from there."""
        self.Error.not_saved.clear()
        self.Information.saved.clear()
        script = write_as(path, as_workflow(self.snapshot), folder=Path(path).parent)
        try:
            write_bytes(path, script.text.encode())
        except OSError as error:
            self.Error.not_saved(f"{error.strerror}: {path}")
        else:
            self.Information.saved(path)

    def send_report(self) -> None:
        self.look()
        if self.script is None:
            return
        self.report_raw("Script", f"<pre>{escape(self.script.text)}</pre>")
        if self.script.missing:
            self.report_items("Missing", [
                tuple(line.split(": ", 1)) for line in self.script.missing])


def start_folder(workflow: str) -> str:
    """Where to save a script: beside the workflow, unless that is an example, which
    stands among the installed files or cannot be written to."""
    is_example = not workflow or (Path(workflow) / "__init__.py").exists()
    if is_example or not os.access(workflow, os.W_OK):
        return os.path.expanduser("~")
    return workflow


def script_file_name(title: str) -> str:
    """A name for a script that can be imported, too; its ending is chosen later."""
    return re.sub(r"\W+", "_", title.lower()).strip("_") or "workflow"


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWScript).run()
