"""How long closing Train Parser takes while it works, and how long its thread lives on.

    python benchmarks/closing.py --treebanks DIR

One line of JSON for each closing, at some moments of trainings on all of UD English
EWT, and one for the longest. With an empty folder in NUMBA_CACHE_DIR the first ones are
within the compilation.
"""
from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from pathlib import Path

from orange_structpred import Treebank
from orange_structpred.widgets.common import run_workflow

SETTINGS = (
    {"n_jobs": 2},
    {"solver": "one-slack"},
    {"features": "kernel"},
    {"features": "kernel", "kernel": "ngram"},
)
MOMENTS = (0.3, 2, 5, 9)        # seconds after the beginning


def close(treebank: Treebank, settings: dict, after: float) -> dict:
    """Close a widget that has worked for so many seconds."""
    from AnyQt.QtWidgets import QApplication

    from orange_structpred.widgets.owtrainparser import OWTrainParser

    before = set(threading.enumerate())
    widget = OWTrainParser.__new__(
        OWTrainParser, stored_settings={"auto_train": "always", **settings})
    widget.__init__()
    widget.set_treebank(treebank)
    widget.handleNewSignals()
    end = time.monotonic() + after
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)
    working = widget.is_running()
    began = time.monotonic()
    widget.onDeleteWidget()
    seconds = time.monotonic() - began
    while not set(threading.enumerate()) <= before:
        QApplication.processEvents()
        time.sleep(0.005)
    return {"name": "closing_s", "value": round(seconds, 2), "after_s": after,
            "working": working, "thread_ended_s": round(time.monotonic() - began, 2),
            **settings}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--treebanks", type=Path, required=True, metavar="DIR",
                        help="folder of en_ewt-ud-train.conllu")
    args = parser.parse_args()
    treebank = Treebank.from_file(args.treebanks / "en_ewt-ud-train.conllu")
    with tempfile.TemporaryDirectory() as folder:
        application = run_workflow.make_application(folder)
        lines = []
        for settings in SETTINGS:
            for after in MOMENTS:
                lines.append(close(treebank, settings, after))
                print(json.dumps(lines[-1]), flush=True)
        print(json.dumps({
            "name": "longest_closing_s", "value": max(own["value"] for own in lines),
            "thread_ended_s": max(own["thread_ended_s"] for own in lines)}), flush=True)
        application.quit()
    os._exit(0)                 # Qt does not like to be taken down piece by piece


if __name__ == "__main__":
    main()
