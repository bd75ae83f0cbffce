"""Files and addresses that were read recently."""
from __future__ import annotations

from AnyQt.QtCore import QSettings
from AnyQt.QtWidgets import QComboBox, QSizePolicy

RECENT_FILES, RECENT_URLS = "recent-paths/load-treebank", "recent-urls/load-treebank"
MOST_RECENT = 15


def stored(key: str) -> list[str]:
    """What is remembered, the last one first."""
    return [str(value) for value in QSettings().value(key, [], type=list)]


class UrlCombo(QComboBox):
    """A field for an address, with those that were read recently in its list."""

    def __init__(self, url: str):
        super().__init__(
            editable=True, insertPolicy=QComboBox.NoInsert,
            toolTip="Type or paste an address and press Return; those that were read "
                    "recently are in the list")
        self.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
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
