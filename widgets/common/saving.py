"""What widgets that save something to a file have in common."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QFileDialog, QMessageBox, QWidget
from Orange.widgets.utils.save.owsavebase import OWSaveBase

from orange_structpred.widgets.common.failures import failure_text
from orange_structpred.widgets.common.inputlinks import InputLinks
from orange_structpred.widgets.common.layouts import wrapped_label
from orange_structpred.widgets.common.phrases import plural, sentence
from orange_structpred.widgets.common.storedsettings import StoredSettings


def ask_where_to_save(parent: QWidget, title: str, start: str | os.PathLike,
                      endings: Mapping[str, str], chosen: str = "", *,
                      files: Callable[[Path], Sequence[Path]] = lambda path: [path]
                      ) -> Path | None:
    """A path to save to; None if nothing is to be saved.

    A name with one of the endings is taken as it was typed, whatever kind of file was
    chosen beside it. Other names get the ending of the chosen kind. Files that exist
    are not overwritten unless the user says so.

    Parameters
    ----------
    start : folder, or path without ending, that is suggested
    endings : kinds of files as the dialog shows them, and how their names end
    chosen : kind that is chosen at first
    files : all files that will be written for a path
    """
    typed, chosen = QFileDialog.getSaveFileName(
        parent, title, str(start), ";;".join(endings), chosen)
    if not typed:
        return None
    path = with_ending(typed, endings, chosen)
    # the dialog itself has asked about the name that was typed
    others = [file for file in files(path) if file != Path(typed) and file.exists()]
    if others and not may_overwrite(parent, title, others):
        return None
    return path


def with_ending(typed: str, endings: Mapping[str, str], chosen: str) -> Path:
    """The path as it was typed, with the ending of the chosen kind if it has none."""
    if typed.lower().endswith(tuple(endings.values())):
        return Path(typed)
    return Path(typed + endings.get(chosen, next(iter(endings.values()))))


def without_ending(path: str, endings: Mapping[str, str]) -> str:
    """The path without the longest of the endings that it has."""
    fitting = [ending for ending in endings.values() if path.lower().endswith(ending)]
    return path[:-len(max(fitting, key=len))] if fitting else path


def may_overwrite(parent: QWidget, title: str, files: Sequence[Path]) -> bool:
    which = f"“{files[0].name}”" if len(files) == 1 else \
        plural(len(files), "file", "files") + f", “{files[0].name}” among them,"
    exist = "already exists" if len(files) == 1 else "already exist"
    box = QMessageBox(QMessageBox.Question, title, f"{which} {exist}. Replace?",
                      QMessageBox.Yes | QMessageBox.No, parent)
    box.setTextFormat(Qt.PlainText)     # names of files may look like HTML
    return box.exec() == QMessageBox.Yes


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
        self.saved_label = wrapped_label()
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
