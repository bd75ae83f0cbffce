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
SMALLEST, LARGEST = 2. ** -13, 2. ** 15     # between these, half precision is precise
BYTES_OF_BLOCK = 1 << 14
LEAST_SCALE, MOST_SCALE = 2. ** -70, 2. ** 60       # of weights in files


def scale_of(weights: np.ndarray) -> np.float32:
    """The power of two by which weights are divided, so that half precision holds them:
    1, unless C is extreme."""
    most = float(np.abs(weights).max(initial=0))
    if not most or (most < LARGEST and TINY_WEIGHT * np.std(weights) > SMALLEST):
        return np.float32(1)
    return np.float32(np.clip(2. ** (np.frexp(most)[1] - 13), LEAST_SCALE, MOST_SCALE))


def thin_out(weights: np.ndarray) -> np.ndarray:
    """The weights as `pack_weights` keeps them: float32, without what is lost in a file."""
    scale = scale_of(weights)
    thin = (weights / scale).astype(np.float16)
    thin[np.abs(weights) < TINY_WEIGHT * np.std(weights)] = 0
    return thin.astype(np.float32) * scale


def pack_weights(weights: np.ndarray, name: str = "") -> dict[str, np.ndarray]:
    """Arrays for a file, of weights that were thinned out; `name` comes before theirs."""
    flat = weights.ravel()
    present, scale = flat != 0, scale_of(weights)
    return {f"{name}present": np.packbits(present),
            f"{name}values": (flat[present] / scale).astype(np.float16),
            **({} if scale == 1 else {f"{name}scale": np.array([scale])})}


def packed_schema(name: str = "", *, optional: bool = False) -> dict[str, Array]:
    """What the arrays of `pack_weights` must be."""
    return {f"{name}present": Array("uint8", f"{name}bytes", optional=optional),
            f"{name}values": Array("float16", f"{name}weighted", optional=optional),
            f"{name}scale": Array("float32", 1, low=LEAST_SCALE, high=MOST_SCALE,
                                  optional=True)}


def unpack(arrays: Mapping[str, np.ndarray], shape: tuple[int, ...], name: str = ""
           ) -> np.ndarray:
    """The weights; a ValueError if the arrays do not fit."""
    size = int(np.prod(shape))
    bits, values = arrays[f"{name}present"], arrays[f"{name}values"]
    if bits.shape != (-(-size // 8),):
        raise InputError(f"found bits of {bits.size * 8} weights, expected {size}")
    # Block by block, so that weights that are mostly 0 take no memory: a small file can
    # say that it has a billion of them.
    weights, done = np.zeros(size, np.float32), 0
    scale = arrays[f"{name}scale"] if f"{name}scale" in arrays else np.float32(1)
    for begin in range(0, len(bits), BYTES_OF_BLOCK):
        block = bits[begin:begin + BYTES_OF_BLOCK]
        if not block.any():
            continue
        here = weights[8 * begin:8 * (begin + len(block))]
        present = np.flatnonzero(np.unpackbits(block, count=len(here)))
        kept = values[done:done + len(present)]
        done += len(present)
        if len(kept) < len(present):
            break
        here[present] = kept * scale
    if values.shape != (done,):
        raise InputError(f"found {values.size} weights, expected {done}"
                         + " or more" * (done > values.size))
    return weights.reshape(shape)
