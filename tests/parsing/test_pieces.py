"""Long sentences in pieces: always a tree, in time, and with a word about it."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred import ParserLearner, Treebank, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.decoders import is_tree
from orange_structpred.parsing.decoding.pieces import (
    LongSentenceWarning,
    cuts,
    decoding_batches,
    joined_heads,
    sentence_pieces,
)
from tests.parsing.brute import all_trees
from tests.parsing.reference import is_projective_tree as is_projective
from tests.treebank.toy import long_sentence

SHORT = load_bundled("en").sentences[:30]


@given(st.lists(st.sampled_from(["a", ".", ",", ";"]), min_size=1, max_size=60),
       st.integers(1, 20))
def test_cuts(forms, longest):
    ends = cuts(forms, longest)
    sizes = np.diff([0, *ends])
    assert ends[-1] == len(forms) and sizes.max() <= longest and sizes.min() > 0


def test_a_text_is_cut_where_a_sentence_ends():
    forms = ["a", "b", "c", ".", "d", ",", "e", "f", ".", "g", "h"]
    assert cuts(forms, 6) == [4, 9, 11]
    assert cuts(["a"] * 10, 4) == [4, 8, 10]


def test_pieces_have_all_tokens():
    sentence = long_sentence(95)
    parts = sentence_pieces(sentence, 20)
    for column in ("forms", "lemmas", "upos", "xpos", "feats"):
        assert [value for part in parts for value in getattr(part, column)] == list(
            getattr(sentence, column))
    assert max(map(len, parts)) <= 20


@pytest.mark.parametrize("single_root", [True, False])
def test_joined_trees_are_trees(single_root):
    def trees(n):
        return [tree[1:] for tree in map(np.array, all_trees(n))
                if is_projective(tree.astype(np.int32))
                and (not single_root or np.sum(tree == 0) == 1)]

    for first in trees(3):
        for second in trees(2):
            heads = np.append(np.int32(-1), joined_heads(
                [first.astype(np.int32), second.astype(np.int32)], single_root))
            assert is_tree(heads) and is_projective(heads)
            assert not single_root or np.sum(heads == 0) == 1


def test_batches():
    sentences = [[0] * n for n in (1, 2, 30, 1, 1, 3, 3, 3)]
    parts = list(decoding_batches(sentences, 30))
    assert [sentence for part in parts for sentence in sentences[part]] == sentences
    assert [part.stop - part.start for part in parts] == [2, 1, 3, 1, 1]


@pytest.mark.parametrize("options", [
    {"decoder": "projective"}, {"decoder": "exact", "single_root": False},
    {"features": "kernel", "hash": "posTags"}])
def test_a_parser_meets_a_long_sentence(options):
    parser = ParserLearner(passes=1, **options)(load_bundled("en")[:20])
    parser.longest = 50
    texts = [*SHORT[:3], long_sentence(180), *SHORT[3:5]]
    shares = []
    with pytest.warns(LongSentenceWarning, match="1 of 6 sentences have more than 50"):
        heads = parser.predict_heads(texts, progress=shares.append)
    assert [len(own) for own in heads] == [len(text) for text in texts]
    assert all(is_tree(np.append(np.int32(-1), own)) for own in heads)
    assert shares == sorted(shares) and shares[-1] <= 1
    parser.longest = 500
    for own, other in zip(heads, parser.predict_heads(texts)):
        if len(own) <= 50:
            np.testing.assert_array_equal(own, other)


def test_sentences_that_do_not_fit_into_memory(monkeypatch):
    monkeypatch.setattr("orange_structpred.running.memory.available_memory",
                        lambda: 10**7)
    parser = ParserLearner(passes=1)(load_bundled("en")[:20])
    parser.longest = 1000
    with pytest.raises(InputError, match="a sentence of 600 tokens needs 0.0 GB"):
        parser.predict_heads([long_sentence(600)])
    with pytest.raises(InputError, match="600 tokens.*split it or leave it out"):
        ParserLearner(passes=1)(Treebank.from_sentences([long_sentence(600)]))
