"""Files and addresses that were read recently."""
from __future__ import annotations

import os
from collections.abc import Mapping

from AnyQt.QtCore import QSettings, Qt
from AnyQt.QtGui import QKeySequence, QShortcut
from AnyQt.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QFileDialog,
    QPushButton,
    QRadioButton,
    QSizePolicy,
    QStyle,
)
from Orange.widgets.settings import Setting
from Orange.widgets.utils.filedialogs import RecentPath, RecentPathsWComboMixin

from orange_structpred.widgets.common.phrases import safe_tip
from orange_structpred.widgets.common.windows import make_placeholder_readable

RECENT_URLS = "recent-urls/load-treebank"
MOST_RECENT = 15


def stored(key: str) -> list[str]:
    """What is remembered, the last one first."""
    return [str(value) for value in QSettings().value(key, [], type=list)]


class RecentFilesMixin(RecentPathsWComboMixin):
    """A file that is chosen, from a list of those that were read recently.

    Settings hold the file in plain values, so that a workflow can be read without any
    widget. Which others were read recently is none of a workflow's business: they are
    stored under `recent_key`.

    A subclass says what is done with a file that was chosen (`file_chosen`).
    """

    recent_key: str
    #: title of the dialog, and the kinds of files in it
    open_title: str
    open_filters: str

    path = Setting("")                # the file, from the root of its disk
    relative_path = Setting("")       # the same from the workflow's folder, if below it
    recent_paths = None

    def init_recent_files(self) -> None:
        """Call it in place of __init__, after that of the widget."""
        paths = [RecentPath(path, None, None) for path in stored(self.recent_key)]
        if self.path:
            current = RecentPath(self.path, "basedir" if self.relative_path else None,
                                 self.relative_path or None)
            paths = [current, *(path for path in paths if path != current)]
        self.recent_paths = paths[:MOST_RECENT]
        RecentPathsWComboMixin.__init__(self)
        self.file_combo.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.file_combo.setMinimumWidth(200)
        self.file_combo.activated.connect(self.select_file)
        self.browse_button = QPushButton(
            "&Open…", icon=self.style().standardIcon(QStyle.SP_DirOpenIcon),
            toolTip="Choose a file (Ctrl+O)", autoDefault=False, clicked=self.browse)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Open), self, self.browse)

    def file_chosen(self) -> None:
        raise NotImplementedError

    def select_file(self, n: int) -> None:
        if self.recent_paths:
            super().select_file(n)
            self.set_file_list()
            self.file_chosen()

    def open_file(self, path: str) -> None:
        self.add_path(path)
        self.set_file_list()
        self.file_chosen()

    def browse(self) -> None:
        start = self.last_path() or os.path.expanduser("~")
        path, _ = QFileDialog.getOpenFileName(self, self.open_title, start,
                                              self.open_filters)
        if path:
            self.open_file(path)

    def set_file_list(self) -> None:
        super().set_file_list()
        if not self.recent_paths:
            self.file_combo.setToolTip("Recent files; there are none yet")
        self.file_combo.setToolTip(safe_tip(self.file_combo.toolTip()))
        for row in range(self.file_combo.count()):
            tip = self.file_combo.itemData(row, Qt.ToolTipRole)
            self.file_combo.setItemData(row, safe_tip(tip or ""), Qt.ToolTipRole)

    def path_changed(self) -> None:
        """Settings say where the file is, the list of recent ones is stored."""
        if not self.recent_paths:
            return
        current = self.recent_paths[0]
        self.path = current.abspath
        self.relative_path = current.relpath if current.prefix == "basedir" else ""
        QSettings().setValue(
            self.recent_key, [recent.abspath for recent in self.recent_paths])

    def workflowEnvChanged(self, key, value, oldvalue) -> None:
        # The workflow was saved elsewhere: paths are relative to its new folder.
        self.update_file_list(key, value, oldvalue)
        self.path_changed()


class SourcesMixin(RecentFilesMixin):
    """The same where a file is one of several sources, each with a button."""

    source: Setting

    def make_source_buttons(self, sources: Mapping[str, tuple[str, str]]) -> None:
        """sources : text and tooltip of the button of each"""
        group = QButtonGroup(self)
        self.buttons: dict[str, QRadioButton] = {}
        for source, (text, tip) in sources.items():
            self.buttons[source] = button = QRadioButton(text, toolTip=tip)
            group.addButton(button)
            button.setChecked(source == self.source)
            button.clicked.connect(lambda _, source=source: self.choose(source))

    def choose(self, source: str) -> None:
        """Take another source."""
        raise NotImplementedError

    def file_chosen(self) -> None:
        self.choose("file")

    def path_changed(self) -> None:
        if self.source == "file":
            super().path_changed()


class UrlCombo(QComboBox):
    """A field for an address, with those that were read recently in its list."""

    def __init__(self, url: str):
        super().__init__(
            editable=True, insertPolicy=QComboBox.NoInsert,
            toolTip="Type or paste an address and press Return; the list shows recent ones")
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        make_placeholder_readable(self.lineEdit())
        self.lineEdit().setPlaceholderText("https://.../treebank.conllu")
        self._show(stored(RECENT_URLS), url)

    def url(self) -> str:
        return self.currentText().strip()

    def remember(self, url: str) -> None:
        urls = [url, *(other for other in stored(RECENT_URLS) if other != url)]
        QSettings().setValue(RECENT_URLS, urls[:MOST_RECENT])
        self._show(urls[:MOST_RECENT], url)

    def _show(self, urls: list[str], url: str) -> None:
        self.clear()
        self.addItems(urls)
        self.setEditText(url)
