"""The best projective tree with scores of edges, siblings and grandparents.

Exact over pruned edges, after Koo and Collins (2010). Since the head of a head is part
of the score, spans belong to edges, not to tokens:

    right[e, t]   complete: the token below edge e with all that it has up to t
    left[e, s]    the same to the left, down to s
    inner[h, k, g]  from h to its k-th child, h's own head being g
    between[h, j, k]  two siblings' inner sides, from the j-th to the k-th child

Charts over spans s..t are filled from the last s to the first and, for each, from the
first t to the last. As in `eisner`, no back pointers are kept.
"""
import numpy as np

from orange_structpred.running.compiler import njit

RIGHT, LEFT, INNER, BETWEEN = 0, 1, 2, 3


@njit(nogil=True, cache=True)
def _split(right, left, low, high, first, last):
    """The best place at which two siblings meet, and its score.

    low, high : edges to the siblings at positions first and last
    """
    best, split = -np.inf, first
    for r in range(first, last):
        score = right[low, r] + left[high, r + 1]
        if score > best:
            best, split = score, r
    return best, split


@njit(nogil=True, cache=True)
def _join(edges, scores, right, left, between, s, t):
    """Siblings at s and t, for all heads that they share."""
    one, two = edges.above[s], edges.above[t]
    while one < edges.above[s + 1] and two < edges.above[t + 1]:
        head = edges.heads[one]
        if head < edges.heads[two]:
            one += 1
        elif head > edges.heads[two]:
            two += 1
        else:
            if not s <= head <= t:
                half = 2 * head + (head > t)
                size = edges.below[half + 1] - edges.below[half] + 1
                near, far = (two, one) if head > t else (one, two)
                part = (edges.siblings[half] + (edges.ranks[near] + 1) * size
                        + edges.ranks[far])
                best, _ = _split(right, left, one, two, s, t)
                between[part] = best + scores.siblings[part]
            one += 1
            two += 1


@njit(nogil=True, cache=True)
def _attach(edges, scores, right, left, between, inner, edge, low, high):
    """The spans from a head to its dependent, for all heads of the head."""
    head = edges.heads[edge]
    side = 1 if head == high else 0
    half = 2 * head + side
    size = edges.below[half + 1] - edges.below[half] + 1
    rank = edges.ranks[edge]
    above = edges.above[head]
    n_above = edges.above[head + 1] - above
    at = edges.grandparents[half]
    row = at + rank * n_above
    first = (right[edge, high - 1] if side else left[edge, low + 1]) + scores.siblings[
        edges.siblings[half] + rank]
    for g in range(n_above):
        inner[row + g] = first
    for j in range(rank):
        joined = between[edges.siblings[half] + (j + 1) * size + rank]
        if joined > -np.inf:
            for g in range(n_above):
                inner[row + g] = max(inner[row + g], inner[at + j * n_above + g] + joined)
    for g in range(n_above):
        if low <= edges.heads[above + g] <= high:
            inner[row + g] = -np.inf
        else:
            inner[row + g] += scores.edges[edge] + scores.grandparents[row + g]


@njit(nogil=True, cache=True)
def _complete(edges, scores, chart, inner, token, end):
    """A token with all that it has on one side up to an end, for all its heads."""
    side = 1 if end < token else 0
    half = 2 * token + side
    first = edges.below[half]
    size = edges.below[half + 1] - first
    above = edges.above[token]
    n_above = edges.above[token + 1] - above
    for j in range(size):
        edge = edges.listed[first + j]
        child = edges.dependents[edge]
        if (child < end) if side else (child > end):
            break
        beyond = chart[edge, end] + scores.siblings[
            edges.siblings[half] + (j + 1) * (size + 1) + size]
        if beyond > -np.inf:
            row = edges.grandparents[half] + j * n_above
            for g in range(n_above):
                chart[above + g, end] = max(chart[above + g, end], inner[row + g] + beyond)


@njit(nogil=True, cache=True)
def _fill(edges, scores, right, left, between, inner):
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
        for t in range(s + 1, n + 1):
            _join(edges, scores, right, left, between, s, t)
            for edge in range(edges.above[t], edges.above[t + 1]):
                if edges.heads[edge] == s:
                    _attach(edges, scores, right, left, between, inner, edge, s, t)
            for edge in range(edges.above[s], edges.above[s + 1]):
                if edges.heads[edge] == t:
                    _attach(edges, scores, right, left, between, inner, edge, s, t)
            _complete(edges, scores, right, inner, s, t)
            _complete(edges, scores, left, inner, t, s)


@njit(nogil=True, cache=True)
def _fill_root(edges, scores, left, between, single_root):
    """The root's spans to each of its children."""
    size = edges.below[1]
    chain = np.empty(size, np.float32)
    for k in range(size):
        edge = edges.listed[k]
        best = left[edge, 1] + scores.siblings[k]
        if not single_root:
            for j in range(k):
                best = max(best, chain[j] + between[(j + 1) * (size + 1) + k])
        chain[k] = best + scores.edges[edge]
    return chain


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
            n_above = edges.above[token + 1] - edges.above[token]
            g = one - edges.above[token]
            best, k = -np.inf, 0
            for j in range(size):
                edge = edges.listed[first + j]
                child = edges.dependents[edge]
                if (child < two) if kind else (child > two):
                    break
                score = (inner[edges.grandparents[half] + j * n_above + g]
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
            edge = edges.listed[edges.below[one] + two]
            heads[edges.dependents[edge]] = head
            n_above = edges.above[head + 1] - edges.above[head]
            size = edges.below[one + 1] - edges.below[one] + 1
            end = head - 1 if side else head + 1
            best = (right if side else left)[edge, end] + scores.siblings[
                edges.siblings[one] + two]
            before = -1
            for j in range(two):
                score = inner[edges.grandparents[one] + j * n_above + three] + between[
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
            _, split = _split(right, left, low, high, edges.dependents[low],
                              edges.dependents[high])
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
    inner = np.full(scores.grandparents.size, -np.inf, np.float32)
    _fill(edges, scores, right, left, between, inner)
    chain = _fill_root(edges, scores, left, between, single_root)
    if single_root:
        between[:edges.siblings[1]] = -np.inf
    stack = np.empty((4 * n + 4, 4), np.int64)
    height = _trace_root(edges, scores, right, left, between, chain, heads, stack)
    _trace(edges, scores, right, left, between, inner, heads, stack, height)
    return heads
