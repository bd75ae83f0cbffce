"""Small steps on arrays, for compiled code, that take little time to compile.

`target[:] = source` of numba takes two seconds (for the text of an error), `np.argsort`
more than one, `array.max()` half of one, before anything is computed.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def copy_into(target, source):
    """target[:] = source, for arrays of one dimension and the same size."""
    for k in range(source.size):
        target[k] = source[k]


@njit(nogil=True, cache=True)
def largest(values):
    """The maximum of an array of one dimension, which is not empty."""
    result = values[0]
    for k in range(1, values.size):
        result = max(result, values[k])
    return result


@njit(nogil=True, cache=True)
def sorted_order(keys):
    """`np.argsort` of an array of one dimension, equal keys in any order (heap sort)."""
    n = keys.size
    order = np.empty(n, np.int64)
    for k in range(n):
        order[k] = k
    for first in range(n // 2 - 1, -1, -1):
        _sift(keys, order, first, n)
    for last in range(n - 1, 0, -1):
        order[0], order[last] = order[last], order[0]
        _sift(keys, order, 0, last)
    return order


@njit(nogil=True, cache=True)
def _sift(keys, order, at, n):
    """Move an entry down until it is not smaller than those below it."""
    moved = order[at]
    while True:
        below = 2 * at + 1
        if below >= n:
            break
        if below + 1 < n and keys[order[below]] < keys[order[below + 1]]:
            below += 1
        if keys[order[below]] <= keys[moved]:
            break
        order[at] = order[below]
        at = below
    order[at] = moved
