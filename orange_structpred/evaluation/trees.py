"""What is asked of gold trees: depth of tokens, projectivity of arcs."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Preorder(NamedTuple):
    """Where each node of a tree comes when heads are visited before dependents.

    Arrays over the artificial root (0) and the tokens 1..n. Node k is
    dominated by h exactly if enter[h] <= enter[k] < leave[h].
    depth is 0 for the root, and -1 for tokens on or under a cycle.
    """
    enter: np.ndarray
    leave: np.ndarray
    depth: np.ndarray


def preorder(heads: np.ndarray) -> Preorder:
    """Visit a tree from its root; heads as in `Sentence.heads`."""
    n = len(heads)
    dependents: list[list[int]] = [[] for _ in range(n + 1)]
    for token, head in enumerate(heads.tolist(), 1):
        dependents[head].append(token)
    enter, leave = np.full(n + 1, -1), np.zeros(n + 1, int)
    depth = np.full(n + 1, -1)
    order, todo = [], [0]
    depth[0] = 0
    while todo:
        node = todo.pop()
        enter[node] = len(order)
        order.append(node)
        for dependent in dependents[node]:
            depth[dependent] = depth[node] + 1
            todo.append(dependent)
    size = [1] * (n + 1)
    for node in reversed(order):
        leave[node] = enter[node] + size[node]
        if node:
            size[heads[node - 1]] += size[node]
    return Preorder(enter, leave, depth)


def projective_arcs(heads: np.ndarray, visited: Preorder) -> np.ndarray:
    """For each token, whether its head dominates all that stands between."""
    enter, leave = visited.enter, visited.leave
    tokens = np.arange(1, len(heads) + 1)
    projective = np.ones(len(heads), bool)
    left, right = np.minimum(heads, tokens), np.maximum(heads, tokens)
    for index in np.flatnonzero(right - left > 1):
        between = enter[left[index] + 1:right[index]]
        head = heads[index]
        projective[index] = (between.min() >= enter[head]
                             and between.max() < leave[head])
    return projective
