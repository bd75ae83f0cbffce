"""A labelling of a network as the solution of an integer program."""
from __future__ import annotations

from itertools import product

import numpy as np

from orange_structpred.problems.graphs.network import MarkovNetwork
from orange_structpred.svm.programs import IntegerProgram, one_of, sums_of


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
    of_nodes = np.arange(n_nodes * k).reshape(n_nodes, k)
    constraints = [one_of(of_nodes, n)]
    if n_edges:
        pairs = np.arange(n_nodes * k, n).reshape(n_edges, k, k)
        for of_edges, end in ((pairs, 0), (pairs.swapaxes(1, 2), 1)):
            constraints.append(sums_of(
                of_edges.reshape(-1, k), of_nodes[network.edges[:, end]].ravel(), n))
    return IntegerProgram(
        weights, constraints, names,
        lambda z: z[:n_nodes * k].reshape(n_nodes, k).argmax(axis=1))
