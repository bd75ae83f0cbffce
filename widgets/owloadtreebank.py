"""Load CoNLL Treebank: from a file, from the web, or one that comes along."""
from __future__ import annotations

import logging
import os
from typing import NamedTuple

from AnyQt.QtCore import QSettings, QSize, QUrl
from AnyQt.QtGui import QKeySequence, QShortcut
from AnyQt.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QStyle,
)
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import TaskState
from Orange.widgets.utils.filedialogs import (
    OWUrlDropBase,
    RecentPath,
    RecentPathsWComboMixin,
)
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output, OWWidget

from orange_structpred.treebank import ConllError, Treebank
from orange_structpred.treebank.bundled import LANGUAGES, load_bundled
from orange_structpred.treebank.facts import describe
from orange_structpred.treebank.remote import SCHEMES, file_name
from orange_structpred.treebank.table import EXTENSIONS
from orange_structpred.widgets import summaries  # noqa: F401  (registers them)
from orange_structpred.widgets.background import BackgroundWidget
from orange_structpred.widgets.phrases import plural
from orange_structpred.widgets.storedsettings import drop_unfit
from orange_structpred.widgets.treebankfacts import (
    TreebankFacts,
    fact_rows,
    skipped_rows,
)
from orange_structpred.widgets.valuecontrols import Choice, ValueCombo
from orange_structpred.widgets.windows import open_in_full_size

log = logging.getLogger(__name__)

FILTERS = ";;".join([
    f"CoNLL treebanks ({' '.join(f'*{extension}' for extension in EXTENSIONS)})",
    "Tables with treebanks (*.tab *.csv *.xlsx *.pkl *.pkl.gz)",
    "All files (*)"])
RECENT_FILES, RECENT_URLS = "recent-paths/load-treebank", "recent-urls/load-treebank"
MOST_RECENT = 15
#: Share of the work that reading is; the rest is counting what was read
READING = 0.7


class Stopped(Exception):
    """The user wants no treebank any more."""


class Loaded(NamedTuple):
    """A treebank, and what `describe` says of it."""

    treebank: Treebank
    facts: dict


def load(source: str, place: str, skip_bad: bool, state: TaskState) -> Loaded:
    """Read a treebank and count what is in it; runs in a thread.

    source : "file", "url" or "bundled"
    place : path, address or language
    """
    def progress(share: float) -> None:
        state.set_progress_value(100 * READING * share)
        if state.is_interruption_requested():
            raise Stopped

    on_error = "skip" if skip_bad else "raise"
    state.set_status("Reading...")
    progress(0)
    if source == "file":
        treebank = Treebank.from_file(place, on_error=on_error, progress=progress)
    elif source == "url":
        treebank = Treebank.from_url(place, on_error=on_error, progress=progress)
    else:
        treebank = load_bundled(place)
    progress(1)
    state.set_status("Counting...")
    facts = describe(treebank.sentences)
    progress(1)
    return Loaded(treebank, facts)


