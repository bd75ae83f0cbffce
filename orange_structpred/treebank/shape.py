"""The shape of many dependency trees at once: are they trees, how deep, how crossed.

Heads are in one flat array, sentence after sentence; token d of a sentence is at
index d - 1 of its part, head 0 is the root, -1 unknown. Everything is done for all
sentences in a few array operations, O(N log n) for N tokens in sentences of up to
n tokens.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.treebank.projectivity import crossed


class Shapes(NamedTuple):
    """Arrays with one value per sentence; nan where heads are unknown."""

    length: np.ndarray
    projective: np.ndarray
    roots: np.ndarray
    height: np.ndarray
    arc_length: np.ndarray


def depths(heads: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Arcs from the artificial root down to each token; 0 if it is part of a cycle.

    Pointer doubling: after k rounds each token knows its ancestor 2^k arcs up, so
    that the depth of the deepest tree costs only its logarithm. An unknown head
    counts as the root.
    """
    lengths = np.diff(offsets)
    start = np.repeat(offsets[:-1], lengths)
    # Node 0 is the root of all sentences, token i of the flat array is node i + 1.
    ancestor = np.zeros(len(heads) + 1, dtype=np.int64)
    ancestor[1:] = np.where(heads > 0, start + heads, 0)
    distance = np.ones(len(heads) + 1, dtype=np.int64)
    distance[0] = 0
    for _ in range(int(lengths.max(initial=0)).bit_length()):
        distance += distance[ancestor]
        ancestor = ancestor[ancestor]
    return np.where(ancestor[1:] == 0, distance[1:], 0)


def no_trees(heads: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Indices of the sentences in which a token is not connected to the root."""
    loose = np.flatnonzero(depths(heads, offsets) == 0)
    return np.unique(np.searchsorted(offsets, loose, side="right") - 1)


def cycle(heads: Integers) -> list[int]:
    """The tokens of a cycle, from its smallest on; [] if there is none."""
    visited = np.zeros(len(heads) + 1, dtype=np.int64)
    for start in range(1, len(heads) + 1):
        token = start
        while token > 0 and not visited[token]:
            visited[token] = start
            token = int(heads[token - 1])
        if token > 0 and visited[token] == start:
            loop = [token]
            while (token := int(heads[token - 1])) != loop[0]:
                loop.append(token)
            least = loop.index(min(loop))
            return loop[least:] + loop[:least]
    return []


def shapes(heads: np.ndarray, offsets: np.ndarray) -> Shapes:
    """Length, projectivity, number of roots, height and mean arc length of trees.

    The height is the number of arcs on the longest path down from the artificial
    root. The mean arc length leaves arcs from the artificial root out (nan if
    there are no others).
    """
    lengths = np.diff(offsets)
    if not len(lengths):
        return Shapes(*np.zeros((5, 0)))
    starts = offsets[:-1]
    start = np.repeat(starts, lengths)
    token = np.arange(1, len(heads) + 1) - start
    inner = heads > 0
    distance = np.where(inner, np.abs(heads - token), 0)
    roots = np.add.reduceat(heads == 0, starts, dtype=float)
    with np.errstate(invalid="ignore"):
        mean = (np.add.reduceat(distance, starts, dtype=float)
                / np.add.reduceat(inner, starts, dtype=float))
    height = np.maximum.reduceat(depths(heads, offsets), starts).astype(float)
    projective = (~crossed(heads, offsets)).astype(float)
    unknown = np.minimum.reduceat(heads, starts) < 0
    for column in (projective, roots, height, mean):
        column[unknown] = np.nan
    return Shapes(lengths.astype(float), projective, roots, height, mean)
