from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from orange_structpred.kernels import (
    KernelError,
    SubsetTree,
    Tree,
    dependency_tree,
)
from orange_structpred.treebank import read_conll
from tests.data import treebank_file
from tests.kernels.toys import assert_kernel_matrix, fragments, sentence

TREES = [Tree.parse(text) for text in (
    "(S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat))))",
    "(S (NP (D the) (N cat)) (VP (V sees) (NP (D the) (N dog))))",
    "(S (NP it) (VP (V works)))",
    "(NP (NP (D the) (N dog)) and (NP (D the) (N dog)))",
    "(N dog)")]


def reference(kernel, rows, columns):
    def raw(a, b):
        a, b = Counter(fragments(a)), Counter(fragments(b))
        return sum(a[key] * b[key] * kernel.decay ** key[1] for key in a)

    def value(a, b):
        return raw(a, b) / (np.sqrt(raw(a, a) * raw(b, b)) if kernel.normalized else 1)

    return np.array([[value(a, b) for b in columns] for a in rows])


@pytest.mark.parametrize("kernel", [
    SubsetTree(), SubsetTree(decay=1.0, normalized=False), SubsetTree(decay=0.1)],
    ids=repr)
def test_definition(kernel):
    assert_allclose(kernel.gram(TREES), reference(kernel, TREES, TREES), rtol=1e-6)
    assert_allclose(kernel.gram(TREES[:2], TREES[1:]),
                    reference(kernel, TREES[:2], TREES[1:]), rtol=1e-6)
    assert_allclose(kernel.diagonal(TREES), np.diag(reference(kernel, TREES, TREES)))


random_trees = st.recursive(
    st.sampled_from("xy").map(Tree),
    lambda inner: st.builds(Tree, st.sampled_from("AB"),
                            st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=6)


@settings(max_examples=40)
@given(st.lists(random_trees, min_size=1, max_size=6))
def test_any_trees(trees):
    kernel = SubsetTree(decay=0.7, normalized=False)
    gram = kernel.gram(trees)
    assert_allclose(gram, reference(kernel, trees, trees), rtol=1e-6)
    assert_kernel_matrix(gram)


@settings(max_examples=40)
@given(random_trees)
def test_brackets_there_and_back(tree):
    assert Tree.parse(str(tree)) == tree


def test_deep_trees():
    """Each node is written once: the text of every subtree would take gigabytes."""
    text = "(a " * 60_000 + "b" + ")" * 60_000
    assert str(Tree.parse(text)) == text


def test_a_subtree_that_is_used_twice():
    np_ = Tree("NP", (Tree("D", (Tree("the"),)), Tree("N", (Tree("dog"),))))
    shared = Tree("S", (np_, Tree("V", (Tree("is"),)), np_))
    apart = Tree.parse(str(shared))
    kernel = SubsetTree(normalized=False)
    assert kernel(shared, shared) == kernel(apart, apart) == kernel(shared, apart)


def test_a_word_is_not_a_node_of_the_same_name():
    a, b = Tree.parse("(S (A x) (B y))"), Tree.parse("(S A B)")
    assert SubsetTree()(a, b) == 0


def test_penn_treebank_brackets():
    assert str(Tree.parse("( (S (NP it)\n  (VP works)) )")) == "(S (NP it) (VP works))"


@pytest.mark.parametrize("text, message", [
    ("(S (NP it)", "found 1 open brackets"),
    ("(S it))", "found '\\)' at character 7"),
    ("(S it) (S it)", "found 2 trees"),
    ("", "found 0 trees"),
    ("((A x) (B y))", "a bracket without a label around 2 nodes")])
def test_brackets_that_are_no_tree(text, message):
    with pytest.raises(KernelError, match=message):
        Tree.parse(text)


def test_dependency_tree():
    found = dependency_tree(sentence("the|_|DET dog|_|NOUN barks|_|VERB .|_|PUNCT",
                                     heads=[2, 3, 0, 3]))
    assert str(found) == ("(ROOT (root (dep (dep (DET the)) (NOUN dog)) (VERB barks) "
                          "(dep (PUNCT .))))")
    assert found.words() == ["the", "dog", "barks", "."]


def test_sentences_are_trees_too():
    a, b = sentence("a|_|X b|_|Y"), sentence("b|_|Y a|_|X")
    kernel = SubsetTree()
    assert (kernel.gram([a, b]) == kernel.gram([dependency_tree(a),
                                                dependency_tree(b)])).all()


def test_no_heads_no_tree():
    with pytest.raises(KernelError, match=r"token 2 \('b'\) has no head"):
        SubsetTree().gram([sentence("a b", heads=[0, "_"])])
    with pytest.raises(KernelError, match="input 1 .* is a str, expected a Tree"):
        SubsetTree().gram(["(S x)"])


def test_real_sentences():
    sentences = list(read_conll(treebank_file("en_ewt-ud-dev.conllu")))[:300]
    gram = SubsetTree().gram(sentences)
    assert_kernel_matrix(gram)
    assert_allclose(np.diag(gram), 1, rtol=1e-6)
    short = [s for s in sentences if len(s) <= 5][:10]
    trees = [dependency_tree(s) for s in short]
    assert_allclose(SubsetTree().gram(short), reference(SubsetTree(), trees, trees),
                    rtol=1e-6)
