"""Heads as trees: are they one, and what stands below what.

Compiled. Heads of a sentence are (n + 1,) with the root's place, heads[0], ignored.
"""
import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def dependents_first(heads):
    """The tokens in an order in which each comes before its head, and their number.

    Tokens on a cycle or above one are left out, and all are if a head is unknown (-1)
    or outside the sentence: all n are there if and only if the heads are a tree.
    """
    n_vertices = len(heads)
    waiting = np.zeros(n_vertices, np.int32)  # dependents that are not in the order yet
    order = np.empty(n_vertices, np.int32)
    filled = 0
    for token in range(1, n_vertices):
        if not 0 <= heads[token] < n_vertices:
            return order, filled
        waiting[heads[token]] += 1
    for leaf in range(1, n_vertices):
        token = leaf
        while token > 0 and waiting[token] == 0:
            waiting[token] = -1
            order[filled] = token
            filled += 1
            token = heads[token]
            waiting[token] -= 1
    return order, filled


@njit(nogil=True, cache=True)
def is_tree(heads):
    """Whether all tokens descend from the root, be it through one child or several."""
    return dependents_first(heads)[1] == len(heads) - 1


@njit(nogil=True, cache=True)
def number_subtrees(heads, start, end):
    """Number a tree in preorder, into `start` and `end`.

    Vertex u is t or below it if and only if start[t] <= start[u] < end[t].
    """
    order, n_tokens = dependents_first(heads)
    size = end
    size[:] = 1
    for i in range(n_tokens):
        size[heads[order[i]]] += size[order[i]]
    # Heads before their dependents, each of which takes the next free numbers.
    free = np.ones(len(heads), np.int32)
    start[0] = 0
    for i in range(n_tokens - 1, -1, -1):
        token = order[i]
        head = heads[token]
        start[token] = free[head]
        free[head] += size[token]
        free[token] = start[token] + 1
        end[token] = start[token] + size[token]


@njit(nogil=True, cache=True)
def count_invalid(heads, offsets, single_root):
    """The number of sentences whose heads do not form a tree (with one root child, if asked).

    heads : flat array of all sentences, each with its root's place in front
    offsets : where each sentence begins, and the end: (n_sentences + 1,)
    """
    invalid = 0
    for i in range(len(offsets) - 1):
        sentence = heads[offsets[i]:offsets[i + 1]]
        n_children = 0
        for token in range(1, len(sentence)):
            n_children += sentence[token] == 0
        if not is_tree(sentence) or single_root and n_children != 1:
            invalid += 1
    return invalid
