"""Cutting planes of kernel models and their products (thesis 4.4.2, Algorithm 7)."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.svm.atomic.symbol_index import value_score


class PlaneFeatures(NamedTuple):
    """A vector over its own values for each of some examples.

    The vector of examples[k] is indices[starts[k]:starts[k + 1]], values likewise.
    """

    examples: np.ndarray        # int64 (m,)
    starts: np.ndarray          # int64 (m + 1,)
    indices: np.ndarray         # int64
    values: np.ndarray          # float32


@njit(nogil=True, cache=True)
def index_product(hashed, index, gram, examples, starts, indices, values, known):
    """<a, a'> of an indexed plane with another (Alg. 7), without the 1/n^2.

    `known` keeps the scores of own values between calls, nan where unknown.
    """
    total = 0.
    for e in range(examples.size):
        i = examples[e]
        for k in range(starts[e], starts[e + 1]):
            at = hashed.unique[i] + indices[k]
            if np.isnan(known[at]):
                known[at] = value_score(index, hashed.ids[at], gram[i])
            total += values[k] * known[at]
    return total


@njit(nogil=True, cache=True)
def example_product(hashed, by_value, row, examples, starts, indices, values):
    """<a, a'> of a plane of one example with another plane, without the 1/n^2.

    by_value : the example's vector, an entry for each hash value
    row : the example's row of the Gram matrix
    """
    total = 0.
    for e in range(examples.size):
        i = examples[e]
        matches = 0.
        for k in range(starts[e], starts[e + 1]):
            matches += values[k] * by_value[hashed.ids[hashed.unique[i] + indices[k]]]
        total += row[i] * matches
    return total
