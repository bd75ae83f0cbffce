"""The table of edge features, and their numbers against strings."""
import numpy as np
import pytest

from orange_structpred.parsing.features.edge_scoring import edge_numbers, kinds_before
from orange_structpred.parsing.features.edge_templates import (
    CLASSES,
    FIRST_ORDER_GROUPS,
    ROW,
    EdgeFeatures,
    distance_slot,
    parse_template,
    template_arrays,
)
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.parsing.brute import TOYS
from tests.parsing.plain import distance, edge_features, edges, fast_numbers
from tests.treebank.toy import BLOCKS, treebank

THESIS = ("head", "dependent", "head-dependent", "in-between", "neighbours")


def test_groups_of_the_thesis():
    assert tuple(FIRST_ORDER_GROUPS)[:5] == THESIS
    for group in THESIS:
        layers = {atom.split(".")[1] for text in FIRST_ORDER_GROUPS[group]
                  for atom in text.split()}
        assert layers >= {"upos", "xpos"}
    assert all(text.split() for texts in FIRST_ORDER_GROUPS.values() for text in texts)


def test_templates_are_read():
    assert parse_template("h.form d-1.upos") == [("h", 0, 0), ("d", -1, 2)]
    assert parse_template("h+2.xpos b.upos n.commas") \
        == [("h", 2, 3), ("b", 0, 2), ("n", 0, 1)]


@pytest.mark.parametrize("word", ["x.form", "h.colour", "hform", "h+.form", "b+1.upos",
                                  "n.form", "h.verbs"])
def test_templates_that_are_not_understood(word):
    with pytest.raises(ValueError, match="h.upos.*not understood; expected h, d"):
        parse_template(f"h.upos {word}")


def test_groups_are_chosen():
    assert EdgeFeatures("all").groups == EdgeFeatures(list(FIRST_ORDER_GROUPS)).groups
    assert EdgeFeatures("all").groups == tuple(FIRST_ORDER_GROUPS)
    assert EdgeFeatures("head").names == list(FIRST_ORDER_GROUPS["head"])
    two = EdgeFeatures(["in-between", "head"])
    assert sorted(two.names) == sorted(
        FIRST_ORDER_GROUPS["head"] + FIRST_ORDER_GROUPS["in-between"])
    assert two.names[-2:] == list(FIRST_ORDER_GROUPS["in-between"])     # those between come last


@pytest.mark.parametrize("groups, message", [
    (["head", "colour"], "feature group 'colour' is not known"),
    ("heads", "feature group 'heads' is not known"),
    ([], "no feature group was chosen")])
def test_groups_that_are_not_there(groups, message):
    with pytest.raises(ValueError, match=message + "; choose from head, dependent"):
        EdgeFeatures(groups)


def test_numbers_are_those_of_saved_models():
    """The dog barks: whoever changes these numbers makes old model files useless."""
    tokens = encode(TOYS[:1]).tokens
    arrays = template_arrays([parse_template(text) for text in (
        "h.form d.form", "h.upos d-1.upos n.verbs", "h.xpos b.upos d.xpos")])
    numbers, owners = np.empty(9, np.uint64), np.empty(9, np.int32)
    found = edge_numbers(tokens, arrays, kinds_before(tokens), 3, 1, numbers, owners)
    assert numbers[:found].tolist() == [
        0x091884B51479A98F, 0xD4DF8A4C9868D7D0, 0x47B0C94892610629]


def test_distance_classes():
    """Seven to either side: 1, 2, 3, 4, 5, more than 5, more than 10."""
    slots = {}
    for dependent in range(1, 60):
        for head in range(60):
            if head != dependent:
                slots.setdefault(distance(head, dependent), set()).add(
                    distance_slot(head, dependent))
    assert len(slots) == 2 * CLASSES < ROW
    assert sorted(map(list, slots.values())) == [[slot] for slot in range(1, 15)]


@pytest.mark.parametrize("groups", ["all", *FIRST_ORDER_GROUPS])
def test_same_number_same_feature(groups):
    """Over all edges of some sentences, one number for each string, and back."""
    features = EdgeFeatures(groups)
    few = treebank(BLOCKS[:5]).sentences + load_bundled("en").sentences[:6]
    number_of, name_of = {}, {}
    for sentence in few:
        tokens = encode([sentence]).tokens
        for edge in edges(sentence):
            names = edge_features(sentence, *edge, features.groups)
            for name, pair in zip(names, fast_numbers(tokens, *edge, features),
                                  strict=True):
                assert number_of.setdefault(name, pair) == pair
                assert name_of.setdefault(pair, name) == name
    assert len(number_of) > 100
