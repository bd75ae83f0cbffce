"""Models with explicit features: their indices, scores, heads and contributions."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.parsing.decoding.decoders import (
    DECODERS,
    EXACT,
    PROJECTIVE,
    is_tree,
)
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.first_order.explicit_model import (
    ExplicitModel,
    make_feature_indices,
)
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.bundled import load_bundled
from orange_structpred.treebank.encoding import encode
from tests.files.through import through_file
from tests.parsing.reference import best_score, tree_scores
from tests.treebank.toy import BLOCKS, block, treebank

BITS = 12
SENTENCES = treebank(BLOCKS).sentences


def model_of(groups="all", seed=0):
    weights = np.random.default_rng(seed).normal(size=1 << BITS).astype(np.float32)
    return ExplicitModel(EdgeFeatures(groups), hashed_indices(BITS), weights)


@pytest.mark.parametrize("tokens, bits", [(1, 14), (1000, 16), (10**4, 19)])
def test_room_grows_with_the_treebank(tokens, bits):
    sentence = Sentence(block([0] * min(tokens, 100)))
    encoded = encode([sentence] * max(1, tokens // 100))
    indices, dim = make_feature_indices(encoded, EdgeFeatures("head"), 0, None)
    assert dim == 1 << bits and indices.keys.size == 0


def test_room_as_asked_for():
    encoded = encode(SENTENCES)
    assert make_feature_indices(encoded, EdgeFeatures("head"), 0, 20)[1] == 1 << 20
    indices, dim = make_feature_indices(encoded, EdgeFeatures("head"), 2, None)
    assert 0 < dim < indices.keys.size
    for bits in (7, 31):
        with pytest.raises(ValueError, match=f"hash_bits must be 8 to 30, not {bits}"):
            make_feature_indices(encoded, EdgeFeatures("head"), 0, bits)
    with pytest.raises(ValueError, match="min_count must be at least 0, not -1"):
        make_feature_indices(encoded, EdgeFeatures("head"), -1, None)


@pytest.mark.parametrize("decoder, projective", [(EXACT, False),
                                                      (PROJECTIVE, True)])
def test_heads_are_the_best_tree(decoder, projective):
    model = model_of()
    few = [s for s in SENTENCES if len(s) <= 5]
    for sentence, heads in zip(few, model.heads(few, encode(few), decoder, True)):
        scores = model.edge_scores(sentence)
        assert len(heads) == len(sentence)
        assert_allclose(tree_scores(scores, np.append(-1, heads)),
                        best_score(scores, projective=projective, single_root=True),
                        rtol=1e-5)


@pytest.mark.parametrize("name", DECODERS)
def test_a_sentence_of_2000_tokens(name):
    random = np.random.default_rng(0)
    words = [word for s in load_bundled("en").sentences[:300] for word in zip(
        s.forms, s.lemmas, s.upos, s.xpos, s.feats)]
    rows = ["\t".join([str(i), *words[random.integers(len(words))], "_", "_", "_", "_"])
            for i in range(1, 2001)]
    sentence = Sentence("\n".join(rows))
    heads, = model_of(["head-dependent", "counts"]).heads(
        [sentence], encode([sentence]), DECODERS[name], True)
    assert len(heads) == 2000 and heads.min() >= 0 and heads.max() <= 2000
    if name != "approximate":
        assert is_tree(np.append(np.int32(-1), heads)) and (heads == 0).sum() == 1


def test_contributions():
    """All features of the edge, by name, and their sum is the score."""
    sentence = Sentence(block([2, 0, 2, 2, 2, 2, 2], "x , , , , , y"))
    model = model_of("counts")
    contributions = dict(model.contributions(sentence, 1, 7))
    assert_allclose(sum(contributions.values()), model.edge_scores(sentence)[1, 7],
                    rtol=1e-5)
    assert "h.upos=X d.upos=X n.verbs=0" in contributions
    assert "h.upos=X d.upos=X n.commas=4+" in contributions      # five are four or more
    assert "d.form=y n.verbs=0 n.commas=4+ at distance 6-10 right" in contributions
    assert "h.upos=X d.upos=X n.commas=1" in dict(model.contributions(sentence, 1, 3))


def test_contributions_of_words_between_and_beside():
    sentence, = treebank(BLOCKS[1:2]).sentences
    between = dict(model_of("in-between").contributions(sentence, 1, 4))
    assert len(between) == 4        # both tag sets, with and without distance
    assert "h.upos=X d.upos=X b.upos=X at distance 3 right" in between
    beside = dict(model_of("neighbours").contributions(sentence, 0, 1))
    assert "h.upos=<root> h+1.upos=<end> d-1.upos=<start> d.upos=X" in beside


def test_restored():
    model = model_of("head")
    for weights in (model.weights, model.weights * (np.arange(1 << BITS) < 50)):
        model.weights = weights
        again = through_file(ExplicitModel, model.header(), model.arrays())
        np.testing.assert_array_equal(again.weights, weights)
        assert again.n_weights == np.count_nonzero(weights)
        assert_allclose(again.edge_scores(SENTENCES[3]),
                        model.edge_scores(SENTENCES[3]))


def test_templates_of_another_version():
    header = model_of("head").header()
    header["templates"]["head"] = ["h.form"]
    with pytest.raises(ValueError, match="other feature templates"):
        through_file(ExplicitModel, header, model_of("head").arrays())
