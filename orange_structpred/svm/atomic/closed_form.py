"""Other ways to the coefficients of a kernel model, which need no oracle (thesis 5.2).

Both are functions of the true outputs alone: an index of these, times coefficients of
the training examples (one-class) or times a matrix (ridge).
"""
from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from sklearn.svm import OneClassSVM

from orange_structpred.errors import InputError
from orange_structpred.kinds import OrNone, RealNumber
from orange_structpred.running.memory import check_fits
from orange_structpred.svm.atomic.index_model import AveragedModel, RidgeModel
from orange_structpred.svm.atomic.joint_kernel import JointKernelProblem
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Clock, Solution, Solver


class ClosedFormSolver(Solver):
    """Learns from true outputs in one step; only for problems with kernels."""

    certificate = False
    kernels_only = True

    def check_examples(self, problem: Problem) -> None:
        if not problem.has_kernels:
            raise InputError(
                f"{type(self).__name__} learns from kernel values and has no use for "
                f"{type(problem).__name__}; choose another solver for features and for "
                "weighted examples")
        super().check_examples(problem)

    def run(self, problem: JointKernelProblem, clock: Clock, start) -> Solution:
        model = self.learned(problem)
        clock.report(1, 1., end_of_pass=True, norm=model.squared_norm()**0.5,
                     **self.losses(problem, model, clock, 1))
        return Solution(model, clock.reports, stopped=clock.stopped)

    def learned(self, problem: JointKernelProblem) -> AveragedModel:
        raise NotImplementedError


def add_true_outputs(problem: JointKernelProblem, coefficients: np.ndarray):
    """The index of all true outputs, each times a coefficient."""
    model = problem.new_model()
    for i in np.flatnonzero(coefficients):
        parts = problem.parts(i, problem.gold(i))
        model.add(i, problem.part_vector(i, parts, np.ones(len(parts), np.float32)),
                  float(coefficients[i]))
    return model.index


class Ridge(ClosedFormSolver):
    """Kernel dependency estimation by ridge regression (thesis 5.2.1, Cortes et al.).

    The map from inputs to features of outputs that minimizes

        1/2 |W|^2 + C/n * sum of |W phi(x_i) - phi(y_i)|^2

    has the closed form W = M_Y (K + gamma I)^-1 M_X' with gamma = n / 2C. The output of x
    is the pre-image of W phi(x): weights (K + gamma I)^-1 k(x) of the training outputs.

    Parameters
    ----------
    gamma : float, default=None
        The ridge; None is n / 2C

    The other parameters are those of `Solver`; epsilon and passes are not used.
    """

    def __init__(self, *, gamma: float | None = None, **options):
        super().__init__(**options)
        self.gamma = gamma

    def check(self):
        super().check()
        OrNone(RealNumber()).check("gamma", self.gamma)

    def learned(self, problem):
        n = len(problem)
        check_fits(16. * n * n, f"ridge regression on {n:,} examples",
                   "use fewer examples, or another solver")
        gamma = n / (2 * self.C) if self.gamma is None else self.gamma
        ridged = problem.gram.astype(np.float64)
        ridged[np.diag_indices(n)] += gamma
        try:
            inverse = cho_solve(cho_factor(ridged, overwrite_a=True), np.eye(n))
        except LinAlgError:
            raise InputError(
                f"the kernel is not positive semi-definite on these inputs: gamma={gamma:g} "
                "does not make up for it; decrease C or choose another kernel") from None
        return RidgeModel(problem, add_true_outputs(problem, np.ones(n)),
                          inverse.astype(np.float32))


class OneClass(ClosedFormSolver):
    """Joint kernel support estimation by a one-class SVM (thesis 5.2.2, Lampert and
    Blaschko).

    Pairs of inputs and outputs are separated from the origin,

        min 1/2 |w|^2 - rho + C/n * sum of max(0, rho - <w, phi(x_i, y_i)>),

    which is the one-class SVM with nu = 1/C. For C up to 1, all examples count alike.

    The parameters are those of `Solver`; passes are not used.
    """

    def learned(self, problem):
        n = len(problem)
        if self.C <= 1:
            return AveragedModel(problem, add_true_outputs(problem, np.full(n, 1 / n)))
        check_fits(16. * n * n, f"a one-class SVM on {n:,} examples",
                   "use fewer examples, or another solver")
        svm = OneClassSVM(kernel="precomputed", nu=1 / self.C, tol=min(1e-3, self.epsilon))
        svm.fit(joint_gram(problem))
        alpha = np.zeros(n)
        alpha[svm.support_] = svm.dual_coef_.ravel()
        return AveragedModel(problem, add_true_outputs(problem, alpha / alpha.sum()))


def joint_gram(problem: JointKernelProblem) -> np.ndarray:
    """The joint kernel of all pairs of examples and their true outputs."""
    vectors = [problem.output_features(i, problem.gold(i)) for i in range(len(problem))]
    outputs = sparse.csr_array(
        (np.concatenate([vector.values for vector in vectors]).astype(np.float64),
         np.concatenate([vector.indices for vector in vectors]),
         np.cumsum([0, *(len(vector.indices) for vector in vectors)])),
        shape=(len(problem), problem.dim))
    return (outputs @ outputs.T).toarray() * problem.gram
