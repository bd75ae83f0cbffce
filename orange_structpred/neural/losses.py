"""Probabilities, and how far they are from what is right.

Rows may have different lengths: `starts` says where each begins in a vector.
"""
from __future__ import annotations

import math

import numpy as np

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def log_softmax_rows(scores, starts):
    """Make logarithms of probabilities of the scores of each row; -inf is never."""
    for row in range(starts.size - 1):
        start, stop = starts[row], starts[row + 1]
        if start == stop:
            continue
        best = scores[start]
        for k in range(start + 1, stop):
            best = max(best, scores[k])
        total = 0.
        for k in range(start, stop):
            total += math.exp(scores[k] - best)
        shift = scores.dtype.type(best + math.log(total))
        for k in range(start, stop):
            scores[k] -= shift


@njit(nogil=True, cache=True)
def cross_entropy_rows(log_probabilities, starts, right, scale, gradients):
    """The sum of -log p of what is right in each row; the gradients of the scores, times
    a scale, are written. Rows with right < 0 do not count.
    """
    total = 0.
    for row in range(starts.size - 1):
        start, stop = starts[row], starts[row + 1]
        if right[row] < 0:
            for k in range(start, stop):
                gradients[k] = 0
            continue
        total -= log_probabilities[start + right[row]]
        for k in range(start, stop):
            gradients[k] = scale * math.exp(log_probabilities[k])
        gradients[start + right[row]] -= scale
    return total


def even_rows(rows: int, columns: int) -> np.ndarray:
    """Where the rows of a matrix begin."""
    return np.arange(rows + 1) * columns
