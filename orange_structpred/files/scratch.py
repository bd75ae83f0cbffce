"""Room for large arrays: in memory, or in files that go when they are not needed.

Arrays in files are memory-mapped: the system reads and forgets their pages as it has
room, so they may be larger than memory.
"""
from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import BinaryIO

import numpy as np


class Scratch:
    """Arrays in memory."""

    def empty(self, shape: Sequence[int], dtype) -> np.ndarray:
        """A new array to be filled."""
        return np.empty(shape, dtype)

    def collect(self, dtype) -> Collected:
        """A new array that grows."""
        return Collected(dtype)


class Collected:
    """An array that is made of parts, one after the other."""

    def __init__(self, dtype) -> None:
        self.dtype = np.dtype(dtype)
        self.parts: list[np.ndarray] = []

    def append(self, part: np.ndarray) -> None:
        self.parts.append(np.asarray(part, self.dtype))

    def array(self) -> np.ndarray:
        """All parts; nothing may be appended any more."""
        return np.concatenate(self.parts or [np.zeros(0, self.dtype)])


MEMORY = Scratch()


class DiskScratch(Scratch):
    """Arrays in nameless files of a folder; each goes with the last who uses it."""

    def __init__(self, folder: str | os.PathLike):
        self.folder = os.fspath(folder)

    def empty(self, shape: Sequence[int], dtype) -> np.ndarray:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        with tempfile.TemporaryFile(dir=self.folder) as file:
            if hasattr(os, "posix_fallocate") and size:
                # a full disk is an error here; later it would end the process
                os.posix_fallocate(file.fileno(), 0, size)
            return mapped(file, dtype, shape)

    def collect(self, dtype) -> DiskCollected:
        return DiskCollected(dtype, self.folder)


class DiskCollected(Collected):
    def __init__(self, dtype, folder: str):
        super().__init__(dtype)
        self.file = tempfile.TemporaryFile(dir=folder)      # noqa: SIM115

    def append(self, part: np.ndarray) -> None:
        self.file.write(np.ascontiguousarray(part, self.dtype).data)

    def array(self) -> np.ndarray:
        with self.file as file:
            file.flush()
            return mapped(file, self.dtype, (file.tell() // self.dtype.itemsize,))


def mapped(file: BinaryIO, dtype, shape: Sequence[int]) -> np.ndarray:
    """The contents of a file as an array, which stays when the file is closed.

    It is writable, because compiled code is made for such arrays.
    """
    if 0 in shape:          # nothing cannot be mapped
        return np.empty(shape, dtype)
    return np.asarray(np.memmap(file, dtype, "r+", shape=tuple(shape)))
