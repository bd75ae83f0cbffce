"""What `fit` takes besides examples, and more than one answer."""
from itertools import product

import numpy as np
import pytest
from scipy import sparse

from orange_structpred.errors import InputError
from orange_structpred.problems import (
    GrammarSVM,
    GraphCRF,
    MulticlassSVM,
    SequenceCRF,
    SequenceSVM,
    StructuredSVM,
)
from orange_structpred.running.cancellation import Cancelled, StopEarly
from tests.files.estimators import CLASSES, ROWS, Signs
from tests.problems.atomic.toy import TAGS, Tags, X, Y, common_words


class RankedTags(Tags):
    def construct_k_best(self, weights, x, k):
        rows = weights.reshape(len(x), -1)
        return sorted(map(list, product(TAGS, repeat=len(x))), key=lambda tags: -sum(
            rows[i, TAGS.index(tag)] for i, tag in enumerate(tags)))[:k]

    def marginals(self, weights, x):
        shares = np.exp(weights.reshape(len(x), -1))
        return shares / shares.sum(axis=1, keepdims=True)


class RankedSigns(Signs):
    def k_best(self, x, w, k):
        return sorted(((y, w @ self.joint_features(x, y)) for y in (-1, 1)),
                      key=lambda pair: -pair[1])[:k]

    def probabilities(self, x, w):
        return {y: 1 / (1 + np.exp(-2 * y * (w[0] * x + w[1]))) for y in (-1, 1)}


def test_callback_sees_every_pass_and_can_end_it():
    seen = []

    def until_two(report):
        seen.append(report)
        if report.end_of_pass and report.pass_ == 2:
            raise StopEarly

    svm = SequenceSVM(solver="mira", max_iter=20).fit(X, Y, callback=until_two)
    assert svm.n_iter_ == 2 and seen[-1].pass_ == 2
    assert "_training" not in vars(svm) and "_cluster" not in vars(svm)

    def cancel(report):
        raise Cancelled

    with pytest.raises(Cancelled):
        SequenceSVM(solver="mira").fit(X, Y, callback=cancel)


@pytest.mark.parametrize("estimator, inputs, outputs", [
    (SequenceSVM(solver="mira", max_iter=30), X, Y),
    (StructuredSVM(Tags, kernel=common_words, solver="subgradient", max_iter=30), X, Y),
    (MulticlassSVM(solver="perceptron", max_iter=30), ROWS, CLASSES)],
    ids=["sequences", "kernel", "classes"])
def test_patience_and_the_best_pass(estimator, inputs, outputs):
    estimator.fit(inputs[:4], outputs[:4], validation=(inputs[4:], outputs[4:]), patience=2)
    losses = [report.validation_loss for report in estimator.reports_]
    assert np.isfinite(losses).all()
    best = int(np.argmin(losses))
    assert len(losses) == min(30, best + 3)
    assert estimator.mean_loss(inputs[4:], outputs[4:]) == pytest.approx(losses[best])
    last = estimator.fit(inputs[:4], outputs[:4], keep="last",
                         validation=(inputs[4:], outputs[4:]))
    assert last.n_iter_ == 30


@pytest.mark.parametrize("estimator, inputs, outputs", [
    (SequenceCRF(C=10), X, Y),
    (GraphCRF(C=10), [(np.eye(2)[:, :1] - k, [(0, 1)]) for k in range(6)], [
        ["a", "b"], ["b", "b"]] * 3),
    # the grammar does not have all of the held-out trees
    (GrammarSVM(), [["n", "v"]] * 4 + [["n"], ["x"]], [
        "(S (n a) (v b))"] * 4 + ["(S (n a))", "(S (x a))"])],
    ids=["sequences", "graphs", "grammar"])
def test_held_out_examples_of_all_kinds(estimator, inputs, outputs):
    estimator.fit(inputs[:4], outputs[:4], validation=(inputs[4:], outputs[4:]))
    losses = [report.validation_loss for report in estimator.reports_]
    assert estimator.mean_loss(inputs[4:], outputs[4:]) == pytest.approx(min(losses))


@pytest.mark.parametrize("options, message", [
    ({"patience": 3}, "patience needs held-out examples"), ({"keep": "first"}, "keep must be"),
    ({"validation": X}, "validation is a pair"), ({"callback": 3}, "callback is a int"),
    ({"patience": 0, "validation": (X, Y)}, "patience"), ({"cluster": 3}, "no option 'cluster'"),
    ({"unlabelled": X}, "does not learn from unlabelled inputs"),
    ({"client": 3}, "expected a dask.distributed Client")])
