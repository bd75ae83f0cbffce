"""The best projective tree with scores of edges, siblings and grandparents.

Exact over pruned edges, after Koo and Collins (2010). Since the head of a head is part
of the score, spans belong to edges, not to tokens:

    right[e, t]   complete: the token below edge e with all that it has up to t
    left[e, s]    the same to the left, down to s
    inner[e, g]   from the head of edge e to its dependent, the head's own head being
                  the g-th of those that it may have
    between[h, j, k]  two siblings' inner sides, from the j-th to the k-th child

Tokens s are visited from the last to the first. When it is the turn of s, all spans
within s + 1..n are known; those that begin at s follow: first the ones to the right of
s, a row of `right` for each edge to it, then the others, a column of `left`. As in
`eisner`, no back pointers are kept.
"""
import numpy as np

from orange_structpred.running.compiler import njit

RIGHT, LEFT, INNER, BETWEEN = 0, 1, 2, 3
LANES = 8       # heads of a head for whom the processor finds maxima at once
#: Scores are numbers or -inf; where 0 and -0 differ does not matter
MAXIMA = {"nnan", "nsz"}


@njit(nogil=True, cache=True, fastmath=MAXIMA)
def _best_meeting(right, left, low, high, first, last):
    """The score of two siblings where they meet at the best place.

    low, high : edges to the siblings at positions first and last
    """
    right_row, left_row = right[low], left[high]
    best = np.float32(-np.inf)
    for r in range(np.uintp(first), np.uintp(last)):
        best = max(best, right_row[r] + left_row[r + np.uintp(1)])
    return best


@njit(nogil=True, cache=True, fastmath=MAXIMA)
def _attach(edges, scores, right, left, between, inner, edge):
    """The spans from a head to its dependent, for all heads of the head."""
    head, child = edges.heads[edge], edges.dependents[edge]
    side = 1 if child < head else 0
    half = 2 * head + side
    start = edges.below[half]
    size = edges.below[half + 1] - start + 1
    rank = edges.ranks[edge]
    lanes = inner.shape[1]
    row = inner[edge]
    first = (right[edge, head - 1] if side else left[edge, head + 1]) + scores.siblings[
        edges.siblings[half] + rank]
    for g in range(lanes):
        row[g] = first
    for j in range(rank):
        nearer = edges.listed[start + j]
        low, high = (edge, nearer) if side else (nearer, edge)
        best = _best_meeting(right, left, low, high, edges.dependents[low],
                             edges.dependents[high])
        if best > -np.inf:
            part = edges.siblings[half] + (j + 1) * size + rank
            joined = best + scores.siblings[part]
            between[part] = joined
            before = inner[nearer]
            for g in range(lanes):
                row[g] = max(row[g], before[g] + joined)
    above = edges.above[head]
    n_above = edges.above[head + 1] - above
    parts = edges.grandparents[half] + rank * n_above
    for g in range(n_above):
        if min(head, child) <= edges.heads[above + g] <= max(head, child):
            row[g] = -np.inf
        else:
            row[g] += scores.edges[edge] + scores.grandparents[parts + g]


@njit(nogil=True, cache=True, fastmath=MAXIMA)
def _complete_right(edges, scores, right, inner, edge):
    """Tokens with all that they have to the right, where the edge is to their last child,
    for all their heads and up to all ends."""
    head, child = edges.heads[edge], edges.dependents[edge]
    size = edges.below[2 * head + 1] - edges.below[2 * head]
    stop = scores.siblings[edges.siblings[2 * head]
                           + (edges.ranks[edge] + 1) * (size + 1) + size]
    beyond = right[edge]
    above = edges.above[head]
    for g in range(edges.above[head + 1] - above):
        score = inner[edge, g]
        if score > -np.inf:
            row = right[above + g]
            for t in range(np.uintp(child), np.uintp(row.size)):
                row[t] = max(row[t], score + (beyond[t] + stop))


