"""Probabilities of pruned edges, over the projective trees that they make.

The charts are those of `part_decoder`, with sums in the place of maxima. They are filled
span by span: from the last s to the first and, for each, from the first t to the last.
Outside scores are found in the opposite order: each step of the inside pass is taken back.
"""
import numpy as np

from orange_structpred.parsing.decoding.marginals import log_add
from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def _shared_heads(edges, s, t, pairs):
    """Edges to s and to t from the same head outside of s..t, and the place of the two
    siblings' part; how many."""
    count = 0
    one, two = edges.above[s], edges.above[t]
    while one < edges.above[s + 1] and two < edges.above[t + 1]:
        head = edges.heads[one]
        if head < edges.heads[two]:
            one += 1
        elif head > edges.heads[two]:
            two += 1
        else:
            if not s <= head <= t:
                half = 2 * head + (head > t)
                size = edges.below[half + 1] - edges.below[half] + 1
                near, far = (two, one) if head > t else (one, two)
                pairs[count, 0] = one
                pairs[count, 1] = two
                pairs[count, 2] = (edges.siblings[half] + (edges.ranks[near] + 1) * size
                                   + edges.ranks[far])
                count += 1
            one += 1
            two += 1
    return count


@njit(nogil=True, cache=True)
def _edges_between(edges, s, t, listed):
    """The edges s -> t and t -> s that there are; how many."""
    count = 0
    for edge in range(edges.above[t], edges.above[t + 1]):
        if edges.heads[edge] == s:
            listed[count] = edge
            count += 1
    for edge in range(edges.above[s], edges.above[s + 1]):
        if edges.heads[edge] == t:
            listed[count] = edge
            count += 1
    return count


@njit(nogil=True, cache=True)
def _inside(edges, scores, single_root, charts, between, inner, chain):
    """Fill the charts; the logarithm of the sum over all trees."""
    n = edges.above.size - 2
    shared = np.empty((n + 1, 3), np.int64)
    own_edges = np.empty(2, np.int64)
    for token in range(1, n + 1):
        for edge in range(edges.above[token], edges.above[token + 1]):
            for side in range(2):
                half = 2 * token + side
                charts[side, edge, token] = scores.childless[
                    2 * edge + side] + scores.siblings[
                    edges.siblings[half] + edges.below[half + 1] - edges.below[half]]
    for s in range(n, 0, -1):
        for t in range(s + 1, n + 1):
            for k in range(_shared_heads(edges, s, t, shared)):
                total = -np.inf
                for r in range(s, t):
                    total = log_add(total, charts[0, shared[k, 0], r]
                                    + charts[1, shared[k, 1], r + 1])
                between[shared[k, 2]] = total + scores.siblings[shared[k, 2]]
            for k in range(_edges_between(edges, s, t, own_edges)):
                edge = own_edges[k]
                head, rank = edges.heads[edge], edges.ranks[edge]
                side = 1 if head == t else 0
                half = 2 * head + side
                size = edges.below[half + 1] - edges.below[half] + 1
                above = edges.above[head]
                n_above = edges.above[head + 1] - above
                first = charts[1 - side, edge, t - 1 if side else s + 1]
                for g in range(n_above):
                    if s <= edges.heads[above + g] <= t:
                        continue
                    total = first + scores.siblings[edges.siblings[half] + rank]
                    for j in range(rank):
                        total = log_add(total, inner[
                            edges.grandparents[half] + j * n_above + g] + between[
                                edges.siblings[half] + (j + 1) * size + rank])
                    row = edges.grandparents[half] + rank * n_above + g
                    inner[row] = total + scores.edges[edge] + scores.grandparents[row]
            for side in range(2):
                token, end = (t, s) if side else (s, t)
                half = 2 * token + side
                start = edges.below[half]
                size = edges.below[half + 1] - start
                above = edges.above[token]
                n_above = edges.above[token + 1] - above
                for j in range(size):
                    edge = edges.listed[start + j]
                    child = edges.dependents[edge]
                    if (child < end) if side else (child > end):
                        break
                    beyond = charts[side, edge, end] + scores.siblings[
                        edges.siblings[half] + (j + 1) * (size + 1) + size]
                    for g in range(n_above):
                        charts[side, above + g, end] = log_add(
                            charts[side, above + g, end],
                            inner[edges.grandparents[half] + j * n_above + g] + beyond)
    size = edges.below[1]
    total = -np.inf
    for k in range(size):
        edge = edges.listed[k]
        own_total = charts[1, edge, 1] + scores.siblings[k]
        if not single_root:
            for j in range(k):
                own_total = log_add(
                    own_total, chain[j] + between[(j + 1) * (size + 1) + k])
        chain[k] = own_total + scores.edges[edge]
        total = log_add(total, chain[k] + charts[0, edge, n] + scores.siblings[
            (k + 1) * (size + 1) + size])
    return total


