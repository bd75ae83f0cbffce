"""The second stage of a parser: relations for the edges of finished trees."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile, OtherVersionError
from orange_structpred.files.schema import DictOf, ListOf, Schema, Text, Whole
from orange_structpred.parsing.neural.net_model import NetScores
from orange_structpred.parsing.packing import pack_weights, packed_schema, unpack
from orange_structpred.parsing.relations.labeler import label_sentences, learn_pass
from orange_structpred.parsing.relations.relation_templates import (
    RELATION_GROUPS,
    relation_templates,
)
from orange_structpred.parsing.row_learning import (
    MAX_ROW_BITS,
    choose_row_bits,
    learn_rows,
)
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.threads import map_chunks
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.relations import (
    NO_NAME,
    RelationNumbers,
    relation_numbers,
)

RELATION_PASSES = 8
NET_RELATION_WEIGHT = np.float32(0.2)       # of the log-probabilities that a net gives
LEAST_RELATION = np.float32(-12)            # of these log-probabilities
C = 0.01


class RelationModel:
    """Weights of relations' features.

    Parameters
    ----------
    names : the relations
    weights : float32 (rows, relations), thinned out
    groups : of templates; files of earlier versions have fewer
    """

    def __init__(self, names: Sequence[str], weights: np.ndarray,
                 groups: Sequence[str] = tuple(RELATION_GROUPS)):
        self.names, self.weights, self.groups = tuple(names), weights, tuple(groups)
        self.templates = relation_templates(self.groups)

    @property
    def shift(self) -> np.uint32:
        return np.uint32(32 - (len(self.weights).bit_length() - 1))

    def numbers(self, encoded: Encoded, heads: np.ndarray, *, n_jobs: int = 1,
                check_cancelled: CheckCancelled = never_cancelled,
                net_scores: NetScores | None = None) -> np.ndarray:
        """The number of each token's relation, for the heads of all sentences.

        net_scores : what a net says of the sentences; it must know the same relations
        """
        result = np.zeros(len(heads), np.int32)
        bonuses = self.bonuses(net_scores, heads)
        map_chunks(
            lambda first, last: label_sentences(
                first, last, encoded.offsets, encoded.tokens, heads, self.templates,
                self.weights, self.shift, bonuses, result),
            len(encoded), n_jobs, check_cancelled)
        return result

    def bonuses(self, net_scores: NetScores | None, heads: np.ndarray) -> np.ndarray:
        """What a net adds to the scores of each position's relations; no rows without."""
        if net_scores is None or not net_scores.model.relations:
            return np.empty((0, len(self.names)), np.float32)
        return NET_RELATION_WEIGHT * np.maximum(
            net_scores.log_relations(heads), LEAST_RELATION)

    def relations(self, encoded: Encoded, heads: Sequence[np.ndarray], **options
                  ) -> list[list[str]]:
        """The relations of each sentence, given its heads."""
        flat = np.full(len(encoded.heads), -1, np.int32)
        flat[encoded.is_token()] = np.concatenate(heads)
        numbers = self.numbers(encoded, flat, **options)
        names = np.array(self.names, dtype=object)
        return [part.tolist() for part in encoded.split(names[numbers])]

    def loss(self, encoded: Encoded, gold: np.ndarray
             ) -> Callable[[int, np.ndarray], float]:
        """A function of a sentence's number and heads: the share of tokens with a
        wrong head or a wrong relation.

        gold : the numbers of all relations, as in `RelationNumbers`
        """
        def loss(i: int, heads: np.ndarray) -> float:
            span = slice(encoded.offsets[i], encoded.offsets[i + 1])
            predicted = np.zeros(len(heads), np.int32)
            label_sentences(0, 1, np.array([0, len(heads)]), encoded.tokens[span], heads,
                            self.templates, self.weights, self.shift,
                            self.bonuses(None, heads), predicted)
            wrong = (heads != encoded.heads[span]) | (predicted != gold[span])
            if encoded.known is not None:
                wrong &= encoded.known[span]
            return np.count_nonzero(wrong[1:]) / (len(heads) - 1)

        return loss

    # in and out

    def header(self) -> dict:
        return {"names": list(self.names), "rows": len(self.weights),
                "templates": {group: list(RELATION_GROUPS[group]) for group in self.groups}}

    def arrays(self) -> dict[str, np.ndarray]:
        return pack_weights(self.weights)

    schema = Schema(
        header={"names": ListOf(Text(1000), 1 << 16), "rows": Whole(2, 1 << MAX_ROW_BITS),
                "templates": DictOf(ListOf(Text(200)))},
        arrays=packed_schema())

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> RelationModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        groups = [group for group in RELATION_GROUPS if group in header["templates"]]
        if not groups or header["templates"] != {
                group: list(RELATION_GROUPS[group]) for group in groups}:
            raise OtherVersionError
        names, rows = header["names"], header["rows"]
        if not names or rows & (rows - 1):
            raise InputError(f"found {len(names)} relations and {rows} rows of their "
                             f"weights, expected a power of two up to 2^{MAX_ROW_BITS}")
        return cls(names, unpack(arrays, (rows, len(names))), groups)


def train_relations(encoded: Encoded, relations: RelationNumbers, *,
                    random_state: int = 0, passes: int = RELATION_PASSES,
                    check_cancelled: CheckCancelled = never_cancelled
                    ) -> RelationModel | None:
    """Learn relations from gold trees; None where no relation is known."""
    names, gold = relations
    if not names:
        return None
    bits = choose_row_bits(len(gold))
    untrained = RelationModel(names, np.zeros((1 << bits, len(names)), np.float32))
    return learned_from(untrained, encoded, gold, passes, random_state=random_state,
                        check_cancelled=check_cancelled)


def learn_more_relations(model: RelationModel, encoded: Encoded,
                         relations: Sequence[Sequence[str]], *, new_names: bool = True,
                         passes: int = RELATION_PASSES) -> RelationModel:
    """A model that has also learned the relations of further sentences.

    relations : of each sentence's words; those of heads that are not known do not count
    new_names : whether relations that the model has never seen are learned
    """
    seen = {name for labels in relations for name in labels} - {NO_NAME, ""}
    names = [*model.names, *(sorted(seen - set(model.names)) if new_names else ())]
    weights = np.zeros((len(model.weights), len(names)), np.float32)
    weights[:, :len(model.names)] = model.weights
    gold = RelationNumbers(names, relation_numbers(names, relations)).where(encoded.known)
    return learned_from(RelationModel(names, weights, model.groups), encoded, gold.numbers,
                        passes)


def learned_from(model: RelationModel, encoded: Encoded, gold: np.ndarray, passes: int,
                 **options) -> RelationModel:
    """A model that learning leads to from the weights of another one, which are changed.

    gold : the number of each position's relation
    options : of `learn_rows`
    """
    return RelationModel(model.names, learn_rows(
        model.weights, len(encoded), passes,
        lambda part, late, begin, step: learn_pass(
            part, encoded.offsets, encoded.tokens, encoded.heads, gold, model.templates,
            model.weights, late, model.shift, C, begin, step), **options), model.groups)