@njit(nogil=True, cache=True, fastmath=MAXIMA)
def _complete_left(edges, scores, left, inner, token, end, best):
    """A token with all that it has to the left down to an end, for all its heads.

    best : room for a row of `inner`
    """
    half = 2 * token + 1
    first = edges.below[half]
    size = edges.below[half + 1] - first
    if size == 0 or edges.dependents[edges.listed[first]] < end:
        return
    for g in range(best.size):
        best[g] = -np.inf
    for j in range(size):
        edge = edges.listed[first + j]
        if edges.dependents[edge] < end:
            break
        if left[edge, end] > -np.inf:
            beyond = left[edge, end] + scores.siblings[
                edges.siblings[half] + (j + 1) * (size + 1) + size]
            row = inner[edge]
            for g in range(best.size):
                best[g] = max(best[g], row[g] + beyond)
    above = edges.above[token]
    for g in range(edges.above[token + 1] - above):
        left[above + g, end] = best[g]


@njit(nogil=True, cache=True)
def _fill(edges, scores, right, left, between, inner, best):
    n = edges.above.size - 2
    for token in range(1, n + 1):
        for edge in range(edges.above[token], edges.above[token + 1]):
            half = 2 * token
            right[edge, token] = scores.childless[2 * edge] + scores.siblings[
                edges.siblings[half] + edges.below[half + 1] - edges.below[half]]
            half += 1
            left[edge, token] = scores.childless[2 * edge + 1] + scores.siblings[
                edges.siblings[half] + edges.below[half + 1] - edges.below[half]]
    for s in range(n, 0, -1):
        for k in range(edges.below[2 * s], edges.below[2 * s + 1]):
            edge = edges.listed[k]
            _attach(edges, scores, right, left, between, inner, edge)
            _complete_right(edges, scores, right, inner, edge)
        for edge in range(edges.above[s], edges.above[s + 1]):
            if edges.heads[edge] > s:
                _attach(edges, scores, right, left, between, inner, edge)
        for t in range(s + 1, n + 1):
            _complete_left(edges, scores, left, inner, t, s, best)


@njit(nogil=True, cache=True)
def _fill_root(edges, scores, right, left, between, single_root, chain):
    """The root's spans to each of its children."""
    size = edges.below[1]
    for k in range(size):
        edge = edges.listed[k]
        best = left[edge, 1] + scores.siblings[k]
        if not single_root:
            for j in range(k):
                nearer = edges.listed[j]
                part = (j + 1) * (size + 1) + k
                between[part] = scores.siblings[part] + _best_meeting(
                    right, left, nearer, edge, edges.dependents[nearer],
                    edges.dependents[edge])
                best = max(best, chain[j] + between[part])
        chain[k] = best + scores.edges[edge]


@njit(nogil=True, cache=True)
def _push(stack, height, kind, one, two, three):
    stack[height, 0] = kind
    stack[height, 1] = one
    stack[height, 2] = two
    stack[height, 3] = three
    return height + 1


@njit(nogil=True, cache=True)
def _trace_root(edges, scores, right, left, between, chain, heads, stack):
    """Put the spans below the root on the stack; its height."""
    n = heads.size - 1
    size = edges.below[1]
    best, k = -np.inf, 0
    for j in range(size):
        score = chain[j] + right[edges.listed[j], n] + scores.siblings[
            (j + 1) * (size + 1) + size]
        if score > best:
            best, k = score, j
    height = _push(stack, 0, RIGHT, edges.listed[k], n, 0)
    while True:
        edge = edges.listed[k]
        heads[edges.dependents[edge]] = 0
        best = left[edge, 1] + scores.siblings[k]
        before = -1
        for j in range(k):
            score = chain[j] + between[(j + 1) * (size + 1) + k]
            if score > best:
                best, before = score, j
        if before < 0:
            return _push(stack, height, LEFT, edge, 1, 0)
        height = _push(stack, height, BETWEEN, 0, before, k)
        k = before


