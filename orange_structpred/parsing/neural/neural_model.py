"""A tree model that is a net and nothing else: edges are scored by log-probabilities."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.files.models import ModelFile
from orange_structpred.files.schema import Schema
from orange_structpred.parsing.decoding.decoders import DECODERS, PROJECTIVE
from orange_structpred.parsing.decoding.distribution import (
    EdgeDistribution,
    TreeDistribution,
)
from orange_structpred.parsing.features.contributions import (
    Contribution,
    NetContribution,
)
from orange_structpred.parsing.features.feature_names import NET_NAME
from orange_structpred.parsing.neural.head_losses import decode_edges, edge_square
from orange_structpred.parsing.neural.net_model import (
    NET_COMPONENT,
    NetModel,
    NetScores,
)
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.sentence import Sentence


class NeuralModel(TreeModel):
    """Log-probabilities of heads as scores of edges.

    Parameters
    ----------
    net : that knows them
    """

    kind = "neural"
    decoders = tuple(DECODERS)

    net: NetModel

    def __init__(self, net: NetModel):
        self.net = net

    @property
    def n_weights(self) -> int:
        return self.net.n_weights

    def edge_scores(self, sentence: Sentence, decoder: int = PROJECTIVE,
                    single_root: bool = True) -> np.ndarray:
        return self._edge_scores([sentence], encode([sentence]))[0]

    def _edge_scores(self, sentences: Sequence[Sentence], encoded: Encoded,
                     net_scores: NetScores | None = None) -> list[np.ndarray]:
        """Scores of all edges of each sentence."""
        scores = self.net.scores(sentences, encoded) if net_scores is None else net_scores
        return [edge_square(scores.log_heads(i)) for i in range(len(encoded))]

    def chunk_heads(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
                    single_root: bool, net_scores: NetScores | None
                    ) -> list[np.ndarray]:
        return [decode_edges(square, decoder, single_root)[1:]
                for square in self._edge_scores(sentences, encoded, net_scores)]

    def distributions(self, sentences: Sequence[Sentence], encoded: Encoded,
                      decoder: int, single_root: bool,
                      net_scores: NetScores | None = None) -> list[TreeDistribution]:
        return [EdgeDistribution(square, decoder, single_root)
                for square in self._edge_scores(sentences, encoded, net_scores)]

    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        """The log-probability of the head; it is not made of named features."""
        return [NetContribution(
            NET_NAME, float(self.edge_scores(sentence)[head, dependent]))]

    # in and out

    def header(self) -> dict:
        return {}

    def arrays(self) -> dict[str, np.ndarray]:
        return {}

    schema = Schema()

    @classmethod
    def read(cls, file: ModelFile) -> NeuralModel:
        """The model out of a file."""
        return cls(NetModel.read(file, NET_COMPONENT))
