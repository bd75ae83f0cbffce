"""Mixtures of trees: what the dual variables of a sentence are, compiled.

A block of dual variables keeps some trees, as heads. Trees of one sentence share
most of their edges, so everything is computed edge by edge, each edge once.
"""
import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def mixed_edges(gold, trees, alpha):
    """The sum of share * (gold tree - tree) over trees, as edges and their values.

    Features of gold edges count positive, those of wrong edges negative.
    """
    length = gold.size
    values = np.zeros((length, length))
    for k in range(alpha.size):
        if alpha[k] == 0:
            continue
        for dependent in range(1, length):
            if trees[k, dependent] != gold[dependent]:
                values[gold[dependent], dependent] += alpha[k]
                values[trees[k, dependent], dependent] -= alpha[k]
    heads, dependents = np.nonzero(values)
    chosen = np.empty(heads.size, np.float32)
    for edge in range(heads.size):
        chosen[edge] = values[heads[edge], dependents[edge]]
    return heads, dependents, chosen


@njit(nogil=True, cache=True)
def wrong_edges(gold, trees):
    """The distinct edges in which trees differ from the gold tree, and the gold
    edges in their indices; and a table of their numbers, -1 for other edges."""
    length = gold.size
    numbers = np.full((length, length), -1, np.int32)
    heads = np.empty(min(length, trees.shape[0] + 1) * length, np.int32)
    dependents = np.empty(heads.size, np.int32)
    found = 0
    for k in range(trees.shape[0]):
        for dependent in range(1, length):
            if trees[k, dependent] == gold[dependent]:
                continue
            for head in (gold[dependent], trees[k, dependent]):
                if numbers[head, dependent] < 0:
                    numbers[head, dependent] = found
                    heads[found], dependents[found] = head, dependent
                    found += 1
    return heads[:found], dependents[:found], numbers


@njit(nogil=True, cache=True)
def tree_differences(gold, trees, numbers, scores):
    """Score of the gold tree less that of each tree, given those of `wrong_edges`."""
    result = np.zeros(trees.shape[0])
    for k in range(trees.shape[0]):
        for dependent in range(1, gold.size):
            if trees[k, dependent] != gold[dependent]:
                result[k] += (scores[numbers[gold[dependent], dependent]]
                              - scores[numbers[trees[k, dependent], dependent]])
    return result
