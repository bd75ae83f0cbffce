"""Where tests find the large treebanks, which are not part of the project."""
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def treebank_dir() -> Path:
    """The folder named by STRUCTPRED_TREEBANKS, else ../shared/treebanks."""
    named = os.environ.get("STRUCTPRED_TREEBANKS")
    return Path(named) if named else ROOT.parent / "shared" / "treebanks"


def all_treebanks(slow: float = float("inf")):
    """A parameter `source` for each CoNLL-U file of the folder, whatever its name.

    slow : tests of files with more bytes than this are slow
    """
    return pytest.mark.parametrize("source", [
        pytest.param(path, id=path.stem,
                     marks=[pytest.mark.slow] * (path.stat().st_size > slow))
        for path in sorted(treebank_dir().glob("*.conllu"))])


def treebank_file(name: str) -> Path:
    path = treebank_dir() / name
    if not path.exists():
        pytest.skip(f"{name} is not in {treebank_dir()}; "
                    "set STRUCTPRED_TREEBANKS to the folder that holds it")
    return path
