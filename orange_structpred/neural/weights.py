"""The weights of a net: named arrays in one vector, and their gradients in another."""
from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from orange_structpred.errors import InputError


class Initial(NamedTuple):
    """An array of weights before anything is learned.

    shape : of the array
    scale : standard deviation; 0 for an array of one value
    shift : mean
    """

    shape: tuple[int, ...]
    scale: float = 0.
    shift: float = 0.


class Layer(Protocol):
    def initial(self) -> dict[str, Initial]:
        """The arrays of the layer, by their names."""


class Weights:
    """All weights of some layers.

    Parameters
    ----------
    layers : whose arrays they are, in this order
    values : all of them; by default zeros
    dtype : float32; float64 where gradients are compared with differences
    """

    def __init__(self, layers: Iterable[Layer], values: np.ndarray | None = None,
                 dtype: type = np.float32):
        self.layout: dict[str, Initial] = {}
        for layer in layers:
            self.layout.update(layer.initial())
        self.size = sum(math.prod(array.shape) for array in self.layout.values())
        if values is not None and values.shape != (self.size,):
            raise InputError(f"found {len(values)} weights of a net, expected {self.size}")
        self.values: np.ndarray = (np.zeros(self.size, dtype) if values is None
                                   else values.astype(dtype))
        self._values = self.arrays(self.values)

    @cached_property
    def gradients(self) -> np.ndarray:
        return np.zeros_like(self.values)

    @cached_property
    def _gradients(self) -> dict[str, np.ndarray]:
        return self.arrays(self.gradients)

    def arrays(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """A vector of all weights as named arrays, which are views of it."""
        result, start = {}, 0
        for name, array in self.layout.items():
            size = math.prod(array.shape)
            result[name] = vector[start:start + size].reshape(array.shape)
            start += size
        return result

    def __getitem__(self, name: str) -> np.ndarray:
        return self._values[name]

    def gradient(self, name: str) -> np.ndarray:
        return self._gradients[name]

    def draw(self, rng: np.random.Generator) -> None:
        """Set all weights as they are before training."""
        for name, array in self.layout.items():
            self[name][...] = array.shift
            if array.scale:
                self[name][...] += array.scale * rng.standard_normal(array.shape)


def linear_scale(inputs: int, outputs: int) -> float:
    """The standard deviation with which values keep their size both ways (Glorot)."""
    return float(np.sqrt(2 / (inputs + outputs)))
