"""Eisner's algorithm: the best projective tree in O(n^3).

Charts over spans s..t of positions, all kept as rows of their left end s:

    right[s, t]      complete, head s   = max over r of right_arc[s, r] + right[r, t]
    left[s, t]       complete, head t   = max over r of left[s, r] + left_arc[r, t]
    right_arc[s, t]  with the edge s->t = between[s, t] + scores[s, t]
    left_arc[s, t]   with the edge t->s = between[s, t] + scores[t, s]
    between[s, t]    two complete ones  = max over r of right[s, r] + left[r + 1, t]

Rows are filled from the last to the first. Within a row, what has become final at t is
pushed on to all spans that end further right, so the inner loop runs along rows and is
free of reductions: the compiler vectorises it. No back pointers are kept: only the O(n)
spans of the best tree look for their split again.
"""
import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def _raise(row, source, plus, first):
    """row[k] = max(row[k], source[k] + plus) for all k from `first` on.

    Unsigned indices cannot mean "from the end": with signed ones, each access would ask
    whether they do, and the loop would not be vectorised.
    """
    for k in range(np.uintp(first), np.uintp(len(row))):
        row[k] = max(row[k], source[k] + plus)


@njit(nogil=True, cache=True)
def fill_charts(scores, first, right, left, right_arc, left_arc):
    """Fill the charts over the positions first..n."""
    n = scores.shape[0] - 1
    between = np.empty(n + 1, scores.dtype)
    for s in range(n, first - 1, -1):
        right_row = right[s]
        left_row = left[s]
        for t in range(s, n + 1):
            between[t] = -np.inf
            right_row[t] = -np.inf
            left_row[t] = -np.inf
        right_row[s] = 0
        left_row[s] = 0
        for t in range(s + 1, n + 1):
            # What ends at t has got all its splits from the left but for one each.
            right_before = right_row[t - 1]
            span = max(between[t], right_before)
            to_right = span + scores[s, t]
            to_left = span + scores[t, s]
            right_arc[s, t] = to_right
            left_arc[s, t] = to_left
            right_row[t] = max(right_row[t], to_right)
            left_row[t] = max(left_row[t], to_left)
            _raise(between, left[t], right_before, t + 1)
            _raise(right_row, right[t], to_right, t + 1)
            _raise(left_row, left_arc[t], left_row[t], t + 1)


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
        best = -np.inf
        if head < end:
            token = head + 1
            for r in range(token, end + 1):
                score = right_arc[head, r] + right[r, end]
                if score > best:
                    token, best = r, score
        else:
            token = end
            for r in range(end, head):
                score = left[end, r] + left_arc[r, head]
                if score > best:
                    token, best = r, score
        heads[token] = head
        size = _push(stack, size, token, end)
        low = min(head, token)
        high = max(head, token)
        split = low
        best = -np.inf
        for r in range(low, high):
            score = right[low, r] + left[r + 1, high]
            if score > best:
                split, best = r, score
        size = _push(stack, size, low, split)
        size = _push(stack, size, high, split + 1)


@njit(nogil=True, cache=True)
def read_tree(scores, single_root, right, left, right_arc, left_arc):
    """The heads of the best tree of filled charts."""
    n = scores.shape[0] - 1
    heads = np.empty(n + 1, np.int32)
    heads[0] = -1
    root_child = 0
    if single_root:
        root_child = 1
        best = right[1, n] + scores[0, 1]
        for token in range(2, n + 1):
            score = left[1, token] + right[token, n] + scores[0, token]
            if score > best:
                root_child, best = token, score
    _trace(right, left, right_arc, left_arc, root_child, heads)
    return heads


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
    if n == 0:
        return np.full(1, -1, np.int32)
    charts = np.empty((4, n + 1, n + 1), scores.dtype)
    right, left, right_arc, left_arc = charts[0], charts[1], charts[2], charts[3]
    fill_charts(scores, 1 if single_root else 0, right, left, right_arc, left_arc)
    return read_tree(scores, single_root, right, left, right_arc, left_arc)
