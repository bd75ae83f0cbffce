"""The dictionary of frequent features against counting them."""
from collections import Counter

import numpy as np
import pytest

from orange_structpred.parsing.features.dictionary import (
    dictionary_indices,
    indices_from_file,
)
from orange_structpred.parsing.features.edge_scoring import (
    dictionary_index,
    edge_numbers,
    kinds_before,
)
from orange_structpred.parsing.features.edge_templates import (
    EdgeFeatures,
    distance_slot,
)
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.plain import edge_features, edges, gold_edges

GROUPS = ["dependent", "head-dependent", "in-between", "counts"]
FEATURES = EdgeFeatures(GROUPS)
SENTENCES = load_bundled("en").sentences[:12]


@pytest.fixture(scope="module")
def counts():
    return Counter(feature for x in SENTENCES for edge in gold_edges(x)
                   for feature in edge_features(x, *edge, GROUPS))


def places_of(table, x, head, dependent):
    """Each feature of an edge and its place in the dictionary."""
    tokens = encode([x]).tokens
    numbers = np.empty(len(FEATURES.names) + 10 * len(tokens), np.uint64)
    found = edge_numbers(tokens, FEATURES.arrays, kinds_before(tokens), head, dependent,
                         numbers, np.empty(len(numbers), np.int32))
    indices = [int(dictionary_index(number, np.uint64(slot), table))
              for number in numbers[:found]
              for slot in (0, distance_slot(head, dependent))]
    return zip(edge_features(x, head, dependent, GROUPS), indices, strict=True)


@pytest.mark.parametrize("min_count", [1, 2, 5, 50])
def test_features_seen_often_enough(min_count, counts):
    table, size = dictionary_indices(encode(SENTENCES), FEATURES, min_count)
    often = {feature for feature, count in counts.items() if count >= min_count}
    assert size == len(often) > 0
    given = {}
    for x in SENTENCES:
        for edge in gold_edges(x):
            for feature, place in places_of(table, x, *edge):
                assert (place >= 0) == (feature in often)
                assert given.setdefault(feature, place) == place
    # each has a place of its own
    assert sorted(place for place in given.values() if place >= 0) == list(range(size))


def test_features_of_other_edges_have_no_place(counts):
    table, _ = dictionary_indices(encode(SENTENCES), FEATURES, 1)
    unseen = 0
    for edge in edges(SENTENCES[0]):
        for feature, place in places_of(table, SENTENCES[0], *edge):
            assert (place >= 0) == (feature in counts)
            unseen += feature not in counts
    assert unseen > 0


def test_nothing_is_seen_often_enough():
    table, size = dictionary_indices(encode(SENTENCES), FEATURES, 10**6)
    assert size == 0 and not table.keys.any() and len(table.keys)
    assert {place for _, place in places_of(table, SENTENCES[0], 0, 1)} == {-1}


def test_room_is_left():
    table, size = dictionary_indices(encode(SENTENCES), FEATURES, 1)
    assert np.count_nonzero(table.keys) == size <= len(table.keys) / 2
    assert len(table.keys) & (len(table.keys) - 1) == 0


def test_given_places(counts):
    table, size = dictionary_indices(encode(SENTENCES), FEATURES, 2)
    again = indices_from_file(table.keys, table.numbers, size)
    for edge in edges(SENTENCES[0]):
        assert list(places_of(again, SENTENCES[0], *edge)) == list(
            places_of(table, SENTENCES[0], *edge))
    full = np.ones_like(table.keys)
    for keys, numbers, dim in (
            (full, table.numbers, size), (table.keys, table.numbers, size - 1),
            (table.keys, table.numbers - 1, size), (table.keys[:-1], table.numbers[:-1],
                                                    size),
            (table.keys, table.numbers[:-1], size), (table.keys, table.numbers, 0),
            (table.keys.astype(np.int64), table.numbers, size),
            (table.keys, table.numbers.astype(float), size)):
        with pytest.raises(ValueError, match=f"its {dim} features is damaged"):
            indices_from_file(keys, numbers, dim)
