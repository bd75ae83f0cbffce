"""Parsing with one weight: a risk that can be drawn, with its cutting planes."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.eisner import eisner
from orange_structpred.parsing.tree_problem import add_loss, tree_score
from orange_structpred.svm import Problem
from orange_structpred.svm.linear import LinearModel
from orange_structpred.treebank import Sentence, Treebank, as_treebank
from orange_structpred.treebank.learnable import training_sentences

MOST_SENTENCES, MOST_TOKENS = 100, 40      # so that a curve is drawn at once


#: What the only feature of an edge may be
EDGE_VALUES = ("usual edges", "short arcs")


def first_sentences(data: Table) -> Treebank:
    """The first `MOST_SENTENCES` of a treebank that have at most `MOST_TOKENS` tokens."""
    treebank = as_treebank(data)
    return treebank[[row for row, sentence in enumerate(treebank.sentences)
                     if len(sentence) <= MOST_TOKENS][:MOST_SENTENCES]]


class OneWeight(Problem):
    """Trees that are scored by w times one feature, averaged over the tokens.

    Sentences of more than `MOST_TOKENS` tokens are left out, and so are those after
    the first `MOST_SENTENCES`.

    Parameters
    ----------
    data : a treebank
    feature : {"usual edges", "short arcs"}
        The logarithm of the share of gold edges among all pairs of words with the same
        tags, direction and distance (1, 2, more); or the length of an arc, negative, so
        that a large w makes arcs short

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> problem = OneWeight(load_bundled("en")[:20])
    >>> float(problem.risk(0))
    1.0
    """

    def __init__(self, data: Table, feature: str = "usual edges"):
        if feature not in EDGE_VALUES:
            raise InputError(f"feature must be one of {', '.join(EDGE_VALUES)}, not "
                             f"{feature!r}")
        sentences = training_sentences(first_sentences(data))
        values = usual_edges if feature == "usual edges" else short_arcs
        super().__init__(values(sentences),
                         [np.append(np.int32(-1), sentence.heads) for sentence in sentences], 1)

    def joint_features(self, x, y):
        return np.array([tree_score(x, y)])

    def loss(self, y, y_hat):
        return float(np.mean(y[1:] != y_hat[1:]))

    def predict(self, x, w):
        return eisner(np.float32(w[0]) * x, True)

    def separate(self, x, y, w):
        scores = np.float32(w[0]) * x
        add_loss(scores, y, 1.)
        worst = eisner(scores, True)
        # the true tree may be one that the decoder cannot build
        return worst if tree_score(scores, worst) >= tree_score(scores, y) else y

    def risk(self, w: float) -> float:
        """The mean hinge loss at a weight: what cutting planes bound from below."""
        violated = self.violated(0, len(self), LinearModel.of(np.array([float(w)])))
        return float(violated.hinges.mean())


def usual_edges(sentences: Sequence[Sentence]) -> list[np.ndarray]:
    """For each sentence values[head, dependent] / number of tokens."""
    possible: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    kinds = list(map(edge_kinds, sentences))
    for sentence, kind in zip(sentences, kinds):
        possible.update(kind.ravel().tolist())
        gold.update(kind[sentence.heads, np.arange(1, len(sentence) + 1)].tolist())
    return [np.vectorize(lambda edge: np.log((gold[edge] + 0.5) / (possible[edge] + 1)),
                         otypes=[np.float32])(kind) / np.float32(len(kind) - 1)
            for kind in kinds]


def edge_kinds(sentence: Sentence) -> np.ndarray:
    """kinds[head, dependent]: tags, direction and distance of all pairs of words."""
    tags = np.array(["root", *sentence.upos])
    heads, dependents = np.indices((len(tags), len(tags)))
    apart = np.where(heads > 0, np.clip(dependents - heads, -3, 3), 0).astype(str)
    return np.char.add(np.char.add(tags[heads], " "), np.char.add(
        np.char.add(tags[dependents], " "), apart))


def short_arcs(sentences: Sequence[Sentence]) -> list[np.ndarray]:
    """For each sentence values[head, dependent] / number of tokens."""
    result = []
    for sentence in sentences:
        heads, dependents = np.indices((len(sentence) + 1, len(sentence) + 1))
        lengths = np.where(heads > 0, np.abs(heads - dependents), 0)
        result.append((-lengths / len(sentence)).astype(np.float32))
    return result
