"""An estimator for outputs of your own."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kernels import Constant, InputKernel, make_kernel
from orange_structpred.problems.atomic.atomic_kernel import AtomicModel, kernel_problem
from orange_structpred.problems.atomic.atomic_problem import AtomicProblem
from orange_structpred.problems.estimator import OutputList, StructuredEstimator
from orange_structpred.running.threads import n_threads
from orange_structpred.svm.problem import Problem


class StructuredSVM(StructuredEstimator):
    """Structural SVM for any problem: four methods, an integer program, or kernels.

    Parameters
    ----------
    problem : callable
        Makes a `Problem` of a list of inputs and a list of outputs; often the class of
        the problem itself. The outputs are None at prediction
    kernel : InputKernel, name, function of two inputs or None, default=None
        The input kernel of an `AtomicProblem`; None counts all inputs as equal. Other
        problems have features instead
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    kernel_model_ : AtomicModel
        With an `AtomicProblem`: the index from hash values to training inputs with
        coefficients
    support_ : int array
        With an `AtomicProblem`: the numbers of the training inputs that the model
        depends on

    `orange_structpred.svm.check_problem` checks that the methods of a problem agree.
    """

    def __init__(self, problem, *, kernel=None, C=1., tol=0.01, solver="bcfw", solver_options=None,
                 max_iter=None, random_state=0, n_jobs=None, warm_start=False, verbose=0):
        self.problem, self.kernel, self.C, self.tol = problem, kernel, C, tol
        self.solver, self.solver_options = solver, solver_options
        self.max_iter, self.random_state = max_iter, random_state
        self.n_jobs, self.warm_start, self.verbose = n_jobs, warm_start, verbose

    def _encode(self, X, *, fitting):
        if isinstance(X, str) or not isinstance(X, Iterable):
            raise InputError(f"X is a {type(X).__name__}; expected a list of inputs")
        inputs = list(X)
        if fitting:
            self._inputs_have_length = bool(inputs) and hasattr(inputs[0], "__len__")
        elif inputs and self._inputs_have_length and not hasattr(inputs[0], "__len__"):
            raise InputError(f"the first input is {inputs[0]!r}, unlike those of fit; is X "
                             "one input instead of a list of inputs?")
        return inputs

    def _encode_outputs(self, inputs, y, *, fitting):
        y = list(y)
        if len(y) != len(inputs):
            raise InputError(f"{len(inputs)} inputs but {len(y)} outputs")
        return y

    def _problem(self, inputs, outputs):
        if not callable(self.problem):
            raise InputError(f"`problem` is a {type(self.problem).__name__}; expected a class "
                             "of problems, or a function that makes one of inputs and outputs")
        problem = self.problem(inputs, [None] * len(inputs) if outputs is None else outputs)
        if not isinstance(problem, Problem):
            raise InputError(f"`problem` makes a {type(problem).__name__}; expected a Problem")
        if self.kernel is not None and not isinstance(problem, AtomicProblem):
            raise InputError(f"kernel is {self.kernel!r}, but {type(problem).__name__} has "
                             "features of its own; only an AtomicProblem takes a kernel")
        return problem

    def _fit(self, problem, sample_weight=None):
        if not isinstance(problem, AtomicProblem):
            return super()._fit(problem, sample_weight)
        kernel = self._input_kernel()
        indexed, known = kernel_problem(problem, kernel, n_jobs=n_threads(self.n_jobs))
        super()._fit(indexed, sample_weight)
        self.kernel_model_ = AtomicModel.from_solution(
            self.model_, kernel, problem.X, known)
        self.support_ = self.kernel_model_.numbers
        return self

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One pass over some more examples; only for online solvers and problems with
        features."""
        if isinstance(self.problem, type) and issubclass(self.problem, AtomicProblem):
            raise InputError("partial_fit needs features, not kernels: the index of an "
                             "AtomicProblem is made of all examples; use fit")
        return super().partial_fit(X, y, classes, sample_weight)

    def _input_kernel(self) -> InputKernel:
        return Constant() if self.kernel is None else make_kernel(self.kernel)

    def _best(self, problem):
        if not isinstance(problem, AtomicProblem):
            return super()._best(problem)
        indexed, model = self.kernel_model_.bind(problem)
        return self._best_by(indexed, model)

    def sufficient_weights(self, X) -> list[np.ndarray]:
        """The scores of all symbols of each input, in the order of `symbols` (4.20)."""
        check_is_fitted(self, "kernel_model_")
        problem = self._problem(self._encode(X, fitting=False), None)
        indexed, model = self.kernel_model_.bind(problem)
        return [indexed.sufficient_weights(i, model) for i in range(len(indexed))]

    def _decode(self, outputs):
        return OutputList(outputs)

    def score(self, X, y) -> float:
        """1 - mean loss of the predictions."""
        return 1 - self.mean_loss(X, y)
