"""What all estimators share."""
import pickle
import warnings
from copy import deepcopy

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from orange_structpred.errors import InputError
from orange_structpred.problems import (
    MatchingSVM,
    MulticlassSVM,
    MultilabelSVM,
    RankingSVM,
    SequenceSVM,
    StructuredSVM,
    TaxonomySVM,
)
from orange_structpred.problems.taxonomy import (
    all_ancestors,
    ancestor_heights,
    tree_distances,
)
from orange_structpred.running.cancellation import Cancelled
from tests.problems.toy import Menus, menus
from tests.svm.toy import Classes

X, Y = ALL_X, ALL_Y = load_iris(return_X_y=True)
WORDS = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat", "sees", "a", "dog"]]
TAGS = [["D", "N", "V"], ["D", "N", "V"], ["D", "N", "V", "D", "N"]]


class Menus3(Menus):
    def __init__(self, X, Y):
        super().__init__(X, Y, 3)


def test_sklearn_conventions():
    estimator = MulticlassSVM(C=3, max_iter=5, solver="mira")
    assert repr(estimator) == "MulticlassSVM(C=3, max_iter=5, solver='mira')"
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
    X, Y = ALL_X[::5], ALL_Y[::5]
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


@pytest.mark.parametrize("solver", ["mira", "perceptron", "subgradient"])
@pytest.mark.parametrize("copy", [deepcopy, lambda own: pickle.loads(pickle.dumps(own))])
def test_partial_fit_continues_in_a_copy(solver, copy):
    estimator = MulticlassSVM(solver=solver, C=30).partial_fit(X[::2], Y[::2])
    other = copy(estimator)
    assert_array_equal(other.partial_fit(X[1::2], Y[1::2]).coef_,
                       estimator.partial_fit(X[1::2], Y[1::2]).coef_)


@pytest.mark.parametrize("solver", ["bcfw", "subgradient"])
def test_partial_fit_continues_with_the_same_solver(solver):
    estimator = MulticlassSVM(solver=solver).fit(X, Y).set_params(solver="mira")
    for own in (estimator, deepcopy(estimator)):
        with pytest.raises(InputError, match=f"learned by {solver}, and mira cannot"):
            own.partial_fit(X, Y)
    assert clone(estimator).partial_fit(X, Y).score(X, Y) > 0.3


def test_passes_by_default():
    """Online solvers have no certificate by which they could stop."""
    assert MulticlassSVM(solver="mira").fit(X, Y).n_iter_ == 10
    assert MulticlassSVM(C=1e-9, tol=1e9).fit(X, Y).n_iter_ == 1


def test_partial_fit_needs_an_online_solver():
    assert not hasattr(MulticlassSVM(), "partial_fit")


@pytest.mark.parametrize("solver", ["bcfw", "one-slack", "n-slack"])
def test_warm_start_with_other_data_of_the_same_size(solver):
    """It starts anew: the identity of data is made of the data."""
    def make(inputs, outputs):
        return Classes(np.array(inputs), outputs, 2)

    rows, labels = np.vstack([np.eye(2)] * 4), [0, 1] * 4
    estimator = StructuredSVM(make, C=100, solver=solver, warm_start=True)
    assert estimator.fit(rows, labels).score(rows, labels) == 1
    others = [1 - label for label in labels]
    assert estimator.fit(rows, others).score(rows, others) == 1
    assert estimator.fit(-rows, others).score(-rows, others) == 1
    weights = estimator.coef_
    # and so are weights of examples
    contradicting = np.ones((8, 2))
    estimator.fit(contradicting, labels, sample_weight=[9, 1] * 4)
    assert estimator.predict(contradicting[:1]) == [0]
    estimator.fit(contradicting, labels, sample_weight=[1, 9] * 4)
    assert estimator.predict(contradicting[:1]) == [1]
    # the same data start where they ended
    estimator.fit(-rows, others)
    assert estimator.fit(-rows, others).n_iter_ <= 1
    np.testing.assert_allclose(estimator.coef_, weights, atol=0.1)


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


def cancel(report):
    raise Cancelled


@pytest.mark.parametrize("solver", ["bcfw", "one-slack", "n-slack"])
def test_warm_start_after_a_training_that_was_cancelled(solver):
    """Its data have no solution; that of others is none of theirs."""
    others = (Y + 1) % 3
    fresh = MulticlassSVM(C=10, solver=solver).fit(X, others).score(X, others)
    estimator = MulticlassSVM(C=10, solver=solver, warm_start=True)
    for outputs in (Y, others):
        with pytest.raises(Cancelled):
            estimator.fit(X, outputs, callback=cancel)
        estimator.fit(X, outputs)
    assert estimator.score(X, others) == pytest.approx(fresh, abs=0.02)
    # nor is one that was found without a warm start
    estimator.set_params(warm_start=False).fit(X, Y)
    estimator.set_params(warm_start=True).fit(X, others)
    assert estimator.score(X, others) == pytest.approx(fresh, abs=0.02)


