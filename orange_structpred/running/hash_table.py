"""Open-addressed hash tables, for compiled code.

A table has as many slots as a power of two, and at least one of them is free. A key is
looked for from a slot on that follows from it, one slot after the other. What spreads keys
over the slots is left to the caller: most keys are hash values already.
"""
from __future__ import annotations

from numba import uint64

from orange_structpred.running.compiler import njit


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
