"""Input of one kind without end: the work grows with its length, not with its square.

Each input is so long that a step whose time grows with the square of the length would take
minutes instead of milliseconds.
"""
import codecs
import gzip
import warnings

import numpy as np
import pytest

from orange_structpred import RuleTokeniser, TokeniserLearner, load_bundled
from orange_structpred.files.streaming import bytes_stream
from orange_structpred.pipeline.streams import annotate_stream
from orange_structpred.tagging.gaps import (
    GAP_LAYERS,
    LONGEST_REST,
    all_gaps,
    characters_of,
)
from orange_structpred.tagging.scripts import apply_script, make_script
from orange_structpred.tagging.splits import Splits
from orange_structpred.treebank import Sentence
from orange_structpred.treebank.normal_form import align_normal_form
from orange_structpred.treebank.prediction import _PREDICTION_COMMENT
from orange_structpred.treebank.tags import _TAGS_COMMENT
from orange_structpred.treebank.text import clean_text, is_conll, tokens_of

LENGTH = 60_000
UNITS = ["a", "a.", "a-", "a'", "@a", "a@", "a.b@c.d", "'", "-", ".", "(", "http://",
         "www.", "1", "1,", "A", "é", "e\u0301", "\u0301", "\u200d", "…", "—", "’a", "\u00a0",
         " ", "\n", "\n \n", "\r", " \n", "a ", "a\n", ". A ", "_", "Ａ", "\U0001f1e6"]
TOKEN = "1\tHi\thi\t_\t_\t_\t0\troot\t_\t_"


@pytest.fixture(scope="module")
def tokeniser():
    return TokeniserLearner(passes=1).learn(load_bundled("en").sentences[:40])


@pytest.mark.parametrize("unit", UNITS)
def test_tokenisers(tokeniser, unit):
    text = f"Hi {unit * (LENGTH // len(unit))} you"
    for own in (tokeniser, RuleTokeniser()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            drafts = list(own.drafts([text]))
        written = "".join(token.form for draft in drafts for token in draft.tokens)
        assert "".join(written.split()) == "".join(clean_text(text).split())


def test_gaps_look_at_a_window():
    """What is seen at a gap: whole chunks up to a length, then a part of them."""
    every = np.ones(129, bool)
    short, long = ("x" * n + "." for n in (LONGEST_REST - 1, LONGEST_REST))

    def rest(text):
        return all_gaps(*characters_of([text]), every)[2][0, GAP_LAYERS.index("after")]

    assert rest(short) != rest(short[:-1] + "!") and rest(long) == rest(long[:-1] + "!")


@pytest.mark.parametrize("beginning", [
    b"\n" * LENGTH, b" \n" * LENGTH, b"\n# a" * LENGTH, b"# text =" + b" " * LENGTH,
    b"\t" * LENGTH, b"1" * LENGTH, b"1-" * LENGTH, b"1\t" * LENGTH])
def test_text_or_conll(beginning):
    assert not is_conll(beginning) or beginning.startswith(b"1\t")
    assert is_conll(codecs.BOM_UTF8 + b"\n" * LENGTH + TOKEN.encode())


def test_what_unpacks_to_nothing_is_not_the_end():
    """An empty gzip file before the one with the sentences."""
    packed = gzip.compress(b"") + gzip.compress(TOKEN.encode())
    assert b"" not in list(bytes_stream(packed))
    stream = bytes_stream(packed)
    assert stream.head(9) == TOKEN.encode() == b"".join(stream)


def test_blank_lines_before_text(pipeline):
    [[sentence]] = annotate_stream(
        pipeline, bytes_stream(b"\n" * LENGTH + b"The dog sees the cat."), "text")
    assert sentence.text == "The dog sees the cat."


@pytest.mark.parametrize("comment, text", [
    ("# text=" + " " * LENGTH + "Hi", "Hi"), ("# text = Hi" + " " * LENGTH, "Hi"),
    ("#" + " " * LENGTH + "text = Hi", "Hi"), ("# text" + " " * LENGTH + "= Hi", "Hi"),
    ("# text = a" + " a" * LENGTH, "a" + " a" * LENGTH)])
def test_comments(comment, text):
    sentence = Sentence(f"{comment}\n{TOKEN}")
    assert sentence.text == text and len(tokens_of(sentence)) == 1


@pytest.mark.parametrize("line", [
    "# prediction " + " =" * LENGTH, "# prediction a" + " " * LENGTH,
    "# tags a: " + "misc:" * LENGTH, "# tags " + "a: misc:b" * LENGTH,
    "# tags a: misc:" + "b" * LENGTH, "# tags a: upos (" + "1" * LENGTH])
def test_own_comments(line):
    matches = _PREDICTION_COMMENT.fullmatch(line), _TAGS_COMMENT.fullmatch(line)
    assert any(matches) == line.endswith("=")


def test_words():
    long = "a" * LENGTH
    assert make_script(long, "b" * LENGTH) == "=|" + "b" * LENGTH
    assert apply_script(make_script(long + "s", long), long + "s") == long
    assert Splits({}, ["n't"]).words(long + "n’t") == (long, "n’t")
    assert len(align_normal_form("e\u0301" * LENGTH).text) == LENGTH


@pytest.mark.filterwarnings("ignore:.*in pieces")
@pytest.mark.parametrize("unit", ["a", "- ", "a."])
def test_whole_pipeline(pipeline, unit):
    text = unit * (4_000 // len(unit))
    assert sum(map(len, pipeline.annotate(text))) > 0
