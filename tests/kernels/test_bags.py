from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from scipy import sparse

from orange_structpred.kernels import (
    BagOfWords,
    Constant,
    FeatureMap,
    Gaussian,
    KernelError,
    PolynomialBagOfWords,
    make_kernel,
)
from tests.kernels.toys import (
    TOYS,
    as_sentences,
    assert_kernel_matrix,
    sentence,
    sequences,
)


def dot(a, b):
    a, b = Counter(a), Counter(b)
    return sum(a[word] * b[word] for word in a)


def reference(kernel, rows, columns):
    layer = {"form": "forms", "lemma": "lemmas", "upos": "upos"}[kernel.layer]

    def words(x):
        return [word for word in getattr(x, layer)
                if word != "_" or kernel.layer == "form"]

    def product(x, y):
        value = dot(words(x), words(y))
        if kernel.normalized:
            value /= np.sqrt(dot(words(x), words(x)) * dot(words(y), words(y))) or 1
        return value

    def value(x, y):
        if isinstance(kernel, PolynomialBagOfWords):
            return (product(x, y) + 1) ** kernel.degree
        if isinstance(kernel, Gaussian):
            return np.exp(-kernel.gamma * (product(x, x) + product(y, y)
                                           - 2 * product(x, y)))
        return product(x, y)

    return np.array([[value(x, y) for y in columns] for x in rows])


KERNELS = [BagOfWords(), BagOfWords(layer="lemma"), BagOfWords(normalized=True),
           BagOfWords(layer="lemma", normalized=True),
           PolynomialBagOfWords(), PolynomialBagOfWords(degree=3, normalized=True),
           Gaussian(), Gaussian(gamma=0.7, normalized=True, layer="upos"),
           Gaussian(gamma=0.7, normalized=True, layer="lemma")]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_definition(kernel):
    assert_allclose(kernel.gram(TOYS), reference(kernel, TOYS, TOYS), rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:2], TOYS[1:]),
                    reference(kernel, TOYS[:2], TOYS[1:]), rtol=1e-6)
    assert_allclose(kernel.diagonal(TOYS), np.diag(reference(kernel, TOYS, TOYS)))


@settings(max_examples=20)
@given(sequences)
def test_kernels_of_any_sentences(drawn):
    sentences = as_sentences(drawn)
    for kernel in KERNELS:
        assert_kernel_matrix(kernel.gram(sentences))


def test_no_lemma_at_all_is_no_similarity():
    a, b = sentence("a b"), sentence("a c")
    assert_allclose(BagOfWords(layer="lemma", normalized=True).gram([a, b]), 0)
    assert_allclose(BagOfWords(normalized=True).gram([a, b]), [[1, 0.5], [0.5, 1]])


def test_constant():
    assert_allclose(Constant(value=2).gram(TOYS[:2], TOYS), np.full((2, len(TOYS)), 2))
    assert_allclose(Constant().diagonal(TOYS), 1)


@pytest.mark.parametrize("kernel", [
    Constant(value=3.0), BagOfWords(), BagOfWords(normalized=True),
    BagOfWords(layer="lemma"), BagOfWords(layer="lemma", normalized=True)], ids=repr)
def test_features_give_the_kernel(kernel):
    train, other = TOYS[:3], TOYS[2:]
    features = kernel.feature_map(train)
    z, z_other = features(train), features(other)
    assert z.shape == (3, features.n_features) and z.dtype == np.float32
    assert_allclose((z @ z.T).toarray() if sparse.issparse(z) else z @ z.T,
                    kernel.gram(train), rtol=1e-6)
    product = z_other @ z.T
    product = product.toarray() if sparse.issparse(product) else product
    assert_allclose(product, kernel.gram(other, train), rtol=1e-6)


def test_features_are_the_same_after_saving():
    kernel = BagOfWords(normalized=True)
    features = kernel.feature_map(TOYS)
    again = FeatureMap(make_kernel(kernel.params()), dict(features.arrays))
    assert (again(TOYS) != features(TOYS)).nnz == 0


def test_no_finite_features():
    assert PolynomialBagOfWords().feature_map(TOYS) is None
    assert Gaussian().feature_map(TOYS) is None


@pytest.mark.parametrize("kernel, params, message", [
    ("poly-bow", {"degree": 0}, "degree is 0, expected a whole number from 1"),
    ("poly-bow", {"degree": 1.5}, "degree is 1.5"),
    ("gaussian", {"gamma": -1}, "gamma is -1, expected a number above 0"),
    ("gaussian", {"gamma": "big"}, "gamma is 'big'"),
    ("bow", {"layer": "deprel"}, "layer is 'deprel', expected one of form, lemma"),
    ("bow", {"normalized": "no"}, "normalized is 'no', expected True or False"),
    ("constant", {"value": float("nan")}, "value is nan")])
def test_parameters_that_make_no_kernel(kernel, params, message):
    with pytest.raises(KernelError, match=message):
        make_kernel(kernel, **params)


def test_values_too_large_for_32_bits():
    with pytest.raises(KernelError, match=r"'poly-bow'.*sentence 1 .*too large"):
        PolynomialBagOfWords(degree=60).gram(TOYS)


def test_inputs_that_are_no_sentences():
    with pytest.raises(KernelError, match=r"input 2 \('a b'\) is a string, but"):
        BagOfWords().gram([TOYS[0], "a b"])
