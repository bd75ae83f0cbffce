"""Ridge regression and one-class SVMs, against closed forms and a general solver."""
import cvxopt
import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge

from orange_structpred import ParserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.kernels import FunctionKernel, make_kernel
from orange_structpred.parser import Parser
from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.kernel_model import KernelModel
from orange_structpred.problems import MulticlassSVM, StructuredSVM
from orange_structpred.problems.atomic.atomic_kernel import prepare_problem
from orange_structpred.svm import OneClass, Ridge
from orange_structpred.svm.atomic.closed_form import joint_gram
from tests.parsing.brute import HASH, TOYS, make_problem, phi, product, tree
from tests.problems.atomic.toy import (
    CHOICES,
    WORDS,
    Sets,
    Tags,
    X,
    Y,
    common_words,
    feature_counts,
)

OTHERS = [["the", "dog", "sees"], ["bark", "cats"]]


def gram(rows, columns):
    return np.array([[common_words(a, b) for b in columns] for a in rows], float)


def output_counts(problem):
    """phi(y_i), one row each, and the columns of hash values."""
    columns = {}
    counts = [feature_counts(problem, x, y) for x, y in zip(problem.X, problem.Y)]
    for own in counts:
        for value in own:
            columns.setdefault(value, len(columns))
    rows = np.zeros((len(counts), len(columns)))
    for row, own in zip(rows, counts):
        for value, count in own.items():
            row[columns[value]] = count
    return rows, columns


@pytest.mark.parametrize("gamma, C", [(0.5, 1.), (None, 3.)])
def test_ridge_is_kernel_ridge_regression_of_hash_values(gamma, C):
    problem = Tags(X, Y)
    counts, columns = output_counts(problem)
    regression = KernelRidge(alpha=len(X) / (2 * C) if gamma is None else gamma,
                             kernel="precomputed").fit(gram(X, X), counts)
    svm = StructuredSVM(Tags, kernel=common_words, solver="ridge", C=C,
                        solver_options={"gamma": gamma}).fit(X, Y)
    for inputs in (X, OTHERS):
        expected = regression.predict(gram(inputs, X))
        for x, row, weights in zip(inputs, expected, svm.sufficient_weights(inputs)):
            own = [sum(row[columns[value]] if value in columns else 0.
                       for value in problem.hash(symbol, x)) - 0.5 * 2
                   for symbol in problem.symbols(x)]
            np.testing.assert_allclose(weights, own, atol=1e-4)
    assert svm.score(X, Y) > 0.9
    assert len(svm.kernel_model_.support) == len(X)


def test_the_pre_image_of_ridge_is_the_nearest_set():
    """argmin of k(y, y) - 2 <phi(y), g(x)> over all sets of words, none of which share
    a value."""
    inputs = [["red", "cat", "bus"], ["cow"], ["rug", "box"]]
    outputs = [{"red"}, {"cow"}, set()]
    svm = StructuredSVM(Sets, kernel=common_words, solver="ridge", C=50).fit(inputs, outputs)
    problem = Sets(inputs, outputs)
    counts, columns = output_counts(problem)
    K = gram(inputs, inputs)
    images = K @ np.linalg.solve(K + len(inputs) / 100 * np.eye(len(inputs)), counts)
    for x, image, found in zip(inputs, images, svm.predict(inputs)):
        def distance(y, image=image, x=x):
            own = np.zeros(len(columns) + 1)
            for value, count in feature_counts(problem, x, y).items():
                own[columns.get(value, -1)] += count
            return own @ own - 2 * own[:-1] @ image

        assert distance(found) == pytest.approx(min(map(distance, problem.outputs(x))))


def test_the_norm_of_ridge():
    problem = prepare_problem(Tags(X, Y), FunctionKernel(common_words)).problem
    counts, _ = output_counts(Tags(X, Y))
    K = gram(X, X)
    A = np.linalg.inv(K + 0.7 * np.eye(len(X)))
    norm = np.trace(A @ counts @ counts.T @ A @ K)
    assert Ridge(gamma=0.7).solve(problem).reports[-1].norm == pytest.approx(norm**0.5, 1e-4)


def one_class_dual(J, bound):
    """min 1/2 alpha.J.alpha over 0 <= alpha <= bound with sum 1, by a general solver."""
    n = len(J)
    solution = cvxopt.solvers.qp(
        cvxopt.matrix(J), cvxopt.matrix(np.zeros(n)),
        cvxopt.matrix(np.vstack([-np.eye(n), np.eye(n)])),
        cvxopt.matrix(np.append(np.zeros(n), np.full(n, bound))),
        cvxopt.matrix(np.ones((1, n))), cvxopt.matrix(1.),
        options={"show_progress": False, "abstol": 1e-10, "reltol": 1e-10})
    return np.array(solution["x"]).ravel()


