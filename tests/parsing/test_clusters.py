"""Clusters of words, from the treebank's own text and from files."""
import numpy as np
import pytest

from orange_structpred.parsing.kernel import word_clusters as clusters
from orange_structpred.parsing.kernel.word_clusters import (
    cluster_words,
    learn_vectors,
    read_vectors,
)
from tests.parsing.brute import sentence

# Animals and fruits never stand in the same place.
TEXTS = [f"{name}|_|X|x {verb}|_|X|x {name}|_|X|x {end}|_|X|x"
         for name, verb, end in (
             *((animal, verb, "now") for animal in ("dog", "cat", "cow", "pig")
               for verb in ("barks", "runs", "sleeps")),
             *((fruit, verb, "soon") for fruit in ("fig", "plum", "pear", "lime")
               for verb in ("ripens", "falls", "rots")))]
SENTENCES = [sentence(text, (2, 0, 2, 2)) for text in TEXTS] * 3
ANIMALS, FRUITS = ("dog", "cat", "cow", "pig"), ("fig", "plum", "pear", "lime")


def similarity(words, vectors, a, b):
    a, b = vectors[words.index(a)], vectors[words.index(b)]
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def test_words_with_the_same_neighbours_are_near():
    words, vectors = learn_vectors(SENTENCES)
    assert len(words) == len(vectors) == len(set(words)) == 16
    within = [similarity(words, vectors, a, b) for kind in (ANIMALS, FRUITS)
              for a in kind for b in kind if a != b]
    across = [similarity(words, vectors, a, b) for a in ANIMALS for b in FRUITS]
    assert np.mean(within) > np.mean(across) + 0.1


def test_clusters_of_the_treebanks_own_words():
    found = cluster_words(SENTENCES, n_clusters=2)
    assert set(found.values()) == {1, 2}
    assert len({found[word] for word in ANIMALS}) == 1
    assert len({found[word] for word in FRUITS}) == 1
    assert found["dog"] != found["fig"]
    assert found == cluster_words(SENTENCES, n_clusters=2)


def test_fewer_clusters_for_small_vocabularies():
    assert len(set(cluster_words(SENTENCES).values())) <= 4
    lonely = [sentence("bark|_|X|x", (0,))]
    assert cluster_words(lonely) == {"bark": 1}


@pytest.mark.parametrize("head", ["", "4 3\n"])
def test_vectors_from_a_file(tmp_path, head):
    path = tmp_path / "vectors.txt"
    path.write_text(head + "dog 1 0 0.5\ncat .9 0.1 .4\nfig -1 0 2e-1\nplum -1 0 0 \n",
                    encoding="utf-8")
    words, vectors = read_vectors(path)
    assert words == ["dog", "cat", "fig", "plum"]
    np.testing.assert_allclose(vectors[[0, 2]], [[1, 0, .5], [-1, 0, .2]])
    found = cluster_words(SENTENCES, vectors=path, n_clusters=1)
    assert found == dict.fromkeys(words, 1)      # other words have none


def test_rare_words_of_a_long_file_are_read_if_they_occur(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "N_FREQUENT", 2)
    path = tmp_path / "vectors.txt"
    path.write_text("the 1 1\nof 1 2\ndog 2 1\nzebra 2 2\n")
    assert read_vectors(path)[0] == ["the", "of"]
    assert read_vectors(path, {"dog"})[0] == ["the", "of", "dog"]
    assert set(cluster_words(SENTENCES, vectors=path)) == {"the", "of", "dog"}


@pytest.mark.parametrize("text, line, found", [
    ("dog 1 0\ncat 1\n", 2, "'cat 1', expected a word and 2 numbers"),
    ("dog 1 0\n\ncat 1 0\n", 2, "'', expected a word and 2 numbers"),
    ("2 2\ndog 1 x\n", 2, "'dog 1 x', expected a word and numbers"),
    ("dog nan 1\n", 1, "'dog nan 1', expected a word and numbers"),
    ("# a text\nthat is no list of vectors\n", 1, "'# a text'")])
def test_bad_lines_are_named(tmp_path, text, line, found):
    path = tmp_path / "vectors.txt"
    path.write_text(text)
    with pytest.raises(ValueError) as error:
        read_vectors(path)
    assert f"{path}, line {line}: found {found}" in str(error.value)


def test_files_that_hold_no_vectors(tmp_path):
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="found no word vectors"):
        read_vectors(path)
    path.write_bytes(b"3 2\ndog \xff\xfe\x00\x01\x02\n")
    with pytest.raises(ValueError, match=r"vectors\.bin, line 2: found 'dog"):
        read_vectors(path)
    with pytest.raises(FileNotFoundError):
        read_vectors(tmp_path / "none.txt")
