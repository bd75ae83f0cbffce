"""The best trees of a parser: where candidates come from, how wrong they are."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from Orange.data import Table
from sklearn.base import clone

from orange_structpred.errors import InputError
from orange_structpred.kernels import Tree, dependency_tree
from orange_structpred.learner.base import BaseParserLearner
from orange_structpred.parser import Parser
from orange_structpred.problems.grammar.grammar_estimator import (
    GrammarEstimator,
    coerce_tree,
)
from orange_structpred.problems.grammar.trees import PhraseTree, f1_score
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.sentence import Sentence


class Candidate(NamedTuple):
    """A tree among the best k.

    output : as users see it: a Sentence with this tree, or a PhraseTree
    tree : what a kernel compares
    score : that the parser gives it
    """

    output: Any
    tree: Tree
    score: float


class CandidateSource(ABC):
    """A parser of one kind, trained or not, and what a reranker wants of it.

    Parameters
    ----------
    base : the parser, or what makes one
    """

    def __init__(self, base: Any):
        self.base = base

    @property
    @abstractmethod
    def is_trained(self) -> bool: ...

    @abstractmethod
    def train(self, inputs: Sequence, truths: Sequence) -> CandidateSource:
        """A trained parser of the same kind."""

    @abstractmethod
    def inputs(self, X) -> list:
        """Inputs without their trees, as users have them."""

    @abstractmethod
    def examples(self, X, y) -> tuple[list, list]:
        """Inputs and their true trees."""

    @abstractmethod
    def candidates(self, x, k: int) -> list[Candidate]:
        """The best k trees of an input, the best first; at least one."""

    @abstractmethod
    def loss(self, truth, output) -> float:
        """How wrong a tree is, from 0 to 1."""

    @abstractmethod
    def score(self, truths: Sequence, outputs: Sequence) -> float:
        """How right all trees are together, from 0 to 1."""


class DependencyCandidates(CandidateSource):
    """base : a Parser or a learner of parsers; the score is UAS"""

    @property
    def is_trained(self) -> bool:
        return isinstance(self.base, Parser)

    def train(self, inputs, truths) -> DependencyCandidates:
        return DependencyCandidates(self.base(Treebank.from_sentences(truths)))

    def inputs(self, X) -> list:
        return list(coerce_sentences(X))

    def examples(self, X, y) -> tuple[list, list]:
        sentences = self.inputs(X)
        truths = sentences if y is None else list(coerce_sentences(y))
        for number, (one, other) in enumerate(zip(sentences, truths)):
            if one.forms != other.forms:
                raise InputError(f"sentence {number} has different words in X and y")
            if not other.has_heads:
                raise InputError(f"sentence {number} has no heads; a reranker learns from "
                                 "sentences with gold trees")
        return sentences, truths

    def candidates(self, x: Sentence, k: int) -> list[Candidate]:
        parser = self.base
        if len(x) > parser.longest or k == 1:
            (parsed,) = parser.parse([x])
            return [Candidate(parsed, dependency_tree(parsed), 0.)]
        trees = parser.k_best(x, k)
        relations = label_trees(parser, x, [tree.heads for tree in trees])
        parsed = [x.with_heads(tree.heads, deprels)
                  for tree, deprels in zip(trees, relations)]
        return [Candidate(sentence, dependency_tree(sentence), float(tree.score))
                for sentence, tree in zip(parsed, trees)]

    def loss(self, truth: Sentence, output: Sentence) -> float:
        return float(np.mean(truth.heads != output.heads))

    def score(self, truths, outputs) -> float:
        wrong = sum(int(np.sum(truth.heads != output.heads))
                    for truth, output in zip(truths, outputs, strict=True))
        return 1 - wrong / sum(map(len, truths))


def coerce_sentences(data: Iterable[Sentence] | Table) -> Sequence[Sentence]:
    if isinstance(data, Sentence) or not isinstance(data, (Iterable, Table)):
        raise InputError(f"X is a {type(data).__name__}; expected a treebank or a list of "
                         "sentences")
    return as_sentences(data)


def label_trees(parser: Parser, sentence: Sentence, heads: Sequence[np.ndarray]
                ) -> list[list[str]]:
    """The relations that a parser gives to each of several trees of a sentence."""
    if parser.relations is None:
        return [["_"] * len(sentence)] * len(heads)
    copies = [sentence] * len(heads)
    encoded = encode(copies)
    scores = None if parser.net is None else parser.net.scores(copies, encoded)
    return parser.relations.relations(encoded, list(heads), net_scores=scores)


class PhraseCandidates(CandidateSource):
    """base : a GrammarSVM or PCFG; the score is F1 of labelled constituents"""

    @property
    def is_trained(self) -> bool:
        return hasattr(self.base, "model_")

    def train(self, inputs, truths) -> PhraseCandidates:
        return PhraseCandidates(clone(self.base).fit(inputs, truths))

    def inputs(self, X) -> list:
        return list(X)

    def examples(self, X, y) -> tuple[list, list]:
        inputs = self.inputs(X)
        truths = [coerce_tree(tree, number)
                  for number, tree in enumerate(inputs if y is None else y)]
        if len(inputs) != len(truths):
            raise InputError(f"{len(inputs)} inputs but {len(truths)} trees")
        return inputs, truths

    def candidates(self, x, k: int) -> list[Candidate]:
        (trees,) = self.base.predict_k_best([x], k)
        if not trees:           # the grammar cannot parse it
            trees = [(self.base.predict([x])[0], 0.)]
        return [Candidate(tree, as_kernel_tree(tree), score) for tree, score in trees]

    def loss(self, truth: PhraseTree, output: PhraseTree) -> float:
        return 1 - f1_score([truth], [output])

    def score(self, truths, outputs) -> float:
        return f1_score(truths, outputs)


def as_kernel_tree(tree: PhraseTree) -> Tree:
    """A constituency tree as an input of tree kernels."""
    made: dict[int, Tree] = {}
    for node in reversed(list(tree.nodes())):
        made[id(node)] = Tree(node.label, tuple(
            Tree(child) if isinstance(child, str) else made[id(child)]
            for child in node.children))
    return made[id(tree)]


def candidate_source(base) -> CandidateSource:
    """What makes the candidates of a parser or a learner."""
    if isinstance(base, (Parser, BaseParserLearner)):
        return DependencyCandidates(base)
    if isinstance(base, GrammarEstimator):
        return PhraseCandidates(base)
    raise InputError(f"the parser is a {type(base).__name__}; expected a Parser, a "
                     "ParserLearner, a GrammarSVM or a PCFG")
