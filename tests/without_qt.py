"""Run a script where no Qt can be imported, and see what it computed."""
import importlib.abc
import json
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
NO_QT = ("AnyQt", "PyQt5", "PyQt6", "PySide2", "PySide6", "pyqtgraph", "orangewidget",
         "Orange.widgets", "orange_structpred.widgets")


class Blocked(importlib.abc.MetaPathFinder):
    """Finds no Qt, and nothing that needs it."""

    def find_spec(self, name, path=None, target=None):
        if any(name == blocked or name.startswith(f"{blocked}.") for blocked in NO_QT):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def run_without_qt(script, timeout=600):
    """The finished process, and predictions and norms of parsers by their names."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        done = subprocess.run(
            [sys.executable, __file__, script, found], check=False, timeout=timeout,
            capture_output=True, encoding="utf-8", cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)})
        return done, json.loads(found.read_text()) if found.exists() else None


def main(script, found):
    sys.meta_path.insert(0, Blocked())
    values = runpy.run_path(script, run_name="__main__")
    from Orange.data import Table

    from orange_structpred import Parser, Treebank
    Path(found).write_text(json.dumps({
        "predictions": {
            name: {column: [own.tolist() for own in prediction.heads]
                   for column, prediction in value.predictions.items()}
            for name, value in values.items() if isinstance(value, Treebank)},
        "norms": {value.name: value.log[-1].norm.hex() for value in values.values()
                  if isinstance(value, Parser)},
        "rows": {name: len(value) for name, value in values.items()
                 if isinstance(value, Table)},
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
