"""Strings that a grammar cannot parse: the trees that it finds in them."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.problems.grammar.cky import collect_nodes
from orange_structpred.problems.grammar.rules import Grammar
from orange_structpred.problems.grammar.trees import PART, PhraseTree

#: Labels of what holds the pieces together, and of words that no rule makes
FRAGMENTS, NO_RULE = "FRAG", "X"


def cover(grammar: Grammar, chart: np.ndarray, rule: np.ndarray, split: np.ndarray
          ) -> list[np.ndarray | None]:
    """The fewest trees from left to right, and among those the best.

    A terminal that no rule makes is None.
    """
    n = len(chart)
    whole = [number for number, label in enumerate(grammar.labels) if PART not in label]
    labels = np.array(whole)[chart[:, :, whole].argmax(axis=2)]
    scores = chart[:, :, whole].max(axis=2)
    best: list[tuple[int, float, int]] = [(0, 0., 0)]     # pieces, -score, last start
    for end in range(1, n + 1):
        best.append(min(
            (best[start][0] + 1, best[start][1] - max(scores[start, end], -1e300), start)
            for start in range(end)
            if end - start == 1 or scores[start, end] > -np.inf))
    pieces: list[np.ndarray | None] = []
    end = n
    while end:
        start = best[end][2]
        pieces.append(None if scores[start, end] == -np.inf else collect_nodes(
            grammar.rules, rule, split, start, end, labels[start, end]))
        end = start
    return pieces[::-1]


def fragment_tree(grammar: Grammar, pieces: Sequence[np.ndarray | None],
                  words: Sequence[str]) -> PhraseTree:
    """One tree of all pieces."""
    trees, position = [], 0
    for piece in pieces:
        if piece is None:
            trees.append(PhraseTree(NO_RULE, (words[position],)))
            position += 1
        else:
            trees.append(grammar.tree_of(piece, words))
            position = int(piece[0, 1])
    return PhraseTree(FRAGMENTS, tuple(trees))
