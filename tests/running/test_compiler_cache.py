"""Compiled code is kept somewhere, and what is damaged is compiled again."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT

# Compiles one small function of the package, and says where it is kept.
PROGRAM = """
import sys, warnings
warnings.simplefilter("always")
import numpy as np
from orange_structpred.parsing.trees import is_tree
print(is_tree(np.array([-1, 0, 1], np.int32)))
print(is_tree._cache.cache_path)
print(sum(is_tree.stats.cache_hits.values()))
"""


def run(package, home, **environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=False, capture_output=True,
        encoding="utf-8", cwd=package, timeout=600, env={
            **os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
            "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **environment})
    assert "Traceback" not in done.stderr, done.stderr
    tree, path, hits = done.stdout.split()
    assert tree == "True"
    return Path(path), int(hits), done.stderr


@pytest.fixture
def package(tmp_path):
    """A copy of the package without compiled code."""
    shutil.copytree(ROOT / "orange_structpred", tmp_path / "site" / "orange_structpred",
                    ignore=shutil.ignore_patterns("__pycache__", "data"))
    return tmp_path / "site"


def blocked(place):
    """A file where a folder would be made: nobody can write there, not even root."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"")


def test_nowhere_to_keep_it(package, tmp_path):
    for room in (package / "orange_structpred").iterdir():
        if room.is_dir():
            blocked(room / "__pycache__")
    blocked(package / "orange_structpred" / "__pycache__")
    blocked(tmp_path / "home" / "cache")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for hits in (0, 1):
        path, found, err = run(package, tmp_path / "home", TMPDIR=str(temporary))
        assert path.is_relative_to(temporary) and found == hits
        assert "compiled code can be kept neither" in err
    # a folder that others can write to is not trusted
    folder, = temporary.iterdir()
    folder.chmod(0o777)
    path, found, _ = run(package, tmp_path / "home", TMPDIR=str(temporary))
    assert found == 0 and not path.is_relative_to(folder)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_file(package, tmp_path, ending):
    path, _, _ = run(package, tmp_path)
    for file in path.glob(f"trees.is_tree*.{ending}"):
        data = file.read_bytes()
        file.write_bytes(data[:len(data) // 2])
    path, hits, err = run(package, tmp_path)
    assert hits == 0 and "CompilerCacheWarning" not in err
    assert run(package, tmp_path)[1] == 1
