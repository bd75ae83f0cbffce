"""Choosing a treebank of Universal Dependencies: language, treebank, part."""
from __future__ import annotations

from AnyQt.QtCore import QSignalBlocker
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QWidget
from orangewidget.utils.combobox import ComboBoxSearch

from orange_structpred.errors import InputError
from orange_structpred.treebank.ud import (
    HOME_PAGE,
    TREEBANK_PARTS,
    cached_ud,
    find_ud,
    ud_treebanks,
)


class UDPicker(QWidget):
    """Three combo boxes; those of language and treebank can be searched by typing.

    `chosen` is emitted when the user has chosen something.
    """

    chosen = Signal()

    def __init__(self, name: str, part: str, parent: QWidget | None = None):
        super().__init__(parent)
        self.languages, self.treebanks = ComboBoxSearch(), ComboBoxSearch()
        self.parts = QComboBox()
        self.languages.setToolTip(
            "The language; open the list and type to search in it")
        self.treebanks.setToolTip("The treebank of this language")
        self.parts.setToolTip("Which part of the treebank; many have only a test part")
        self.languages.addItems(list(dict.fromkeys(
            treebank.language for treebank in ud_treebanks())))
        self.parts.addItems(list(TREEBANK_PARTS))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for combo, stretch in ((self.languages, 3), (self.treebanks, 3),
                               (self.parts, 1)):
            combo.setSizePolicy(QSizePolicy.Ignored if stretch > 1 else
                                QSizePolicy.Maximum, QSizePolicy.Fixed)
            layout.addWidget(combo, stretch)
        self.setFocusProxy(self.languages)
        self.set_value(name, part)
        self.languages.activated.connect(self._language_chosen)
        self.treebanks.activated.connect(self._treebank_chosen)
        self.parts.activated.connect(self.chosen)

    def name(self) -> str:
        return self.treebanks.currentData() or ""

    def part(self) -> str:
        return self.parts.currentText()

    def set_value(self, name: str, part: str) -> None:
        """Show a treebank; one that the catalogue does not have is shown by its name."""
        try:
            treebank = find_ud(name)
        except InputError:
            self.languages.setCurrentIndex(-1)
            self.treebanks.clear()
            self.treebanks.addItem(name, name)
        else:
            self.languages.setCurrentText(treebank.language)
            self._list_treebanks(treebank.name)
        self.parts.setCurrentText(part)

    def _list_treebanks(self, name: str = "") -> None:
        with QSignalBlocker(self.treebanks):
            self.treebanks.clear()
            for treebank in ud_treebanks():
                if treebank.language == self.languages.currentText():
                    self.treebanks.addItem(treebank.treebank, treebank.name)
        self.treebanks.setCurrentIndex(max(0, self.treebanks.findData(name)))
        self._tell_about_treebank()

    def _tell_about_treebank(self) -> None:
        treebank = find_ud(self.name())
        here = [part for part in TREEBANK_PARTS if cached_ud(treebank.name, part)]
        self.treebanks.setToolTip(
            f"{HOME_PAGE}/{treebank.repository}\n"
            f"Downloaded: {', '.join(here) or 'nothing yet'}")

    def _language_chosen(self) -> None:
        self._list_treebanks()
        self.chosen.emit()

    def _treebank_chosen(self) -> None:
        self._tell_about_treebank()
        self.chosen.emit()
