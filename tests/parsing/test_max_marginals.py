"""Max-marginals and pruning, against all projective trees."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.parsing.decoding.eisner import eisner
from orange_structpred.parsing.decoding.max_marginals import max_marginals
from orange_structpred.parsing.first_order.pruning import allow_crossing, keep_best
from tests.parsing.reference import all_trees, tree_scores


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_best_tree_with_each_edge(n, single_root):
    scores = np.random.default_rng(n).normal(size=(n + 1, n + 1))
    expected = np.full((n + 1, n + 1), -np.inf)
    trees = all_trees(n, projective=True, single_root=single_root)
    for heads, score in zip(trees, [tree_scores(scores, heads) for heads in trees]):
        for token in range(1, n + 1):
            expected[heads[token], token] = max(expected[heads[token], token], score)
    marginals, heads = max_marginals(scores, single_root)
    assert_allclose(marginals, expected)
    assert heads.tolist() == eisner(scores, single_root).tolist()


@pytest.mark.parametrize("single_root", [True, False])
def test_where_edges_may_cross_marginals_are_those_of_one_changed_head(single_root):
    n = 5
    trees = all_trees(n, single_root=single_root)
    for seed in range(5):
        scores = np.random.default_rng(seed).normal(size=(n + 1, n + 1))
        before, best = max_marginals(scores, single_root)
        marginals = before.copy()
        allow_crossing(marginals, scores, best, single_root)
        expected = before.copy()
        for heads in trees:
            changed = np.flatnonzero(heads[1:] != best[1:]) + 1
            if len(changed) == 1:
                edge = heads[changed[0]], changed[0]
                expected[edge] = max(expected[edge], tree_scores(scores, heads))
        assert_allclose(marginals, expected)


@pytest.mark.parametrize("single_root", [True, False])
def test_forbidden_edges(single_root):
    """Scores of trees without them, as good as they come."""
    n = 5
    trees = all_trees(n, projective=True, single_root=single_root)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=(n + 1, n + 1))
        scores[rng.random(scores.shape) < 0.4] = -np.inf
        expected = np.full((n + 1, n + 1), -np.inf)
        for heads in trees:
            score = tree_scores(scores, heads)
            for token in range(1, n + 1):
                expected[heads[token], token] = max(expected[heads[token], token], score)
        assert_allclose(max_marginals(scores, single_root)[0], expected)


def test_forbidden_edges_have_none():
    scores = np.random.default_rng(0).normal(size=(5, 5))
    scores[2, 3] = -np.inf
    assert max_marginals(scores, True)[0][2, 3] == -np.inf


@pytest.mark.parametrize("max_heads", [2, 3, 8])
def test_kept_edges(max_heads):
    rng = np.random.default_rng(max_heads)
    for _ in range(20):
        scores = rng.normal(size=(9, 9))
        marginals, best = max_marginals(scores, True)
        out = np.empty(9, np.int32)
        for token in range(1, 9):
            gold = (token + 3) % 9
            kept = keep_best(marginals, token, max_heads, 1., best[token], gold, out)
            heads = out[:kept].tolist()
            assert heads == sorted(heads) and kept <= max_heads
            assert best[token] in heads and gold in heads
            near = [head for head in heads if head != gold]
            assert np.all(marginals[near, token] >= marginals[:, token].max() - 1)


def test_a_tree_is_left_of_equal_scores():
    """Without the best tree itself, ties could leave no tree at all."""
    marginals, best = max_marginals(np.zeros((21, 21)), True)
    out = np.empty(21, np.int32)
    for token in range(1, 21):
        kept = keep_best(marginals, token, 2, 1., best[token], -1, out)
        assert best[token] in out[:kept]
