"""Run a script where no Qt can be imported, and see what it computed."""
import ast
import importlib.abc
import io
import json
import os
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).parent.parent
NO_QT = ("AnyQt", "PyQt5", "PyQt6", "PySide2", "PySide6", "pyqtgraph", "orangewidget",
         "Orange.widgets", "orange_structpred.widgets")


class Blocked(importlib.abc.MetaPathFinder):
    """Finds no Qt, and nothing that needs it."""

    def find_spec(self, name, path=None, target=None):
        if any(name == blocked or name.startswith(f"{blocked}.") for blocked in NO_QT):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def run_main(path, arguments=()):
    """The variables of a script's function `main` at its end."""
    values = {}
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    noted = ast.parse("try:\n    pass\nfinally:\n    __note__(locals())").body[0]
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "main":
            noted.body, statement.body = statement.body, [noted]
    names = {"__name__": "__main__", "__file__": str(path), "__note__": values.update}
    before, sys.argv = sys.argv, [str(path), *arguments]
    try:
        exec(compile(ast.fix_missing_locations(tree), str(path), "exec"), names)
    finally:
        sys.argv = before
    return values


def run_text(text, folder=None, arguments=()):
    """The same for the text of a script that stands in a folder."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(folder or scratch) / "script.py"
        path.write_text(text, encoding="utf-8")
        return run_main(path, arguments)


def run_here(script):
    """What a script prints, and its predictions and norms, without a process of its own."""
    with redirect_stdout(io.StringIO()) as out:
        values = run_main(script)
    return out.getvalue(), computed(values)


def run_without_qt(script, *arguments, timeout=600):
    """The finished process, and predictions and norms of parsers by their names."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        done = subprocess.run(
            [sys.executable, __file__, script, found, *arguments], check=False, timeout=timeout,
            capture_output=True, encoding="utf-8", cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)})
        return done, json.loads(found.read_text()) if found.exists() else None


def main(script, found, *arguments):
    sys.meta_path.insert(0, Blocked())
    values = run_main(script, arguments)
    Path(found).write_text(json.dumps(computed(values)))


def computed(values):
    """Predictions, norms of parsers, and sizes of tables among the variables of a script."""
    from Orange.data import Table

    from orange_structpred import Parser, Treebank
    return {
        "predictions": {
            name: {column: [own.tolist() for own in prediction.heads]
                   for column, prediction in value.predictions.items()}
            for name, value in values.items() if isinstance(value, Treebank)},
        "norms": {value.name: value.log[-1].norm.hex() for value in values.values()
                  if isinstance(value, Parser) and value.log},
        "rows": {name: len(value) for name, value in values.items()
                 if isinstance(value, Table)},
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
