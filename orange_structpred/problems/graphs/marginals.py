"""Probabilities of labels of a network: exact, or by loopy belief propagation."""
from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from orange_structpred.errors import InputError
from orange_structpred.kinds import one_of_names
from orange_structpred.problems.graphs.elimination import (
    Elimination,
    eliminate_sum,
    plan_elimination,
)
from orange_structpred.problems.graphs.forest import (
    Forest,
    GraphShape,
    NetworkMarginals,
    shape_of,
    sum_product,
)
from orange_structpred.problems.graphs.network import (
    EdgeMerging,
    MarkovNetwork,
    incidence,
)
from orange_structpred.problems.sequences.forward_backward import log_sum
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit

MARGINAL_METHOD = one_of_names(("exact", "loopy"))
SUM_TABLE = 2**18       # of an elimination
LOOPY_ITER = 500
LOOPY_CHANGE = 1e-8         # of a message, when they are taken as fixed
LOOPY_DAMPING = 0.5


def label_marginals(unary, edges, pairwise, *, method: str = "exact") -> NetworkMarginals:
    """Probabilities p(y) ~ exp(score of y) of the labels of a graph.

    unary, edges, pairwise : see `infer_labels`
    method : "exact" (sum-product without cycles, elimination where the treewidth is
        small), or "loopy" (belief propagation, an approximation where there are cycles:
        the partition function is then Bethe's)

    The result says which `method` was used, whether it is `exact`, and whether loopy belief
    propagation has `converged`.

    Examples
    --------
    >>> from orange_structpred.problems import label_marginals
    >>> label_marginals([[1, 1], [0, 0]], [(0, 1)], [[0, 0], [0, 0]]).nodes
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    network = MarkovNetwork.of(unary, edges, pairwise)
    MARGINAL_METHOD.check("method", method)
    shape = shape_of(network.edges, network.n_nodes)
    plan = plan_marginals(network.edges, network.unary.shape, shape, method)
    marginals = marginals_by(network, shape.merging, plan)
    if not marginals.converged:
        warn_of_unsettled("this graph")
    return marginals


def warn_of_unsettled(which: str) -> None:
    """That loopy belief propagation has ended without an answer of its own."""
    warnings.warn(
        f"the messages of loopy belief propagation have not settled on {which}: the "
        "probabilities are not reliable. Use weaker scores of pairs (a smaller C) or "
        "exact marginals", ConvergenceWarning, stacklevel=4)


def plan_marginals(edges: np.ndarray, size: tuple[int, int], shape: GraphShape, method: str
                   ) -> Forest | Elimination | None:
    """How marginals are computed, which depends on the graph only; None is by loopy belief
    propagation.

    size : the numbers of nodes and of labels
    """
    if shape.forest is not None:
        return shape.forest
    if method == "loopy":
        return None
    n_nodes, n_labels = size
    plan = plan_elimination(edges, [n_labels] * n_nodes, SUM_TABLE)
    if plan is None:
        raise InputError(f"a graph of {n_nodes} nodes and {len(edges)} edges has too many "
                         "cycles for exact marginals; use marginals='loopy'")
    return plan


def method_of(plan: Forest | Elimination | None) -> str:
    """The name of a planned method."""
    return "sum-product" if isinstance(plan, Forest) else "loopy" if plan is None \
        else "elimination"


def marginals_by(network: MarkovNetwork, merging: EdgeMerging | None,
                 plan: Forest | Elimination | None) -> NetworkMarginals:
    """Marginals as planned."""
    network = network.merged(merging)
    if isinstance(plan, Forest):
        marginals = NetworkMarginals(*sum_product(*network, *plan))
    elif plan is not None:
        marginals = eliminate_sum(network, plan.order)
    else:
        log_partition, nodes, pairs, settled = propagate_beliefs(
            *network, *incidence(network.edges, network.n_nodes))
        marginals = NetworkMarginals(log_partition, nodes, pairs, "loopy", settled)
    if merging is None:
        return marginals
    pairs = marginals.edges[merging.which]
    pairs[merging.turned] = pairs[merging.turned].swapaxes(1, 2)
    return marginals._replace(edges=pairs)


@njit(nogil=True, cache=True)
def propagate_beliefs(unary, edges, tables, kinds, starts, edge_ids):
    """Loopy belief propagation, damped: Bethe's log partition function, beliefs of nodes
    and of edges, and whether the messages have settled."""
    n_nodes, n_labels = unary.shape
    messages = np.zeros((2 * edges.shape[0], n_labels))     # as in `pass_messages`
    rest, values = np.empty(n_labels), np.empty(n_labels)
    settled = False
    for _ in range(LOOPY_ITER):
        largest = 0.
        for s in range(n_nodes):
            for k in range(starts[s], starts[s + 1]):
                e = edge_ids[k]
                first = edges[e, 0] == s
                copy_into(rest, unary[s])
                for j in range(starts[s], starts[s + 1]):
                    if j != k:
                        rest += messages[2 * edge_ids[j] + (edges[edge_ids[j], 0] == s)]
                table, sent = tables[kinds[e]], messages[2 * e + 1 - first]
                new = np.empty(n_labels)
                for b in range(n_labels):
                    for a in range(n_labels):
                        values[a] = rest[a] + (table[a, b] if first else table[b, a])
                    new[b] = log_sum(values)
                new -= log_sum(new)
                for b in range(n_labels):
                    largest = max(largest, abs(new[b] - sent[b]))
                    sent[b] = LOOPY_DAMPING * sent[b] + (1 - LOOPY_DAMPING) * new[b]
        if largest < LOOPY_CHANGE:
            settled = True
            break
    nodes = np.empty((n_nodes, n_labels))
    beliefs = unary.copy()                  # logarithms
    log_partition = 0.
    for s in range(n_nodes):
        for k in range(starts[s], starts[s + 1]):
            beliefs[s] += messages[2 * edge_ids[k] + (edges[edge_ids[k], 0] == s)]
        beliefs[s] -= log_sum(beliefs[s])
        degree = starts[s + 1] - starts[s]
        for a in range(n_labels):
            nodes[s, a] = np.exp(beliefs[s, a])
            log_partition += nodes[s, a] * (unary[s, a] + (degree - 1) * beliefs[s, a])
    pairs = np.empty((edges.shape[0], n_labels, n_labels))
    for e in range(edges.shape[0]):
        u, v = edges[e]
        pair = tables[kinds[e]].copy()
        for a in range(n_labels):
            for b in range(n_labels):
                pair[a, b] += (beliefs[u, a] - messages[2 * e + 1, a]
                               + beliefs[v, b] - messages[2 * e, b])
        pair -= log_sum(pair.ravel())
        for a in range(n_labels):
            for b in range(n_labels):
                pairs[e, a, b] = np.exp(pair[a, b])
                log_partition += pairs[e, a, b] * (tables[kinds[e], a, b] - pair[a, b])
    return log_partition, nodes, pairs, settled
