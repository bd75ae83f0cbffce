"""The weights of a net: named arrays in one vector, and their gradients in another."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    dtype : float32; float64 where gradients are compared with differences
    """

    def __init__(self, layers: Iterable[Layer], dtype: type = np.float32):
        self.layout: dict[str, Initial] = {}
        for layer in layers:
            self.layout.update(layer.initial())
        self.size = sum(int(np.prod(own.shape)) for own in self.layout.values())
        self.values = np.zeros(self.size, dtype)
        self.gradients = np.zeros(self.size, dtype)
        self._values = self.arrays(self.values)
        self._gradients = self.arrays(self.gradients)

    def arrays(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """A vector of all weights as named arrays, which are views of it."""
        result, start = {}, 0
        for name, own in self.layout.items():
            size = int(np.prod(own.shape))
            result[name] = vector[start:start + size].reshape(own.shape)
            start += size
        return result

    def __getitem__(self, name: str) -> np.ndarray:
        return self._values[name]

    def gradient(self, name: str) -> np.ndarray:
        return self._gradients[name]

    def draw(self, rng: np.random.Generator) -> None:
        """Set all weights as they are before training."""
        for name, own in self.layout.items():
            self[name][...] = own.shift
            if own.scale:
                self[name][...] += own.scale * rng.standard_normal(own.shape)

    def set(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Set all weights; an InputError if an array is missing or has another shape."""
        for name, own in self.layout.items():
            if name not in arrays or arrays[name].shape != own.shape:
                raise InputError(f"the net has no array {name!r} of shape {own.shape}")
            self[name][...] = arrays[name]


def linear_scale(inputs: int, outputs: int) -> float:
    """The standard deviation with which values keep their size both ways (Glorot)."""
    return float(np.sqrt(2 / (inputs + outputs)))
