"""A trained transition-based parser: one head for each token, and quickly.

It makes other errors than a parser that scores whole trees, so its heads are worth
something as votes (Sagae and Lavie 2006).
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orange_structpred.parsing.row_learning import choose_row_bits, learn_rows
from orange_structpred.parsing.second_order.part_templates import make_arrays
from orange_structpred.parsing.transitions.transition_system import (
    COLUMNS,
    run_sentences,
)
from orange_structpred.parsing.transitions.transition_templates import (
    CONFIGURATION_ROLES,
    CONFIGURATION_WORDS,
    TRANSITION_TEMPLATES,
)
from orange_structpred.treebank.encoding import Encoded

TRANSITION_PASSES = 8
TRANSITION_C = 0.003
TEMPLATES = make_arrays(TRANSITION_TEMPLATES, CONFIGURATION_ROLES,
                        np.random.PCG64(20060604), CONFIGURATION_WORDS)


class TransitionModel:
    """Weights of transitions.

    Parameters
    ----------
    weights : float32 (rows * COLUMNS), thinned out
    """

    def __init__(self, weights: np.ndarray):
        self.weights = weights

    @property
    def bits(self) -> int:
        return (len(self.weights) // COLUMNS).bit_length() - 1

    def heads(self, encoded: Encoded) -> np.ndarray:
        """The head of each position, -1 for roots."""
        heads = np.empty(len(encoded.tokens), np.int32)
        run_sentences(np.arange(len(encoded)), encoded.offsets, encoded.tokens, heads,
                      TEMPLATES, self.weights, self.weights, np.uint32(32 - self.bits),
                      0., 0, 0, heads)
        return heads


def train_transitions(encoded: Encoded, *, random_state: int = 0,
                      check_cancelled: Callable[[], object] = lambda: None
                      ) -> TransitionModel:
    """Learn transitions from gold trees."""
    bits = choose_row_bits(len(encoded.heads))
    weights = np.zeros(COLUMNS << bits, np.float32)
    return TransitionModel(learn_rows(
        weights, len(encoded), TRANSITION_PASSES,
        lambda part, late, begin, step: run_sentences(
            part, encoded.offsets, encoded.tokens, encoded.heads, TEMPLATES, weights, late,
            np.uint32(32 - bits), TRANSITION_C, begin, step, np.empty(0, np.int32)),
        random_state=random_state, check_cancelled=check_cancelled))
