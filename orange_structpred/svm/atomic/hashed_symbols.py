"""Hash values of all symbols of many examples, numbered, as flat arrays.

A symbol is what outputs are sets of: an edge, a tag at a position, a matched pair. The
symbols that outputs of an example may have are numbered; a symbol has any number of hash
values, and two symbols are alike in each value that they share (thesis 4.2.2).
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from orange_structpred.running.compiler import njit


class HashedSymbols(NamedTuple):
    """The hash values of examples.

    Example i has the distinct values ids[unique[i]:unique[i + 1]], called its own
    values; its symbol s has those own values that stand at
    local[values[i] + starts[symbols[i] + s]] and after it, up to the start of symbol
    s + 1.
    """

    unique: np.ndarray      # int64 (n + 1,)
    ids: np.ndarray         # int32, number of a value among all of them
    factors: np.ndarray     # float32, root of the weight of the value's function
    symbols: np.ndarray     # int64 (n + 1,)
    starts: np.ndarray      # int32
    values: np.ndarray      # int64 (n + 1,)
    local: np.ndarray       # int32


class HashedExample(NamedTuple):
    """The hash values of one example: its part of the arrays of `HashedSymbols`."""

    ids: np.ndarray
    factors: np.ndarray
    starts: np.ndarray
    local: np.ndarray


def join_examples(examples: Iterable[HashedExample]) -> HashedSymbols:
    """The hash values of all examples in flat arrays."""
    ids, factors, starts, local = ([*arrays] for arrays in zip(*examples))

    def joined(arrays: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Where each array begins, and all in one; the list gives its memory back."""
        bounds = np.concatenate([[0], np.cumsum([len(a) for a in arrays])])
        flat = np.concatenate(arrays)
        arrays.clear()
        return bounds, flat

    return HashedSymbols(*joined(ids), joined(factors)[1], *joined(starts),
                         *joined(local))


@njit(nogil=True, cache=True)
def symbol_sums(hashed, i, symbols, value_scores):
    """Sums of the own values' scores of some symbols of example i."""
    starts = hashed.starts[hashed.symbols[i]:hashed.symbols[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    scores = np.zeros(symbols.size)
    for s in range(symbols.size):
        for k in range(starts[symbols[s]], starts[symbols[s] + 1]):
            scores[s] += value_scores[local[k]]
    return scores


@njit(nogil=True, cache=True)
def symbol_vector(hashed, i, symbols, values):
    """sum of value * phi(symbol) over some symbols: the own values that have a part in
    it, and how much of each, the root of its function's weight included."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    total = np.zeros(last - first, np.float32)
    starts = hashed.starts[hashed.symbols[i]:hashed.symbols[i + 1]]
    local = hashed.local[hashed.values[i]:hashed.values[i + 1]]
    for s in range(symbols.size):
        for k in range(starts[symbols[s]], starts[symbols[s] + 1]):
            total[local[k]] += values[s]
    indices = np.flatnonzero(total)
    return indices, total[indices] * hashed.factors[first:last][indices]


@njit(nogil=True, cache=True)
def symbol_products(hashed, i, symbols, indices, values):
    """Inner products of some symbols with a vector over own values, without the input
    kernel."""
    first, last = hashed.unique[i], hashed.unique[i + 1]
    products = np.zeros(last - first)
    for k in range(indices.size):
        products[indices[k]] = values[k] * hashed.factors[first + indices[k]]
    return symbol_sums(hashed, i, symbols, products)
