"""Sequential tree-reweighted message passing, compiled (TRW-S; Kolmogorov, 2006).

The nodes are passed from the first to the last and back. The network is a sum of chains
whose nodes rise; each pass lowers the sum of the chains' highest scores, which no
labelling can exceed. Where all chains agree on one labelling, it is the best one.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.problems.graphs.network import MarkovNetwork, incidence
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit

DECODE_EVERY = 5         # passes forth and back between two decodings
ICM_SWEEPS = 10         # of iterated conditional modes at most
SMALL_GAIN = 1e-3       # share of the gap; passes that lower the bound by less are the last
SMALL_GAINS = 3            # checks with a small gain
BOUND_ROUNDING = 1e-9         # relative


class Reweighted(NamedTuple):
    """What TRW-S knows.

    labels, score : the best labelling that was met
    bound : no labelling has a higher score
    reductions : (nodes, labels); a labelling with this label has at most the score
        bound - reduction
    n_iter : passes forth and back
    """

    labels: np.ndarray
    score: float
    bound: float
    reductions: np.ndarray
    n_iter: int


@njit(nogil=True, cache=True)
def pass_messages(unary, edges, turned, kinds, starts, edge_ids, shares, messages,
                  backward, reductions):
    """One pass over the nodes; returns the bound.

    turned : (2 * kinds, labels, labels), each table and, after it, its transpose
    shares : of a node's scores that each chain through it gets
    messages : (2 * edges, labels); 2 e is the one to the second node of edge e, 2 e + 1
        that to the first
    reductions : filled if not empty. After a pass in the other direction, the scores of a
        node are the sums of the max-marginals of the chains through it
    """
    n_nodes, n_labels = unary.shape
    belief, sent = np.empty(n_labels), np.empty(n_labels)
    bound = 0.
    for position in range(n_nodes):
        s = n_nodes - 1 - position if backward else position
        copy_into(belief, unary[s])
        for k in range(starts[s], starts[s + 1]):
            e = edge_ids[k]
            incoming = 2 * e + (edges[e, 0] == s)
            for a in range(n_labels):
                belief[a] += messages[incoming, a]
        highest = -np.inf
        for a in range(n_labels):
            if belief[a] > highest:
                highest = belief[a]
        bound += highest
        for a in range(n_labels):
            belief[a] -= highest
            if reductions.size:
                reductions[s, a] = -belief[a]
        for k in range(starts[s], starts[s + 1]):
            e = edge_ids[k]
            t = edges[e, 0] + edges[e, 1] - s
            if (t < s) != backward:
                continue
            first = edges[e, 0] == s
            incoming, outgoing = 2 * e + first, 2 * e + 1 - first
            kind = 2 * kinds[e] + 1 - first
            for b in range(n_labels):
                sent[b] = -np.inf
            for a in range(n_labels):
                rest = shares[s] * belief[a] - messages[incoming, a]
                for b in range(n_labels):
                    value = rest + turned[kind, a, b]
                    sent[b] = value if value > sent[b] else sent[b]
            top = -np.inf
            for b in range(n_labels):
                top = sent[b] if sent[b] > top else top
            bound += top
            for b in range(n_labels):
                messages[outgoing, b] = sent[b] - top
    return bound


@njit(nogil=True, cache=True)
def decode_messages(unary, edges, tables, kinds, starts, edge_ids, messages):
    """Labels, chosen one after the other with what is known of the labels before."""
    n_nodes, n_labels = unary.shape
    labels = np.empty(n_nodes, np.int64)
    belief = np.empty(n_labels)
    for s in range(n_nodes):
        copy_into(belief, unary[s])
        for k in range(starts[s], starts[s + 1]):
            e = edge_ids[k]
            t = edges[e, 0] + edges[e, 1] - s
            first = edges[e, 0] == s
            if t > s:
                belief += messages[2 * e + first]
            else:
                table = tables[kinds[e]]
                for a in range(n_labels):
                    belief[a] += table[a, labels[t]] if first else table[labels[t], a]
        labels[s] = belief.argmax()
    return labels


@njit(nogil=True, cache=True)
def climb(unary, edges, tables, kinds, starts, edge_ids, labels, sweeps):
    """Iterated conditional modes: the best label of each node given its neighbours'."""
    n_nodes, n_labels = unary.shape
    belief = np.empty(n_labels)
    for _ in range(sweeps):
        changed = False
        for s in range(n_nodes):
            copy_into(belief, unary[s])
            for k in range(starts[s], starts[s + 1]):
                e = edge_ids[k]
                t = edges[e, 0] + edges[e, 1] - s
                table = tables[kinds[e]]
                for a in range(n_labels):
                    belief[a] += table[a, labels[t]] if edges[e, 0] == s \
                        else table[labels[t], a]
            best = belief.argmax()
            if belief[best] > belief[labels[s]]:
                labels[s] = best
                changed = True
        if not changed:
            break