@pytest.mark.parametrize("kernel", [None, "rbf"])
def test_warm_start_of_online_solvers_with_other_features(kernel):
    """Weights of other features, or of other classes, are no start."""
    estimator = MulticlassSVM(solver="mira", kernel=kernel, warm_start=True)
    labels = np.array(["a", "b", "c"])[Y]
    for inputs, outputs in ((X, Y), (X[:, :2], Y), (X[::-1], Y[::-1]), (X[::-1], labels)):
        fresh = clone(estimator).fit(inputs, outputs)
        estimator.fit(inputs, outputs)
        assert_array_equal(estimator.model_.weights(), fresh.model_.weights())
    before = estimator.model_.weights().copy()
    estimator.fit(X[::-1], labels)       # the same: it goes on
    assert (estimator.model_.weights() != before).any()


def test_warm_start_with_other_options():
    """What the constraints ask for is another thing with them."""
    loss = np.array([[0, 1, 0.1], [1, 0, 1], [0.1, 1, 0]])
    estimator = MulticlassSVM(C=10, solver="n-slack", loss=loss, warm_start=True).fit(X, Y)
    options = {"rescaling": "slack", "penalty": "quadratic"}
    estimator.set_params(solver_options=options).fit(X, Y)
    fresh = MulticlassSVM(C=10, solver="n-slack", loss=loss, solver_options=options).fit(X, Y)
    assert estimator.reports_[-1].primal == pytest.approx(fresh.reports_[-1].primal)


