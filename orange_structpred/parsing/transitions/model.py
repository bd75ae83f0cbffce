"""A trained transition-based parser: one head for each token, and quickly.

It makes other errors than a parser that scores whole trees, so its heads are worth
something as votes (Sagae and Lavie 2006).
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orange_structpred.parsing.packing import thin_out
from orange_structpred.parsing.second_order.templates import make_arrays
from orange_structpred.parsing.transitions.system import COLUMNS, run_sentences
from orange_structpred.parsing.transitions.templates import (
    CONFIGURATION_ROLES,
    CONFIGURATION_WORDS,
    TRANSITION_TEMPLATES,
)
from orange_structpred.treebank.encoding import Encoded

MIN_TRANSITION_BITS, MAX_TRANSITION_BITS = 10, 18     # of the number of rows
TRANSITION_PASSES = 8
TRANSITION_C = 0.003
TRANSITION_ROWS = 8      # per token at least, up to the limit
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
    bits = int(np.clip(np.ceil(np.log2(max(1, TRANSITION_ROWS * len(encoded.heads)))),
                       MIN_TRANSITION_BITS, MAX_TRANSITION_BITS))
    weights = np.zeros(COLUMNS << bits, np.float32)
    late = np.zeros_like(weights)
    step = begin = 0
    for pass_ in range(TRANSITION_PASSES):
        if pass_ == TRANSITION_PASSES // 2:
            # the average is that of the later passes
            late[:] = 0
            begin = step
        order = np.random.default_rng([random_state, pass_]).permutation(len(encoded))
        for part in np.array_split(order, max(1, len(order) // 1000)):
            step = run_sentences(
                part, encoded.offsets, encoded.tokens, encoded.heads, TEMPLATES, weights,
                late, np.uint32(32 - bits), TRANSITION_C, begin, step,
                np.empty(0, np.int32))
            check_cancelled()
    late /= np.float32(max(1, step - begin))
    weights -= late
    return TransitionModel(thin_out(weights))
