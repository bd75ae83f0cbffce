"""Reading a treebank from a file, from the web, by its name, or one that comes along."""
from __future__ import annotations

import os
from typing import NamedTuple

from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.treebank import Treebank
from orange_structpred.treebank.bundled import LANGUAGES, load_bundled
from orange_structpred.treebank.remote import url_file_name
from orange_structpred.treebank.statistics import describe
from orange_structpred.treebank.ud import load_ud, ud_licence
from orange_structpred.widgets.common.background import observed_by

#: Share of the work that reading is; the rest is counting what was read
READING = 0.7


class Loaded(NamedTuple):
    """A treebank of the sentences without errors, and what `describe` says of it.

    licence : its text, if the treebank has one that is known
    """

    treebank: Treebank
    statistics: dict
    licence: str = ""


def short_name(source: str, origin: str) -> str:
    """What a place is called, see `load_source`; the path is in the widget already."""
    if source == "bundled":
        return f"the {LANGUAGES[origin]} treebank"
    if source == "ud":
        return origin
    return os.path.basename(origin) if source == "file" else url_file_name(origin)


def load_source(source: str, origin: str, state: TaskState) -> Loaded:
    """Read a treebank and count what is in it; runs in a thread.

    source : "file", "url", "ud" or "bundled"
    origin : path, address, name and part ("German-GSD train"), or language
    """
    progress = observed_by(state, 0., READING)
    licence = ""
    state.set_status("Reading…")
    progress(0)
    if source == "file":
        treebank = Treebank.from_file(origin, on_error="skip", progress=progress)
    elif source == "url":
        treebank = Treebank.from_url(origin, on_error="skip", progress=progress)
    elif source == "ud":
        name, _, part = origin.rpartition(" ")
        treebank = load_ud(name, part, on_error="skip", progress=progress)
        licence = ud_licence(name)
    else:
        treebank = load_bundled(origin)
    progress(1)
    state.set_status("Counting…")
    statistics = describe(treebank.sentences)
    progress(1)
    return Loaded(treebank, statistics, licence)
