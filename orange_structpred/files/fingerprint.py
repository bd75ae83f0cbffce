"""The identity of data: a number made of the data themselves, and of nothing else.

Warm starts, checkpoints, encoded treebanks and caches ask whether data are the same as
before. Equal data have equal fingerprints in every process; data that differ in a single
value have different ones.
"""
from __future__ import annotations

import copyreg
from collections.abc import Mapping, Sequence, Set
from functools import cached_property, partial
from hashlib import blake2b
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np
from scipy import sparse

SIZE = 16       # bytes


def fingerprint(*values: Any) -> str:
    """The fingerprint of some values, as hexadecimal digits.

    Arrays, sparse matrices, numbers, text, containers and functions are told apart by
    their contents and types, anything else by what would be pickled of it.
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
        # values may be nested deeper than Python can call
        waiting = [(value, False)]
        while waiting:
            value, is_done = waiting.pop()
            if is_done:
                self._open.discard(id(value))
            elif type(value) is str:        # most values are
                self._part("str", value.encode("utf-8", "surrogatepass"))
            elif id(value) in self._open:
                self._part("circle", b"")
            elif contents := self._begin(value):
                self._open.add(id(value))
                waiting.append((value, True))       # which also keeps it, and its id
                waiting += [(each, False) for each in reversed(contents)]

    def _part(self, kind: str, data: bytes | memoryview) -> None:
        self._digest.update(f"{kind} {len(data)}:".encode())
        self._digest.update(data)

    def _begin(self, value: Any) -> Sequence:
        """Add a value without what it contains; returns this."""
        kind, contents = type(value).__name__, contents_of(value)
        if contents is not None:
            if isinstance(value, np.ndarray):
                kind = f"array {value.shape}"
            self._part(f"{kind} {len(contents)}", b"")
            return contents
        if isinstance(value, (np.ndarray, np.generic)):
            array = np.ascontiguousarray(value)
            # no copy: arrays may be larger than memory
            self._part(f"array {array.dtype.str} {np.shape(value)}",
                       array.reshape(-1).view(np.uint8).data if array.size else b"")
        elif isinstance(value, str):
            self._part("str", value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self._part("bytes", bytes(value))
        elif isinstance(value, type):
            self._part("type", f"{value.__module__}.{value.__qualname__}".encode())
        else:
            self._part(kind, repr(value).encode("utf-8", "surrogatepass"))
        return ()


def contents_of(value: Any) -> Sequence | None:
    """What a value contains, in an order that is the same in every process; None if it
    is none that has contents."""
    if sparse.issparse(value):
        rows = sparse.csr_array(value)
        return rows.shape, rows.indptr, rows.indices, rows.data
    if isinstance(value, (np.ndarray, np.generic)):
        return np.ravel(value).tolist() if value.dtype.hasobject else None
    if value is None or isinstance(value, (str, bytes, bytearray, memoryview, bool, int,
                                           float, complex, type)):
        return None
    if isinstance(value, (list, tuple, range)):
        return value
    if isinstance(value, Mapping):
        names = sorted(value) if all(type(name) is str for name in value) \
            else sorted(value, key=fingerprint)
        return [each for name in names for each in (name, value[name])]
    if isinstance(value, Set):
        return sorted(map(fingerprint, value))
    if isinstance(value, partial):
        return value.func, value.args, value.keywords
    if isinstance(value, MethodType):
        return value.__self__, value.__func__.__qualname__
    if isinstance(value, FunctionType):
        return (value.__module__, value.__qualname__, value.__code__, value.__defaults__,
                value.__kwdefaults__, *filled_cells(value))
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, value.co_consts
    if isinstance(getattr(value, "py_func", None), FunctionType):
        return [value.py_func]      # compiled by numba, for more types at each call
    return pickled_contents(value)


def filled_cells(function: FunctionType) -> list:
    """The values of other functions' variables that a function uses."""
    values = []
    for cell in function.__closure__ or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:          # it has no value yet
            values.append(None)
    return values


def pickled_contents(value: Any) -> Sequence | None:
    """What would be pickled of an object, without what it has computed of its other
    attributes; None if it cannot be pickled."""
    reduce = copyreg.dispatch_table.get(type(value))
    try:
        parts = value.__reduce_ex__(4) if reduce is None else reduce(value)
    except Exception:       # noqa: BLE001 (whatever classes of others do)
        return [vars(value)] if hasattr(value, "__dict__") else None
    if isinstance(parts, str):      # the name of something in a module
        return [getattr(value, "__module__", None), parts]
    make, arguments, state, *items = (*parts, *[None] * 5)[:5]
    if isinstance(state, dict):
        state = {name: each for name, each in state.items() if not isinstance(
            getattr(type(value), name, None), cached_property)} or None
    return [make, arguments, state, *(each if each is None else list(each) for each in items)]
