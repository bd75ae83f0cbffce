"""Findings of the UD validator, and of our own checks without it."""
import random

import pytest

from orange_structpred import Sentence, load_bundled
from orange_structpred.treebank.editing import (
    EditedTreebank,
    join_words,
    make_multiword,
    set_layer,
    split_word,
)
from orange_structpred.treebank.layers import layer_values
from orange_structpred.treebank.validation import (
    can_validate,
    repeated_ids,
    tree_findings,
    validate_sentence,
    validate_sentences,
    validation_languages,
)
from tests.treebank.test_editing import random_edit
from tests.treebank.toy import ONE_WORD, TWO_ROOTS, UNPARSED

needs_udtools = pytest.mark.skipif(not can_validate(), reason="udtools is not installed")
FIRST = load_bundled("en").sentences[3]


def test_trees_are_checked_without_the_validator():
    assert tree_findings(Sentence(ONE_WORD)) == []
    (finding,) = tree_findings(Sentence(UNPARSED))
    assert finding.words == (1, 2)
    (finding,) = tree_findings(Sentence(TWO_ROOTS))
    assert finding.words == (1, 3)


def test_levels():
    with pytest.raises(ValueError, match="from 1 to 5"):
        validate_sentence(FIRST, level=6)


@needs_udtools
def test_words_of_findings():
    assert validate_sentence(FIRST, level=2) == []
    (finding,) = validate_sentence(set_layer(FIRST, 2, "deprel", "nonsense"), level=2)
    assert (finding.level, finding.test, finding.words, finding.is_error) == (
        2, "unknown-udeprel", (2,), True)
    (finding,) = validate_sentence(set_layer(FIRST, 3, "upos", "NOUNN"), level=2)
    assert finding.words == (3,) and "NOUNN" in finding.reason


@needs_udtools
def test_edited_sentences_are_valid():
    assert validate_sentence(split_word(FIRST, 2, "assis", "tant"), level=2) == []


@needs_udtools
@pytest.mark.parametrize("edits", [60, pytest.param(2000, marks=pytest.mark.slow)])
def test_any_edit_leaves_what_level_2_accepts(edits):
    rng = random.Random(edits)
    treebank = EditedTreebank(load_bundled("en").sentences[:20])
    for _ in range(edits):
        random_edit(rng, treebank)
    assert treebank.is_changed
    errors = [own for own in validate_sentences(treebank.sentences, level=2)
              if own.finding.is_error]
    assert errors == []


def test_words_joined_within_a_token_have_no_space_of_their_own():
    token = make_multiword(FIRST, 1, 3, "alltogether")
    joined = join_words(token, 1, 2)
    assert layer_values(joined, "misc:SpaceAfter")[0] == "_"
    assert not can_validate() or validate_sentence(joined, level=2) == []


@needs_udtools
def test_a_whole_treebank():
    sentences = load_bundled("en").sentences[:4]
    sentences[2] = set_layer(sentences[2], 2, "deprel", "nonsense")
    (own,) = validate_sentences(sentences, level=2)
    assert (own.row, own.finding.words) == (2, (2,))
    (own,) = repeated_ids([*sentences, sentences[0]])
    assert own.row == 4 and sentences[0].sent_id in own.finding.reason
    assert "en" in validation_languages()
