"""Small networks of all shapes, and what enumeration says about them."""
from itertools import product

import numpy as np
from scipy.special import logsumexp

from orange_structpred.problems.graphs.network import MarkovNetwork


def random_network(rng, *, n_nodes=None, n_labels=None, n_edges=None, shared=None):
    """Any network of up to six nodes; edges may be repeated and lead either way."""
    n_nodes = n_nodes or rng.integers(1, 7)
    n_labels = n_labels or rng.integers(1, 4)
    if n_edges is None:
        n_edges = rng.integers(0, 10)
    if n_nodes == 1:
        n_edges = 0
    edges = np.array([rng.choice(n_nodes, 2, replace=False) for _ in range(n_edges)]
                     ).reshape(-1, 2)
    shared = rng.integers(2) if shared is None else shared
    shape = (n_labels, n_labels) if shared else (n_edges, n_labels, n_labels)
    return MarkovNetwork.of(rng.normal(size=(n_nodes, n_labels)), edges,
                            2 * rng.normal(size=shape))


def random_tree(rng, n_nodes, n_labels):
    edges = [rng.permutation([rng.integers(s), s]) for s in range(1, n_nodes)
             if rng.uniform() < 0.9]
    return MarkovNetwork.of(rng.normal(size=(n_nodes, n_labels)), edges,
                            rng.normal(size=(len(edges), n_labels, n_labels)))


def grid_edges(height, width):
    nodes = np.arange(height * width).reshape(height, width)
    return np.vstack([np.column_stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()]),
                      np.column_stack([nodes[:-1].ravel(), nodes[1:].ravel()])])


def labellings(network):
    return [np.array(y) for y in product(range(network.n_labels), repeat=network.n_nodes)]


def highest_score(network):
    return max(map(network.score, labellings(network)))


def enumerated_marginals(network):
    outputs = np.array(labellings(network))
    scores = np.array([network.score(y) for y in outputs])
    probabilities = np.exp(scores - logsumexp(scores))
    one_hot = np.eye(network.n_labels)[outputs]
    first, second = one_hot[:, network.edges[:, 0]], one_hot[:, network.edges[:, 1]]
    return (logsumexp(scores), np.einsum("y,ysa->sa", probabilities, one_hot),
            np.einsum("y,yea,yeb->eab", probabilities, first, second))
