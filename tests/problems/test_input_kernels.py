"""Kernels of inputs in problems with features of their own."""
import numpy as np
import pytest

from orange_structpred.errors import InputError
from orange_structpred.kernels import (
    BagOfWords,
    Constant,
    Ngram,
    Precomputed,
    Product,
    Sum,
)
from orange_structpred.problems import AlignmentSVM, GrammarSVM, read_alignment
from orange_structpred.problems.input_kernels import TensorProblem
from tests.files.estimators import STRINGS, TREES

PAIRS = [("GATTACA", ["CCGTCC", "GATACA"]), ("TTAGC", ["TAGGC", "CCCCA"]),
         ("GATTAC", ["GATAC", "CCTCC"])]
ALIGNED = [(1, read_alignment("GATTACA", "GAT-ACA")),
           (0, read_alignment("TTAG-C", "-TAGGC")), (0, read_alignment("GATTAC", "GAT-AC"))]


def letters_in_common(a, b):
    return float(len(set(a) & set(b)))


@pytest.mark.parametrize("kernel", [
    Ngram(n=2), Sum([Constant(), BagOfWords()]), Product([BagOfWords(), Ngram(n=2)]),
    letters_in_common, Precomputed(np.eye(3) + 1, [native for native, _ in PAIRS])],
    ids=["ngram", "sum", "product", "function", "precomputed"])
def test_alignments(kernel):
    svm = AlignmentSVM(kernel=kernel, C=50.).fit(PAIRS, ALIGNED)
    assert svm.score(PAIRS, ALIGNED) == 1
    first, second = PAIRS[0][0], PAIRS[0][1][1]
    assert svm.align(first, second).score == pytest.approx(
        svm.decision_function(PAIRS)[0][1], rel=1e-5)
    with pytest.raises(AttributeError, match="with a kernel, the score of gaps depends"):
        svm.gap_  # noqa: B018


def test_a_constant_kernel_is_none():
    """It makes all inputs equal: the tensor product has the same scores."""
    svm = AlignmentSVM(C=50., tol=1e-5).fit(PAIRS, ALIGNED)
    other = AlignmentSVM(kernel=Constant(), C=50., tol=1e-5).fit(PAIRS, ALIGNED)
    for one, two in zip(svm.decision_function(PAIRS), other.decision_function(PAIRS)):
        np.testing.assert_allclose(one, two, atol=0.01)
    assert svm.reports_[-1].primal == pytest.approx(other.reports_[-1].primal, rel=1e-3)


@pytest.mark.parametrize("kernel", [Ngram(n=2), letters_in_common, Sum([Constant(), Ngram()])],
                         ids=["ngram", "function", "sum"])
def test_grammars(kernel):
    parser = GrammarSVM(kernel=kernel, C=50.).fit(STRINGS, TREES)
    assert parser.score(STRINGS, TREES) == 1
    (best, score), *_ = parser.predict_k_best(STRINGS[:1], 2)[0]
    assert str(best) == str(parser.predict(STRINGS[:1])[0]) and np.isfinite(score)
    assert parser.predict([["DT", "NN", "VBZ"]])[0].label == "FRAG"
    with pytest.raises(AttributeError, match="the weight of a rule depends on the input"):
        parser.rule_weights()


def test_the_tensor_product_agrees_with_its_definition():
    """<phi(x, y), phi(x', y')> is the kernel times the product of the problem's own
    features, and all methods agree."""
    svm = AlignmentSVM(kernel=letters_in_common, C=50.).fit(PAIRS, ALIGNED)
    inputs = svm._encode(PAIRS, fitting=False)
    outputs = svm._encode_outputs(inputs, ALIGNED, fitting=False)
    problem = svm._problem(inputs, outputs)
    assert isinstance(problem, TensorProblem)
    assert problem.dim == 3 * (len(svm.letters_)**2 + 1)

    def dense(problem, x, y):
        phi = problem.joint_features(x, y)
        full = np.zeros(problem.dim)
        np.add.at(full, phi.indices, phi.values)
        return full

    for i in range(3):
        for j in range(3):
            expected = letters_in_common(PAIRS[i][0], PAIRS[j][0]) * (
                dense(problem.problem, problem.X[i].x, outputs[i])
                @ dense(problem.problem, problem.X[j].x, outputs[j]))
            assert dense(problem, problem.X[i], outputs[i]) @ dense(
                problem, problem.X[j], outputs[j]) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("kernel, message", [
    (lambda a, b: a - b, "failed on"),
    (lambda a, b: float("nan"), "is nan"), (lambda a, b: -1., "not positive"),
    (3, "kernel is 3"), ("precomputed", r"pass kernel=Precomputed\(matrix, inputs\)")])
def test_kernels_that_do_not_fit_the_inputs(kernel, message):
    with pytest.raises(InputError, match=message):
        AlignmentSVM(kernel=kernel).fit(PAIRS, ALIGNED)
    if isinstance(kernel, str):
        with pytest.raises(InputError, match=message):
            GrammarSVM(kernel=kernel).fit(STRINGS, TREES)
