"""Load CoNLL Treebank: from a file, from the web, by its name, or a bundled one."""
from __future__ import annotations

import logging
import os
from itertools import pairwise

from AnyQt.QtCore import QSize, QUrl
from AnyQt.QtGui import QKeySequence, QShortcut
from AnyQt.QtWidgets import QGridLayout, QPushButton, QStyle
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.filedialogs import OWUrlDropBase
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Msg, Output, OWWidget

from orange_structpred.errors import InputError
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import LANGUAGES
from orange_structpred.treebank.conll import NoConllError
from orange_structpred.treebank.remote import SCHEMES
from orange_structpred.treebank.table import EXTENSIONS
from orange_structpred.treebank.ud import TREEBANK_PARTS, cached_ud, ud_release
from orange_structpred.widgets.common.background import BackgroundWidget
from orange_structpred.widgets.common.phrases import plural
from orange_structpred.widgets.common.recentplaces import SourcesMixin, UrlCombo
from orange_structpred.widgets.common.storedsettings import StoredSettings
from orange_structpred.widgets.common.valuecontrols import Choice, ValueCombo
from orange_structpred.widgets.common.windows import open_in_full_size
from orange_structpred.widgets.load.loading import Loaded, load_source, short_name
from orange_structpred.widgets.load.statistics import (
    TreebankStatistics,
    skipped_rows,
    statistics_rows,
)
from orange_structpred.widgets.load.udpicker import UDPicker

log = logging.getLogger(__name__)

TREEBANK_FILTERS = ";;".join([
    f"CoNLL treebanks ({' '.join(f'*{extension}' for extension in EXTENSIONS)})",
    "Tables with treebanks (*.tab *.csv *.xlsx *.pkl *.pkl.gz)",
    "All files (*)"])
#: Texts and tooltips of their buttons
TREEBANK_SOURCES = {
    "file": ("&File:", "A CoNLL file, or a table with a treebank in it"),
    "url": ("&URL:", "The address of a CoNLL file on the web"),
    "bundled": ("&Bundled:", "A treebank that comes with this add-on"),
    "ud": ("Universal &Dependencies:", "A treebank from the Universal Dependencies "
           "collection, downloaded only once")}


