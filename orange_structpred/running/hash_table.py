"""Open-addressed hash tables, for compiled code.

A table has as many slots as a power of two, and at least one of them is free. A key is
looked for from a slot on that follows from it, one slot after the other. What spreads keys
over the slots is left to the caller: most keys are hash values already.
"""
from __future__ import annotations

import numpy as np
from numba import uint64

from orange_structpred.running.compiler import njit

ROW_MULT = 0x9E3779B97F4A7C15


@njit(nogil=True, cache=True, inline="always")
def find_slot(keys, key, start, free):
    """The slot of a key, or the free one where it would be.

    keys : what the slots hold; `free` in free ones
    start : any number; the first slot is its remainder
    """
    mask = uint64(keys.size - 1)
    slot = uint64(start) & mask
    while keys[slot] != free and keys[slot] != key:
        slot = (slot + uint64(1)) & mask
    return slot


@njit(nogil=True, cache=True, inline="always")
def find_position_slot(positions, keys, key, start):
    """The same for a table of positions in a list of keys; free slots are negative."""
    mask = uint64(positions.size - 1)
    slot = uint64(start) & mask
    while positions[slot] >= 0 and keys[positions[slot]] != key:
        slot = (slot + uint64(1)) & mask
    return slot


@njit(nogil=True, cache=True, inline="always")
def mix_twice(number):
    """Spread a 64-bit sum over all bits."""
    number ^= number >> uint64(32)
    number *= uint64(0xD6E8FEB86659FD93)
    number ^= number >> uint64(29)
    number *= uint64(0xD6E8FEB86659FD93)
    return number ^ (number >> uint64(32))


@njit(nogil=True, cache=True)
def equal_rows(rows):
    """A number for each row, the same for equal ones, and the first row of each number.

    rows : whole numbers
    """
    size = 16
    while size < 2 * rows.shape[0]:
        size *= 2
    keys, numbers = np.zeros(size, np.uint64), np.empty(size, np.int64)
    result, firsts = np.empty(rows.shape[0], np.int64), np.empty(rows.shape[0], np.int64)
    n_distinct = 0
    for t in range(rows.shape[0]):
        key = uint64(1)
        for column in range(rows.shape[1]):
            key = (key ^ uint64(rows[t, column])) * uint64(ROW_MULT)
        key = mix_twice(key) | uint64(1)
        slot = find_slot(keys, key, key, uint64(0))
        if keys[slot] == 0:
            keys[slot] = key
            numbers[slot] = n_distinct
            firsts[n_distinct] = t
            n_distinct += 1
        result[t] = numbers[slot]
    return result, firsts[:n_distinct].copy()
