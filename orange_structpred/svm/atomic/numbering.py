"""Numbers for hash values: 0, 1, 2 ... in the order in which they are met."""
from __future__ import annotations

import numpy as np
from numba import uint64

from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_position_slot

LOAD = 0.6      # share of a table's indices that may be taken


@njit(nogil=True, cache=True, inline="always")
def number_slot(ids, known, value):
    """The slot of a value in a table of numbers, or a free one for it."""
    # some values are hashed well, but those of buckets are small numbers
    return find_position_slot(
        ids, known, value, (value * uint64(0x9E3779B97F4A7C15)) >> uint64(24))


@njit(nogil=True, cache=True)
def assign(ids, known, count, values, out):
    """Numbers of values, new ones for those not in the table; the new count.

    ids : the table; known : the values in the order of their numbers, with room for more
    """
    for k in range(values.size):
        at = number_slot(ids, known, values[k])
        if ids[at] < 0:
            known[count], ids[at] = values[k], count
            count += 1
        out[k] = ids[at]
    return count


@njit(nogil=True, cache=True)
def look_up_numbers(ids, known, values, out):
    """Numbers of values, -1 for those not in the table."""
    for k in range(values.size):
        out[k] = ids[number_slot(ids, known, values[k])]


@njit(nogil=True, cache=True)
def distinct_values(values):
    """Indices of the distinct values, each where it is met first, and for each value
    its number among them."""
    size = 16
    while size * LOAD < values.size:
        size *= 2
    ids = np.full(size, -1, np.int32)
    known = np.empty(values.size, np.uint64)
    first = np.empty(values.size, np.int64)
    numbers = np.empty(values.size, np.int32)
    n_known = 0
    for k in range(values.size):
        at = number_slot(ids, known, values[k])
        if ids[at] < 0:
            known[n_known], ids[at] = values[k], n_known
            first[n_known] = k
            n_known += 1
        numbers[k] = ids[at]
    return first[:n_known].copy(), numbers


class Numbering:
    """A table of hash values that grows as new ones are met.

    Parameters
    ----------
    known : values that have the numbers 0, 1, 2 ... already
    """

    def __init__(self, known: np.ndarray | None = None):
        self.count = 0
        self._known = np.zeros(0, np.uint64)
        self._resize(1 << 10)
        if known is not None:
            self.assign(known)

    def _resize(self, size: int) -> None:
        before = self.values()
        self._ids = np.full(size, -1, np.int32)
        self._known = np.empty(int(LOAD * size) + 1, np.uint64)
        assign(self._ids, self._known, 0, before, np.empty(len(before), np.int32))

    def assign(self, values: np.ndarray) -> np.ndarray:
        """Numbers of values; those never met get the next ones."""
        size = len(self._ids)
        while self.count + len(values) > LOAD * size:
            size *= 2
        if size > len(self._ids):
            self._resize(size)
        out = np.empty(len(values), np.int32)
        self.count = assign(self._ids, self._known, self.count, values, out)
        return out

    def look_up(self, values: np.ndarray) -> np.ndarray:
        """Numbers of values, -1 for those never met."""
        out = np.empty(len(values), np.int32)
        look_up_numbers(self._ids, self._known, values, out)
        return out

    def values(self) -> np.ndarray:
        """All values, in the order of their numbers."""
        return self._known[:self.count].copy()
