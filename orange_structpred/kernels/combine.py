"""Kernels built from kernels: weighted sums, products, normalized kernels."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from orange_structpred.files.schema import Array
from orange_structpred.kernels.base import (
    InputKernel,
    Values,
    inverse_roots,
    normalize,
)
from orange_structpred.kernels.errors import KernelError
from orange_structpred.kernels.features import Features, scaled_rows, side_by_side
from orange_structpred.kinds import RealNumber


class _Combination(InputKernel):
    """What kernels made of others take over from their parts."""

    def __init__(self, kernels: Sequence[InputKernel]):
        self.kernels = list(kernels)
        if not self.kernels:
            raise KernelError(f"kernel {self.name!r} needs at least one kernel")
        for kernel in self.kernels:
            if not isinstance(kernel, InputKernel):
                raise KernelError(f"kernel {self.name!r}: found {kernel!r}, expected an "
                                  "input kernel (see make_kernel)")
        self.threaded = all(kernel.threaded for kernel in self.kernels)
        self.pairs_in_block = min(kernel.pairs_in_block for kernel in self.kernels)

    @property
    def by_length(self) -> bool:
        return any(kernel.by_length for kernel in self.kernels)

    def params(self) -> dict:
        return {"kernel": self.name,
                "kernels": [kernel.params() for kernel in self.kernels]}

    def reference(self, columns: Sequence) -> Any:
        return [kernel.reference(columns) for kernel in self.kernels]

    def check_training_values(self, matrix: np.ndarray, inputs: Sequence) -> None:
        for kernel in self.kernels:
            kernel.check_training_values(matrix, inputs)

    def _parts(self, reference: list, columns: Sequence,
               rows: Sequence | None) -> list[Values]:
        return [kernel.values(kept, columns, rows)
                for kernel, kept in zip(self.kernels, reference, strict=True)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kernels!r})"


class Sum(_Combination):
    """k(x, x') = sum of weight * kernel(x, x'): the features of all kernels together.

    Parameters
    ----------
    kernels : sequence of InputKernel
    weights : sequence of float, optional
        Above 0; by default, 1 for each.
    """

    name = "sum"

    def __init__(self, kernels: Sequence[InputKernel],
                 weights: Sequence[float] | None = None):
        super().__init__(kernels)
        self.weights = [1.0] * len(self.kernels) if weights is None else list(weights)
        right = len(self.weights) == len(self.kernels) and all(
            map(RealNumber().fits, self.weights))
        self._expect(right, "weights",
                     f"{len(self.kernels)} numbers above 0, one for each kernel")

    def params(self) -> dict:
        return {**super().params(), "weights": [float(w) for w in self.weights]}

    def __repr__(self) -> str:
        return f"Sum({self.kernels!r}, weights={self.weights!r})"

    def values(self, reference: list, columns: Sequence,
               rows: Sequence | None) -> Values:
        parts = self._parts(reference, columns, rows)

        def values(start: int, stop: int, first: int) -> np.ndarray:
            return np.sum([weight * part(start, stop, first) for weight, part
                           in zip(self.weights, parts, strict=True)], axis=0)

        return values

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        return np.sum([weight * kernel.diagonal(inputs) for weight, kernel
                       in zip(self.weights, self.kernels, strict=True)], axis=0)

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray] | None:
        of_all: dict[str, np.ndarray] = {}
        for i, kernel in enumerate(self.kernels):
            arrays = kernel.fit_features(inputs)
            if arrays is None:
                return None
            of_all |= {f"{i}.{name}": array for name, array in arrays.items()}
        return of_all

    def feature_schema(self) -> dict[str, Array]:
        # sizes have names of their own in each part
        return {f"{number}.{name}": replace(array, shape=tuple(
                    f"{number}.{size}" for size in (
                        array.shape if isinstance(array.shape, tuple)
                        else (array.shape,))))
                for number, kernel in enumerate(self.kernels)
                for name, array in kernel.feature_schema().items()}

    def _arrays_of(self, arrays: dict[str, np.ndarray], number: int) -> dict:
        prefix = f"{number}."
        return {name.removeprefix(prefix): array for name, array in arrays.items()
                if name.startswith(prefix)}

    def prepare_features(self, arrays: dict[str, np.ndarray]) -> list:
        return [kernel.prepare_features(self._arrays_of(arrays, number))
                for number, kernel in enumerate(self.kernels)]

    def features(self, prepared: list, inputs: Sequence) -> Features:
        return side_by_side([
            kernel.features(part, inputs) * np.float32(np.sqrt(weight))
            for kernel, part, weight in zip(self.kernels, prepared, self.weights,
                                            strict=True)])


class Product(_Combination):
    """k(x, x') = product of the kernels: all of them must match.

    Parameters
    ----------
    kernels : sequence of InputKernel
    """

    name = "product"

    def values(self, reference: list, columns: Sequence,
               rows: Sequence | None) -> Values:
        parts = self._parts(reference, columns, rows)

        def values(start: int, stop: int, first: int) -> np.ndarray:
            product = parts[0](start, stop, first)
            for part in parts[1:]:
                product = product * part(start, stop, first)
            return product

        return values

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        return np.prod([kernel.diagonal(inputs) for kernel in self.kernels], axis=0)


class Normalized(_Combination):
    """k'(x, x') = k(x, x') / sqrt(k(x, x) k(x', x')), and 0 where k(x, x) is 0.

    Parameters
    ----------
    kernel : InputKernel
    """

    name = "normalized"

    def __init__(self, kernel: InputKernel):
        super().__init__([kernel])
        self.kernel = kernel

    def params(self) -> dict:
        return {"kernel": self.name, "of": self.kernel.params()}

    def __repr__(self) -> str:
        return f"Normalized({self.kernel!r})"

    def reference(self, columns: Sequence) -> tuple[object, np.ndarray]:
        return self.kernel.reference(columns), self.kernel.diagonal(columns)

    def values(self, reference: tuple[object, np.ndarray], columns: Sequence,
               rows: Sequence | None) -> Values:
        kept, column_diagonal = reference
        part = self.kernel.values(kept, columns, rows)
        diagonal = column_diagonal if rows is None else self.kernel.diagonal(rows)

        def values(start: int, stop: int, first: int) -> np.ndarray:
            return normalize(np.array(part(start, stop, first), dtype=np.float64),
                              diagonal[start:stop], column_diagonal[first:])

        return values

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        return (self.kernel.diagonal(inputs) > 0).astype(np.float64)

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray] | None:
        return self.kernel.fit_features(inputs)

    def feature_schema(self) -> dict[str, Array]:
        return self.kernel.feature_schema()

    def prepare_features(self, arrays: dict[str, np.ndarray]) -> object:
        return self.kernel.prepare_features(arrays)

    def features(self, prepared: object, inputs: Sequence) -> Features:
        return scaled_rows(self.kernel.features(prepared, inputs),
                           inverse_roots(self.kernel.diagonal(inputs)))
