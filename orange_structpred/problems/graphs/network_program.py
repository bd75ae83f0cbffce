"""A labelling of a network as the solution of an integer program."""
from __future__ import annotations

from itertools import product

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.problems.graphs.network import MarkovNetwork
from orange_structpred.svm.programs import IntegerProgram, one_of


def network_program(network: MarkovNetwork) -> IntegerProgram:
    """A variable for each label of each node, named (node, label), and one for each pair
    of labels of each edge: (node, node, label, label).

    The pairs of an edge are tied to the labels of its nodes by equations: of the pairs
    with a label of a node, as many are 1 as the label is. (This relaxation is much
    tighter, and so much faster, than a product of each two variables.)
    """
    n_nodes, k = network.unary.shape
    n_edges, labels = len(network.edges), range(k)
    weights = np.append(network.unary.ravel(), network.tables[network.kinds].ravel())
    names = [*product(range(n_nodes), labels),
             *((a, b, *pair) for a, b in network.edges.tolist()
               for pair in product(labels, repeat=2))]
    n = len(weights)
    constraints = [one_of(np.arange(n_nodes * k).reshape(n_nodes, k), n)]
    if n_edges:
        pairs = np.arange(n_nodes * k, n).reshape(n_edges, k, k)
        constraints += [tied(pairs, network.edges[:, 0], n),
                        tied(pairs.swapaxes(1, 2), network.edges[:, 1], n)]
    return IntegerProgram(
        weights, constraints, names,
        lambda z: z[:n_nodes * k].reshape(n_nodes, k).argmax(axis=1))


def tied(pairs: np.ndarray, nodes: np.ndarray, n_variables: int) -> LinearConstraint:
    """The sum of pairs[e, a] is the variable of label a of nodes[e]."""
    n_edges, k, _ = pairs.shape
    rows = np.arange(n_edges * k)
    A = sparse.csr_array(
        (np.repeat([1., -1.], [pairs.size, len(rows)]),
         (np.append(np.repeat(rows, k), rows),
          np.append(pairs.ravel(), (nodes[:, None] * k + np.arange(k)).ravel()))),
        shape=(len(rows), n_variables))
    return LinearConstraint(A, 0, 0)
