"""Other ways to the coefficients of a kernel model, which need no oracle (thesis 5.2).

All are functions of the true outputs alone: an index of these, times coefficients of
the training examples (one-class) or times a matrix (ridge regression of all kinds).
"""
from __future__ import annotations

from numbers import Integral, Real

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
        if not problem.unweighted().has_kernels:
            raise InputError(
                f"{type(self).__name__} learns from kernel values, which "
                f"{type(problem).__name__} does not have; choose another solver for features")
        if problem is not problem.unweighted():
            raise InputError(f"{type(self).__name__} cannot weigh examples; leave out "
                             "sample_weight, or choose another solver")
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
        check_fits(self.n_matrices * 8. * n * n, f"ridge regression on {n:,} examples",
                   "use fewer examples, or another solver")
        gamma = n / (2 * self.C) if self.gamma is None else float(self.gamma)
        try:
            transform, dual = self.solved(problem, gamma)
        except LinAlgError:
            raise InputError(
                f"the kernel is not positive semi-definite on these inputs: gamma={gamma:g} "
                "does not make up for it; decrease C or choose another kernel") from None
        rounded = transform.astype(np.float32)
        return RidgeModel(problem, add_true_outputs(problem, np.ones(n)), rounded,
                          rounded if dual is transform else dual.astype(np.float32))

    #: of n x n numbers with 64 bits that are needed at once
    n_matrices = 2

    def solved(self, problem: JointKernelProblem, gamma: float
               ) -> tuple[np.ndarray, np.ndarray]:
        """The matrix by which rows of kernel values become weights of true outputs, and
        what it is without the operator of an operator-valued kernel."""
        ridged = problem.gram.astype(np.float64)
        ridged[np.diag_indices(len(ridged))] += gamma
        inverse = cho_solve(cho_factor(ridged, overwrite_a=True), np.eye(len(ridged)))
        return inverse, inverse


class OperatorRidge(Ridge):
    """Ridge regression of vector-valued functions (003, section 8.1).

    The operator-valued kernel is K(x, x') = k(x, x') A; with A = I, this is `Ridge`. The
    eigenvectors of A are those of the second moment of the true outputs' features, and a
    subclass says what its eigenvalues are. The coefficients solve

        sum over j of K(x_i, x_j) c_j + gamma c_i = phi(y_i)        (8.3)

    and are sums of features of true outputs, c = M_Y G': A M_Y = M_Y B, so that
    K G B + gamma G = I, which is solved in the eigenvectors of K and B.
    """

    n_matrices = 6

    def solved(self, problem, gamma):
        values, vectors = np.linalg.eigh(output_gram(problem))
        values = self.eigenvalues(np.maximum(values, 0))
        inputs, bases = np.linalg.eigh(problem.gram.astype(np.float64))
        denominators = np.multiply.outer(inputs, values) + gamma
        if denominators.min() <= 0:
            raise LinAlgError
        dual = bases @ ((bases.T @ vectors) / denominators)
        return (dual * values) @ vectors.T, dual @ vectors.T

    def eigenvalues(self, values: np.ndarray) -> np.ndarray:
        """Those of A, for those of the true outputs' second moment, which rise."""
        raise NotImplementedError


class KernelPCA(OperatorRidge):
    """Kernel dependency estimation by kernel PCA (thesis 5.2.1, Weston et al.).

    The principal components of the true outputs, in the feature space of the output
    kernel, are eigenvectors U of their Gram matrix (not centred). Ridge regression
    predicts the coordinates of an output in these, and the pre-image is that of the
    point with these coordinates: W = M_Y U U' (K + gamma I)^-1 M_X'. So A projects onto
    these components, and what the true outputs have beyond them counts as noise.

    Parameters
    ----------
    components : int or float, default=0.95
        How many there are, or the share of the squared length of all outputs that they
        hold
    gamma : float, default=None
        The ridge; None is n / 2C

    The other parameters are those of `Solver`; epsilon and passes are not used.
    """

    def __init__(self, *, components: float = 0.95, **options):
        super().__init__(**options)
        self.components = components

    def check(self):
        super().check()
        whole = isinstance(self.components, Integral) and self.components >= 1
        if isinstance(self.components, bool) or not (whole or (
                isinstance(self.components, Real) and 0 < self.components < 1)):
            raise InputError("components must be a whole number above 0, or a share between "
                             f"0 and 1, not {self.components!r}")

    def eigenvalues(self, values):
        count = self.components
        if count < 1:
            shares = np.cumsum(values[::-1]) / max(values.sum(), 1e-300)
            count = np.searchsorted(shares, self.components) + 1
        return (np.arange(len(values))[::-1] < count).astype(float)


class VectorRidge(OperatorRidge):
    """Ridge regression that knows in which directions outputs differ.

    A is (1 - mix) I + mix S, where S is the second moment of the features of the true
    outputs, scaled to norm 1: directions in which true outputs differ a lot cost less.

    Parameters
    ----------
    mix : float, default=0.5
        The share of S, from 0 to 1
    gamma : float, default=None
        The ridge; None is n / 2C

    The other parameters are those of `Solver`; epsilon and passes are not used.
    """

    def __init__(self, *, mix: float = 0.5, **options):
        super().__init__(**options)
        self.mix = mix

    def check(self):
        super().check()
        RealNumber(high=1., with_zero=True).check("mix", self.mix)

    def eigenvalues(self, values):
        return 1 - self.mix + self.mix * values / max(values[-1], 1e-300)


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


def output_features(problem: JointKernelProblem) -> sparse.csr_array:
    """phi(y_i) of all true outputs: how often each has each hash value."""
    vectors = [problem.joint_features(i, problem.gold(i)) for i in range(len(problem))]
    return sparse.csr_array(
        (np.concatenate([vector.values for vector in vectors]).astype(np.float64),
         np.concatenate([vector.indices for vector in vectors]),
         np.cumsum([0, *(len(vector.indices) for vector in vectors)])),
        shape=(len(problem), problem.dim))


def output_gram(problem: JointKernelProblem) -> np.ndarray:
    """The output kernel of all pairs of true outputs."""
    outputs = output_features(problem)
    return (outputs @ outputs.T).toarray()


def joint_gram(problem: JointKernelProblem) -> np.ndarray:
    """The joint kernel of all pairs of examples and their true outputs."""
    return output_gram(problem) * problem.gram
