"""Sparse vectors and their arithmetic, compiled.

Nothing here needs memory in the length of w: what is summed goes through a small
table of the indices that occur.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import uint64
from scipy import sparse

from orange_structpred.array_types import Reals
from orange_structpred.errors import InputError
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_position_slot

SPREAD = 0x9E3779B97F4A7C15
CACHE_LINE = 64     # bytes


class SparseVector(NamedTuple):
    """Feature indices, each at most once, and their values."""

    indices: np.ndarray
    values: np.ndarray


NO_FEATURES = SparseVector(np.zeros(0, np.int64), np.zeros(0))


def aligned_zeros(size: int, dtype) -> np.ndarray:
    """Zeros that begin where a line of the processor's cache does.

    Weights that are stored in rows of the length of a line are then read at once;
    otherwise each row takes two lines, and scoring takes half as long again.
    """
    dtype = np.dtype(dtype)
    room = np.zeros(size + CACHE_LINE // dtype.itemsize, dtype)
    first = -room.ctypes.data % CACHE_LINE // dtype.itemsize
    return room[first:first + size]


def aligned(array: np.ndarray) -> np.ndarray:
    """The array, or a copy of it, where a line of the cache begins."""
    if array.ctypes.data % CACHE_LINE == 0:
        return array
    copy = aligned_zeros(array.size, array.dtype)
    copy[:] = array
    return copy


def sparse_vector(features) -> SparseVector:
    """From what a user's problem gives: an array, a sparse row, or indices and values.

    The values may be those that are given, not a copy; they must be finite.
    """
    if isinstance(features, SparseVector):
        vector = SparseVector(np.asarray(features.indices, np.int64),
                              np.asarray(features.values, float))
        if vector.indices.ndim != 1 or vector.indices.shape != vector.values.shape:
            raise InputError(f"joint_features has indices of the shape {vector.indices.shape} "
                             f"and values of the shape {vector.values.shape}; expected as "
                             "many of one as of the other")
    elif sparse.issparse(features):
        if features.ndim == 2 and features.shape[0] != 1:
            raise InputError(f"joint_features is a sparse matrix of the shape "
                             f"{features.shape}; expected a single row")
        if features.format == "csr":        # of one row; its coordinates take longer
            indices, values = features.indices, features.data
        else:
            row = features.tocoo()
            indices, values = row.col if row.ndim == 2 else row.coords[0], row.data
        vector = SparseVector(*sum_equal_indices(np.asarray(indices, np.int64),
                                                 np.asarray(values, float)))
    else:
        try:
            dense = np.asarray(features, dtype=float)
        except (TypeError, ValueError):
            raise InputError(f"joint_features is {features!r:.60}; expected an array of "
                             "numbers, a sparse row or a SparseVector") from None
        if dense.ndim != 1:
            dense = dense.ravel()
        vector = SparseVector(all_indices(dense.size), dense)
    n_nonzero = count_nonzero(vector.values)
    if n_nonzero < 0:
        raise InputError("joint_features has values that are not finite")
    if 2 * n_nonzero > vector.values.size or not has_no_gaps(vector):
        return vector
    indices = np.flatnonzero(vector.values)
    return SparseVector(indices, vector.values[indices])


@lru_cache(maxsize=4)
def all_indices(size: int) -> np.ndarray:
    """0 .. size - 1: one array for all vectors without gaps, whose sums then need no
    search for equal indices."""
    return np.arange(size)


def has_no_gaps(vector: SparseVector) -> bool:
    """Whether the vector has all indices, and the array that is known for it."""
    return vector.indices is all_indices(vector.indices.size)


def from_arrays(indices: np.ndarray, values: np.ndarray) -> SparseVector:
    """A vector that was stored, as `sparse_vector` has made it."""
    every = all_indices(indices.size)
    return SparseVector(every if np.array_equal(indices, every) else indices, values)


@njit(nogil=True, cache=True)
def count_nonzero(values):
    """How many values are not 0, or -1 if some are not finite."""
    count = infinite = 0
    for value in values:            # to the end: a loop that can be left is slower
        count += value != 0
        infinite += value - value != 0
    return -1 if infinite else count


@njit(nogil=True, cache=True)
def are_equal(values, others):
    """As numpy's `array_equal`, which is slower."""
    if values.size != others.size:
        return False
    for first in range(0, values.size, 64):
        different = 0
        for k in range(first, min(first + 64, values.size)):
            different += values[k] != others[k]
        if different:
            return False
    return True


@njit(nogil=True, cache=True, fastmath={"reassoc"})
def dense_dot(w, values):
    total = 0.
    for k in range(values.size):
        total += w[k] * values[k]
    return total


@njit(nogil=True, cache=True)
def dense_add(w, values, scale):
    for k in range(values.size):
        w[k] += scale * values[k]


def vector_dot(w: np.ndarray, vector: SparseVector) -> float:
    """<w, vector>"""
    if has_no_gaps(vector):
        return dense_dot(w, vector.values)
    return sparse_dot(w, vector.indices, vector.values)


def vector_add(w: np.ndarray, vector: SparseVector, scale: float) -> None:
    """w += scale * vector"""
    if has_no_gaps(vector):
        dense_add(w, vector.values, scale)
    else:
        sparse_add(w, vector.indices, vector.values, scale)


