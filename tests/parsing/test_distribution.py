"""The best k trees and the probabilities of trees, against all trees."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.parsing.calibration import (
    fit_tree_temperature,
    head_probabilities,
)
from orange_structpred.parsing.decoding.decoders import APPROXIMATE, EXACT, PROJECTIVE
from orange_structpred.parsing.decoding.distribution import EdgeDistribution
from orange_structpred.parsing.first_order.pruning import PrunedEdges
from orange_structpred.parsing.second_order.part_distribution import PrunedDistribution
from orange_structpred.parsing.second_order.part_scoring import (
    part_feature_indices,
    shift_of,
)
from orange_structpred.parsing.second_order.part_templates import PartFeatures
from orange_structpred.parsing.second_order.second_order_problem import NO_BONUSES
from orange_structpred.parsing.second_order.tree_parts import tree_parts
from orange_structpred.svm.vectors import score_features
from orange_structpred.treebank import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.reference import all_trees, is_tree, tree_scores

TEMPERATURE = 0.7


def check(trees, expected, totals):
    """trees : a distribution; expected, totals : all its trees and their scores"""
    order = np.argsort(-totals)
    chances = np.exp(totals / TEMPERATURE)
    for k in (1, 3, len(order), len(order) + 5):
        found = trees.k_best(k, TEMPERATURE)
        assert len(found) == min(k, len(order))
        assert_allclose([own.score for own in found], totals[order[:k]], rtol=1e-5,
                        atol=1e-5)
        assert_allclose([own.probability for own in found],
                        (chances / chances.sum())[order[:k]], rtol=1e-4)
    assert ({tuple(own.heads.tolist()) for own in found}
            == set(map(tuple, expected[:, 1:].tolist())))
    assert_allclose(sum(own.probability for own in found), 1, rtol=1e-6)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE, APPROXIMATE])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_k_best_by_edges(n, decoder, single_root):
    rng = np.random.default_rng([n, decoder])
    for forbidden in (0., 0.3):
        scores = rng.normal(size=(n + 1, n + 1)).astype(np.float32)
        scores[rng.random(scores.shape) < forbidden] = -np.inf
        expected = all_trees(n, decoder == PROJECTIVE, single_root)
        totals = tree_scores(scores, expected)
        possible = totals > -np.inf
        trees = EdgeDistribution(scores, decoder, single_root)
        if possible.any():
            check(trees, expected[possible], totals[possible])
        else:
            assert trees.k_best(3, TEMPERATURE) == []


@pytest.mark.parametrize("single_root", [True, False])
def test_k_best_of_pruned_edges(single_root):
    rng = np.random.default_rng(0)
    features, weights = PartFeatures(), rng.normal(size=1 << 14).astype(np.float32)
    for sentence in [s for s in load_bundled("en").sentences[:60] if len(s) <= 5]:
        n, tokens = len(sentence), encode([sentence]).tokens
        trees = all_trees(n, True, single_root)
        allowed = rng.random((n + 1, n + 1)) < 0.7
        allowed[trees[0, 1:], np.arange(1, n + 1)] = True
        np.fill_diagonal(allowed, False)
        allowed[:, 0] = False
        pruned = PrunedEdges(np.concatenate([[0], np.cumsum(allowed.sum(0))]),
                             np.nonzero(allowed.T)[1].astype(np.int32))
        expected = trees[allowed[trees[:, 1:], np.arange(1, n + 1)].all(1)]
        totals = np.array([score_features(weights, *part_feature_indices(
            tokens, features.arrays, shift_of(14),
            tree_parts(heads.astype(np.int32)))).sum(dtype=float) for heads in expected])
        bonuses = NO_BONUSES
        if single_root:
            square = rng.normal(size=allowed.shape).astype(np.float32)
            bonuses = square.T[allowed.T]
            totals += [square[heads[1:], np.arange(1, n + 1)].sum() for heads in expected]
        check(PrunedDistribution(tokens, *pruned, bonuses, features, weights, shift_of(14),
                                 single_root), expected, totals)


def test_many_tokens():
    scores = np.random.default_rng(0).normal(size=(41, 41))
    found = EdgeDistribution(scores, EXACT, True).k_best(20, TEMPERATURE)
    assert len({tuple(own.heads.tolist()) for own in found}) == 20
    assert all(is_tree([-1, *own.heads]) for own in found)
    values = [own.score for own in found]
    assert values == sorted(values, reverse=True)


def test_temperature_of_samples():
    """Heads that are drawn at a temperature have this temperature."""
    rng = np.random.default_rng(0)
    distributions, heads, gold = [], [], []
    trees = all_trees(4, True, True)
    for _ in range(400):
        scores = 3 * rng.normal(size=(5, 5))
        totals = tree_scores(scores, trees)
        chances = np.exp(totals / 2.5)
        gold.append(trees[rng.choice(len(trees), p=chances / chances.sum()), 1:])
        heads.append(trees[np.argmax(totals), 1:])
        distributions.append(EdgeDistribution(scores, PROJECTIVE, True))
    temperature = fit_tree_temperature(distributions, heads, gold)
    assert 2.1 < temperature < 2.9
    shares = np.concatenate(head_probabilities(distributions, heads, temperature))
    correct = np.concatenate(heads) == np.concatenate(gold)
    assert abs(shares.mean() - correct.mean()) < 0.03
