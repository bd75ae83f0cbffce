"""Rows of numbers for symbols: words, tags, pieces of words."""
from __future__ import annotations

import numpy as np

from orange_structpred.neural.weights import Initial, Weights
from orange_structpred.running.compiler import njit


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
