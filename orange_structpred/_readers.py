"""Orange reads and writes treebanks, whichever of the two is imported first.

The readers are classes that Orange must be loaded for, which takes seconds; the command
line answers without it. So they are made when Orange is loaded, not before.
"""
from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

ORANGE_DATA = "Orange.data"
READERS_PACKAGE = f"{__name__.partition('.')[0]}.treebank"


def register_readers() -> None:
    """Make the readers known to Orange, now or as soon as it is loaded."""
    if f"{ORANGE_DATA}.io" in sys.modules:
        import_module(READERS_PACKAGE)
    elif WaitForOrange not in sys.meta_path:
        sys.meta_path.insert(0, WaitForOrange)


class WaitForOrange:
    """Finds Orange's package of tables as Python does, and adds the readers to it."""

    @staticmethod
    def find_spec(name: str, path=None, target=None) -> ModuleSpec | None:
        if name != ORANGE_DATA:
            return None
        sys.meta_path.remove(WaitForOrange)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenReaders(spec.loader)
        return spec


class _ThenReaders(Loader):
    """Loads a module, and then the readers."""

    def __init__(self, loader: Loader):
        self.loader = loader

    def __getattr__(self, name: str):
        return getattr(self.loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        import_module(READERS_PACKAGE)
