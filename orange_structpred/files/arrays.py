"""Files of named arrays (.npz) that hold no pickle and are never left half written."""
from __future__ import annotations

import errno
import os
import stat
import zipfile
import zlib
from pathlib import Path

import numpy as np

#: How archives and single arrays begin; numpy takes all else for pickles
BEGINNINGS = (b"PK", b"\x93NUMPY")


class ArrayFileError(ValueError):
    """A file that is no file of arrays, or is damaged."""


def write_arrays(path: str | os.PathLike, **arrays) -> None:
    """Write beside, then replace: an old file stays whole if writing fails.

    A link stays one: what it leads to is replaced. An OSError names `path`.
    """
    place = output_place(path)
    beside = place.with_name(place.name + ".part")
    try:
        try:
            with open(beside, "wb") as file:
                np.savez(file, **arrays)
                file.flush()
                os.fsync(file.fileno())   # some systems tell of a full disk only here
            os.replace(beside, place)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error),
                      os.fspath(path)) from error


def output_place(path: str | os.PathLike) -> Path:
    """Where a file is to be written, links being followed.

    An OSError if no file can be there: what is replaced must be a file, since a pipe
    or a device would be one afterwards.
    """
    place, name = Path(os.path.realpath(path)), os.fspath(path)
    if place.is_dir():
        raise _os_error(errno.EISDIR, name)
    if not place.parent.is_dir():
        raise _os_error(errno.ENOENT, os.path.dirname(os.path.abspath(path)))
    if os.path.lexists(place) and not stat.S_ISREG(os.lstat(place).st_mode):
        raise OSError(errno.EINVAL, "found what is no regular file, expected one or a "
                      "new name", name)
    if not os.access(place.parent, os.W_OK):
        raise _os_error(errno.EACCES, name)
    return place


def _os_error(number: int, name: str) -> OSError:
    return OSError(number, os.strerror(number), name)


def read_arrays(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """All arrays of a file; only a file that cannot be opened is an OSError."""
    with open(path, "rb") as file:
        try:
            if not file.peek(8).startswith(BEGINNINGS):
                raise ArrayFileError("it is no file of arrays")
            loaded = np.load(file, allow_pickle=False)
            if not isinstance(loaded, np.lib.npyio.NpzFile):
                raise ArrayFileError("it holds a single array")
            return dict(loaded)
        except ArrayFileError:
            raise
        except (OSError, ValueError, KeyError, EOFError, MemoryError, RuntimeError,
                zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error) as error:
            # numpy's own words are about a way to read pickles
            text = "it holds Python objects" if "pickle" in str(error) else str(error)
            raise ArrayFileError(text or type(error).__name__) from error
