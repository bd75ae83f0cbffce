"""Max-marginals: for each edge the score of the best projective tree that has it.

Eisner's charts are inside scores: of the best tree below a span. Here is the pass from
the whole sentence back to its parts, which finds the best score outside of each span;
inside and outside of the span of an edge make the edge's max-marginal. Charts are those
of `eisner`; an outside chart has the same indices as the inside chart beside it.
"""
import numpy as np
from numba import njit

from orange_structpred.parsing.eisner import fill_charts, read_tree


@njit(nogil=True, cache=True)
def _close_root(scores, right, left, single_root, right_out, left_out):
    """Outside scores of the spans that make whole trees."""
    n = scores.shape[0] - 1
    if not single_root:
        right_out[0, n] = 0
        return
    for token in range(1, n + 1):
        edge = scores[0, token]
        if token > 1:
            left_out[1, token] = edge + right[token, n]
        if token < n:
            right_out[token, n] = edge + left[1, token]


@njit(nogil=True, cache=True)
def max_marginals(scores, single_root):
    """(n + 1, n + 1) array: the score of the best tree with an edge; -inf for none.
    And the heads of the best tree of all.

    scores : scores[head, dependent]; -inf forbids an edge
    """
    n = scores.shape[0] - 1
    charts = np.full((4, n + 1, n + 1), -np.inf, scores.dtype)
    right, left, right_arc, left_arc = charts[0], charts[1], charts[2], charts[3]
    first = 1 if single_root else 0
    fill_charts(scores, first, right, left, right_arc, left_arc)
    out = np.full((4, n + 1, n + 1), -np.inf, scores.dtype)
    right_out, left_out, right_arc_out, left_arc_out = out[0], out[1], out[2], out[3]
    _close_root(scores, right, left, single_root, right_out, left_out)
    result = np.full((n + 1, n + 1), -np.inf, scores.dtype)
    if single_root:
        for token in range(1, n + 1):
            result[0, token] = scores[0, token] + left[1, token] + right[token, n]
    for width in range(n - first, 0, -1):
        for s in range(first, n - width + 1):
            t = s + width
            # a complete span is an arc and what lies beyond its dependent
            outside = right_out[s, t]
            for r in range(s + 1, t + 1):
                right_arc_out[s, r] = max(right_arc_out[s, r], outside + right[r, t])
                right_out[r, t] = max(right_out[r, t], outside + right_arc[s, r])
            outside = left_out[s, t]
            for r in range(s, t):
                left_arc_out[r, t] = max(left_arc_out[r, t], outside + left[s, r])
                left_out[s, r] = max(left_out[s, r], outside + left_arc[r, t])
            # an arc is two complete spans
            result[s, t] = right_arc_out[s, t] + right_arc[s, t]
            result[t, s] = left_arc_out[s, t] + left_arc[s, t]
            outside = max(right_arc_out[s, t] + scores[s, t],
                          left_arc_out[s, t] + scores[t, s])
            for r in range(s, t):
                right_out[s, r] = max(right_out[s, r], outside + left[r + 1, t])
                left_out[r + 1, t] = max(left_out[r + 1, t], outside + right[s, r])
    return result, read_tree(scores, single_root, right, left, right_arc, left_arc)
