"""Linear layers, and what bends their outputs."""
from __future__ import annotations

import numpy as np

from orange_structpred.neural.weights import Initial, Weights, linear_scale

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
