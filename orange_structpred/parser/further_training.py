"""A parser that learns a little more from a few sentences, in a moment."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.first_order.pruning import prune
from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.relations.relation_model import learn_more_relations
from orange_structpred.parsing.second_order.second_order_model import SecondOrderModel
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.weights_problem import WeightsProblem
from orange_structpred.svm import MIRA, Solution
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import OnlineState
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.learnable import training_sentences
from orange_structpred.treebank.seen import training_ids
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

if TYPE_CHECKING:
    from orange_structpred.parser.parser import Parser

FURTHER_PASSES = 4
FURTHER_C = 0.1         # of MIRA: the few new sentences shall not outweigh all others


class FurtherTraining:
    """A part of `Parser`, which has the model and all else that is used here."""

    def partial_fit(self, data: Iterable[Sentence] | Table, *, C: float = FURTHER_C,
                    passes: int = FURTHER_PASSES) -> Parser:
        """Learn from further sentences, and forget nothing: MIRA continues from the
        weights as they are. Takes well under a second for a few sentences.

        Only parsers with explicit features can do this. Words without heads are left
        open: the parser's own best tree around the known heads stands for them. The vote
        of the transition-based parser, the net and the temperature stay as they are, and
        a full training on all sentences is a little better.

        C : the largest step
        passes : over the new sentences
        returns : the parser itself, which has new weights. ``copy.copy(parser)`` before
            leaves the old one alone
        """
        model = self.model
        if not isinstance(model, (ExplicitModel, SecondOrderModel)):
            raise InputError("only a parser with explicit features can learn from further "
                             f"sentences, not a {model.kind} one; train a new parser")
        sentences = training_sentences(
            Treebank.from_sentences(as_sentences(data)), partial=True)
        encoded = encode(sentences)
        known = (encoded.heads >= 0) | ~encoded.is_token()
        if not known.all():
            encoded = replace(encoded, known=known)
        learn = MIRA(C=C, passes=passes)
        if isinstance(model, ExplicitModel):
            encoded, self.model = more_edges(model, encoded, learn, self)
        else:
            encoded, pruner = more_edges(model.pruner, encoded, learn, self)
            self.model = more_parts(model, pruner, encoded, learn, self)
        if self.relations is not None:
            self.relations = learn_more_relations(
                self.relations, encoded, [own.deprels for own in sentences],
                new_names=self.net is None)     # it would not know them
        self.tags = np.union1d(self.tags, encoded.values("upos", "xpos"))
        self.training_ids = np.union1d(self.training_ids, training_ids(encoded))
        return self


def more_edges(model: ExplicitModel, encoded: Encoded, learn: MIRA, parser: Parser
               ) -> tuple[Encoded, ExplicitModel]:
    """The sentences with all heads, and a first-order model that has learned them."""
    problem = ExplicitProblem(encoded, model.features, model.indices, len(model.weights),
                              DECODERS[parser.decoder], parser.single_root)
    encoded = replace(encoded, heads=problem.completed(LinearModel.of(model.weights)))
    weights = continued(problem, model.weights, learn)
    return encoded, ExplicitModel(model.features, model.indices, weights)


def more_parts(model: SecondOrderModel, pruner: ExplicitModel, encoded: Encoded,
               learn: MIRA, parser: Parser) -> SecondOrderModel:
    decoder = DECODERS[parser.decoder]
    pruned = prune(encoded, model.pruner, parser.single_root, decoder=decoder,
                   keep_gold=True)
    problem = SecondOrderProblem(encoded, pruned, model.features, model.bits,
                                 parser.single_root, decoder)
    return SecondOrderModel(pruner, model.features,
                            continued(problem, model.weights, learn), model.voter,
                            model.net, model.net_weight)


def continued(problem: WeightsProblem, weights: np.ndarray, learn: MIRA) -> np.ndarray:
    """Weights that MIRA finds from these on, averaged over its steps."""
    start = problem.new_model(averaging=True)
    start.w[:] = weights
    solution = learn.solve(problem, start=Solution(None, dual_state=OnlineState(start)))
    return thin_out(solution.model.weights())
