"""Scores of raw text, with counts made by hand."""
import pytest

from orange_structpred.evaluation import MismatchError, evaluate_raw
from orange_structpred.evaluation.raw import (
    RawScore,
    align,
    annotated,
    common_subsequence,
    universal_features,
)
from orange_structpred.treebank import Sentence
from tests.evaluation import conll18
from tests.evaluation.toy import GOLD, PREDICTED


def sentence(*rows: str) -> Sentence:
    """From rows of: id, form, upos, head, relation; ranges have an id and a form."""
    lines = []
    for row in rows:
        cells = row.split()
        number, form = cells[:2]
        upos, head, relation = cells[2:] or ("_", "_", "_")
        lines.append(f"{number}\t{form}\t{form.lower()}\t{upos}\t_\t_\t{head}\t"
                     f"{relation}\t_\t_")
    return Sentence("\n".join(lines))


# Ich gehe zum Haus . | Ja !
RIGHT = [sentence("1 Ich PRON 2 nsubj", "2 gehe VERB 0 root", "3-4 zum", "3 zu ADP 5 case",
                  "4 dem DET 5 det", "5 Haus NOUN 2 obl", "6 . PUNCT 2 punct"),
         sentence("1 Ja INTJ 0 root", "2 ! PUNCT 1 punct")]


def counts(scores, name):
    return scores[name].correct, scores[name].gold, scores[name].system


def test_same():
    scores = evaluate_raw(RIGHT, RIGHT)
    assert all(score.f1 == 1 for score in scores.values())
    assert counts(scores, "words") == (8, 8, 8)
    assert counts(scores, "tokens") == (7, 7, 7)


def test_one_sentence_and_no_split():
    """zum is a plain word, Haus and the full stop are one, and nothing ends there."""
    found = [sentence("1 Ich PRON 2 nsubj", "2 gehe VERB 0 root", "3 zum ADP 4 case",
                      "4 Haus. NOUN 2 obl", "5 Ja INTJ 2 dep", "6 ! PUNCT 2 punct")]
    scores = evaluate_raw(RIGHT, found)
    assert counts(scores, "tokens") == (5, 7, 6)        # Ich gehe zum Ja !
    assert counts(scores, "sentences") == (0, 2, 1)
    assert counts(scores, "words") == (4, 8, 6)         # Ich gehe Ja !
    assert counts(scores, "upos") == (4, 8, 6)
    # Ich and gehe; the head of ! is another word than in the gold tree
    assert counts(scores, "uas") == (2, 8, 6)
    assert scores["uas"].precision == 2 / 6 and scores["uas"].recall == 2 / 8


def test_words_of_one_token_are_aligned_by_form():
    """Within a token of several words the longest common subsequence counts."""
    found = [sentence("1 Ich PRON 2 nsubj", "2 gehe VERB 0 root", "3-5 zum",
                      "3 z X 2 dep", "4 ZU ADP 6 case", "5 das DET 6 det",
                      "6 Haus NOUN 2 obl:x", "7 . PUNCT 2 punct"), RIGHT[1]]
    scores = evaluate_raw(RIGHT, found)
    assert counts(scores, "words") == (7, 8, 9)         # all but dem
    assert counts(scores, "uas") == (7, 8, 9)
    assert counts(scores, "las") == (7, 8, 9)           # subtypes do not count
    assert counts(scores, "tokens") == (7, 7, 7)


def test_overlapping_tokens_of_several_words():
    gold = [sentence("1-2 ab", "1 a X 0 root", "2 b X 1 dep", "3 c X 1 dep")]
    found = [sentence("1 a X 0 root", "2-3 bc", "2 b X 1 dep", "3 c X 1 dep")]
    pairs = align(annotated(gold).words, annotated(found).words)
    assert pairs == [(0, 0), (1, 1), (2, 2)]


def test_gold_words_without_a_lemma_accept_any():
    gold = [Sentence("1\ta\t_\tX\t_\t_\t0\troot\t_\t_")]
    found = [Sentence("1\ta\tb\tX\t_\t_\t0\troot\t_\t_")]
    assert evaluate_raw(gold, found)["lemmas"].f1 == 1
    assert evaluate_raw(found, gold)["lemmas"].f1 == 0


def test_features_that_are_not_universal_do_not_count():
    assert universal_features("Style=Coll|Number[psor]=Sing|Case=Nom") == (
        "Case=Nom|Number[psor]=Sing")


def test_unknown_heads_are_wrong():
    bare = [own.with_heads([-1] * len(own)) for own in RIGHT]
    assert evaluate_raw(RIGHT, bare)["uas"].correct == 0


def test_other_text():
    with pytest.raises(MismatchError, match="at character 4.*found 'x!', expected '!'"):
        evaluate_raw([sentence("1 Ja? X 0 root", "2 ! X 1 dep")],
                     [sentence("1 Ja? X 0 root", "2 x! X 1 dep")])


def test_same_tokens_as_the_reference():
    """Where the tokens are the same, UAS and LAS are those of the trees."""
    def text(sentences):
        return "\n\n".join(own.block for own in sentences)

    scores = evaluate_raw(GOLD, PREDICTED)
    reference = conll18.score(text(GOLD), text(PREDICTED))
    assert 100 * scores["uas"].f1 == pytest.approx(reference["uas"])
    assert 100 * scores["las"].f1 == pytest.approx(reference["las"])


def test_common_subsequence():
    assert common_subsequence("abcbd", "bcd") == [(1, 0), (2, 1), (4, 2)]
    assert common_subsequence("", "x") == []
    assert RawScore(0, 0, 0).f1 == 0
