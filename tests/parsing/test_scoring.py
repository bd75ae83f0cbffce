"""Scores and vectors of edges against sums over their features."""
import numpy as np
import pytest

from orange_structpred.parsing.features.dictionary import dictionary_indices
from orange_structpred.parsing.features.edge_scoring import (
    edge_feature_indices,
    edge_numbers,
    hashed_index,
    hashed_indices,
    indices_of_numbers,
    kinds_before,
    score_edges,
)
from orange_structpred.parsing.features.edge_templates import (
    ROW,
    EdgeFeatures,
    distance_slot,
)
from orange_structpred.svm.vectors import (
    multiply_features,
    score_features,
    sum_features,
)
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import TOYS, sentence
from tests.parsing.plain import edge_features, edges

GROUPS = ["head", "in-between", "neighbours", "counts"]
FEATURES = EdgeFeatures(GROUPS)
SENTENCES = [*TOYS[:3], *load_bundled("de").sentences[:3]]
LONG = SENTENCES[-1]


@pytest.fixture(params=["hashed", "crowded", "dictionary"])
def indices(request):
    if request.param == "dictionary":
        return dictionary_indices(encode(SENTENCES), FEATURES, 2)
    bits = 20 if request.param == "hashed" else 6
    return hashed_indices(bits), 1 << bits


def own_places(indices, x, head, dependent):
    tokens = encode([x]).tokens
    limit = len(FEATURES.names) + len(FEATURES.arrays.between) * len(tokens)
    out = np.full(2 * limit, -7)
    numbers = np.empty(limit, np.uint64)
    found = edge_numbers(tokens, FEATURES.arrays, kinds_before(tokens), head,
                         dependent, numbers, np.empty(limit, np.int32))
    found = indices_of_numbers(indices, numbers, found,
                              np.uint64(distance_slot(head, dependent)), out)
    return out[:found]


def test_scores_are_sums_of_weights(indices):
    indices, dim = indices
    weights = np.random.default_rng(0).normal(size=dim).astype(np.float32)
    for x in SENTENCES:
        scores = score_edges(encode([x]).tokens, FEATURES.arrays, weights, indices)
        expected = np.zeros((len(x) + 1, len(x) + 1))
        for head, dependent in edges(x):
            own = own_places(indices, x, head, dependent)
            assert (own >= 0).all() and (own < dim).all()
            expected[head, dependent] = weights[own].sum(dtype=float)
        np.testing.assert_allclose(scores, expected, atol=1e-4)
        # chosen edges, in any order
        chosen = np.array(edges(x)[::-2], dtype=np.int32).reshape(-1, 2)
        np.testing.assert_allclose(
            score_features(weights, *edge_feature_indices(
                encode([x]).tokens, FEATURES.arrays, indices,
                chosen[:, 1].astype(np.int64) * (len(x) + 1) + chosen[:, 0])),
            expected[chosen[:, 0], chosen[:, 1]], atol=1e-4)


def test_a_place_for_each_feature():
    """Many indices for few features: none is shared, none changes."""
    indices = hashed_indices(30)
    found = {}
    for x in SENTENCES[:4]:
        for head, dependent in edges(x):
            own = own_places(indices, x, head, dependent).tolist()
            for feature, place in zip(edge_features(x, head, dependent, GROUPS), own,
                                      strict=True):
                assert found.setdefault(feature, place) == place
    assert len(set(found.values())) > 0.999 * len(found)


