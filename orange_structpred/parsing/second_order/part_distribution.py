"""The trees of pruned edges, with second-order scores, as a distribution."""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.decoding.distribution import TreeDistribution
from orange_structpred.parsing.decoding.eisner import eisner
from orange_structpred.parsing.second_order.part_decoder import best_projective
from orange_structpred.parsing.second_order.part_marginals import pruned_marginals
from orange_structpred.parsing.second_order.part_scoring import part_feature_indices
from orange_structpred.parsing.second_order.parts import (
    PartScores,
    list_edges,
    score_all,
)
from orange_structpred.parsing.second_order.tree_parts import tree_parts
from orange_structpred.parsing.tree_problem import tree_score
from orange_structpred.running.compiler import njit
from orange_structpred.svm.vectors import score_features


@njit(nogil=True, cache=True)
def scored_edges(tokens, starts, kept, bonuses, templates, weights, shift):
    """The edges that a sentence keeps, and the scores of all their parts."""
    edges = list_edges(starts, kept[starts[0]:starts[-1]])
    return edges, score_all(tokens, templates, weights, shift, 1., edges,
                            bonuses[starts[0]:starts[-1]], False)


class PrunedDistribution(TreeDistribution):
    """Projective trees of pruned edges.

    Parameters
    ----------
    tokens : the encoded sentence
    starts, kept : its pruned edges, as in `PrunedEdges`
    bonuses : what is added to the scores of edges, or nothing; as `kept` is
    features : a PartFeatures
    weights, shift : of the model
    single_root : whether the root must have exactly one child
    """

    def __init__(self, tokens: np.ndarray, starts: np.ndarray, kept: np.ndarray,
                 bonuses: np.ndarray, features, weights: np.ndarray, shift: np.uint32,
                 single_root: bool):
        self.n = len(tokens) - 1
        self.single_root = single_root
        self.edges, self.scores = scored_edges(
            tokens, starts, kept, bonuses, features.arrays, weights, shift)

        def score(heads: np.ndarray) -> float:
            chosen = heads[self.edges.dependents] == self.edges.heads
            added = bonuses[starts[0]:starts[-1]][chosen] if len(bonuses) else 0.
            return float(np.sum(added, dtype=float)) + float(np.sum(score_features(
                weights, *part_feature_indices(
                    tokens, features.arrays, shift, tree_parts(heads))), dtype=float))

        self._score = score

    def marginals(self, temperature):
        cooled = PartScores(*(scores.astype(float) / temperature for scores in self.scores))
        log_partition, edge_marginals = pruned_marginals(self.edges, cooled, self.single_root)
        result = np.zeros((self.n + 1, self.n + 1))
        result[self.edges.heads, self.edges.dependents] = np.clip(edge_marginals, 0, 1)
        return log_partition, result

    def best(self, allowed):
        kept = allowed[self.edges.heads, self.edges.dependents]
        table = np.full(allowed.shape, -np.inf, np.float32)
        table[self.edges.heads[kept], self.edges.dependents[kept]] = 0
        # the decoder needs edges of which a tree can be built
        if tree_score(table, eisner(table, self.single_root)) == -np.inf:
            return None
        heads = best_projective(self.edges, self.scores._replace(
            edges=np.where(kept, self.scores.edges, np.float32(-np.inf))),
            self.single_root)
        return self._score(heads), heads
