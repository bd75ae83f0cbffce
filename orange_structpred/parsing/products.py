"""Cutting planes of kernel models and their products (thesis 4.4.2).

A plane is a tree for each training sentence. What it scores can be computed in
three ways: `naive` (Algorithm 4) compares all symbols of all sentences, `hash-
table` (5) looks them up in a table, `index` (6, 7) reads only the entries of
the values asked for. The first two are there to teach and to measure.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from orange_structpred.parsing.index import value_score

PRODUCTS = ("index", "hash-table", "naive")


class PlaneFeatures(NamedTuple):
    """Heads of all sentences, and each sentence's vector over its own values."""

    heads: np.ndarray       # int32, flat
    starts: np.ndarray      # int64 (n + 1,)
    places: np.ndarray      # int64
    values: np.ndarray      # float32


@njit(nogil=True, cache=True, inline="always")
def add_matches(hashed, i, length, heads, value, weight):
    """weight times how many symbols of a tree have a hash value."""
    total = 0.
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    for dependent in range(1, length):
        edge = heads[dependent] * length + dependent
        for k in range(starts[edge], starts[edge + 1]):
            own = hashed.unique[i] + local[k]
            if hashed.ids[own] == value:
                total += weight * hashed.factors[own]
    return total


@njit(nogil=True, cache=True)
def naive_scores(hashed, offsets, gold, planes, alpha, row, values):
    """Scores of hash values, each symbol of each sentence looked at (Alg. 4)."""
    scores = np.zeros(values.size)
    for k in range(values.size):
        for i in range(offsets.size - 1):
            start, stop = offsets[i], offsets[i + 1]
            for p in range(alpha.size):
                weight = alpha[p] * row[i]
                scores[k] += add_matches(
                    hashed, i, stop - start, gold[start:stop], values[k], weight)
                scores[k] -= add_matches(
                    hashed, i, stop - start, planes[p, start:stop], values[k], weight)
    return scores


@njit(nogil=True, cache=True, inline="always")
def table_slot(keys, value):
    """Where a value stands in a table, or where it would."""
    mask = keys.size - 1
    slot = (value * 0x9E3779B1 >> 12) & mask
    while keys[slot] >= 0 and keys[slot] != value:
        slot = (slot + 1) & mask
    return slot


@njit(nogil=True, cache=True, inline="always")
def add_to_table(hashed, i, length, heads, weight, keys, sums):
    """Add a weight to the sum of each of a tree's symbols that is in the table."""
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    for dependent in range(1, length):
        edge = heads[dependent] * length + dependent
        for k in range(starts[edge], starts[edge + 1]):
            own = hashed.unique[i] + local[k]
            slot = table_slot(keys, np.int64(hashed.ids[own]))
            if keys[slot] >= 0:
                sums[slot] += weight * hashed.factors[own]


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
def index_product(hashed, index, gram, starts, places, values, known):
    """<a, a'> of an indexed plane with another (Alg. 7), without the 1/n^2.

    `known` keeps the scores of own values between calls, nan where unknown.
    """
    total = 0.
    for i in range(starts.size - 1):
        for k in range(starts[i], starts[i + 1]):
            own = hashed.unique[i] + places[k]
            if np.isnan(known[own]):
                known[own] = value_score(index, hashed.ids[own], gram[i])
            total += values[k] * known[own]
    return total
