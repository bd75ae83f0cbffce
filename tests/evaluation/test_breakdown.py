import numpy as np
import pytest

from orange_structpred.evaluation import BREAKDOWNS, evaluate_sentences
from orange_structpred.evaluation.breakdown import binned
from tests.evaluation.toy import CROSSED, GOLD, PREDICTED, sentence


@pytest.fixture
def evaluation():
    return evaluate_sentences([*GOLD, CROSSED], [*PREDICTED, CROSSED], "toy")


def as_dict(groups):
    return {group.label: (group.correct, group.tokens) for group in groups}


def test_bins():
    codes, labels = binned(np.array([1, 2, 5, 6, 100]), (1, 2, 6))
    assert labels == ["1", "2-5", "6+"]
    assert codes.tolist() == [0, 1, 1, 2, 2]


def test_sentence_length():
    long = sentence("\n".join(["x X 0 root"] + ["x X 1 dep"] * 10))
    groups = evaluate_sentences([GOLD[0], long], [PREDICTED[0], long]
                                ).breakdown("sentence length")
    assert as_dict(groups) == {"1-10": (4, 5), "11-20": (11, 11)}
    assert [group.uas for group in groups] == [4 / 5, 1]
    assert [group.sentences.tolist() for group in groups] == [[0], [1]]


def test_arc_length(evaluation):
    assert as_dict(evaluation.breakdown("arc length")) == {
        "root": (4, 4), "1": (5, 7), "2": (4, 4), "3": (1, 1), "4": (1, 1),
        "5": (1, 1)}


def test_direction(evaluation):
    assert as_dict(evaluation.breakdown("direction")) == {
        "root": (4, 4), "head to the left": (4, 5), "head to the right": (8, 9)}


def test_distance_to_root(evaluation):
    assert as_dict(evaluation.breakdown("distance to root")) == {
        "1": (4, 4), "2": (8, 9), "3": (2, 3), "4": (2, 2)}


def test_pos_by_frequency(evaluation):
    groups = evaluation.breakdown("PoS")
    assert [group.label for group in groups][:2] == ["NOUN", "PUNCT"]
    assert as_dict(groups)["PUNCT"] == (2, 3)
    assert as_dict(groups)["ADJ"] == (0, 1)
    assert groups[1].sentences.tolist() == [0, 1, 2]


def test_relation_without_subtype(evaluation):
    groups = as_dict(evaluation.breakdown("relation"))
    assert groups["nsubj"] == (3, 3)
    assert groups["aux"] == (2, 2)
    assert "nsubj:pass" not in groups


def test_relation_with_subtypes(evaluation):
    groups = as_dict(evaluation.breakdown("relation with subtypes"))
    assert groups["nsubj"] == (1, 1)
    assert groups["nsubj:pass"] == (2, 2)
    assert groups["punct"] == (1, 2)


def test_projectivity(evaluation):
    groups = evaluation.breakdown("projectivity")
    assert as_dict(groups) == {"projective": (15, 17), "non-projective": (1, 1)}
    assert groups[1].sentences.tolist() == [3]


@pytest.mark.parametrize("by", BREAKDOWNS)
@pytest.mark.parametrize("punct", [True, False])
def test_groups_are_a_partition(evaluation, by, punct):
    groups = evaluation.breakdown(by, punct)
    assert all(group.tokens for group in groups)
    total = sum(group.tokens for group in groups)
    assert total == (18 if punct else 15)
    score = evaluation.uas if punct else evaluation.uas_nopunct
    assert sum(group.correct for group in groups) / total == pytest.approx(score)


def test_unknown(evaluation):
    with pytest.raises(ValueError, match="unknown breakdown 'weather'.*sentence length, arc"):
        evaluation.breakdown("weather")
