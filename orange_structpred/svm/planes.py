"""Cutting planes: what a one-slack solver keeps of the oracle's answers."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.vectors import (
    SparseVector,
    sparse_add,
    sparse_dot,
)

if TYPE_CHECKING:
    from orange_structpred.svm.problem import Problem


class Plane(NamedTuple):
    """A constraint of one output for each example: mean loss, mean of a(y_hat)."""

    loss: float
    features: Any       # a NamedTuple of arrays


class ChunkPlane(NamedTuple):
    """What some examples contribute to a plane, and their summed hinge losses."""

    loss: float
    hinge: float
    features: Any


def chunk_plane(problem: Problem, first: int, last: int, model) -> ChunkPlane:
    """The oracle over examples first..last - 1, summed up.

    A pure function: problem and model can be pickled and nothing is shared, so it
    runs in a thread, in another process or on another machine.
    """
    separated = problem.violated(first, last, model)
    return ChunkPlane(
        float(separated.losses.sum()), float(separated.hinges.sum()),
        problem.new_planes().chunk_features(first, separated.outputs))


class LinearPlanes:
    """Arithmetic of planes whose features are sparse vectors of weights."""

    features: Any = SparseVector        # the class of a plane's features

    def __init__(self, problem: Problem):
        self.problem = problem

    def chunk_features(self, first: int, outputs: Sequence) -> Any:
        """The sum of a(y_hat) / n over examples from `first` on."""
        return self.problem.sum_of_differences(
            first, outputs, np.full(len(outputs), 1 / len(self.problem)))

    def join(self, chunks: Iterable[Any]) -> Any:
        """Their sum, indices in rising order: of many examples, most have a value."""
        total = np.zeros(self.problem.dim)
        for chunk in chunks:
            sparse_add(total, *chunk, 1.)
        indices = np.flatnonzero(total)
        return SparseVector(indices, total[indices])

    def inner_products(self, plane: Plane, others: Sequence[Plane]) -> np.ndarray:
        """<a, a'> of a plane with others: a row of H (4.8)."""
        dense = np.zeros(self.problem.dim)
        sparse_add(dense, *plane.features, 1.)
        return np.array([sparse_dot(dense, *other.features) for other in others])

    def combine(self, alpha: np.ndarray, planes: Sequence[Plane]) -> LinearModel:
        """The model sum of alpha_j a_j (4.2)."""
        total = np.zeros(self.problem.dim)
        for weight, plane in zip(alpha, planes):
            sparse_add(total, *plane.features, weight)
        model = self.problem.new_model()
        model.w = total.astype(model.w.dtype)
        return model

    def pack(self, planes: Sequence[Plane]) -> dict[str, np.ndarray]:
        """Planes as arrays, for a checkpoint."""
        return {"plane_losses": np.array([plane.loss for plane in planes]),
                **{f"plane_{number}_{name}": array
                   for number, plane in enumerate(planes)
                   for name, array in plane.features._asdict().items()}}

    def unpack(self, arrays) -> list[Plane]:
        return [Plane(float(loss), self.features(*(
                    arrays[f"plane_{number}_{name}"]
                    for name in self.features._fields)))
                for number, loss in enumerate(arrays["plane_losses"])]
