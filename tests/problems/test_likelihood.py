"""Forward-backward, k best labels and the likelihood against enumeration."""
from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

from orange_structpred.errors import InputError
from orange_structpred.problems import SequenceCRF, SequenceSVM
from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.sequences.forward_backward import chain_marginals
from orange_structpred.problems.sequences.k_best import FIRST_ORDER, k_best_labels
from orange_structpred.problems.sequences.likelihood import (
    ChainLikelihood,
    WeightLayout,
)
from orange_structpred.svm.likelihood import Likelihood
from tests.observers import stop_if
from tests.svm.toy import classes


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
    matrix = sparse.csr_array(rng.random((10, 5)) * (rng.random((10, 5)) < 0.5))
    labels = rng.integers(0, 3, 10).astype(np.int32)
    positions = Positions.of(matrix, lengths)
    layout = WeightLayout.of_observed(positions, labels, 3) if observed \
        else WeightLayout.of_all(5, 3)
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
        toy(), stop_if(lambda report: report.pass_ == 3))
    assert stopped.stopped and len(stopped.reports) == 3
    checkpoint = tmp_path / "likelihood.npz"
    Likelihood(C=5, epsilon=1e-12, passes=3, checkpoint=checkpoint).solve(toy())
    resumed = Likelihood(C=5, epsilon=1e-9, passes=500, checkpoint=checkpoint).solve(toy())
    assert resumed.converged and len(resumed.reports) > 3


WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps"],
         ["the", "cat", "sees", "a", "dog"], ["dogs", "bark"]]
TAGS = [["D", "N", "V"], ["D", "N", "V"], ["D", "N", "V", "D", "N"], ["N", "V"]]


def test_crf():
    crf = SequenceCRF(C=10, tol=1e-8).fit(WORDS, TAGS)
    assert crf.converged_ and crf.score(WORDS, TAGS) == 1
    assert list(crf.predict([["a", "dog", "sees"]])[0]) == ["D", "N", "V"]
    (p,) = crf.predict_proba([["a", "dog", "unseen"]])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    best = crf.predict_k_best([["a", "dog", "unseen"]], 3)[0]
    assert len(best) == 3 and best[0][1] > best[1][1] > best[2][1]
    assert list(best[0][0]) == list(crf.predict([["a", "dog", "unseen"]])[0])
    table = crf.emission_weights_
    assert table.shape == (len(crf.encoder_.feature_names_), 3)
    assert table.nnz < np.prod(table.shape)
    everything = SequenceCRF(C=10, tol=1e-8, all_possible_states=True).fit(WORDS, TAGS)
    assert everything.emission_weights_.nnz == np.prod(table.shape)
    assert everything.mean_log_likelihood(WORDS, TAGS) > crf.mean_log_likelihood(
        WORDS, TAGS)


def test_crf_agrees_with_logistic_regression_on_single_positions():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, 4)) + np.eye(3, 4)[y]
    crf = SequenceCRF(C=30, tol=1e-10, all_possible_states=True).fit(
        [x[None] for x in X], y[:, None])
    # transitions never occur, so that their weights stay zero
    np.testing.assert_array_equal(crf.transition_weights_, 0)
    other = LogisticRegression(C=30 / 60, fit_intercept=False, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(crf.emission_weights_.toarray().T, other.coef_, atol=1e-4)
    np.testing.assert_allclose(np.vstack(crf.predict_proba([x[None] for x in X])),
                               other.predict_proba(X), atol=1e-4)


def test_minimum_bayes_risk():
    """Against the expected loss of all label sequences, by enumeration."""
    rng = np.random.default_rng(3)
    X = [rng.normal(size=(3, 2)) for _ in range(20)]
    y = [rng.integers(0, 3, 3) for _ in range(20)]
    cost = np.array([[0, 1, 5], [1, 0, 1], [2, 1, 0.]])
    differ = 0
    viterbi = SequenceCRF(C=5).fit(X, y)
    for loss, costs in (("hamming", 1 - np.eye(3)), (cost, cost)):
        crf = SequenceCRF(C=5, loss=loss).fit(X, y)
        found = crf.predict(X)
        differ += sum((one != two).any() for one, two in zip(found, viterbi.predict(X)))
        for x, labels, (local, pairs, _) in zip(
                X, found, crf._chains(crf._encode(X, fitting=False))):
            everything = list(product(range(3), repeat=len(x)))
            scores = np.array([score(local, pairs, other) for other in everything])
            p = np.exp(scores - logsumexp(scores))
            risk = {other: sum(share * costs[true, other].sum()
                               for true, share in zip(map(list, everything), p))
                    for other in everything}
            assert risk[tuple(labels.tolist())] == pytest.approx(min(risk.values()))
        mean = np.mean([costs[true, labels].mean() for true, labels in zip(y, found)])
        assert crf.mean_loss(X, y) == pytest.approx(mean)
    assert differ


def test_weights_count_like_copies_in_a_crf():
    weights = [2, 0, 1, 3]
    copies = np.repeat(np.arange(4), weights)
    one = SequenceCRF(C=5, tol=1e-12, all_possible_states=True).fit(
        WORDS, TAGS, sample_weight=weights)
    other = SequenceCRF(C=5, tol=1e-12, all_possible_states=True).fit(
        [WORDS[i] for i in copies], [TAGS[i] for i in copies])
    assert one.reports_[-1].primal == pytest.approx(other.reports_[-1].primal, rel=1e-8)


def test_k_best_of_an_svm():
    for order in (1, 2):
        svm = SequenceSVM(C=10, order=order).fit(WORDS, TAGS)
        best = svm.predict_k_best(WORDS, 2)
        assert [list(found[0][0]) for found in best] == [
            list(labels) for labels in svm.predict(WORDS)]
    with pytest.raises(InputError, match="k must be a whole number from 1"):
        svm.predict_k_best(WORDS, 0)


def test_bad_input():
    with pytest.raises(InputError, match="unknown loss 'errors'"):
        SequenceCRF(loss="errors").fit(WORDS, TAGS)
    with pytest.raises(InputError, match="unseen label 'X'"):
        SequenceCRF().fit(WORDS, TAGS).mean_log_likelihood([["a"]], [["X"]])
    with pytest.raises(InputError, match="no likelihood"):
        Likelihood().solve(classes())
    assert not hasattr(SequenceCRF(), "partial_fit")
