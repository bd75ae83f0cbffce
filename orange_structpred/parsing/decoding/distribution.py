"""The trees of a sentence as a distribution: p(tree) ~ exp(score / temperature).

What a model knows of a sentence becomes a `TreeDistribution`: here for scores of edges,
in `part_distribution` for those of second-order parts. The best k trees are
found by Lawler's method: the best tree splits the others into sets of trees that share
its first heads and differ in the next one; the best of each set is found by the
decoder, so that any decoder serves.
"""
from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    EXACT,
    PROJECTIVE,
    eisner,
    mst,
)
from orange_structpred.parsing.decoding.marginals import edge_marginals
from orange_structpred.parsing.tree_problem import tree_score


class ScoredTree(NamedTuple):
    """A tree among the best k.

    heads : of the tokens, 0 for the root
    score : that the parser gives it
    probability : of the whole tree
    """

    heads: np.ndarray
    score: float
    probability: float


class TreeDistribution(ABC):
    """All trees of a sentence of n tokens."""

    n: int

    @abstractmethod
    def marginals(self, temperature: float) -> tuple[float, np.ndarray]:
        """The log partition function, and probabilities[head, dependent]."""

    def log_partition(self, temperature: float) -> float:
        """The logarithm of the sum of exp(score / temperature) over all trees."""
        return self.marginals(temperature)[0]

    @abstractmethod
    def best(self, allowed: np.ndarray) -> tuple[float, np.ndarray] | None:
        """Score and heads of the best tree whose edges are allowed[head, dependent];
        None if there is no such tree."""

    def k_best(self, k: int, temperature: float | None) -> list[ScoredTree]:
        """The k trees of the highest scores, the best one first; all trees, if there
        are fewer. Without a temperature their probabilities are nan."""
        log_partition = np.nan if temperature is None else self.log_partition(temperature)
        everything = np.ones((self.n + 1, self.n + 1), bool)
        trees: list[ScoredTree] = []
        # (-score, number, heads, first token that is free, its excluded heads)
        waiting: list[tuple[float, int, np.ndarray, int, list[int]]] = []
        number = 0

        def add(fixed: np.ndarray, token: int, excluded: list[int]) -> None:
            """The best of the trees with fixed heads before a token, and with none of
            the excluded heads there."""
            nonlocal number
            allowed = everything.copy()
            before = np.arange(1, token)
            allowed[:, before] = False
            allowed[fixed[before], before] = True
            allowed[excluded, token] = False
            if (best := self.best(allowed)) is not None:
                number += 1
                heapq.heappush(waiting, (-best[0], number, best[1], token, excluded))

        add(np.zeros(1, np.int32), 1, [])
        while waiting and len(trees) < k:
            cost, _, heads, first, excluded = heapq.heappop(waiting)
            trees.append(ScoredTree(
                heads[1:], -cost, float(np.minimum(
                    1., np.exp(-cost / (temperature or 1.) - log_partition)))))
            for token in range(first, self.n + 1):
                chosen = [int(heads[token])]
                add(heads, token, excluded + chosen if token == first else chosen)
        return trees


class EdgeDistribution(TreeDistribution):
    """Trees whose score is the sum of the scores of their edges.

    Parameters
    ----------
    scores : (n + 1, n + 1), scores[head, dependent]; -inf forbids an edge
    decoder : PROJECTIVE for projective trees, else all trees are meant; for APPROXIMATE,
        whose outputs need not be trees, marginals are those of each token's head on its
        own, while the best k are trees and their probabilities those of trees
    single_root : whether the root must have exactly one child
    """

    def __init__(self, scores: np.ndarray, decoder: int, single_root: bool):
        self.scores = np.ascontiguousarray(scores, np.float32)
        self.decoder, self.single_root = decoder, single_root
        self.n = len(scores) - 1

    def marginals(self, temperature):
        # a first run waits for the compiler, which needs less time for one decoder
        decoder = None if self.decoder == PROJECTIVE else self.decoder
        return edge_marginals(self.scores.astype(float) / temperature, decoder,
                              self.single_root)

    def log_partition(self, temperature):
        if self.decoder != APPROXIMATE:
            return super().log_partition(temperature)
        return edge_marginals(self.scores.astype(float) / temperature, EXACT,
                              self.single_root)[0]

    def best(self, allowed):
        scores = np.where(allowed, self.scores, np.float32(-np.inf))
        find = eisner if self.decoder == PROJECTIVE else mst
        heads = find(scores, self.single_root)
        score = tree_score(scores, heads)
        return None if score == -np.inf else (score, heads)
