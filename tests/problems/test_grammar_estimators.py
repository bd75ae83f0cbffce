"""Parsers as users see them."""
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from orange_structpred.errors import InputError
from orange_structpred.problems import PCFG, GrammarSVM, PhraseTree, f1_score
from tests.problems.toy import TREES as AMBIGUOUS

#: Without trees that have the rules of other ones
TREES = [*AMBIGUOUS[:2], *AMBIGUOUS[3:5], AMBIGUOUS[6]]
X = [tree.tags for tree in TREES]


def test_learns_and_takes_brackets():
    parser = GrammarSVM(C=100, tol=1e-3).fit(X, list(map(str, TREES)))
    assert parser.score(TREES, TREES) == 1 and parser.converged_
    assert parser.mean_loss(X, TREES) == 0
    assert parser.predict(TREES[:1]) == TREES[:1]           # with its words
    assert parser.predict(X[:1])[0].words == X[0]
    weights = parser.rule_weights()
    assert set(weights) == set(parser.grammar_.names)


def test_pcfg_and_spans():
    pcfg = PCFG(markov=0).fit(AMBIGUOUS, AMBIGUOUS)
    assert 0 < pcfg.score(AMBIGUOUS, AMBIGUOUS) < 1
    scores = [score for _, score in pcfg.predict_k_best(AMBIGUOUS[5:6], 3)[0]]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True)
    spans = GrammarSVM(C=100, markov=0, span_features="surface", solver="one-slack").fit(
        AMBIGUOUS, AMBIGUOUS)
    assert spans.score(AMBIGUOUS, AMBIGUOUS) > pcfg.score(AMBIGUOUS, AMBIGUOUS)
    own = GrammarSVM(C=10, markov=0, span_features=lambda string, start, end: {
        "squared length": (end - start)**2}).fit(X, TREES)
    assert len(own.coef_) == len(own.grammar_) + len(own.grammar_.labels)


def test_words():
    parser = GrammarSVM(terminals="words", C=10).fit(
        [tree.words for tree in TREES], TREES)
    (tree,) = parser.predict([["zebras", "with", "cats"]])
    assert tree.words == ["zebras", "with", "cats"]


def test_conventions():
    parser = GrammarSVM(C=3, markov=None)
    assert repr(clone(parser)) == "GrammarSVM(C=3, markov=None)"
    search = GridSearchCV(GrammarSVM(), {"C": [0.01, 10]}, cv=3).fit(X * 3, TREES * 3)
    assert search.best_score_ > 0.9


def test_strings_that_cannot_be_parsed():
    parser = GrammarSVM(C=10).fit(X, TREES)
    (tree,) = parser.predict([["d", "n", "what", "v"]])
    assert tree.label == "FRAG" and tree.words == ["d", "n", "what", "v"]
    assert f1_score([TREES[0]], parser.predict([["n"] * 5])) < 1
    strict = GrammarSVM(C=10, on_failure="error").fit(X, TREES)
    with pytest.raises(InputError, match="string 1: the grammar cannot parse 'd what': no "
                                         "rule makes 'what'; on_failure='partial'"):
        strict.predict([X[0], ["d", "what"]])
    with pytest.raises(InputError, match="its rules make no tree of it"):
        strict.predict([["v", "v", "v"]])
    assert strict.predict_k_best([["v", "v", "v"]], 2) == [[]]


@pytest.mark.parametrize("action, message", [
    (lambda: GrammarSVM().fit(X[1:], TREES), "4 inputs but 5 outputs"),
    (lambda: GrammarSVM().fit([["n"], *X[1:]], TREES), "has 1 terminals, but its tree"),
    (lambda: GrammarSVM().fit(["n v"], TREES[:1]), "string 0 is 'n v'"),
    (lambda: GrammarSVM().fit("n v", TREES), "X is a str"),
    (lambda: GrammarSVM().fit([[]], TREES[:1]), "string 0 is empty"),
    (lambda: GrammarSVM().fit(X, [3] * 5), "output 0 is a int"),
    (lambda: GrammarSVM().fit(X[:1], ["(S (NP x)"]), "never closed"),
    (lambda: GrammarSVM(loss="hamming").fit(X, TREES), "loss 'hamming' is not known; choose from f1"),
    (lambda: GrammarSVM(on_failure="no").fit(X, TREES), "on_failure 'no' is not known"),
    (lambda: GrammarSVM(span_features=3).fit(X, TREES), "span_features is 3"),
    (lambda: GrammarSVM(span_features=lambda *_: {"x": np.nan}).fit(X, TREES),
     "not finite"),
    (lambda: PCFG(smoothing=-1).fit(X, TREES), "smoothing must be a number from 0"),
    (lambda: PCFG().fit(X, TREES).predict_k_best(X, 0), "k must be a whole number from 1"),
    (lambda: PCFG().fit(X, TREES).score(X, TREES[:4]), "5 inputs but 4 outputs"),
    (lambda: PCFG().fit(X, TREES).mean_loss(X, TREES[:4]), "5 inputs but 4 outputs"),
    (lambda: PhraseTree.from_brackets("(A b) (C d)"), "found 2 trees"),
])
def test_bad_input(action, message):
    with pytest.raises(InputError, match=message):
        action()
