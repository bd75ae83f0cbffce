"""Sums over all trees, non-projective ones included: the Matrix-Tree theorem.

The sum of the products of edge weights over all spanning trees is a determinant (Tutte;
Koo et al., 2007). It is found here by removing one token after the other: whoever had
the token v as a head gets v's heads instead,

    weights[h, d] += weights[h, v] * weights[v, d] / total[v]

and the sum over trees is the product of the totals, total[v] being the sum of the
weights of the edges into v at that time. This is Gaussian elimination of the Laplacian
without its subtractions (Grassmann, Taksar and Heyman, 1985), so that edges of very
different weights do no harm. With a single root, edges from the root are not in the
totals, and the last token is the root's child. Marginals are derivatives, taken
backwards through the removals.
"""
import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def _scaled(scores, first):
    """exp(scores), each token's best edge from the heads first..n having the weight 1;
    the logarithm of what was taken out. With a single root, the best edge from the
    root has the weight 1, too."""
    n = scores.shape[0] - 1
    weights = np.zeros((n + 1, n + 1))
    taken = 0.
    best_root = -np.inf
    for token in range(1, n + 1):
        best = -np.inf
        for head in range(first, n + 1):
            if head != token:
                best = max(best, scores[head, token])
        if best == -np.inf:
            best = 0.       # only the root can be its head
        taken += best
        for head in range(n + 1):
            if head != token:
                weights[head, token] = scores[head, token] - best
        best_root = max(best_root, weights[0, token])
    if first and best_root > -np.inf:
        taken += best_root
        weights[0, 1:] -= best_root
    for token in range(1, n + 1):
        for head in range(n + 1):
            if head != token:
                weights[head, token] = np.exp(weights[head, token])
    return weights, taken


@njit(nogil=True, cache=True)
def _remove(weights, token, left, total):
    """Hand the dependents of a token on to its heads."""
    for head in range(left.size):
        share = weights[head, token] / total
        if left[head] and share > 0:
            for other in range(1, left.size):
                if left[other] and other != head:
                    weights[head, other] += share * weights[token, other]


@njit(nogil=True, cache=True)
def _remove_all(weights, first, order, totals):
    """Remove all tokens; the order in which it was done, and the totals.

    Edges between vertices that are left are overwritten, so those of a removed token
    stay as they were at its removal.
    """
    n = order.size
    left = np.ones(n + 1, np.bool_)
    ahead, behind = 0, n
    for token in range(1, n + 1):
        left[token] = False
        total = 0.
        for head in range(first, n + 1):
            if left[head]:
                total += weights[head, token]
        if total > 0:
            order[ahead] = token
            totals[ahead] = total
            ahead += 1
            _remove(weights, token, left, total)
        else:
            # no head is left but the root: this token has to be the last one
            left[token] = True
            behind -= 1
            order[behind] = token
            totals[behind] = 0.
    if ahead == n - 1:
        totals[ahead] = weights[0, order[ahead]]


@njit(nogil=True, cache=True)
def _restore(weights, token, left, total, in_total, derivatives):
    """Derivatives of the log partition function by the weights of the edges into and
    out of a token, from those that are left without it.

    in_total : edges from these heads on are summed in the total
    """
    mean = 0.
    for head in range(left.size):
        if left[head]:
            slope = 0.
            share = weights[head, token] / total
            for other in range(1, left.size):
                if left[other] and other != head:
                    slope += derivatives[head, other] * weights[token, other]
                    derivatives[token, other] += derivatives[head, other] * share
            derivatives[head, token] = slope / total
            mean += slope * share
    for head in range(in_total, left.size):
        if left[head]:
            derivatives[head, token] += (1. - mean) / total


@njit(nogil=True, cache=True)
def spanning_marginals(scores, single_root):
    """The log partition function over all trees, and the probability of each edge.

    scores : (n + 1, n + 1) float64, scores[head, dependent]; -inf forbids an edge
    single_root : whether the root must have exactly one child
    """
    n = scores.shape[0] - 1
    first = 1 if single_root else 0
    weights, log_partition = _scaled(scores, first)
    marginals = weights.copy()
    order = np.empty(n, np.int64)
    totals = np.empty(n)
    _remove_all(weights, first, order, totals)
    for total in totals:
        if total == 0:
            return -np.inf, np.zeros((n + 1, n + 1))
        log_partition += np.log(total)
    derivatives = np.zeros((n + 1, n + 1))
    left = np.zeros(n + 1, np.bool_)
    left[0] = True
    for k in range(n - 1, -1, -1):
        _restore(weights, order[k], left, totals[k], first if k < n - 1 else 0,
                 derivatives)
        left[order[k]] = True
    for head in range(n + 1):
        for token in range(1, n + 1):
            marginals[head, token] = min(1., max(
                0., marginals[head, token] * derivatives[head, token]))
    return log_partition, marginals
