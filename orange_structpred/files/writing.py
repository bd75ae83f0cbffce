"""Writing whole files: what was there before stays whole until the new one is.

Everything that the program writes goes through here: into a file with a name of its
own in the same folder, from there to the disk, and only then to its place. So neither
a full disk, nor a killed process, nor two that write at the same time leave half a
file behind. What a killed process leaves of its temporary file is removed when the file
is written the next time.
"""
from __future__ import annotations

import errno
import math
import os
import re
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from orange_structpred.files.locking import try_lock
from orange_structpred.files.reading import check_file_name

Made = TypeVar("Made")
LETTERS_OF_NAME = 40       # of a file's name in that of its temporary file
YOUNGEST_LEFTOVER = 2       # seconds; what is younger may not have its lock yet

_unfinished: set[Path] = set()      # temporary files and folders, while they are there
_lock = threading.Lock()            # held where one is made


@contextmanager
def nothing_unfinished() -> Iterator[None]:
    """All temporary files are removed, and no new one is made while it lasts: for a
    process that must end now, whatever its threads are writing."""
    with _lock:
        for beside in list(_unfinished):
            _remove(beside)
        yield


@contextmanager
def replacing(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """A new file to write to; without an error it takes the place of `path`.

    A link stays one: what it leads to is replaced. An OSError names `path`.

    Examples
    --------
    >>> with replacing("model.bin") as file:        # doctest: +SKIP
    ...     file.write(b"...")
    """
    target = output_place(path)
    with _naming(path), _beside(target, lambda beside: open(beside, "xb")) \
            as (beside, file):
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())   # some systems tell of a full disk only here
        _move(beside, target)


@contextmanager
def opened(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """A file to write to: a pipe or a device as it is, any other file is replaced."""
    if _is_stream(path):
        with _naming(path), open(path, "wb") as file:
            yield file
    else:
        with replacing(path) as file:
            yield file


def write_bytes(path: str | os.PathLike, data: bytes) -> None:
    """Replace a file by these bytes; a pipe or a device gets them as they are."""
    with opened(path) as file:
        file.write(data)


def write_through(path: str | os.PathLike, write: Callable[[str], object]) -> None:
    """Let `write`, which takes the name of a file, replace a file.

    It gets the same name in another folder. What it writes beside the file, under
    names that begin with the file's, is moved along.
    """
    target = output_place(path)
    with _naming(path), _beside(target, lambda beside: beside.mkdir(mode=0o700)) \
            as (folder, _):
        write(str(folder / target.name))
        for file in sorted(folder.iterdir()):
            with open(file, "rb+") as written:
                os.fsync(written.fileno())
            _move(file, target.with_name(file.name))


def output_place(path: str | os.PathLike) -> Path:
    """Where a file is to be written, links being followed.

    An OSError if no file can be there: what is replaced must be a file, since a pipe
    or a device would be one afterwards.
    """
    name = os.fspath(path)
    check_file_name(path)
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise _os_error(errno.EISDIR, name)
    if not target.parent.is_dir():
        raise _os_error(errno.ENOENT, os.path.dirname(os.path.abspath(path)))
    if os.path.lexists(target) and not stat.S_ISREG(os.lstat(target).st_mode):
        raise OSError(errno.EINVAL, "not a regular file; choose another name", name)
    if not os.access(target.parent, os.W_OK):
        raise _os_error(errno.EACCES, name)
    return target


@contextmanager
def _beside(target: Path, make: Callable[[Path], Made]) -> Iterator[tuple[Path, Made]]:
    """A name that nothing else has, in the same folder, and what is made there; it is
    removed at the end if it is still there."""
    remove_leftovers(target)
    beside = target.with_name(f"{_temporary_prefix(target)}{secrets.token_hex(8)}.part")
    held = None
    try:
        with _lock:
            _unfinished.add(beside)
            made = make(beside)
            held = _hold(beside)
        yield beside, made
    finally:
        if held is not None:
            os.close(held)
        _remove(beside)
        _unfinished.discard(beside)


def _temporary_prefix(target: Path) -> str:
    return f".{target.name[:LETTERS_OF_NAME]}."


def remove_leftovers(target: Path) -> None:
    """Remove what writers of a file left behind that were killed.

    Those that are still at work hold a lock, or, on Windows, an open file, which cannot
    be removed.
    """
    pattern = re.compile(re.escape(_temporary_prefix(target)) + r"[0-9a-f]{16}\.part")
    try:
        names = [entry.name for entry in os.scandir(target.parent)
                 if pattern.fullmatch(entry.name)]
    except OSError:         # a folder that may be written to but not listed
        return
    for beside in map(target.with_name, names):
        if time.time() - _changed(beside) < YOUNGEST_LEFTOVER:
            continue            # between its first moment and its lock
        held = _hold(beside)
        if held is not None or os.name == "nt":
            _remove(beside)
        if held is not None:
            os.close(held)


def _changed(path: Path) -> float:
    """When a file was last written to; one that has gone is as young as can be."""
    try:
        return path.stat().st_mtime
    except OSError:
        return math.inf


def _hold(path: Path) -> int | None:
    """Lock a temporary file or folder; None where that cannot be done."""
    if os.name == "nt":
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    if try_lock(descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)


def _move(file: Path, target: Path) -> None:
    with suppress(OSError):         # a new file has the permissions that new files have
        os.chmod(file, stat.S_IMODE(os.stat(target).st_mode))
    os.replace(file, target)
    if os.name == "posix":          # the new name must reach the disk as well
        with suppress(OSError):
            folder = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _is_stream(path: str | os.PathLike) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextmanager
def _naming(path: str | os.PathLike) -> Iterator[None]:
    """Errors are about the file that was asked for, not about the one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error),
                      os.fspath(path)) from error


def _os_error(number: int, name: str) -> OSError:
    return OSError(number, os.strerror(number), name)
