"""Pairwise Markov networks: scores of labels of nodes, and of pairs of labels on edges."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.compiler import njit


class MarkovNetwork(NamedTuple):
    """The score of a labelling is the sum of the scores of its nodes and edges.

    unary : float64 of shape (nodes, labels)
    edges : int64 of shape (edges, 2), pairs of different nodes
    tables : float64 of shape (kinds, labels, labels), scores of pairs of labels; rows are
        labels of the first node
    kinds : int64 of shape (edges,), the table of each edge: edges can share one
    """

    unary: np.ndarray
    edges: np.ndarray
    tables: np.ndarray
    kinds: np.ndarray

    @property
    def n_nodes(self) -> int:
        return self.unary.shape[0]

    @property
    def n_labels(self) -> int:
        return self.unary.shape[1]

    @classmethod
    def of(cls, unary, edges, pairwise) -> MarkovNetwork:
        """From what users pass, checked.

        pairwise : array of shape (labels, labels) for all edges, or with one such table
            per edge
        """
        unary = as_numbers(unary, "unary")
        if unary.ndim != 2 or unary.shape[0] < 1 or unary.shape[1] < 1:
            raise InputError(f"unary has the shape {unary.shape}; expected (nodes, labels), "
                             "at least one of each")
        n_nodes, n_labels = unary.shape
        edges = check_edges(edges, n_nodes)
        tables = as_numbers(pairwise, "pairwise")
        shared = (n_labels, n_labels)
        if tables.shape == shared:
            tables, kinds = tables[None], np.zeros(len(edges), np.int64)
        elif tables.shape == (len(edges), *shared):
            kinds = np.arange(len(edges))
        else:
            raise InputError(f"pairwise has the shape {tables.shape}; expected {shared} or "
                             f"{(len(edges), *shared)}, a table for each edge")
        return cls(unary, edges, tables, kinds)

    def score(self, labels: np.ndarray) -> float:
        """The score of a labelling."""
        labels = np.asarray(labels)
        first, second = labels[self.edges].T
        return float(self.unary[np.arange(self.n_nodes), labels].sum()
                     + self.tables[self.kinds, first, second].sum())

    def merged(self, merging: EdgeMerging | None) -> MarkovNetwork:
        """The same scores with at most one edge between two nodes."""
        if merging is None:
            return self
        tables = self.tables[self.kinds]
        tables[merging.turned] = tables[merging.turned].swapaxes(1, 2)
        sums = np.zeros((len(merging.edges), *self.tables.shape[1:]))
        np.add.at(sums, merging.which, tables)
        return MarkovNetwork(self.unary, merging.edges, sums, np.arange(len(sums)))


class EdgeMerging(NamedTuple):
    """How edges between the same two nodes become one.

    edges : from the lower number of a node to the higher one
    which : of each of the old edges, which one it becomes
    turned : whether it leads the other way
    """

    edges: np.ndarray
    which: np.ndarray
    turned: np.ndarray


def merge_edges(edges: np.ndarray, n_nodes: int) -> EdgeMerging | None:
    """None if no edge is repeated."""
    low, high = np.sort(edges, axis=1).T
    keys, which = np.unique(low * n_nodes + high, return_inverse=True)
    if len(keys) == len(edges):
        return None
    return EdgeMerging(np.column_stack([keys // n_nodes, keys % n_nodes]), which,
                       edges[:, 0] > edges[:, 1])


def as_numbers(values, name: str) -> np.ndarray:
    """An array of finite floats."""
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is not an array of numbers") from None
    if not np.isfinite(array).all():
        raise InputError(f"{name} has values that are not finite; forbid labels by large "
                         "negative scores")
    return array


def check_edges(edges, n_nodes: int, name: str = "edges") -> np.ndarray:
    """Edges as pairs of different nodes."""
    try:
        array = np.asarray(edges)
        if array.size == 0:
            return np.zeros((0, 2), np.int64)
        whole = np.ascontiguousarray(array, dtype=np.int64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected pairs of numbers of nodes") from None
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu" \
            and not np.array_equal(whole, array):
        raise InputError(f"{name}: found an array of shape {array.shape} and type "
                         f"{array.dtype}, expected pairs of numbers of nodes")
    wrong = np.flatnonzero((whole < 0).any(axis=1) | (whole >= n_nodes).any(axis=1))
    if wrong.size:
        raise InputError(f"{name}: there is no edge {tuple(whole[wrong[0]].tolist())}, since "
                         f"nodes are numbered from 0 to {n_nodes - 1}")
    loops = np.flatnonzero(whole[:, 0] == whole[:, 1])
    if loops.size:
        raise InputError(f"{name}: an edge connects node {whole[loops[0], 0]} to itself; "
                         "remove such edges")
    return whole


@njit(nogil=True, cache=True)
def outgoing_arcs(edges, n_nodes):
    """The arcs out of each node s: arc_ids[starts[s]:starts[s + 1]]. Arc 2 e leads from the
    first node of edge e to the second, 2 e + 1 back."""
    starts = np.zeros(n_nodes + 1, np.int64)
    for e in range(edges.shape[0]):
        starts[edges[e, 0] + 1] += 1
        starts[edges[e, 1] + 1] += 1
    for s in range(n_nodes):
        starts[s + 1] += starts[s]
    fill = starts[:-1].copy()
    arc_ids = np.empty(2 * edges.shape[0], np.int64)
    for e in range(edges.shape[0]):
        for end in range(2):
            s = edges[e, end]
            arc_ids[fill[s]] = 2 * e + end
            fill[s] += 1
    return starts, arc_ids


def incidence(edges: np.ndarray, n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges of each node: those of node s are edge_ids[starts[s]:starts[s + 1]]."""
    starts, arc_ids = outgoing_arcs(edges, n_nodes)
    return starts, arc_ids // 2