class OWLoadTreebank(OWUrlDropBase, RecentPathsWComboMixin, BackgroundWidget):
    name = "Load CoNLL Treebank"
    description = ("Read a treebank in CoNLL-U or CoNLL-X from a file or from the "
                   "web, or take one that comes along.")
    icon = "icons/loadtreebank.svg"
    priority = 10
    keywords = ("load conll treebank, file, open, read, url, corpus, sentences, "
                "universal dependencies, ud, conllu, conllx")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False,
                          doc="A table with a sentence in each row")

    class Error(OWWidget.Error):
        not_found = Msg("File not found: {}")
        fault = Msg("{}\n'Skip sentences with errors' reads the others.")
        unreadable = Msg("{}")
        no_sentence = Msg("There is no sentence without errors.")

    class Warning(OWWidget.Warning):
        skipped = Msg("Skipped {}.\nThe tab 'Skipped' lists where and why.")

    class Information(OWWidget.Information):
        no_file = Msg("Choose a file, or drop one here.")
        no_url = Msg("Enter the address of a CoNLL file.")
        stopped = Msg("Stopped: press Reload to read the treebank.")

    want_main_area = False
    resizing_enabled = True

    settings_version = 1
    # Plain values, so that a workflow can be read without any widget.
    source = Setting("bundled")       # "file", "url" or "bundled"
    path = Setting("")                # the file, from the root of its disk
    relative_path = Setting("")       # the same from the workflow's folder, if below it
    url = Setting("")
    language = Setting("en")
    skip_bad = Setting(False)

    # Not a setting: which files were read recently is none of a workflow's business.
    recent_paths = None

    @classmethod
    def migrate_settings(cls, settings: dict[str, object], version: int | None) -> None:
        drop_unfit(cls, settings, {"source": ("file", "url", "bundled"),
                                   "language": LANGUAGES})

    def __init__(self):
        super().__init__()
        self.recent_paths = self._stored_paths()
        RecentPathsWComboMixin.__init__(self)
        BackgroundWidget.__init__(self)
        self.loaded: Loaded | None = None

        self._add_source_box()
        box = gui.vBox(self.controlArea, "Treebank")
        self.facts = TreebankFacts()
        box.layout().addWidget(self.facts)

        self.set_file_list()
        self._path_changed()
        self.load()
        open_in_full_size(self)

    # Controls

    def _add_source_box(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        gui.widgetBox(self.controlArea, "Source", orientation=grid)
        self.sources = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        for row, (source, text, tip) in enumerate((
                ("file", "&File:", "A CoNLL file, or a table with a treebank in it"),
                ("url", "&URL:", "The address of a CoNLL file on the web"),
                ("bundled", "&Bundled:", "A treebank that comes with this add-on"))):
            button = QRadioButton(text, toolTip=tip)
            self.sources.addButton(button)
            self.buttons[source] = button
            button.setChecked(source == self.source)
            button.clicked.connect(lambda _, source=source: self.choose(source))
            grid.addWidget(button, row, 0)

        self.file_combo.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.file_combo.setMinimumWidth(200)
        self.file_combo.activated.connect(self.select_file)
        grid.addWidget(self.file_combo, 0, 1)
        self.browse_button = QPushButton(
            "&Open...", icon=self.style().standardIcon(QStyle.SP_DirOpenIcon),
            toolTip="Choose a file (Ctrl+O)", autoDefault=False)
        self.browse_button.clicked.connect(self.browse)
        grid.addWidget(self.browse_button, 0, 2)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Open), self, self.browse)

        self.url_combo = QComboBox(
            editable=True, insertPolicy=QComboBox.NoInsert,
            toolTip="Type or paste an address and press Return; those that were read "
                    "recently are in the list")
        self.url_combo.addItems(self._stored(RECENT_URLS))
        self.url_combo.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.url_combo.setEditText(self.url)
        self.url_combo.lineEdit().setPlaceholderText("https://.../treebank.conllu")
        self.url_combo.lineEdit().returnPressed.connect(self._url_entered)
        self.url_combo.lineEdit().editingFinished.connect(self._url_left)
        self.url_combo.activated.connect(self._url_entered)
        grid.addWidget(self.url_combo, 1, 1, 1, 2)

        self.language_combo = ValueCombo({
            code: Choice(language, f"Everyday sentences in {language}")
            for code, language in LANGUAGES.items()})
        self.language_combo.setToolTip("The language of the bundled treebank")
        self.language_combo.setValue(self.language)
        self.language_combo.activated.connect(self._language_chosen)
        grid.addWidget(self.language_combo, 2, 1, 1, 2)

        row = gui.hBox(None, addToLayout=False)
        gui.checkBox(row, self, "skip_bad", "&Skip sentences with errors",
                     tooltip="Without it the first error ends the reading",
                     callback=self.load)
        gui.rubber(row)
        self.reload_button = QPushButton(autoDefault=False)
        self.reload_button.clicked.connect(self._reload_or_stop)
        row.layout().addWidget(self.reload_button)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Refresh), self, self.load)
        grid.addWidget(row, 3, 0, 1, 3)

    def _show_busy(self, busy: bool) -> None:
        style = self.style()
        self.reload_button.setText("S&top" if busy else "&Reload")
        self.reload_button.setToolTip(
            "Stop reading" if busy else "Read the treebank again (F5)")
        self.reload_button.setIcon(style.standardIcon(
            QStyle.SP_BrowserStop if busy else QStyle.SP_BrowserReload))
        self.facts.setEnabled(not busy)

    def sizeHint(self) -> QSize:
        return QSize(560, 620)

    # Choosing

    def choose(self, source: str) -> None:
        """Take another source and load from it."""
        self.source = source
        self.buttons[source].setChecked(True)
        self._path_changed()
        if source == "url" and not self.url:
            self.url_combo.setFocus()
        self.load()

    def select_file(self, n: int) -> None:
        if self.recent_paths:
            super().select_file(n)
            self.set_file_list()
            self.choose("file")

    def set_file_list(self) -> None:
        super().set_file_list()
        if not self.recent_paths:
            self.file_combo.setToolTip("Files that were read recently: none yet")

    def open_file(self, path: str) -> None:
        self.add_path(path)
        self.set_file_list()
        self.choose("file")

    def browse(self) -> None:
        start = self.last_path() or os.path.expanduser("~")
        path, _ = QFileDialog.getOpenFileName(self, "Open Treebank", start, FILTERS)
        if path:
            self.open_file(path)

    def open_url(self, url: str) -> None:
        self.url = url
        self.url_combo.setEditText(url)
        self.choose("url")

    def _url_entered(self) -> None:
        url = self.url_combo.currentText().strip()
        # A combo box tells of Return two or three times.
        if self.task is None or (self.source, self.url) != ("url", url):
            self.open_url(url)

    def _url_left(self) -> None:
        """The cursor has left the field; Return has been dealt with."""
        url = self.url_combo.currentText().strip()
        if url != self.url and (url or self.source == "url"):
            self.open_url(url)

    def _language_chosen(self) -> None:
        self.language = self.language_combo.value()
        self.choose("bundled")

    def _reload_or_stop(self) -> None:
        if self.task is None:
            self.load()
        else:
            self.stop()

    # Loading

    def load(self) -> None:
        """Begin to read what is chosen."""
        self.cancel()
        self.clear_messages()
        self.loaded = None
        place = {"file": self.path, "url": self.url, "bundled": self.language
                 }[self.source]
        if not place:
            self._show_nothing(self.Information.no_file if self.source == "file"
                               else self.Information.no_url)
        elif self.source == "file" and not os.path.exists(place):
            self._show_nothing(self.Error.not_found, place)
        else:
            self._show_busy(True)
            self.start(load, self.source, place, self.skip_bad)

    def stop(self) -> None:
        self.cancel()
        self._show_nothing(self.Information.stopped)

    def _show_nothing(self, message: Msg, *args: str, skipped=()) -> None:
        """Tell why there is no treebank, in the status bar and above it."""
        message(*args)
        self._show_busy(False)
        self.facts.clear(message.formatted)
        self.facts.set_skipped(skipped)
        self.Outputs.treebank.send(None)

    def on_done(self, loaded: Loaded) -> None:
        treebank, skipped = loaded.treebank, loaded.treebank.skipped
        if not len(treebank):
            self._show_nothing(self.Error.no_sentence, skipped=skipped)
            return
        self.loaded = loaded
        self._show_busy(False)
        if skipped:
            self.Warning.skipped(
                plural(len(skipped), "sentence with errors", "sentences with errors"))
        if self.source == "url":
            self._remember_url()
        self.facts.show_facts(*loaded)
        self.Outputs.treebank.send(treebank)

    def on_exception(self, error: Exception) -> None:
        if isinstance(error, ConllError):
            # The path is in the widget already; the name of the file will do.
            name = {"file": os.path.basename, "url": file_name}.get(self.source, str)
            self._show_nothing(self.Error.fault, error.at(name(error.file), 1))
            return
        # Readers of tables raise all kinds of exceptions.
        log.info("no treebank", exc_info=error)
        text = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.strerror:
            text = f"{error.strerror}: {error.filename}"
        self._show_nothing(self.Error.unreadable, text)

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()

    # Remembering

    def _stored_paths(self) -> list[RecentPath]:
        """The recent files, with the workflow's own in front."""
        paths = [RecentPath(path, None, None) for path in self._stored(RECENT_FILES)]
        if self.path:
            own = RecentPath(self.path, "basedir" if self.relative_path else None,
                             self.relative_path or None)
            paths = [own, *(path for path in paths if path != own)]
        return paths[:MOST_RECENT]

    @staticmethod
    def _stored(key: str) -> list[str]:
        return [str(value) for value in QSettings().value(key, [], type=list)]

    def _path_changed(self) -> None:
        """Settings say where the file is, the list of recent ones is stored."""
        if self.source != "file" or not self.recent_paths:
            return
        current = self.recent_paths[0]
        self.path = current.abspath
        self.relative_path = current.relpath if current.prefix == "basedir" else ""
        QSettings().setValue(
            RECENT_FILES, [recent.abspath for recent in self.recent_paths])

    def _remember_url(self) -> None:
        urls = [self.url, *(url for url in self._stored(RECENT_URLS)
                            if url != self.url)][:MOST_RECENT]
        QSettings().setValue(RECENT_URLS, urls)
        self.url_combo.clear()
        self.url_combo.addItems(urls)
        self.url_combo.setEditText(self.url)

    def workflowEnvChanged(self, key, value, oldvalue) -> None:
        # The workflow was saved elsewhere: paths are relative to its new folder.
        self.update_file_list(key, value, oldvalue)
        self._path_changed()

    # Dropping

    def canDropUrl(self, url: QUrl) -> bool:
        if url.isLocalFile():
            return os.path.isfile(url.toLocalFile())
        return url.scheme().lower() in SCHEMES

    def handleDroppedUrl(self, url: QUrl) -> None:
        if url.isLocalFile():
            self.open_file(url.toLocalFile())
        else:
            self.open_url(url.toString())

    # Telling

    def get_widget_name_extension(self) -> str | None:
        return self.loaded.treebank.name if self.loaded else None

    def send_report(self) -> None:
        where = {
            "file": ("File", self.path), "url": ("URL", self.url),
            "bundled": ("Bundled treebank", LANGUAGES[self.language]),
        }[self.source]
        self.report_items("Source", [
            where, ("Sentences with errors",
                    "skipped" if self.skip_bad else "not allowed")])
        if self.loaded is None:
            self.report_paragraph("Treebank", "No treebank.")
            return
        treebank, facts = self.loaded
        self.report_items("Treebank", [("Name", treebank.name),
                                       *fact_rows(treebank, facts)])
        for title, key in (("UPOS", "upos"), ("XPOS", "xpos"),
                           ("Relations", "relations")):
            self.report_paragraph(title, ", ".join(
                f"{tag} {count:,}" for tag, count in facts[key].items()) or "none")
        if treebank.skipped:
            self.report_table("Skipped", [
                ("Where", "Found", "Expected"), *skipped_rows(treebank.skipped)],
                header_rows=1)


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWLoadTreebank).run()