def test_says_when_it_has_not_converged():
    with pytest.warns(ConvergenceWarning, match="after 1 passes, above tol=1e-05; "):
        MulticlassSVM(C=100, tol=1e-5, max_iter=1).fit(X, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MulticlassSVM(solver="mira", max_iter=1).fit(X, Y)


def test_losses_of_sequences_that_are_known():
    with pytest.raises(InputError, match="expected 'hamming', 'errors', 'zero-one', a table"):
        SequenceSVM(loss="hinge").fit(WORDS, TAGS)


def test_threads_do_not_matter():
    one, two = (SequenceSVM(C=10, n_jobs=n).fit(WORDS, TAGS) for n in (1, 2))
    assert one.coef_.tobytes() == two.coef_.tobytes()


@pytest.mark.parametrize("parameters, message", [
    ({"solver": "simplex"}, "solver 'simplex' is not known; choose from bcfw"),
    ({"solver_options": 3}, "solver_options must be a dict, or None, not 3"),
    ({"solver_options": {"x": 1}}, "'x', which is not an option of bcfw; valid options are "
     "checkpoint$"),
    ({"solver_options": {"x": 1}, "solver": "n-slack"}, "options are rescaling, penalty, chec"),
    ({"solver_options": {"shards": 2}, "solver": "sampled-cuts"}, "options are sample, check"),
    ({"solver_options": {"C": 5}}, "solver_options has 'C'; use the parameter C instead"),
    ({"solver_options": {"passes": 5}}, "use the parameter max_iter instead"),
    ({"C": -1}, "C must be a number from 1e-10 to 1e\\+10, or inf, not -1"),
    ({"loss": "hinge"}, "unknown loss 'hinge'"),
    ({"loss": np.ones((2, 2))}, r"shape \(2, 2\); expected \(3, 3\)"),
    ({"loss": np.ones((3, 3))}, "the loss of 0 for itself is 1.0; it must be zero"),
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
    with pytest.raises(InputError, match="only one class, 0;"):
        MulticlassSVM().fit(X[:10], Y[:10])
    with pytest.raises(ValueError, match="3 features, but MulticlassSVM is expecting 4"):
        MulticlassSVM().fit(X, Y).predict(X[:, :3])


def test_own_problem():
    estimator = StructuredSVM(Menus3, tol=0.05)
    problem = menus()
    estimator.fit(problem.X, problem.Y)
    assert estimator.score(problem.X, problem.Y) == 1 - estimator.mean_loss(
        problem.X, problem.Y) > 0.6
    assert clone(estimator).problem is Menus3
    with pytest.raises(InputError, match="3 inputs but 2 outputs"):
        estimator.fit(problem.X, problem.Y[1:])
    with pytest.raises(InputError, match="`problem` makes a list; expected a Problem"):
        StructuredSVM(lambda X, y: []).fit(problem.X, problem.Y)
    with pytest.raises(InputError, match="`problem` is a Menus; expected a class of problems"):
        StructuredSVM(problem).fit(problem.X, problem.Y)
    with pytest.raises(InputError, match="X is a NoneType; expected a list of inputs"):
        estimator.fit(None, problem.Y)


def test_taxonomy():
    classes = np.array(["a/setosa", "b/versicolor", "b/virginica"])[Y]
    estimator = TaxonomySVM(C=100).fit(X, classes)
    assert estimator.nodes_ == [("a",), ("a", "setosa"), ("b",), ("b", "versicolor"),
                                ("b", "virginica")]
    assert estimator.score(X, classes) > 0.95
    assert estimator.mean_loss(X, classes) < 0.06
    parents = {0: "a", 1: "b", 2: "b"}
    other = TaxonomySVM(C=100, taxonomy=parents).fit(X, Y)
    assert_allclose(other.coef_, estimator.coef_)
    flat = TaxonomySVM(C=100, shared=False, loss="zero-one").fit(X, classes)
    assert_allclose(flat.coef_, MulticlassSVM(C=100).fit(X, Y).coef_)


@pytest.mark.parametrize("taxonomy, message", [
    ({0: "a", 1: "a"}, "class 2 is not in the taxonomy"),
    ({0: "a", 1: 2, 2: 1}, "is above itself in the taxonomy"),
    (["a"], "taxonomy is a list; expected a dict")])
def test_bad_taxonomies(taxonomy, message):
    with pytest.raises(InputError, match=message):
        TaxonomySVM(taxonomy=taxonomy).fit(X, Y)


def test_losses_of_taxonomies():
    paths = all_ancestors(["a/x/1", "a/x/2", "a/y", "b", "a"], None, "/")
    assert ancestor_heights(paths).tolist() == [
        [0, 1, 2, 3, 2], [1, 0, 2, 3, 2], [2, 2, 0, 3, 2], [3, 3, 3, 0, 3], [2, 2, 2, 3, 0]]
    assert tree_distances(paths).tolist() == [
        [0, 2, 3, 4, 2], [2, 0, 3, 4, 2], [3, 3, 0, 3, 1], [4, 4, 3, 0, 2], [2, 2, 1, 2, 0]]


def label_sets():
    return np.column_stack([Y == 0, Y > 0, Y == 2]).astype(int)


@pytest.mark.parametrize("loss", ["hamming", "f1"])
def test_multilabel(loss):
    sets = label_sets()
    estimator = MultilabelSVM(C=100, loss=loss, max_iter=40, tol=0.02).fit(X, sets)
    assert estimator.score(X, sets) > 0.9
    assert estimator.pairs_ == [(0, 1), (0, 2), (1, 2)]
    assert MultilabelSVM(pairs=[(2, 1)]).fit(X, sets).pairs_ == [(1, 2)]
    for wrong, message in ((Y, "expected a matrix of zeros and ones"),
                           (sets[1:], "150 inputs but 149")):
        with pytest.raises(InputError, match=message):
            estimator.fit(X, wrong)
    for pairs in ("some", [(0, 7)], [(1, 1)]):
        with pytest.raises(InputError, match="pair"):
            MultilabelSVM(pairs=pairs).fit(X, sets)


def test_matching_and_ranking():
    rng = np.random.default_rng(0)
    left, right = rng.normal(size=(10, 3, 4)), rng.normal(size=(10, 4, 4))
    examples = list(left[:, :, None] * right[:, None])      # products of features
    w = rng.normal(size=4)
    matches = [linear_sum_assignment(x @ w, maximize=True)[1] for x in examples]
    estimator = MatchingSVM(C=100).fit(examples, matches)
    assert estimator.score(examples, matches) > 0.95
    others = [[sparse.csr_matrix(rows) for rows in x] for x in examples]
    assert_allclose(MatchingSVM(C=100).fit(others, matches).coef_,
                    estimator.coef_)
    items = list(rng.normal(size=(10, 4, 4)))
    ranks = [np.argsort(np.argsort(-x @ w)) for x in items]
    estimator = RankingSVM(C=100).fit(items, ranks)
    assert estimator.score(items, ranks) > 0.9
    order = [np.argsort(np.argsort(-scores)) for scores in estimator.decision_function(items)]
    assert_allclose(order, estimator.predict(items))
    for X_, y_, message in (
            (examples, [[0, 0, 1]] * 10, "expected 3 different whole numbers from 0 to 3"),
            (examples, matches[1:], "10 inputs but 9 outputs"),
            ([np.ones((3, 2, 1))], [[0, 1, 2]], "3 items on the left and 2 on the right"),
            ([np.ones((3, 2))], [[0, 1]], r"shape \(3, 2\); expected \(left items"),
            ([np.full((1, 1, 1), np.nan)], [[0]], "not finite"), ([], [], "no examples")):
        with pytest.raises(InputError, match=message):
            MatchingSVM().fit(X_, y_)


def test_what_to_do_about_a_gap():
    def warning(**parameters):
        with pytest.warns(ConvergenceWarning) as caught:
            MulticlassSVM(fit_intercept=False, **parameters).fit(X, y)
        return str(caught[0].message)

    rng = np.random.default_rng(0)
    X, y = 1000 * rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    worse = "the objective is worse than that of weights that are all zero; "
    ended = "further passes would not help; use a smaller C, or increase tol"
    for options in ({}, {"rescaling": "slack"}):
        assert warning(C=1e10, solver="n-slack", solver_options=options).endswith(ended)
    assert worse in warning(C=1e10, solver="n-slack")
    for solver in ("one-slack", "n-slack", "weston-watkins"):
        assert warning(C=1e6, solver=solver, max_iter=2).endswith(
            "above tol=0.01; " + worse + "increase max_iter, or use a smaller C")
    assert warning(C=1e6, solver="n-slack", max_iter=1).endswith(      # the weights are zero
        "above tol=0.01; increase max_iter or tol")
