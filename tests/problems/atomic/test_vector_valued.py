"""Kernel PCA, operator-valued kernels and unlabelled inputs, against closed forms."""
import numpy as np
import pytest
from scipy.linalg import null_space

from orange_structpred.errors import InputError
from orange_structpred.kernels import FunctionKernel
from orange_structpred.problems import StructuredSVM
from orange_structpred.problems.atomic.atomic_kernel import prepare_problem
from orange_structpred.svm import BCFW, KernelPCA, Ridge, VectorRidge
from orange_structpred.svm.atomic.laplacian import (
    Smoothness,
    graph_laplacian,
    neighbour_graph,
    smoothed_gram,
    smoothing_transform,
)
from tests.problems.atomic.test_atomic import cholesky_problem
from tests.problems.atomic.test_closed_form import OTHERS, gram, output_counts
from tests.problems.atomic.toy import Tags, X, Y, common_words

GAMMA = 0.7
UNLABELLED = [text.split() for text in (
    "the cow barks", "a cow sees", "cats bark", "see cats", "zebra")]


def trained(solver, **options):
    return StructuredSVM(Tags, kernel=common_words, solver=solver,
                         solver_options={"gamma": GAMMA, **options}).fit(X, Y)


def scores(svm, inputs, images, columns):
    """Pairs of sufficient weights and what images of inputs say they should be."""
    problem = Tags(X, Y)
    for x, image, weights in zip(inputs, images, svm.sufficient_weights(inputs)):
        yield weights, [sum(image[columns[value]] if value in columns else 0.
                            for value in problem.hash(symbol, x)) - 0.5 * 2
                        for symbol in problem.symbols(x)]


@pytest.mark.parametrize("components, count", [(2, 2), (0.8, None), (6, 6)])
def test_kernel_pca_predicts_coordinates_of_principal_components(components, count):
    counts, columns = output_counts(Tags(X, Y))
    _, sizes, axes = np.linalg.svd(counts, full_matrices=False)     # axes: components
    if count is None:
        count = int(np.searchsorted(np.cumsum(sizes**2) / (sizes**2).sum(), 0.8)) + 1
    coordinates = counts @ axes[:count].T
    K = gram(X, X)
    regression = np.linalg.solve(K + GAMMA * np.eye(len(X)), coordinates)
    svm = trained("kernel-pca", components=components)
    for inputs in (X, OTHERS):
        images = gram(inputs, X) @ regression @ axes[:count]
        for found, expected in scores(svm, inputs, images, columns):
            np.testing.assert_allclose(found, expected, atol=1e-4)


def test_all_components_are_ridge_regression():
    one, other = trained("kernel-pca", components=len(X)), trained("ridge")
    for found, expected in zip(one.sufficient_weights(OTHERS),
                               other.sufficient_weights(OTHERS)):
        np.testing.assert_allclose(found, expected, atol=1e-4)


@pytest.mark.parametrize("mix", [0., 0.5, 1.])
def test_vector_ridge_solves_equation_8_3(mix):
    """All n times d equations at once, with the operator as a matrix."""
    counts, columns = output_counts(Tags(X, Y))
    n, d = counts.shape
    operator = (1 - mix) * np.eye(d) + mix * counts.T @ counts / np.linalg.norm(counts, 2)**2
    K = gram(X, X)
    c = np.linalg.solve(np.kron(K, operator) + GAMMA * np.eye(n * d),
                        counts.ravel()).reshape(n, d)
    svm = trained("vector-ridge", mix=mix)
    for inputs in (X, OTHERS):
        images = gram(inputs, X) @ c @ operator
        for found, expected in scores(svm, inputs, images, columns):
            np.testing.assert_allclose(found, expected, atol=1e-4)
    norm = np.einsum("ij,id,jd->", K, c, c @ operator)
    assert svm.reports_[-1].norm == pytest.approx(norm**0.5, 1e-4)


