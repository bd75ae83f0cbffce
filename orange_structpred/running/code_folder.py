"""The folder of compiled code: where it is, how large it may become, and its end.

It is the user's cache folder, or the one that NUMBA_CACHE_DIR names, and never that of
the package: `pip uninstall` would leave it behind.
"""
from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import platformdirs
from numba.core import config

NAME = "orange-structpred"
#: Bytes. All functions of one installation take about a tenth of it.
LARGEST_FOLDER = 200_000_000


def code_folder() -> Path:
    """Where compiled code is stored; it need not exist yet."""
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR) / NAME
    return platformdirs.user_cache_path(NAME, appauthor=False) / "compiled"


@functools.cache
def package_digest() -> str:
    """What tells the source of the package, as it is now, from any other."""
    folder = Path(__file__).resolve().parents[1]
    result = blake2b(digest_size=8)
    for file in sorted(folder.rglob("*.py")):
        result.update(file.relative_to(folder).as_posix().encode())
        result.update(file.read_bytes())
    return result.hexdigest()


@dataclass(frozen=True)
class CodeFile:
    """A file of compiled code."""

    path: Path
    size: int
    used: float     # when it was last written or loaded, seconds since 1970


def code_files(folder: Path) -> list[CodeFile]:
    """All files in a folder, those that have not been used for the longest time first."""
    return sorted(_files(folder), key=lambda file: (file.used, file.path))


def _files(folder: Path) -> Iterator[CodeFile]:
    for path in folder.rglob("*"):
        with suppress(OSError):         # another process may have removed it
            if path.is_file():
                status = path.stat()
                yield CodeFile(path, status.st_size, status.st_mtime)


def limit_size(folder: Path, largest: int = LARGEST_FOLDER) -> None:
    """Remove what has not been used for the longest time until the rest is small enough."""
    files = code_files(folder)
    size = sum(file.size for file in files)
    for file in files:
        if size <= largest:
            break
        with suppress(OSError):
            file.path.unlink()
            size -= file.size


def clear(folder: Path) -> None:
    """Remove all compiled code, and the folders that it was in."""
    for file in code_files(folder):
        file.path.unlink(missing_ok=True)
    for root, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):         # not empty: somebody is compiling
            os.rmdir(root)
