"""Where tests find the large treebanks, which are not part of the project."""
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def treebank_dir() -> Path:
    """The folder named by STRUCTPRED_TREEBANKS, else ../shared/treebanks."""
    named = os.environ.get("STRUCTPRED_TREEBANKS")
    return Path(named) if named else ROOT.parent / "shared" / "treebanks"


def treebank_file(name: str) -> Path:
    path = treebank_dir() / name
    if not path.exists():
        pytest.skip(f"{name} is not in {treebank_dir()}; "
                    "set STRUCTPRED_TREEBANKS to the folder that holds it")
    return path
