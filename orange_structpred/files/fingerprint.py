"""The identity of data: a number made of the data themselves, and of nothing else.

Warm starts, checkpoints, encoded treebanks and caches ask whether data are the same as
before. Equal data have equal fingerprints in every process; data that differ in a single
value have different ones.
"""
from __future__ import annotations

import pickle
from collections.abc import Mapping, Set
from functools import partial
from hashlib import blake2b
from types import FunctionType, MethodType
from typing import Any

import numpy as np
from scipy import sparse

SIZE = 16       # bytes


def fingerprint(*values: Any) -> str:
    """The fingerprint of some values, as hexadecimal digits.

    Arrays, sparse matrices, numbers, text, containers and objects with attributes are
    told apart by their contents and types, anything else by how it is pickled.
    """
    result = Fingerprint()
    for value in values:
        result.add(value)
    return result.hexdigest()


class Fingerprint:
    """A fingerprint of data that come one after the other."""

    def __init__(self) -> None:
        self._digest = blake2b(digest_size=SIZE)
        self._open: set[int] = set()        # objects that contain the present one

    def hexdigest(self) -> str:
        return self._digest.hexdigest()

    def update(self, data: bytes) -> None:
        """Add bytes as they are, such as those of a file in pieces."""
        self._digest.update(data)

    def add(self, value: Any) -> None:
        """Add a value, with its type and its length."""
        if id(value) in self._open:
            return self._part("circle", b"")
        self._open.add(id(value))
        try:
            self._add(value)
        finally:
            self._open.discard(id(value))

    def _part(self, kind: str, data: bytes | memoryview) -> None:
        self._digest.update(f"{kind} {len(data)}:".encode())
        self._digest.update(data)

    def _add(self, value: Any) -> None:
        kind = type(value).__name__
        if sparse.issparse(value):
            rows = sparse.csr_array(value)
            self._all("sparse", (rows.shape, rows.indptr, rows.indices, rows.data))
        elif isinstance(value, (np.ndarray, np.generic)):
            array = np.ascontiguousarray(value)
            kind = f"array {array.dtype.str} {np.shape(value)}"
            if array.dtype.hasobject:
                self._all(kind, array.ravel().tolist())
            else:       # no copy: arrays may be larger than memory
                self._part(kind, array.reshape(-1).view(np.uint8).data if array.size
                           else b"")
        elif isinstance(value, str):
            self._part("str", value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self._part("bytes", bytes(value))
        elif value is None or isinstance(value, (bool, int, float, complex)):
            self._part(kind, repr(value).encode())
        elif isinstance(value, (list, tuple, range)):
            self._all(kind, value)
        elif isinstance(value, (Set, Mapping)):
            items = value.items() if isinstance(value, Mapping) else value
            self._all(kind, sorted(map(fingerprint, items)))
        elif isinstance(value, partial):
            self._all("partial", (value.func, value.args, value.keywords))
        elif isinstance(value, MethodType):
            self._all("method", (value.__self__, value.__func__.__qualname__))
        elif isinstance(value, FunctionType):
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            self._all("function", (value.__module__, value.__qualname__,
                                   value.__code__.co_code, value.__code__.co_names,
                                   repr(value.__code__.co_consts), value.__defaults__,
                                   cells))
        elif isinstance(value, type):
            self._part("type", f"{value.__module__}.{value.__qualname__}".encode())
        elif hasattr(value, "__dict__"):
            self._all(kind, sorted(vars(value).items()))
        else:
            try:
                self._part(kind, pickle.dumps(value, protocol=4))
            except (pickle.PicklingError, TypeError, AttributeError):
                self._part(kind, repr(value).encode())

    def _all(self, kind: str, values) -> None:
        self._part(f"{kind} {len(values)}", b"")
        for value in values:
            self.add(value)
