"""Files of named arrays (.npz) that hold no pickle and are never left half written.

They are read as files from strangers. What an array is declared to be (its dtype, its
shape, how much it unpacks to) is known before a byte of it is read, and only those
arrays are read that somebody asks for.
"""
from __future__ import annotations

import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.writing import replacing

#: Bytes that compressed arrays may unpack to; arrays that are stored as they are can be
#: as large as the file
LARGEST_UNPACKED = 1 << 28

_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 1 << 12
_LONGEST_SIDE = 1 << 40          # side of an array, in case another one is 0
_BYTES_AT_ONCE = 1 << 20
# Of the many headers that numpy takes, those that it writes
_HEADER = re.compile(
    r"\{'descr': '([<>|=]?[a-zA-Z]\d{0,9})', 'fortran_order': (True|False), "
    r"'shape': \(((?:\d{1,18},)?(?: \d{1,18},)*(?: ?\d{1,18})?)\), \} *\n")
# Whatever reading a damaged archive leads to
_DAMAGED_FILE = (OSError, ValueError, LookupError, EOFError, MemoryError, RuntimeError,
            TypeError, AttributeError, ArithmeticError, struct.error,
            zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error)


class ArrayFileError(InputError):
    """A file that is not a file of arrays, or is damaged."""


class Declared(NamedTuple):
    """What an array is said to be."""

    dtype: np.dtype
    shape: tuple[int, ...]
    fortran_order: bool
    offset: int                 # where its values begin


class ArrayFile:
    """An open file of arrays. Only a file that cannot be opened is an OSError."""

    def __init__(self, path: str | os.PathLike):
        self._file = open(path, "rb")       # noqa: SIM115 (closed in __exit__)
        try:
            with _damaged():
                if not self._file.peek(8).startswith(_BEGINNINGS):
                    raise ArrayFileError(
                        "it holds a single array" if self._file.peek(8).startswith(
                            _MAGIC) else "it is not a file of arrays")
                self._size = os.fstat(self._file.fileno()).st_size
                self._zip = zipfile.ZipFile(self._file)
                self._left = max(self._size, LARGEST_UNPACKED)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ArrayFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._zip.NameToInfo

    def __iter__(self) -> Iterator[str]:
        return (name.removesuffix(".npy") for name in self._zip.NameToInfo
                if name.endswith(".npy"))

    def declared(self, name: str) -> Declared:
        """What an array is said to be; nothing but its header is read."""
        with _damaged():
            info = self._zip.NameToInfo[f"{name}.npy"]
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ArrayFileError(f"its array {name!r} is compressed in an unusual "
                                     "way")
            with self._zip.open(info) as entry:
                header = _read_header(entry, name)
            size = header.dtype.itemsize * math.prod(header.shape)
            if header.offset + size != info.file_size:
                raise ArrayFileError(f"its array {name!r} is said to have {size} bytes "
                                     f"but has {info.file_size - header.offset}")
            return header

    def read(self, name: str) -> np.ndarray:
        """An array, if it is not larger than all arrays together may be."""
        header = self.declared(name)
        size = header.dtype.itemsize * math.prod(header.shape)
        self._left -= size
        if self._left < 0:
            raise ArrayFileError(f"its arrays unpack to more than "
                                 f"{max(self._size, LARGEST_UNPACKED)} bytes")
        with _damaged():
            values = np.empty(math.prod(header.shape), header.dtype)
            view = values.view(np.uint8).data if size else memoryview(b"")
            with self._zip.open(f"{name}.npy") as entry:
                entry.read(header.offset)
                for start in range(0, size, _BYTES_AT_ONCE):
                    part = entry.read(min(_BYTES_AT_ONCE, size - start))
                    view[start:start + len(part)] = part
                entry.read(1)       # at the end its checksum is compared
            return values.astype(header.dtype.newbyteorder("="), copy=False).reshape(
                header.shape, order="F" if header.fortran_order else "C")


def read_arrays(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """All arrays of a file, for files of one's own."""
    with ArrayFile(path) as file:
        return {name: file.read(name) for name in file}


def write_arrays(path: str | os.PathLike, **arrays) -> None:
    """Write beside, then replace: an old file stays whole if writing fails.

    A link stays one: what it leads to is replaced. An OSError names `path`.
    """
    with replacing(path) as file:
        np.savez(file, **arrays)


def write_compressed(path: str | os.PathLike, **arrays) -> None:
    """`write_arrays`, compressed unless they are too large to be unpacked again."""
    if sum(np.asarray(array).nbytes for array in arrays.values()) > LARGEST_UNPACKED // 2:
        return write_arrays(path, **arrays)
    with replacing(path) as file:
        np.savez_compressed(file, **arrays)


def _read_header(entry, name: str) -> Declared:
    begin = entry.read(8)
    if begin[:6] != _MAGIC or begin[6:7] not in b"\1\2\3" or len(begin) < 8:
        raise ArrayFileError(f"its array {name!r} does not begin like one")
    width = 2 if begin[6] == 1 else 4
    length = int.from_bytes(entry.read(width), "little")
    if length > _LONGEST_HEADER:
        raise ArrayFileError(f"its array {name!r} has a header of {length} bytes")
    text = entry.read(length).decode("latin-1")
    header = _HEADER.fullmatch(text)
    if header is None:
        objects = re.search(r"'descr': '\|?O", text)
        raise ArrayFileError("it holds Python objects" if objects else
                             f"its array {name!r} has a header that is not numpy's")
    dtype = np.dtype(header[1])
    if dtype.kind not in "biufU" or not dtype.itemsize:
        raise ArrayFileError("it holds Python objects" if dtype.kind == "O" else
                             f"its array {name!r} is of type {dtype}")
    shape = tuple(int(size) for size in header[3].replace(" ", "").split(",") if size)
    if max(shape, default=0) > _LONGEST_SIDE:
        raise ArrayFileError(f"its array {name!r} has the shape {shape}")
    return Declared(dtype, shape, header[2] == "True", 8 + width + length)


class _damaged:
    """Whatever goes wrong within is an ArrayFileError."""

    def __enter__(self):
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 _: object) -> None:
        if isinstance(error, _DAMAGED_FILE) and not isinstance(error, ArrayFileError):
            raise ArrayFileError(str(error) or type(error).__name__) from error
