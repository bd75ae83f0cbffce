"""Compiled code is kept somewhere, and what is damaged is compiled again."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from orange_structpred.running.compiler_cache import FOLDER, imported_files
from tests.data import ROOT

# Compiles one small function of the package, and says where it is kept.
PROGRAM = """
import sys, warnings
warnings.simplefilter("always")
import numpy as np
from orange_structpred.parsing.decoding.trees import is_tree
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
    for room in list((package / "orange_structpred").rglob("*/")):
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


def test_a_changed_byte_of_compiled_code(package, tmp_path):
    """It would run, and crash, whatever it is in machine code."""
    path, _, _ = run(package, tmp_path)
    for file in path.glob("trees.is_tree*.nbc"):
        data = bytearray(file.read_bytes())
        middle = data.index(b"ELF") + len(data) // 2 if b"ELF" in data else len(data) // 2
        data[min(middle, len(data) - 1)] ^= 0xFF
        file.write_bytes(data)
    assert run(package, tmp_path)[1] == 0
    assert run(package, tmp_path)[1] == 1


STALE = """
import numpy as np
from orange_structpred.parsing.features.tag_pruning import count_edges
from orange_structpred.treebank.encoding import ENCODED_LAYERS
chances, taken = np.zeros((2, 1 << 16), np.int64)
count_edges(np.array([0, 6]), np.ones((6, len(ENCODED_LAYERS)), np.uint64),
            np.array([-1, 0, 1, 1, 1, 1], np.int32), chances, taken)
print((chances > 0).sum())
"""


def test_what_calls_a_changed_function_is_compiled_again(tmp_path):
    """As after a git pull: the caller's own file is the same."""
    shutil.copytree(ROOT / "orange_structpred", tmp_path / "orange_structpred",
                    ignore=shutil.ignore_patterns("__pycache__", "data"))
    features = tmp_path / "orange_structpred" / "parsing" / "features" / "edge_templates.py"

    def kinds_of_edges():
        done = subprocess.run(
            [sys.executable, "-c", STALE], cwd=tmp_path, check=True, text=True,
            capture_output=True, env={**os.environ, "PYTHONPATH": str(tmp_path)})
        return int(done.stdout)

    before = kinds_of_edges()
    text = features.read_text(encoding="utf-8")
    changed = text.replace("    return 1 + level + (CLASSES", "    return 1 + 0 * (CLASSES")
    assert changed != text and before > 1
    features.write_text(changed, encoding="utf-8")
    assert kinds_of_edges() == 1


def test_only_what_a_file_imports_counts():
    """An edit of the treebank's reader need not compile the decoders again."""
    names = set()
    left = [FOLDER / "parsing" / "features" / "tag_pruning.py"]
    while left:
        file = left.pop()
        names.add(file.relative_to(FOLDER).as_posix())
        left += [found for found in imported_files(file)
                 if found.relative_to(FOLDER).as_posix() not in names]
    assert {"parsing/features/edge_templates.py", "treebank/encoding.py"} <= names
    assert not {"commands/train.py", "tagging/sequence_model.py",
                "learner/parser_learner.py"} & names
