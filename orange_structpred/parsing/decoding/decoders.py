"""From the scores of edges to heads: one compiled way into all decoders.

In all of this package a sentence has an artificial root at position 0 and its tokens at
1..n; scores[head, dependent] is (n + 1, n + 1), heads is (n + 1,) with heads[0] = -1.
"""
import numpy as np

from orange_structpred.running.compiler import njit

from .eisner import eisner
from .mst import mst
from .rearrange import rearrange
from .trees import count_invalid, is_tree

__all__ = ["APPROXIMATE", "DECODERS", "EXACT", "PROJECTIVE", "REARRANGED",
           "count_invalid", "decode", "eisner", "greedy", "is_tree", "mst", "rearrange"]

EXACT, PROJECTIVE, REARRANGED, APPROXIMATE = 0, 1, 2, 3

#: How a tree is made of the scores of its edges, by the names users see.
DECODERS = {
    "exact": EXACT,  # Chu-Liu/Edmonds
    "projective": PROJECTIVE,  # Eisner
    "rearranged": REARRANGED,  # Eisner, then non-projective steps
    "approximate": APPROXIMATE,  # the best head for each token: not always a tree
}


@njit(nogil=True, cache=True)
def greedy(scores):
    """The best head for each token (the thesis's approximate decoder, 6.3.4)."""
    n_vertices = scores.shape[0]
    heads = np.zeros(n_vertices, np.int32)
    heads[0] = -1
    best = scores[0].copy()
    for head in range(1, n_vertices):
        for token in range(1, n_vertices):
            if scores[head, token] > best[token] and head != token:
                best[token] = scores[head, token]
                heads[token] = head
    return heads


@njit(nogil=True, cache=True, inline="always")
def decode(scores, decoder, single_root):
    """The heads that a decoder (a value of DECODERS) makes of the scores.

    decoder : None means PROJECTIVE; the compiler then leaves out all others
    scores : (n + 1, n + 1) float array, scores[head, dependent]; -inf forbids an edge
    single_root : whether the root must have exactly one child; without meaning for
        APPROXIMATE

    Ties are broken the same way each time.
    """
    if decoder is None:
        return eisner(scores, single_root)
    if decoder == EXACT:
        return mst(scores, single_root)
    if decoder == APPROXIMATE:
        return greedy(scores)
    if decoder != PROJECTIVE and decoder != REARRANGED:
        raise ValueError("decoder must be one of the values of DECODERS")
    heads = eisner(scores, single_root)
    if decoder == REARRANGED:
        return rearrange(scores, heads, single_root)
    return heads
