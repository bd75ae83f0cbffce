"""Load Parser: a parser or a pipeline from a file of Save Parser or the command line."""
from __future__ import annotations

import os
from html import escape

from AnyQt.QtCore import Qt, QUrl
from AnyQt.QtGui import QKeySequence, QShortcut
from AnyQt.QtWidgets import QPushButton, QSizePolicy, QStyle
from Orange.widgets import gui
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.filedialogs import OWUrlDropBase
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output, OWWidget

from orange_structpred.parser import Parser
from orange_structpred.pipeline import Pipeline
from orange_structpred.pipeline.trained_pipeline import load_model
from orange_structpred.widgets.common.background import BackgroundWidget
from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.layouts import wrapped_label
from orange_structpred.widgets.common.phrases import headed, safe_tip, sentence
from orange_structpred.widgets.common.recentplaces import RecentFilesMixin
from orange_structpred.widgets.common.storedsettings import StoredSettings
from orange_structpred.widgets.common.summaries import model_lines

EXTENSION = ".npz"


def load_file(path: str, state: TaskState) -> Parser | Pipeline:
    """Read a model; runs in a thread."""
    state.set_status("Loading…")
    return load_model(path)


class OWLoadParser(StoredSettings, RecentFilesMixin, OWUrlDropBase, BackgroundWidget):
    name = "Load Parser"
    description = "Load a parser or a pipeline from a file."
    icon = "icons/loadparser.svg"
    priority = 85
    keywords = "load parser, file, open, read, model, npz, tagger, pipeline"

    class Outputs:
        parser = Output("Parser", Parser, dynamic=False, default=True,
                        doc="The parser, or the parser of the pipeline")
        pipeline = Output("Pipeline", Pipeline, dynamic=False,
                          doc="The pipeline, if the file contains one")

    class Error(OWWidget.Error):
        not_found = Msg("File not found: {}")
        unreadable = Msg("{}")

    class Information(OWWidget.Information):
        no_file = Msg("Choose a file, or drop one here.")

    want_main_area = False
    resizing_enabled = False

    settings_version = 1
    recent_key = "recent-paths/load-parser"
    open_title = "Open Parser"
    open_filters = f"Parsers and pipelines (*{EXTENSION});;All files (*)"

    def __init__(self):
        OWUrlDropBase.__init__(self)
        self.init_recent_files()
        BackgroundWidget.__init__(self)
        self.model: Parser | Pipeline | None = None

        row = gui.hBox(gui.vBox(self.controlArea, "File"))
        self.file_combo.setMinimumWidth(260)
        row.layout().addWidget(self.file_combo, 1)
        self.reload_button = QPushButton(
            "Re&load", icon=self.style().standardIcon(QStyle.SP_BrowserReload),
            toolTip="Read the file again (F5)", autoDefault=False, clicked=self.load)
        for button in (self.browse_button, self.reload_button):
            button.setSizePolicy(QSizePolicy.Maximum, QSizePolicy.Fixed)
            row.layout().addWidget(button)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Refresh), self, self.load)
        box = gui.vBox(self.controlArea, "Model")
        self.label = wrapped_label(Qt.RichText, lines=3)
        self.label.setMinimumWidth(400)
        box.layout().addWidget(self.label)

        self.set_file_list()
        self.load()

    # Choosing

    def file_chosen(self) -> None:
        self.path_changed()
        self.load()

    def canDropUrl(self, url: QUrl) -> bool:
        return url.isLocalFile() and url.path().lower().endswith(EXTENSION)

    def handleDroppedUrl(self, url: QUrl) -> None:
        self.open_file(url.toLocalFile())

    # Loading

    def load(self) -> None:
        """Begin to read what is chosen."""
        self.cancel()
        self.clear_messages()
        self.model = None
        self.label.setToolTip("")
        self.reload_button.setEnabled(bool(self.path))
        if not self.path:
            self._show_nothing(self.Information.no_file)
        elif not os.path.exists(self.path):
            self._show_nothing(self.Error.not_found, self.path)
        else:
            self.label.setText("Loading…")
            self.start(load_file, self.path)

    def _show_nothing(self, message: Msg, *args: str) -> None:
        message(*args)
        self.label.setText(escape(message.formatted))
        self.send_model()

    @property
    def parser(self) -> Parser | None:
        return self.model.parser if isinstance(self.model, Pipeline) else self.model

    def send_model(self) -> None:
        self.Outputs.parser.send(self.parser)
        self.Outputs.pipeline.send(
            self.model if isinstance(self.model, Pipeline) else None)

    def on_done(self, model: Parser | Pipeline) -> None:
        self.model = model
        lines = model_lines(model)
        self.label.setText(headed(lines))
        self.label.setToolTip(safe_tip(lines[0]))
        self.send_model()

    def on_exception(self, error: Exception) -> None:
        self._show_nothing(self.Error.unreadable, sentence(failure_text("loading", error)))

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()

    # What is shown elsewhere

    def get_widget_name_extension(self) -> str | None:
        return self.model.name if self.model else None

    def send_report(self) -> None:
        items = [("File", self.path or "none")]
        if self.model is not None:
            what = "Pipeline" if isinstance(self.model, Pipeline) else "Parser"
            items.append((what, "; ".join(model_lines(self.model))))
        self.report_items(items)


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWLoadParser).run()
