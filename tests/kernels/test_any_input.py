"""Kernels on strings, lists and vectors, against plain Python; in estimators."""
from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from orange_structpred.errors import InputError
from orange_structpred.kernels import (
    AnnotatedNgram,
    BagOfWords,
    Gaussian,
    KernelError,
    Ngram,
    PolynomialBagOfWords,
    Precomputed,
    Product,
    SubsetTree,
    Sum,
    Tree,
)
from orange_structpred.problems import MulticlassSVM, SequenceSVM, TaxonomySVM
from orange_structpred.treebank import Sentence

WORDS = ["walked", "talked", "parked", "walking", "talking", "parking"]
ENDINGS = ["ed"] * 3 + ["ing"] * 3
LISTS = [list(word) for word in WORDS]
VECTORS = np.random.default_rng(0).normal(size=(6, 3))


def common_subsequences(a, b, n, decay):
    """The n-gram kernel, all subsequences tried."""
    def weights(x):
        found = {}
        for size in range(1, n + 1):
            for indices in combinations(range(len(x)), size):
                key = tuple(x[i] for i in indices)
                span = indices[-1] - indices[0] + 1
                found[key] = found.get(key, 0) + decay**span
        return found

    one, other = weights(a), weights(b)
    return sum(weight * other.get(key, 0) for key, weight in one.items())


def test_strings_are_their_characters_and_lists_their_items():
    gram = Ngram(n=3, normalized=False).gram(WORDS)
    expected = [[common_subsequences(a, b, 3, 0.5) for b in WORDS] for a in WORDS]
    np.testing.assert_allclose(gram, expected, rtol=1e-5)
    np.testing.assert_array_equal(Ngram(n=3, normalized=False).gram(LISTS), gram)
    numbers = [[ord(character) for character in word] for word in WORDS]
    np.testing.assert_array_equal(Ngram(n=3, normalized=False).gram(numbers), gram)
    np.testing.assert_allclose(Ngram(n=3).gram(WORDS[:2], LISTS_AS_STRINGS),
                               Ngram(n=3).gram(WORDS)[:2, 2:])


LISTS_AS_STRINGS = WORDS[2:]


def test_bags_of_anything():
    expected = [[sum(a.count(c) * b.count(c) for c in set(a)) for b in WORDS]
                for a in WORDS]
    np.testing.assert_array_equal(BagOfWords().gram(WORDS), expected)
    np.testing.assert_array_equal(BagOfWords().gram(LISTS), expected)


