import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from scipy import sparse

from orange_structpred.kernels import (
    AnnotatedNgram,
    BagOfWords,
    Constant,
    FeatureMap,
    FunctionKernel,
    KernelError,
    Ngram,
    Normalized,
    PolynomialBagOfWords,
    Product,
    Sum,
    make_kernel,
)
from tests.kernels.toys import TOYS, as_sentences, assert_kernel_matrix, sequences


def test_sum():
    kernel = Sum([Constant(), BagOfWords(), Ngram()], weights=[2, 0.5, 1])
    expected = 2 + 0.5 * BagOfWords().gram(TOYS) + Ngram().gram(TOYS)
    assert_allclose(kernel.gram(TOYS), expected, rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:2], TOYS), expected[:2], rtol=1e-6)
    assert_allclose(kernel.diagonal(TOYS), np.diag(expected), rtol=1e-6)


def test_product():
    kernel = Product([BagOfWords(), Ngram(), Constant(value=3)])
    expected = 3 * BagOfWords().gram(TOYS) * Ngram().gram(TOYS)
    assert_allclose(kernel.gram(TOYS), expected, rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:2], TOYS), expected[:2], rtol=1e-6)
    assert_allclose(kernel.diagonal(TOYS), np.diag(expected), rtol=1e-6)


def test_normalized():
    inner = PolynomialBagOfWords()
    gram = inner.gram(TOYS)
    expected = gram / np.sqrt(np.outer(np.diag(gram), np.diag(gram)))
    kernel = Normalized(inner)
    assert_allclose(kernel.gram(TOYS), expected, rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:2], TOYS), expected[:2], rtol=1e-6)
    assert_allclose(kernel.diagonal(TOYS), 1)
    assert_allclose(Normalized(BagOfWords()).gram(TOYS),
                    BagOfWords(normalized=True).gram(TOYS), rtol=1e-6)
    assert_allclose(Normalized(Ngram(normalized=False)).gram(TOYS), Ngram().gram(TOYS),
                    rtol=1e-6)


def test_a_part_that_wants_its_columns_sorted_and_one_that_does_not():
    kernel = Sum([BagOfWords(), AnnotatedNgram()])
    expected = BagOfWords().gram(TOYS) + AnnotatedNgram().gram(TOYS)
    assert_allclose(kernel.gram(TOYS), expected, rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:3], TOYS), expected[:3], rtol=1e-6)


@settings(max_examples=15)
@given(sequences)
def test_kernels_of_any_sentences(drawn):
    sentences = as_sentences(drawn)
    for kernel in (Sum([BagOfWords(), AnnotatedNgram()], weights=[0.1, 3]),
                   Product([Ngram(), BagOfWords(layer="upos")]),
                   Normalized(Sum([Constant(), BagOfWords()]))):
        assert_kernel_matrix(kernel.gram(sentences))


@pytest.mark.parametrize("kernel", [
    Sum([Constant(), BagOfWords()], weights=[4, 0.25]),
    Normalized(Sum([Constant(), BagOfWords(layer="lemma")])),
    Sum([Constant(), Constant()]), Normalized(BagOfWords())], ids=repr)
def test_features_give_the_kernel(kernel):
    train, other = TOYS[:3], TOYS[2:]
    features = kernel.feature_map(train)
    assert features(train).shape == (3, features.n_features)
    product = features(other) @ features(train).T
    product = product.toarray() if sparse.issparse(product) else product
    assert_allclose(product, kernel.gram(other, train), rtol=1e-5)
    again = FeatureMap(make_kernel(kernel.params()), features.arrays)
    assert np.abs(again(other) - features(other)).max() == 0


def test_no_finite_features():
    assert Sum([Constant(), Ngram()]).feature_map(TOYS) is None
    assert Normalized(Ngram()).feature_map(TOYS) is None
    assert Product([Constant(), BagOfWords()]).feature_map(TOYS) is None


def test_parts_decide_what_the_whole_can_do():
    function = FunctionKernel(lambda a, b: 1.0)
    for kernel in (Sum([Ngram(), function]), Normalized(function)):
        assert not kernel.threaded
        assert kernel.pairs_in_block == function.pairs_in_block


@pytest.mark.parametrize("make, message", [
    (lambda: Sum([]), "'sum' needs at least one kernel"),
    (lambda: Sum(["bow"]), "found 'bow', expected an input kernel"),
    (lambda: Sum([Ngram()], weights=[1, 2]), "expected 1 numbers above 0"),
    (lambda: Sum([Ngram()], weights=[-1]), r"weights is \[-1\]"),
    (lambda: Normalized(None), "found None")])
def test_parts_that_make_no_kernel(make, message):
    with pytest.raises(KernelError, match=message):
        make()
