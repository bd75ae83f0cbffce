"""Eisner's algorithm: the best projective tree in O(n^3).

Charts over spans s..t of positions, s <= t, all kept as rows of their left end:

    right[s, t]       best complete span with head s       = max_r right_arc[s, r] + right[r, t]
    left[s, t]        best complete span with head t       = max_r left[s, r] + left_arc[r, t]
    right_arc[s, t]   best span with an edge from s to t   = between[s, t] + scores[s, t]
    left_arc[s, t]    best span with an edge from t to s   = between[s, t] + scores[t, s]
    between[s, t]                                          = max_r right[s, r] + left[r + 1, t]

Rows are filled from the last to the first. Within a row, what has become final at t is
pushed on to all spans that end further right, so the inner loop runs along rows and is
free of reductions: the compiler vectorises it. No back pointers are kept: only the O(n)
spans of the best tree look for their split again.
"""
import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def _fill(scores, first, right, left, right_arc, left_arc):
    """Fill the charts over the positions first..n."""
    n = scores.shape[0] - 1
    between = np.empty(n + 1, scores.dtype)
    for s in range(n, first - 1, -1):
        right[s, s] = 0
        left[s, s] = 0
        for t in range(s + 1, n + 1):
            right[s, t] = -np.inf
            left[s, t] = -np.inf
            between[t] = -np.inf
        for t in range(s + 1, n + 1):
            right_before = right[s, t - 1]
            span = max(between[t], right_before)
            arc = span + scores[s, t]
            right_arc[s, t] = arc
            left_arc[s, t] = span + scores[t, s]
            right[s, t] = max(right[s, t], arc)
            left[s, t] = max(left[s, t], left_arc[s, t])
            left_here = left[s, t]
            for k in range(t + 1, n + 1):
                between[k] = max(between[k], right_before + left[t, k])
                right[s, k] = max(right[s, k], arc + right[t, k])
                left[s, k] = max(left[s, k], left_here + left_arc[t, k])


@njit(nogil=True, cache=True)
def _push(stack, size, head, end):
    """Put the complete span from a head to its other end on the stack."""
    if head == end:
        return size
    stack[size, 0] = head
    stack[size, 1] = end
    return size + 1


@njit(nogil=True, cache=True)
def _trace(right, left, right_arc, left_arc, root_child, heads):
    """Read the best tree off the charts.

    root_child : the only child of the root, or 0 if the root is part of the charts
    """
    n = len(heads) - 1
    # No token is on the stack twice as other than the head of its span, so n will do.
    stack = np.empty((n + 1, 2), np.int32)
    size = _push(stack, 0, root_child, n)
    if root_child > 0:
        heads[root_child] = 0
        size = _push(stack, size, root_child, 1)
    while size > 0:
        size -= 1
        head = stack[size, 0]
        end = stack[size, 1]
        if head < end:
            token = head + 1
            for r in range(head + 2, end + 1):
                if (right_arc[head, r] + right[r, end]
                        > right_arc[head, token] + right[token, end]):
                    token = r
        else:
            token = end
            for r in range(end + 1, head):
                if (left[end, r] + left_arc[r, head]
                        > left[end, token] + left_arc[token, head]):
                    token = r
        heads[token] = head
        size = _push(stack, size, token, end)
        low = min(head, token)
        high = max(head, token)
        split = low
        for r in range(low + 1, high):
            if right[low, r] + left[r + 1, high] > right[low, split] + left[split + 1, high]:
                split = r
        size = _push(stack, size, low, split)
        size = _push(stack, size, high, split + 1)


@njit(nogil=True, cache=True)
def eisner(scores, single_root):
    """The projective tree of the highest score.

    scores : (n + 1, n + 1) float array, scores[head, dependent]; -inf forbids an edge
    single_root : whether the root must have exactly one child; it is then no part of
        the charts, and its child is the best head of all the other tokens

    Returns heads, (n + 1,) int32 with heads[0] = -1: always a projective tree, and one
    without forbidden edges if there is any.
    """
    n = scores.shape[0] - 1
    heads = np.empty(n + 1, np.int32)
    heads[0] = -1
    if n == 0:
        return heads
    charts = np.empty((4, n + 1, n + 1), scores.dtype)
    right, left, right_arc, left_arc = charts[0], charts[1], charts[2], charts[3]
    root_child = 0
    if single_root:
        _fill(scores, 1, right, left, right_arc, left_arc)
        root_child = 1
        best = right[1, n] + scores[0, 1]
        for token in range(2, n + 1):
            score = left[1, token] + right[token, n] + scores[0, token]
            if score > best:
                root_child, best = token, score
    else:
        _fill(scores, 0, right, left, right_arc, left_arc)
    _trace(right, left, right_arc, left_arc, root_child, heads)
    return heads
