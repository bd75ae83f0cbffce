import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

from orange_structpred.parsing.decoding.decoders import (
    APPROXIMATE,
    DECODERS,
    EXACT,
    PROJECTIVE,
    REARRANGED,
    decode,
    eisner,
    greedy,
    is_tree,
    mst,
    rearrange,
)
from tests.parsing import reference
from tests.parsing.reference import best_score, tree_scores
from tests.parsing.reference import is_projective_tree as is_projective

# John saw Mary: "saw" is the root, and each other word would rather have the other two.
#         to:  -     John  saw   Mary     from:
JOHN_SAW_MARY = np.array([
              [0.0,  9.0,  10.0, 9.0],    # root
              [0.0,  0.0,  20.0, 3.0],    # John
              [0.0,  30.0, 0.0,  30.0],   # saw
              [0.0,  11.0, 0.0,  0.0]],   # Mary
    np.float32)
# Two pairs that hold on to each other across each other, 1 with 3 and 2 with 4.
CROSSED = np.full((5, 5), -5, np.float32)
CROSSED[0, 1] = CROSSED[1, 2] = 1
CROSSED[1, 3] = CROSSED[2, 4] = 7

ROOTS = pytest.mark.parametrize("single_root", [False, True])
TREES = [EXACT, PROJECTIVE, REARRANGED]
KINDS = ["normal", "integers", "equal", "forbidden", "few", "huge", "tiny", "mixed"]


def random_scores(random, n, kind, dtype=np.float32):
    """Scores of n tokens; no scores are called for where head and dependent agree."""
    shape = n + 1, n + 1
    scores = random.normal(size=shape)
    if kind == "integers":
        scores = random.integers(-2, 3, shape).astype(float)
    elif kind == "equal":
        scores = np.full(shape, 0.1)
    elif kind == "forbidden":
        scores[random.random(shape) < 0.3] = -np.inf
    elif kind == "few":  # most often there is no tree at all
        scores[random.random(shape) < 0.7] = -np.inf
    elif kind == "huge":
        scores *= 1e8
    elif kind == "tiny":
        scores *= 1e-30
    elif kind == "mixed":
        scores *= 10 ** random.uniform(-30, 8, shape)
    np.fill_diagonal(scores, random.choice([0, np.nan, np.inf, 1e9]))
    scores[:, 0] = random.choice([0, np.nan, np.inf, 1e9])
    return scores.astype(dtype)


def check_tree(heads, n, single_root):
    assert heads.dtype == np.int32
    assert heads.shape == (n + 1,)
    assert heads[0] == -1
    assert is_tree(heads)
    if single_root:
        assert np.sum(heads == 0) == 1


def rounding(scores):
    """What n additions of these scores in their precision may be off."""
    edges = scores[:, 1:][~np.eye(len(scores), dtype=bool)[:, 1:]]
    largest = np.abs(edges[np.isfinite(edges)]).max(initial=0)
    return float(4 * len(scores) * np.finfo(scores.dtype).eps * largest)


def check_score(scores, heads, expected):
    found = tree_scores(scores, heads)
    if expected == -np.inf:
        assert found == -np.inf
    else:
        assert found == pytest.approx(expected, abs=rounding(scores), rel=0)


# Small examples by hand

def test_best_head_of_each_word_may_be_a_cycle():
    heads = greedy(JOHN_SAW_MARY)
    assert_array_equal(heads, [-1, 2, 1, 2])
    assert not is_tree(heads)


def test_exact_tree_breaks_the_cycle():
    assert_array_equal(mst(JOHN_SAW_MARY, False), [-1, 2, 0, 2])


def test_one_root_child_though_two_score_more():
    scores = np.array([[0, 5, 5], [0, 0, 1], [0, 2, 0]], np.float32)
    for decoder in (mst, eisner):
        assert_array_equal(decoder(scores, False), [-1, 0, 0])
        assert_array_equal(decoder(scores, True), [-1, 2, 0])


def test_crossing_edges_only_where_allowed():
    assert_array_equal(mst(CROSSED, True), [-1, 0, 1, 1, 2])
    assert is_projective(eisner(CROSSED, True))
    assert tree_scores(CROSSED, eisner(CROSSED, True)) == 1 + 1 + 7 - 5
    assert_array_equal(decode(CROSSED, REARRANGED, True), [-1, 0, 1, 1, 2])


def test_no_tokens_and_one():
    for decoder in DECODERS.values():
        for single_root in (False, True):
            none = decode(np.zeros((1, 1), np.float32), decoder, single_root)
            assert_array_equal(none, [-1])
            one = np.array([[0, -3], [0, 8]], np.float32)
            assert_array_equal(decode(one, decoder, single_root), [-1, 0])


