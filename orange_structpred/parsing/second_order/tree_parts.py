"""The parts of whole trees: edges, siblings and grandparents.

A part is a kind and three tokens, in one number. An edge is (head, dependent, 0),
siblings are (head, sibling, dependent) and a grandparent part is
(grandparent, head, dependent), or (grandparent, head, START) for a side of the head
without a child. After the n tokens of a sentence stand a START for children to the right,
one for those to the left, and STOP: n + 1, n + 2 and n + 3. Any tree has parts, a
non-projective one too.
"""
from typing import TypeVar

import numpy as np

from orange_structpred.parsing.second_order.part_scoring import (
    EDGE,
    GRANDPARENT,
    SIBLING,
)
from orange_structpred.parsing.second_order.token_layers import N_OTHERS
from orange_structpred.running.compiler import njit

Edge = TypeVar("Edge", int, np.ndarray)


@njit(nogil=True, cache=True)
def link_siblings(heads):
    """Each token's sibling before it, seen from the head (START if there is none), and
    the last child of each token to its right and to its left."""
    n = heads.size - 1
    before = np.empty(n + 1, np.int32)
    last = np.empty((2, n + 1), np.int32)
    last[0] = n + 1
    last[1] = n + 2
    for token in range(1, n + 1):
        head = heads[token]
        if head < token:
            before[token] = last[0, head]
            last[0, head] = token
    for token in range(n, 0, -1):
        head = heads[token]
        if head > token:
            before[token] = last[1, head]
            last[1, head] = token
    return before, last


def edge_part(head: Edge, dependent: Edge, n: int) -> Edge:
    """The part of an edge of a sentence of n tokens, or those of several."""
    size = n + N_OTHERS
    return ((EDGE * size + head) * size + dependent) * size


def tree_parts(heads: np.ndarray) -> np.ndarray:
    """The parts of a tree, as sorted numbers."""
    parts = list_parts(heads)
    parts.sort()        # not in compiled code: compiling it takes long
    return parts


@njit(nogil=True, cache=True)
def list_parts(heads):
    """The parts of a tree."""
    n = heads.size - 1
    size = n + N_OTHERS
    before, last = link_siblings(heads)
    parts = np.empty(7 * n + 1, np.int64)
    n_parts = 0
    for token in range(1, n + 1):
        head = np.int64(heads[token])
        parts[n_parts] = ((EDGE * size + head) * size + token) * size
        parts[n_parts + 1] = (((SIBLING * size + head) * size + before[token]) * size
                              + token)
        n_parts += 2
        if head:
            parts[n_parts] = (((GRANDPARENT * size + heads[head]) * size + head) * size
                              + token)
            n_parts += 1
    for head in range(n + 1):
        # the root has nothing to its left
        for side in range(2 if head else 1):
            parts[n_parts] = (((SIBLING * size + head) * size + last[side, head]) * size
                              + n + 3)
            n_parts += 1
            if head and last[side, head] > n:
                parts[n_parts] = (((GRANDPARENT * size + heads[head]) * size + head) * size
                                  + last[side, head])
                n_parts += 1
    return parts[:n_parts]
