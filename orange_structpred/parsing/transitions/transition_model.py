"""A trained transition-based parser, alone or as a voter.

Alone it is the fastest of all. It makes other errors than a parser that scores whole
trees, so its heads are also worth something as votes (Sagae and Lavie 2006).
"""
from __future__ import annotations

from typing import NoReturn

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.models import ModelFile, OtherVersionError
from orange_structpred.files.schema import Flag, ListOf, Optional, Schema, Text, Whole
from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.features.contributions import Contribution
from orange_structpred.parsing.limits import MOST_BEAM
from orange_structpred.parsing.packing import pack_weights, packed_schema, unpack
from orange_structpred.parsing.row_learning import (
    MIN_ROW_BITS,
    choose_row_bits,
    learn_rows,
)
from orange_structpred.parsing.second_order.part_templates import make_arrays
from orange_structpred.parsing.transitions.beam_search import parse_beam
from orange_structpred.parsing.transitions.transition_system import (
    COLUMNS,
    TransitionSystem,
    run_sentences,
)
from orange_structpred.parsing.transitions.transition_templates import (
    CONFIGURATION_ROLES,
    CONFIGURATION_WORDS,
    TRANSITION_TEMPLATES,
)
from orange_structpred.parsing.tree_model import TreeModel
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.sentence import Sentence

#: The trees that transitions can build, without and with SWAP
TRANSITION_DECODERS = NESTED, CROSSING = "projective", "rearranged"
VOTER_PASSES = 8
#: Of the number of rows, where the parser is alone: half a point more than a voter's
MOST_TRANSITION_BITS = 22
TRANSITION_ROWS_PER_TOKEN = 16
TRANSITION_C = 0.003
TEMPLATES = make_arrays(TRANSITION_TEMPLATES, CONFIGURATION_ROLES,
                        np.random.PCG64(20060604), CONFIGURATION_WORDS)


class TransitionModel(TreeModel):
    """Weights of transitions.

    Parameters
    ----------
    weights : float32 (rows * COLUMNS), thinned out
    beam : configurations that are kept side by side; 1 is greedy
    swaps : the edges of its trees may cross
    """

    kind = "transition-based"

    def __init__(self, weights: np.ndarray, beam: int = 1, swaps: bool = False):
        self.weights, self.beam, self.swaps = weights, beam, swaps
        #: the trees that its transitions can build
        self.decoders = (CROSSING if swaps else NESTED,)

    @property
    def bits(self) -> int:
        return (len(self.weights) // COLUMNS).bit_length() - 1

    def flat_heads(self, encoded: Encoded, *, single_root: bool) -> np.ndarray:
        """The head of each position, -1 for roots."""
        heads = np.empty(len(encoded.tokens), np.int32)
        shift = np.uint32(32 - self.bits)
        system = TransitionSystem(single_root, self.swaps)
        if self.beam == 1:
            run_sentences(np.arange(len(encoded)), encoded.offsets, encoded.tokens, heads,
                          TEMPLATES, self.weights, self.weights, shift, system,
                          0., 0, 0, heads)
        else:
            parse_beam(0, len(encoded), encoded.offsets, encoded.tokens, TEMPLATES,
                       self.weights, shift, system, self.beam, heads)
        return heads

    def chunk_heads(self, sentences, encoded: Encoded, decoder: int, single_root: bool,
                    net_scores) -> list[np.ndarray]:
        """There is one decoder only."""
        return encoded.split(self.flat_heads(encoded, single_root=single_root))

    # It scores transitions, and no edges

    def expect_edge_scores(self) -> NoReturn:
        raise InputError("a transition-based parser scores transitions, not edges, so it "
                         "has no probabilities, explanations of heads or constraints; "
                         "train a parser with explicit features for these")

    def edge_scores(self, sentence: Sentence, decoder: int = PROJECTIVE,
                    single_root: bool = True) -> np.ndarray:
        self.expect_edge_scores()

    def contributions(self, sentence: Sentence, head: int, dependent: int,
                      heads: np.ndarray | None = None) -> list[Contribution]:
        self.expect_edge_scores()

    # in and out

    def header(self) -> dict:
        return {"templates": list(TRANSITION_TEMPLATES), "bits": self.bits,
                "beam": self.beam, "swaps": self.swaps}

    def arrays(self) -> dict[str, np.ndarray]:
        return pack_weights(self.weights)

    schema = Schema(
        header={"templates": ListOf(Text(200)),
                "bits": Whole(MIN_ROW_BITS, MOST_TRANSITION_BITS),
                "beam": Whole(1, MOST_BEAM), "swaps": Optional(Flag())},
        arrays=packed_schema())

    @classmethod
    def read(cls, file: ModelFile, name: str = "") -> TransitionModel:
        """The model out of a component of a file."""
        header, arrays = file.component(cls.schema, name)
        if header["templates"] != list(TRANSITION_TEMPLATES):
            raise OtherVersionError
        return cls(unpack(arrays, (COLUMNS << header["bits"],)), header["beam"],
                   bool(header.get("swaps")))


def train_voter(encoded: Encoded, *, random_state: int = 0,
                check_cancelled: CheckCancelled = never_cancelled
                ) -> TransitionModel:
    """Learn transitions from gold trees, greedily."""
    bits = choose_row_bits(len(encoded.heads))
    weights = np.zeros(COLUMNS << bits, np.float32)
    return TransitionModel(learn_rows(
        weights, len(encoded), VOTER_PASSES,
        lambda part, late, begin, step: run_sentences(
            part, encoded.offsets, encoded.tokens, encoded.heads, TEMPLATES, weights, late,
            np.uint32(32 - bits), TransitionSystem(False), TRANSITION_C, begin, step, np.empty(0, np.int32)),
        random_state=random_state, check_cancelled=check_cancelled))
