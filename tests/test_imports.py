"""Who may import whom: the imports are read, none is run."""
import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT

LIBRARY = "orange_structpred"
#: Rooms and modules at the library's root, and what each may import of the others
ALLOWED = {
    "array_types": (),
    "errors": (),
    "kinds": ("files",),        # names that model files can have; `files` has none of it
    "parametrised": (),
    "running": (),
    "files": (),
    "tables": (),
    "svm": ("files", "running"),
    "neural": ("files", "running"),
    "treebank": ("files", "running"),
    "kernels": ("files", "running", "treebank"),
    "search": ("running", "tables", "treebank"),
    "evaluation": ("running", "tables", "treebank"),
    "parsing": ("files", "kernels", "neural", "running", "svm", "treebank"),
    "tagging": ("files", "neural", "running", "svm", "treebank"),
    "problems": ("files", "kernels", "running", "svm"),
    "parser": ("files", "parsing", "running", "svm", "treebank"),
    "learner": ("files", "kernels", "neural", "parser", "parsing", "running", "svm", "treebank"),
    "tuning": ("evaluation", "kernels", "learner", "parser", "parsing", "running", "svm",
               "tables", "treebank"),
    "pipeline": ("files", "learner", "parser", "running", "svm", "tagging", "treebank"),
    "teaching": ("learner", "parser", "parsing", "svm", "tables", "treebank"),
    "reranking": ("files", "kernels", "learner", "parser", "problems", "running", "svm",
                  "treebank"),
    "export": ("evaluation", "files", "learner", "pipeline", "problems", "search",
               "tables", "teaching", "treebank", "tuning"),
}
#: What every room may import
EVERYWHERE = ("array_types", "errors", "kinds", "parametrised")
#: They stand above all rooms: the package itself and the command line
TOP = {"__init__", "__main__", "_clone", "_readers", "commands"}
QT = {"AnyQt", "PyQt5", "PyQt6", "PySide2", "PySide6", "pyqtgraph", "orangewidget",
      "orangecanvas"}


def imported(path: Path, module: str):
    """Full names of the modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                package = module.split(".")[:-node.level]
                base = ".".join([*package, *([node.module] if node.module else [])])
            else:
                base = node.module
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def library_imports():
    """Pairs of a module of the library and a module that it imports."""
    for path in sorted((ROOT / LIBRARY).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        for name in imported(path, ".".join(parts)):
            yield parts, name


def test_rooms_import_only_what_they_may():
    wrong = set()
    for parts, name in library_imports():
        room, other = parts[1], name.split(".")
        if room in TOP or other[0] != LIBRARY or len(other) == 1:
            continue
        if other[1] not in (room, *EVERYWHERE, *ALLOWED.get(room, ())) \
                and (ROOT / LIBRARY / other[1]).with_suffix("").exists() | (
                    ROOT / LIBRARY / f"{other[1]}.py").exists():
            wrong.add(f"{'.'.join(parts)} imports {name}")
    assert not wrong


def test_permits_are_needed():
    """What a room may import, some module of it does."""
    used = {(parts[1], name.split(".")[1]) for parts, name in library_imports()
            if name.startswith(f"{LIBRARY}.")}
    assert not {(room, other) for room, permits in ALLOWED.items()
                for other in permits if (room, other) not in used}


def test_all_rooms_are_named():
    rooms = {path.stem for path in (ROOT / LIBRARY).iterdir()
             if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - TOP <= set(ALLOWED)
    modules = [room for room in rooms if (ROOT / LIBRARY / f"{room}.py").exists()]
    assert len(modules) <= 10


def test_contributing_lists_all_rooms():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = text.split(f"    {LIBRARY}/", 1)[1].split("    widgets/", 1)[0]
    rooms = {path.parent.name for path in (ROOT / LIBRARY).glob("*/__init__.py")}
    assert set(re.findall(r"^        (\w+)/", listed, re.MULTILINE)) == rooms


def test_no_room_imports_itself_in_a_circle():
    """What is allowed has an order: each room comes after what it may import."""
    placed = set()
    while waiting := set(ALLOWED) - placed:
        free = {room for room in waiting if set(ALLOWED[room]) <= placed}
        assert free, f"a circle among {sorted(waiting)}"
        placed |= free


def test_the_library_knows_no_widget_and_no_qt():
    wrong = {f"{'.'.join(parts)} imports {name}" for parts, name in library_imports()
             if name.split(".")[0] in QT
             or name.startswith((f"{LIBRARY}.widgets", "Orange.widgets", "tools"))}
    assert not wrong


def test_only_widgets_at_the_top_of_their_folder():
    """Orange's discovery imports every module that it finds there."""
    found = {path.name for path in (ROOT / "widgets").glob("*.py")}
    assert {name for name in found if not name.startswith("ow")} == {"__init__.py"}


#: What every module of a kind must define: programs, and the modules of commands
PROTOCOLS = {"main": ("__main__.py", "run_workflow.py"),
             "add_arguments": ("commands/",), "run": ("commands/", "run_workflow.py")}


def test_a_name_means_one_thing():
    """No two public functions or classes of one name, wherever they are."""
    modules = {}
    for folder in (LIBRARY, "widgets"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix()
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) \
                        and not node.name.startswith("_") \
                        and not any(part in module for part in PROTOCOLS.get(node.name, ())):
                    modules.setdefault(node.name, []).append(module)
    assert not {name: defined for name, defined in modules.items() if len(defined) > 1}


@pytest.mark.parametrize("arguments, code", [
    (["--help"], 0), (["train", "--help"], 0), (["train", "x", "--nonsense"], 2)])
def test_the_command_line_answers_before_it_imports_orange(arguments, code):
    script = f"""
import sys
from orange_structpred.__main__ import main
try:
    code = main({arguments!r})
except SystemExit as done:
    code = done.code
heavy = [name for name in ("Orange", "numba", "scipy", "sklearn", "numpy")
         if name in sys.modules]
print("heavy:", heavy)
sys.exit(code)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines()[-1] == "heavy: []"