@njit(nogil=True, cache=True)
def score_labels(unary, edges, tables, kinds, labels):
    total = 0.
    for s in range(unary.shape[0]):
        total += unary[s, labels[s]]
    for e in range(edges.shape[0]):
        total += tables[kinds[e], labels[edges[e, 0]], labels[edges[e, 1]]]
    return total


@njit(nogil=True, cache=True)
def is_decided(labels, reductions, gap):
    """Whether every other label of every node costs more than the gap."""
    for s in range(labels.size):
        for a in range(reductions.shape[1]):
            if a != labels[s] and reductions[s, a] <= gap:
                return False
    return True


@njit(nogil=True, cache=True)
def reweight(unary, edges, tables, kinds, starts, edge_ids, max_iter):
    n_nodes, n_labels = unary.shape
    before, after = np.zeros(n_nodes), np.zeros(n_nodes)
    for e in range(edges.shape[0]):
        low, high = min(edges[e, 0], edges[e, 1]), max(edges[e, 0], edges[e, 1])
        after[low] += 1
        before[high] += 1
    shares = 1 / np.maximum(1., np.maximum(before, after))
    messages = np.zeros((2 * edges.shape[0], n_labels))
    turned = np.empty((2 * tables.shape[0], n_labels, n_labels))
    for kind in range(tables.shape[0]):
        turned[2 * kind] = tables[kind]
        turned[2 * kind + 1] = tables[kind].T
    reductions = np.zeros((n_nodes, n_labels))
    none = reductions[:0]
    labels = unary[:, 0].astype(np.int64)
    score, bound, last_bound = -np.inf, np.inf, np.inf
    waited = n_iter = 0
    while n_iter < max_iter:
        n_iter += 1
        check = n_iter % DECODE_EVERY == 0 or n_iter == max_iter
        forth = pass_messages(unary, edges, turned, kinds, starts, edge_ids, shares,
                              messages, False, none)
        bound = pass_messages(unary, edges, turned, kinds, starts, edge_ids, shares,
                              messages, True, reductions if check else none)
        if not check:
            continue
        # what a label costs was measured while the bound was still up to `forth`
        for s in range(n_nodes):
            for a in range(n_labels):
                reductions[s, a] = max(0., reductions[s, a] - (forth - bound))
        proposal = decode_messages(unary, edges, tables, kinds, starts, edge_ids, messages)
        climb(unary, edges, tables, kinds, starts, edge_ids, proposal, ICM_SWEEPS)
        value = score_labels(unary, edges, tables, kinds, proposal)
        if value > score:
            labels, score = proposal, value
        rounding = BOUND_ROUNDING * (1 + abs(bound))
        gap = bound - score
        if gap <= rounding or is_decided(labels, reductions, gap + rounding):
            break
        waited = waited + 1 if last_bound - bound < SMALL_GAIN * gap else 0
        if waited == SMALL_GAINS:
            break
        last_bound = bound
    return labels, score, bound, reductions, n_iter


def reweighted(network: MarkovNetwork, max_iter: int) -> Reweighted:
    """Pass messages until the best labelling is known, nothing moves, or `max_iter`."""
    return Reweighted(*reweight(
        *network, *incidence(network.edges, network.n_nodes), max_iter))
