"""What a model remembers of its training sentences."""
import numpy as np
import pytest

from orange_structpred import Parser, ParserLearner, Treebank, load_bundled
from orange_structpred.evaluation import score_treebanks
from orange_structpred.treebank.columns import seen_sentences
from orange_structpred.treebank.seen import (
    FEWEST_WORDS,
    count_seen,
    count_seen_sentences,
    plain_sentence_ids,
    sentence_ids,
    training_ids,
)


@pytest.fixture(scope="module")
def treebank():
    return load_bundled("en")[:60]


@pytest.fixture(scope="module")
def parser(treebank):
    return ParserLearner(order=1, passes=1, relations=False)(treebank[:40])


def long_enough(treebank):
    return [own for own in treebank.sentences if len(own) >= FEWEST_WORDS]


def test_ids_are_those_of_words_in_their_order(treebank):
    sentences = long_enough(treebank)
    ids = sentence_ids(Treebank.from_sentences(sentences).encoded())
    words = [tuple(own.forms) for own in sentences]
    assert len(set(ids.tolist())) == len(set(words)) and ids.all()
    bare = [own.with_heads([-1] * len(own)) for own in sentences]
    np.testing.assert_array_equal(
        sentence_ids(Treebank.from_sentences(bare).encoded()), ids)
    # one by one as well as all at once
    np.testing.assert_array_equal(ids[:3], [int(sentence_ids(
        Treebank.from_sentences([own]).encoded())[0]) for own in sentences[:3]])


def test_ids_of_sentences_that_are_not_encoded(treebank):
    np.testing.assert_array_equal(plain_sentence_ids(treebank.sentences),
                                  sentence_ids(treebank.encoded()))
    training = training_ids(treebank[:40].encoded())
    assert count_seen_sentences(treebank.sentences, training) == count_seen(
        treebank.encoded(), training)
    assert count_seen_sentences([], training) == 0


def test_ids_never_change():
    """Models in files hold them."""
    first, = sentence_ids(load_bundled("en")[:1].encoded()).tolist()
    assert first == 3223700967954919877


def test_counts(treebank):
    training = training_ids(treebank[:40].encoded())
    known = {tuple(own.forms) for own in long_enough(treebank[:40])}
    for part in (treebank[:40], treebank[30:], treebank[40:]):
        assert count_seen(part.encoded(), training) == sum(
            tuple(own.forms) in known for own in long_enough(part))
    assert not len(training_ids(treebank[:0].encoded()))
    assert count_seen(treebank[:0].encoded(), training) == 0


def test_a_parser_remembers(parser, treebank, tmp_path):
    expected = len(long_enough(treebank[30:40]))
    parser.save(tmp_path / "a.npz")
    for own in (parser, Parser.load(tmp_path / "a.npz")):
        assert own.count_seen(treebank[30:40]) == expected
        parsed = own(treebank[30:40], name="a")
        assert seen_sentences(parsed) == {"a": (expected, expected)}
        assert own.count_seen(treebank[:0]) == 0
    scored, = score_treebanks(parser(treebank[30:40])).scored
    assert scored.seen == (expected, expected) and str(scored.seen) == str(expected)


def test_parsers_of_earlier_versions(parser, treebank, tmp_path):
    parser.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as file:
        arrays = {name: file[name] for name in file if "training_ids" not in name}
    np.savez(tmp_path / "b.npz", **arrays)
    older = Parser.load(tmp_path / "b.npz")
    assert older.count_seen(treebank) == 0
    assert seen_sentences(older(treebank[30:])) == {}


def test_some_of_the_sentences_that_were_parsed(parser, treebank):
    """What was said of all of them need not be true of a part."""
    parsed = parser(treebank, name="a")
    seen = parser.count_seen(treebank)
    assert 25 < seen <= 40
    assert seen_sentences(parsed[:50]) == {"a": (seen - 10, seen)}
    assert str(seen_sentences(parsed[:50])["a"]) == f"{seen - 10} to {seen}"
    assert str(seen_sentences(parsed[40:])["a"]) == "up to 20"
    assert seen_sentences(parsed[:0]) == {}
    both = type(parsed).concatenate([parsed, parsed])
    assert seen_sentences(both) == {"a": (seen, seen + 60)}
