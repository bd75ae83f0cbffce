"""The index of a kernel model: hash value -> (training sentence, coefficient).

Algorithms 6 and 7 of the thesis, for the model as a whole: the score of a hash
value for a sentence is the sum of coefficient * k(sentence', sentence) over the
value's entries. A value has room for every sentence that has it in some edge,
but only entries that ever got a coefficient are filled, so only they are read.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.kernel.hashed_edges import HashedEdges
from orange_structpred.running.compiler import njit


class Index(NamedTuple):
    """Entries of value v are at starts[v] to starts[v] + filled[v]."""

    starts: np.ndarray          # int64 (values + 1,)
    filled: np.ndarray          # int32 (values,)
    sentences: np.ndarray       # int32, entries
    coefficients: np.ndarray    # float64, entries
    late: np.ndarray            # float64, entries; or empty where nothing is averaged
    indices: np.ndarray          # int32: entry of each sentence's own values, or -1


def index_starts(hashed: HashedEdges, n_values: int) -> np.ndarray:
    """Where the entries of each value begin, in any index of these sentences."""
    return np.concatenate([[0], np.cumsum(np.bincount(hashed.ids, minlength=n_values))])


def empty_index(starts: np.ndarray, averaging: bool) -> Index:
    size = int(starts[-1])
    return Index(
        starts, np.zeros(len(starts) - 1, np.int32), np.zeros(size, np.int32),
        np.zeros(size), np.zeros(size if averaging else 0), np.full(size, -1, np.int32))


# Sums may be taken in another order than written, but in the same one each time.
@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})
def value_score(index, value, row):
    """Score of one hash value for the sentence whose kernel row is given."""
    first = index.starts[value]
    total = 0.
    for entry in range(first, first + index.filled[value]):
        total += index.coefficients[entry] * row[index.sentences[entry]]
    return total


@njit(nogil=True, cache=True)
def own_scores(index, hashed, i, row):
    """Scores of all own values of sentence i, functions' weights included."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    scores = np.empty(last - first)
    for own in range(last - first):
        value = hashed.ids[first + own]
        scores[own] = 0 if value < 0 else (
            hashed.factors[first + own] * value_score(index, value, row))
    return scores


@njit(nogil=True, cache=True)
def add_entries(index, hashed, i, indices, values, scale, before):
    """Add scale * values to the coefficients of own values of sentence i."""
    first = hashed.unique[i]
    for k in range(indices.size):
        own = first + indices[k]
        entry = index.indices[own]
        if entry < 0:
            value = hashed.ids[own]
            entry = index.starts[value] + index.filled[value]
            index.filled[value] += 1
            index.indices[own] = entry
            index.sentences[entry] = i
        index.coefficients[entry] += scale * values[k]
        if index.late.size:
            index.late[entry] += scale * before * values[k]


@njit(nogil=True, cache=True)
def add_plane(index, hashed, starts, indices, values, scale):
    """`add_entries` for all sentences; those of i are at starts[i] and after it."""
    for i in range(starts.size - 1):
        own = slice(starts[i], starts[i + 1])
        add_entries(index, hashed, i, indices[own], values[own], scale, 0.)


@njit(nogil=True, cache=True)
def sentence_norms(index, hashed, first, last, gram, norms):
    """<w, w_i> for the part w_i of the model that each sentence brought."""
    for i in range(first, last):
        start = hashed.unique[i]
        total = 0.
        for own in range(hashed.unique[i + 1] - start):
            entry = index.indices[start + own]
            if entry >= 0 and index.coefficients[entry] != 0:
                # a coefficient holds the root of its function's weight already,
                # and so does the other side of the product
                total += index.coefficients[entry] * value_score(
                    index, hashed.ids[start + own], gram[i])
        norms[i] = total
