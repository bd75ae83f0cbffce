"""Tokenisers: what they find, and that they lose nothing."""
import json
import re
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from orange_structpred import LemmatiserLearner, load_bundled
from orange_structpred.errors import InputError
from orange_structpred.evaluation import evaluate_raw
from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.tagging.documents import cut, paragraph_pieces
from orange_structpred.tagging.gaps import all_gaps, characters_of
from orange_structpred.tagging.rules import RuleTokeniser
from orange_structpred.tagging.splits import Splits
from orange_structpred.tagging.tokeniser import Tokeniser, TokeniserLearner
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.learnable import TrainingError
from orange_structpred.treebank.text import Token, clean_text, raw_text, tokens_of


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("de").sentences


@pytest.fixture(scope="module")
def tokeniser(treebank):
    return TokeniserLearner(passes=3).learn(treebank[:300])


def written(sentences):
    """All characters of the tokens, without spaces."""
    return "".join("".join(token.form.split())
                   for sentence in sentences for token in tokens_of(sentence))


TEXTS = st.text(st.one_of(
    st.sampled_from("aBc1 .,!?'\"-\n\t()@:/äß’…。中ไ🙂\u200f\u0301\xa0\x00\r\x85\u2028"),
    st.characters()), max_size=60)


@settings(max_examples=300)
@given(TEXTS)
@example("Inc.. On x.com/a_b")
@example("\u0130x İ. Ab")
@example("a\n\n\n\nb")
@example("\ud800")
def test_round_trip(tokeniser, text):
    """Every character is in a token or is a space, for both kinds of tokenisers."""
    expected = "".join(clean_text(text).split())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for own in (tokeniser, RuleTokeniser()):
            sentences = own(text)
            assert written(sentences) == expected
            # what is said to be written together is written together
            for sentence in sentences:
                assert sentence.text in " ".join(clean_text(text).split())


def test_learned(treebank, tokeniser):
    """Sentences of the same language that training did not see."""
    held_out = treebank[300:500]
    scores = evaluate_raw(held_out, tokeniser(raw_text(held_out)))
    assert scores["words"].f1 > 0.99 and scores["sentences"].f1 > 0.93


def test_file(tokeniser, tmp_path):
    path = tmp_path / "tokeniser.npz"
    tokeniser.save(path)
    again = Tokeniser.load(path)
    text = "Das ist zum Beispiel ein Haus. Und noch eins!"
    assert again(text) == tokeniser(text)
    assert again.splits.known == tokeniser.splits.known


@pytest.mark.parametrize("change", [
    {"decided": np.ones(3, bool)}, {"gaps_weights": np.zeros(4, np.float32)},
    {"gaps_parts": np.zeros(0, np.int32)}, {"header": np.zeros(3, np.uint8)}])
def test_damaged_file(tokeniser, tmp_path, change):
    path = tmp_path / "tokeniser.npz"
    tokeniser.save(path)
    write_arrays(path, **{**read_arrays(path), **change})
    with pytest.raises(ModelFileError, match="tokeniser"):
        Tokeniser.load(path)


def test_damaged_words(tokeniser, tmp_path):
    path = tmp_path / "tokeniser.npz"
    tokeniser.save(path)
    arrays = read_arrays(path)
    header = json.loads(bytes(arrays["header"]))
    header["known"] = [["a"]]
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    write_arrays(path, **arrays)
    with pytest.raises(ModelFileError, match="known: found a list of 1 values"):
        Tokeniser.load(path)


def test_nothing_to_learn_from():
    with pytest.raises(TrainingError, match="no sentences"):
        TokeniserLearner().learn([])


def test_no_space_after():
    row = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t_"
    sentence = Sentence("\n".join([row.format(1, "It"), row.format(2, ".")]))
    with pytest.warns(UserWarning, match="SpaceAfter=No"):
        tokeniser = TokeniserLearner(passes=1).learn([sentence])
    assert written(tokeniser("It. It .")) == "It.It."


