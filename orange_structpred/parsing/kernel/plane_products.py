"""Cutting planes of kernel models and their products (thesis 4.4.2).

A plane is a tree for each training sentence. What it scores can be computed in
three ways: `naive` (Algorithm 4) compares all symbols of all sentences, `hash-
table` (5) looks them up in a table, `index` (6, 7) reads only the entries of
the values asked for. The first two are there to teach and to measure.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.kernel.kernel_index import value_score
from orange_structpred.running.compiler import njit

PRODUCTS = ("index", "hash-table", "naive")


class PlaneFeatures(NamedTuple):
    """Heads of all sentences, and each sentence's vector over its own values."""

    heads: np.ndarray       # int32, flat
    starts: np.ndarray      # int64 (n + 1,)
    indices: np.ndarray      # int64
    values: np.ndarray      # float32


@njit(nogil=True, cache=True)
def symbols(hashed, i, length, heads):
    """The hash values of a tree's symbols, and their factors."""
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    size = 0
    for dependent in range(1, length):
        edge = heads[dependent] * length + dependent
        size += starts[edge + 1] - starts[edge]
    values = np.empty(size, np.int32)
    factors = np.empty(size, np.float32)
    found = 0
    for dependent in range(1, length):
        edge = heads[dependent] * length + dependent
        for k in range(starts[edge], starts[edge + 1]):
            own = hashed.unique[i] + local[k]
            values[found], factors[found] = hashed.ids[own], hashed.factors[own]
            found += 1
    return values, factors


@njit(nogil=True, cache=True)
def add_matches(hashed, i, length, heads, weight, values, scores):
    """Compare each symbol of a tree with each value: a match adds the weight."""
    others, factors = symbols(hashed, i, length, heads)
    for k in range(values.size):
        for m in range(others.size):
            if others[m] == values[k]:
                scores[k] += weight * factors[m]


@njit(nogil=True, cache=True)
def naive_scores(hashed, offsets, gold, planes, alpha, row, values):
    """Scores of hash values, compared with all symbols of all sentences (Alg. 4)."""
    scores = np.zeros(values.size)
    for i in range(offsets.size - 1):
        start, stop = offsets[i], offsets[i + 1]
        for p in range(alpha.size):
            weight = alpha[p] * row[i]
            add_matches(hashed, i, stop - start, gold[start:stop], weight, values,
                        scores)
            add_matches(hashed, i, stop - start, planes[p, start:stop], -weight, values,
                        scores)
    return scores


@njit(nogil=True, cache=True, inline="always")
def table_slot(keys, value):
    """Where a value stands in a table, or where it would."""
    mask = keys.size - 1
    slot = (value * 0x9E3779B1 >> 12) & mask
    while keys[slot] >= 0 and keys[slot] != value:
        slot = (slot + 1) & mask
    return slot


@njit(nogil=True, cache=True)
def add_to_table(hashed, i, length, heads, weight, keys, sums):
    """Look up each symbol of a tree: the weight is added where it is in the table."""
    others, factors = symbols(hashed, i, length, heads)
    for m in range(others.size):
        slot = table_slot(keys, np.int64(others[m]))
        if keys[slot] >= 0:
            sums[slot] += weight * factors[m]


@njit(nogil=True, cache=True)
def table_scores(hashed, offsets, gold, planes, alpha, row, values):
    """Scores of hash values: each symbol is looked up in a table of them (Alg. 5)."""
    size = 2
    while size < 2 * values.size:
        size *= 2
    keys = np.full(size, -1, np.int64)
    for k in range(values.size):
        keys[table_slot(keys, np.int64(values[k]))] = values[k]
    sums = np.zeros(size)
    for i in range(offsets.size - 1):
        start, stop = offsets[i], offsets[i + 1]
        for p in range(alpha.size):
            weight = alpha[p] * row[i]
            add_to_table(hashed, i, stop - start, gold[start:stop], weight, keys, sums)
            add_to_table(hashed, i, stop - start, planes[p, start:stop], -weight,
                         keys, sums)
    scores = np.empty(values.size)
    for k in range(values.size):
        scores[k] = sums[table_slot(keys, np.int64(values[k]))]
    return scores


@njit(nogil=True, cache=True)
def index_product(hashed, index, gram, starts, indices, values, known):
    """<a, a'> of an indexed plane with another (Alg. 7), without the 1/n^2.

    `known` keeps the scores of own values between calls, nan where unknown.
    """
    total = 0.
    for i in range(starts.size - 1):
        for k in range(starts[i], starts[i + 1]):
            own = hashed.unique[i] + indices[k]
            if np.isnan(known[own]):
                known[own] = value_score(index, hashed.ids[own], gram[i])
            total += values[k] * known[own]
    return total
