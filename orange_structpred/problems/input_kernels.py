"""Problems with features of their own, times an input kernel (tensor product, 4.2.1).

k((x, y), (x', y')) = k(x, x') <phi(x, y), phi(x', y')>: what rules or letters count
depends on the input, and inputs that are alike share it. A kernel's features z(x) (see
`KernelMap`) make it a problem with the features z(x) x phi(x, y): the weights of an input
are a sum over z(x) of weight vectors, and whatever finds the best output by weights works
unchanged.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from orange_structpred.problems.estimator import StructuredEstimator
from orange_structpred.problems.kernel_map import KernelParameters
from orange_structpred.running.memory import check_fits
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import SparseVector


class ComparedInput(NamedTuple):
    """An input as a problem has it, and its features by the kernel."""

    x: Any
    z: np.ndarray


class ComparedInputs(list):
    """Inputs of a problem, with their features by a kernel; None without one."""

    z: np.ndarray | None = None


class TensorProblem(Problem):
    """A problem times an input kernel.

    Parameters
    ----------
    problem : Problem
    z : array with the kernel's features of each input, a row each
    """

    def __init__(self, problem: Problem, z: np.ndarray):
        check_fits(8. * problem.dim * z.shape[1],
                   f"{problem.dim:,} weights for each of {z.shape[1]:,} training inputs",
                   "use fewer examples, or no kernel")
        super().__init__([ComparedInput(problem.X[i], row) for i, row in enumerate(z)],
                         problem.Y, problem.dim * z.shape[1])
        self.problem, self.n_inputs = problem, z.shape[1]

    def weights_of(self, x: ComparedInput, w: np.ndarray) -> np.ndarray:
        """What the features of the problem count for this input."""
        return x.z @ w.reshape(self.n_inputs, self.problem.dim)

    def joint_features(self, x, y):
        phi = self.problem.joint_features(x.x, y)
        used = np.flatnonzero(x.z)
        return SparseVector(
            np.add.outer(used * self.problem.dim, phi.indices).ravel(),
            np.multiply.outer(x.z[used], phi.values).ravel())

    def loss(self, y, y_hat):
        return self.problem.loss(y, y_hat)

    def predict(self, x, w):
        return self.problem.predict(x.x, self.weights_of(x, w))

    def separate(self, x, y, w):
        return self.problem.separate(x.x, y, self.weights_of(x, w))

    def outputs(self, x):
        return self.problem.outputs(x.x)

    def best_by_loss(self, i, model):
        return self.problem.best_by_loss(i, LinearModel.of(
            self.weights_of(self.X[i], model.weights())))

    def as_program(self, x, w):
        return self.problem.as_program(x.x, self.weights_of(x, w))


class InputKernelMixin(KernelParameters, StructuredEstimator):
    """An estimator whose outputs have features of their own, which a kernel of inputs
    multiplies."""

    def _compared(self, inputs: list, compared: list, *, fitting: bool) -> ComparedInputs:
        """Inputs of the problem with their features; `compared` is what the kernel sees."""
        result = ComparedInputs(inputs)
        if self.kernel is not None:
            result.z = self._map_rows(compared, fitting=fitting, objects=True)
        return result

    def _n_expected_weights(self):
        inputs = ComparedInputs()
        if self.kernel is not None:
            inputs.z = np.zeros((0, self._n_mapped_features(0)))
        return self._problem(inputs, None).dim

    @staticmethod
    def _times_kernel(problem: Problem, inputs: list) -> Problem:
        """The problem, or its product with the kernel's features of the inputs."""
        z = getattr(inputs, "z", None)
        return problem if z is None else TensorProblem(problem, z)

    def _explicit(self, problem: Problem, i: int) -> tuple[Any, Any, np.ndarray]:
        """The problem with features of its own, input i as it has it, and what these
        features count there."""
        if not isinstance(problem, TensorProblem):
            return problem, problem.X[i], self.model_.weights()
        x = problem.X[i]
        return problem.problem, x.x, problem.weights_of(x, self.model_.weights())

    def _check_no_kernel(self, what: str) -> None:
        if self.kernel is not None:
            raise AttributeError(f"with a kernel, {what} depends on the input")
