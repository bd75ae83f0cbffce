"""Log partition functions and probabilities of edges, against sums over all trees."""
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp, softmax

from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    EXACT,
    PROJECTIVE,
    REARRANGED,
)
from orange_structpred.parsing.decoding.marginals import edge_marginals
from tests.parsing.reference import all_trees, tree_scores


def enumerated(scores, projective, single_root):
    """The same, tree by tree."""
    n = len(scores) - 1
    trees = all_trees(n, projective, single_root)
    totals = tree_scores(scores, trees)
    marginals = np.zeros((n + 1, n + 1))
    if np.max(totals) == -np.inf:
        return -np.inf, marginals
    for heads, chance in zip(trees, softmax(totals)):
        marginals[heads[1:], np.arange(1, n + 1)] += chance
    return logsumexp(totals), marginals


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_sums_over_all_trees(n, decoder, single_root):
    rng = np.random.default_rng([n, decoder])
    for forbidden in (0., 0.3, 0.6):
        for scale in (1., 30.):
            scores = scale * rng.normal(size=(n + 1, n + 1))
            scores[rng.random(scores.shape) < forbidden] = -np.inf
            expected = enumerated(scores, decoder == PROJECTIVE, single_root)
            found = edge_marginals(scores, decoder, single_root)
            assert_allclose(found[0], expected[0], rtol=1e-8)
            assert_allclose(found[1], expected[1], atol=1e-8)


@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE])
def test_marginals_are_derivatives(decoder):
    scores = np.random.default_rng(0).normal(size=(9, 9))
    _, marginals = edge_marginals(scores, decoder, True)
    assert_allclose(marginals[:, 1:].sum(0), 1)
    assert_allclose(marginals[0].sum(), 1)
    for head, token in ((0, 3), (2, 7), (8, 1)):
        values = []
        for step in (-1e-5, 1e-5):
            moved = scores.copy()
            moved[head, token] += step
            values.append(edge_marginals(moved, decoder, True)[0])
        assert_allclose((values[1] - values[0]) / 2e-5, marginals[head, token], rtol=1e-6)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE])
def test_scores_of_any_size(decoder, single_root):
    """The Laplacian of these has no digit that is right."""
    scores = np.full((4, 4), -300.)
    scores[1, 2] = scores[2, 1] = 300.
    scores[0, 1:] = -400., -405., -500.
    log_partition, marginals = edge_marginals(scores, decoder, single_root)
    expected = enumerated(scores, decoder == PROJECTIVE, single_root)
    assert_allclose(log_partition, expected[0], rtol=1e-12)
    assert_allclose(marginals, expected[1], atol=1e-12)
    assert 0.99 < marginals[1, 2] < 0.999


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("decoder", [EXACT, PROJECTIVE])
@pytest.mark.parametrize("temperature", [0.01, 0.1, 0.3, 1., 10., 100.])
def test_temperatures(temperature, decoder, single_root):
    """Scores as large as a perceptron's: the best heads of some tokens are a circle, and
    the edges that lead into it are smaller by thousands of orders of magnitude."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 4, 5):
        for forbidden in (0., 0.3):
            scores = 40. * rng.normal(size=(n + 1, n + 1))
            scores[1, 2] = scores[2, 1] = 150.
            scores[rng.random(scores.shape) < forbidden] = -np.inf
            scores /= temperature
            expected = enumerated(scores, decoder == PROJECTIVE, single_root)
            log_partition, marginals = edge_marginals(scores, decoder, single_root)
            assert_allclose(log_partition, expected[0], rtol=1e-9)
            assert_allclose(marginals, expected[1], atol=1e-8)


@pytest.mark.parametrize("temperature", [0.01, 1., 100.])
def test_columns_add_up_to_one(temperature):
    scores = 40 * np.random.default_rng(2).normal(size=(61, 61)) / temperature
    for single_root in (True, False):
        marginals = edge_marginals(scores, EXACT, single_root)[1]
        assert_allclose(marginals[:, 1:].sum(0), 1, atol=1e-8)
        assert marginals.min() >= 0 and marginals.max() <= 1


def test_long_sentences():
    scores = np.random.default_rng(1).normal(size=(121, 121))
    laplacian = -np.exp(scores[1:, 1:])
    np.fill_diagonal(laplacian, 0)
    np.fill_diagonal(laplacian, np.exp(scores[0, 1:]) - laplacian.sum(0))
    log_partition, marginals = edge_marginals(scores, EXACT, False)
    assert_allclose(log_partition, np.linalg.slogdet(laplacian)[1])
    assert_allclose(marginals[:, 1:].sum(0), 1)


def test_other_decoders():
    scores = np.random.default_rng(0).normal(size=(5, 5))
    assert_allclose(edge_marginals(scores, REARRANGED, True)[1],
                    edge_marginals(scores, EXACT, True)[1])
    np.fill_diagonal(scores, -np.inf)
    log_partition, marginals = edge_marginals(scores, APPROXIMATE, True)
    assert_allclose(marginals[:, 1:], softmax(scores[:, 1:], axis=0))
    assert_allclose(log_partition, logsumexp(scores[:, 1:], axis=0).sum())
