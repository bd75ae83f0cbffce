"""What a net minimises in order to learn heads: cross-entropy, or a structured hinge.

A loss is given log-probabilities of heads as squares [dependent, head], one sentence after
the other, and writes the gradients of the scores that they were made of.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from orange_structpred.neural.layers import sequence_bounds, square_bounds
from orange_structpred.neural.losses import cross_entropy_rows
from orange_structpred.parsing.decoding.decoders import PROJECTIVE, decode
from orange_structpred.running.compiler import njit

LEAST_EDGE = np.float32(-100)       # of the log-probability of an edge; sums are finite


@njit(nogil=True, cache=True)
def decode_edges(scores, decoder, single_root):
    return decode(scores, decoder, single_root)


def edge_square(log_heads: np.ndarray) -> np.ndarray:
    """Scores [head, dependent] for decoders, of log-probabilities [head, dependent]."""
    square = np.maximum(log_heads, LEAST_EDGE, dtype=np.float32, order="C")
    square[:, 0] = -np.inf
    np.fill_diagonal(square, -np.inf)
    return square


class HeadLoss(Protocol):
    def __call__(self, log_heads: np.ndarray, offsets: np.ndarray, heads: np.ndarray,
                 scale: float, gradients: np.ndarray) -> float:
        """The sum over all tokens; the gradients, times a scale, are written.

        heads : those that are right; -1 where they are not known
        """


@dataclass(frozen=True)
class CrossEntropy:
    """-log p of the right head of each token, one token by one."""

    def __call__(self, log_heads, offsets, heads, scale, gradients) -> float:
        return cross_entropy_rows(log_heads, row_bounds(offsets), heads, scale, gradients)


@dataclass(frozen=True)
class StructuredHinge:
    """How much the best wrong tree is above the right one, with a margin of 1 for each
    wrong head: max_y [L(y_i, y) + s(y)] - s(y_i), as structural SVMs have it (Pei, Ge and
    Chang 2015), with the decoder in the loop.

    Log-probabilities differ from scores by a number for each token. All trees have one
    edge for each token, so that the difference of two trees is the same for both.
    Sentences with unknown heads do not count.

    Parameters
    ----------
    decoder : of the parser, see `DECODERS`
    single_root : whether only one word depends on the root
    """

    decoder: int = PROJECTIVE
    single_root: bool = True

    def __call__(self, log_heads, offsets, heads, scale, gradients) -> float:
        total = 0.
        gradients[:] = 0
        for (start, stop), bounds in zip(sequence_bounds(offsets),
                                         sequence_bounds(square_bounds(offsets))):
            n, right, square = stop - start, heads[start + 1:stop], slice(*bounds)
            if n > 1 and (right >= 0).all():
                total += self._sentence(log_heads[square].reshape(n, n), right, scale,
                                        gradients[square].reshape(n, n))
        return total

    def _sentence(self, logs, right, scale, gradients) -> float:
        tokens = np.arange(1, len(logs))
        square = edge_square(logs.T)
        square += 1
        square[right, tokens] -= 1
        decoded = decode_edges(square, self.decoder, self.single_root)[1:]
        loss = float(np.sum(decoded != right)
                     + np.sum(logs[tokens, decoded] - logs[tokens, right]))
        if loss <= 0:       # also if the right tree is none of the decoder's
            return 0.
        gradients[tokens, decoded] += scale
        gradients[tokens, right] -= scale
        return loss


def row_bounds(offsets: np.ndarray) -> np.ndarray:
    """Where the row of each token begins among the scores of all pairs."""
    sizes = np.repeat(np.diff(offsets), np.diff(offsets))
    return np.concatenate([[0], np.cumsum(sizes)])


CROSS_ENTROPY = CrossEntropy()
#: By the names of a learner's parameter: a loss for a decoder and a number of roots
HEAD_LOSSES: dict[str, Callable[[int, bool], HeadLoss]] = {
    "cross-entropy": lambda decoder, single_root: CROSS_ENTROPY,
    "hinge": StructuredHinge}
