"""What all estimators share."""
import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from orange_structpred.errors import InputError
from orange_structpred.problems import MulticlassSVM, SequenceSVM

X, Y = load_iris(return_X_y=True)
WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat", "sees", "a", "dog"]]
TAGS = [["D", "N", "V"], ["D", "N", "V"], ["D", "N", "V", "D", "N"]]


def test_sklearn_conventions():
    estimator = MulticlassSVM(C=3, solver="mira")
    assert repr(estimator) == "MulticlassSVM(C=3, solver='mira')"
    assert clone(estimator).get_params() == estimator.get_params()
    with pytest.raises(NotFittedError):
        estimator.predict(X)
    assert estimator.fit(X, Y) is estimator


def test_pipeline_and_grid():
    search = GridSearchCV(make_pipeline(StandardScaler(), MulticlassSVM()),
                          {"multiclasssvm__C": [1, 30]}, cv=3).fit(X, Y)
    assert search.best_params_ == {"multiclasssvm__C": 30} and search.best_score_ > 0.9
    search = GridSearchCV(SequenceSVM(), {"order": [1, 2]}, cv=3).fit(WORDS * 3, TAGS * 3)
    assert search.best_score_ == 1


def test_pickle_is_as_large_as_the_model():
    fitted = SequenceSVM(C=10).fit(WORDS * 50, TAGS * 50)
    again = pickle.loads(pickle.dumps(fitted))
    assert [list(labels) for labels in again.predict(WORDS)] == TAGS
    assert len(pickle.dumps(fitted)) < 20000


def test_weights_count_like_copies():
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    copies = np.repeat(np.arange(len(X)), weights)
    for name in ("bcfw", "one-slack"):
        options = {"solver": name, "C": 1., "tol": 1e-6, "max_iter": 20000}
        one = MulticlassSVM(**options).fit(X, Y, sample_weight=weights)
        other = MulticlassSVM(**options).fit(X[copies], Y[copies])
        assert_allclose(one.coef_, other.coef_, atol=2e-3)
        assert one.reports_[-1].primal == pytest.approx(other.reports_[-1].primal, abs=1e-5)


@pytest.mark.parametrize("solver", ["mira", "perceptron", "subgradient"])
def test_partial_fit(solver):
    estimator = MulticlassSVM(solver=solver, C=30)
    for part in np.array_split(np.random.default_rng(0).permutation(len(X)), 10):
        estimator.partial_fit(X[part], Y[part], classes=[0, 1, 2])
    assert estimator.score(X, Y) > 0.7
    with pytest.raises(InputError, match="unseen label"):
        estimator.partial_fit(X[:2], [0, 7])
    once = MulticlassSVM(solver=solver, C=30, max_iter=1).fit(X, Y)
    assert_allclose(MulticlassSVM(solver=solver, C=30).partial_fit(X, Y).coef_, once.coef_)


def test_partial_fit_needs_an_online_solver():
    assert not hasattr(MulticlassSVM(), "partial_fit")


def test_warm_start():
    estimator = MulticlassSVM(C=10, tol=1e-3, warm_start=True).fit(X, Y)
    estimator.fit(X, Y)
    assert estimator.reports_[-1].oracle_calls == 0
    estimator.set_params(C=12).fit(X, Y)
    assert estimator.converged_
    fresh = MulticlassSVM(C=12, tol=1e-3).fit(X, Y)
    assert estimator.n_iter_ < fresh.n_iter_
    assert estimator.reports_[-1].primal == pytest.approx(
        fresh.reports_[-1].primal, abs=12 * 1e-3)
    estimator.fit(X[:90], Y[:90])           # other examples: from the beginning
    assert estimator.reports_[-1].oracle_calls > 0


def test_says_when_it_has_not_converged():
    with pytest.warns(ConvergenceWarning, match="after 1 passes, above tol=1e-05; "):
        MulticlassSVM(C=100, tol=1e-5, max_iter=1).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MulticlassSVM(solver="mira", max_iter=1).fit(X, Y)


def test_threads_do_not_matter():
    one, two = (SequenceSVM(C=10, n_jobs=n).fit(WORDS, TAGS) for n in (1, 2))
    assert one.coef_.tobytes() == two.coef_.tobytes()


@pytest.mark.parametrize("parameters, message", [
    ({"solver": "simplex"}, "unknown solver 'simplex'; valid solvers are bcfw"),
    ({"solver_options": 3}, "solver_options is 3; expected a dict"),
    ({"solver_options": {"x": 1}}, "solver_options of bcfw: .*'x'"),
    ({"C": -1}, "C must be a number above 0, not -1"),
    ({"loss": "hinge"}, "unknown loss 'hinge'"),
    ({"loss": np.ones((2, 2))}, r"shape \(2, 2\); expected \(3, 3\)"),
    ({"loss": np.ones((3, 3))}, "the loss of .*0.* for itself is 1.0; it must be zero"),
    ({"loss": lambda y, y_hat: float(y_hat - y)}, "-1.0; a loss must not be negative"),
])
def test_bad_parameters(parameters, message):
    with pytest.raises(InputError, match=message):
        MulticlassSVM(**parameters).fit(X, Y)


def test_bad_tables():
    with pytest.raises(ValueError, match="NaN"):
        MulticlassSVM().fit(np.full((3, 2), np.nan), [0, 1, 2])
    with pytest.raises(InputError, match="150 inputs but 149 outputs"):
        MulticlassSVM().fit(X, Y[1:])
    with pytest.raises(InputError, match="only one class"):
        MulticlassSVM().fit(X[:10], Y[:10])
    with pytest.raises(ValueError, match="3 features, but MulticlassSVM is expecting 4"):
        MulticlassSVM().fit(X, Y).predict(X[:, :3])