@njit(nogil=True, cache=True)
def sparse_dot(w, indices, values):
    total = 0.
    for k in range(indices.size):
        total += w[indices[k]] * values[k]
    return total


@njit(nogil=True, cache=True)
def sparse_add(w, indices, values, scale):
    for k in range(indices.size):
        w[indices[k]] += scale * values[k]


@njit(nogil=True, cache=True, inline="always")
def index_slot(table, indices, index):
    """The slot of an index in a table of positions, or a free one for it."""
    return find_position_slot(table, indices, index,
                              uint64(index) * uint64(SPREAD) >> uint64(32))


@njit(nogil=True, cache=True)
def empty_table(n):
    """A table for n keys, at most half full."""
    size = 4
    while size < 2 * n:
        size *= 2
    return np.full(size, -1, np.int32)


@njit(nogil=True, cache=True)
def sum_equal_indices(indices, values):
    """Sum the values of equal indices and drop those that cancel out.

    The result is in the order in which indices first occur.
    """
    table = empty_table(indices.size)
    kept = np.empty(indices.size, np.int64)
    sums = np.empty(indices.size, values.dtype)
    n_kept = 0
    for k in range(indices.size):
        slot = index_slot(table, kept, indices[k])
        position = table[slot]
        if position < 0:
            table[slot] = n_kept
            kept[n_kept], sums[n_kept] = indices[k], values[k]
            n_kept += 1
        else:
            sums[position] += values[k]
    left = 0
    for k in range(n_kept):
        if sums[k] != 0:
            kept[left], sums[left] = kept[k], sums[k]
            left += 1
    return kept[:left].copy(), sums[:left].copy()


@njit(nogil=True, cache=True)
def merge_difference(indices, values, other_indices, other_values):
    """One vector minus another."""
    n = indices.size
    both = np.empty(n + other_indices.size, np.int64)
    signed = np.empty(both.size)
    for k in range(n):
        both[k], signed[k] = indices[k], values[k]
    for k in range(other_indices.size):
        both[n + k], signed[n + k] = other_indices[k], -other_values[k]
    return sum_equal_indices(both, signed)


@njit(nogil=True, cache=True)
def indices_within(indices, dim):
    """Whether all indices are within 0 .. dim - 1."""
    outside = 0
    for index in indices:
        outside += not 0 <= index < dim
    return outside == 0


@njit(nogil=True, cache=True)
def vector_table(indices):
    """A table in which `index_slot` looks up the indices of a vector."""
    table = empty_table(indices.size)
    for k in range(indices.size):
        table[index_slot(table, indices, indices[k])] = k
    return table


@njit(nogil=True, cache=True)
def score_features(weights, indices, ends):
    """Sums of the weights of some vectors of ones, given as their indices, one vector
    after the other, and where each vector's end."""
    scores = np.empty(ends.size)
    k = 0
    for vector in range(ends.size):
        total = np.float32(0)
        while k < ends[vector]:
            total += weights[indices[k]]
            k += 1
        scores[vector] = total
    return scores


@njit(nogil=True, cache=True)
def sum_features(indices, ends, values):
    """The sum of values[k] times vector k, as indices and values."""
    repeated = np.empty(indices.size, np.float32)
    k = 0
    for vector in range(ends.size):
        while k < ends[vector]:
            repeated[k] = values[vector]
            k += 1
    return sum_equal_indices(indices, repeated)


@njit(nogil=True, cache=True)
def multiply_features(indices, ends, other_indices, other_values):
    """Inner products of vectors with another sparse vector."""
    table = vector_table(other_indices)
    products = np.zeros(ends.size)
    k = 0
    for vector in range(ends.size):
        while k < ends[vector]:
            position = table[index_slot(table, other_indices, indices[k])]
            if position >= 0:
                products[vector] += other_values[position]
            k += 1
    return products


@njit(nogil=True, cache=True)
def sparse_product(indices, values, other_indices, other_values):
    """The inner product of two sparse vectors."""
    table = vector_table(indices)
    total = 0.
    for k in range(other_indices.size):
        position = table[index_slot(table, indices, other_indices[k])]
        if position >= 0:
            total += values[position] * other_values[k]
    return total


def vector_product(vector: SparseVector, other: SparseVector) -> float:
    """The inner product of two vectors."""
    if has_no_gaps(vector) and other.indices is vector.indices:
        return dense_dot(vector.values, other.values)
    if not (vector.indices.size and other.indices.size):
        return 0.
    return sparse_product(*vector, *other)


def linear_combination(vectors: Sequence[SparseVector], alpha: Reals) -> SparseVector:
    """The sum of alpha * vector."""
    terms = [(vector, weight) for vector, weight in zip(vectors, alpha)
             if vector.indices.size]
    if not terms:
        return NO_FEATURES
    scaled = [np.multiply(vector.values, weight, dtype=np.float64)
              for vector, weight in terms]
    first = terms[0][0].indices
    if all(vector.indices is first for vector, _ in terms) and (
            len(terms) == 1 or first is all_indices(first.size)):
        for other in scaled[1:]:            # vectors without gaps
            scaled[0] += other
        return SparseVector(first, scaled[0])
    return SparseVector(*sum_equal_indices(
        np.concatenate([vector.indices for vector, _ in terms]), np.concatenate(scaled)))
