"""Max-marginals: for each edge the score of the best projective tree that has it.

Eisner's charts are inside scores: of the best tree below a span. Here is the pass from
the whole sentence back to its parts, which finds the best score outside of each span;
inside and outside of the span of an edge make the edge's max-marginal.

Spans s..t are visited from the first s to the last and, for each, from the last t to
the first. What a span gives to others with the same left end s goes to rows that are
kept for this s only; what it gives to others with the same right end t, to rows of t. So
all loops run along rows, and the compiler vectorises them as those of `eisner`.
"""
import numpy as np

from orange_structpred.parsing.decoding.eisner import fill_charts, read_tree
from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def _begin_row(scores, right, left, single_root, s, right_out, left_out, right_arc_out):
    """Outside scores of the spans from s on, as far as they make whole trees."""
    n = scores.shape[0] - 1
    for t in range(s, n + 1):
        right_out[t] = left_out[t] = right_arc_out[t] = -np.inf
    if not single_root:
        if s == 0:
            right_out[n] = 0
        return
    right_out[n] = scores[0, s] + left[1, s]
    if s == 1:
        for t in range(2, n + 1):
            left_out[t] = scores[0, t] + right[t, n]


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
    result = np.full((n + 1, n + 1), -np.inf, scores.dtype)
    if single_root:
        for token in range(1, n + 1):
            result[0, token] = scores[0, token] + left[1, token] + right[token, n]
    # rows of right ends: what is inside of spans, and what was found outside of them
    ends = np.full((6, n + 1, n + 1), -np.inf, scores.dtype)
    right_of, left_of, left_arc_of = ends[0], ends[1], ends[2]
    right_of_out, left_of_out, left_arc_of_out = ends[3], ends[4], ends[5]
    for s in range(first, n + 1):
        for t in range(s, n + 1):
            right_of[t, s], left_of[t, s] = right[s, t], left[s, t]
            left_arc_of[t, s] = left_arc[s, t]
    rows = np.empty((3, n + 1), scores.dtype)
    right_out, left_out, right_arc_out = rows[0], rows[1], rows[2]
    one = np.uintp(1)       # unsigned, as all indices: see `eisner`
    for s in range(np.uintp(first), np.uintp(n)):
        _begin_row(scores, right, left, single_root, s, right_out, left_out,
                   right_arc_out)
        for back in range(np.uintp(n) - s):
            t = np.uintp(n) - back
            # a complete span is an arc and what lies beyond its dependent
            outside = max(right_out[t], right_of_out[t, s])
            if outside > -np.inf:
                for r in range(s + one, t + one):
                    right_arc_out[r] = max(right_arc_out[r], right_of[t, r] + outside)
                for r in range(s + one, t + one):
                    right_of_out[t, r] = max(right_of_out[t, r], right_arc[s, r] + outside)
            outside = max(left_out[t], left_of_out[t, s])
            if outside > -np.inf:
                for r in range(s, t):
                    left_arc_of_out[t, r] = max(left_arc_of_out[t, r], left[s, r] + outside)
                for r in range(s, t):
                    left_out[r] = max(left_out[r], left_arc_of[t, r] + outside)
            # an arc is two complete spans
            to_right, to_left = right_arc_out[t], left_arc_of_out[t, s]
            result[s, t] = to_right + right_arc[s, t]
            result[t, s] = to_left + left_arc[s, t]
            outside = max(to_right + scores[s, t], to_left + scores[t, s])
            if outside > -np.inf:
                for r in range(s, t):
                    right_out[r] = max(right_out[r], left_of[t, r + one] + outside)
                for r in range(s + one, t + one):
                    left_of_out[t, r] = max(left_of_out[t, r], right[s, r - one] + outside)
    return result, read_tree(scores, single_root, right, left, right_arc, left_arc)