@njit(nogil=True, cache=True)
def _trace(edges, scores, right, left, between, inner, heads, stack, height):
    """Read the best tree off the charts."""
    while height > 0:
        height -= 1
        kind, one = stack[height, 0], stack[height, 1]
        two, three = stack[height, 2], stack[height, 3]
        if kind <= LEFT:
            # a complete span: below edge one, to position two
            token = edges.dependents[one]
            if token == two:
                continue
            chart = right if kind == RIGHT else left
            half = 2 * token + kind
            first = edges.below[half]
            size = edges.below[half + 1] - first
            g = one - edges.above[token]
            best, k = -np.inf, 0
            for j in range(size):
                edge = edges.listed[first + j]
                child = edges.dependents[edge]
                if (child < two) if kind else (child > two):
                    break
                score = (inner[edge, g]
                         + (chart[edge, two] + scores.siblings[
                             edges.siblings[half] + (j + 1) * (size + 1) + size]))
                if score > best:
                    best, k = score, j
            edge = edges.listed[first + k]
            height = _push(stack, height, kind, edge, two, 0)
            height = _push(stack, height, INNER, half, k, g)
        elif kind == INNER:
            # from a head and side to child two, the head's own head being the three-th
            head = one >> 1
            side = one & 1
            first = edges.below[one]
            edge = edges.listed[first + two]
            heads[edges.dependents[edge]] = head
            size = edges.below[one + 1] - first + 1
            end = head - 1 if side else head + 1
            best = (right if side else left)[edge, end] + scores.siblings[
                edges.siblings[one] + two]
            before = -1
            for j in range(two):
                score = inner[edges.listed[first + j], three] + between[
                    edges.siblings[one] + (j + 1) * size + two]
                if score > best:
                    best, before = score, j
            if before < 0:
                height = _push(stack, height, RIGHT if side else LEFT, edge, end, 0)
            else:
                height = _push(stack, height, INNER, one, before, three)
                height = _push(stack, height, BETWEEN, one, before, two)
        else:
            # from sibling two to sibling three of a head and side
            near = edges.listed[edges.below[one] + two]
            far = edges.listed[edges.below[one] + three]
            low, high = (far, near) if one & 1 else (near, far)
            best, split = -np.inf, edges.dependents[low]
            for r in range(edges.dependents[low], edges.dependents[high]):
                score = right[low, r] + left[high, r + 1]
                if score > best:
                    best, split = score, r
            height = _push(stack, height, RIGHT, low, split, 0)
            height = _push(stack, height, LEFT, high, split + 1, 0)


@njit(nogil=True, cache=True)
def best_projective(edges, scores, single_root):
    """The projective tree of the highest score, heads with heads[0] = -1.

    edges : `Edges` with which a projective tree can be built
    scores : `PartScores` of its parts
    """
    n = edges.above.size - 2
    heads = np.empty(n + 1, np.int32)
    heads[0] = -1
    charts = np.full((2, edges.heads.size, n + 1), -np.inf, np.float32)
    right, left = charts[0], charts[1]
    between = np.full(scores.siblings.size, -np.inf, np.float32)
    most = 1
    for token in range(1, n + 1):
        most = max(most, edges.above[token + 1] - edges.above[token])
    lanes = (most + LANES - 1) // LANES * LANES
    inner = np.empty((edges.heads.size, lanes), np.float32)
    _fill(edges, scores, right, left, between, inner, np.empty(lanes, np.float32))
    chain = np.empty(edges.below[1], np.float32)
    _fill_root(edges, scores, right, left, between, single_root, chain)
    stack = np.empty((4 * n + 4, 4), np.int64)
    height = _trace_root(edges, scores, right, left, between, chain, heads, stack)
    _trace(edges, scores, right, left, between, inner, heads, stack, height)
    return heads