def test_addresses_stay_whole(tokeniser):
    """No gap between letters and digits of an address is even looked at."""
    everything = np.ones_like(tokeniser.decided)
    texts = characters_of(["Ab1 http://a1B.de/x2Y.html", "  ab"])
    whole = [0, 1, 2, *(4 + k for k in (0, 4, 5, 6, 7, 10, 11, 13, 14, 17, 18))]
    gaps, counts, _ = all_gaps(*texts, everything)
    assert gaps.tolist() == [*whole, 29, 30] and counts.tolist() == [len(whole), 2]
    # the first one is always looked at
    assert all_gaps(*texts, ~everything)[0].tolist() == [0, 29]


def test_paragraphs_do_not_depend_on_each_other(tokeniser):
    texts = ["Das ist zum Beispiel ein Haus. Und noch eins!", "", "  ", "Er kam",
             "\u0130x ΑΣ. Ab", "am 3.4. Nun"]
    together = list(tokeniser.split(texts))
    assert together == [own for text in texts for own in tokeniser.split([text])]
    assert [len(own) > 0 for own in together] == [True, False, False, True, True, True]


def test_no_text(tokeniser):
    assert tokeniser("") == tokeniser(" \n\n\t") == RuleTokeniser()(" ") == []
    with pytest.raises(TypeError, match="expected text"):
        tokeniser(b"bytes")


def test_paragraphs_end_sentences(tokeniser):
    sentences = tokeniser("Ein Titel\n\nein Satz")
    assert len(sentences) == 2
    assert all("# newpar" in sentence.block for sentence in sentences)


def test_long_lines_are_cut():
    text = "abc " * 1000
    parts = list(cut(text, 50))
    assert " ".join(map(str.strip, parts)) == text.strip() and max(map(len, parts)) <= 50
    assert list(cut("x" * 100, 30)) == ["x" * 30] * 3 + ["x" * 10]
    assert list(cut("a b c d. e f", 9)) == ["a b c d.", " e f"]      # ends of sentences


@settings(max_examples=200)
@given(TEXTS, st.lists(st.integers(0, 60)))
@example("a\r\nb\n\n \n c", [2, 5, 6, 8])
def test_text_in_chunks(text, places):
    """The same paragraphs, wherever the chunks end."""
    places = [0, *sorted(places), len(text)]
    chunks = [text[begin:end] for begin, end in pairwise(places)]
    expected = [piece.strip() for piece in re.split(r"\n[^\S\n]*\n\s*", clean_text(text))
                if piece.strip()]
    found = list(paragraph_pieces(chunks, 1000))
    assert [piece for piece, _ in found] == expected
    assert all(begins for _, begins in found)
    short = list(paragraph_pieces(chunks, 5))
    assert "".join("".join(piece.split()) for piece, _ in short) == "".join(
        clean_text(text).split())
    if not re.search(r"\s{5}", clean_text(text)):
        assert sum(begins for _, begins in short) == len(expected)


@pytest.mark.parametrize("text, expected", [
    ("Mr. Bean (U.S. actor) left... He won't.",
     ["Mr. Bean ( U.S. actor ) left ...", "He won't ."]),
    ("It costs $1,000.50 at www.shop.com/a?b=1. Mail me@x.org!",
     ["It costs $ 1,000.50 at www.shop.com/a?b=1 .", "Mail me@x.org !"]),
    ("Er kam z.B. am 3.4.2020. „Gut!“ Sagte er.",
     ["Er kam z.B. am 3.4.2020 .", "„ Gut ! “", "Sagte er ."]),
    ("Er kam, z.\u2009B. gestern. Also d. h. Montag, i. d. R. um 3. Gut.",
     ["Er kam , z. B. gestern .", "Also d. h. Montag , i. d. R. um 3 .", "Gut ."]),
    ("Take plan a. Then b.", ["Take plan a .", "Then b ."]),
    ("C'est l'homme. Qui ?", ["C'est l'homme .", "Qui ?"]),
    # accents, vowel signs and invisible characters belong to what they stand after
    ("cafe\u0301's cafe\u0301-bar.", ["cafe\u0301's cafe\u0301-bar ."]),
    ("मैं हिन्दी बोलता हूँ। तुम?", ["मैं हिन्दी बोलता हूँ ।", "तुम ?"]),
    ("كَتَبَ الوَلَدُ؟ نعم", ["كَتَبَ الوَلَدُ ؟", "نعم"]),
    ("می\u200cخواهم Donau\u00addampf a\u200bb",
     ["می\u200cخواهم Donau\u00addampf a\u200b b"]),
    ("ක්\u200dරමය ප්\u200dරශ්න", ["ක්\u200dරමය ප්\u200dරශ්න"]),
    ("\u200fשלום)\u200f. x", ["\u200fשלום )\u200f . x"]),
    ("👩\u200d👧 👍🏽!! ❤\ufe0f🇩🇪🇫🇷", ["👩\u200d👧 👍🏽 !!", "❤\ufe0f 🇩🇪 🇫🇷"])])
