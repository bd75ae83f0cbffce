"""The best projective tree for each number of wrong heads: Eisner's algorithm with a count.

For slack rescaling and squared slacks (Tsochantaridis et al., 2005, section 3.2), whose
most violated output is one of these. The charts of `eisner`, each with a further axis, the
number k of edges that the gold tree does not have:

    between[s, t, k]  = max over r, j of right[s, r, j] + left[r + 1, t, k - j]

and so on. Each span s..t has t - s edges, so that O(n^5) steps are needed, with a small
factor: 30 words take milliseconds.
"""
import numpy as np

from orange_structpred.running.compiler import njit

MOST_WORDS = 100        # of a sentence; the charts take (n + 1)^3 numbers


@njit(nogil=True, cache=True)
def _best_split(one, other, s, t, first, last, gap, k):
    """The largest one[s, r, j] + other[r + gap, t, k - j] with first <= r <= last: its
    value, r and j."""
    best, split, count = -np.inf, first, 0
    for r in range(first, last + 1):
        for j in range(max(0, k - (t - r)), min(k, r - s) + 1):
            value = one[s, r, j] + other[r + gap, t, k - j]
            if value > best:
                best, split, count = value, r, j
    return best, split, count


@njit(nogil=True, cache=True)
def _fill(scores, gold, first, right, left, right_arc, left_arc):
    """Fill the charts over the positions first..n."""
    n = scores.shape[0] - 1
    for s in range(first, n + 1):
        right[s, s, 0] = left[s, s, 0] = 0
    for width in range(1, n - first + 1):
        for s in range(first, n - width + 1):
            t = s + width
            for k in range(width):
                between, _, _ = _best_split(right, left, s, t, s, t - 1, 1, k)
                right_arc[s, t, k + (gold[t] != s)] = between + scores[s, t]
                left_arc[s, t, k + (gold[s] != t)] = between + scores[t, s]
            for k in range(width + 1):
                right[s, t, k], _, _ = _best_split(right_arc, right, s, t, s + 1, t, 0, k)
                left[s, t, k], _, _ = _best_split(left, left_arc, s, t, s, t - 1, 0, k)


@njit(nogil=True, cache=True)
def _push(stack, size, head, end, k):
    """Put the complete span from a head to its other end on the stack."""
    if head == end:
        return size
    stack[size, 0], stack[size, 1], stack[size, 2] = head, end, k
    return size + 1


@njit(nogil=True, cache=True)
def _trace(gold, right, left, right_arc, left_arc, stack, size, heads):
    """Read the trees of the spans on the stack off the charts."""
    while size > 0:
        size -= 1
        head, end, k = stack[size]
        if head < end:
            _, token, count = _best_split(right_arc, right, head, end, head + 1, end, 0, k)
            rest = k - count
        else:
            _, token, rest = _best_split(left, left_arc, end, head, end, head - 1, 0, k)
            count = k - rest
        heads[token] = head
        size = _push(stack, size, token, end, rest)
        low, high = min(head, token), max(head, token)
        count -= gold[token] != head
        _, split, j = _best_split(right, left, low, high, low, high - 1, 1, count)
        size = _push(stack, size, low, split, j)
        size = _push(stack, size, high, split + 1, count - j)


@njit(nogil=True, cache=True)
def best_by_errors(scores, gold, single_root):
    """For each number k of heads other than the gold ones, the best projective tree.

    scores : (n + 1, n + 1) float array, scores[head, dependent]
    gold : heads, (n + 1,)
    single_root : whether the root must have exactly one child

    Returns heads, (n + 1, n + 1) int32, a row for each k, and their scores: -inf where
    there is no such tree.
    """
    n = scores.shape[0] - 1
    charts = np.full((4, n + 1, n + 1, n + 2), -np.inf)
    right, left, right_arc, left_arc = charts[0], charts[1], charts[2], charts[3]
    _fill(scores, gold, 1 if single_root else 0, right, left, right_arc, left_arc)
    trees = np.full((n + 1, n + 1), -1, np.int32)
    best = np.full(n + 1, -np.inf)
    stack = np.empty((2 * n + 2, 3), np.int64)
    for k in range(n + 1):
        child = count = 0
        if not single_root:
            best[k] = right[0, n, k]
        for token in range(1, n + 1 if single_root else 1):
            rest = k - (gold[token] != 0)
            for j in range(min(rest, token - 1) + 1):
                value = left[1, token, j] + right[token, n, rest - j] + scores[0, token]
                if value > best[k]:
                    best[k], child, count = value, token, j
        if best[k] == -np.inf:
            continue
        if single_root:
            trees[k, child] = 0
            size = _push(stack, 0, child, 1, count)
            size = _push(stack, size, child, n, k - (gold[child] != 0) - count)
        else:
            size = _push(stack, 0, 0, n, k)
        _trace(gold, right, left, right_arc, left_arc, stack, size, trees[k])
    return trees, best
