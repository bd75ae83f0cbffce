from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred.treebank import read_conll
from orange_structpred.treebank.projectivity import crossed, flatten
from orange_structpred.treebank.shape import cycle, depths, no_trees, shapes
from tests.data import treebank_file


def depth(heads, token):
    """Arcs up to the root, 0 in a cycle."""
    for steps in range(1, len(heads) + 1):
        token = heads[token - 1]
        if token <= 0:
            return steps
    return 0


def has_crossing(heads):
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1) if h >= 0]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


@st.composite
def heads_of_sentences(draw):
    lengths = draw(st.lists(st.integers(1, 9), min_size=1, max_size=5))
    return [draw(st.lists(st.integers(-1, n), min_size=n, max_size=n)) for n in lengths]


@given(heads_of_sentences())
def test_against_definitions(sentences):
    heads, offsets = flatten([np.array(part, dtype=np.int32) for part in sentences])
    expected = [[depth(part, token) for token in range(1, len(part) + 1)]
                for part in sentences]
    assert depths(heads, offsets).tolist() == list(chain(*expected))
    assert no_trees(heads, offsets).tolist() == [
        i for i, part in enumerate(expected) if 0 in part]
    assert crossed(heads, offsets).tolist() == [
        has_crossing([h if h != d else -1 for d, h in enumerate(part, 1)])
        for part in sentences]
    for part, found in zip(sentences, expected):
        loop = cycle(part)
        assert bool(loop) == (0 in found)
        assert [part[token - 1] for token in loop] == loop[1:] + loop[:1]
        assert not loop or loop[0] == min(loop)


def test_shapes():
    flat, offsets = flatten([np.array(heads) for heads in (
        [2, 0, 2], [3, 4, 0, 3], [0, 0], [0], [-1, 0])])
    found = shapes(flat, offsets)
    nan = np.nan
    np.testing.assert_array_equal(found.length, [3, 4, 2, 1, 2])
    np.testing.assert_array_equal(found.projective, [1, 0, 1, 1, nan])
    np.testing.assert_array_equal(found.roots, [1, 1, 2, 1, nan])
    np.testing.assert_array_equal(found.height, [2, 3, 1, 1, nan])
    np.testing.assert_allclose(found.arc_length, [1, 5 / 3, nan, nan, nan])


def test_no_sentences():
    assert all(len(column) == 0 for column in shapes(*flatten([])))


def test_known_shares_of_projective_trees():
    """2.3% of EWT's training trees and 9.5% of GSD's are not projective."""
    for name, share in (("en_ewt-ud-train.conllu", 0.023),
                        ("de_gsd-ud-test.conllu", 0.095)):
        sentences = read_conll(treebank_file(name))
        found = shapes(*flatten([sentence.heads for sentence in sentences]))
        assert abs(1 - found.projective.mean() - share) < 0.03
