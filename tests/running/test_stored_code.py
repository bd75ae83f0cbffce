"""Compiled code is stored for the user, and what is damaged is compiled again."""
import ast
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.serialize import dumps

from orange_structpred.__main__ import main
from orange_structpred.running.code_folder import clear, code_files, limit_size
from orange_structpred.running.stored_code import (
    PACKAGE_FOLDER,
    CompilerCacheWarning,
    digest,
    imported_files,
)
from tests.data import ROOT

# Compiles one small function of the package, and says where it is stored.
PROGRAM = """
import sys, warnings
warnings.simplefilter("always")
import numpy as np
from orange_structpred.parsing.decoding.trees import is_tree
print(is_tree(np.array([-1, 0, 1], np.int32)))
print(is_tree._cache.cache_path)
print(sum(is_tree.stats.cache_hits.values()))
"""
# The same with a version of numba that nobody has seen yet.
PLAIN = "import numba; numba.__version__ = '0.99.0'" + PROGRAM


def run(package, home, program=PROGRAM, **environment):
    inherited = {name: value for name, value in os.environ.items()
                 if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True,
        encoding="utf-8", cwd=package, timeout=600, env={
            **inherited, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
            "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **environment})
    assert "Traceback" not in done.stderr, done.stderr
    tree, path, hits = done.stdout.split()
    assert tree == "True"
    return Path(path), int(hits), done.stderr


@pytest.fixture
def package(tmp_path):
    """A copy of the package."""
    shutil.copytree(ROOT / "orange_structpred", tmp_path / "site" / "orange_structpred",
                    ignore=shutil.ignore_patterns("__pycache__", "data"))
    return tmp_path / "site"


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_nothing_is_left_in_the_package(package, tmp_path):
    """So that `pip uninstall` removes all of it."""
    before = files_in(package)
    path, hits, _ = run(package, tmp_path / "home")
    assert path.is_relative_to(tmp_path / "home" / "cache" / "orange-structpred")
    assert hits == 0 and run(package, tmp_path / "home")[1] == 1
    assert files_in(package) == before


def test_two_installations_share_it(package, tmp_path):
    other = shutil.copytree(package, tmp_path / "other")
    assert [run(own, tmp_path / "home")[1] for own in (package, other)] == [0, 1]


def test_the_folder_that_numba_was_given(package, tmp_path):
    chosen = tmp_path / "chosen"
    for hits in (0, 1):
        path, found, _ = run(package, tmp_path / "home", NUMBA_CACHE_DIR=str(chosen))
        assert path.is_relative_to(chosen / "orange-structpred") and found == hits
    assert not (tmp_path / "home").exists()


def test_unknown_versions_of_numba(package, tmp_path):
    """They store code themselves, in the same folder."""
    before = files_in(package)
    for hits in (0, 1):
        path, found, err = run(package, tmp_path / "home", PLAIN)
        assert found == hits and not err
    assert path.is_relative_to(tmp_path / "home" / "cache" / "orange-structpred")
    assert list(path.glob("*.nbi")) and files_in(package) == before


def blocked(path):
    """A file where a folder would be made: nobody can write there, not even root."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")


def test_nowhere_to_store_it(package, tmp_path):
    blocked(tmp_path / "home" / "cache")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for hits in (0, 1):
        path, found, err = run(package, tmp_path / "home", TMPDIR=str(temporary))
        assert path.is_relative_to(temporary) and found == hits
        assert "Compiled code cannot be stored in" in err
    # a folder that others can write to is not trusted
    folder, = temporary.iterdir()
    folder.chmod(0o777)
    path, found, _ = run(package, tmp_path / "home", TMPDIR=str(temporary))
    assert found == 0 and not path.is_relative_to(folder)


SOURCE = """
from orange_structpred.running.compiler import njit

@njit(cache=True)
def double(x):
    return 2 * x
"""


@pytest.fixture
def double(tmp_path, monkeypatch):
    """A compiled function, as a new process has it."""
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "compiled"))
    source = tmp_path / "doubling.py"

    def load(text=SOURCE):
        source.write_text(text, encoding="utf-8")
        digest.cache_clear()
        imported_files.cache_clear()
        namespace = {"__name__": "doubling"}
        exec(compile(text, str(source), "exec"), namespace)
        return namespace["double"]

    return load


def hits(function):
    return sum(function.stats.cache_hits.values())


@pytest.mark.parametrize("damage", ["half", "byte", "empty", "another"])
def test_a_damaged_file(double, damage):
    """It would run, and crash, whatever it is in machine code."""
    function = double()
    assert (function(4), function(4.), hits(function)) == (8, 8., 0)
    files = sorted(Path(function.stats.cache_path).glob("doubling.double*.nbc"))
    first, second = (bytearray(file.read_bytes()) for file in files)
    changed = bytearray(first)
    changed[len(first) // 2] ^= 0xFF
    files[0].write_bytes({"half": first[:len(first) // 2], "byte": changed, "empty": b"",
                          "another": second}[damage])
    for expected in (1, 2):         # of the two, the good one; then both
        function = double()
        assert (function(4), function(4.), hits(function)) == (8, 8., expected)


def test_code_of_another_text(double):
    assert double()(4) == 8
    changed = double(SOURCE.replace("2 *", "3 *"))
    assert (changed(4), hits(changed)) == (12, 0)


def test_a_full_disk(double, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("orange_structpred.running.stored_code.os.replace", full)
    with pytest.warns(CompilerCacheWarning, match="cannot be stored in .*No space left"):
        assert double()(4) == 8
    assert not files_in(Path(double().stats.cache_path))


def test_cleared_while_it_is_stored(double, tmp_path, monkeypatch):
    """Another process runs the command cache --clear."""
    def dumps_slowly(data):
        clear(tmp_path / "compiled")
        return dumps(data)

    monkeypatch.setattr("orange_structpred.running.stored_code.dumps", dumps_slowly)
    assert double()(4) == 8
    function = double()
    assert (function(4), hits(function)) == (8, 1)


def test_the_oldest_are_removed(tmp_path):
    for age, name in enumerate("edcba"):
        file = tmp_path / "room" / f"{name}.nbc"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(bytes(100))
        os.utime(file, (1000 - age, 1000 - age))
    limit_size(tmp_path, 500)
    assert len(files_in(tmp_path)) == 5
    limit_size(tmp_path, 250)
    assert [file.path.stem for file in code_files(tmp_path)] == ["d", "e"]


def test_the_command_shows_and_clears(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path))
    room = tmp_path / "orange-structpred" / "room"
    room.mkdir(parents=True)
    (room / "one.nbc").write_bytes(bytes(1_500_000))
    (tmp_path / "of another package").write_bytes(b"")
    assert main(["cache"]) == 0
    out = capsys.readouterr().out
    assert str(room.parent) in out and "1 function, 1.5 MB" in out
    assert main(["cache", "--clear"]) == 0
    assert "Removed  1 function, 1.5 MB" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["of another package"]
    clear(room.parent)      # that it is not there is no error
    assert main(["cache"]) == 0
    assert "0 functions, 0.0 MB" in capsys.readouterr().out


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
            capture_output=True, env={
                **os.environ, "PYTHONPATH": str(tmp_path),
                "NUMBA_CACHE_DIR": str(tmp_path / "compiled")})
        return int(done.stdout)

    before = kinds_of_edges()
    text = features.read_text(encoding="utf-8")
    changed = text.replace("    return 1 + level + (CLASSES", "    return 1 + 0 * (CLASSES")
    assert changed != text and before > 1
    features.write_text(changed, encoding="utf-8")
    assert kinds_of_edges() == 1


PART = """
import numpy as np
from orange_structpred.running.compiler import njit

@njit(nogil=True, cache=True)
def squares(numbers):
    return numbers * numbers

@njit(nogil=True, cache=True)
def sum_of_squares(numbers):
    return squares(numbers).sum()

numbers = np.arange(3)
print(sum_of_squares(numbers), squares(numbers).tolist())
print(sum_of_squares.stats.cache_hits, squares.stats.cache_hits)
"""


def test_a_part_and_its_way_in_are_loaded_after_its_caller(tmp_path):
    """The caller was stored before anybody needed what the way in needs."""
    program = tmp_path / "squares.py"
    program.write_text(PART, encoding="utf-8")
    hits = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, program], check=True, text=True, capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT),
                 "NUMBA_CACHE_DIR": str(tmp_path / "compiled")})
        numbers, stored = done.stdout.splitlines()
        assert numbers == "5 [0, 1, 4]"
        hits.append(stored.count(": 1"))
    assert hits == [0, 2]


def parsed_imports(path):
    """Files of the package that a file imports from, found by the parser of Python."""
    modules = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            modules += [(PACKAGE_FOLDER.parent, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1] if node.level else PACKAGE_FOLDER.parent
            modules += [(folder, ".".join(filter(None, [node.module, name])))
                        for name in ("", *(alias.name for alias in node.names))]
    files = {file for folder, module in modules
             for target in [folder.joinpath(*filter(None, module.split(".")))]
             for file in (target.with_suffix(".py"), target / "__init__.py")}
    return {file for file in files if file.is_file() and PACKAGE_FOLDER in file.parents}


def test_all_imports_are_seen():
    for path in PACKAGE_FOLDER.rglob("*.py"):
        assert imported_files(path) >= parsed_imports(path), path


def test_only_what_a_file_imports_counts():
    """An edit of the treebank's reader need not compile the decoders again."""
    names = set()
    left = [PACKAGE_FOLDER / "parsing" / "features" / "tag_pruning.py"]
    while left:
        file = left.pop()
        names.add(file.relative_to(PACKAGE_FOLDER).as_posix())
        left += [found for found in imported_files(file)
                 if found.relative_to(PACKAGE_FOLDER).as_posix() not in names]
    assert {"parsing/features/edge_templates.py", "treebank/encoding.py"} <= names
    assert not {"commands/train.py", "tagging/sequence_model.py",
                "learner/parser_learner.py"} & names
