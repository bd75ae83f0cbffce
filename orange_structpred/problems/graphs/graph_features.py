"""Scores and feature vectors of labelled graphs, compiled."""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def labelled_features(indptr, indices, values, edges, kinds, kind_features, pair_numbers,
                      first_pair, one, other):
    """phi(x, one) - phi(x, other) as indices and values, not merged; without `other` (an
    empty array) phi(x, one).

    The weight of feature d of a node with label a is at d * labels + a, that of feature k
    of an edge with labels a, b at first_pair + k * pairs + pair_numbers[a, b].
    """
    n_labels = pair_numbers.shape[0]
    n_pairs, n_edge_features = pair_numbers.max() + 1, kind_features.shape[1]
    size = 2 * (indptr[-1] - indptr[0] + edges.shape[0] * n_edge_features)
    found_indices, found_values = np.empty(size, np.int64), np.empty(size)
    n_entries = 0
    for s in range(one.size):
        if other.size and one[s] == other[s]:
            continue
        for k in range(indptr[s], indptr[s + 1]):
            found_indices[n_entries] = indices[k] * n_labels + one[s]
            found_values[n_entries] = values[k]
            n_entries += 1
            if other.size:
                found_indices[n_entries] = indices[k] * n_labels + other[s]
                found_values[n_entries] = -values[k]
                n_entries += 1
    for e in range(edges.shape[0]):
        u, v = edges[e]
        pair = pair_numbers[one[u], one[v]]
        other_pair = pair_numbers[other[u], other[v]] if other.size else -1
        if pair == other_pair:
            continue
        for k in range(n_edge_features):
            value = kind_features[kinds[e], k]
            if value == 0:
                continue
            found_indices[n_entries] = first_pair + k * n_pairs + pair
            found_values[n_entries] = value
            n_entries += 1
            if other.size:
                found_indices[n_entries] = first_pair + k * n_pairs + other_pair
                found_values[n_entries] = -value
                n_entries += 1
    return found_indices[:n_entries], found_values[:n_entries]


@njit(nogil=True, cache=True)
def add_expected_features(indptr, indices, values, edges, kinds, kind_features,
                          pair_numbers, first_pair, nodes, pairs, weight, gradient):
    """gradient += weight * expected phi under marginals of nodes and of edges."""
    n_labels = pair_numbers.shape[0]
    n_pairs = pair_numbers.max() + 1
    for s in range(nodes.shape[0]):
        for k in range(indptr[s], indptr[s + 1]):
            for a in range(n_labels):
                gradient[indices[k] * n_labels + a] += weight * values[k] * nodes[s, a]
    for e in range(edges.shape[0]):
        for k in range(kind_features.shape[1]):
            value = weight * kind_features[kinds[e], k]
            if value == 0:
                continue
            for a in range(n_labels):
                for b in range(n_labels):
                    gradient[first_pair + k * n_pairs + pair_numbers[a, b]] += (
                        value * pairs[e, a, b])
