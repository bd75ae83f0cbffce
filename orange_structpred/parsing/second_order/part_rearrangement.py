"""Non-projective rearrangement with second-order scores (McDonald and Pereira, 2006).

From the best projective tree on, the head that raises the score most is changed, and
again, until none raises it. Only edges that pruning has left are tried. A move changes
the scores of few parts: the token's edge and grandparent, its children's grandparents or
its sides without a child, and the siblings beside it at its old and at its new head,
which may have no other child there.
"""
import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def _edge_of(edges, head, token):
    """The edge from a head to a token; it must be there."""
    edge = edges.above[token]
    while edges.heads[edge] != head:
        edge += 1
    return edge


@njit(nogil=True, cache=True)
def _grandparent(edges, scores, upper, lower):
    """The score of an edge's grandparent part; `upper` is the edge to its head."""
    head = edges.heads[lower]
    half = 2 * head + (head > edges.dependents[lower])
    n_above = edges.above[head + 1] - edges.above[head]
    return scores.grandparents[edges.grandparents[half] + edges.ranks[lower] * n_above
                               + upper - edges.above[head]]


@njit(nogil=True, cache=True)
def _gain_at_head(edges, scores, chosen, edge):
    """What the token of an edge adds to its head: the edge, its grandparent part, and
    the siblings parts with it instead of the one without, or of no child at all."""
    head = edges.heads[edge]
    half = 2 * head + (head > edges.dependents[edge])
    first = edges.below[half]
    size = edges.below[half + 1] - first
    rank = edges.ranks[edge]
    row, column = 0, size       # START and STOP, unless there are siblings
    for j in range(size):
        other = edges.listed[first + j]
        if j != rank and chosen[edges.dependents[other]] == other:
            if j > rank:
                column = j
                break
            row = j + 1
    at, width = edges.siblings[half], size + 1
    gain = (scores.edges[edge] + scores.siblings[at + row * width + rank]
            + scores.siblings[at + (rank + 1) * width + column]
            - scores.siblings[at + row * width + column])
    if head:
        gain += _grandparent(edges, scores, chosen[head], edge)
        if row == 0 and column == size:
            gain -= scores.childless[2 * chosen[head] + (half & 1)]
    return gain


@njit(nogil=True, cache=True)
def _gain_below(edges, scores, chosen, edge):
    """The scores of the grandparent parts of a token's children, and of its sides without
    one, below an edge to it."""
    token = edges.dependents[edge]
    gain = np.float32(0)
    for side in range(2):
        has_child = False
        for row in range(edges.below[2 * token + side], edges.below[2 * token + side + 1]):
            lower = edges.listed[row]
            if chosen[edges.dependents[lower]] == lower:
                gain += _grandparent(edges, scores, edge, lower)
                has_child = True
        if not has_child:
            gain += scores.childless[2 * edge + side]
    return gain


@njit(nogil=True, cache=True)
def _is_below(heads, token, other):
    """Whether a token is another one, or below it."""
    while token > 0 and token != other:
        token = heads[token]
    return token == other


@njit(nogil=True, cache=True)
def rearrange_parts(edges, scores, heads, single_root):
    """A tree that no change of one head makes better, from a tree of these edges on.

    edges, scores : as for `best_projective`, with the scores of all grandparent parts
    heads : the tree to start from; a changed copy is returned
    single_root : whether no token may become a further child of the root
    """
    n = heads.size - 1
    heads = heads.copy()
    chosen = np.empty(n + 1, np.int64)      # the edge to each token
    for token in range(1, n + 1):
        chosen[token] = _edge_of(edges, heads[token], token)
    while True:
        best, moved = np.float32(1e-4), -1     # sums are not exact: no going in circles
        for token in range(1, n + 1):
            now = chosen[token]
            if edges.above[token + 1] - edges.above[token] == 1 or (
                    single_root and heads[token] == 0):
                continue
            score = (_gain_at_head(edges, scores, chosen, now)
                     + _gain_below(edges, scores, chosen, now))
            for edge in range(edges.above[token], edges.above[token + 1]):
                head = edges.heads[edge]
                if (edge == now or single_root and head == 0
                        or _is_below(heads, head, token)):
                    continue
                gain = (_gain_at_head(edges, scores, chosen, edge)
                        + _gain_below(edges, scores, chosen, edge) - score)
                if gain > best:
                    best, moved = gain, edge
        if moved < 0:
            return heads
        token = edges.dependents[moved]
        chosen[token] = moved
        heads[token] = edges.heads[moved]
