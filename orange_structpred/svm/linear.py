"""A model that is a vector of weights."""
from __future__ import annotations

from copy import copy

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.svm.vectors import aligned, aligned_zeros, vector_add, vector_dot

FEW = 8     # one weight in so many: more are scaled faster all at once


@njit(nogil=True, cache=True)
def scale_at(w, indices, scale, scaled):
    """scaled = scale * w at the indices."""
    for index in indices:
        scaled[index] = scale * w[index]


@njit(nogil=True, cache=True)
def add_indices(seen, stored, count, indices):
    """Store indices that have not been seen, as far as there is room; how many are
    stored, or one more than there is room for."""
    for index in indices:
        if not seen[index]:
            if count >= stored.size:
                return stored.size + 1
            seen[index] = True
            stored[count] = index
            count += 1
    return count


class NonZeroIndices:
    """Where a weight vector, or what its average needs, may differ from 0, while that is
    in few places."""

    def __init__(self, w: np.ndarray, late: np.ndarray):
        self.seen = np.zeros(len(w), np.bool_)
        self.indices = np.empty(len(w) // FEW, np.int64)
        self.count = self._in_order = 0
        self.add(np.flatnonzero((w != 0) | (late != 0) if late.size else w))

    def copy(self) -> NonZeroIndices:
        other = copy(self)
        other.seen, other.indices = self.seen.copy(), self.indices.copy()
        return other

    def known(self) -> np.ndarray:
        """All of them while they are few, most of them in order: memory that is visited
        in order is faster."""
        if self.count > 1.1 * self._in_order:
            self.indices[:self.count].sort()
            self._in_order = self.count
        return self.indices[:self.count]

    @property
    def are_few(self) -> bool:
        return self.count <= len(self.indices)

    def add(self, indices: np.ndarray) -> None:
        if self.are_few:
            self.count = add_indices(self.seen, self.indices, self.count, indices)


class LinearModel:
    """Weights, factor * w, and the sums from which their average is found.

    With `averaging`, `late` gathers each change of w times the weight of all
    steps before it; the average over steps is then w - late / total, and a step
    costs no more than its own features.
    """

    def __init__(self, dim: int, dtype=np.float32, *, averaging: bool = False):
        self.w = aligned_zeros(dim, dtype)
        self.factor = 1.
        self.late = np.zeros(dim if averaging else 0, dtype)
        self._scaled: np.ndarray | None = None      # room for `weights`
        self._nonzero: NonZeroIndices | None = None     # if it is known
        self._rescaled = False
        self._scaled_by: float | None = None

    @classmethod
    def of(cls, weights: np.ndarray) -> LinearModel:
        """The model of these weights."""
        model = cls(0, weights.dtype)
        model.w = weights
        return model

    def weights(self, scale: float = 1.) -> np.ndarray:
        """scale * factor * w; valid until the model changes or is asked again."""
        scale *= self.factor
        if scale == 1:
            return self.w
        if self._rescaled and self._nonzero is None:
            self._nonzero = NonZeroIndices(self.w, self.late)
        known = self._nonzero
        if known is not None and self._scaled is not None \
                and self._scaled_by == scale:
            return self._scaled
        self._scaled_by = scale
        if known is not None and known.are_few:
            if self._scaled is None:
                self._scaled = np.zeros(len(self.w), self.w.dtype)
            scale_at(self.w, known.known(), self.w.dtype.type(scale), self._scaled)
            return self._scaled
        if self._scaled is None:
            self._scaled = np.empty_like(self.w)
        return np.multiply(self.w, self.w.dtype.type(scale), out=self._scaled)

    def rescale(self, factor: float) -> None:
        """Set the factor, for solvers that do so at each step and change w by `add` alone:
        `weights` then visits only the weights that are not 0."""
        self.factor, self._rescaled = factor, True

    def __getstate__(self) -> dict:
        return {**vars(self), "_scaled": None, "_nonzero": None, "_scaled_by": None}

    def dot(self, i: int, delta) -> float:
        """<weights, delta>; the example's number matters only to kernel models."""
        return self.factor * vector_dot(self.w, delta)

    def squared_norm_of(self, i: int, delta) -> float:
        return float(np.dot(delta.values, delta.values))

    def add(self, i: int, delta, scale: float, before: float = 0.) -> None:
        """w += scale * delta; `before` is the weight of all earlier steps."""
        vector_add(self.w, delta, scale)
        known = self._nonzero
        if known is not None:
            known.add(delta.indices)
            if self._scaled is not None and self._scaled_by is not None and known.are_few:
                scale_at(self.w, delta.indices, self.w.dtype.type(self._scaled_by),
                         self._scaled)
            else:
                self._scaled_by = None
        if self.late.size:
            vector_add(self.late, delta, scale * before)

    def scale(self, part: float) -> None:
        self.w *= self.w.dtype.type(part)

    def squared_norm(self) -> float:
        w = self.w
        if self._nonzero is not None and self._nonzero.are_few:
            w = w[self._nonzero.known()]
        # not by BLAS, whose sums depend on its number of threads
        return self.factor**2 * float(np.einsum("i,i->", w, w, dtype=np.float64))

    def restart_average(self) -> None:
        """Average from now on: forget what was before."""
        self.late[:] = 0

    def averaged(self, total: float) -> LinearModel:
        """The model of the averaged weights after steps of weight `total`."""
        total = self.w.dtype.type(total)
        if self._nonzero is None or not self._nonzero.are_few:
            return LinearModel.of(self.w - self.late / total)
        indices = self._nonzero.known()
        average = LinearModel(len(self.w), self.w.dtype)
        average.w[indices] = self.w[indices] - self.late[indices] / total
        average._nonzero = self._nonzero.copy()
        return average

    def state(self) -> dict[str, np.ndarray]:
        """All that a checkpoint needs."""
        return {"w": self.w, "late": self.late, "factor": np.array(self.factor)}

    def restore(self, state) -> None:
        self.w, self.late = aligned(np.array(state["w"])), np.array(state["late"])
        self.factor = float(state["factor"])
        self._scaled = self._nonzero = self._scaled_by = None