@pytest.mark.parametrize("C", [0.5, 2., 6.])
def test_one_class_is_the_dual_by_a_general_solver(C):
    problem = prepare_problem(Tags(X, Y), FunctionKernel(common_words)).problem
    counts, _ = output_counts(Tags(X, Y))
    J = gram(X, X) * (counts @ counts.T)
    np.testing.assert_allclose(joint_gram(problem), J, rtol=1e-6)
    alpha = one_class_dual(J + 1e-9 * np.eye(len(X)), max(C, 1.) / len(X))
    solution = OneClass(C=C, epsilon=1e-6).solve(problem)
    assert solution.reports[-1].norm**2 == pytest.approx(alpha @ J @ alpha, rel=1e-4)
    w = J @ alpha           # <w, phi(x_i, y_i)> is unique
    found = [solution.model.dot(i, problem.part_vector(
        i, parts := problem.parts(i, y), np.ones(len(parts), np.float32)))
        for i, y in enumerate(Y)]
    np.testing.assert_allclose(found, w, rtol=1e-3)


def test_one_class_learns_what_is_frequent():
    svm = StructuredSVM(Tags, kernel=common_words, solver="one-class").fit(X, Y)
    assert svm.predict([["the", "dog"]]) == [["D", "N"]]
    assert svm.score(X, Y) > 0.8


def test_ridge_of_trees_is_the_closed_form():
    """The score of a gold edge is a sum of joint kernels, weighted by (K + gamma I)^-1.
    All trees of a sentence are of one size: there is no term for it."""
    problem, known = make_problem(weights=(1., 0.25))
    model = Ridge(gamma=0.3).solve(problem).model
    parser = KernelModel.from_solution(model, HashFunctions(HASH, (1., 0.25)),
                                       make_kernel("ngram"), TOYS, known, None)
    outputs = [phi(x, [((tree(x)[d], d), 1.) for d in range(1, len(x) + 1)], HASH, (1., 0.25))
               for x in TOYS]
    weights = np.linalg.solve(problem.gram + 0.3 * np.eye(len(TOYS)),
                              problem.gram.astype(float))
    for i, x in enumerate(TOYS):
        parts = problem.parts(i, tree(x))
        found = problem.part_scores(i, parts, model)
        trained = parser.edge_scores(x)
        for d, score in enumerate(found, 1):
            edge = phi(x, [((tree(x)[d], d), 1.)], HASH, (1., 0.25))
            assert score == pytest.approx(
                sum(weight * product(own, edge) for weight, own in zip(
                    weights[:, i], outputs)), abs=1e-4)
            head = tree(x)[d]
            assert trained[head, d] == pytest.approx(score, abs=1e-5)
            assert sum(part.value for part in parser.contributions(x, head, d)
                       ) == pytest.approx(score, abs=1e-5)


@pytest.mark.parametrize("solver, kernel", [
    ("ridge", "ngram"), ("one-class", "ngram"), ("ridge", "constant")])
def test_parsers(solver, kernel, tmp_path):
    treebank = load_bundled("en")[:60]
    parser = ParserLearner("kernel", kernel=kernel, hash=["posTags2::dir"], solver=solver,
                           C=10, relations=False)(treebank)
    heads = parser.predict_heads(treebank)
    right = np.concatenate([own == x.heads for own, x in zip(heads, treebank.sentences)])
    assert right.mean() > 0.6
    parser.save(tmp_path / "parser.npz")
    for own, other in zip(Parser.load(tmp_path / "parser.npz").predict_heads(treebank), heads):
        np.testing.assert_array_equal(own, other)


def test_only_for_kernels():
    with pytest.raises(InputError, match="'ridge' is for kernels only; set features"):
        ParserLearner(solver="ridge").check()
    rows, classes = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(InputError, match="which ClassProblem does not have"):
        MulticlassSVM(solver="one-class").fit(rows, classes)
    with pytest.raises(InputError, match="Ridge cannot weigh examples; leave"):
        StructuredSVM(Sets, solver="ridge").fit(WORDS, CHOICES, sample_weight=[1, 2, 1, 1])
    with pytest.raises(InputError, match="gamma must be a number above 0, .*not -1"):
        StructuredSVM(Sets, solver="ridge", solver_options={"gamma": -1}).fit(WORDS, CHOICES)