# The way in

@ROOTS
def test_decode_calls_the_decoders(single_root):
    random = np.random.default_rng(1)
    for _ in range(20):
        scores = random_scores(random, 8, "normal")
        projective = eisner(scores, single_root)
        expected = {
            "exact": mst(scores, single_root),
            "projective": projective,
            "rearranged": rearrange(scores, projective, single_root),
            "approximate": greedy(scores),
        }
        assert expected.keys() == DECODERS.keys()
        for name, heads in expected.items():
            assert_array_equal(decode(scores, DECODERS[name], single_root), heads)


@pytest.mark.parametrize("code", [-1, 4])
def test_unknown_decoder(code):
    with pytest.raises(ValueError, match="DECODERS"):
        decode(JOHN_SAW_MARY, code, True)


@pytest.mark.parametrize("decoder", DECODERS.values())
def test_scores_are_not_changed(decoder):
    scores = random_scores(np.random.default_rng(0), 9, "normal")
    before = scores.copy()
    decode(scores, decoder, True)
    assert_array_equal(scores, before)


# Against all trees

@ROOTS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_against_enumeration(n, kind, single_root):
    random = np.random.default_rng(n)
    for _ in range(5 if n == 6 else 40):
        scores = random_scores(random, n, kind)
        heads = mst(scores, single_root)
        check_tree(heads, n, single_root)
        check_score(scores, heads,
                    best_score(scores, projective=False, single_root=single_root))
        heads = eisner(scores, single_root)
        check_tree(heads, n, single_root)
        assert is_projective(heads)
        check_score(scores, heads,
                    best_score(scores, projective=True, single_root=single_root))


@given(st.data(), st.integers(1, 5), st.booleans())
@settings(max_examples=300)
def test_optimal_whatever_the_scores(data, n, single_root):
    # Integers: sums are exact and ties frequent, so that the scores must be the same.
    values = st.one_of(st.integers(-9, 9).map(float), st.just(-np.inf))
    scores = data.draw(arrays(np.float32, (n + 1, n + 1), elements=values))
    for projective, heads in ((False, mst(scores, single_root)),
                              (True, eisner(scores, single_root))):
        check_tree(heads, n, single_root)
        assert not projective or is_projective(heads)
        assert tree_scores(scores, heads) == best_score(
            scores, projective=projective, single_root=single_root)


@given(st.data(), st.integers(1, 12), st.booleans(), st.sampled_from(TREES))
@settings(max_examples=200)
def test_always_a_tree_even_of_senseless_scores(data, n, single_root, decoder):
    values = st.floats(width=32)
    scores = data.draw(arrays(np.float32, (n + 1, n + 1), elements=values))
    check_tree(decode(scores, decoder, single_root), n, single_root)


# Against references

@ROOTS
@pytest.mark.parametrize("kind", ["normal", "integers", "huge", "tiny", "mixed"])
def test_exact_against_recursive_edmonds(kind, single_root):
    random = np.random.default_rng(2)
    for _ in range(60):
        n = random.integers(1, 15)
        scores = random_scores(random, n, kind)
        expected = reference.mst(scores, single_root)
        heads = mst(scores, single_root)
        check_tree(heads, n, single_root)
        check_score(scores, heads, tree_scores(scores, expected))


def test_exact_against_recursive_edmonds_on_a_long_sentence():
    scores = random_scores(np.random.default_rng(3), 100, "normal")
    assert_array_equal(mst(scores, False), reference.mst(scores, False))


@ROOTS
@pytest.mark.parametrize("kind", ["normal", "integers", "forbidden", "mixed"])
def test_projective_against_spans(kind, single_root):
    random = np.random.default_rng(4)
    for _ in range(15):
        n = random.integers(1, 12)
        scores = random_scores(random, n, kind)
        heads = eisner(scores, single_root)
        check_tree(heads, n, single_root)
        assert is_projective(heads)
        check_score(scores, heads, reference.projective_score(scores, single_root))


@ROOTS
@pytest.mark.parametrize("kind", ["normal", "integers", "equal", "huge"])
def test_rearrangement_makes_the_steps_of_the_paper(kind, single_root):
    random = np.random.default_rng(5)
    for _ in range(30):
        n = random.integers(1, 10)
        scores = random_scores(random, n, kind)
        start = eisner(scores, single_root)
        before = start.copy()
        heads = rearrange(scores, start, single_root)
        assert_array_equal(start, before)
        assert_array_equal(heads, reference.rearrange(scores, start, single_root))


