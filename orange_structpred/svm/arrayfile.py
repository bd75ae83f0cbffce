"""Files of named arrays (.npz) that hold no pickle and are never left half written."""
from __future__ import annotations

import os
import zipfile
from pathlib import Path

import numpy as np


class ArrayFileError(ValueError):
    """A file that is no file of arrays, or is damaged."""


def write_arrays(path: str | os.PathLike, **arrays) -> None:
    """Write beside, then replace: an old file stays whole if writing fails."""
    path = Path(path)
    beside = path.with_name(path.name + ".part")
    try:
        with open(beside, "wb") as file:
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())     # some systems tell of a full disk only here
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def read_arrays(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """All arrays of a file; only a file that cannot be opened is an OSError."""
    with open(path, "rb") as file:
        try:
            loaded = np.load(file, allow_pickle=False)
            if not isinstance(loaded, np.lib.npyio.NpzFile):
                raise ArrayFileError("it holds a single array")
            return dict(loaded)
        except (OSError, ValueError, KeyError, EOFError, MemoryError,
                NotImplementedError, zipfile.BadZipFile) as error:
            raise ArrayFileError(str(error) or type(error).__name__) from error
