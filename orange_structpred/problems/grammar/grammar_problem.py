"""Trees of a grammar as a problem for the solvers (001, section 4.5)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.kinds import one_of_names
from orange_structpred.problems.grammar.cky import (
    best_derivation,
    best_trees,
    best_trees_by_misses,
    collect_nodes,
    fill_chart,
)
from orange_structpred.problems.grammar.grammar_program import tree_program
from orange_structpred.problems.grammar.rules import Grammar
from orange_structpred.problems.grammar.spans import (
    SpanFeatures,
    Spans,
    add_span_scores,
    span_features,
)
from orange_structpred.problems.grammar.trees import PART, PhraseTree
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.programs import InfeasibleError, IntegerProgram
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices

GRAMMAR_LOSS = one_of_names(("f1", "zero-one"))


class String(NamedTuple):
    """An input: terminals as they are and as numbers, and features of its spans."""

    words: Sequence[str]
    terminals: np.ndarray
    spans: Spans | None


class GrammarProblem(Problem):
    """Strings and their trees; phi counts rules and sums features of spans.

    Outputs are arrays of nodes, see `cky`.

    Parameters
    ----------
    X : list of sequences of str
        What the grammar's terminals are: tags or words
    Y : list of PhraseTree, or of None where they are not known
    grammar : Grammar
    loss : {"f1", "zero-one"}, default="f1"
        1 - F1 of the nodes (label, start, end) in normal form, or whether the trees
        differ. In normal form all trees of a string have 2n - 1 nodes, so that
        precision and recall are the same and 1 - F1 is the share of wrong nodes.
    spans : SpanFeatures, optional
    """

    def __init__(self, X: Sequence[Sequence[str]], Y: Sequence[PhraseTree | None],
                 grammar: Grammar, *, loss: str = "f1", spans: SpanFeatures | None = None):
        GRAMMAR_LOSS.check("loss", loss)
        self.grammar, self.loss_name, self.spans = grammar, loss, spans
        for x, y in zip(X, Y):
            if y is not None and len(x) != len(y.tags):
                raise InputError(f"a string has {len(x)} terminals, but its tree has "
                                 f"{len(y.tags)}: {str(y)[:80]}")
        super().__init__([self.encode(x) for x in X],
                         [y and grammar.nodes_of(y) for y in Y],
                         len(grammar) + (len(spans) * len(grammar.labels) if spans else 0))

    def encode(self, string: Sequence[str]) -> String:
        if not len(string):
            raise InputError("a string is empty; each needs at least one terminal")
        self.grammar.check_length(len(string))
        return String(string, self.grammar.encode(string),
                      self.spans.encode(string) if self.spans else None)

    # the four

    def joint_features(self, x, y):
        return SparseVector(*sum_equal_indices(*self._features(x, y)))

    def _features(self, x: String, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rules = np.append(y[:, 3], self.grammar.rules.root_rules[y[0, 2]])
        if x.spans is None:
            return rules, np.ones(len(rules))
        indices, values = span_features(
            x.spans, y, len(self.grammar.labels), len(self.grammar))
        return np.append(rules, indices), np.append(np.ones(len(rules)), values)

    def loss(self, y, y_hat):
        wrong = len(set(map(tuple, y_hat[:, :3].tolist()))
                    - set(map(tuple, y[:, :3].tolist())))
        return float(wrong > 0) if self.loss_name == "zero-one" else wrong / len(y)

    def predict(self, x, w):
        nodes = best_derivation(self.grammar.rules, x.terminals, w, self.node_scores(x, w))
        return nodes if len(nodes) else None

    def separate(self, x, y, w):
        scores = self.node_scores(x, w)
        if self.loss_name == "f1":
            scores[y[:, 0], y[:, 1], y[:, 2]] -= 1 / len(y)
            return best_derivation(self.grammar.rules, x.terminals, w, scores)
        totals, trees = best_trees(self.grammar.rules, x.terminals, w, scores, 2)
        if len(trees) == 1 or not np.array_equal(trees[0], y):
            return trees[0]
        return trees[1] if totals[1] + 1 > totals[0] else trees[0]

    # slack rescaling, and more than one tree

    def best_by_loss(self, i, model):
        """By the stratified CKY of 001, section 4.5."""
        x, y, w = self.X[i], self.Y[i], model.weights()
        totals, trees = best_trees_by_misses(
            self.grammar.rules, x.terminals, w, self.node_scores(x, w), y)
        return list(trees[np.isfinite(totals)])

    def node_scores(self, x: String, w: np.ndarray) -> np.ndarray:
        n = len(x.terminals)
        scores = np.zeros((n, n + 1, len(self.grammar.labels)))
        if x.spans is not None:
            add_span_scores(w, len(self.grammar), x.spans, scores)
        return scores

    def k_best(self, x: String, w: np.ndarray, k: int
               ) -> tuple[np.ndarray, np.ndarray]:
        """Scores and nodes of the best k trees, the best first."""
        return best_trees(self.grammar.rules, x.terminals, w, self.node_scores(x, w), k)

    def best_fragments(self, x: String, w: np.ndarray) -> list[np.ndarray | None]:
        """The fewest trees that together cover the string, from left to right, and the
        best of those; None for a terminal that no rule makes."""
        chart, rule, split = fill_chart(
            self.grammar.rules, x.terminals, w, self.node_scores(x, w))
        return cover(self.grammar, chart, rule, split)

    def as_program(self, x: String, w: np.ndarray) -> IntegerProgram:
        """See `tree_program`; an InfeasibleError if the string has no tree at all."""
        scores = self.node_scores(x, w)
        inside = np.isfinite(fill_chart(self.grammar.rules, x.terminals, w, scores)[0])
        if not inside[0, -1, self.grammar.rules.root_rules >= 0].any():
            raise InfeasibleError(self.why_no_tree(x))
        return tree_program(self.grammar, x.terminals, w, scores, inside)

    def why_no_tree(self, x: String) -> str:
        """Why the grammar cannot parse a string, for messages."""
        unknown = [word for word, code in zip(x.words, x.terminals) if code < 0]
        return (f"the grammar cannot parse {' '.join(x.words)[:80]!r}: "
                + (f"no rule makes {unknown[0]!r}" if unknown
                   else "its rules make no tree of it"))


# Strings that a grammar cannot parse: the trees that it finds in them

#: Labels of what holds the pieces together, and of words that no rule makes
FRAGMENTS, NO_RULE = "FRAG", "X"


def cover(grammar: Grammar, chart: np.ndarray, rule: np.ndarray, split: np.ndarray
          ) -> list[np.ndarray | None]:
    """The fewest trees from left to right, and among those the best.

    A terminal that no rule makes is None.
    """
    n = len(chart)
    whole = [number for number, label in enumerate(grammar.labels) if PART not in label]
    labels = np.array(whole)[chart[:, :, whole].argmax(axis=2)]
    scores = chart[:, :, whole].max(axis=2)
    best: list[tuple[int, float, int]] = [(0, 0., 0)]     # pieces, -score, last start
    for end in range(1, n + 1):
        best.append(min(
            (best[start][0] + 1, best[start][1] - max(scores[start, end], -1e300), start)
            for start in range(end)
            if end - start == 1 or scores[start, end] > -np.inf))
    pieces: list[np.ndarray | None] = []
    end = n
    while end:
        start = best[end][2]
        pieces.append(None if scores[start, end] == -np.inf else collect_nodes(
            grammar.rules, rule, split, start, end, labels[start, end]))
        end = start
    return pieces[::-1]


def fragment_tree(grammar: Grammar, pieces: Sequence[np.ndarray | None],
                  words: Sequence[str]) -> PhraseTree:
    """One tree of all pieces."""
    trees, position = [], 0
    for piece in pieces:
        if piece is None:
            trees.append(PhraseTree(NO_RULE, (words[position],)))
            position += 1
        else:
            trees.append(grammar.tree_of(piece, words))
            position = int(piece[0, 1])
    return PhraseTree(FRAGMENTS, tuple(trees))
