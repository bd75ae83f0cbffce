"""One spelling of what is typed in several ways."""
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orange_structpred.treebank.encoding import ENCODED_LAYERS, encode, layer_strings
from orange_structpred.treebank.normal_form import align_normal_form, normal_form
from orange_structpred.treebank.sentence import Sentence

TYPED = {
    "plain": "plain", "": "", "don’t": "don't", "l’été": "l'été", "“so”": '"so"',
    "„so“": '"so"', "«so»": '"so"', "10–12": "10-12", "so—or": "so--or", "so…": "so...",
    "10\u00a0000": "10 000", "10\u202f000": "10 000", "Ａ１！": "A1!",
    "e\u0301te\u0301": "été", "\u1112\u1161\u11ab": "\ud55c", "´": "'", "《是》": "《是》",
    "of\u00adfice": "office", "\ufeffof": "of", "o\ufb03ce": "office", "\ufb01ne": "fine",
    "so\u200b so": "so so", "\u200bso": "so", "\u200e(so)\u200f": "(so)",
    "a\u200bb": "a\u200bb", "\u200b": "\u200b", "a \u00ad b": "a \u00ad b",
    "می\u200cخواهم": "می\u200cخواهم", "e\u00ad\u0301": "é"}


@pytest.mark.parametrize("typed", TYPED)
def test_normal_form(typed):
    assert normal_form(typed) == TYPED[typed] == normal_form(TYPED[typed])
    assert normal_form(unicodedata.normalize("NFD", typed)) == TYPED[typed]


@given(st.text() | st.text("\u00ad\u200b\ufb03e\u0301\u0323…—\u1100\u1161\u11a8 \u09c7\u09be’x"))
@example("".join(TYPED))
@example("\u0344 \u0344\u0323")
def test_positions(typed):
    """Each typed character is in its place, whole."""
    text, origins = align_normal_form(typed)
    assert text == normal_form(typed)
    assert len(origins) == len(text) + 1 and origins[-1] == len(typed)
    assert (origins[1:] >= origins[:-1]).all() and (origins[:1] == 0).all()
    starts = sorted(set(origins.tolist()))
    pieces = [typed[begin:end] for begin, end in zip(starts, starts[1:])]
    assert "".join(pieces) == typed
    assert "".join(map(normal_form, pieces)) == text
    for k, character in enumerate(text):
        if character.isspace():     # nothing disappears between words
            assert origins[k + 1] - origins[k] == 1


def sentence(*words):
    return Sentence("\n".join(f"{k}\t{form}\t{lemma}\t_\t_\t_\t_\t_\t_\t_"
                              for k, (form, lemma) in enumerate(words, 1)))


def test_parsers_see_the_normal_form():
    plain = sentence(("l'", "l'"), ("e\u0301te\u0301", "été"), ("...", "..."), ("-", "-"))
    typed = sentence(("l’", "l’"), ("été", "été"), ("…", "…"), ("–", "–"))
    assert typed.forms[0] == "l’"
    assert (encode([plain]).tokens == encode([typed]).tokens).all()
    assert layer_strings(plain) == layer_strings(typed)
    assert layer_strings(typed)["form"][1] == "l'" and "form" in ENCODED_LAYERS
