"""Hash functions against what two edges have to agree in, written out."""
from itertools import product

import numpy as np
import pytest

from orange_structpred.parsing.features.edge_templates import FIRST_ORDER_GROUPS
from orange_structpred.parsing.kernel.hash_functions import (
    HASHES,
    HashFunctions,
    templates_of,
)
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import LAYER, TOYS, key, sentence

LONG = sentence(" ".join(["a|a|X|x"] * 13), range(13))


def values(functions, x):
    """{(head, dependent): list of (number, function)}"""
    edges = functions.edges(x, encode([x]).tokens)
    n = len(x) + 1
    return {(h, d): list(zip(
        edges.numbers[edges.starts[d * n + h]:edges.starts[d * n + h + 1]].tolist(),
        edges.functions[edges.starts[d * n + h]:edges.starts[d * n + h + 1]].tolist()))
        for h, d in product(range(n), range(n))}


@pytest.mark.parametrize("name", [
    base + ending for base in LAYER for ending in ("", "::dir")])
def test_equal_numbers_for_equal_edges_only(name):
    functions = HashFunctions(name)
    found, expected = {}, {}
    for place, x in enumerate([*TOYS, LONG]):
        for (h, d), edge in values(functions, x).items():
            if d == 0 or h == d:
                assert edge == []
                continue
            [(found[place, h, d], _)] = edge
            expected[place, h, d] = key(name, x, h, d)
    assert len(set(zip(found.values(), expected.values()))) == len(
        set(found.values())) == len(set(expected.values()))


def test_the_ten_of_the_thesis_come_first():
    assert list(HASHES)[:10] == [
        name + ending for name in ("tokens", "lemmas", "posTags", "posTags2", "wordVecs")
        for ending in ("", "::dir")]


@pytest.mark.parametrize("name", HASHES)
def test_every_named_function_has_a_value_for_edges(name):
    found = values(HashFunctions(name), TOYS[2])
    assert any(found.values())
    if not name.startswith("between"):
        assert all(len(edge) == 1 for (h, d), edge in found.items() if d and h != d)


def test_between_has_a_value_for_each_tag_between():
    found = values(HashFunctions("between"), TOYS[4])    # NOUN CCONJ NOUN VERB
    assert [len(found[0, d]) for d in (1, 2, 3, 4)] == [0, 1, 2, 2]
    assert len(found[4, 1]) == 2 and found[4, 3] == []


def test_words_are_compared_by_their_clusters():
    functions = HashFunctions("wordVecs")
    assert functions.needs_clusters and not HashFunctions("tokens").needs_clusters
    clusters = {"dog": 1, "cat": 1, "dogs": 2}
    tokens = encode(TOYS).with_clusters(TOYS, clusters).tokens
    first = functions.edges(TOYS[0], tokens[:4])
    last = functions.edges(TOYS[6], tokens[-10:-5])
    # the dog barks / the cat barks: all edges among the first three are equal
    assert [first.numbers[first.starts[h * 4 + d]] for h, d in ((2, 1), (3, 2), (0, 3))
            ] == [last.numbers[last.starts[h * 5 + d]]
                  for h, d in ((2, 1), (3, 2), (0, 3))]


def test_values_of_two_functions_never_meet():
    found = values(HashFunctions(["posTags", "posTags2", "posTags"]), TOYS[0])
    owners = {}
    for edge in found.values():
        for number, function in edge:
            assert owners.setdefault(number, function) == function
    assert set(owners.values()) == {0, 1, 2}


def test_explicit_is_all_templates_with_and_without_distance():
    templates = [text for group in FIRST_ORDER_GROUPS.values() for text in group]
    assert len(templates_of("explicit")) == 2 * len(templates)
    assert set(templates_of("explicit")) == set(product(templates, (False, True)))


def test_rich_is_a_part_of_explicit_and_pairs_of_lemmas_and_tags():
    rich = templates_of("rich")
    assert len(rich) == len(set(rich)) == 78
    assert set(rich) - set(templates_of("explicit")) == set(product(
        ("h.lemma d.upos", "h.upos d.lemma"), (False, True)))


def test_a_template_is_a_hash_function():
    assert templates_of("h.lemma d.upos::dir") == templates_of("headLemma::dir")
    assert values(HashFunctions("h.lemma d.upos"), TOYS[1]) == values(
        HashFunctions("headLemma"), TOYS[1])


def test_buckets():
    plain = [number for x in TOYS for edge in values(
        HashFunctions(["tokens", "posTags"]), x).values() for number, _ in edge]
    few = [number for x in TOYS for edge in values(
        HashFunctions(["tokens", "posTags"], buckets=7), x).values()
           for number, _ in edge]
    assert len(set(plain)) > 40 and 7 < len(set(few)) <= 14
    # a bucket is a function of the value
    assert len(set(zip(plain, few))) == len(set(plain))


def test_a_function_in_python():
    def length_of_head(x, head, dependent):
        return len(x.forms[head - 1]) if head else 0

    functions = HashFunctions(["posTags", length_of_head])
    alone = values(HashFunctions("posTags"), TOYS[2])
    found = values(functions, TOYS[2])
    lengths = [0, *map(len, TOYS[2].forms)]     # dogs see the cat
    numbers = {}
    for (h, d), edge in found.items():
        assert edge[:1] == alone[h, d]
        assert [function for _, function in edge] == ([0, 1] if d and h != d else [])
        if edge:
            numbers.setdefault(edge[1][0], set()).add(lengths[h])
    assert sorted(map(list, numbers.values())) == [[0], [3], [4]]


def test_a_function_in_python_that_fails_is_named():
    def broken(x, head, dependent):
        return x.forms[head + 7]

    with pytest.raises(ValueError, match=r"'broken' failed on the edge from 0 to 1 of "
                                         r"'the dog barks': IndexError"):
        values(HashFunctions(broken), TOYS[0])


def test_factors_are_roots_of_weights():
    def last(x, head, dependent):
        return 0

    functions = HashFunctions(["between", last, "tokens"], weights=[4, 9, 16])
    # templates first, those with a word between last of them, then functions
    np.testing.assert_array_equal(functions.factors, [4, 2, 3])


def test_what_cannot_be_a_hash_function():
    for arguments, message in (
            (([],), "no hash function was chosen; choose from tokens, tokens::dir"),
            ((["words"],), "hash function 'words' is not known; choose from tokens"),
            ((["h.words d.form"],), "'h.words' is not understood"),
            ((["h.upos b.upos b.xpos"],), "more than one token between"),
            ((["tokens", "lemmas"], [1]), "2 hash functions need as many weights"),
            ((["tokens"], [0]), r"weights above 0, found \[0.0\]"),
            ((["tokens"], None, 0), "buckets must be at least 1, not 0")):
        with pytest.raises(ValueError, match=message):
            HashFunctions(*arguments)


def test_parameters_survive_json_but_functions_do_not():
    functions = HashFunctions(["tokens", "lemmas::dir"], [1, 2], 100)
    again = HashFunctions(**functions.params())
    assert values(again, TOYS[0]) == values(functions, TOYS[0])
    np.testing.assert_array_equal(again.factors, functions.factors)
    with pytest.raises(ValueError, match="Python cannot be saved"):
        HashFunctions(lambda x, h, d: 0).params()
