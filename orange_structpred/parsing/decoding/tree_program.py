"""The trees of a sentence as the solutions of an integer program.

Each token has one head. What excludes cycles, and crossing edges where trees are
projective, is too much to be listed: the program is solved without it, what the solution
violates is added, and the program is solved again (Martins, Smith and Xing, 2009, list
other constraints for the same trees).
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    PROJECTIVE,
)
from orange_structpred.svm.programs import (
    WHOLE,
    IntegerProgram,
    one_of,
)


class TreeEdges:
    """Edges as variables: those that a model scores, then all others, which are 0.

    Parameters
    ----------
    heads, dependents : of the edges that trees may have
    n : tokens of the sentence
    n_others : further variables, after those of the edges
    """

    def __init__(self, heads: np.ndarray, dependents: np.ndarray, n: int,
                 n_others: int = 0):
        left_out = np.ones((n + 1, n + 1), bool)
        left_out[heads, dependents] = left_out[:, 0] = False
        np.fill_diagonal(left_out, False)
        self.n, self.n_scored = n, len(heads)
        self.heads, self.dependents = (
            np.concatenate(pair) for pair in zip((heads, dependents), np.nonzero(left_out)))
        self.n_variables = len(self.heads) + n_others

    @property
    def names(self) -> list[tuple[int, int]]:
        return list(zip(self.heads.tolist(), self.dependents.tolist()))

    def constraints(self, decoder: int, single_root: bool) -> list[LinearConstraint]:
        constraints = [one_of([np.flatnonzero(self.dependents == token)
                               for token in range(1, self.n + 1)], self.n_variables),
                       self.count(np.arange(len(self.heads)) >= self.n_scored, at_most=0)]
        if single_root and decoder != APPROXIMATE:
            constraints.append(self.count(self.heads == 0, at_least=1, at_most=1))
        return constraints

    def count(self, chosen: np.ndarray, *, at_least: float = -np.inf,
              at_most: float = np.inf) -> LinearConstraint:
        """How many of some edges a tree has."""
        row = np.zeros((1, self.n_variables))
        row[0, :len(chosen)] = chosen
        return LinearConstraint(sparse.csr_array(row), at_least, at_most)

    def heads_of(self, z: np.ndarray) -> np.ndarray:
        """The heads of the tokens."""
        chosen = np.flatnonzero(z[:len(self.heads)])
        heads = np.empty(self.n, np.int32)
        heads[self.dependents[chosen] - 1] = self.heads[chosen]
        return heads

    def cuts(self, decoder: int) -> Callable[[np.ndarray], list[LinearConstraint]]:
        """What keeps a solution from being a tree, and others like it."""
        def cuts(z: np.ndarray) -> list[LinearConstraint]:
            z = z[:len(self.heads)]
            cuts = [self.count(missing, at_least=1) for missing in self._missing_ways(z)]
            if decoder == PROJECTIVE:
                violated = self._across @ z > 1 + WHOLE
                if violated.any():
                    cuts.append(self._padded(self._across[np.flatnonzero(violated)]))
            return cuts
        return (lambda z: []) if decoder == APPROXIMATE else cuts

    def _missing_ways(self, z: np.ndarray) -> Iterable[np.ndarray]:
        """Edges of which a tree has at least one, but z has less: those into a set of
        tokens. They are the smallest cut between the root and one of the tokens."""
        capacities = np.zeros((self.n + 1, self.n + 1), np.int32)
        capacities[self.heads, self.dependents] = np.round(z / WHOLE)
        graph = sparse.csr_matrix(capacities)
        reached = np.zeros(self.n + 1, bool)
        for token in range(1, self.n + 1):
            if reached[token]:
                continue
            flow = maximum_flow(graph, 0, token)
            if flow.flow_value < 1 / WHOLE - self.n - 1:      # they are rounded
                rest = sparse.csr_matrix(np.maximum(capacities - flow.flow.toarray(), 0))
                inside = np.ones(self.n + 1, bool)
                inside[breadth_first_order(rest, 0, return_predecessors=False)] = False
                reached |= inside
                yield inside[self.dependents] & ~inside[self.heads]

    @cached_property
    def _across(self) -> sparse.csr_array:
        """Rows of edges of which projective trees have at most one: those between two
        tokens, and those from outside to a token that is between the two.

        A tree that satisfies them all is projective: the way up from a token between
        leads to the head of the edge.
        """
        low = np.minimum(self.heads, self.dependents)
        high = np.maximum(self.heads, self.dependents)
        spans = np.unique(np.column_stack([low, high])[:self.n_scored], axis=0)
        rows, columns, n_rows = [], [], 0
        for first, last in spans.tolist():
            inside = np.flatnonzero((low == first) & (high == last))
            outside = np.flatnonzero(
                (first < self.dependents) & (self.dependents < last)
                & ((self.heads < first) | (self.heads > last)))
            tokens, row = np.unique(self.dependents[outside], return_inverse=True)
            rows += [n_rows + row, n_rows + np.repeat(np.arange(len(tokens)), len(inside))]
            columns += [outside, np.tile(inside, len(tokens))]
            n_rows += len(tokens)
        rows, columns = np.concatenate(rows), np.concatenate(columns)
        return sparse.csr_array((np.ones(len(rows)), (rows, columns)),
                                shape=(n_rows, len(self.heads)))

    def _padded(self, rows: sparse.csr_array) -> LinearConstraint:
        """At most one of the edges in each row."""
        A = sparse.csr_array((rows.data, rows.indices, rows.indptr),
                             shape=(rows.shape[0], self.n_variables))
        return LinearConstraint(A, -np.inf, 1)


def edge_program(scores: np.ndarray, decoder: int, single_root: bool) -> IntegerProgram:
    """A variable for each edge, named (head, dependent).

    scores : (n + 1, n + 1), scores[head, dependent]; -inf forbids an edge
    """
    allowed = np.isfinite(scores)
    allowed[:, 0] = False
    np.fill_diagonal(allowed, False)
    heads, dependents = np.nonzero(allowed)
    edges = TreeEdges(heads, dependents, len(scores) - 1)
    weights = np.zeros(edges.n_variables)
    weights[:edges.n_scored] = scores[allowed]
    return IntegerProgram(weights, edges.constraints(decoder, single_root), edges.names,
                          edges.heads_of, cuts=edges.cuts(decoder))
