"""Non-projective rearrangement of a tree (McDonald and Pereira, 2006)."""
import numpy as np

from orange_structpred.running.compiler import njit

from .trees import number_subtrees


@njit(nogil=True, cache=True)
def _choose(by_token, heads, start, end, first, token, gains, choices):
    """Note the best head of a token that is not below it, and what it would gain."""
    scores = by_token[token]
    now = scores[heads[token]]
    best = now
    for head in range(first, len(heads)):
        if scores[head] > best and not start[token] <= start[head] < end[token]:
            best = scores[head]
            choices[token] = head
    gains[token] = best - now if best > now else 0


@njit(nogil=True, cache=True)
def rearrange(scores, heads, single_root):
    """Change the head that raises the score most, and again, until none raises it.

    scores : (n + 1, n + 1) float array, scores[head, dependent]
    heads : the tree to start from, (n + 1,) int32; a changed copy is returned
    single_root : whether no token may become a further child of the root

    Each state is a tree. The first step costs O(n^2). A change then alters the choices
    of the moved token and of those above its old and its new head only, since only
    they lose or gain tokens below them, and costs O(n) for each of these.
    """
    n_vertices = scores.shape[0]
    heads = heads.copy()
    first = 1 if single_root else 0
    by_token = np.empty((n_vertices, n_vertices), scores.dtype)
    for head in range(n_vertices):
        for token in range(n_vertices):
            by_token[token, head] = scores[head, token]
    start = np.empty(n_vertices, np.int32)
    end = np.empty(n_vertices, np.int32)
    gains = np.zeros(n_vertices, scores.dtype)
    choices = np.zeros(n_vertices, np.int32)
    number_subtrees(heads, start, end)
    for token in range(1, n_vertices):
        _choose(by_token, heads, start, end, first, token, gains, choices)
    while True:
        moved = np.argmax(gains)
        if not gains[moved] > 0:
            return heads
        old_head = np.int64(heads[moved])
        heads[moved] = choices[moved]
        number_subtrees(heads, start, end)
        for lowest in (moved, old_head):
            token = lowest
            while token > 0:
                _choose(by_token, heads, start, end, first, token, gains, choices)
                token = heads[token]
