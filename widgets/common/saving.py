"""What widgets that save something to a file have in common."""
from __future__ import annotations

import os
from collections.abc import Mapping

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QLabel, QSizePolicy
from Orange.widgets.utils.save.owsavebase import OWSaveBase

from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.phrases import sentence
from orange_structpred.widgets.common.savedialogs import (
    ask_where_to_save,
    without_ending,
)
from orange_structpred.widgets.common.storedsettings import StoredSettings


class SavingWidget(InputLinks, StoredSettings, OWSaveBase, openclass=True):
    """Saves what it gets, and says what it wrote.

    A subclass has `data`, writes it to a path (`write`) and says what it is
    (`contents`).
    """

    #: kinds of files as the dialog shows them, and how their names end
    filters: Mapping[str, str] = {}

    def __init__(self):
        super().__init__()
        self.saved = ""         # what was written last, in words
        self.saved_label = QLabel(wordWrap=True, textFormat=Qt.PlainText)
        self.saved_label.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Preferred)
        self.saved_label.setMinimumWidth(400)
        self.grid.addWidget(self.saved_label, self.grid.rowCount(), 0, 1, 2)
        self.show_saved()

    def write(self, path: str) -> None:
        raise NotImplementedError

    def contents(self) -> str:
        """What `data` is, in words."""
        raise NotImplementedError

    def get_save_filename(self) -> tuple[str, str]:
        start = without_ending(self.filename, self.filters) or self.last_dir
        path = ask_where_to_save(self, self.name, start, self.filters, self.filter)
        return ("", "") if path is None else (str(path), self.filter_of(path.name))

    def filter_of(self, name: str) -> str:
        """The kind of file that a name stands for."""
        return max((kind for kind, ending in self.filters.items()
                    if name.lower().endswith(ending)),
                   key=lambda kind: len(self.filters[kind]),
                   default=self.default_filter())

    def on_new_input(self) -> None:
        self.saved = ""
        self.show_saved()
        super().on_new_input()

    def do_save(self) -> None:
        try:
            self.write(self.filename)
        except (OSError, ValueError) as error:
            self.saved = ""
            self.Error.general_error(sentence(failure_text("Saving", error)))
        else:
            self.saved = f"Saved {self.contents()} to {self.filename}"
        self.show_saved()

    def show_saved(self) -> None:
        self.saved_label.setText(
            f"{self.saved}." if self.saved else
            "Not saved yet." if self.data is not None else
            self.waiting_text() or "Nothing to save.")
        self.setStatusMessage(
            f"Saved as {os.path.basename(self.filename)}" if self.saved else "")

    def links_changed(self) -> None:
        self.show_saved()

    def send_report(self) -> None:
        self.report_items([
            ("Contents", self.contents() if self.data is not None else "none"),
            ("File", self.filename or "none"), ("Saved", "yes" if self.saved else "no")])
