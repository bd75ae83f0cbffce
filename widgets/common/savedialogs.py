"""Asking where to save something: the name that is typed decides what is written."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from AnyQt.QtCore import Qt
from AnyQt.QtWidgets import QFileDialog, QMessageBox, QWidget

from orange_structpred.widgets.common.phrases import plural


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
