"""Probabilities of edges: their marginals under p(tree) ~ exp(score).

    log_partition, marginals = edge_marginals(scores, PROJECTIVE, single_root=True)

The partition function is the sum of exp(score) over all trees of a decoder's kind; the
marginal of an edge is the share of those with the edge in it, and the derivative of the
log partition function by the edge's score. Projective trees are summed by inside and
outside scores (as in `max_marginals`, with sums in the place of maxima), all trees by
the Matrix-Tree theorem (`spanning`), both in O(n^3). Scores are divided by a
temperature before, where there is one.
"""
import numpy as np

from orange_structpred.parsing.decoding.decoders import APPROXIMATE, PROJECTIVE
from orange_structpred.parsing.decoding.spanning import log_add, spanning_marginals
from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def _inside(scores, first, right, left, right_arc, left_arc):
    """Fill the charts, those of `eisner`, over the positions first..n."""
    n = scores.shape[0] - 1
    for token in range(n + 1):
        right[token, token] = left[token, token] = 0.
    for width in range(1, n - first + 1):
        for s in range(first, n - width + 1):
            t = s + width
            between = -np.inf
            for r in range(s, t):
                between = log_add(between, right[s, r] + left[r + 1, t])
            right_arc[s, t] = between + scores[s, t]
            left_arc[s, t] = between + scores[t, s]
            for r in range(s + 1, t + 1):
                right[s, t] = log_add(right[s, t], right_arc[s, r] + right[r, t])
            for r in range(s, t):
                left[s, t] = log_add(left[s, t], left[s, r] + left_arc[r, t])


@njit(nogil=True, cache=True)
def projective_marginals(scores, single_root):
    """As `edge_marginals`, over projective trees."""
    n = scores.shape[0] - 1
    first = 1 if single_root else 0
    charts = np.full((4, n + 1, n + 1), -np.inf)
    right, left, right_arc, left_arc = charts[0], charts[1], charts[2], charts[3]
    _inside(scores, first, right, left, right_arc, left_arc)
    result = np.zeros((n + 1, n + 1))
    total = right[0, n]
    if single_root:
        total = -np.inf
        for token in range(1, n + 1):
            total = log_add(total, scores[0, token] + left[1, token] + right[token, n])
    if total == -np.inf:
        return total, result

    # outside scores are counted from the total, so that inside + outside is a
    # logarithm of a probability
    out = np.full((4, n + 1, n + 1), -np.inf)
    right_out, left_out, right_arc_out, left_arc_out = out[0], out[1], out[2], out[3]
    if single_root:
        for token in range(1, n + 1):
            edge = scores[0, token] - total
            left_out[1, token] = edge + right[token, n]
            right_out[token, n] = edge + left[1, token]
            result[0, token] = np.exp(edge + left[1, token] + right[token, n])
    else:
        right_out[0, n] = -total
    for width in range(n - first, 0, -1):
        for s in range(first, n - width + 1):
            t = s + width
            # a complete span is an arc and what lies beyond its dependent
            outside = right_out[s, t]
            if outside > -np.inf:
                for r in range(s + 1, t + 1):
                    right_arc_out[s, r] = log_add(
                        right_arc_out[s, r], outside + right[r, t])
                    right_out[r, t] = log_add(right_out[r, t], outside + right_arc[s, r])
            outside = left_out[s, t]
            if outside > -np.inf:
                for r in range(s, t):
                    left_arc_out[r, t] = log_add(left_arc_out[r, t], outside + left[s, r])
                    left_out[s, r] = log_add(left_out[s, r], outside + left_arc[r, t])
            # an arc is two complete spans
            result[s, t] = np.exp(right_arc_out[s, t] + right_arc[s, t])
            result[t, s] = np.exp(left_arc_out[s, t] + left_arc[s, t])
            outside = log_add(right_arc_out[s, t] + scores[s, t],
                              left_arc_out[s, t] + scores[t, s])
            if outside > -np.inf:
                for r in range(s, t):
                    right_out[s, r] = log_add(right_out[s, r], outside + left[r + 1, t])
                    left_out[r + 1, t] = log_add(left_out[r + 1, t], outside + right[s, r])
    return total, result


@njit(nogil=True, cache=True)
def single_marginals(scores):
    """As `edge_marginals`, with a head for each token on its own: not always trees."""
    n = scores.shape[0] - 1
    result = np.zeros((n + 1, n + 1))
    log_partition = 0.
    for token in range(1, n + 1):
        total = -np.inf
        for head in range(n + 1):
            if head != token:
                total = log_add(total, scores[head, token])
        log_partition += total
        for head in range(n + 1):
            if head != token and total > -np.inf:
                result[head, token] = np.exp(scores[head, token] - total)
    return log_partition, result


@njit(nogil=True, cache=True)
def edge_marginals(scores, decoder, single_root):
    """The log partition function, and the probability of each edge.

    Parameters
    ----------
    scores : (n + 1, n + 1) float64, scores[head, dependent]; -inf forbids an edge
    decoder : a value of DECODERS; the sum is over projective trees for PROJECTIVE, over
        heads of single tokens for APPROXIMATE, else over all trees. None means
        PROJECTIVE; the compiler then leaves out all others
    single_root : whether the root must have exactly one child

    Returns
    -------
    log_partition : float; -inf if the allowed edges do not make a tree
    marginals : (n + 1, n + 1) float64; if there is a tree, each token's column adds up to 1
    """
    if decoder is None:
        return projective_marginals(scores, single_root)
    if decoder == PROJECTIVE:
        return projective_marginals(scores, single_root)
    if decoder == APPROXIMATE:
        return single_marginals(scores)
    return spanning_marginals(scores, single_root)