def test_rules(text, expected):
    assert [" ".join(s.forms) for s in RuleTokeniser()(text)] == expected


def test_scripts_without_spaces():
    with pytest.warns(UserWarning, match="script without spaces.*CJK"):
        sentences = RuleTokeniser()("你好。再见。")
    assert [s.forms for s in sentences] == [["你好", "。"], ["再见", "。"]]


def test_trained_on_other_scripts(tokeniser):
    with pytest.warns(UserWarning, match="THAI.*trained on others, does not find"):
        tokeniser("ภาษาไทย")


@pytest.mark.parametrize("text, n", [("שלום עולם. מה נשמע?", 4), ("مرحبا بالعالم", 2)])
def test_words_of_other_scripts(tokeniser, text, n):
    """Spaces end words, whatever letters training saw."""
    forms = [form for sentence in tokeniser(text) for form in sentence.forms]
    assert not any(" " in form for form in forms) and len(forms) >= n


def test_splits():
    tokens = [Token(form, tuple(words.split())) for form, words in [
        ("Zum", "Zu dem"), ("zum", "zu dem"), ("don't", "do n't"), ("isn't", "is n't"),
        ("can't", "ca n't"), ("was", "was"), ("dogs", "dog s"), ("its", "its"),
        ("bus", "bus"), ("is", "is")]]
    splits = Splits.learn(tokens)
    assert splits.clitics == ["n't"]
    assert splits.words("zum") == ("zu", "dem") and splits.words("ZUM") == ("ZU", "DEM")
    assert splits.words("Zum") == ("Zu", "dem")
    assert splits.words("Didn't") == ("Did", "n't")
    assert splits.words("n't") == ("n't",) and splits.words("-n't") == ("-n't",)
    assert splits.words("cats") == ("cats",)


def test_prefixes_of_unseen_tokens():
    """As conjunctions, articles and prepositions are written in Hebrew."""
    tokens = [Token(words.replace(" ", ""), tuple(words.split())) for words in (
        "w h bayit", "w h yeled", "h kelev", "w kelev", "w bayit", "h yom", "w yom",
        "h layla", "yeled", "kelev", "wered", "halom",
        *(f"{who} {end}" for who in ("they", "you", "one") for end in ("'re", "'ve", "'ll")))]
    splits = Splits.learn(tokens)
    assert set(splits.prefixes) == {"w", "h"}
    assert splits.words("whlayla") == ("w", "h", "layla")
    assert splits.words("Whsefer") == ("W", "h", "sefer")
    assert splits.words("wered") == ("wered",) and splits.words("wwered") == ("w", "wered")
    assert splits.words("h") == ("h",) and splits.words("theya") == ("theya",)
    assert splits.words("hwho're") == ("h", "w", "h", "o", "'re")


@pytest.mark.parametrize("learner", [TokeniserLearner, LemmatiserLearner])
@pytest.mark.parametrize("values, message", [
    ({"random_state": -1}, "random_state must be a whole number from 0 to"),
    ({"passes": 0}, "passes must be a whole number from 1 to"),
    ({"name": "a\tb"}, "name must be a text")])
def test_values_that_a_learner_cannot_have(learner, values, message):
    with pytest.raises(InputError, match=message):
        learner(**values).learn(load_bundled("en").sentences[:3])


def test_tags_that_a_lemmatiser_cannot_read():
    for tags in ("upos", ["upos", "feats"]):
        with pytest.raises(InputError, match="tags must be a list with any of upos, xpos"):
            LemmatiserLearner(tags=tags).learn(load_bundled("en").sentences[:3])
