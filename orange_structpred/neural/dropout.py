"""Masks that hide values at random while a net learns, and enlarge the others."""
from __future__ import annotations

import numpy as np


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
