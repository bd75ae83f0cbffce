"""Forward-backward, k best labels and the likelihood against enumeration."""
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime
from scipy.special import logsumexp

from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.sequences.forward_backward import chain_marginals
from orange_structpred.problems.sequences.k_best import k_best_labels
from orange_structpred.problems.sequences.likelihood import ChainLikelihood, Layout
from orange_structpred.svm.likelihood import Likelihood

FIRST_ORDER = np.zeros((0, 0, 0))


def score(local, pairs, labels, triples=None):
    total = sum(local[t, label] for t, label in enumerate(labels))
    total += sum(pairs[a, b] for a, b in zip(labels, labels[1:]))
    if triples is not None:
        total += sum(triples[abc] for abc in zip(labels, labels[1:], labels[2:]))
    return total


@pytest.mark.parametrize("scale", [1, 10, 1000])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_marginals(length, scale):
    rng = np.random.default_rng(length)
    local = scale * rng.normal(size=(length, 3))
    pairs = scale * rng.normal(size=(3, 3))
    everything = list(product(range(3), repeat=length))
    scores = np.array([score(local, pairs, labels) for labels in everything])
    log_z, node, counts = chain_marginals(local, pairs)
    assert log_z == pytest.approx(logsumexp(scores), rel=1e-12)
    p = np.exp(scores - logsumexp(scores))
    expected, expected_pairs = np.zeros_like(node), np.zeros((3, 3))
    for labels, share in zip(everything, p):
        expected[np.arange(length), list(labels)] += share
        for pair in zip(labels, labels[1:]):
            expected_pairs[pair] += share
    np.testing.assert_allclose(node, expected, atol=1e-8)
    np.testing.assert_allclose(counts, expected_pairs, atol=1e-8)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("length", [1, 2, 4])
def test_k_best(length, order):
    rng = np.random.default_rng(length)
    local, pairs = rng.normal(size=(length, 3)), rng.normal(size=(3, 3))
    triples = rng.normal(size=(3, 3, 3)) if order == 2 else None
    everything = {labels: score(local, pairs, labels, triples)
                  for labels in product(range(3), repeat=length)}
    best = sorted(everything, key=everything.get, reverse=True)
    scores, labels = k_best_labels(
        local, pairs, FIRST_ORDER if triples is None else triples, 5)
    assert list(map(tuple, labels.tolist())) == best[:5]
    np.testing.assert_allclose(scores, [everything[key] for key in best[:5]])


def toy(*, observed=True):
    rng = np.random.default_rng(0)
    lengths = [3, 1, 4, 2]
    matrix = sparse.random_array((10, 5), density=0.5, rng=rng, format="csr")
    labels = rng.integers(0, 3, 10).astype(np.int32)
    positions = Positions.of(matrix, lengths)
    layout = Layout.of_observed(positions, labels, 3) if observed \
        else Layout.of_all(5, 3)
    return ChainLikelihood(positions, labels, 3, layout)


@pytest.mark.parametrize("observed", [False, True])
def test_log_loss_and_its_gradient(observed):
    problem = toy(observed=observed)
    w = np.random.default_rng(1).normal(size=problem.dim)

    def loss(w):
        return problem.add_log_loss(0, 4, w, np.zeros(problem.dim))

    n_states = len(problem.layout.labels)
    table = np.zeros((5, 3))
    for feature in range(5):
        for j in range(*problem.layout.starts[feature:feature + 2]):
            table[feature, problem.layout.labels[j]] = w[j]
    pairs, expected = w[n_states:].reshape(3, 3), 0.
    for i in range(4):
        own = slice(*problem.positions.starts[i:i + 2])
        local = problem.positions.matrix[own] @ table
        labels = problem.labels[own].tolist()
        expected += logsumexp([score(local, pairs, other) for other in product(
            range(3), repeat=len(labels))]) - score(local, pairs, labels)
    assert loss(w) == pytest.approx(expected, rel=1e-12)
    gradient = np.zeros(problem.dim)
    problem.add_log_loss(0, 4, w, gradient)
    np.testing.assert_allclose(gradient, approx_fprime(w, loss, 1e-7), atol=1e-5)
    assert (n_states < 15) == observed


def test_huge_scores_are_summed_with_logarithms():
    problem = toy()
    w = 1e4 * np.random.default_rng(1).normal(size=problem.dim)
    gradient = np.zeros(problem.dim)
    value = problem.add_log_loss(0, 4, w, gradient)
    assert np.isfinite(value) and value >= 0 and np.isfinite(gradient).all()


def test_the_solver_certifies_its_optimum():
    problem = toy()
    solution = Likelihood(C=5, epsilon=1e-10, passes=500).solve(problem)
    assert solution.converged
    w = solution.model.weights()
    gradient = np.zeros(problem.dim)
    value = problem.add_log_loss(0, 4, w, gradient)
    last = solution.reports[-1]
    assert last.primal == pytest.approx(w @ w / 2 + 5 * value / 4)
    np.testing.assert_allclose(w + 5 / 4 * gradient, 0, atol=1e-4)
    assert all(before.dual <= last.primal + 1e-12 for before in solution.reports)


def test_threads_give_the_same_and_a_callback_stops(tmp_path):
    one = Likelihood(C=5, passes=5).solve(toy())
    two = Likelihood(C=5, passes=5, n_jobs=2).solve(toy())
    np.testing.assert_array_equal(one.model.weights(), two.model.weights())
    stopped = Likelihood(C=5, epsilon=1e-12, passes=500).solve(
        toy(), lambda report: report.pass_ == 3)
    assert stopped.stopped and len(stopped.reports) == 3
    checkpoint = tmp_path / "likelihood.npz"
    Likelihood(C=5, epsilon=1e-12, passes=3, checkpoint=checkpoint).solve(toy())
    resumed = Likelihood(C=5, epsilon=1e-9, passes=500, checkpoint=checkpoint).solve(toy())
    assert resumed.converged and len(resumed.reports) > 3
