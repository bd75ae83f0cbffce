import numpy as np

from orange_structpred.treebank.projectivity import preorder, projective_arcs
from tests.evaluation.toy import CROSSED, GOLD


def dominated(heads, token, by):
    while token not in (0, by):
        token = heads[token - 1]
    return token == by


def random_tree(n, rng):
    """Each token hangs on one that was placed before it."""
    order = rng.permutation(n) + 1
    heads = np.zeros(n, np.int32)
    for place in range(1, n):
        heads[order[place] - 1] = order[rng.integers(place)]
    return heads


def test_preorder_by_hand():
    enter, leave = preorder(GOLD[0].heads)
    assert (leave - enter).tolist() == [6, 1, 5, 1, 2, 1]
    assert enter[0] == 0 and enter[2] == 1 and enter[3] == enter[4] + 1


def test_only_the_crossing_arc_is_not_projective():
    assert np.flatnonzero(~projective_arcs([GOLD[0].heads])).tolist() == []
    arcs = projective_arcs([GOLD[0].heads, CROSSED.heads, GOLD[1].heads])
    # issue <- hearing, and no other
    assert np.flatnonzero(~arcs).tolist() == [len(GOLD[0]) + 6]


def test_random_trees_against_the_definition():
    rng = np.random.default_rng(1)
    trees = [random_tree(n, rng) for n in range(1, 15) for _ in range(10)]
    expected = [all(dominated(heads, between, head)
                    for between in range(min(head, token) + 1, max(head, token)))
                for heads in trees for token, head in enumerate(heads.tolist(), 1)]
    assert 0.2 < np.mean(expected) < 0.9
    np.testing.assert_array_equal(projective_arcs(trees), expected)


def test_no_trees():
    assert projective_arcs([]).tolist() == []
