import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.kernels import (
    BagOfWords,
    FunctionKernel,
    KernelError,
    Ngram,
    Precomputed,
    Sum,
    make_kernel,
)
from tests.kernels.toys import TOYS, sentence


def common_words(a, b):
    return len(set(a.forms) & set(b.forms))


def test_function():
    kernel = make_kernel(common_words)
    expected = [[common_words(a, b) for b in TOYS] for a in TOYS]
    assert_allclose(kernel.gram(TOYS), expected)
    assert_allclose(kernel.gram(TOYS[:2], TOYS[1:]), np.array(expected)[:2, 1:])
    assert_allclose(kernel.diagonal(TOYS), np.diag(expected))
    assert kernel.name == "common_words"


def test_function_on_any_inputs():
    assert_allclose(make_kernel(lambda a, b: a * b).gram([1, 2, 3]),
                    np.outer([1, 2, 3], [1, 2, 3]))


def test_function_is_called_once_for_most_pairs():
    calls = []

    def counted(a, b):
        calls.append((a, b))
        return a * b

    n = 200
    make_kernel(counted).gram(list(range(n)))
    # One half of the matrix, 40 x 40 that are tried first, 4 a row there and back.
    assert len(calls) == n * (n + 1) / 2 + 40 * 40 + 8 * n


@pytest.mark.parametrize("function, message", [
    (lambda a, b: float("nan"), "is nan for sentence 1 .* and sentence 1"),
    (lambda a, b: float("inf"), "is inf for sentence 1"),
    (lambda a, b: len(a) - 2 * len(b),
     r"not symmetric: 1 for sentence 1 \(.*\) and sentence 3 \('Dogs bark'\), but -8"),
    (lambda a, b: -1.0, "not positive semi-definite: sentence 1 .* has -1 with itself"),
    (lambda a, b: 1.0 if a is b else 2.0,
     "sentence 1 .* and sentence 2 .* have 2, but with themselves only 1 and 1"),
    (lambda a, b: a.forms[4] == b.forms[4],
     "failed on sentence 1 .* and sentence 3 .*IndexError: list index out of range"),
    (lambda a, b: "much", "failed on .* could not convert string to float"),
    (lambda a, b: None, "failed on sentence 1 .*TypeError")])
def test_functions_that_are_no_kernels(function, message):
    kernel = make_kernel(function)
    with pytest.raises(KernelError, match=message) as caught:
        kernel.gram(TOYS)
    assert "<lambda>" in str(caught.value)
    with pytest.raises(KernelError):
        Sum([Ngram(), kernel]).gram(TOYS, TOYS)


def test_functions_that_are_no_kernels_of_a_few_inputs():
    """The two inputs that do not fit are not among those that are tried first."""
    def function(a, b):
        return 2. if {a, b} == {100, 101} else float(a == b)

    for kernel in (make_kernel(function), Sum([make_kernel(function)])):
        kernel.gram(range(100))
        with pytest.raises(KernelError, match=r"input 101 .* and input 102 .* have 2, but "
                           "with themselves only 1 and 1"):
            kernel.gram(range(200))


def test_no_pair_explains_it():
    """Each pair is fine, but the three of them together are not."""
    places = {id(x): i for i, x in enumerate(TOYS[:3])}
    matrix = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    kernel = make_kernel(lambda a, b: matrix[places[id(a)], places[id(b)]])
    with pytest.raises(KernelError, match="eigenvalues from -0.8 to 1.9"):
        kernel.gram(TOYS[:3])


def test_asymmetry_that_the_first_trial_does_not_meet():
    """Only one input of 200 is at odds: found when its row is computed."""
    def odd(a, b):
        return 2.0 if a == 77 and b != 77 else 1.0

    with pytest.raises(KernelError, match=r"odd.*not symmetric.*input 78 \('77'\)"):
        make_kernel(odd).gram(list(range(200)))


def test_precomputed():
    gram = Ngram().gram(TOYS)
    kernel = Precomputed(gram, TOYS)
    assert (kernel.gram(TOYS) == gram).all()
    assert (kernel.gram(TOYS[3:1:-1], TOYS[::-1]) == gram[3:1:-1, ::-1]).all()
    assert_allclose(kernel.diagonal(TOYS[1:3]), np.diag(gram)[1:3])


def test_precomputed_finds_a_sentence_without_its_heads():
    kernel = Precomputed(Ngram().gram(TOYS), TOYS)
    other = TOYS[1].with_heads([-1] * len(TOYS[1]))
    assert kernel.gram([other], [TOYS[1]])[0, 0] == pytest.approx(1)


def change(i, j, value):
    matrix = BagOfWords().gram(TOYS)
    matrix[i, j] = value
    return matrix


@pytest.mark.parametrize("matrix, message", [
    (np.eye(3), r"shape \(3, 3\), expected 6 rows and columns"),
    (change(1, 2, 7), "not symmetric: 7 for sentence 2 .* and sentence 3 .* but 0"),
    (change(4, 4, np.nan), "is nan for sentence 5 .* and sentence 5"),
    (change(0, 0, -1), "not positive semi-definite: sentence 1 .* has -1 with itself"),
    (change(0, 0, 1), "not positive semi-definite: sentence 1 .* and sentence ")])
def test_matrices_that_are_no_kernels(matrix, message):
    with pytest.raises(KernelError, match=message) as caught:
        Precomputed(matrix, TOYS)
    assert "precomputed" in str(caught.value)


def test_precomputed_does_not_know_all_inputs():
    kernel = Precomputed(np.eye(2), TOYS[:2])
    with pytest.raises(KernelError, match=r"sentence 1 \('Dogs bark'\) is not among the "
                                          "2 inputs"):
        kernel.gram(TOYS[2:3], TOYS[:2])


def test_precomputed_cannot_tell_inputs_apart():
    with pytest.raises(KernelError, match="sentence 1 .* and sentence 2 .* cannot be told"
                                          " apart"):
        Precomputed(np.eye(2), [sentence("a b"), sentence("a b")])


def test_large_matrix_is_checked_throughout():
    matrix = np.eye(600, dtype=np.float32)
    Precomputed(matrix, list(range(600)))
    matrix[599, 300] = 0.5
    with pytest.raises(KernelError, match="0 for input 301 .* and input 600"):
        Precomputed(matrix, list(range(600)))


def test_what_is_no_function():
    with pytest.raises(KernelError, match="found 3, expected a function"):
        FunctionKernel(3)