def test_options_that_make_no_sense(options, message):
    with pytest.raises(InputError, match=message):
        SequenceSVM().fit(X, Y, **options)


def test_unlabelled_inputs_need_kernels():
    with pytest.raises(InputError, match="Signs has features, not kernels"):
        StructuredSVM(Signs).fit([1., 2.], [1, -1], unlabelled=[3.])


def test_k_best_scores_and_probabilities_of_atomic_problems():
    svm = StructuredSVM(RankedTags, kernel=common_words, C=50.).fit(X, Y)
    (first, score), (second, lower), *others = svm.predict_k_best(X[:1], 5)[0]
    assert first == svm.predict(X[:1])[0] and second != first and len(others) == 3
    assert score >= lower and score == pytest.approx(svm.decision_function(X[:1])[0])
    assert score == pytest.approx(svm.sufficient_weights(X[:1])[0].reshape(3, -1).max(
        axis=1).sum())
    np.testing.assert_allclose(svm.predict_proba(X)[0].sum(axis=1), 1)


def test_the_same_of_problems_with_features():
    svm = StructuredSVM(RankedSigns, C=50.).fit([1., -2., 3.], [1, -1, 1])
    (best, score), (worse, lower) = svm.predict_k_best([2.], 2)[0]
    assert (best, worse) == (1, -1) and score > lower
    assert svm.decision_function([2.])[0] == pytest.approx(score)
    assert svm.predict_proba([2.])[0][1] > 0.5


def test_the_score_of_features_of_any_kind():
    class SparseSigns(Signs):
        def joint_features(self, x, y):
            return sparse.csr_array(super().joint_features(x, y)[None, :])

        def predict(self, x, w):
            return Signs([x], [1]).predict(x, w)

        def separate(self, x, y, w):
            return Signs([x], [y]).separate(x, y, w)

    examples = [1., -2., 3.], [1, -1, 1]
    dense, rows = (StructuredSVM(made).fit(*examples).decision_function(examples[0])
                   for made in (Signs, SparseSigns))
    np.testing.assert_allclose(rows, dense)


def test_problems_without_them():
    svm = StructuredSVM(Tags).fit(X, Y)
    with pytest.raises(InputError, match="Tags has no method `construct_k_best`; define it"):
        svm.predict_k_best(X, 2)
    with pytest.raises(InputError, match="Tags has no method `marginals`"):
        svm.predict_proba(X)
    with pytest.raises(InputError, match="k"):
        svm.predict_k_best(X, 0)
    svm.problem = type("Odd", (Tags,), {
        "construct_k_best": lambda self, weights, x, k: None,
        "marginals": lambda self, weights, x: weights / 0 if x is X[0] else {}["p"]})
    with pytest.raises(InputError, match="construct_k_best returned None for example 0; "
                       "expected a list of outputs"):
        svm.predict_k_best(X, 2)
    with np.errstate(all="ignore"), pytest.raises(
            InputError, match="Odd.marginals failed for example 1: KeyError: 'p'"):
        svm.predict_proba(X)


@pytest.mark.parametrize("nonsense, message", [
    (lambda weights, x: None, "is not a set of symbols"),
    (lambda weights, x: ["N"] * (len(x) + 1), "is not valid: the symbol"),
    (lambda weights, x: [float("nan")] * len(x), "is not valid: the symbol"),
    (lambda weights, x: 3, "is not a set of symbols"),
    (lambda weights, x: weights[10**6], "Tags.construct failed for example")])
def test_a_construction_that_returns_nonsense(nonsense, message):
    kind = type("Tags", (Tags,), {"construct": lambda self, weights, x: nonsense(weights, x)})
    with pytest.raises(InputError, match=message):
        StructuredSVM(kind, kernel=common_words).fit(X, Y)
    svm = StructuredSVM(Tags, kernel=common_words).fit(X, Y)
    svm.problem = kind
    with pytest.raises(InputError, match=message):
        svm.predict(X)


@pytest.mark.parametrize("value", [float("nan"), None, {"a"}, [["a"]]])
def test_a_hash_that_returns_nonsense(value):
    kind = type("Tags", (Tags,), {"hash": lambda self, symbol, x: value})
    with pytest.raises(InputError, match="hash returned"):
        StructuredSVM(kind, kernel=common_words).fit(X, Y)
