"""Words of scripts without spaces: lists of known words, against a slow reference."""
import numpy as np
import pytest

from orange_structpred import Sentence
from orange_structpred.evaluation import evaluate_raw
from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.tagging import tokeniser as module
from orange_structpred.tagging.gaps import characters_of
from orange_structpred.tagging.tokeniser import Tokeniser, TokeniserLearner
from orange_structpred.tagging.word_list import LONGEST_LISTED, WordList
from orange_structpred.treebank.text import raw_text, tokens_of

SIGNS = [chr(0x4E00 + 7 * k) for k in range(40)]
ROW = "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{}"


def reference(text, words, at):
    """What `LISTED_LAYERS` say of a gap, by looking at all pieces of the text."""
    words = {word.lower() for word in words if len(word) <= LONGEST_LISTED}
    small = text.lower()
    ending = {n for n in range(1, LONGEST_LISTED + 1)
              if at - n >= 0 and small[at - n:at] in words}
    beginning = {n for n in range(1, LONGEST_LISTED + 1) if small[at:at + n] in words
                 and at + n <= len(small)}
    cuts = [(end - begin, -begin) for begin in range(max(0, at - LONGEST_LISTED), at)
            for end in range(at + 1, begin + LONGEST_LISTED + 1)
            if end <= len(small) and small[begin:end] in words]
    longest, begin = max(cuts, default=(0, 0))
    equal = sum(1 << (2 * (left - 1) + right) for left in (1, 2) for right in (0, 1)
                if at >= left and at + right < len(text)
                and small[at - left] == small[at + right])
    return [1 + sum(1 << n for n in ending), 1 + sum(1 << n for n in beginning),
            1 + max(ending, default=0), 1 + max(beginning, default=0),
            1 + (8 * longest + at + begin if cuts else 0), 1 + equal]


@pytest.mark.parametrize("words", [
    [], ["ab"], ["a", "b", "ab", "bab", "Abba", "ababab", "abababab"], ["b b", "a"]])
def test_layers_are_those_of_the_reference(words):
    rng = np.random.default_rng(3)
    listed = WordList.of(words)
    for n in (1, 2, 7, 30):
        text = "".join(rng.choice(list("abABc"), n))
        characters = characters_of([text])
        found = listed.layers(characters, np.arange(n))
        # the space that ends a paragraph is no letter
        expected = [reference(text, words, at) for at in range(n)]
        np.testing.assert_array_equal(found, expected)


def unspaced(n, seed=0):
    """Sentences of words of one to three signs without any space."""
    rng = np.random.default_rng(seed)
    lexicon = ["".join(np.random.default_rng(k).choice(SIGNS, 1 + k % 3))
               for k in range(60)]
    return [Sentence("\n".join(
        ROW.format(k, word, "SpaceAfter=No") for k, word in enumerate(
            [*rng.choice(lexicon, 6), "\u3002"], 1))) for _ in range(n)]


@pytest.fixture(scope="module")
def tokeniser():
    return TokeniserLearner(passes=4).learn(unspaced(60))


def words_found(tokeniser, test):
    return evaluate_raw(test, tokeniser(raw_text(test)))["words"].f1


def test_known_words_are_found(tokeniser, monkeypatch):
    test = unspaced(20, seed=1)
    found = words_found(tokeniser, test)
    assert found > 0.9
    monkeypatch.setattr(module, "LISTED_TEMPLATES", ("always ending",))
    monkeypatch.setattr(WordList, "layers", lambda self, characters, gaps: np.ones(
        (len(gaps), 6), np.uint64))
    without = TokeniserLearner(passes=4).learn(unspaced(60))
    assert words_found(without, test) < found - 0.03


def test_nothing_is_lost(tokeniser):
    text = SIGNS[0] * 300 + " A\u0301b " + "\u3002" + SIGNS[3]
    found = "".join(token.form for sentence in tokeniser(text)
                    for token in tokens_of(sentence))
    assert found == text.replace(" ", "")


def test_a_treebank_with_spaces_has_no_list():
    row = "1\tIt\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbarks\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" \
          "3\t.\t_\t_\t_\t_\t_\t_\t_\t_"
    assert TokeniserLearner(passes=1).learn([Sentence(row)] * 3).words is None


def test_file(tokeniser, tmp_path):
    tokeniser.save(tmp_path / "x.npz")
    text = raw_text(unspaced(5, seed=2))
    assert list(Tokeniser.load(tmp_path / "x.npz")(text)) == list(tokeniser(text))
    arrays = read_arrays(tmp_path / "x.npz")
    for change in ({"listed": arrays["listed"][::-1]},
                   {"listed": np.zeros(1, np.uint64)}, {"listed": None}):
        write_arrays(tmp_path / "bad.npz", **{
            name: array for name, array in {**arrays, **change}.items()
            if array is not None})
        with pytest.raises(ModelFileError):
            Tokeniser.load(tmp_path / "bad.npz")
