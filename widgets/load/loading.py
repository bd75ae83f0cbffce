"""Reading a treebank from a file, from the web, or one that comes along."""
from __future__ import annotations

import os
from typing import NamedTuple

from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import LANGUAGES, load_bundled
from orange_structpred.treebank.remote import file_name
from orange_structpred.treebank.statistics import describe

#: Share of the work that reading is; the rest is counting what was read
READING = 0.7


class Stopped(Exception):
    """The user wants no treebank any more."""


class Loaded(NamedTuple):
    """A treebank of the sentences without errors, and what `describe` says of it."""

    treebank: Treebank
    statistics: dict


def short_name(source: str, place: str) -> str:
    """What a place is called, see `load`; the path is in the widget already."""
    if source == "bundled":
        return f"the {LANGUAGES[place]} treebank"
    return os.path.basename(place) if source == "file" else file_name(place)


def load(source: str, place: str, state: TaskState) -> Loaded:
    """Read a treebank and count what is in it; runs in a thread.

    source : "file", "url" or "bundled"
    place : path, address or language
    """
    def progress(share: float) -> None:
        state.set_progress_value(100 * READING * share)
        if state.is_interruption_requested():
            raise Stopped

    state.set_status("Reading...")
    progress(0)
    if source == "file":
        treebank = Treebank.from_file(place, on_error="skip", progress=progress)
    elif source == "url":
        treebank = Treebank.from_url(place, on_error="skip", progress=progress)
    else:
        treebank = load_bundled(place)
    progress(1)
    state.set_status("Counting...")
    statistics = describe(treebank.sentences)
    progress(1)
    return Loaded(treebank, statistics)
