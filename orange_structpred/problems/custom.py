"""An estimator for outputs of your own."""
from __future__ import annotations

from collections.abc import Iterable

from orange_structpred.errors import InputError
from orange_structpred.problems.estimator import StructuredEstimator
from orange_structpred.svm.problem import Problem


class StructuredSVM(StructuredEstimator):
    """Structural SVM for any problem: four methods, or an integer program.

    Parameters
    ----------
    problem : callable
        Makes a `Problem` of a list of inputs and a list of outputs; often the class of
        the problem itself. The outputs are None at prediction
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start :
        see `StructuredEstimator`

    `orange_structpred.svm.check_problem` checks that the methods of a problem agree.
    """

    def __init__(self, problem, *, C=1., tol=0.01, solver="bcfw", solver_options=None,
                 max_iter=None, random_state=0, n_jobs=None, warm_start=False):
        self.problem, self.C, self.tol = problem, C, tol
        self.solver, self.solver_options = solver, solver_options
        self.max_iter, self.random_state = max_iter, random_state
        self.n_jobs, self.warm_start = n_jobs, warm_start

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
        return problem

    def _decode(self, outputs):
        return outputs

    def score(self, X, y) -> float:
        """1 - mean loss of the predictions."""
        return 1 - self.mean_loss(X, y)
