from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from orange_structpred.errors import InputError
from orange_structpred.problems import (
    LatentClassSVM,
    LatentProblem,
    LatentSequenceSVM,
    LatentSVM,
    MulticlassSVM,
    SequenceSVM,
)
from orange_structpred.svm import check_problem
from tests.problems.toy import Menus


class Shifted(LatentProblem):
    """Windows of a row of numbers: the class is known, where it shows is not."""

    def __init__(self, X, Y):
        super().__init__(X, Y, 6)

    def joint_features(self, x, y):
        label, where = y
        phi = np.zeros(6)
        phi[3 * label:3 * label + 2] = x[where:where + 2]
        phi[3 * label + 2] = 1
        return phi

    def loss(self, y, y_hat):
        return float(y[0] != y_hat[0])

    def outputs(self, x):
        return product(range(2), range(len(x) - 1))

    def best_output(self, x, w, bonus):
        return max(self.outputs(x), key=lambda y: w @ self.joint_features(x, y) + bonus(y))

    def predict(self, x, w):
        return self.best_output(x, w, lambda y: 0)

    def separate(self, x, y, w):
        return self.best_output(x, w, lambda y_hat: self.loss(y, y_hat))

    def latent(self, x, y, w):
        label = y[0]
        return max(((label, where) for where in range(len(x) - 1)),
                   key=lambda y: w @ self.joint_features(x, y))


@pytest.fixture(scope="module")
def windows():
    rng = np.random.default_rng(1)
    X, y = [], []
    for _ in range(20):
        label, where = rng.integers(2), rng.integers(4)
        x = 0.5 * rng.normal(size=5)
        x[where:where + 2] += (2, -2) if label else (-2, -2)
        X.append(x)
        y.append((label, 0))
    return X, y


def latent_objective(problem, w, C):
    """By the definition."""
    total = 0.
    for x, y in zip(problem.X, problem.Y):
        scores = {out: w @ problem.joint_features(x, out) for out in problem.outputs(x)}
        total += max(score + problem.loss(y, out) for out, score in scores.items()) - max(
            score for out, score in scores.items() if out[0] == y[0])
    return w @ w / 2 + C * total / len(problem)


def test_procedure_lowers_the_objective(windows):
    X, y = windows
    check_problem(Shifted(X, y))
    estimator = LatentSVM(Shifted, C=10, tol=1e-3).fit(X, y)
    assert len(estimator.objectives_) > 1
    assert (np.diff(estimator.objectives_) <= 10 * 1e-3).all()
    assert_allclose(min(estimator.objectives_),
                    latent_objective(Shifted(X, y), estimator.coef_, 10), atol=1e-6)
    assert np.mean([found[0] == true[0] for found, true in zip(estimator.predict(X), y)]) > 0.8
    for whole, x, true in zip(estimator.latent_, X, y):
        assert whole == Shifted(X, y).latent(x, true, estimator.coef_)
    starts = LatentSVM(Shifted, C=10, tol=1e-3, n_init=2).fit(X, y)
    assert min(starts.objectives_) <= min(estimator.objectives_) + 1e-9      # the first start is the same


def test_weights_of_examples(windows):
    X, y = windows
    weighted = LatentSVM(Shifted, C=10).fit(X, y, sample_weight=[0] * 8 + [1] * 12)
    assert np.mean([weighted.predict([x])[0][0] == true[0]
                    for x, true in zip(X[8:], y[8:])]) > 0.8


def test_bad_options(windows):
    with pytest.raises(InputError, match="max_rounds must be a whole number from 1"):
        LatentSVM(Shifted, max_rounds=0).fit(*windows)
    with pytest.raises(InputError, match="n_init must be a whole number from 1"):
        LatentSVM(Shifted, n_init=0).fit(*windows)
    with pytest.raises(InputError, match="Menus has no latent variables"):
        LatentSVM(lambda X, Y: Menus(X, Y, 3)).fit([np.eye(4)[:, :3]], [[1, 0, 0, 0]])
    with pytest.raises(InputError, match="n_subtypes must be a whole number from 1"):
        LatentClassSVM(n_subtypes=0).fit(np.eye(2), [0, 1])
    with pytest.raises(InputError, match="n_states must be a whole number from 1"):
        LatentSequenceSVM(n_states=0).fit([["a"]], [["b"]])
    # rounds are not measured: with patience, each would end too early
    with pytest.raises(InputError, match="leave validation and patience out"):
        LatentSequenceSVM().fit([["a"]], [["b"]], validation=([["a"]], [["b"]]))


def test_classes_with_subtypes():
    """Four corners, two classes: no line, but two sub-types each."""
    rng = np.random.default_rng(0)
    corners = rng.integers(0, 2, (80, 2))
    X = 2 * corners - 1 + 0.2 * rng.normal(size=corners.shape)
    y = np.where(corners[:, 0] ^ corners[:, 1], "odd", "even")
    assert MulticlassSVM(C=100).fit(X, y).score(X, y) < 0.9
    estimator = LatentClassSVM(C=100).fit(X, y)
    assert estimator.score(X, y) == 1
    assert estimator.mean_loss(X, y) == 0
    assert estimator.decision_function(X).shape == (80,)
    assert set(estimator.latent_) == {0, 1}
    assert_array_equal(
        estimator.predict(X[:3], constraints=lambda program, x: None), y[:3])
    # one sub-type is a plain multiclass SVM
    assert_allclose(LatentClassSVM(C=100, n_subtypes=1, tol=1e-4).fit(X, y).reports_[-1].primal,
                    MulticlassSVM(C=100, tol=1e-4).fit(X, y).reports_[-1].primal, atol=0.02)


def test_sequences_with_hidden_states():
    """a a b b a a b b: what comes next is not known from one label."""
    y = [np.array(list("aabbaabbaabb"))[shift:shift + 6] for shift in (0, 2, 0, 2, 4)]
    X = [np.column_stack([np.ones(6), np.arange(6) == 0, (np.arange(6) == 0) & (labels == "a")])
         .astype(float) for labels in y]
    plain = SequenceSVM(C=1000).fit(X, y)
    hidden = LatentSequenceSVM(C=1000, n_init=5).fit(X, y)
    assert plain.score(X, y) < 0.9
    assert hidden.score(X, y) == 1
    assert [states // 2 for states in hidden.predict_states(X)[:1]][0].tolist() == [
        0, 0, 1, 1, 0, 0]
    assert hidden.mean_loss(X, y) == 0
    with pytest.raises(InputError, match="does not list them"):
        hidden.predict_k_best(X, 2)
