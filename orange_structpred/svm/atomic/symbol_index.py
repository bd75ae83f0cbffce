"""The index of a kernel model: hash value -> (training example, coefficient).

Algorithms 6 and 7 of the thesis, for the model as a whole: the score of a hash
value for an input x is the sum of coefficient * k(x_i, x) over the value's entries.
A value has room for every example that has it in some symbol, but only entries that
ever got a coefficient are filled, so only they are read.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.svm.atomic.hashed_symbols import HashedSymbols

TINY_COEFFICIENT = 1e-12    # coefficients below are those of examples that cancelled out


class Index(NamedTuple):
    """Entries of value v are at starts[v] to starts[v] + filled[v]."""

    starts: np.ndarray          # int64 (values + 1,)
    filled: np.ndarray          # int32 (values,)
    examples: np.ndarray        # int32, entries
    coefficients: np.ndarray    # float64, entries
    late: np.ndarray            # float64, entries; or empty where nothing is averaged
    indices: np.ndarray          # int32: entry of each example's own values, or -1


def index_starts(hashed: HashedSymbols, n_values: int) -> np.ndarray:
    """Where the entries of each value begin, in any index of these examples."""
    return np.concatenate([[0], np.cumsum(np.bincount(hashed.ids, minlength=n_values))])


def empty_index(starts: np.ndarray, averaging: bool) -> Index:
    size = int(starts[-1])
    return Index(
        starts, np.zeros(len(starts) - 1, np.int32), np.zeros(size, np.int32),
        np.zeros(size), np.zeros(size if averaging else 0), np.full(size, -1, np.int32))


# Sums may be taken in another order than written, but in the same one each time.
@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def value_score(index, value, row):
    """Score of one hash value for the input whose kernel row is given."""
    first = index.starts[value]
    total = 0.
    for entry in range(first, first + index.filled[value]):
        total += index.coefficients[entry] * row[index.examples[entry]]
    return total


@njit(nogil=True, cache=True)
def own_scores(index, hashed, i, row):
    """Scores of all own values of example i, functions' weights included."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    scores = np.empty(last - first)
    for k in range(last - first):
        value = hashed.ids[first + k]
        scores[k] = 0 if value < 0 else (
            hashed.factors[first + k] * value_score(index, value, row))
    return scores


@njit(nogil=True, cache=True)
def add_entries(index, hashed, i, indices, values, scale, before):
    """Add scale * values to the coefficients of own values of example i."""
    first = hashed.unique[i]
    for k in range(indices.size):
        at = first + indices[k]
        entry = index.indices[at]
        if entry < 0:
            value = hashed.ids[at]
            entry = index.starts[value] + index.filled[value]
            index.filled[value] += 1
            index.indices[at] = entry
            index.examples[entry] = i
        index.coefficients[entry] += scale * values[k]
        if index.late.size:
            index.late[entry] += scale * before * values[k]


@njit(nogil=True, cache=True)
def add_plane(index, hashed, examples, starts, indices, values, scale):
    """`add_entries` for examples; those of examples[k] are at starts[k] and after it."""
    for k in range(examples.size):
        span = slice(starts[k], starts[k + 1])
        add_entries(index, hashed, examples[k], indices[span], values[span], scale, 0.)


@njit(nogil=True, cache=True)
def example_norms(index, hashed, first, last, gram, norms):
    """<w, w_i> for the part w_i of the model that each example brought."""
    for i in range(first, last):
        start = hashed.unique[i]
        total = 0.
        for k in range(hashed.unique[i + 1] - start):
            entry = index.indices[start + k]
            if entry >= 0 and index.coefficients[entry] != 0:
                # a coefficient holds the root of its function's weight already,
                # and so does the other side of the product
                total += index.coefficients[entry] * value_score(
                    index, hashed.ids[start + k], gram[i])
        norms[i] = total


def squared_norm(index: Index, hashed: HashedSymbols, gram: np.ndarray) -> float:
    """|w|^2 of the model with this index."""
    norms = np.zeros(len(hashed.unique) - 1)
    example_norms(index, hashed, 0, len(norms), gram, norms)
    return float(norms.sum())


def fixed_index(counts: np.ndarray, examples: np.ndarray, coefficients: np.ndarray
                ) -> Index:
    """An index that changes no more."""
    return Index(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
                 counts.astype(np.int32), examples.astype(np.int32),
                 coefficients.astype(np.float64), np.zeros(0), np.zeros(0, np.int32))


class Support(NamedTuple):
    """What is left of an index without coefficients of zero."""

    examples: np.ndarray        # that have a coefficient, sorted
    values: np.ndarray          # that have an entry, sorted
    entries: Index              # of these values; examples are numbers in `examples`


def support(index: Index, factor: float, n_kept: int | None = None) -> Support:
    """Keep what has a coefficient: values, entries and examples.

    n_kept : how many examples to keep in any case, if not only those with a coefficient
    """
    coefficients = index.coefficients * factor
    size = np.diff(index.starts)
    position = np.arange(len(coefficients)) - np.repeat(index.starts[:-1], size)
    kept = np.flatnonzero((position < np.repeat(index.filled, size))
                          & (np.abs(coefficients) > TINY_COEFFICIENT))
    value = np.repeat(np.arange(len(size)), size)[kept]
    used, numbers = (np.arange(n_kept), index.examples[kept]) if n_kept is not None \
        else np.unique(index.examples[kept], return_inverse=True)
    values, counts = np.unique(value, return_counts=True)
    return Support(used, values, fixed_index(counts, numbers, coefficients[kept]))
