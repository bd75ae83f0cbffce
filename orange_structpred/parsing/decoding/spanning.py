"""Sums over all trees, non-projective ones included: the Matrix-Tree theorem.

The sum of the products of edge weights over all spanning trees is a determinant (Tutte;
Koo et al., 2007). It is found here by removing one token after the other: whoever had
the token v as a head gets v's heads instead,

    weights[h, d] += weights[h, v] * weights[v, d] / total[v]

and the sum over trees is the product of the totals, total[v] being the sum of the
weights of the edges into v at that time. This is Gaussian elimination of the Laplacian
without its subtractions (Grassmann, Taksar and Heyman, 1985), so all of it can be done
with logarithms: weights of any size neither overflow nor vanish. With a single root,
edges from the root are not in the totals, and the last token is the root's child.

Marginals are derivatives, taken backwards through the removals. The derivative by a
weight is kept as its logarithm, and used only in products that are probabilities.
"""
import numpy as np

from orange_structpred.running.compiler import njit

FAR = 36.       # a summand that is smaller by exp(-FAR) is lost in rounding


@njit(nogil=True, cache=True)
def log_add(one, two):
    """log(exp(one) + exp(two))."""
    if one < two:
        one, two = two, one
    if two < one - FAR or two == -np.inf:
        return one
    return one + np.log1p(np.exp(two - one))


@njit(nogil=True, cache=True)
def _remove(logs, token, left, total):
    """Hand the dependents of a token on to its heads."""
    for head in range(left.size):
        share = logs[head, token] - total
        if left[head] and share > -np.inf:
            for other in range(1, left.size):
                if left[other] and other != head:
                    logs[head, other] = log_add(logs[head, other],
                                                share + logs[token, other])


@njit(nogil=True, cache=True)
def _remove_all(logs, first, order, totals):
    """Remove all tokens; the order in which it was done, and the totals.

    Edges between vertices that are left are overwritten, so those of a removed token
    stay as they were at its removal.
    """
    n = order.size
    left = np.ones(n + 1, np.bool_)
    ahead, behind = 0, n
    for token in range(1, n + 1):
        left[token] = False
        total = -np.inf
        for head in range(first, n + 1):
            if left[head]:
                total = log_add(total, logs[head, token])
        if total > -np.inf:
            order[ahead] = token
            totals[ahead] = total
            ahead += 1
            _remove(logs, token, left, total)
        else:
            # no head is left but the root: this token has to be the last one
            left[token] = True
            behind -= 1
            order[behind] = token
            totals[behind] = -np.inf
    if ahead == n - 1:
        totals[ahead] = logs[0, order[ahead]]


@njit(nogil=True, cache=True)
def _restore(logs, token, left, total, in_total, derivatives):
    """Derivatives of the log partition function by the weights of the edges into and
    out of a token, from those that are left without it.

    in_total : edges from these heads on are summed in the total
    """
    through = np.zeros(left.size)       # expected edges from a head that replace two
    for head in range(left.size):
        share = logs[head, token] - total
        if left[head] and share > -np.inf:
            for other in range(1, left.size):
                if left[other] and other != head:
                    slope = derivatives[head, other] + share
                    through[head] += np.exp(slope + logs[token, other])
                    derivatives[token, other] = log_add(derivatives[token, other], slope)
    rest = 1. - through.sum()
    for head in range(left.size):
        if left[head] and logs[head, token] > -np.inf:
            probability = through[head]
            if head >= in_total:
                probability += rest * np.exp(logs[head, token] - total)
            if probability > 0:
                derivatives[head, token] = np.log(probability) - logs[head, token]


@njit(nogil=True, cache=True)
def spanning_marginals(scores, single_root):
    """The log partition function over all trees, and the probability of each edge.

    scores : (n + 1, n + 1) float64, scores[head, dependent]; -inf forbids an edge
    single_root : whether the root must have exactly one child
    """
    n = scores.shape[0] - 1
    first = 1 if single_root else 0
    logs = scores.copy()
    for token in range(n + 1):
        logs[token, token] = logs[token, 0] = -np.inf
    marginals = np.zeros((n + 1, n + 1))
    order = np.empty(n, np.int64)
    totals = np.empty(n)
    _remove_all(logs, first, order, totals)
    log_partition = totals.sum()
    if log_partition == -np.inf:
        return log_partition, marginals
    derivatives = np.full((n + 1, n + 1), -np.inf)
    left = np.zeros(n + 1, np.bool_)
    left[0] = True
    for k in range(n - 1, -1, -1):
        _restore(logs, order[k], left, totals[k], first if k < n - 1 else 0,
                 derivatives)
        left[order[k]] = True
    for head in range(n + 1):
        for token in range(1, n + 1):
            if head != token:
                marginals[head, token] = min(1., np.exp(
                    scores[head, token] + derivatives[head, token]))
    return log_partition, marginals
