"""Scores of all pairs of tokens of a sentence."""
from __future__ import annotations

import numpy as np

from orange_structpred.neural.weights import Initial, Weights


class Biaffine:
    """score(x, y) = x A y + b y, for all rows x and y of a sentence.

    The scores of a sentence of n rows are n * n numbers, row x after row x; those of all
    sentences follow each other.

    Parameters
    ----------
    size : columns of x and of y
    """

    def __init__(self, name: str, size: int):
        self.size = size
        self._matrix, self._bias = f"{name}.matrix", f"{name}.bias"

    def initial(self) -> dict[str, Initial]:
        return {self._matrix: Initial((self.size, self.size)),
                self._bias: Initial((self.size,))}

    def forward(self, weights: Weights, x: np.ndarray, y: np.ndarray,
                offsets: np.ndarray) -> np.ndarray:
        """The scores; sentence i has the rows offsets[i] to offsets[i + 1] - 1."""
        left = x @ weights[self._matrix]
        left += weights[self._bias]
        squares = square_bounds(offsets)
        scores = np.empty(squares[-1], x.dtype)
        for (start, stop), square in zip(sequence_bounds(offsets), sequence_bounds(squares)):
            n = stop - start
            np.dot(left[start:stop], y[start:stop].T,
                   out=scores[slice(*square)].reshape(n, n))
        return scores

    def backward(self, weights: Weights, x: np.ndarray, y: np.ndarray,
                 offsets: np.ndarray, dscores: np.ndarray
                 ) -> tuple[np.ndarray, np.ndarray]:
        matrix = weights[self._matrix]
        left = x @ matrix
        left += weights[self._bias]
        dleft, dy = np.empty_like(x), np.empty_like(y)
        squares = square_bounds(offsets)
        for (start, stop), bounds in zip(sequence_bounds(offsets), sequence_bounds(squares)):
            n = stop - start
            square = dscores[slice(*bounds)].reshape(n, n)
            np.dot(square, y[start:stop], out=dleft[start:stop])
            np.dot(square.T, left[start:stop], out=dy[start:stop])
        weights.gradient(self._matrix)[...] += x.T @ dleft
        weights.gradient(self._bias)[...] += dleft.sum(axis=0)
        return dleft @ matrix.T, dy


def square_bounds(offsets: np.ndarray) -> np.ndarray:
    """Where the squares of sentences begin among the scores of all pairs."""
    return np.concatenate([[0], np.cumsum(np.diff(offsets) ** 2)])


def sequence_bounds(bounds: np.ndarray) -> zip:
    numbers = bounds.tolist()
    return zip(numbers[:-1], numbers[1:])
