"""Cutting planes of kernel models and their products (thesis 4.4.2).

A plane is an output for each of some training examples. What it scores can be computed
in three ways: `naive` (Algorithm 4) compares all symbols of all examples, `hash-table`
(5) looks them up in a table, `index` (6, 7) reads only the entries of the values asked
for. The first two are there to teach and to measure.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot
from orange_structpred.svm.atomic.symbol_index import value_score

PRODUCTS = ("index", "hash-table", "naive")


class PlaneSymbols(NamedTuple):
    """Symbols of an output for each example.

    Those of examples[k] are symbols[bounds[k]:bounds[k + 1]].
    """

    examples: np.ndarray        # int64 (m,)
    bounds: np.ndarray          # int64 (m + 1,)
    symbols: np.ndarray         # int64


class PlaneFeatures(NamedTuple):
    """The symbols of outputs, and each example's vector over its own values.

    The vector of examples[k] is indices[starts[k]:starts[k + 1]], values likewise.
    """

    examples: np.ndarray        # int64 (m,)
    bounds: np.ndarray          # int64 (m + 1,)
    symbols: np.ndarray         # int64
    starts: np.ndarray          # int64 (m + 1,)
    indices: np.ndarray         # int64
    values: np.ndarray          # float32

    @property
    def outputs(self) -> PlaneSymbols:
        return PlaneSymbols(self.examples, self.bounds, self.symbols)

    @property
    def vectors(self) -> tuple[np.ndarray, ...]:
        """Examples, starts, indices and values."""
        return self.examples, *self[3:]


@njit(nogil=True, cache=True)
def hashed_output(hashed, i, symbols):
    """The hash values of an output's symbols, and their factors."""
    starts = hashed.starts[hashed.symbols[i]:hashed.symbols[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    size = 0
    for symbol in symbols:
        size += starts[symbol + 1] - starts[symbol]
    values = np.empty(size, np.int32)
    factors = np.empty(size, np.float32)
    n_values = 0
    for symbol in symbols:
        for k in range(starts[symbol], starts[symbol + 1]):
            at = hashed.unique[i] + local[k]
            values[n_values], factors[n_values] = hashed.ids[at], hashed.factors[at]
            n_values += 1
    return values, factors


@njit(nogil=True, cache=True)
def add_naive_scores(hashed, plane, weight, row, values, scores):
    """Compare hash values with all symbols of all examples (Alg. 4): each match adds
    the weight times the input kernel."""
    for k in range(plane.examples.size):
        i = plane.examples[k]
        others, factors = hashed_output(
            hashed, i, plane.symbols[plane.bounds[k]:plane.bounds[k + 1]])
        for v in range(values.size):
            for m in range(others.size):
                if others[m] == values[v]:
                    scores[v] += weight * row[i] * factors[m]


@njit(nogil=True, cache=True, inline="always")
def table_slot(keys, value):
    """Where a value stands in a table, or where it would."""
    return find_slot(keys, value, value * 0x9E3779B1 >> 12, -1)


@njit(nogil=True, cache=True)
def add_table_scores(hashed, plane, weight, row, values, scores):
    """Look up each symbol of all examples in a table of the hash values (Alg. 5)."""
    size = 2
    while size < 2 * values.size:
        size *= 2
    keys = np.full(size, -1, np.int64)
    for v in range(values.size):
        keys[table_slot(keys, np.int64(values[v]))] = values[v]
    sums = np.zeros(size)
    for k in range(plane.examples.size):
        i = plane.examples[k]
        others, factors = hashed_output(
            hashed, i, plane.symbols[plane.bounds[k]:plane.bounds[k + 1]])
        for m in range(others.size):
            slot = table_slot(keys, np.int64(others[m]))
            if keys[slot] >= 0:
                sums[slot] += weight * row[i] * factors[m]
    for v in range(values.size):
        scores[v] += sums[table_slot(keys, np.int64(values[v]))]


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
