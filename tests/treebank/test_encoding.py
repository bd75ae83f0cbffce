"""Sentences as integer arrays."""
import numpy as np
import pytest

from orange_structpred.treebank.encoding import (
    ENCODED_LAYERS,
    ROOT_STRING,
    encode,
    form_kind,
    layer_strings,
    string_id,
    string_ids,
    tag_kind,
    word_shape,
)
from tests.treebank.toy import BLOCKS, CHAIN, RICH, UNPARSED, treebank

ROOT_ID = string_id(ROOT_STRING)


def test_numbers_of_strings():
    """The same in every run: models are made of them."""
    assert string_id("") == 13020603013274838756
    assert string_id("dog") == 11501171807684625465
    assert string_ids(["dog", "cat", "dog"]).tolist() \
        == [string_id("dog"), string_id("cat"), string_id("dog")]
    assert string_id("dog") != string_id("Dog")
    assert 0 <= string_id("\udcff") < 2**64     # not even UTF-8
    assert string_ids([]).dtype == np.uint64


def test_positions():
    encoded = encode(treebank(BLOCKS).sentences)
    lengths = [3, 4, 3, 7, 1, 2]
    assert len(encoded) == 6
    assert encoded.lengths().tolist() == lengths
    assert np.diff(encoded.offsets).tolist() == [n + 1 for n in lengths]
    assert encoded.tokens.shape == (26, len(ENCODED_LAYERS)) and len(encoded.heads) == 26
    roots = encoded.offsets[:-1]
    assert (encoded.heads[roots] == -1).all()
    for layer in ENCODED_LAYERS:
        expected = 0 if layer == "kind" else ROOT_ID
        assert (encoded.layer(layer)[roots] == expected).all()


def test_heads():
    encoded = encode(treebank([CHAIN, UNPARSED, RICH]).sentences)
    assert encoded.heads.tolist() == [-1, 0, 1, 2, -1, -1, -1, -1, 4, 5, 2, 2, 0, 5, 5]
    split = encoded.split(encoded.heads)
    assert [own.tolist() for own in split] == [[0, 1, 2], [-1, -1],
                                               [4, 5, 2, 2, 0, 5, 5]]


def test_layers_are_numbers_of_strings():
    sentence, = treebank([RICH]).sentences
    encoded = encode([sentence])
    strings = layer_strings(sentence)
    for layer in ENCODED_LAYERS:
        if layer in ("kind", "cluster"):
            continue
        assert encoded.layer(layer)[1:].tolist() \
            == string_ids(strings[layer][1:]).tolist()
        assert strings[layer][0] == "<root>"
    assert strings["form"][1:] == sentence.forms
    assert strings["ending"][2] == "mos" and strings["beginning"][2] == "vam"
    assert strings["feats"][2] == "Mood=Imp|Number=Plur"


def test_clusters():
    sentence, = treebank([CHAIN]).sentences
    assert encode([sentence]).layer("cluster")[1:].tolist() == [0, 0, 0]
    assert encode([sentence]).with_clusters([sentence], {"a": 5, "c": 7}).layer(
        "cluster")[1:].tolist() == [5, 0, 7]


def test_nothing():
    encoded = encode([])
    assert len(encoded) == 0 and encoded.offsets.tolist() == [0]
    assert encoded.tokens.shape == (0, len(ENCODED_LAYERS)) and encoded.split([]) == []


def test_a_sentence_is_encoded_alike_in_any_company():
    sentences = treebank(BLOCKS).sentences
    together = encode(sentences)
    for i, sentence in enumerate(sentences):
        alone = encode([sentence])
        own = slice(together.offsets[i], together.offsets[i + 1])
        assert together.tokens[own].tobytes() == alone.tokens.tobytes()
        assert together.heads[own].tobytes() == alone.heads.tobytes()


@pytest.mark.parametrize("form, upos, kind", [
    ("runs", "VERB", 1), ("is", "AUX", 1), ("lief", "VVFIN", 1), (",", "PUNCT", 2),
    (".", "PUNCT", 0), ("and", "CCONJ", 4), ("und", "KON", 4), ("dog", "NOUN", 8), ("she", "PRON", 8),
    ("red", "ADJ", 0)])
def test_words_that_are_counted(form, upos, kind):
    assert form_kind(form) | tag_kind(upos) == kind


@pytest.mark.parametrize("form, shape", [
    ("dog", "x"), ("Dog", "Xx"), ("USA", "X"), ("McDonald's", "XxXx'x"),
    ("1990s", "9x"), ("3.14", "9.9"), ("--", "-"), ("Ärger", "Xx"), ("犬", "犬")])
def test_shapes(form, shape):
    assert word_shape(form) == shape
