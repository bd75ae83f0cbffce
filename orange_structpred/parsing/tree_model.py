"""What all trained models of trees have in common, whatever they score trees by."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from orange_structpred.files.schema import Schema
from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.decoding.distribution import (
    EdgeDistribution,
    TreeDistribution,
)
from orange_structpred.parsing.decoding.tree_program import edge_program
from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from orange_structpred.parsing.neural.net_model import NetModel, NetScores
    from orange_structpred.svm.online import OnlineSolver


class TreeModel(ABC):
    """Finds the best trees of sentences, and says why.

    A subclass names its `kind`, the `decoders` that it can use, and a `schema` of its file,
    and defines `chunk_heads`, `edge_scores` and `contributions`. Where the score of a tree
    is the sum of its edges' scores, the rest follows from these.

    Arguments of several methods are

    encoded : the sentences as arrays
    decoder : a value of `DECODERS`
    single_root : whether exactly one token depends on the root
    net_scores : what the net says of the sentences, if it was asked already
    """

    kind: ClassVar[str]
    decoders: Sequence[str]
    schema: ClassVar[Schema]
    #: whether what speaks for an edge depends on the rest of the tree
    looks_around: ClassVar[bool] = False
    #: whether it can continue to learn, see `learned_further`
    learns_further: ClassVar[bool] = False
    #: a net that has a say in heads and relations
    net: NetModel | None = None
    weights: np.ndarray

    @property
    def n_weights(self) -> int:
        """How many weights are not zero; those of other models that it asks are not counted."""
        return int(np.count_nonzero(self.weights))

    def heads(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
              single_root: bool, *, n_jobs: int = 1,
              check_cancelled: CheckCancelled = never_cancelled,
              net_scores: NetScores | None = None) -> list[np.ndarray]:
        """The heads of each sentence."""
        def work(first: int, last: int) -> list[np.ndarray]:
            return self.chunk_heads(
                sentences[first:last], encoded.between(first, last), decoder, single_root,
                net_scores and net_scores.between(first, last))

        chunks = map_chunks(work, len(encoded), n_jobs, check_cancelled)
        return [tree for chunk in chunks for tree in chunk]

    @abstractmethod
    def chunk_heads(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
                    single_root: bool, net_scores: NetScores | None
                    ) -> list[np.ndarray]:
        """The heads of each of a few sentences."""

    @abstractmethod
    def edge_scores(self, sentence: Sentence, decoder: int = PROJECTIVE,
                    single_root: bool = True) -> np.ndarray:
        """scores[head, dependent], the root first; -inf for edges that are pruned where
        trees are found by this decoder."""

    @abstractmethod
    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        """What the score of an edge is made of.

        heads : of the tree around it, for models that look around; None leaves it out
        """

    def expect_edge_scores(self) -> None:
        """Raises an InputError if the model cannot tell what it thinks of single edges."""
        return

    def tree_program(self, sentence: Sentence, decoder: int, single_root: bool,
                     unpruned: np.ndarray) -> IntegerProgram:
        """The trees of a sentence as solutions of an integer program.

        unpruned : bool [head, dependent], edges that are not pruned in any case
        """
        return edge_program(self.edge_scores(sentence, decoder, single_root), decoder,
                            single_root)

    def distributions(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
                      single_root: bool, net_scores: NetScores | None = None
                      ) -> list[TreeDistribution]:
        """The trees of each sentence, with their scores."""
        return [EdgeDistribution(self.edge_scores(sentence, decoder, single_root), decoder,
                                 single_root) for sentence in sentences]

    def learned_further(self, encoded: Encoded, solver: OnlineSolver, decoder: int,
                        single_root: bool) -> tuple[Encoded, TreeModel]:
        """Sentences with all heads, where some may have been unknown, and the model that
        has learned from them in addition."""
        raise NotImplementedError

    # in and out

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """What a file says of the model."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """What a file holds of the model."""
