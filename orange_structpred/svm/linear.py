"""A model that is a vector of weights, and its sparse arithmetic, compiled."""
from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def sparse_dot(w, indices, values):
    total = 0.
    for k in range(indices.size):
        total += w[indices[k]] * values[k]
    return total


@njit(nogil=True, cache=True)
def sparse_add(w, indices, values, scale):
    for k in range(indices.size):
        w[indices[k]] += scale * values[k]


class LinearModel:
    """Weights, factor * w, and the sums from which their average is found.

    With `averaging`, `late` gathers each change of w times the weight of all
    steps before it; the average over steps is then w - late / total, and a step
    costs no more than its own features.
    """

    def __init__(self, dim: int, dtype=np.float32, *, averaging: bool = False):
        self.w = np.zeros(dim, dtype)
        self.factor = 1.
        self.late = np.zeros(dim if averaging else 0, dtype)

    def weights(self) -> np.ndarray:
        return self.w if self.factor == 1 else self.w * self.w.dtype.type(self.factor)

    def dot(self, i: int, delta) -> float:
        """<weights, delta>; the example's number matters only to kernel models."""
        return self.factor * sparse_dot(self.w, delta.indices, delta.values)

    def squared_norm_of(self, i: int, delta) -> float:
        return float(np.dot(delta.values, delta.values))

    def add(self, i: int, delta, scale: float, before: float = 0.) -> None:
        """w += scale * delta; `before` is the weight of all earlier steps."""
        sparse_add(self.w, delta.indices, delta.values, scale)
        if self.late.size:
            sparse_add(self.late, delta.indices, delta.values, scale * before)

    def scale(self, part: float) -> None:
        self.w *= self.w.dtype.type(part)

    def squared_norm(self) -> float:
        w = self.w.astype(np.float64)
        return self.factor**2 * float(w @ w)

    def averaged(self, total: float) -> LinearModel:
        """The model of the averaged weights after steps of weight `total`."""
        model = LinearModel(0, self.w.dtype)
        model.w = self.w - self.late / self.w.dtype.type(total)
        return model

    def state(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs."""
        return {"w": self.w, "late": self.late, "factor": np.array(self.factor)}

    def restore(self, state) -> None:
        self.w, self.late = np.array(state["w"]), np.array(state["late"])
        self.factor = float(state["factor"])