def test_vectors_are_compared_as_they_are():
    rows, columns = list(VECTORS[:2]), list(VECTORS[2:])
    for kernel, expected in (
            (BagOfWords(), linear_kernel(VECTORS)),
            (PolynomialBagOfWords(degree=3), polynomial_kernel(VECTORS, gamma=1, degree=3)),
            (Gaussian(gamma=0.3), rbf_kernel(VECTORS, gamma=0.3))):
        np.testing.assert_allclose(kernel.gram(VECTORS), expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(kernel.gram(rows, columns), expected[:2, 2:], rtol=1e-5,
                                   atol=1e-6)
        np.testing.assert_allclose(kernel.diagonal(VECTORS), np.diag(expected), rtol=1e-6)


TREES = [Tree.parse(f"(S (NP {a}) (VP {b}))") for a, b in (
    ("it", "works"), ("she", "works"), ("it", "fails"), ("he", "works"), ("he", "fails"),
    ("she", "fails"))]
# not by a kernel of the library, which would be compiled when tests are collected
PLAIN_GRAM = np.array([[common_subsequences(a, b, 2, 0.5) for b in WORDS] for a in WORDS])
WORKS = [str("works" in tree.words()) for tree in TREES]


@pytest.mark.parametrize("kernel, inputs", [
    (Gaussian(), VECTORS), (BagOfWords(), WORDS), (Ngram(), LISTS), (SubsetTree(), TREES)])
def test_no_rows(kernel, inputs):
    assert kernel.gram([], inputs).shape == (0, len(inputs))


@pytest.mark.parametrize("kernel, inputs, classes", [
    (Ngram(n=2), WORDS, ENDINGS), (Ngram(n=2), LISTS, ENDINGS),
    (Sum([Ngram(n=2), BagOfWords(normalized=True)]), WORDS, ENDINGS),
    (Product([Ngram(n=2), BagOfWords(normalized=True)]), WORDS, ENDINGS),
    (lambda a, b: len(set(a) & set(b)), WORDS, ENDINGS),
    (lambda a, b: float(a[-1] == b[-1]), LISTS, ENDINGS),
    (SubsetTree(), TREES, WORKS),
    (Precomputed(PLAIN_GRAM, WORDS), WORDS, ENDINGS),
    (Precomputed(PLAIN_GRAM, LISTS), LISTS, ENDINGS),
    (Gaussian(gamma=1.), VECTORS, ENDINGS)])
def test_classes_of_anything(kernel, inputs, classes):
    svm = MulticlassSVM(kernel=kernel, C=1000).fit(inputs, classes)
    assert svm.score(inputs, classes) == 1
    assert len(svm.support_) and svm.dual_coef_.shape == (6, 2)
    tree = TaxonomySVM(taxonomy=dict.fromkeys(set(classes), "all"), kernel=kernel, C=1000)
    assert tree.fit(inputs, classes).score(inputs, classes) == 1


def test_gaussian_is_that_of_scikit_learn():
    plain = MulticlassSVM(kernel="rbf", kernel_params={"gamma": 0.3}, tol=1e-4).fit(
        VECTORS, ENDINGS)
    ours = MulticlassSVM(kernel=Gaussian(gamma=0.3), tol=1e-4).fit(VECTORS, ENDINGS)
    np.testing.assert_allclose(ours.decision_function(VECTORS),
                               plain.decision_function(VECTORS), atol=1e-2)


def test_a_precomputed_matrix_as_scikit_learn_takes_it():
    gram = rbf_kernel(VECTORS, gamma=0.3)
    plain = MulticlassSVM(kernel="rbf", kernel_params={"gamma": 0.3}).fit(VECTORS, ENDINGS)
    ours = MulticlassSVM(kernel="precomputed").fit(gram, ENDINGS)
    np.testing.assert_allclose(ours.decision_function(gram[:2]),
                               plain.decision_function(VECTORS[:2]), atol=1e-5)


def test_tokens_of_sequences_are_compared_by_their_characters():
    X = [["walked", "home"], ["is", "walking", "home"], ["talked"], ["is", "talking"]]
    y = [["V", "N"], ["A", "G", "N"], ["V"], ["A", "G"]]
    svm = SequenceSVM(kernel=Ngram(n=3), C=1000).fit(X, y)
    assert svm.score(X, y) == 1
    assert [list(labels) for labels in svm.predict([["parked"], ["is", "parking"]])] == [
        ["V"], ["A", "G"]]


@pytest.mark.parametrize("inputs, kind", [
    (5, "int"), (Sentence("1\ta" + "\t_" * 8), "Sentence"), ("abc", "str")])
def test_one_input_in_place_of_a_list(inputs, kind):
    """Also a string: its letters are inputs that nobody means."""
    svm = MulticlassSVM(kernel=Ngram()).fit(["ab", "ba"], [0, 1])
    for call, arguments in ((Ngram().gram, [inputs]), (Ngram().gram, [["a"], inputs]),
                            (svm.predict, [inputs])):
        with pytest.raises(InputError, match=f"found one {kind}, expected a list|"
                           f"X is a {kind}; expected a list of inputs"):
            call(*arguments)
    assert list(svm.predict(word for word in ["ab", "ba"])) == [0, 1]


@pytest.mark.parametrize("kernel, inputs, message", [
    (Ngram(), ["ab", ["a", "b"]], "is a list of tokens, but others are of the kind string"),
    (BagOfWords(), [Sentence("1\ta" + "\t_" * 8), "a"], "others are of the kind Sentence"),
    (Gaussian(), [VECTORS[0], "a"], "expected a vector of 3 numbers"),
    (Gaussian(), [VECTORS[0], VECTORS[0][:2]], r"has the shape \(2,\), expected a vector of 3"),
    (SubsetTree(), [TREES[0], "a"], "is a str, expected a Tree or a Sentence"),
    (AnnotatedNgram(), [1, 2], "is a int, expected a Sentence"),
    (Ngram(), [["a", ["b"]]], "a token of an input cannot be compared"),
    (Gaussian(), [VECTORS[0], VECTORS[0] * np.nan], "is not a number")])
def test_inputs_of_different_kinds(kernel, inputs, message):
    with pytest.raises(KernelError, match=message):
        kernel.gram(inputs)
