"""Crossing arcs: which trees have some, and which arcs are not projective."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def flatten(heads: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Heads of many sentences as one array, and where each sentence starts in it."""
    offsets = np.zeros(len(heads) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in heads], out=offsets[1:])
    flat = np.concatenate(heads) if len(heads) else np.zeros(0, dtype=np.int32)
    return flat, offsets


def crossed(heads: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """For each sentence, whether two of its arcs cross.

    The arcs from the artificial root, to the left of the first token, count.
    An arc is crossed if a token under it has an arc that ends outside; the farthest
    ends over all tokens under an arc are the minimum and the maximum over an
    interval, looked up in a table that is doubled in width from round to round.
    """
    lengths = np.diff(offsets)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    # With the artificial roots, sentence s starts at offsets[s] + s.
    root = offsets[:-1] + np.arange(len(lengths))
    token = np.arange(len(heads)) + sentence + 1
    head = np.where(heads >= 0, root[sentence] + heads, token)
    left, right = np.minimum(head, token), np.maximum(head, token)
    lowest = np.arange(len(heads) + len(lengths))
    highest = lowest.copy()
    lowest[token], highest[token] = left, right
    np.minimum.at(lowest, head, token)
    np.maximum.at(highest, head, token)

    result = np.zeros(len(lengths), dtype=bool)
    under = right - left - 1
    width = 1
    while width <= under.max(initial=0):
        arcs = np.flatnonzero((under >= width) & (under < 2 * width))
        first, last = left[arcs] + 1, right[arcs] - width
        out = ((np.minimum(lowest[first], lowest[last]) < left[arcs])
               | (np.maximum(highest[first], highest[last]) > right[arcs]))
        result[sentence[arcs[out]]] = True
        lowest = np.minimum(lowest[:-width], lowest[width:])
        highest = np.maximum(highest[:-width], highest[width:])
        width *= 2
    return result


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
    enter, todo = np.zeros(n + 1, int), [0]
    order: list[int] = []
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
