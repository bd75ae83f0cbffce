"""Numbered hash values of many sentences."""
import numpy as np

from orange_structpred.parsing.kernel.hash_functions import HashFunctions
from orange_structpred.parsing.kernel.hashed_edges import (
    edge_sums,
    hash_edges,
    number_edges,
)
from orange_structpred.parsing.tree_problem import edge_parts
from orange_structpred.svm.atomic.hashed_symbols import symbol_vector
from orange_structpred.svm.atomic.numbering import Numbering
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import HASH, TOYS, gold_minus, key, phi, tree

FUNCTIONS = HashFunctions(HASH, [1, 4])


def edge_ids(hashed, i, length, head, dependent):
    """Own indices and ids of an edge, read as the class says."""
    edge = hashed.symbols[i] + dependent * length + head
    indices = hashed.local[hashed.values[i] + hashed.starts[edge]:
                          hashed.values[i] + hashed.starts[edge + 1]]
    return indices, hashed.ids[hashed.unique[i] + indices]


def names_of_ids(sentences, hashed):
    """{id: key} of all edges; an id with two keys would be found."""
    names = {}
    for i, x in enumerate(sentences):
        n = len(x) + 1
        for head in range(n):
            for dependent in range(1, n):
                if head != dependent:
                    _, ids = edge_ids(hashed, i, n, head, dependent)
                    assert len(ids) == len(HASH)
                    for id_, name in zip(ids, HASH):
                        value = key(name, x, head, dependent)
                        assert names.setdefault(id_, value) == value
    return names


def test_a_number_for_each_distinct_value():
    hashed, known = hash_edges(TOYS, encode(TOYS), FUNCTIONS)
    names = names_of_ids(TOYS, hashed)
    assert sorted(names) == list(range(len(known)))
    assert len(set(names.values())) == len(known)
    assert known.dtype == np.uint64 and len(set(known)) == len(known)
    for i in range(len(TOYS)):      # own values are distinct
        own = hashed.ids[hashed.unique[i]:hashed.unique[i + 1]]
        assert len(set(own)) == len(own)


def test_values_never_seen_have_no_number():
    trained, known = hash_edges(TOYS[:3], encode(TOYS[:3]), FUNCTIONS)
    names = names_of_ids(TOYS[:3], trained)
    hashed = number_edges(TOYS[3:], encode(TOYS[3:]), FUNCTIONS, Numbering(known).look_up)
    for i, x in enumerate(TOYS[3:]):
        for head in range(len(x) + 1):
            for dependent in range(1, len(x) + 1):
                if head != dependent:
                    _, ids = edge_ids(hashed, i, len(x) + 1, head, dependent)
                    for id_, name in zip(ids, HASH):
                        value = key(name, x, head, dependent)
                        assert names.get(id_) == (
                            value if value in names.values() else None)
    assert (hashed.ids == -1).any() and (hashed.ids >= 0).any()


def test_numbers_in_the_order_of_the_sentences():
    hashed, _ = hash_edges(TOYS, encode(TOYS), FUNCTIONS)
    assert hashed.ids[0] == 0
    for place, id_ in enumerate(hashed.ids[1:], 1):      # each new one is the next
        assert id_ <= hashed.ids[:place].max() + 1


def test_nothing_is_known_to_a_model_without_values():
    hashed = number_edges(TOYS, encode(TOYS), FUNCTIONS, Numbering().look_up)
    assert len(hashed.ids) and (hashed.ids == -1).all()


def test_an_edge_scores_the_sum_of_its_values():
    hashed, _ = hash_edges(TOYS, encode(TOYS), FUNCTIONS)
    random = np.random.default_rng(0)
    for i, x in enumerate(TOYS):
        n = len(x) + 1
        own = random.normal(size=hashed.unique[i + 1] - hashed.unique[i])
        found = edge_sums(hashed, i, n, own)
        for head in range(n):
            for dependent in range(n):
                indices, _ = edge_ids(hashed, i, n, head, dependent)
                np.testing.assert_allclose(found[head, dependent], own[indices].sum(),
                                           atol=1e-12)


def test_the_vector_of_edges():
    hashed, _ = hash_edges(TOYS, encode(TOYS), FUNCTIONS)
    names = names_of_ids(TOYS, hashed)
    for i, x in enumerate(TOYS):
        edges = gold_minus(x, np.append(-1, np.zeros(len(x), int)))
        heads, dependents = np.array([edge for edge, _ in edges], np.int32).T
        indices, values = symbol_vector(hashed, i,
                                    dependents * (len(x) + 1) + heads,
                                    np.array([value for _, value in edges], np.float32))
        found = {names[hashed.ids[hashed.unique[i] + place]]: value
                 for place, value in zip(indices, values)}
        assert len(found) == len(indices)
        assert found == {name: value for name, value in
                         phi(x, edges, HASH, [1, 4]).items() if value}


def test_two_equal_edges_of_a_tree_count_twice():
    x = TOYS[4]
    hashed, _ = hash_edges([x], encode([x]), HashFunctions("posTags"))
    gold = tree(x)
    gold[3] = 4     # two NOUNs below the VERB
    _, values = symbol_vector(hashed, 0, edge_parts(gold), np.ones(4, np.float32))
    assert sorted(values) == [1, 1, 2]
