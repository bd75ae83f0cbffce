"""Layers of a net, with their gradients: linear, biaffine, embeddings; and dropout."""
from __future__ import annotations

import numpy as np

from orange_structpred.neural.weights import Initial, Weights, linear_scale
from orange_structpred.running.compiler import njit

LEAK = 0.1      # slope of leaky ReLU below zero


class Linear:
    """y = x A + b.

    Parameters
    ----------
    inputs, outputs : numbers of columns
    """

    def __init__(self, name: str, inputs: int, outputs: int):
        self.inputs, self.outputs = inputs, outputs
        self._matrix, self._bias = f"{name}.matrix", f"{name}.bias"

    def initial(self) -> dict[str, Initial]:
        return {self._matrix: Initial((self.inputs, self.outputs),
                                      linear_scale(self.inputs, self.outputs)),
                self._bias: Initial((self.outputs,))}

    def forward(self, weights: Weights, x: np.ndarray) -> np.ndarray:
        y = x @ weights[self._matrix]
        y += weights[self._bias]
        return y

    def backward(self, weights: Weights, x: np.ndarray, dy: np.ndarray) -> np.ndarray:
        weights.gradient(self._matrix)[...] += x.T @ dy
        weights.gradient(self._bias)[...] += dy.sum(axis=0)
        return dy @ weights[self._matrix].T


def leaky_relu(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, x.dtype.type(LEAK) * x)


def leaky_relu_backward(y: np.ndarray, dy: np.ndarray) -> np.ndarray:
    """The gradient of the inputs, from the outputs and their gradient."""
    return np.where(y > 0, dy, dy.dtype.type(LEAK) * dy)


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


class Embedding:
    """A row for each symbol; the rows of several symbols are added up.

    Parameters
    ----------
    symbols : how many there are, numbered from 0; -1 is none
    size : columns of a row
    """

    def __init__(self, name: str, symbols: int, size: int):
        self.name, self.symbols, self.size = name, symbols, size

    def initial(self) -> dict[str, Initial]:
        return {self.name: Initial((self.symbols, self.size), 0.3)}

    def forward(self, weights: Weights, symbols: np.ndarray, y: np.ndarray) -> None:
        """Write to y.

        symbols : int32, a row for each token, with one or more symbols of it
        """
        add_rows(weights[self.name], symbols, y)

    def backward(self, weights: Weights, symbols: np.ndarray, dy: np.ndarray) -> None:
        add_to_rows(weights.gradient(self.name), symbols, dy)


@njit(nogil=True, cache=True)
def add_rows(table, symbols, y):
    for token in range(symbols.shape[0]):
        for j in range(y.shape[1]):
            y[token, j] = 0
        for k in range(symbols.shape[1]):
            symbol = symbols[token, k]
            if symbol >= 0:
                for j in range(y.shape[1]):
                    y[token, j] += table[symbol, j]


@njit(nogil=True, cache=True)
def add_to_rows(table, symbols, dy):
    for token in range(symbols.shape[0]):
        for k in range(symbols.shape[1]):
            symbol = symbols[token, k]
            if symbol >= 0:
                for j in range(dy.shape[1]):
                    table[symbol, j] += dy[token, j]


# Masks that hide values at random while a net learns, and enlarge the others

def sentence_masks(rng: np.random.Generator, rate: float, offsets: np.ndarray,
                   columns: int, dtype: np.dtype) -> np.ndarray:
    """A factor for each value: the tokens of a sentence lose the same columns."""
    kept = rng.random((len(offsets) - 1, columns), dtype=np.float32) >= rate
    factors = kept.astype(dtype)
    factors *= dtype.type(1 / (1 - rate))
    return np.repeat(factors, np.diff(offsets), axis=0)


def group_masks(rng: np.random.Generator, rate: float, tokens: int, sizes: list[int],
                dtype: np.dtype) -> np.ndarray:
    """A factor for each value: a token loses a group of columns, and its other groups
    become larger, so that the sum is the same size.

    sizes : columns of each group
    """
    kept = (rng.random((tokens, len(sizes)), dtype=np.float32) >= rate).astype(dtype)
    kept *= dtype.type(len(sizes)) / np.maximum(kept.sum(axis=1, keepdims=True), 1)
    return np.repeat(kept, sizes, axis=1)
