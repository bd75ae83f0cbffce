"""Runs the cases of one campaign, and says a word after each."""
from __future__ import annotations

import os
import sys
import tempfile
import traceback
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np


class Skipped(Exception):
    """Why a campaign cannot be run here."""


def main(name: str, seed: int, first: int, last: int) -> None:
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(2, 1)               # what the program prints is not for the table
    campaign = import_module(f"tests.hostile.{name}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            state = campaign.prepare(Path(folder))
        except Skipped as reason:
            print(f"skipped {reason}", file=out, flush=True)
            return
        print("ready", file=out, flush=True)
        for case in range(first, last):
            try:
                campaign.case(state, generator(name, seed, case))
            except Exception as error:      # noqa: BLE001 (each is a failure)
                where = traceback.extract_tb(error.__traceback__)[-1]
                text = " ".join(f"{type(error).__name__}: {error}"[:300].split())
                print(f"failed {text} ({Path(where.filename).name}:{where.lineno})",
                      file=out, flush=True)
            else:
                print("ok", file=out, flush=True)
        if hasattr(campaign, "finish"):
            campaign.finish(state)
        os.chdir("/")
    print("end", file=out, flush=True)


def generator(name: str, seed: int, case: int) -> np.random.Generator:
    """What a case is drawn with, the same wherever it is run."""
    return np.random.default_rng([seed, sum(map(ord, name)), case])


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
