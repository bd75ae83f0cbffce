"""Edges that need no score: those between tags that are never head and dependent.

Of all pairs of tokens of a treebank most have tags and a distance that no edge
of a tree ever has, a determiner far to the right of an adverb, say. Where the
training treebank has had many chances for such an edge and has taken none, it
is pruned: it gets no score, and no tree that can be built without it has it.
Online solvers and their parsers save four of ten scores by this. Solvers with a
certificate do without: what they prove is about all trees.
"""
from __future__ import annotations

import numpy as np
from numba import uint64

from orange_structpred.errors import InputError
from orange_structpred.parsing.features.edge_templates import distance_slot, mix
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import ENCODED_LAYERS, Encoded

TAG = ENCODED_LAYERS.index("upos")
CELL_BITS = 16
NONE_PRUNED = np.zeros(0, np.uint8)
MANY = 400      # chances that must have been missed
MULTS = np.array([0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3],
                 dtype=np.uint64)


@njit(nogil=True, cache=True, inline="always")
def edge_cell(head_tag, dependent_tag, slot):
    """Place of a pair of tags at a distance in the table of pruned edges."""
    return mix(head_tag * MULTS[0] + dependent_tag * MULTS[1]
               + uint64(slot) * MULTS[2]) >> uint64(64 - CELL_BITS)


@njit(nogil=True, cache=True, inline="always")
def is_pruned(pruned, tokens, head, dependent):
    return pruned.size > 0 and pruned[edge_cell(
        tokens[head, TAG], tokens[dependent, TAG],
        distance_slot(head, dependent))] != 0


@njit(nogil=True, cache=True)
def count_edges(offsets, tokens, heads, chances, taken):
    """How often each kind of edge could be in a tree, and how often it is."""
    for i in range(offsets.size - 1):
        first = offsets[i]
        length = offsets[i + 1] - first
        for head in range(length):
            for dependent in range(1, length):
                if head != dependent:
                    cell = edge_cell(tokens[first + head, TAG],
                                     tokens[first + dependent, TAG],
                                     distance_slot(head, dependent))
                    chances[cell] += 1
                    taken[cell] += heads[first + dependent] == head


def pruned_edges(encoded: Encoded, many: int = MANY) -> np.ndarray:
    """The table of pruned edges of a treebank, a byte for each kind of edge."""
    chances = np.zeros(1 << CELL_BITS, np.int64)
    taken = np.zeros(1 << CELL_BITS, np.int64)
    count_edges(encoded.offsets, encoded.tokens, encoded.heads, chances, taken)
    return ((chances >= many) & (taken == 0)).astype(np.uint8)


def pruned_from_file(packed: np.ndarray) -> np.ndarray:
    """The table out of a file, where it is kept as bits."""
    if packed.dtype != np.uint8 or packed.shape not in ((0,), (1 << CELL_BITS - 3,)):
        raise InputError("the table of its pruned edges is damaged")
    return np.unpackbits(packed)
