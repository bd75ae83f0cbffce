"""A trained second-order model: a pruner, a voter, and weights of the parts of trees."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile, OtherVersionError
from orange_structpred.files.schema import (
    Array,
    DictOf,
    ListOf,
    Number,
    Optional,
    Schema,
    Text,
    Value,
    Whole,
)
from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.decoding.distribution import TreeDistribution
from orange_structpred.parsing.features.contributions import (
    Contribution,
    NetContribution,
    PartContribution,
    SentenceWords,
    VoteContribution,
    feature_names,
)
from orange_structpred.parsing.features.edge_scoring import hashed_indices
from orange_structpred.parsing.features.edge_templates import EdgeFeatures
from orange_structpred.parsing.features.feature_names import NET_NAME, VOTE_NAME
from orange_structpred.parsing.features.tag_pruning import pruned_from_file
from orange_structpred.parsing.first_order.explicit_model import ExplicitModel
from orange_structpred.parsing.first_order.pruning import PrunedEdges, prune
from orange_structpred.parsing.limits import (
    FEWEST_BITS,
    MOST_BITS,
    SECOND_ORDER_DECODERS,
)
from orange_structpred.parsing.neural.net_model import (
    NET_COMPONENT,
    NetModel,
    NetScores,
)
from orange_structpred.parsing.neural.neural_model import NeuralModel
from orange_structpred.parsing.packing import pack_weights, packed_schema, unpack
from orange_structpred.parsing.row_learning import MAX_ROW_BITS, MIN_ROW_BITS
from orange_structpred.parsing.second_order.bonuses import (
    LARGEST_NET_WEIGHT,
    NET_WEIGHT,
    NO_VOTES,
    VOTE,
    EdgeBonuses,
)
from orange_structpred.parsing.second_order.part_distribution import PrunedDistribution
from orange_structpred.parsing.second_order.part_names import edge_views
from orange_structpred.parsing.second_order.part_scoring import (
    EDGE,
    part_feature_indices,
    shift_of,
)
from orange_structpred.parsing.second_order.part_templates import GROUPS, PartFeatures
from orange_structpred.parsing.second_order.parts import list_edges, score_all
from orange_structpred.parsing.second_order.second_order_problem import (
    SecondOrderProblem,
)
from orange_structpred.parsing.second_order.second_order_program import part_program
from orange_structpred.parsing.second_order.tree_parts import edge_part
from orange_structpred.parsing.transitions.transition_model import TransitionModel
from orange_structpred.parsing.transitions.transition_system import COLUMNS
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import OnlineSolver
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.svm.vectors import aligned, score_features
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.sentence import Sentence

PRUNER, VOTER = "pruner_", "voter_"     # before the names of their arrays
# What each template is joined with, and what else parts are
SLOT_NAMES = ("directions", "directions and distance", "sides without a child")
BITS_SCHEMA: dict[str, Value] = {"bits": Whole(FEWEST_BITS, MOST_BITS),
                                 "pruner_bits": Whole(FEWEST_BITS, MOST_BITS)}
PACKED_SCHEMA = {**packed_schema(), **packed_schema(PRUNER), "pruned": Array("uint8", "cells")}


class SecondOrderModel(TreeModel):
    """Weights of edges, siblings and grandparents, over edges that a pruner leaves.

    Parameters
    ----------
    pruner : a first-order model
    features : which features parts have
    weights : float32, thinned out, as the pruner's are
    voter : a transition-based parser that has a vote on the heads of new sentences
    net : whose probabilities of heads are added to the scores of new sentences
    net_weight : what they are multiplied with
    """

    kind = "second-order"
    decoders = SECOND_ORDER_DECODERS
    looks_around = learns_further = True

    def __init__(self, pruner: ExplicitModel, features: PartFeatures,
                 weights: np.ndarray, voter: TransitionModel | None = None,
                 net: NetModel | None = None, net_weight: float = NET_WEIGHT):
        self.pruner, self.features, self.voter = pruner, features, voter
        self.net, self.net_weight = net, net_weight
        self.weights = aligned(weights)

    @property
    def bits(self) -> int:
        return len(self.weights).bit_length() - 1

    @property
    def shift(self) -> np.uint32:
        return shift_of(self.bits)

    def votes(self, encoded: Encoded) -> np.ndarray:
        """The head that the voter chooses for each position; nothing without one."""
        return NO_VOTES if self.voter is None else \
            self.voter.flat_heads(encoded, single_root=False)

    def edges(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
              single_root: bool, net_scores: NetScores | None = None
              ) -> tuple[PrunedEdges, EdgeBonuses]:
        """The edges that are left of some sentences, and what is added to their scores."""
        if self.net is not None and net_scores is None:
            net_scores = self.net.scores(sentences, encoded)
        bonuses = EdgeBonuses(encoded, self.votes(encoded), net_scores, self.net_weight)
        return bonuses.widened(
            prune(encoded, self.pruner, single_root, decoder=decoder)), bonuses

    def edge_scores(self, sentence: Sentence, decoder: int = PROJECTIVE,
                    single_root: bool = True) -> np.ndarray:
        """Scores of the edges themselves, without siblings and grandparents: -inf
        where they are pruned."""
        encoded = encode([sentence])
        pruned, bonuses = self.edges([sentence], encoded, decoder, single_root)
        n = len(sentence)
        dependents = np.repeat(np.arange(n + 1), np.diff(pruned.starts))
        parts = edge_part(pruned.heads.astype(np.int64), dependents, n)
        scores = np.full((n + 1, n + 1), -np.inf, np.float32)
        scores[pruned.heads, dependents] = score_features(
            self.weights, *part_feature_indices(
                encoded.tokens, self.features.arrays, self.shift, parts)
            ) + bonuses.of(pruned)
        return scores

    def chunk_heads(self, sentences: Sequence[Sentence], encoded: Encoded, decoder: int,
                    single_root: bool, net_scores: NetScores | None
                    ) -> list[np.ndarray]:
        pruned, bonuses = self.edges(sentences, encoded, decoder, single_root, net_scores)
        problem = SecondOrderProblem(encoded, pruned, self.features, self.bits, single_root,
                                     decoder, bonuses.of(pruned))
        return problem.decode_all(LinearModel.of(self.weights))

    def tree_program(self, sentence: Sentence, decoder: int, single_root: bool,
                     unpruned: np.ndarray) -> IntegerProgram:
        """The trees of a sentence; see `part_program`.

        unpruned : bool [head, dependent], edges that are not pruned in any case
        """
        encoded = encode([sentence])
        pruned, bonuses = self.edges([sentence], encoded, decoder, single_root)
        kept = unpruned.copy()
        kept[pruned.heads, np.repeat(np.arange(len(kept)), np.diff(pruned.starts))] = True
        np.fill_diagonal(kept, False)
        kept[:, 0] = False
        dependents, heads = np.nonzero(kept.T)
        edges = list_edges(np.searchsorted(dependents, np.arange(len(kept) + 1)),
                           heads.astype(np.int32))
        scores = score_all(encoded.tokens, self.features.arrays, self.weights, self.shift,
                           1., edges, bonuses.of_edges(dependents, heads),
                           decoder != PROJECTIVE)
        return part_program(edges, scores, decoder, single_root)

    def distributions(self, sentences: Sequence[Sentence], encoded: Encoded,
                      decoder: int, single_root: bool,
                      net_scores: NetScores | None = None) -> list[TreeDistribution]:
        """The projective trees of each sentence's pruned edges, with their scores.

        Where edges may cross there is no such sum, and the trees of the net are taken, or
        else those of the pruner.
        """
        if decoder != PROJECTIVE:
            model = self.pruner if self.net is None else NeuralModel(self.net)
            return model.distributions(sentences, encoded, decoder, single_root, net_scores)
        pruned, bonuses = self.edges(sentences, encoded, decoder, single_root, net_scores)
        added = bonuses.of(pruned)
        return [PrunedDistribution(
            encoded.tokens[start:stop], pruned.starts[start:stop + 1], pruned.heads,
            added, self.features, self.weights, self.shift, single_root)
            for start, stop in zip(encoded.offsets, encoded.offsets[1:])]

    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        """Every feature of the edge that has a weight and, given the heads of a tree,
        of the siblings and grandparents that the edge is among; and what a vote and the
        net add to it."""
        words, encoded = SentenceWords(sentence), encode([sentence])
        views = edge_views(head, dependent, len(sentence), heads)
        indices, ends = part_feature_indices(
            encoded.tokens, self.features.arrays, self.shift,
            np.array([view.part for view in views]))
        result, starts = [], [0, *ends.tolist()]
        for view, start, end in zip(views, starts, ends.tolist()):
            made = Contribution if view.kind == EDGE else PartContribution
            names = feature_names(
                self.features.names[view.kind], words, view.tokens, view.letters,
                (min(head, dependent), max(head, dependent)))
            for name, k in zip(names, range(start, end, 2)):
                result += [made(name + more, float(weight))
                           for more, weight in zip(view.places,
                                                   self.weights[indices[k:k + 2]])
                           if weight]
        if self.voter is not None and self.votes(encoded)[dependent] == head:
            result.append(VoteContribution(VOTE_NAME, float(VOTE)))
        if self.net is not None:
            bonuses = EdgeBonuses(encoded, NO_VOTES, self.net.scores([sentence], encoded),
                                  self.net_weight)
            result.append(NetContribution(NET_NAME, float(bonuses.of_edges(
                np.array([dependent]), np.array([head]))[0])))
        return result

    # in and out

    def learned_further(self, encoded: Encoded, solver: OnlineSolver, decoder: int,
                        single_root: bool) -> tuple[Encoded, SecondOrderModel]:
        encoded, pruner = self.pruner.learned_further(encoded, solver, decoder, single_root)
        pruned = prune(encoded, self.pruner, single_root, decoder=decoder,
                       keep_gold=True)
        problem = SecondOrderProblem(encoded, pruned, self.features, self.bits, single_root,
                                     decoder)
        return encoded, type(self)(
            pruner, self.features, problem.continued(self.weights, solver), self.voter,
            self.net, self.net_weight)

    def common_header(self) -> dict:
        """What files say of these models, whatever their templates are."""
        return {"templates": {group: list(texts)
                              for group, texts in self.features.templates.items()},
                "places": list(SLOT_NAMES), "bits": self.bits,
                "pruner_bits": len(self.pruner.weights).bit_length() - 1}

    def header(self) -> dict:
        return {**self.common_header(), "groups": list(self.features.groups),
                "pruner": list(self.pruner.features.groups),
                "voter_bits": self.voter and self.voter.bits,
                "net_weight": self.net and self.net_weight}

    def arrays(self) -> dict[str, np.ndarray]:
        return {**pack_weights(self.weights), **pack_weights(self.pruner.weights, PRUNER),
                "pruned": np.packbits(self.pruner.indices.pruned),
                **({} if self.voter is None else pack_weights(self.voter.weights, VOTER))}

    schema = Schema(
        header={**BITS_SCHEMA, "groups": ListOf(Text(100), len(GROUPS)),
                "templates": DictOf(ListOf(Text(200))),
                "places": Optional(ListOf(Text(100), len(SLOT_NAMES))),
                "pruner": ListOf(Text(100), len(GROUPS)),
                "voter_bits": Optional(Whole(MIN_ROW_BITS, MAX_ROW_BITS)),
                "net_weight": Optional(Number(0, LARGEST_NET_WEIGHT))},
        arrays={**PACKED_SCHEMA, **packed_schema(VOTER, optional=True)})

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> SecondOrderModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        features = PartFeatures(header["groups"])
        if (header.get("places") != list(SLOT_NAMES) or header["templates"]
                != {g: list(GROUPS[g]) for g in features.groups}):
            raise OtherVersionError
        pruner = read_pruner(EdgeFeatures(header["pruner"]), header, arrays)
        weights = unpack(arrays, (1 << header["bits"],))
        voter, voter_bits = None, header.get("voter_bits")
        if voter_bits is not None:
            if f"{VOTER}present" not in arrays or f"{VOTER}values" not in arrays:
                raise InputError("its weights of transitions are missing")
            voter = TransitionModel(unpack(arrays, (COLUMNS << voter_bits,), VOTER))
        net, net_weight = None, header.get("net_weight")
        if net_weight is not None:
            net = NetModel.read(file, NET_COMPONENT)
        return cls(pruner, features, weights, voter, net, net_weight or 0.)


def read_pruner(features: EdgeFeatures, header: Mapping, arrays: Mapping[str, np.ndarray]
                ) -> ExplicitModel:
    """The pruner with these features, out of a file."""
    bits = header["pruner_bits"]
    return ExplicitModel(
        features, hashed_indices(bits)._replace(pruned=pruned_from_file(arrays["pruned"])),
        unpack(arrays, (1 << bits,), PRUNER))
