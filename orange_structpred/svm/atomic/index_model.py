"""Kernel models as solvers see them: coefficients in an index."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from orange_structpred.svm.atomic.symbol_index import (
    Index,
    add_entries,
    own_scores,
    squared_norm,
    support,
)
from orange_structpred.svm.vectors import SparseVector

if TYPE_CHECKING:
    from orange_structpred.svm.atomic.joint_kernel import JointKernelProblem


#: Arrays of an index that a checkpoint needs
STORED = ("filled", "examples", "coefficients", "late", "indices")


class IndexModel:
    """A kernel model as solvers see it: coefficients in an index.

    A vector delta of example i is a value for each of its own hash values.
    """

    transform: np.ndarray | None = None     # of rows of the Gram matrix, before they are used
    penalty = 0.        # of k(symbol, symbol), where outputs vary in size: see `RidgeModel`

    def __init__(self, problem: JointKernelProblem, index: Index | None):
        self.problem = problem
        self.index: Any = index         # None where scores are computed without one
        self.factor = 1.
        self.norm = 0.                  # |w|^2, kept up with every change
        self._own: tuple[int, np.ndarray] | None = None

    @property
    def n_kept(self) -> int | None:
        """How many training inputs the model needs in any case; None for those that have
        a coefficient."""
        return None if self.transform is None else len(self.transform)

    def rows(self, first: int, last: int) -> np.ndarray:
        """What each example with a coefficient counts for examples first..last - 1."""
        rows = self.problem.gram[first:last]
        return rows if self.transform is None else rows @ self.transform

    def own_scores(self, i: int) -> np.ndarray:
        """Scores of the own values of example i, remembered until w changes."""
        kept = self._own            # read once: threads share the model
        if kept is None or kept[0] != i:
            kept = self._own = i, own_scores(
                self.index, self.problem.hashed, i, self.rows(i, i + 1)[0])
        return kept[1]

    def dot(self, i: int, delta: SparseVector) -> float:
        # values and scores both hold the root of their function's weight
        first = self.problem.hashed.unique[i]
        scores = self.own_scores(i)[delta.indices]
        return self.factor * float(np.dot(
            scores / self.problem.hashed.factors[first + delta.indices], delta.values))

    def squared_norm_of(self, i: int, delta: SparseVector) -> float:
        return float(self.problem.gram[i, i]) * float(
            np.dot(delta.values, delta.values))

    def add(self, i: int, delta: SparseVector, scale: float, before: float = 0.):
        self.norm += (2 * scale * self.dot(i, delta) / self.factor
                      + scale**2 * self.squared_norm_of(i, delta))
        add_entries(self.index, self.problem.hashed, i, delta.indices, delta.values,
                    scale, before)
        self._own = None

    def rescale(self, factor: float) -> None:
        self.factor = factor

    def scale(self, part: float) -> None:
        self.index.coefficients[:] *= part
        self.norm *= part**2
        self._own = None

    def squared_norm(self) -> float:
        return self.factor**2 * self.norm

    def refresh(self) -> None:
        """Find the norm and forget scores: coefficients or the Gram matrix have changed."""
        self.norm = squared_norm(self.index, self.problem.hashed, self.problem.gram)
        self._own = None

    def restart_average(self) -> None:
        """Average from now on: forget what was before."""
        self.index.late[:] = 0

    def averaged(self, total: float) -> AveragedModel:
        return AveragedModel(self.problem, self.index._replace(
            coefficients=self.index.coefficients - self.index.late / total,
            late=np.zeros(0)))

    def state(self) -> dict[str, np.ndarray]:
        return {**{f"index_{name}": getattr(self.index, name) for name in STORED},
                "norm": np.array(self.norm), "factor": np.array(self.factor)}

    def restore(self, state) -> None:
        self.index = self.index._replace(
            **{name: np.array(state[f"index_{name}"]) for name in STORED})
        self.norm, self.factor = float(state["norm"]), float(state["factor"])


class AveragedModel(IndexModel):
    """An averaged model: it changes no more, and its norm is found when asked."""

    def squared_norm(self) -> float:
        return self.factor**2 * squared_norm(
            self.index, self.problem.hashed, self.problem.gram)


class RidgeModel(AveragedModel):
    """The index of true outputs, for rows of the Gram matrix times a matrix.

    The k-th training example weighs (row @ transform)[k] for the input with this row:
    coefficients that differ from input to input, and would fill the index.

    dual : the matrix without the operator of an operator-valued kernel, for the norm
    """

    #: of k(symbol, symbol) in sufficient weights. The pre-image minimizes
    #: k(y, y) - 2 <phi(y), g(x)>; with the sum over symbols in the place of k(y, y), it is
    #: a sum over symbols again (it is exact where no two symbols of y share a value). Trees
    #: of a sentence are of one size and leave it out, which makes better parsers
    penalty = 0.5

    def __init__(self, problem: JointKernelProblem, index: Index, transform: np.ndarray,
                 dual: np.ndarray):
        super().__init__(problem, index)
        self.transform: np.ndarray = transform
        self.dual = dual

    def squared_norm(self) -> float:
        """The sum of weights * <phi(y_i), phi(y_j)> over all pairs of true outputs."""
        weights = self.dual.T @ self.problem.gram @ self.transform
        return squared_norm(self.index, self.problem.hashed, np.ascontiguousarray(weights))


class KeptSupport(NamedTuple):
    """What a trained model is made of.

    examples : numbers of the inputs that are compared with others
    values : numbers of the hash values that have entries
    entries : of these values
    transform : matrix by which rows of kernel values are multiplied, if any
    """

    examples: np.ndarray
    values: np.ndarray
    entries: Index
    transform: np.ndarray | None


def kept_support(model: IndexModel, input_transform: np.ndarray | None = None
                 ) -> KeptSupport:
    """What has a coefficient, and all inputs where a matrix mixes them.

    input_transform : matrix by which kernel values of the inputs that are compared with
        others become those of the examples: where there are unlabelled inputs, or landmarks
    """
    transform = model.transform
    n_kept = model.n_kept if input_transform is None else input_transform.shape[1]
    examples, values, entries = support(model.index, model.factor, n_kept)
    if input_transform is not None:
        transform = input_transform if transform is None else input_transform @ transform
        examples = np.arange(len(input_transform))
    return KeptSupport(examples, values, entries, transform)


class TrainedIndex:
    """What is left of a kernel model after training, for inputs of any kind.

    Parameters
    ----------
    kernel : when two inputs are alike
    support : the training inputs with a coefficient that is not zero
    index : entries of the hash values; its examples are indices in `support`, or columns of
        the transform
    transform : matrix by which rows of kernel values are multiplied, if any
    """

    _bound: Any = None  # the kernel, prepared for `support` when it is first needed

    def __init__(self, kernel: Any, support: Sequence, index: Index,
                 transform: np.ndarray | None):
        self.kernel, self.support, self.index = kernel, support, index
        self.transform = transform

    def __getstate__(self) -> dict:
        return {name: value for name, value in vars(self).items()
                if not name.startswith("_")}

    @property
    def n_weights(self) -> int:
        """Entries of the index."""
        return len(self.index.coefficients)

    def use_kernel(self, kernel: Any) -> None:
        """Compute the values of the kernel by another one that has the same values."""
        self.kernel, self._bound = kernel, None

    def bind_kernel(self) -> None:
        """Prepare the kernel, before threads need it."""
        if self._bound is None:
            self._bound = self.kernel.bind(self.support)

    def kernel_values(self, inputs: Sequence) -> np.ndarray:
        """How similar inputs are to each of `support`: a row for each."""
        self.bind_kernel()
        return self._bound.gram(inputs)

    def gram(self, inputs: Sequence) -> np.ndarray:
        """What each training example counts for inputs: a row for each."""
        rows = self.kernel_values(inputs)
        return rows if self.transform is None else rows @ self.transform
