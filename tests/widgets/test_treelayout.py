import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from orange_structpred.treebank.tree_layout import (
    Spacing,
    TreeShape,
    corner,
    has_arc,
    heights,
    lay_out,
    levels,
    place_words,
    ports,
)

SPACING = Spacing(step=20, gap=10, port=5, ports=100, label_room=8)


@st.composite
def projective_trees(draw, longest=12):
    """Heads of a projective tree with one root: each span has one head in it."""
    heads = [0] * draw(st.integers(1, longest))

    def attach(begin, end, head):
        if begin == end:
            return
        top = draw(st.integers(begin, end - 1))
        heads[top] = head
        for part in ((begin, top), (top + 1, end)):
            while part[0] < part[1]:
                middle = draw(st.integers(part[0] + 1, part[1]))
                attach(part[0], middle, top + 1)
                part = (middle, part[1])

    attach(0, len(heads), 0)
    return np.array(heads)


@st.composite
def any_heads(draw, longest=12):
    """Any heads: unknown ones, cycles, tokens that are their own heads."""
    n = draw(st.integers(1, longest))
    return np.array(draw(st.lists(st.integers(-1, n), min_size=n, max_size=n)))


def spans(heads):
    return {token: (min(token, head), max(token, head))
            for token, head in enumerate(heads.tolist(), 1)
            if head > 0 and head != token}


@pytest.mark.parametrize("heads, expected", [
    ([2, 0], [1, 2]),
    ([0], [1]),
    ([-1, -1], [0, 0]),
    ([1], [0]),                             # its own head: nothing to draw
    ([2, 4, 2, 0], [1, 2, 1, 3]),           # nested
    ([2, 1], [1, 2]),                       # a cycle: the same words twice
    ([3, 4, 0, 3], [1, 2, 3, 1]),           # crossing arcs are not on one level
    ([0, 0, 0], [1, 2, 3]),                 # labels of roots side by side
])
def test_levels(heads, expected):
    assert levels(np.array(heads)).tolist() == expected


@given(any_heads())
def test_arcs_that_meet_have_levels_of_their_own(heads):
    level = levels(heads)
    assert (level > 0).tolist() == has_arc(heads).tolist()
    found = spans(heads)
    for a, (left, right) in found.items():
        for b, (other_left, other_right) in found.items():
            if a != b and left < other_right and other_left < right:
                assert level[a - 1] != level[b - 1]
                inside = left <= other_left and other_right <= right
                if inside and (left, right) != (other_left, other_right):
                    assert level[a - 1] > level[b - 1]


def test_heights_are_steps_that_end_up_closer():
    found = heights(np.arange(2001), 10.)
    assert_allclose(found[:13], 10. * np.arange(13))
    assert np.all(np.diff(found) > 0)
    assert found[-1] < 500


def test_ports_do_not_cross():
    #         1 <- 3, 2 <- 3, 3 <- root, 4 <- 3, 5 <- 3
    heads = np.array([3, 3, 0, 3, 3])
    at_head, at_token, counts = ports(heads, levels(heads))
    # From left to right at word 3: to 2, to 1, root, to 5, to 4.
    assert at_head.tolist() == [-1, -2, 0, 2, 1]
    assert at_token.tolist() == [0] * 5
    assert counts.tolist() == [1, 1, 5, 1, 1]


def test_place_words():
    assert place_words([10, 20, 10], 5).tolist() == [5, 25, 45]
    assert place_words([10, 20, 10], 5, [(0, 2, 30)]).tolist() == [5, 25, 45]
    assert place_words([10, 20, 10], 5, [(0, 2, 60), (0, 1, 22)]).tolist() \
        == [5, 27, 65]
    assert place_words([], 5).tolist() == []


def labelled(heads, seed=0):
    return TreeShape(heads, np.random.default_rng(seed).uniform(0, 60, len(heads)))


@given(any_heads(), st.integers(0, 5), st.booleans())
def test_there_is_room_for_words_and_labels(heads, seed, right_to_left):
    widths = np.random.default_rng(seed).uniform(3, 40, len(heads))
    tree = labelled(heads, seed)
    layout = lay_out(widths, [tree, tree], SPACING, right_to_left=right_to_left)
    order = layout.words[::-1] if right_to_left else layout.words
    sizes = widths[::-1] if right_to_left else widths
    edges = np.diff(order) - (sizes[1:] + sizes[:-1]) / 2
    assert np.all(edges >= SPACING.gap - 1e-9)
    assert np.all((layout.words >= 0) & (layout.words <= layout.width))
    for arcs in layout.arcs:
        for token in spans(heads):
            wide = abs(arcs.start[token - 1] - arcs.end[token - 1])
            assert wide >= tree.label_widths[token - 1] + SPACING.label_room - 1e-9


@given(projective_trees(), st.integers(0, 5))
@settings(max_examples=200)
def test_arcs_of_projective_trees_are_apart_or_nested(heads, seed):
    arcs = lay_out(np.full(len(heads), 20.), [labelled(heads, seed)], SPACING).arcs[0]
    found = [(*sorted((arcs.start[i], arcs.end[i])), arcs.height[i])
             for i in np.flatnonzero(heads > 0)]
    for a in found:
        for b in found:
            if a is not b:
                apart = a[1] < b[0] or b[1] < a[0]
                inside = b[0] < a[0] and a[1] < b[1] and a[2] < b[2]
                around = a[0] < b[0] and b[1] < a[1] and b[2] < a[2]
                assert apart or inside or around
    root = arcs.end[np.flatnonzero(heads == 0)[0]]
    assert not any(left < root < right for left, right, _ in found)


def test_right_to_left_is_the_mirror_image():
    tree = labelled(np.array([2, 0, 4, 2]))
    plain = lay_out([30, 20, 10, 5], [tree], SPACING)
    mirrored = lay_out([30, 20, 10, 5], [tree], SPACING, right_to_left=True)
    assert mirrored.width == plain.width
    assert_allclose(mirrored.words, plain.width - plain.words)
    assert_allclose(mirrored.arcs[0].start, plain.width - plain.arcs[0].start)
    assert_allclose(mirrored.arcs[0].height, plain.arcs[0].height)


def test_a_word_with_many_arcs_stays_narrow():
    heads = np.array([0] + [1] * 500)
    layout = lay_out(np.full(501, 20.), [labelled(heads)], SPACING)
    assert layout.words[1] - layout.words[0] < 200


def test_corners_keep_nested_arcs_apart():
    assert corner(10, 100) == 5
    assert corner(-400, 20) == 16
    low, high = corner(400, 20), corner(400, 40)
    x = np.linspace(0, low, 50)

    def curve(wide, top):
        return top * np.sqrt(1 - (np.maximum(wide - x, 0) / wide) ** 2)

    assert np.all(curve(high, 40)[1:] > curve(low, 20)[1:])
