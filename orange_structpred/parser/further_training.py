"""A parser that learns a little more from a few sentences, in a moment."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.parsing.decoding.decoders import DECODERS
from orange_structpred.parsing.relations.relation_model import (
    RelationModel,
    learn_more_relations,
)
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.svm import MIRA
from orange_structpred.treebank.coerce import as_sentences
from orange_structpred.treebank.encoding import encode
from orange_structpred.treebank.learnable import training_sentences
from orange_structpred.treebank.seen import training_ids
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

if TYPE_CHECKING:
    from typing import Self

FURTHER_PASSES = 2      # more of them learn the new sentences by heart
FURTHER_C = 0.1         # of MIRA; its steps are hardly ever as large


class FurtherTraining:
    """A part of `Parser`."""

    model: TreeModel
    relations: RelationModel | None
    decoder: str
    single_root: bool
    tags: np.ndarray
    training_ids: np.ndarray

    def partial_fit(self, data: Iterable[Sentence] | Table, *, C: float = FURTHER_C,
                    passes: int = FURTHER_PASSES) -> Self:
        """Learn from further sentences: MIRA continues from the weights as they are.
        Takes well under a second for a few sentences.

        Only parsers with explicit features can do this. Words without heads are left
        open: the parser's own best tree around the known heads stands for them. The vote
        of the transition-based parser, the net and the temperature stay as they are. A
        parser of a thousand sentences or more can lose a little on other sentences; a full
        training on all sentences is better.

        C : the largest step
        passes : over the new sentences
        returns : the parser itself, which has new weights. ``copy.copy(parser)`` before
            leaves the old one alone
        """
        if not self.model.learns_further:
            raise InputError("only a parser with explicit features can learn from further "
                             f"sentences, not a {self.model.kind} one; train a new parser")
        sentences = training_sentences(
            Treebank.from_sentences(as_sentences(data)), partial=True)
        encoded = encode(sentences)
        known = (encoded.heads >= 0) | ~encoded.is_token()
        if not known.all():
            encoded = replace(encoded, known=known)
        encoded, self.model = self.model.learned_further(
            encoded, MIRA(C=C, passes=passes), DECODERS[self.decoder], self.single_root)
        if self.relations is not None:
            self.relations = learn_more_relations(
                self.relations, encoded, [sentence.deprels for sentence in sentences],
                new_names=self.model.net is None)     # it would not know them
        self.tags = np.union1d(self.tags, encoded.values("upos", "xpos"))
        self.training_ids = np.union1d(self.training_ids, training_ids(encoded))
        return self
