"""An estimator for outputs of your own."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kernels import Constant, InputKernel, make_kernel
from orange_structpred.kinds import NEIGHBOURS_KIND, SMOOTHNESS_KIND, Kind, WholeNumber
from orange_structpred.problems.atomic.atomic_kernel import prepare_problem
from orange_structpred.problems.atomic.atomic_problem import (
    AtomicProblem,
    ask,
    ask_list,
)
from orange_structpred.problems.estimator import (
    OutputList,
    StructuredEstimator,
    best_within,
)
from orange_structpred.problems.kernel_map import NO_MATRIX, PRECOMPUTED
from orange_structpred.running.threads import n_threads
from orange_structpred.svm.atomic.index_model import IndexModel
from orange_structpred.svm.atomic.laplacian import Smoothness
from orange_structpred.svm.problem import Problem, check_lengths


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
    smoothness : float, default=1
        With ``fit(X, y, unlabelled=U)``: how much it costs if neighbouring inputs,
        labelled or not, get different scores, against |w|^2 / 2
    neighbours : int, default=10
        With unlabelled inputs: how many others each input is a neighbour of
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

    _takes_unlabelled = True
    _learned = ("kernel_model_", "_inputs_have_length")
    _kinds: ClassVar[dict[str, Kind]] = {"smoothness": SMOOTHNESS_KIND,
                                         "neighbours": NEIGHBOURS_KIND}

    def __init__(self, problem, *, kernel=None, smoothness=1., neighbours=10, C=1., tol=0.01,
                 solver="bcfw", solver_options=None, max_iter=None, random_state=0,
                 n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())

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
        check_lengths(len(inputs), len(y))
        return y

    def _n_expected_weights(self):
        if not hasattr(self, "_inputs_have_length"):
            raise InputError("the kind of inputs is missing")

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
            if self._training.unlabelled is not None:
                raise InputError(f"{type(problem).__name__} has features, not kernels; only "
                                 "an AtomicProblem learns from unlabelled inputs")
            return super()._fit(problem, sample_weight)
        self._prepared = prepare_problem(
            problem, self._input_kernel(), n_jobs=n_threads(self.n_jobs),
            unlabelled=self._unlabelled(problem.X),
            smoothness=Smoothness(self.smoothness, self.neighbours))
        try:
            super()._fit(self._prepared.problem, sample_weight)
            self.kernel_model_ = self._prepared.model(self.model_)
        finally:
            del self._prepared
        self.support_ = self.kernel_model_.numbers
        return self

    def _unlabelled(self, inputs: Sequence) -> list:
        """The inputs without outputs, if they are of the same kind as the others."""
        if self._training.unlabelled is None:
            return []
        unlabelled = self._encode(self._training.unlabelled, fitting=False)
        if not unlabelled:
            raise InputError("unlabelled is empty; leave it out, or pass some inputs")
        kinds = {type(x) for x in inputs}
        for number, x in enumerate(unlabelled):
            if type(x) not in kinds:
                raise InputError(
                    f"unlabelled input {number} is a {type(x).__name__}; expected a "
                    f"{' or '.join(sorted(kind.__name__ for kind in kinds))}, as in X")
            if isinstance(x, np.ndarray) and x.ndim == 1 and x.shape != inputs[0].shape:
                raise InputError(f"unlabelled input {number} has {len(x)} values; expected "
                                 f"{len(inputs[0])}, as in X")
        return unlabelled

    def _with_model(self, model):
        estimator = super()._with_model(model)
        if isinstance(model, IndexModel):
            estimator.kernel_model_ = self._prepared.model(model)
        return estimator

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One pass over some more examples; only for online solvers and problems with
        features."""
        if isinstance(self.problem, type) and issubclass(self.problem, AtomicProblem):
            raise InputError("partial_fit needs features, not kernels: the index of an "
                             "AtomicProblem is made of all examples; use fit")
        return super().partial_fit(X, y, classes, sample_weight)

    def _input_kernel(self) -> InputKernel:
        if isinstance(self.kernel, str) and self.kernel == PRECOMPUTED:
            raise InputError(NO_MATRIX)
        return Constant() if self.kernel is None else make_kernel(self.kernel)

    def _best_by(self, problem, model):
        return super()._best_by(*self._bound(problem, model))

    def _bound(self, problem: Problem, model) -> tuple[Problem, Any]:
        """A problem of inputs and a model, as solvers know them."""
        if isinstance(problem, AtomicProblem):
            return self.kernel_model_.bind(problem)
        if problem.dim != len(model.weights()):
            raise InputError(f"{type(problem).__name__} has {problem.dim} features, but there "
                             f"are {len(model.weights())} weights; is it another problem than "
                             "in fit?")
        return problem, model

    def _best_within(self, problem, X, constraints):
        problem, _, w = self._weighted(problem)
        return best_within(lambda i: problem.as_program(problem.X[i], w), X, constraints)

    @property
    def coef_(self) -> np.ndarray:
        """The weights of features, in the order of `joint_features`."""
        if hasattr(self, "kernel_model_"):
            raise AttributeError("an AtomicProblem has no weights of features; "
                                 "sufficient_weights(X) has those of the symbols of inputs")
        return super().coef_

    def _decode(self, outputs):
        return OutputList(outputs)

    # more than the best output

    def _asked(self, X) -> tuple[Problem, Any, Any]:
        """The problem of inputs, the model, and what the problem's methods take as w: the
        weights, or a model with kernels."""
        check_is_fitted(self, "model_")
        return self._weighted(self._problem(self._encode(X, fitting=False), None))

    def _weighted(self, problem: Problem) -> tuple[Problem, Any, Any]:
        problem, model = self._bound(problem, self.model_)
        return problem, model, model if problem.has_kernels else model.weights()

    def sufficient_weights(self, X) -> list[np.ndarray]:
        """The scores of all symbols of each input, in the order of `symbols` (4.20)."""
        check_is_fitted(self, "kernel_model_")
        problem: Any
        problem, model, _ = self._asked(X)
        return [problem.sufficient_weights(i, model) for i in range(len(problem))]

    def decision_function(self, X) -> np.ndarray:
        """The score of the best output of each input."""
        problem, model, w = self._asked(X)
        return np.array([problem.output_score(problem.X[i], y, w)
                         for i, y in enumerate(super()._best_by(problem, model))])

    def predict_k_best(self, X, k: int) -> list[list[tuple[Any, float]]]:
        """The k best outputs of each input and their scores, best first, if the problem
        has a method `k_best(x, w, k)`, or `construct_k_best(weights, x, k)` of an
        AtomicProblem."""
        WholeNumber(1).check("k", k)
        problem, _, w = self._asked(X)
        return [[(y, float(score)) for y, score in ask_list(
                     problem, "k_best", "a list of pairs of an output and its score",
                     i, problem.X[i], w, k)] for i in range(len(problem))]

    def predict_proba(self, X) -> list:
        """What the problem says of probabilities: its `probabilities(x, w)`, or
        `marginals(weights, x)` of an AtomicProblem, for each input."""
        problem, _, w = self._asked(X)
        return [ask(problem, "probabilities", i, problem.X[i], w)
                for i in range(len(problem))]