def test_rearrangement_gets_rid_of_forbidden_edges_where_it_can():
    scores = np.full((5, 5), -np.inf, np.float32)
    scores[0, 2] = scores[2, 3] = scores[3, 4] = scores[2, 4] = 1
    start = np.array([-1, 2, 0, 1, 3], np.int32)  # no edge into 1 is allowed
    assert_array_equal(rearrange(scores, start, True), [-1, 2, 0, 2, 3])
    scores[2, 4] = 2
    assert_array_equal(rearrange(scores, start, True), [-1, 2, 0, 2, 2])


# Against each other

@ROOTS
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_graphs_against_each_other(kind, single_root):
    random = np.random.default_rng(6)
    for _ in range(500):
        n = random.integers(1, 31)
        scores = random_scores(random, n, kind)
        heads = [decode(scores, decoder, single_root) for decoder in TREES]
        for each in heads:
            check_tree(each, n, single_root)
        assert is_projective(heads[PROJECTIVE])
        found = tree_scores(scores, np.array([*heads, greedy(scores)]))
        assert found[EXACT] >= found[REARRANGED] - rounding(scores)
        assert found[REARRANGED] >= found[PROJECTIVE]
        assert found[APPROXIMATE] >= found[EXACT]


def test_one_root_costs_nothing_where_the_best_tree_has_one():
    random = np.random.default_rng(7)
    for _ in range(300):
        scores = random_scores(random, random.integers(2, 15), "normal")
        for decoder in (mst, eisner):
            free = decoder(scores, False)
            one = decoder(scores, True)
            if np.sum(free == 0) == 1:
                assert_array_equal(one, free)
            else:
                assert tree_scores(scores, one) < tree_scores(scores, free)


def test_tempting_root_edges_do_not_drown_the_others():
    # A penalty that outweighs these would round the others away in single precision.
    random = np.random.default_rng(8)
    for _ in range(200):
        scores = random_scores(random, 8, "normal") * np.float32(1e-3)
        plain = mst(np.vstack([np.full((1, 9), -1e3, np.float32), scores[1:]]), True)
        scores[0] = 1e8
        heads = mst(scores, True)
        check_tree(heads, 8, True)
        assert_array_equal(heads, plain)


# All the same, in single and double precision, each time

@ROOTS
@pytest.mark.parametrize("decoder", DECODERS.values())
def test_single_and_double_precision_agree(decoder, single_root):
    random = np.random.default_rng(9)
    for kind in ("normal", "integers", "forbidden"):
        for _ in range(100):
            scores = random_scores(random, random.integers(1, 20), kind)
            assert_array_equal(
                decode(scores, decoder, single_root),
                decode(scores.astype(np.float64), decoder, single_root))


@pytest.mark.parametrize("decoder", DECODERS.values())
def test_ties_are_broken_the_same_way_each_time(decoder):
    scores = np.zeros((15, 15), np.float32)
    first = decode(scores, decoder, True)
    for _ in range(5):
        assert_array_equal(decode(scores.copy(), decoder, True), first)


# Long sentences

def planted_tree(random, n):
    """A random projective tree: each span is split at its head."""
    heads = np.full(n + 1, -1, np.int32)
    spans = [(1, n, 0)]
    while spans:
        first, last, head = spans.pop()
        if first > last:
            continue
        token = random.integers(first, last + 1)
        heads[token] = head
        spans += [(first, token - 1, token), (token + 1, last, token)]
    return heads


@pytest.mark.parametrize("decoder", TREES)
def test_two_thousand_tokens(decoder):
    random = np.random.default_rng(10)
    n = 2000
    scores = random.normal(size=(n + 1, n + 1)).astype(np.float32)
    few = 600           # of random scores; one tree among much worse ones has all
    heads = decode(np.ascontiguousarray(scores[:few + 1, :few + 1]), decoder, True)
    check_tree(heads, few, True)
    assert is_projective(heads) == (decoder == PROJECTIVE)
    heads = planted_tree(random, n)
    scores[heads[1:], np.arange(1, n + 1)] += 20
    assert_array_equal(decode(scores, decoder, True), heads)


@pytest.mark.parametrize("chain", [
    np.arange(-1, 1000), np.r_[-1, np.arange(2, 1001), 0]])
@pytest.mark.parametrize("decoder", TREES)
def test_deep_trees(decoder, chain):
    """A thousand tokens, each the head of the next one: nothing may recurse."""
    scores = np.zeros((1001, 1001), np.float32)
    scores[chain[1:], np.arange(1, 1001)] = 1
    assert_array_equal(decode(scores, decoder, True), chain)
