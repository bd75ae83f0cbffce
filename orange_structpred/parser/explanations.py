"""Why a parser prefers a tree: what features and the net contribute to its scores."""
from __future__ import annotations

import numpy as np

from orange_structpred.array_types import Integers
from orange_structpred.errors import InputError
from orange_structpred.parser.prediction import PredictedTrees
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.parsing.relations.relation_explanation import (
    RelationExplanation,
    explain_relation,
    relation_probabilities,
)
from orange_structpred.parsing.relations.relation_model import RelationModel
from orange_structpred.running.cancellation import Cancellation, Progress
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.sentence import Sentence


class Explanations(PredictedTrees):
    """A part of `Parser`."""

    def edge_scores(self, sentence: Sentence) -> np.ndarray:
        """scores[head, dependent], with the root at position 0; -inf if an edge is
        pruned, so that it is never part of a tree."""
        return self.model.edge_scores(sentence, DECODERS[self.decoder], self.single_root)

    def explain(self, sentence: Sentence, head: int, dependent: int,
                heads: Integers | None = None) -> list[Contribution]:
        """What each feature contributes to the score of an edge, the strongest first.

        For a first-order parser, the values add up to the score of the edge; for a
        second-order parser, to that of the edge and its parts with siblings, the head's
        head and children.

        heads : of the tree in which siblings and so on are found; by default the
            predicted one
        """
        self.check_edge(sentence, head, dependent)
        around = None if heads is None else np.asarray(heads)
        if around is None and self.model.looks_around:
            around = self.predict_heads([sentence])[0]
        contributions = self.model.contributions(sentence, head, dependent, around)
        return sorted(contributions, key=lambda item: -abs(item.value))

    def check_edge(self, sentence: Sentence, head: int, dependent: int) -> None:
        n = len(sentence)
        if not (0 <= head <= n and 1 <= dependent <= n and head != dependent):
            raise InputError(f"there is no edge from {head} to {dependent} in a "
                             f"sentence of {n} tokens; heads are 0 to {n}, dependents "
                             f"1 to {n}")

    def explain_relation(self, sentence: Sentence, dependent: int, *,
                         heads: Integers | None = None, relation: str | None = None,
                         rival: str | None = None) -> RelationExplanation:
        """What favours the relation of a token over another one.

        heads : of the tree; by default the predicted one
        relation : by default the predicted one
        rival : by default the runner-up or, for a relation that is not the predicted
            one, the predicted one
        """
        model, tree = self._tree_with_relations(sentence, dependent, heads)
        for name in (relation, rival):
            if name is not None and name not in model.names:
                raise InputError(f"unknown relation {name!r}; the parser's relations are "
                                 + ", ".join(model.names))
        return explain_relation(model, sentence, tree, dependent, relation, rival, self.net)

    def relation_probabilities(self, sentence: Sentence, dependent: int, *,
                               heads: Integers | None = None) -> dict[str, float]:
        """The probability of each relation that a token may have in a tree, the highest
        first.

        heads : of the tree; by default the predicted one
        """
        model, tree = self._tree_with_relations(sentence, dependent, heads)
        return relation_probabilities(model, sentence, tree, dependent, self.net)

    def _tree_with_relations(self, sentence: Sentence, dependent: int,
                             heads: Integers | None) -> tuple[RelationModel, Integers]:
        """What knows relations, and the heads of a tree in which a token can have one."""
        n = len(sentence)
        if self.relations is None:
            raise InputError(f"the parser {self.name!r} has learned no relations")
        if heads is None:
            heads = self.predict_heads([sentence])[0]
        if not 1 <= dependent <= n or len(heads) != n:
            raise InputError(f"found token {dependent} and {len(heads)} heads, expected "
                             f"a token from 1 to {n} and {n} heads")
        return self.relations, heads

    def explain_net(self, sentence: Sentence, head: int, dependent: int, *,
                    progress: Progress | None = None) -> list[Contribution]:
        """Which words the net needs for an edge: how much the logarithm of the edge's
        probability falls when a word is hidden from it, in the order of the sentence.

        The net's part of a score is not made of named features. The net reads the
        sentence once for each word, so the time grows with the square of its length.
        """
        self.check_edge(sentence, head, dependent)
        if self.net is None:
            raise InputError(f"the parser {self.name!r} has no net")
        falls = self.net.influences(sentence, encode([sentence]), head, dependent,
                                    Cancellation(progress).check_cancelled)
        return list(map(Contribution, sentence.forms, falls.tolist()))
