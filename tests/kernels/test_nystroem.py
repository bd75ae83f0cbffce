import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.kernels import (
    BagOfWords,
    Constant,
    FeatureMap,
    Gaussian,
    KernelError,
    Ngram,
    Nystroem,
    SubsetTree,
    Sum,
    Tree,
    make_kernel,
)
from orange_structpred.treebank import read_conll
from tests.data import treebank_file
from tests.kernels.toys import TOYS, assert_kernel_matrix


def test_exact_if_all_inputs_are_landmarks():
    kernel = Nystroem(Ngram()).fit(TOYS)
    assert_allclose(kernel.gram(TOYS), Ngram().gram(TOYS), atol=1e-5)
    assert_allclose(kernel.diagonal(TOYS), 1, atol=1e-5)


def test_features_give_the_kernel():
    kernel = Nystroem(Ngram(), landmarks=4)
    features = kernel.feature_map(TOYS)
    z = features(TOYS)
    assert z.dtype == np.float32 and z.shape == (len(TOYS), features.n_features)
    assert features.n_features <= 4
    assert_allclose(z @ z.T, kernel.gram(TOYS), atol=1e-6)
    assert_allclose(features(TOYS[2:]), z[2:], atol=1e-6)
    again = FeatureMap(make_kernel(kernel.params()), features.arrays)
    assert (again(TOYS) == z).all()


def test_the_seed_chooses_the_landmarks():
    first, same, other = (Nystroem(Ngram(), landmarks=3, random_state=seed).fit(TOYS)
                          for seed in (1, 1, 2))
    assert (first.gram(TOYS) == same.gram(TOYS)).all()
    assert (first.gram(TOYS) != other.gram(TOYS)).any()


def test_inputs_that_come_twice_add_no_feature():
    kernel = Nystroem(BagOfWords())
    assert kernel.feature_map(TOYS * 3).n_features <= len(TOYS)
    assert np.isfinite(kernel.gram(TOYS)).all()


def test_in_a_sum_and_over_trees():
    kernel = Sum([Constant(), Nystroem(Ngram())])
    z = kernel.feature_map(TOYS)(TOYS)
    assert_allclose(z @ z.T, 1 + Ngram().gram(TOYS), atol=1e-5)
    trees = [Tree.parse(text) for text in ("(A (B x))", "(A (B y))", "(A (C (B y)))")]
    z = Nystroem(SubsetTree()).feature_map(trees)(trees)
    assert_allclose(z @ z.T, SubsetTree().gram(trees), atol=1e-6)


@pytest.mark.parametrize("inputs", [
    ["walk", "talk", "walks"], [["a", "walk"], ["the", "walk"], ["a", "talk"]]])
def test_over_strings_and_lists(inputs):
    z = Nystroem(Ngram()).feature_map(inputs)(inputs)
    assert_allclose(z @ z.T, Ngram().gram(inputs), atol=1e-5)


def test_over_vectors():
    rows = list(np.random.default_rng(0).normal(size=(5, 3)))
    z = Nystroem(Gaussian(gamma=0.5)).feature_map(rows)(rows)
    assert_allclose(z @ z.T, Gaussian(gamma=0.5).gram(rows), atol=1e-5)


def test_more_landmarks_come_nearer_to_the_kernel():
    sentences = list(read_conll(treebank_file("en_ewt-ud-dev.conllu")))[:300]
    exact = Ngram().gram(sentences)
    errors = []
    for landmarks in (10, 100, 300):
        gram = Nystroem(Ngram(), landmarks=landmarks).fit(sentences).gram(sentences)
        assert_kernel_matrix(gram)
        errors.append(np.abs(gram - exact).mean())
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-5


def test_bad_input():
    with pytest.raises(KernelError, match=r"call fit\(training inputs\) first"):
        Nystroem(Ngram()).gram(TOYS)
    with pytest.raises(KernelError, match="needs inputs to draw landmarks from"):
        Nystroem(Ngram()).fit([])
    with pytest.raises(KernelError, match=r"input 1 \('1'\) is a int, expected a Se"):
        Nystroem(make_kernel(lambda a, b: a * b)).fit([1, 2])
    with pytest.raises(KernelError, match=r"is a list, expected a Se"):
        Nystroem(make_kernel(lambda a, b: 1.)).fit([[set()], [set()]])
    with pytest.raises(KernelError, match="landmarks is 0"):
        Nystroem(Ngram(), landmarks=0)