def test_coarse_hash_values_beside_fine_ones_are_an_operator_valued_kernel():
    """The vector-valued SVM (003, section 8.2) with K(x, x') = k(x, x') A: A = I + B'B,
    where B makes coarse values of fine ones, and features are A^(1/2) phi(y)."""
    class Coarse(Tags):
        def hash(self, symbol, x):
            return [*super().hash(symbol, x), ("verb", symbol[1] == "V")]

    # each symbol has two fine values, which share its one coarse value
    coarse = np.array([[0.5 * ((value[2] == "V") == verb) for value in Tags(X, Y).known]
                       for verb in (False, True)])
    root = np.linalg.cholesky(np.eye(coarse.shape[1]) + coarse.T @ coarse).T
    solver = BCFW(C=5., epsilon=1e-5, passes=2000)
    expected = solver.solve(cholesky_problem(Tags, X, Y, common_words, root))
    problem = prepare_problem(Coarse(X, Y), FunctionKernel(common_words)).problem
    assert solver.solve(problem).reports[-1].primal == pytest.approx(
        expected.reports[-1].primal, abs=1e-4)


@pytest.mark.parametrize("solver, wrong", [
    (KernelPCA, {"components": 0}), (KernelPCA, {"components": 1.5}),
    (KernelPCA, {"components": True}), (VectorRidge, {"mix": 2}),
    (VectorRidge, {"mix": -0.1}), (Ridge, {"gamma": 0})])
def test_options_that_make_no_sense(solver, wrong):
    problem = prepare_problem(Tags(X, Y), FunctionKernel(common_words)).problem
    with pytest.raises(InputError, match=next(iter(wrong))):
        solver(**wrong).solve(problem)


# unlabelled inputs

def laplacian_of(K, neighbours):
    """The graph, edge by edge."""
    n = len(K)
    squared = np.add.outer(np.diag(K), np.diag(K)) - 2 * K
    pairs = {}
    for i in range(n):
        order = sorted((j for j in range(n) if j != i and K[i, j] > 0),
                       key=lambda j, i=i: squared[i, j])[:neighbours]
        pairs.update({(i, j): squared[i, j] for j in order})
    width = np.mean(list(pairs.values()))
    W = np.zeros((n, n))
    for (i, j), distance in pairs.items():
        W[i, j] = W[j, i] = np.exp(-distance / width)
    D = W.sum(axis=1)
    return (np.diag(D) - W) / (D.sum() / np.count_nonzero(D))


def random_gram(n=30, seed=0):
    rows = np.random.default_rng(seed).normal(size=(n, 5))
    return rows, rows @ rows.T + 3


def test_the_graph_against_a_loop_over_pairs():
    _, K = random_gram()
    found = graph_laplacian(neighbour_graph(K.astype(np.float32), 4)).toarray()
    np.testing.assert_allclose(found, laplacian_of(K, 4), atol=1e-5)
    np.testing.assert_allclose(found @ np.ones(len(K)), 0, atol=1e-9)


@pytest.mark.parametrize("weight", [0.1, 5.])
def test_ridge_with_unlabelled_inputs_is_laplacian_regularized_least_squares(weight):
    """c = (J K + gamma I + gamma * weight * L K)^-1 Y of Belkin, Niyogi and Sindhwani;
    all inputs are neighbours, since many are equally far from each other."""
    counts, columns = output_counts(Tags(X, Y))
    inputs = X + UNLABELLED
    K, n = gram(inputs, inputs), len(inputs)
    labelled = np.diag([1.] * len(X) + [0.] * len(UNLABELLED))
    c = np.linalg.solve(
        labelled @ K + GAMMA * np.eye(n) + GAMMA * weight * laplacian_of(K, n) @ K,
        np.vstack([counts, np.zeros((len(UNLABELLED), counts.shape[1]))]))
    svm = StructuredSVM(Tags, kernel=common_words, solver="ridge", smoothness=weight,
                        neighbours=n, solver_options={"gamma": GAMMA})
    svm.fit(X, Y, unlabelled=UNLABELLED)
    for rows in (X, OTHERS):
        for found, expected in scores(svm, rows, gram(rows, inputs) @ c, columns):
            np.testing.assert_allclose(found, expected, atol=2e-4)
    assert len(svm.kernel_model_.support) == n


