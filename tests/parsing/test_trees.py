import numpy as np
import pytest

from orange_structpred.parsing.decoding.trees import (
    count_invalid,
    dependents_first,
    is_tree,
    number_subtrees,
)
from tests.parsing import reference
from tests.parsing.reference import is_projective_tree as is_projective

PROJECTIVE = [-1, 2, 0, 2, 3]
SEVERAL_ROOTS = [-1, 0, 1, 0, 3]
CROSSING = [-1, 3, 0, 2, 1]
OVER_THE_ROOT_CHILD = [-1, 3, 0, 2]  # the edge 3 -> 1 passes over 2
CYCLE = [-1, 0, 3, 4, 2]
OWN_HEAD = [-1, 0, 2]
NO_ROOT = [-1, 2, 1]
UNKNOWN_HEAD = [-1, 0, -1]
OUTSIDE = [-1, 0, 3]


def as_heads(heads):
    return np.array(heads, np.int32)


@pytest.mark.parametrize("heads", [[-1], [-1, 0], PROJECTIVE, SEVERAL_ROOTS, CROSSING])
def test_trees(heads):
    assert is_tree(as_heads(heads))


@pytest.mark.parametrize("heads", [CYCLE, OWN_HEAD, NO_ROOT, UNKNOWN_HEAD, OUTSIDE])
def test_no_trees(heads):
    assert not is_tree(as_heads(heads))
    assert not is_projective(as_heads(heads))


@pytest.mark.parametrize("heads, projective", [
    ([-1], True), ([-1, 0], True), (PROJECTIVE, True), (SEVERAL_ROOTS, True),
    (CROSSING, False), (OVER_THE_ROOT_CHILD, False)])
def test_projectivity(heads, projective):
    assert is_projective(as_heads(heads)) == projective


def test_all_heads_of_four_tokens_as_defined():
    for chosen in np.ndindex(5, 5, 5, 5):
        heads = as_heads((-1, *chosen))
        tree = reference.is_tree(heads)
        assert is_tree(heads) == tree
        assert is_projective(heads) == (tree and reference.is_projective(heads))


def test_dependents_come_before_their_heads():
    for heads in reference.all_trees(4):
        order, n_tokens = dependents_first(as_heads(heads))
        assert sorted(order[:n_tokens]) == [1, 2, 3, 4]
        place = {token: i for i, token in enumerate(order[:n_tokens])}
        for token, head in enumerate(heads):
            assert head <= 0 or place[token] < place[head]


def test_subtree_numbers_tell_who_dominates_whom():
    for heads in reference.all_trees(4):
        start, end = np.empty(5, np.int32), np.empty(5, np.int32)
        number_subtrees(as_heads(heads), start, end)
        assert sorted(start) == [0, 1, 2, 3, 4]
        for above in range(5):
            for below in range(5):
                assert (start[above] <= start[below] < end[above]) == (
                    reference.dominates(heads, above, below))


def test_invalid_sentences_are_counted():
    sentences = [PROJECTIVE, CYCLE, SEVERAL_ROOTS, CROSSING, UNKNOWN_HEAD]
    heads = as_heads(np.concatenate(sentences))
    offsets = np.cumsum([0] + [len(sentence) for sentence in sentences])
    assert count_invalid(heads, offsets, False) == 2
    assert count_invalid(heads, offsets, True) == 3
    assert count_invalid(heads[:0], offsets[:1], True) == 0
