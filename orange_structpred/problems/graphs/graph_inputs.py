"""Graphs as users pass them, checked and made into arrays."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from orange_structpred.errors import InputError
from orange_structpred.problems.graphs.forest import GraphShape, shape_of
from orange_structpred.problems.graphs.network import check_edges
from orange_structpred.problems.inputs import Positions, input_list

#: Edges that share one row of features are worth a table of their own from here on
SHARED = 2


class Graph(NamedTuple):
    """The features of the nodes and edges of a graph.

    nodes : Positions, one row per node; or, where features depend on labels, a float64
        array of shape (nodes, labels, features)
    edges : int64 of shape (edges, 2)
    kinds : int64 of shape (edges,), the row of `kind_features` of each edge
    kind_features : float64 of shape (kinds, edge features); edges with equal features are
        of one kind
    shape : GraphShape
    """

    nodes: Positions | np.ndarray
    edges: np.ndarray
    kinds: np.ndarray
    kind_features: np.ndarray
    shape: GraphShape

    @property
    def n_nodes(self) -> int:
        return len(self.nodes) if isinstance(self.nodes, np.ndarray) \
            else len(self.nodes.indptr) - 1


class GraphEncoder:
    """Makes tuples of arrays into `Graph`s, and knows how wide their features are.

    Attributes
    ----------
    n_features_ : int, of nodes
    n_edge_features_ : int; 1, a constant, where edges have none
    n_labels_ : int or None, where the features of nodes depend on labels
    """

    n_features_: int | None
    n_edge_features_: int | None
    n_labels_: int | None

    def fit_transform(self, X) -> list[Graph]:
        self.n_features_ = self.n_edge_features_ = self.n_labels_ = None
        return self.transform(X)

    def transform(self, X) -> list[Graph]:
        graphs = [self.encode(number, *graph_parts(x, number))
                  for number, x in enumerate(list_of_graphs(X))]
        if self.n_edge_features_ is None:       # there are no edges at all
            self.n_edge_features_ = 1
        no_features = np.zeros((0, self.n_edge_features_))
        return [graph if len(graph.edges) else graph._replace(kind_features=no_features)
                for graph in graphs]

    def encode(self, number: int, nodes, edges, edge_features) -> Graph:
        """A graph of features of nodes, edges, and features of edges or None."""
        nodes = node_array(nodes, number)
        n_labels = nodes.shape[1] if nodes.ndim == 3 else None
        if self.n_features_ is None:
            self.n_features_, self.n_labels_ = nodes.shape[-1], n_labels
        if (nodes.shape[-1], n_labels) != (self.n_features_, self.n_labels_):
            wanted = ("nodes", *([] if self.n_labels_ is None else [self.n_labels_]),
                      self.n_features_)
            raise InputError(f"the nodes of graph {number} have features of the shape "
                             f"{nodes.shape}; expected ({', '.join(map(str, wanted))})")
        edges = check_edges(edges, nodes.shape[0], f"edges of graph {number}")
        rows = edge_array(edge_features, len(edges), number)
        known = len(edges) > 0 or rows.shape[1] > 0     # how wide they are
        if known and self.n_edge_features_ is None:
            self.n_edge_features_ = rows.shape[1]
        if known and rows.shape[1] != self.n_edge_features_:
            raise InputError(f"the edges of graph {number} have {rows.shape[1]} features; "
                             f"expected {self.n_edge_features_}")
        kinds, kind_features = np.arange(len(rows)), rows
        if len(rows):
            distinct, which = np.unique(rows, axis=0, return_inverse=True)
            if SHARED * len(distinct) <= len(rows):
                kinds, kind_features = which.astype(np.int64).ravel(), distinct
        if nodes.ndim == 2:
            nodes = Positions.of(nodes, [nodes.shape[0]])
        graph = Graph(nodes, edges, kinds, np.ascontiguousarray(kind_features),
                      GraphShape(None, None))
        return graph._replace(shape=shape_of(edges, graph.n_nodes))


def list_of_graphs(X) -> list:
    X = input_list(X, "a list of graphs, each a tuple of features of nodes, edges and, "
                   "optionally, features of edges", unlike=(np.ndarray,))
    if not X:
        raise InputError("there are no graphs")
    return X


def graph_parts(x, number: int) -> tuple:
    if not isinstance(x, Sequence) or isinstance(x, str) or len(x) not in (2, 3):
        raise InputError(f"graph {number} is not a tuple of features of nodes, edges and, "
                         "optionally, features of edges")
    return (*x, None) if len(x) == 2 else tuple(x)


def node_array(nodes, number: int):
    """A matrix with one row per node, or an array (nodes, labels, features)."""
    if not sparse.issparse(nodes):
        try:
            nodes = np.ascontiguousarray(nodes, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"the features of the nodes of graph {number} are not an array "
                             "of numbers") from None
    if nodes.ndim not in (2, 3) or nodes.shape[0] < 1:
        raise InputError(f"the features of the nodes of graph {number} have the shape "
                         f"{nodes.shape}; expected (nodes, features) with at least one node")
    if not np.isfinite(nodes.data if sparse.issparse(nodes) else nodes).all():
        raise InputError(f"the nodes of graph {number} have features that are not finite "
                         "numbers")
    return nodes


def edge_array(features, n_edges: int, number: int) -> np.ndarray:
    """The features of edges; a constant where there are none. Without edges, features
    may be left out, and the array is then as wide as nothing."""
    if features is None:
        return np.ones((n_edges, 1 if n_edges else 0))
    if sparse.issparse(features):
        features = features.toarray()
    try:
        rows = np.ascontiguousarray(features, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"the features of the edges of graph {number} are not an array of "
                         "numbers") from None
    if not n_edges and not rows.size and rows.ndim == 1:
        return np.zeros((0, 0))
    if rows.ndim != 2 or len(rows) != n_edges:
        raise InputError(f"the features of the edges of graph {number} have the shape "
                         f"{rows.shape}; expected one row for each of its {n_edges} edges")
    if not np.isfinite(rows).all():
        raise InputError(f"the edges of graph {number} have features that are not finite "
                         "numbers")
    return rows


#: Steps from a pixel to its neighbours, each direction once
DIRECTIONS = {4: ((0, 1), (1, 0)), 8: ((0, 1), (1, 0), (1, 1), (1, -1))}


def grid_graph(height: int, width: int, neighbourhood: int = 4
               ) -> tuple[np.ndarray, np.ndarray]:
    """Edges between neighbouring pixels, and the direction of each as its features.

    Pixels are numbered row by row; directions are right, down and, with a neighbourhood
    of 8, down right and down left.
    """
    if neighbourhood not in list(DIRECTIONS):       # whatever it is
        raise InputError(f"neighbourhood is {neighbourhood!r}; expected 4 or 8")
    nodes = np.arange(height * width).reshape(height, width)
    edges = []
    for down, right in DIRECTIONS[neighbourhood]:
        left = max(0, -right)
        first = nodes[:height - down, left:width - max(0, right)]
        second = nodes[down:, left + right:width + right if right < 0 else width]
        edges.append(np.column_stack([first.ravel(), second.ravel()]))
    directions = np.repeat(np.arange(len(edges)), list(map(len, edges)))
    return np.vstack(edges), np.eye(len(edges))[directions]