def test_smoothing_is_a_kernel_whose_norm_has_the_sum_over_edges():
    """|f|^2 with the new kernel is |f|^2 + weight * f' L f with the old one."""
    _, K = random_gram()
    T = smoothing_transform(K, len(K), Smoothness(2., 4)).astype(float)
    smoothed = K @ T
    np.testing.assert_allclose(smoothed, smoothed.T, atol=1e-3)
    L = laplacian_of(K, 4)
    c = np.random.default_rng(1).normal(size=len(K))
    f = smoothed @ c
    old = null_space_free_norm(K, f)
    assert c @ smoothed @ c == pytest.approx(old + 2. * f @ L @ f, rel=1e-3)


def null_space_free_norm(K, f):
    """The norm in the space of K of the function with values f."""
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-8 * values[-1]
    assert null_space(K).shape[1] == len(K) - np.count_nonzero(kept)
    return np.sum((vectors[:, kept].T @ f)**2 / values[kept])


@pytest.mark.parametrize("solver", ["bcfw", "one-slack", "n-slack", "subgradient",
                                    "one-class", "kernel-pca", "vector-ridge"])
def test_every_solver_learns_from_unlabelled_inputs(solver):
    svm = StructuredSVM(Tags, kernel=common_words, solver=solver, C=50., tol=0.1)
    with_others = svm.fit(X, Y, unlabelled=UNLABELLED).sufficient_weights(OTHERS)
    assert svm.score(X, Y) > 0.8
    without = svm.fit(X, Y).sufficient_weights(OTHERS)
    assert any(not np.allclose(a, b, atol=1e-3) for a, b in zip(with_others, without))


def test_training_and_prediction_see_the_same_values():
    """The Gram matrix of the solver is the one that the model computes for the same
    inputs."""
    kernel = FunctionKernel(common_words)
    prepared = prepare_problem(Tags(X, Y), kernel, unlabelled=UNLABELLED)
    K = kernel.gram(X + UNLABELLED)
    np.testing.assert_allclose(smoothed_gram(K, prepared.input_transform),
                               prepared.problem.gram, rtol=1e-5)
    np.testing.assert_allclose(K[:len(X)] @ prepared.input_transform, prepared.problem.gram,
                               atol=1e-4)


def test_isolated_inputs_are_named_and_do_no_harm():
    svm = StructuredSVM(Tags, kernel=lambda a, b: len(set(a) & set(b)), solver="ridge",
                        C=50.)
    with pytest.warns(UserWarning, match="1 of 11 inputs have nothing in common"):
        svm.fit(X, Y, unlabelled=UNLABELLED)
    assert svm.score(X, Y) > 0.8
    with pytest.warns(UserWarning, match="1 of 7 inputs"):
        found = svm.fit(X, Y, unlabelled=[["zebra"]]).predict(OTHERS)
    assert [len(y) for y in found] == [3, 2]


@pytest.mark.parametrize("unlabelled, message", [
    (["a text"], "unlabelled input 0 is a str; expected a list, as in X"),
    ([], "unlabelled is empty"), (3, "X is a int|unlabelled")])
def test_unlabelled_inputs_of_another_form(unlabelled, message):
    svm = StructuredSVM(Tags, kernel=common_words)
    with pytest.raises(InputError, match=message):
        svm.fit(X, Y, unlabelled=unlabelled)


def test_unlabelled_inputs_need_a_kernel_that_compares_inputs():
    with pytest.raises(InputError, match="all inputs are alike by this kernel"):
        StructuredSVM(Tags, solver="ridge").fit(X, Y, unlabelled=UNLABELLED)


def test_unlabelled_rows_of_another_length():
    class Signs(Tags):
        def symbols(self, x):
            return ["+", "-"]

        def hash(self, symbol, x):
            return symbol

        def construct(self, weights, x):
            return ["+-"[int(np.argmax(weights))]]

        def symbols_of(self, y):
            return y

    rows = np.random.default_rng(0).normal(size=(6, 3))
    svm = StructuredSVM(Signs, kernel=lambda a, b: float(a @ b) + 1, C=10.)
    svm.fit(rows, [["+" if x[0] > 0 else "-"] for x in rows], unlabelled=rows + 1)
    with pytest.raises(InputError, match="unlabelled input 0 has 2 values; expected 3"):
        svm.fit(rows, [["+"]] * 6, unlabelled=rows[:, :2])
