"""Findings of the UD validator, and of our own checks without it."""
import pytest

from orange_structpred import Sentence, load_bundled
from orange_structpred.treebank.editing import set_layer, split_word
from orange_structpred.treebank.validation import (
    can_validate,
    tree_findings,
    validate_sentence,
)
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
