"""Products of cutting planes without an index, to be compared with those of the index.

A plane is an output for each of some training examples. What it scores can be computed
in three ways (thesis 4.4.2): `naive` (Algorithm 4) compares all symbols of all examples,
`hash-table` (5) looks them up in a table, `index` (6, 7), which the library uses, reads
only the entries of the values asked for.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.kernel.kernel_problem import KernelProblem, decode_hashed
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot
from orange_structpred.svm.atomic.index_model import IndexModel
from orange_structpred.svm.atomic.joint_kernel import IndexPlanes
from orange_structpred.svm.atomic.plane_products import PlaneFeatures
from orange_structpred.svm.planes import Plane


class PlaneSymbols(NamedTuple):
    """Symbols of an output for each example.

    Those of examples[k] are symbols[bounds[k]:bounds[k + 1]].
    """

    examples: np.ndarray        # int64 (m,)
    bounds: np.ndarray          # int64 (m + 1,)
    symbols: np.ndarray         # int64


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


#: Ways to score planes without an index
SCORERS: dict[str, Callable] = {"naive": add_naive_scores, "hash-table": add_table_scores}
PRODUCTS = (*SCORERS, "index")


def kernel_problem(product: str, *arguments) -> KernelProblem:
    """A problem whose products are computed in one of the three ways."""
    if product == "index":
        return KernelProblem(*arguments)
    return SymbolProblem(SCORERS[product], *arguments)


class SymbolProblem(KernelProblem):
    """Sentences and their trees; cutting planes are scored symbol by symbol."""

    def __init__(self, add_scores: Callable, *arguments):
        super().__init__(*arguments)
        self.add_scores = add_scores

    def symbols(self, first: int, outputs: Sequence) -> PlaneSymbols:
        """Those of outputs of the examples from `first` on."""
        parts = [self.parts(i, y) for i, y in enumerate(outputs, first)]
        return PlaneSymbols(np.arange(first, first + len(outputs)),
                            np.cumsum([0, *map(len, parts)]), np.concatenate(parts))

    @cached_property
    def true_symbols(self) -> PlaneSymbols:
        return self.symbols(0, [self.gold(i) for i in range(len(self))])

    def new_planes(self, examples=None) -> SymbolPlanes:
        return SymbolPlanes(self, self)

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        for i in range(first, last):
            start, stop = (bound - self.bounds[first] for bound in self.bounds[i:i + 2])
            heads[start:stop], hinges[i - first] = decode_hashed(
                self.hashed, i, self.gold(i), model.own_scores(i), model.factor,
                loss_weight, self.decoder, self.single_root)


class SymbolFeatures(NamedTuple):
    """The symbols of a plane's outputs, and the vectors of their differences."""

    outputs: PlaneSymbols
    vectors: PlaneFeatures


class SymbolPlanes(IndexPlanes):
    """Cutting planes as the symbols of their outputs."""

    problem: SymbolProblem

    def chunk_features(self, first, outputs):
        return SymbolFeatures(self.problem.symbols(first, outputs),
                              super().chunk_features(first, outputs))

    def join(self, chunks):
        outputs, vectors = zip(*chunks)
        examples, bounds, symbols = zip(*outputs)
        sizes = np.concatenate(list(map(np.diff, bounds)))
        return SymbolFeatures(
            PlaneSymbols(np.concatenate(examples), np.cumsum([0, *sizes]),
                         np.concatenate(symbols)), super().join(vectors))

    def inner_products(self, plane, others):
        model = PlaneModel(self.problem, [plane], np.ones(1))
        products = []
        for other in others:
            examples, starts, indices, values = other.features.vectors
            products.append(sum(
                model.score(examples[k], indices[starts[k]:starts[k + 1]])
                @ values[starts[k]:starts[k + 1]]
                for k in np.flatnonzero(np.diff(starts))))
        return np.array(products) / len(self.problem)

    def combine(self, alpha, planes) -> PlaneModel:
        return PlaneModel(self.problem, planes, alpha)


class PlaneModel(IndexModel):
    """A sum of planes that is scored without an index, symbol by symbol."""

    problem: SymbolProblem

    def __init__(self, problem: SymbolProblem, planes: Sequence[Plane],
                 alpha: np.ndarray):
        super().__init__(problem, None)
        self.planes, self.alpha = planes, alpha

    def indexed(self) -> IndexModel:
        """The same model, with an index."""
        return IndexPlanes(self.problem, self.problem).combine(self.alpha, [
            plane._replace(features=plane.features.vectors) for plane in self.planes])

    def score(self, i: int, indices: np.ndarray) -> np.ndarray:
        """Scores of some own values of example i, without functions' weights."""
        problem, n = self.problem, len(self.problem)
        values = problem.hashed.ids[problem.hashed.unique[i] + indices]
        scores = np.zeros(len(values))
        for weight, plane in zip(self.alpha, self.planes):
            for outputs, sign in ((problem.true_symbols, 1), (plane.features.outputs, -1)):
                problem.add_scores(problem.hashed, outputs, sign * weight / n,
                                   problem.gram[i], values, scores)
        return scores

    def own_scores(self, i: int) -> np.ndarray:
        first, last = self.problem.hashed.unique[i:i + 2]
        hashes = np.arange(last - first)
        return self.score(i, hashes) * self.problem.hashed.factors[first + hashes]
