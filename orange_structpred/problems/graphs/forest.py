"""Networks without cycles: max-product and sum-product, exact, compiled."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.problems.graphs.network import (
    EdgeMerging,
    incidence,
    merge_edges,
)
from orange_structpred.problems.sequences.forward_backward import log_sum
from orange_structpred.running.compiler import njit


class Forest(NamedTuple):
    """The edges of a graph without cycles, hung from one root per component.

    order : nodes, parents before their children
    parents : the parent of each node; -1 for roots
    up : the edge to the parent of each node
    """

    order: np.ndarray
    parents: np.ndarray
    up: np.ndarray


class NetworkMarginals(NamedTuple):
    """Probabilities of labels, p(y) ~ exp(score).

    log_partition : the logarithm of the sum of exp(score)
    nodes : (nodes, labels)
    edges : (edges, labels, labels); rows are labels of an edge's first node
    method : how they were found: "sum-product", "elimination" or "loopy"
    converged : whether the messages of loopy belief propagation have settled
    """

    log_partition: float
    nodes: np.ndarray
    edges: np.ndarray
    method: str = "sum-product"
    converged: bool = True

    @property
    def exact(self) -> bool:
        return self.method != "loopy"


@njit(nogil=True, cache=True)
def hang_forest(edges, n_nodes, starts, edge_ids):
    """Order, parents and edges to them; the order is empty if there is a cycle."""
    order = np.empty(n_nodes, np.int64)
    parents = np.full(n_nodes, -1, np.int64)
    up = np.full(n_nodes, -1, np.int64)
    seen = np.zeros(n_nodes, np.bool_)
    n_seen = done = 0
    for root in range(n_nodes):
        if seen[root]:
            continue
        seen[root] = True
        order[n_seen] = root
        n_seen += 1
        while done < n_seen:
            s = order[done]
            done += 1
            for k in range(starts[s], starts[s + 1]):
                e = edge_ids[k]
                if e == up[s]:
                    continue
                t = edges[e, 0] + edges[e, 1] - s
                if seen[t]:
                    return order[:0], parents, up
                seen[t] = True
                parents[t], up[t] = s, e
                order[n_seen] = t
                n_seen += 1
    return order, parents, up


class GraphShape(NamedTuple):
    """What inference wants to know of a graph.

    merging : of repeated edges; None if there are none
    forest : None if there are cycles
    """

    merging: EdgeMerging | None
    forest: Forest | None


def shape_of(edges: np.ndarray, n_nodes: int) -> GraphShape:
    merging = merge_edges(edges, n_nodes)
    if merging is not None:
        edges = merging.edges
    if len(edges) >= n_nodes:
        return GraphShape(merging, None)
    forest = Forest(*hang_forest(edges, n_nodes, *incidence(edges, n_nodes)))
    return GraphShape(merging, forest if len(forest.order) else None)


@njit(nogil=True, cache=True)
def max_product(unary, edges, tables, kinds, order, parents, up):
    """The labelling with the highest score, and the score."""
    n_nodes, n_labels = unary.shape
    best = unary.copy()             # of what hangs from a node, by its label
    choice = np.empty((n_nodes, n_labels), np.int32)
    labels = np.empty(n_nodes, np.int64)
    total = 0.
    for position in range(n_nodes - 1, -1, -1):
        s = order[position]
        p = parents[s]
        if p < 0:
            total += best[s].max()
            continue
        table, forward = tables[kinds[up[s]]], edges[up[s], 0] == p
        for b in range(n_labels):
            highest, chosen = -np.inf, 0
            for a in range(n_labels):
                value = best[s, a] + (table[b, a] if forward else table[a, b])
                if value > highest:
                    highest, chosen = value, a
            best[p, b] += highest
            choice[s, b] = chosen
    for s in order:
        labels[s] = best[s].argmax() if parents[s] < 0 else choice[s, labels[parents[s]]]
    return labels, total


@njit(nogil=True, cache=True)
def sum_product(unary, edges, tables, kinds, order, parents, up):
    """The logarithm of the partition function, marginals of nodes and of edges."""
    n_nodes, n_labels = unary.shape
    inside = unary.copy()
    messages = np.zeros((n_nodes, n_labels))        # to the parent of each node
    values = np.empty(n_labels)
    log_partition = 0.
    for position in range(n_nodes - 1, -1, -1):
        s = order[position]
        p = parents[s]
        if p < 0:
            log_partition += log_sum(inside[s])
            continue
        table, forward = tables[kinds[up[s]]], edges[up[s], 0] == p
        for b in range(n_labels):
            for a in range(n_labels):
                values[a] = inside[s, a] + (table[b, a] if forward else table[a, b])
            messages[s, b] = log_sum(values)
            inside[p, b] += messages[s, b]
    nodes = np.empty((n_nodes, n_labels))
    pairs = np.zeros((edges.shape[0], n_labels, n_labels))
    for s in order:
        p = parents[s]
        if p < 0:
            nodes[s] = np.exp(inside[s] - log_sum(inside[s]))
            continue
        table, forward = tables[kinds[up[s]]], edges[up[s], 0] == p
        nodes[s] = 0
        for b in range(n_labels):
            for a in range(n_labels):
                # p(parent = b) * p(node = a | parent = b)
                value = nodes[p, b] * np.exp(
                    inside[s, a] + (table[b, a] if forward else table[a, b])
                    - messages[s, b])
                nodes[s, a] += value
                if forward:
                    pairs[up[s], b, a] = value
                else:
                    pairs[up[s], a, b] = value
    return log_partition, nodes, pairs