class OWLoadTreebank(StoredSettings, SourcesMixin, OWUrlDropBase, BackgroundWidget):
    name = "Load CoNLL Treebank"
    description = ("Read a treebank in CoNLL-U or CoNLL-X from a file or from the web, "
                   "download one from Universal Dependencies, or use a bundled one.")
    icon = "icons/loadtreebank.svg"
    priority = 10
    keywords = ("load conll treebank, file, open, read, url, corpus, sentences, "
                "universal dependencies, ud, conllu, conllx")

    class Outputs:
        treebank = Output("Treebank", Treebank, dynamic=False,
                          doc="A table with one row per sentence")

    class Error(OWWidget.Error):
        not_found = Msg("File not found: {}")
        fault = Msg("{}\nCheck 'Skip sentences with errors' to read the rest: {}.")
        unreadable = Msg("{}")
        all_faulty = Msg("{}\nAll sentences have errors; this may not be a "
                         "treebank.")
        no_sentence = Msg("{} contains no sentences.")

    class Warning(OWWidget.Warning):
        skipped = Msg("Skipped {}.\nThe 'Skipped' tab lists where and why.")

    class Information(OWWidget.Information):
        no_file = Msg("Choose a file, or drop one here.")
        no_url = Msg("Enter the address of a CoNLL file.")
        stopped = Msg("Stopped: press Reload to read the treebank.")
        not_downloaded = Msg("{} has not been downloaded yet: press Download.")

    want_main_area = False
    resizing_enabled = True

    settings_version = 1
    source = Setting("bundled", fits=TREEBANK_SOURCES)
    url = Setting("")
    ud = Setting("English-EWT")       # name of a treebank of Universal Dependencies
    part = Setting("train", fits=TREEBANK_PARTS)
    language = Setting("en", fits=LANGUAGES)
    skip_bad = Setting(False)

    recent_key = "recent-paths/load-treebank"
    open_title, open_filters = "Open Treebank", TREEBANK_FILTERS

    def __init__(self):
        OWUrlDropBase.__init__(self)
        self.init_recent_files()
        BackgroundWidget.__init__(self)
        self.loaded: Loaded | None = None

        self._add_source_box()
        box = gui.vBox(self.controlArea, "Treebank")
        self.statistics = TreebankStatistics()
        box.layout().addWidget(self.statistics)

        self.set_file_list()
        self.path_changed()
        self.load()
        open_in_full_size(self)

    # Controls

    def _add_source_box(self) -> None:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        gui.widgetBox(self.controlArea, "Source", orientation=grid)
        self.make_source_buttons(TREEBANK_SOURCES)
        for row, (source, button) in enumerate(self.buttons.items()):
            grid.addWidget(button, row, 0, 1, 3 if source == "ud" else 1)

        grid.addWidget(self.file_combo, 0, 1)
        grid.addWidget(self.browse_button, 0, 2)

        self.url_combo = UrlCombo(self.url)
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

        self.ud_picker = UDPicker(self.ud, self.part)
        self.ud_picker.chosen.connect(self._ud_chosen)
        grid.addWidget(self.ud_picker, 4, 1, 1, 2)

        row = gui.hBox(None, addToLayout=False)
        gui.checkBox(row, self, "skip_bad", "&Skip sentences with errors",
                     tooltip="If not checked, reading stops at the first error",
                     callback=self.load)
        gui.rubber(row)
        self.reload_button = QPushButton(autoDefault=False)
        self.reload_button.clicked.connect(self._reload_or_stop)
        row.layout().addWidget(self.reload_button)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Refresh), self, self.load)
        grid.addWidget(row, 5, 0, 1, 3)
        # Row by row, as one reads
        controls = (self.buttons["file"], self.file_combo, self.browse_button,
                    self.buttons["url"], self.url_combo,
                    self.buttons["bundled"], self.language_combo,
                    self.buttons["ud"], self.ud_picker.languages,
                    self.ud_picker.treebanks, self.ud_picker.parts,
                    self.controls.skip_bad, self.reload_button)
        for before, after in pairwise(controls):
            self.setTabOrder(before, after)

    def _show_busy(self, busy: bool) -> None:
        style = self.style()
        missing = self.Information.not_downloaded.is_shown()
        self.reload_button.setText(
            "S&top" if busy else "Down&load" if missing else "Re&load")
        self.reload_button.setToolTip(
            "Stop reading" if busy else "Download the treebank (F5)" if missing
            else "Read the treebank again (F5)")
        self.reload_button.setIcon(style.standardIcon(
            QStyle.SP_BrowserStop if busy else QStyle.SP_BrowserReload))
        self.statistics.setEnabled(not busy)

    def sizeHint(self) -> QSize:
        return QSize(560, 680)

    # Choosing

    def choose(self, source: str) -> None:
        """Take another source and load from it."""
        self.source = source
        self.buttons[source].setChecked(True)
        self.path_changed()
        if source == "url" and not self.url:
            self.url_combo.setFocus()
        if source == "ud" and not self._is_here():
            self.ask_to_download()
        else:
            self.load()

    def open_url(self, url: str) -> None:
        self.url = url
        self.url_combo.setEditText(url)
        self.choose("url")

    def _url_entered(self) -> None:
        url = self.url_combo.url()
        # A combo box signals Return two or three times.
        if self.task is None or (self.source, self.url) != ("url", url):
            self.open_url(url)

    def _url_left(self) -> None:
        """The cursor has left the field; Return has been dealt with."""
        url = self.url_combo.url()
        if url != self.url and (url or self.source == "url"):
            self.open_url(url)

    def _language_chosen(self) -> None:
        self.language = self.language_combo.value()
        self.choose("bundled")

    def _ud_chosen(self) -> None:
        self.ud, self.part = self.ud_picker.name(), self.ud_picker.part()
        self.choose("ud")

    def _is_here(self) -> bool:
        """Whether the treebank is here, or cannot be: then `load_source` says why."""
        try:
            return cached_ud(self.ud, self.part) is not None
        except InputError:
            return True

    def ask_to_download(self) -> None:
        """Do not download yet: treebanks are large, and users look through the list."""
        self.cancel()
        self.clear_messages()
        self.loaded = None
        self._show_nothing(self.Information.not_downloaded, self.place)

    def _reload_or_stop(self) -> None:
        if self.task is None:
            self.load()
        else:
            self.stop()

    # Loading

    @property
    def place(self) -> str:
        """Path, address, name or language of what is chosen, as `load_source` takes it."""
        return {"file": self.path, "url": self.url, "bundled": self.language,
                "ud": f"{self.ud} {self.part}"}[self.source]

    def load(self) -> None:
        """Begin to read what is chosen."""
        self.cancel()
        self.clear_messages()
        self.loaded = None
        origin = self.place
        if not origin:
            self._show_nothing(self.Information.no_file if self.source == "file"
                               else self.Information.no_url)
        elif self.source == "file" and not os.path.exists(origin):
            self._show_nothing(self.Error.not_found, origin)
        else:
            self._show_busy(True)
            self.statistics.clear(f"Reading {short_name(self.source, origin)}…")
            self.start(load_source, self.source, origin)

    def stop(self) -> None:
        self.cancel()
        self._show_nothing(self.Information.stopped)

    def _show_nothing(self, message: Msg, *args: str, skipped=()) -> None:
        """Show a message in place of a treebank, in the status bar and in the window."""
        message(*args)
        self._show_busy(False)
        self.statistics.clear(message.formatted)
        self.statistics.set_skipped(skipped)
        self.Outputs.treebank.send(None)

    def on_done(self, loaded: Loaded) -> None:
        treebank, skipped = loaded.treebank, loaded.treebank.skipped
        if not len(treebank) or skipped and not self.skip_bad:
            self._show_faults(treebank)
            return
        self.loaded = loaded
        self._show_busy(False)
        if skipped:
            self.Warning.skipped(
                plural(len(skipped), "sentence with errors", "sentences with errors"))
        if self.source == "url":
            self.url_combo.remember(self.url)
        self.statistics.show_statistics(*loaded)
        self.Outputs.treebank.send(treebank)

    def _show_faults(self, treebank: Treebank) -> None:
        """Say what is wrong with a file; offer to skip bad sentences if that helps."""
        name, skipped = short_name(self.source, self.place), treebank.skipped
        if not skipped:
            self._show_nothing(self.Error.no_sentence, name)
            return
        first = skipped[0]
        # Sentences in a table are identified by their rows.
        text = str(first.at(name, 1) if first.file == self.place else first)
        if len(treebank):
            self._show_nothing(self.Error.fault, text,
                               plural(len(treebank), "sentence", "sentences"))
        elif isinstance(first, NoConllError):
            self._show_nothing(self.Error.unreadable, text)
        else:
            self._show_nothing(self.Error.all_faulty, text,
                               skipped=skipped if self.skip_bad else ())

    def on_exception(self, error: Exception) -> None:
        # Readers of tables raise all kinds of exceptions.
        log.info("no treebank", exc_info=error)
        text = str(error) or type(error).__name__
        if isinstance(error, OSError) and error.strerror:
            text = f"{error.strerror}: {error.filename}"
        self._show_nothing(self.Error.unreadable, text)

    def onDeleteWidget(self) -> None:
        self.shutdown()
        super().onDeleteWidget()

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

    # Name and report

    def get_widget_name_extension(self) -> str | None:
        return self.loaded.treebank.name if self.loaded else None

    def send_report(self) -> None:
        where = {
            "file": ("File", self.path), "url": ("URL", self.url),
            "bundled": ("Bundled treebank", LANGUAGES[self.language]),
            "ud": (f"Universal Dependencies {ud_release()}", self.place),
        }[self.source]
        self.report_items("Source", [
            where, ("Sentences with errors",
                    "skipped" if self.skip_bad else "not allowed")])
        if self.loaded is None:
            self.report_paragraph("Treebank", f"No treebank: {self.statistics.reason}")
            return
        treebank, statistics, licence = self.loaded
        self.report_items("Treebank", [
            ("Name", treebank.name),
            *statistics_rows(treebank, statistics, licence)])
        for title, key in (("UPOS", "upos"), ("XPOS", "xpos"),
                           ("Relations", "relations")):
            self.report_paragraph(title, ", ".join(
                f"{tag} {count:,}" for tag, count in statistics[key].items()) or "none")
        if treebank.skipped:
            self.report_table("Skipped", [
                ("Where", "Found", "Expected"), *skipped_rows(treebank.skipped)])


if __name__ == "__main__":  # pragma: no cover
    WidgetPreview(OWLoadTreebank).run()
