"""Widgets, workflows and help pages beside the library, as a clone has them.

An installed package has them inside. A Python that is started in a clone's folder
imports the library from there, even where the package is installed too, and must find
the rest all the same.
"""
from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path

PACKAGE_FOLDER = Path(__file__).parent
FOLDERS = {f"{PACKAGE_FOLDER.name}.{name}": PACKAGE_FOLDER.parent / name
           for name in ("widgets", "workflows")}


class FoldersBeside:
    """Finds the packages that stand beside the library."""

    @staticmethod
    def find_spec(name: str, path=None, target=None) -> ModuleSpec | None:
        folder = FOLDERS.get(name)
        if folder is None:
            return None
        return spec_from_file_location(name, folder / "__init__.py",
                                       submodule_search_locations=[str(folder)])


def find_folders_beside() -> None:
    """Import the widgets from beside the library if they are not inside it."""
    if not (PACKAGE_FOLDER / "widgets").exists() and all(
            (folder / "__init__.py").exists() for folder in FOLDERS.values()) \
            and FoldersBeside not in sys.meta_path:
        sys.meta_path.append(FoldersBeside)
