"""Explicit feature maps of input kernels: z(x) with k(x, x') = <z(x), z(x')>.

With such a map a kernel model is a linear one, W[hash] . z(x), and its cost grows with
the number of sentences, not with its square.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from orange_structpred.kernels.base import InputKernel

Features: TypeAlias = np.ndarray | sparse.csr_array


class FeatureMap:
    """The feature map of a kernel, fitted to training inputs.

    Parameters
    ----------
    kernel : InputKernel
    arrays : dict of str to ndarray
        Everything that was learned. A model saves them with kernel.params(), without pickle,
        and `FeatureMap(make_kernel(params), arrays)` restores the same map.
    """

    def __init__(self, kernel: InputKernel, arrays: dict[str, np.ndarray]):
        self.kernel = kernel
        self.arrays = arrays
        self._prepared = kernel.prepare_features(arrays)
        self.n_features = self([]).shape[1]

    def __call__(self, inputs: Sequence) -> Features:
        """One float32 row per input: dense, or sparse (CSR) for bags of words."""
        return self.kernel.features(self._prepared, inputs)

    def __repr__(self) -> str:
        return f"<FeatureMap of {self.n_features} features of {self.kernel!r}>"


def scaled_rows(features: Features, scale: np.ndarray) -> Features:
    """Each row times its number."""
    scale = scale.astype(np.float32)
    if sparse.issparse(features):
        return sparse.csr_array(sparse.dia_array((scale, 0), shape=(len(scale),) * 2) @ features)
    return features * scale[:, None]


def side_by_side(parts: Sequence[Features]) -> Features:
    """Features of several maps side by side; sparse if one of them is."""
    if any(sparse.issparse(part) for part in parts):
        return sparse.csr_array(sparse.hstack(
            [sparse.csr_array(part) for part in parts], format="csr"))
    return np.hstack(parts)