@njit(nogil=True, cache=True)
def _outside(edges, scores, single_root, charts, between, inner, chain, total, result):
    """Take the steps of `_inside` back; write each edge's probability."""
    n = edges.above.size - 2
    shared = np.empty((n + 1, 3), np.int64)
    own_edges = np.empty(2, np.int64)
    outer = np.full(charts.shape, -np.inf)
    between_out = np.full(between.size, -np.inf)
    inner_out = np.full(inner.size, -np.inf)
    chain_out = np.full(chain.size, -np.inf)
    size = edges.below[1]
    for k in range(size - 1, -1, -1):
        edge = edges.listed[k]
        stop = scores.siblings[(k + 1) * (size + 1) + size]
        chain_out[k] = log_add(chain_out[k], charts[0, edge, n] + stop)
        outer[0, edge, n] = log_add(outer[0, edge, n], chain[k] + stop)
        result[edge] = np.exp(chain_out[k] + chain[k] - total)
        out = chain_out[k] + scores.edges[edge]
        outer[1, edge, 1] = log_add(outer[1, edge, 1], out + scores.siblings[k])
        if not single_root:
            for j in range(k):
                index = (j + 1) * (size + 1) + k
                chain_out[j] = log_add(chain_out[j], out + between[index])
                between_out[index] = log_add(between_out[index], out + chain[j])
    for s in range(1, n + 1):
        for t in range(n, s, -1):
            for side in range(2):
                token, end = (t, s) if side else (s, t)
                half = 2 * token + side
                start = edges.below[half]
                size = edges.below[half + 1] - start
                above = edges.above[token]
                n_above = edges.above[token + 1] - above
                for j in range(size):
                    edge = edges.listed[start + j]
                    child = edges.dependents[edge]
                    if (child < end) if side else (child > end):
                        break
                    stop = scores.siblings[
                        edges.siblings[half] + (j + 1) * (size + 1) + size]
                    for g in range(n_above):
                        out = outer[side, above + g, end] + stop
                        if out == -np.inf:
                            continue
                        row = edges.grandparents[half] + j * n_above + g
                        inner_out[row] = log_add(
                            inner_out[row], out + charts[side, edge, end])
                        outer[side, edge, end] = log_add(
                            outer[side, edge, end], out + inner[row])
            for k in range(_edges_between(edges, s, t, own_edges)):
                edge = own_edges[k]
                head, rank = edges.heads[edge], edges.ranks[edge]
                side = 1 if head == t else 0
                half = 2 * head + side
                size = edges.below[half + 1] - edges.below[half] + 1
                n_above = edges.above[head + 1] - edges.above[head]
                nearest = t - 1 if side else s + 1
                for g in range(n_above):
                    row = edges.grandparents[half] + rank * n_above + g
                    if inner[row] == -np.inf or inner_out[row] == -np.inf:
                        continue
                    result[edge] += np.exp(inner_out[row] + inner[row] - total)
                    out = inner_out[row] + scores.edges[edge] + scores.grandparents[row]
                    outer[1 - side, edge, nearest] = log_add(
                        outer[1 - side, edge, nearest],
                        out + scores.siblings[edges.siblings[half] + rank])
                    for j in range(rank):
                        before = edges.grandparents[half] + j * n_above + g
                        index = edges.siblings[half] + (j + 1) * size + rank
                        inner_out[before] = log_add(
                            inner_out[before], out + between[index])
                        between_out[index] = log_add(
                            between_out[index], out + inner[before])
            for k in range(_shared_heads(edges, s, t, shared)):
                one, two, index = shared[k]
                out = between_out[index] + scores.siblings[index]
                if out == -np.inf:
                    continue
                for r in range(s, t):
                    outer[0, one, r] = log_add(
                        outer[0, one, r], out + charts[1, two, r + 1])
                    outer[1, two, r + 1] = log_add(
                        outer[1, two, r + 1], out + charts[0, one, r])


@njit(nogil=True, cache=True)
def pruned_marginals(edges, scores, single_root):
    """The log partition function over trees of pruned edges, and the probability of
    each of these edges.

    edges, scores : as `best_projective` has them; a tree can be built of the edges
    """
    n = edges.above.size - 2
    charts = np.full((2, edges.heads.size, n + 1), -np.inf)
    between = np.full(scores.siblings.size, -np.inf)
    inner = np.full(scores.grandparents.size, -np.inf)
    chain = np.full(edges.below[1], -np.inf)
    result = np.zeros(edges.heads.size)
    total = _inside(edges, scores, single_root, charts, between, inner, chain)
    _outside(edges, scores, single_root, charts, between, inner, chain, total, result)
    return total, result
