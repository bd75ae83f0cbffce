"""Numbers for hash values: 0, 1, 2 ... in the order in which they are met."""
from __future__ import annotations

import numpy as np
from numba import uint64

from orange_structpred.running.compiler import njit

LOAD = 0.6      # share of a table's indices that may be taken


@njit(nogil=True, cache=True, inline="always")
def table_place(keys, ids, key):
    """Where a key stands in an open-addressed table, or the free place for it."""
    mask = uint64(keys.size - 1)
    # some keys are hashed well, but those of buckets are small numbers
    at = ((key * uint64(0x9E3779B97F4A7C15)) >> uint64(24)) & mask
    while ids[at] >= 0 and keys[at] != key:
        at = (at + uint64(1)) & mask
    return at


@njit(nogil=True, cache=True)
def assign(keys, ids, count, values, out):
    """Numbers of values, new ones for those not in the table; the new count."""
    for k in range(values.size):
        at = table_place(keys, ids, values[k])
        if ids[at] < 0:
            keys[at], ids[at] = values[k], count
            count += 1
        out[k] = ids[at]
    return count


@njit(nogil=True, cache=True)
def look_up(keys, ids, values, out):
    """Numbers of values, -1 for those not in the table."""
    for k in range(values.size):
        out[k] = ids[table_place(keys, ids, values[k])]


@njit(nogil=True, cache=True)
def distinct(values):
    """Indices of the distinct values, each where it is met first, and for each value
    its number among them."""
    size = 16
    while size * LOAD < values.size:
        size *= 2
    keys = np.empty(size, np.uint64)
    ids = np.full(size, -1, np.int32)
    first = np.empty(values.size, np.int64)
    numbers = np.empty(values.size, np.int32)
    found = 0
    for k in range(values.size):
        at = table_place(keys, ids, values[k])
        if ids[at] < 0:
            keys[at], ids[at] = values[k], found
            first[found] = k
            found += 1
        numbers[k] = ids[at]
    return first[:found].copy(), numbers


class Numbering:
    """A table of hash values that grows as new ones are met.

    Parameters
    ----------
    known : values that have the numbers 0, 1, 2 ... already
    """

    def __init__(self, known: np.ndarray | None = None):
        self.count = 0
        self._resize(1 << 10)
        if known is not None:
            self.assign(known)

    def _resize(self, size: int) -> None:
        known = self.values() if self.count else None
        self._keys = np.zeros(size, np.uint64)
        self._ids = np.full(size, -1, np.int32)
        if known is not None:
            assign(self._keys, self._ids, 0, known, np.empty(len(known), np.int32))

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Numbers of values; those never met get the next ones."""
        size = len(self._keys)
        while self.count + len(values) > LOAD * size:
            size *= 2
        if size > len(self._keys):
            self._resize(size)
        out = np.empty(len(values), np.int32)
        self.count = assign(self._keys, self._ids, self.count, values, out)
        return out

    def look_up(self, values: np.ndarray) -> np.ndarray:
        """Numbers of values, -1 for those never met."""
        out = np.empty(len(values), np.int32)
        look_up(self._keys, self._ids, values, out)
        return out

    def values(self) -> np.ndarray:
        """All values, in the order of their numbers."""
        taken = self._ids >= 0
        known = np.empty(self.count, np.uint64)
        known[self._ids[taken]] = self._keys[taken]
        return known
