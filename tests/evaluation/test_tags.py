"""Accuracy and confusions of predicted tags, against a plain count."""
from collections import Counter

import pytest

from orange_structpred import TaggerLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.evaluation import (
    score_table,
    score_tags,
    score_treebanks,
    tag_confusions,
)
from orange_structpred.treebank.layers import layer_values, with_layers
from orange_structpred.treebank.rebuild import with_sentences


@pytest.fixture(scope="module")
def tagged():
    treebank = load_bundled("en")
    return TaggerLearner(["upos", "xpos"], passes=1, name="mine")(treebank[:60])(
        treebank[300:])


def test_scores(tagged):
    scores = {score.layer: score for score in score_tags(tagged)}
    assert list(scores) == ["upos", "xpos"]
    for layer, score in scores.items():
        right = [gold == own for sentence, values in zip(
            tagged.sentences, tagged.tags["mine"][layer])
            for gold, own in zip(layer_values(sentence, layer), values)]
        assert (score.correct, score.tokens) == (sum(right), len(right))
        assert 0.5 < score.accuracy < 1 and score.tagger == "mine"
    assert score_tags(load_bundled("en")[:3]) == []


def test_rules_of_the_shared_task():
    treebank = load_bundled("en")[:1]
    sentence = treebank.sentences[0]
    feats = [f"{own}|Typo=Yes".removeprefix("_|") for own in sentence.feats]
    wrong = treebank.with_tags("t", {"feats": [feats], "lemma": [["x"] * len(sentence)]})
    scores = {score.layer: score.accuracy for score in score_tags(wrong)}
    assert scores == {"feats": 1, "lemma": 0}


def test_confusions(tagged):
    assert tag_confusions(tagged).name == "mine: upos"
    table = tag_confusions(tagged, "mine", "xpos")
    expected = Counter(
        (gold, own) for sentence, values in zip(
            tagged.sentences, tagged.tags["mine"]["xpos"])
        for gold, own in zip(sentence.xpos, values) if gold != own)
    gold = Counter(tag for sentence in tagged.sentences for tag in sentence.xpos)
    assert len(table) == len(expected) > 3
    for row in table:
        pair = str(row["gold"]), str(row["predicted"])
        assert row["tokens"] == expected[pair]
        assert row["share"] == pytest.approx(100 * expected[pair] / gold[pair[0]])
    counts = table.get_column("tokens").tolist()
    assert counts == sorted(counts, reverse=True)


def test_no_confusions():
    treebank = load_bundled("en")[:2]
    right = treebank.with_tags("t", {"upos": [own.upos for own in treebank.sentences]})
    assert len(tag_confusions(right, "t")) == 0
    with pytest.raises(InputError, match=r"no predictions of xpos by 't'.*t \(upos\)"):
        tag_confusions(right, "t", "xpos")
    with pytest.raises(InputError, match="no predicted tags"):
        tag_confusions(treebank)


def test_used_in_place_of_the_own_ones(tagged):
    used = tagged.use_tags()
    assert not used.tags and used.name == tagged.name
    assert [own.xpos for own in used.sentences] == tagged.tags["mine"]["xpos"]
    assert [own.heads.tolist() for own in used.sentences] == [
        own.heads.tolist() for own in tagged.sentences]
    assert tagged.use_tags("mine").sentences == used.sentences
    assert used.use_tags() is used
    with pytest.raises(InputError, match="no tags predicted by 'other'"):
        tagged.use_tags("other")


def test_scored_beside_trees(tagged):
    scores = score_treebanks(tagged)
    assert not scores.scored and not scores.problems()
    assert [own for _, own in scores.tags] == score_tags(tagged)
    [line] = scores.tag_lines()
    first, second = scores.tags[0][1], scores.tags[1][1]
    assert line == (f"tags of mine, English: UPOS {100 * first.accuracy:.2f}, "
                    f"XPOS {100 * second.accuracy:.2f}")
    assert score_table(tagged) == line
    table = scores.tag_table()
    assert table.get_column("Accuracy") == pytest.approx(
        [100 * first.accuracy, 100 * second.accuracy])
    heads = [own.heads for own in tagged.sentences]
    both = score_treebanks(tagged.with_prediction("copy", heads))
    assert len(both.scored) == 1 and len(both.tags) == 2
    assert both.text().splitlines()[-1] == line


def test_layers_without_gold_are_not_scored(tagged):
    bare = with_sentences(tagged, [
        with_layers(own, {"xpos": ["_"] * len(own)}) for own in tagged.sentences])
    assert [own.layer for own in score_tags(bare)] == ["upos"]
