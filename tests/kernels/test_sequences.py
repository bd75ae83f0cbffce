import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from orange_structpred.kernels import AnnotatedNgram, KernelError, Ngram, make_kernel
from orange_structpred.treebank import read_conll
from tests.data import treebank_file
from tests.kernels.toys import (
    TOYS,
    as_sentences,
    assert_kernel_matrix,
    sentence,
    sequences,
    subsequence_kernel,
)

COLUMNS = {"form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos"}


def reference(kernel, rows, columns):
    if isinstance(kernel, Ngram):
        weights = {kernel.layer: 1.0}
    else:
        weights = {layer: getattr(kernel, layer) for layer in COLUMNS}
        weights = {layer: w / sum(weights.values()) for layer, w in weights.items()}

    weights = {layer: weight for layer, weight in weights.items() if weight > 0}

    def match(a, i, b, j):
        degree = 0.0
        for layer, weight in weights.items():
            one, other = getattr(a, COLUMNS[layer])[i], getattr(b, COLUMNS[layer])[j]
            if one == other and (one != "_" or layer == "form"):
                degree += weight
        return degree

    def raw(a, b):
        return subsequence_kernel(a, b, kernel.n, kernel.decay, match)

    def value(a, b):
        if not kernel.normalized:
            return raw(a, b)
        return raw(a, b) / (np.sqrt(raw(a, a) * raw(b, b)) or 1.0)

    return np.array([[value(a, b) for b in columns] for a in rows])


KERNELS = [
    Ngram(), Ngram(n=1), Ngram(n=3, decay=1.0, normalized=False),
    Ngram(n=2, decay=0.2, layer="lemma"), Ngram(n=3, layer="upos"),
    AnnotatedNgram(), AnnotatedNgram(n=1, normalized=False),
    AnnotatedNgram(n=2, decay=1.0, form=0, lemma=2, upos=1),
    AnnotatedNgram(n=9, decay=0.8, form=3, normalized=False),
    AnnotatedNgram(form=1, lemma=0, upos=0)]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_definition(kernel):
    assert_allclose(kernel.gram(TOYS), reference(kernel, TOYS, TOYS), rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:4], TOYS[2:]),
                    reference(kernel, TOYS[:4], TOYS[2:]), rtol=1e-6)
    assert_allclose(kernel.diagonal(TOYS), np.diag(reference(kernel, TOYS, TOYS)),
                    rtol=1e-12)


@settings(max_examples=15)
@given(sequences, st.sampled_from([0.05, 0.5, 1.0]), st.integers(1, 4))
def test_definition_on_any_sequences(drawn, decay, n):
    sentences = as_sentences(drawn)[:5]
    for kernel in (Ngram(n=n, decay=decay), AnnotatedNgram(n=n, decay=decay)):
        assert_allclose(kernel.gram(sentences), reference(kernel, sentences, sentences),
                        rtol=1e-6)


@settings(max_examples=20)
@given(sequences)
def test_kernels_of_any_sentences(drawn):
    sentences = as_sentences(drawn)
    for kernel in KERNELS:
        assert_kernel_matrix(kernel.gram(sentences))


def test_example_of_lodhi():
    """Section 2 of their article: of 'cat' and 'car', only 'ca' of the pairs is common."""
    cat, car = sentence("c a t"), sentence("c a r")
    both = Ngram(n=2, decay=0.5, normalized=False)(cat, car)
    single = Ngram(n=1, decay=0.5, normalized=False)(cat, car)
    assert both - single == pytest.approx(0.5 ** 4)


def test_many_matches_and_few_agree():
    """A pair with too many matches for the sparse table takes the whole one."""
    a, b = sentence("a " * 30), sentence("a b " * 15)
    sparse = Ngram(normalized=False)
    whole = AnnotatedNgram(normalized=False, form=1, lemma=1e-12, upos=0)
    assert_allclose(sparse.gram([a, b]), whole.gram([a, b]), rtol=1e-6)


def test_unknown_lemmas_match_nothing_however_many_others_do():
    a, b = sentence("a|x|N " * 5 + "a|_|N"), sentence("a|x|N " * 5)
    kernel = Ngram(layer="lemma")
    assert_allclose(kernel.gram([a, b]), 1, rtol=1e-6)


@pytest.mark.parametrize("decay", [0.01, 0.5])
def test_long_sequences_leave_the_range_of_no_number(decay):
    words = [f"w{i}" for i in range(600)]
    a, b = sentence(" ".join(words)), sentence(" ".join(words[::2]))
    gram = Ngram(decay=decay).gram([a, b])
    assert_allclose(np.diag(gram), 1, rtol=1e-6)
    assert 0 < gram[0, 1] < 1
    # Single words: 300 of 300; longer ones in b span twice as much in a.
    n1 = Ngram(decay=decay, n=1).gram([a, b])
    assert n1[0, 1] == pytest.approx(300 / np.sqrt(300 * 600))


def test_words_that_no_column_has_count_in_the_norm():
    a, b = sentence("a q"), sentence("a b")
    kernel = Ngram(n=1)
    assert kernel.gram([a], [b])[0, 0] == pytest.approx(0.5)
    assert AnnotatedNgram(n=1, lemma=0, upos=0.001).gram(
        [a], [b])[0, 0] == pytest.approx(0.5)


def test_more_columns_than_fit_into_one_batch():
    sentences = [TOYS[i % len(TOYS)] for i in range(37)]
    kernel = AnnotatedNgram()
    small = kernel.gram(TOYS)
    places = np.arange(37) % len(TOYS)
    assert_allclose(kernel.gram(sentences), small[np.ix_(places, places)], rtol=1e-6)
    assert_allclose(kernel.gram(TOYS[:2], sentences), small[:2][:, places], rtol=1e-6)


def test_bound_kernel_gives_the_same():
    for kernel in (Ngram(), AnnotatedNgram()):
        bound = kernel.bind(TOYS)
        assert (bound.gram() == kernel.gram(TOYS)).all()
        assert (bound.gram(TOYS[1:3]) == kernel.gram(TOYS[1:3], TOYS)).all()


@pytest.mark.parametrize("kernel", [Ngram(), Ngram(layer="xpos"), AnnotatedNgram()],
                         ids=repr)
def test_real_sentences(kernel):
    sentences = list(read_conll(treebank_file("en_ewt-ud-dev.conllu")))[:300]
    gram = kernel.gram(sentences)
    assert_kernel_matrix(gram)
    assert_allclose(np.diag(gram), 1, rtol=1e-6)
    assert gram.min() >= 0 and gram.max() <= 1 + 1e-6
    assert_allclose(kernel.gram(sentences[:20], sentences), gram[:20], rtol=1e-6)
    short = [s for s in sentences if len(s) <= 6][:8]
    assert_allclose(kernel.gram(short), reference(kernel, short, short), rtol=1e-6)


@pytest.mark.parametrize("name, params, message", [
    ("ngram", {"n": 0}, "n is 0, expected a whole number from 1"),
    ("ngram", {"decay": 0}, "decay is 0, expected a number above 0, 1 at most"),
    ("ngram", {"decay": 1.1}, "decay is 1.1"),
    ("ngram", {"layer": "word"}, "layer is 'word'"),
    ("annotated-ngram", {"form": -1}, "form is -1"),
    ("annotated-ngram", {"form": 0, "lemma": 0, "upos": 0}, "a weight above 0")])
def test_parameters_that_make_no_kernel(name, params, message):
    with pytest.raises(KernelError, match=message):
        make_kernel(name, **params)
