"""Markers and conjunctions of words, against loops over them."""
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred.treebank.guesses import guess
from tests.parsing.plain import coordinators, markers

TAGS = st.sampled_from(["NOUN", "PROPN", "VERB", "AUX", "ADP", "PUNCT", "CCONJ", "SCONJ",
                        "PART", "ADV", "DET", "_"])
FEATS = st.sampled_from(["_", "PronType=Rel", "Case=Nom|PronType=Int,Rel"])
SENTENCES = st.lists(st.lists(st.tuples(TAGS, FEATS), min_size=1, max_size=12),
                     max_size=4)


@given(SENTENCES)
def test_as_one_word_after_the_other(sentences):
    tags, feats = ([row[k] for own in sentences for row in own] for k in (0, 1))
    words = [f"w{k}" for k in range(len(tags))]
    found = guess(tags, feats, np.array(list(map(len, sentences)), np.int64))
    start, expected = 0, {"marker": [], "coordinator": []}
    for own in sentences:
        here = slice(start, start + len(own))
        expected["marker"] += markers(words[here], tags[here], feats[here])
        expected["coordinator"] += coordinators(words[here], tags[here])
        start += len(own)
    assert {name: [words[k] if k >= 0 else "" for k in places.tolist()]
            for name, places in found.items()} == expected
