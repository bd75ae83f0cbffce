"""Which arcs of gold trees are projective."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.treebank.shape import crossed, flatten


def preorder(heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number the nodes of a tree so that each subtree is an interval.

    heads : as in `Sentence.heads`
    returns : arrays enter and leave over the artificial root (0) and the tokens
        1..n. Node h dominates node k exactly if enter[h] <= enter[k] < leave[h].
    """
    n = len(heads)
    dependents: list[list[int]] = [[] for _ in range(n + 1)]
    for token, head in enumerate(heads.tolist(), 1):
        dependents[head].append(token)
    enter, order, todo = np.zeros(n + 1, int), [], [0]
    while todo:
        node = todo.pop()
        enter[node] = len(order)
        order.append(node)
        todo += dependents[node]
    size = np.ones(n + 1, int)
    for node in reversed(order[1:]):
        size[heads[node - 1]] += size[node]
    return enter, enter + size


def dominating(heads: np.ndarray) -> np.ndarray:
    """For each token, whether its head dominates all tokens in between."""
    enter, leave = preorder(heads)
    tokens = np.arange(1, len(heads) + 1)
    left, right = np.minimum(heads, tokens), np.maximum(heads, tokens)
    result = np.ones(len(heads), bool)
    for index in np.flatnonzero(right - left > 1):
        between = enter[left[index] + 1:right[index]]
        head = heads[index]
        result[index] = between.min() >= enter[head] and between.max() < leave[head]
    return result


def projective_arcs(trees: Sequence[np.ndarray]) -> np.ndarray:
    """Whether the arc to each token is projective, all trees one after the other.

    trees : heads of each sentence, known and without cycles
    """
    flat, offsets = flatten(trees)
    result = np.ones(len(flat), bool)
    # Few trees have any crossing arcs; in the others all arcs are projective.
    for index in np.flatnonzero(crossed(flat, offsets)):
        result[offsets[index]:offsets[index + 1]] = dominating(trees[index])
    return result
