"""Mixtures of trees against dense arithmetic on tables of edges."""
import numpy as np
import pytest

from orange_structpred.parsing.mixtures import (
    mixed_edges,
    tree_differences,
    wrong_edges,
)
from tests.parsing.reference import all_trees

N = 4


def table(heads):
    """1 for each edge of a tree."""
    edges = np.zeros((N + 1, N + 1))
    edges[heads[1:], np.arange(1, N + 1)] = 1
    return edges


@pytest.fixture(params=range(8))
def case(request):
    """A gold tree and some others, the gold tree and repeated ones among them."""
    random = np.random.default_rng(request.param)
    trees = all_trees(N).astype(np.int32)
    gold = random.choice(trees)
    chosen = random.choice(trees, request.param)
    return random, gold, np.array([gold, *chosen, *chosen[:1]], np.int32)


def test_mixed_edges(case):
    random, gold, trees = case
    alpha = random.choice([0., 0.25, 0.5, 1.], len(trees))
    expected = sum(share * (table(gold) - table(tree))
                   for share, tree in zip(alpha, trees))
    heads, dependents, values = mixed_edges(gold, trees, alpha)
    found = np.zeros((N + 1, N + 1))
    np.add.at(found, (heads, dependents), values)
    np.testing.assert_array_equal(found, expected)
    assert len(values) == np.count_nonzero(expected)
    assert values.dtype == np.float32


def test_wrong_edges(case):
    _, gold, trees = case
    expected = {edge for tree in trees for dependent in range(1, N + 1)
                for edge in ((gold[dependent], dependent), (tree[dependent], dependent))
                if tree[dependent] != gold[dependent]}
    heads, dependents, numbers = wrong_edges(gold, trees)
    assert len(heads) == len(expected)
    assert set(zip(heads, dependents)) == expected
    assert numbers[heads, dependents].tolist() == list(range(len(heads)))
    assert np.count_nonzero(numbers >= 0) == len(heads)


def test_differences_of_trees(case):
    random, gold, trees = case
    scores = random.normal(size=(N + 1, N + 1))
    heads, dependents, numbers = wrong_edges(gold, trees)
    found = tree_differences(gold, trees, numbers, scores[heads, dependents])
    np.testing.assert_allclose(
        found, [np.sum((table(gold) - table(tree)) * scores) for tree in trees],
        atol=1e-12)
    assert found[0] == 0
