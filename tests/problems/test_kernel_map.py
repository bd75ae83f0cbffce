"""Kernels in the place of features."""
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from orange_structpred.errors import InputError
from orange_structpred.kernels import Ngram, Nystroem
from orange_structpred.problems import MulticlassSVM, SequenceSVM, TaxonomySVM
from orange_structpred.problems.kernel_map import KernelMap

X, Y = (own[::4] for own in load_iris(return_X_y=True))
EXACT = {"tol": 1e-4, "max_iter": 5000}


def test_features_have_the_products_of_the_kernel():
    rng = np.random.default_rng(0)
    rows, others = rng.normal(size=(20, 3)), rng.normal(size=(5, 3))
    own = KernelMap("rbf", {"gamma": 0.5})
    z = own.fit_transform(rows)
    np.testing.assert_allclose(z @ z.T, rbf_kernel(rows, gamma=0.5), atol=1e-8)
    np.testing.assert_allclose(own.transform(others) @ z.T,
                               rbf_kernel(others, rows, gamma=0.5), atol=1e-7)


def test_linear_kernel_is_no_kernel():
    plain = MulticlassSVM(C=3, **EXACT).fit(X, Y)
    kernel = MulticlassSVM(C=3, kernel="linear", **EXACT).fit(X, Y)
    assert kernel.reports_[-1].primal == pytest.approx(plain.reports_[-1].primal, rel=1e-3)
    np.testing.assert_allclose(kernel.decision_function(X), plain.decision_function(X),
                               atol=0.05)


def test_two_classes_are_those_of_svc():
    """With two classes and no intercept, SVC has the same dual."""
    own, y = X[Y > 0], Y[Y > 0]
    C, gamma = 30., 0.3
    kernel = MulticlassSVM(C=C, kernel="rbf", kernel_params={"gamma": gamma},
                           fit_intercept=False, **EXACT).fit(own, y)
    K = rbf_kernel(own, gamma=gamma)
    signs = np.where(y == y[-1], 1, -1)
    beta = kernel.dual_coef_[:, 1]
    np.testing.assert_allclose(kernel.dual_coef_[:, 0], -beta, atol=1e-4)
    assert ((beta * signs > -1e-4) & (beta * signs < C / len(own) + 1e-4)).all()
    np.testing.assert_allclose(kernel.decision_function(own), 2 * K @ beta, atol=1e-4)
    # a difference of two class scores is the score of SVC with a kernel twice as large
    svc = SVC(C=C / len(own), kernel="rbf", gamma=gamma).fit(own, y)
    assert (kernel.predict(own) == svc.predict(own)).mean() > 0.9
    assert 0 < len(kernel.support_) < len(own)
    outside = np.setdiff1d(np.arange(len(own)), kernel.support_)
    margins = signs[outside] * kernel.decision_function(own)[outside]
    assert (margins > 1 - 1e-3).all()           # beyond the margin: no support vectors


def test_what_no_linear_model_learns():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(80, 2))
    ring = (np.linalg.norm(points, axis=1) > 1.1).astype(int)
    assert MulticlassSVM(C=100).fit(points, ring).score(points, ring) < 0.75
    assert MulticlassSVM(C=100, kernel="rbf").fit(points, ring).score(points, ring) > 0.95

    def product(one, other):
        return (1 + one @ other)**2

    own = MulticlassSVM(C=100, kernel=product).fit(points, ring)
    named = MulticlassSVM(C=100, kernel="poly", kernel_params={
        "degree": 2, "gamma": 1, "coef0": 1}).fit(points, ring)
    np.testing.assert_array_equal(own.predict(points), named.predict(points))


def test_taxonomy():
    names = np.array(["a/setosa", "b/versicolor", "b/virginica"])[Y]
    plain = TaxonomySVM(C=3, **EXACT).fit(X, names)
    kernel = TaxonomySVM(C=3, kernel="linear", **EXACT).fit(X, names)
    assert kernel.reports_[-1].primal == pytest.approx(plain.reports_[-1].primal, rel=1e-3)
    # a column for each node: a, a/setosa, b, b/versicolor, b/virginica
    assert kernel.dual_coef_.shape == (38, 5) and len(kernel.nodes_) == 5
    np.testing.assert_allclose(kernel.dual_coef_[:, 2],
                               kernel.dual_coef_[:, 3] + kernel.dual_coef_[:, 4], atol=1e-6)


def test_sequences():
    rng = np.random.default_rng(0)
    labels = [rng.integers(0, 2, 5) for _ in range(20)]
    # the label is the exclusive or of two features
    points = [np.column_stack([bits := rng.integers(0, 2, 5), bits ^ own])
              for own in labels]
    plain, kernel = (SequenceSVM(C=100, kernel=name).fit(points, labels)
                     for name in (None, "rbf"))
    assert plain.score(points, labels) < 0.8 and kernel.score(points, labels) == 1
    assert kernel.dual_coef_.shape == (100, 2) and len(kernel.support_) > 1
    assert kernel.transition_weights_.shape == (2, 2)
    with pytest.raises(AttributeError, match="no weights of features"):
        _ = kernel.emission_weights_
    # the same exclusive or in words
    words = [[{"a": x[0], "b": x[1]} for x in own.tolist()] for own in points]
    named = SequenceSVM(C=100, kernel="rbf").fit(words, labels)
    assert named.score(words, labels) == 1


@pytest.mark.parametrize("kernel, parameters, message", [
    ("gaussian", None, "unknown kernel 'gaussian'; valid kernels are"),
    (3, None, "kernel is 3"),
    ("rbf", 3, "kernel_params is 3"),
    ("rbf", {"width": 3}, "kernel 'rbf'.*width"),
    (lambda one, other: -one @ other, None, "not positive definite"),
    (lambda one, other: np.nan, None, "not finite"),
])
def test_bad_kernels(kernel, parameters, message):
    with pytest.raises(InputError, match=message):
        MulticlassSVM(kernel=kernel, kernel_params=parameters).fit(X, Y)


def test_too_many_rows():
    with pytest.raises(InputError, match="a kernel of 10,001 rows"):
        KernelMap("rbf").fit_transform(np.zeros((10001, 1)))
    few = Nystroem(Ngram(n=2), landmarks=3)
    assert KernelMap(few).fit_transform(["to", "be", "or", "not"] * 3000).shape == (12000, 3)


def test_landmarks(tmp_path):
    """With all inputs as landmarks, the approximation is the kernel itself; with some of
    them, predictions depend on these alone."""
    words = [stem + ending for stem in ("walk", "talk", "park") for ending in ("ed", "ing")]
    classes = ["past", "present"] * 3
    exact = MulticlassSVM(kernel=Ngram(n=3), C=10, **EXACT).fit(words, classes)
    same = MulticlassSVM(kernel=Nystroem(Ngram(n=3)), C=10, **EXACT).fit(words, classes)
    np.testing.assert_allclose(same.decision_function(words),
                               exact.decision_function(words), atol=1e-3)
    few = MulticlassSVM(kernel=Nystroem(Ngram(n=3), landmarks=4), C=10).fit(words, classes)
    assert few.score(words, classes) == 1 and len(few.dual_coef_) == 4
    few.save(tmp_path / "few.npz")
    assert list(MulticlassSVM.load(tmp_path / "few.npz").predict(["barking"])) == ["present"]