@pytest.mark.parametrize("bits", [8, 16, 23, 30])
def test_distances_of_a_feature_share_a_row(bits):
    indices = hashed_indices(bits)
    for number in np.random.default_rng(bits).integers(0, 2**64, 200, dtype=np.uint64):
        own = [int(hashed_index(number, np.uint64(slot), indices)) for slot in range(15)]
        assert len(set(own)) == 15
        assert {place // ROW for place in own} == {int(number) >> (64 - bits + 4)}
        assert max(own) < 1 << bits


def vector(indices, dim, x, heads, dependents, values):
    edges = np.array(dependents, np.int64) * (len(x) + 1) + np.array(heads, np.int64)
    found, own = sum_features(
        *edge_feature_indices(encode([x]).tokens, FEATURES.arrays, indices, edges),
        np.array(values, np.float32))
    assert len(set(found.tolist())) == len(found) and own.all()
    dense = np.zeros(dim)
    dense[found] = own
    return dense


def test_vectors_are_sums_over_edges(indices):
    indices, dim = indices
    chosen = [(0, 3), (3, 1), (3, 1), (5, 2), (2, 5), (0, len(LONG))]
    values = [1, 0.5, 0.25, -1, 2, -0.5]
    expected = np.zeros(dim)
    for (head, dependent), value in zip(chosen, values):
        for place in own_places(indices, LONG, head, dependent):
            expected[place] += value
    np.testing.assert_array_equal(
        vector(indices, dim, LONG, *zip(*chosen), values), expected)


def test_what_cancels_is_left_out(indices):
    indices, dim = indices
    assert not vector(indices, dim, LONG, [1, 1], [2, 2], [1, -1]).any()
    assert not vector(indices, dim, LONG, [], [], []).any()
    # the head's own features cancel, those of the dependents do not
    difference = vector(indices, dim, LONG, [1, 1], [2, 3], [1, -1])
    np.testing.assert_array_equal(
        difference, vector(indices, dim, LONG, [1], [2], [1])
        - vector(indices, dim, LONG, [1], [3], [1]))


def test_a_score_is_the_product_with_the_vector(indices):
    indices, dim = indices
    weights = np.random.default_rng(1).normal(size=dim).astype(np.float32)
    scores = score_edges(encode([LONG]).tokens, FEATURES.arrays, weights, indices)
    heads = LONG.heads
    dependents = np.arange(1, len(LONG) + 1)
    total = vector(indices, dim, LONG, heads, dependents, np.ones(len(LONG)))
    np.testing.assert_allclose(total @ weights, scores[heads, dependents].sum(),
                               atol=1e-3)


def test_counts_up_to_a_position():
    x = sentence("he|he|PRON|P said|say|VERB|V ,|,|PUNCT|, and|and|CCONJ|C is|be|AUX|A",
                 (2, 0, 2, 5, 2))
    assert kinds_before(encode([x]).tokens).tolist() == [
        [0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1], [1, 1, 1, 1],
        [2, 1, 1, 1]]


def test_one_token():
    x = TOYS[5]
    assert len(x) == 1
    weights = np.ones(1 << 12, np.float32)
    scores = score_edges(encode([x]).tokens, FEATURES.arrays, weights, hashed_indices(12))
    single = len(FEATURES.names) - len(FEATURES.arrays.between)
    assert scores.tolist() == [[0, 2 * single], [0, 0]]
    assert distance_slot(0, 1) == 1


def test_scores_and_products_of_some_edges(indices):
    indices, dim = indices
    tokens, length = encode([LONG]).tokens, len(LONG) + 1
    weights = np.random.default_rng(1).normal(size=dim).astype(np.float32)
    scores = score_edges(tokens, FEATURES.arrays, weights, indices)
    heads, dependents = np.array([0, 3, 5, 2]), np.array([3, 1, 2, 5])
    edges = dependents * length + heads
    found = edge_feature_indices(tokens, FEATURES.arrays, indices, edges)
    np.testing.assert_allclose(
        score_features(weights, *found),
        scores[heads, dependents], rtol=1e-4)
    own = vector(indices, dim, LONG, [3, 2], [1, 5], [1, -2])
    at = np.flatnonzero(own)
    np.testing.assert_allclose(
        multiply_features(*found, at, own[at]),
        [own @ vector(indices, dim, LONG, [head], [dependent], [1])
         for head, dependent in zip(heads, dependents)], rtol=1e-5)
