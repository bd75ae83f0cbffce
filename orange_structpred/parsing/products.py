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
def fill_table(hashed, i, length, heads, weight, table):
    starts = hashed.starts[hashed.edges[i]:hashed.edges[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    for dependent in range(1, length):
        edge = heads[dependent] * length + dependent
        for k in range(starts[edge], starts[edge + 1]):
            own = hashed.unique[i] + local[k]
            table[hashed.ids[own]] += weight * hashed.factors[own]


@njit(nogil=True, cache=True)
def table_scores(hashed, offsets, gold, planes, alpha, row, values, table):
    """Scores of hash values through a table of all symbols' values (Alg. 5).

    The table has a zero for each value, before and after.
    """
    for i in range(offsets.size - 1):
        start, stop = offsets[i], offsets[i + 1]
        for p in range(alpha.size):
            weight = alpha[p] * row[i]
            fill_table(hashed, i, stop - start, gold[start:stop], weight, table)
            fill_table(hashed, i, stop - start, planes[p, start:stop], -weight, table)
    scores = np.empty(values.size)
    for k in range(values.size):
        scores[k] = table[values[k]]
    table[:] = 0
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
