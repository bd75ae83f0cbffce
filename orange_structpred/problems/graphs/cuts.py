"""Networks that minimum cuts solve: two labels, or several by alpha-expansion.

A table of two labels is submodular if equal labels score at least as much as different
ones: t(0, 0) + t(1, 1) >= t(0, 1) + t(1, 0). With such tables on all edges, a minimum cut
is the best labelling. For several labels, the best change of any set of nodes to one label
is again a cut (Boykov, Veksler and Zabih, 2001).
"""
from __future__ import annotations

import numpy as np

from orange_structpred.problems.graphs.maximum_flow import minimum_cut
from orange_structpred.problems.graphs.network import MarkovNetwork, outgoing_arcs

CUT_ROUNDING = 1e-12      # rounding, relative to the largest score of a table
MOST_SWEEPS = 100         # of alpha-expansion over all labels


def margins(tables: np.ndarray) -> np.ndarray:
    """t(0, 0) + t(1, 1) - t(0, 1) - t(1, 0) of tables of two labels."""
    return tables[:, 0, 0] + tables[:, 1, 1] - tables[:, 0, 1] - tables[:, 1, 0]


def is_submodular(network: MarkovNetwork) -> bool:
    """Whether there are two labels, and equal ones score as much as different ones."""
    if network.n_labels != 2:
        return False
    used = network.tables[np.unique(network.kinds)]
    return bool((margins(used) >= -CUT_ROUNDING * np.abs(used).max(initial=0.)).all())


def best_cut(unary: np.ndarray, edges: np.ndarray, tables: np.ndarray, arcs_out
             ) -> np.ndarray:
    """The best labels, 0 or 1.

    tables : (edges, 2, 2), all submodular
    arcs_out : `outgoing_arcs` of the edges
    """
    # -t(a, b) = const + (t00 - t10) a + (t10 - t11) b + margin * (1 - a) b
    excess = unary[:, 0] - unary[:, 1]
    n_nodes = len(unary)
    excess += np.bincount(edges[:, 0], tables[:, 0, 0] - tables[:, 1, 0], n_nodes)
    excess += np.bincount(edges[:, 1], tables[:, 1, 0] - tables[:, 1, 1], n_nodes)
    capacities = np.zeros(2 * len(edges))
    capacities[::2] = np.maximum(0., margins(tables))
    return minimum_cut(excess, edges, capacities, *arcs_out).astype(np.int64)


def cut_labels(network: MarkovNetwork) -> np.ndarray:
    """The best labels of a submodular network."""
    return best_cut(network.unary, network.edges, network.tables[network.kinds],
                    outgoing_arcs(network.edges, network.n_nodes))


def is_expandable(network: MarkovNetwork) -> bool:
    """Whether each change to one label is a cut: t(a, b) + t(c, c) >= t(a, c) + t(c, b)
    for all labels, as in Potts models."""
    used = network.tables[np.unique(network.kinds)]
    slight = CUT_ROUNDING * np.abs(used).max(initial=0.)
    return all((used + used[:, c, c][:, None, None] >=
                used[:, :, c][:, :, None] + used[:, c, :][:, None, :] - slight).all()
               for c in range(network.n_labels))


def expand(network: MarkovNetwork, labels: np.ndarray) -> np.ndarray:
    """Alpha-expansion of an expandable network: change sets of nodes to one label until
    no such change is better."""
    labels = np.array(labels, np.int64)
    tables, (first, second) = network.tables[network.kinds], network.edges.T
    arcs_out = outgoing_arcs(network.edges, network.n_nodes)
    nodes, rows = np.arange(network.n_nodes), np.arange(len(network.edges))
    moves = np.empty((len(rows), 2, 2))
    score, failed = network.score(labels), 0
    for move in range(MOST_SWEEPS * network.n_labels):
        alpha = move % network.n_labels
        moves[:, 0, 0] = tables[rows, labels[first], labels[second]]
        moves[:, 0, 1] = tables[rows, labels[first], alpha]
        moves[:, 1, 0] = tables[rows, alpha, labels[second]]
        moves[:, 1, 1] = tables[rows, alpha, alpha]
        unary = np.column_stack([network.unary[nodes, labels], network.unary[:, alpha]])
        changed = np.where(best_cut(unary, network.edges, moves, arcs_out), alpha, labels)
        value = network.score(changed)
        failed = 0 if value > score else failed + 1
        if value > score:
            labels, score = changed, value
        if failed == network.n_labels:
            break
    return labels
