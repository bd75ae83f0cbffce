"""A trained model with explicit edge features."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile, OtherVersionError
from orange_structpred.files.schema import Array, DictOf, ListOf, Schema, Text, Whole
from orange_structpred.parsing.decoding.decoders import DECODERS, PROJECTIVE
from orange_structpred.parsing.decoding.distribution import (
    EdgeDistribution,
    TreeDistribution,
)
from orange_structpred.parsing.decoding.eisner import eisner
from orange_structpred.parsing.decoding.tree_program import edge_program
from orange_structpred.parsing.features.contributions import (
    Contribution,
    distance_name,
    edge_feature_names,
)
from orange_structpred.parsing.features.dictionary import (
    dictionary_indices,
    indices_from_file,
)
from orange_structpred.parsing.features.edge_scoring import (
    FeatureIndices,
    dictionary_index,
    edge_numbers,
    hashed_index,
    hashed_indices,
    kinds_before,
    score_edges,
)
from orange_structpred.parsing.features.edge_templates import (
    FIRST_ORDER_GROUPS,
    EdgeFeatures,
    distance_slot,
)
from orange_structpred.parsing.features.tag_pruning import NONE_PRUNED, pruned_from_file
from orange_structpred.parsing.first_order.explicit_problem import ExplicitProblem
from orange_structpred.parsing.limits import FEWEST_BITS, MOST_BITS
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.parsing.tree_problem import tree_score
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import OnlineSolver
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.svm.vectors import aligned
from orange_structpred.treebank.encoding import Encoded, encode
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from orange_structpred.parsing.neural.net_model import NetScores

MIN_EDGE_BITS, MAX_EDGE_BITS = 14, 23         # that are chosen
WEIGHTS_PER_TOKEN = 40      # so many features of a token get weights other than zero


class ExplicitModel(TreeModel):
    """Weights of edge features.

    Parameters
    ----------
    features : which features an edge has
    indices : where their weights stand
    weights : float32
    """

    kind = "explicit"
    decoders = tuple(DECODERS)
    learns_further = True

    def __init__(self, features: EdgeFeatures, indices: FeatureIndices, weights: np.ndarray):
        self.features, self.indices = features, indices
        self.weights = aligned(weights)

    def edge_scores(self, sentence: Sentence, decoder: int = PROJECTIVE,
                    single_root: bool = True) -> np.ndarray:
        """Scores of all edges as the decoder sees them: -inf where they are pruned."""
        return self._edge_scores(encode([sentence]).tokens)

    def _edge_scores(self, tokens: np.ndarray) -> np.ndarray:
        scores = score_edges(
            tokens, self.features.arrays, self.weights, self.indices)
        if tree_score(scores, eisner(scores, False)) > -np.inf:
            return scores
        # where no tree can do without pruned edges, none is pruned
        return self._all_scores(tokens)

    def _all_scores(self, tokens: np.ndarray) -> np.ndarray:
        return score_edges(tokens, self.features.arrays, self.weights,
                           self.indices._replace(pruned=NONE_PRUNED))

    def tree_program(self, sentence: Sentence, decoder: int, single_root: bool,
                     unpruned: np.ndarray) -> IntegerProgram:
        """The trees of a sentence; see `edge_program`.

        unpruned : bool [head, dependent], edges that are not pruned in any case
        """
        tokens = encode([sentence]).tokens
        scores = np.where(unpruned, self._all_scores(tokens), self._edge_scores(tokens))
        return edge_program(scores, decoder, single_root)

    def chunk_heads(self, sentences, encoded: Encoded, decoder: int, single_root: bool,
                    net_scores) -> list[np.ndarray]:
        problem = ExplicitProblem(encoded, self.features, self.indices,
                                  len(self.weights), decoder, single_root)
        return problem.decode_all(LinearModel.of(self.weights))

    def distributions(self, sentences: Sequence[Sentence], encoded: Encoded,
                      decoder: int, single_root: bool,
                      net_scores: NetScores | None = None) -> list[TreeDistribution]:
        """The trees of each sentence, with their scores."""
        return [EdgeDistribution(self._edge_scores(tokens), decoder, single_root)
                for tokens in np.split(encoded.tokens, encoded.offsets[1:-1])]

    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        """Every feature of the edge that has a weight."""
        tokens = encode([sentence]).tokens
        templates = self.features.arrays
        numbers = np.empty(
            len(self.features.names) + len(templates.between) * len(tokens), np.uint64)
        n_numbers = edge_numbers(tokens, templates, kinds_before(tokens), head, dependent,
                                 numbers, np.empty(len(numbers), np.int32))
        slot = distance_slot(head, dependent)
        distance = f" at {distance_name(slot)}"
        names = edge_feature_names(self.features.names, sentence, head, dependent)
        result = []
        for name, number in zip(names, numbers[:n_numbers]):
            for with_slot, addition in ((0, ""), (slot, distance)):
                value = self._weight(number, with_slot)
                if value:
                    result.append(Contribution(name + addition, float(value)))
        return result

    def _weight(self, number: np.uint64, slot: int) -> float:
        if self.indices.keys.size:
            index = dictionary_index(number, np.uint64(slot), self.indices)
            return self.weights[index] if index >= 0 else 0.
        return self.weights[int(hashed_index(number, np.uint64(slot), self.indices))]

    def learned_further(self, encoded: Encoded, solver: OnlineSolver, decoder: int,
                        single_root: bool) -> tuple[Encoded, ExplicitModel]:
        problem = ExplicitProblem(encoded, self.features, self.indices, len(self.weights),
                                  decoder, single_root)
        completed = replace(encoded, heads=problem.completed(LinearModel.of(self.weights)))
        return completed, ExplicitModel(self.features, self.indices,
                                        problem.continued(self.weights, solver))

    # in and out

    def header(self) -> dict:
        return {"groups": list(self.features.groups),
                "templates": {group: list(texts)
                              for group, texts in self.features.templates.items()},
                "dim": len(self.weights)}

    def arrays(self) -> dict[str, np.ndarray]:
        indices = np.flatnonzero(self.weights)
        arrays = {"keys": self.indices.keys, "numbers": self.indices.numbers,
                  "pruned": np.packbits(self.indices.pruned)}
        if 2 * len(indices) < len(self.weights):
            return {**arrays, "indices": indices.astype(np.int32),
                    "values": self.weights[indices]}
        return {**arrays, "weights": self.weights}

    schema = Schema(
        header={"groups": ListOf(Text(100), len(FIRST_ORDER_GROUPS)),
                "templates": DictOf(ListOf(Text(200))),
                "dim": Whole(0, 1 << MOST_BITS)},
        arrays={"keys": Array("uint64", "table"), "numbers": Array("int32", "table"),
                "weights": Array("float32", "dim", optional=True),
                "indices": Array("int32", "weighted", low=0, below="dim", optional=True),
                "values": Array("float32", "weighted", optional=True),
                "pruned": Array("uint8", "cells", optional=True)})

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> ExplicitModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        features = EdgeFeatures(header["groups"])
        if header["templates"] != {g: list(FIRST_ORDER_GROUPS[g]) for g in features.groups}:
            raise OtherVersionError
        dim, keys = header["dim"], arrays["keys"]
        if "weights" in arrays:
            weights = arrays["weights"]
        elif "values" in arrays and "indices" in arrays:
            weights = np.zeros(dim, np.float32)
            weights[arrays["indices"]] = arrays["values"]
        else:
            raise InputError("it has no weights")
        if len(keys):
            indices = indices_from_file(keys, arrays["numbers"], dim)
        elif dim >= 1 << FEWEST_BITS and dim & (dim - 1) == 0:
            indices = hashed_indices(dim.bit_length() - 1)
        else:
            raise InputError(f"found {dim} weights, expected a power of 2 from "
                             f"{1 << FEWEST_BITS} on, or a dictionary of features")
        return cls(features, indices._replace(pruned=pruned_from_file(
            arrays.get("pruned", NONE_PRUNED))), weights)


def make_feature_indices(encoded, features: EdgeFeatures, min_count: int,
                hash_bits: int | None, check_cancelled: CheckCancelled = never_cancelled
                ) -> tuple[FeatureIndices, int]:
    """Where the weights of a training stand, and how many there are.

    check_cancelled : called now and then; an exception of it ends the work
    """
    if min_count < 0:
        raise InputError(f"min_count must be at least 0, not {min_count}")
    bits = choose_bits(encoded, hash_bits)
    if min_count > 0:
        return dictionary_indices(encoded, features, min_count, check_cancelled)
    return hashed_indices(bits), 1 << bits


def choose_bits(encoded: Encoded, hash_bits: int | None,
                per_token: float = WEIGHTS_PER_TOKEN, most: int = MAX_EDGE_BITS) -> int:
    """The bits of hashed features that were asked for, else by the treebank's size."""
    if hash_bits is None:
        weights = per_token * encoded.lengths().sum()
        return int(np.clip(np.ceil(np.log2(max(1, weights))), MIN_EDGE_BITS, most))
    if not FEWEST_BITS <= hash_bits <= MOST_BITS:
        raise InputError(
            f"hash_bits must be {FEWEST_BITS} to {MOST_BITS}, not {hash_bits}")
    return hash_bits
