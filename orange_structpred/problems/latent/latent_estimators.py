"""Estimators for outputs with a hidden part: your own, classes, and sequences."""
from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind
from orange_structpred.problems.classes import ClassProblem
from orange_structpred.problems.custom import StructuredSVM
from orange_structpred.problems.estimator import OutputList
from orange_structpred.problems.latent.procedure import (
    LatentProblem,
    complete,
    concave_convex,
)
from orange_structpred.problems.losses import cost_matrix
from orange_structpred.problems.multiclass import ClassEstimator
from orange_structpred.problems.parameters import AT_LEAST_ONE
from orange_structpred.problems.sequences.sequence_estimator import SequenceEstimator
from orange_structpred.problems.sequences.sequence_problem import ChainProblem
from orange_structpred.problems.sequences.viterbi import viterbi


class ConcaveConvexMixin:
    """Training by the concave-convex procedure, from one or more starts."""

    random_state: int | np.random.RandomState | None
    n_init: int
    max_rounds: int

    _kinds: ClassVar[dict[str, Kind]] = {
        "n_init": AT_LEAST_ONE, "max_rounds": AT_LEAST_ONE}

    def _starts(self, problem: LatentProblem) -> Iterator[list]:
        """Whole outputs to begin with: the best ones for random weights."""
        rng = check_random_state(self.random_state)
        for _ in range(self.n_init):
            yield complete(problem, rng.normal(size=problem.dim))

    def _fit(self, problem, sample_weight=None):
        if not isinstance(problem, LatentProblem):
            raise InputError(f"{type(problem).__name__} has no latent variables; expected a "
                             "LatentProblem, which defines `latent`")
        if self._training.validation is not None:
            raise InputError(f"{type(self).__name__} does not measure its rounds on held-out "
                             "examples; leave validation and patience out")
        solver, solutions = self._solver(), []
        for outputs in self._starts(problem):
            solutions.append(concave_convex(
                problem, solver, outputs, max_rounds=self.max_rounds,
                callback=self._reporter(),
                weigh=lambda completed: self._weigh(completed, sample_weight)))
        best = min(solutions, key=lambda each: min(each.objectives, default=np.inf))
        self.objectives_, self.latent_ = best.objectives, best.outputs
        solution = best.solution
        if solver.certificate and not (solution.converged or solution.stopped):
            warnings.warn(f"the gap of the last round is {solution.reports[-1].gap:.3g}, above "
                          f"tol={self.tol}; increase max_iter or tol", ConvergenceWarning,
                          stacklevel=4)
        return self._keep(solution)


class LatentSVM(ConcaveConvexMixin, StructuredSVM):
    """Structural SVM with latent variables, for any problem with a method `latent`.

    Parameters
    ----------
    problem : callable
        Makes a `LatentProblem` of a list of inputs and a list of outputs, whose hidden
        parts may be missing; often the class of the problem itself
    n_init : int, default=1
        Starts from random weights, of which the one with the lowest objective counts
    max_rounds : int, default=20
        Maximum number of rounds of the concave-convex procedure
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    objectives_ : list of float, one per round; they never rise by more than C * tol
    latent_ : list, the training outputs with their hidden parts
    """

    kernel = None

    def __init__(self, problem, *, n_init=1, max_rounds=20, C=1., tol=0.01, solver="bcfw",
                 solver_options=None, max_iter=None, random_state=0, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())


class SubtypeProblem(ClassProblem, LatentProblem):
    """Classes with sub-types: number k of class y is output y * n_subtypes + k."""

    def __init__(self, X, Y, n_subtypes: int, cost: np.ndarray):
        self.n_subtypes = n_subtypes
        super().__init__(X, np.asarray(Y), np.eye(len(cost) * n_subtypes),
                         np.kron(cost, np.ones((n_subtypes, n_subtypes))))

    def latent(self, x, y, w):
        first = y // self.n_subtypes * self.n_subtypes
        return first + int(self.scores(x, w)[first:first + self.n_subtypes].argmax())

    def completed(self, outputs):
        problem = super().completed(outputs)
        problem.Y = np.asarray(outputs)
        return problem


class LatentClassSVM(ConcaveConvexMixin, ClassEstimator):
    """Multiclass SVM whose classes have hidden sub-types, each with weights of its own.

    A class is as good as the best of its sub-types, so its region need not be convex.

    Parameters
    ----------
    n_subtypes : int, default=2
        Sub-types of each class
    n_init : int, default=1
        Starts from clusterings of each class (k-means), of which the one with the lowest
        objective counts
    max_rounds : int, default=20
        Maximum number of rounds of the concave-convex procedure
    loss, kernel, kernel_params, fit_intercept : see `MulticlassSVM`
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the classes in sorted order
    objectives_ : list of float, one per round
    latent_ : list of int, the sub-types of the training rows

    Examples
    --------
    >>> import numpy as np
    >>> from orange_structpred.problems import LatentClassSVM
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 10)
    >>> y = X[:, 0] ^ X[:, 1]                   # no line tells the classes apart
    >>> LatentClassSVM(C=1000).fit(X, y).score(X, y)
    1.0
    """

    _kinds: ClassVar[dict[str, Kind]] = {"n_subtypes": AT_LEAST_ONE}

    def __init__(self, *, n_subtypes=2, n_init=1, max_rounds=20, loss="zero-one", C=1.,
                 tol=0.01, solver="bcfw", solver_options=None, max_iter=None, kernel=None,
                 kernel_params=None, fit_intercept=True, random_state=0, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _class_features(self):
        return np.eye(len(self.classes_) * self.n_subtypes)

    def _problem(self, inputs, outputs):
        if outputs is None:
            outputs = np.zeros(inputs.shape[0], int)
        return SubtypeProblem(inputs, outputs * self.n_subtypes, self.n_subtypes,
                              self._cost())

    def _starts(self, problem):
        rng = check_random_state(self.random_state)
        for _ in range(self.n_init):
            outputs = problem.Y.copy()
            for first in np.unique(outputs):
                rows = np.flatnonzero(problem.Y == first)
                n_clusters = min(self.n_subtypes, len(rows))
                clusters = KMeans(n_clusters, n_init=1, random_state=rng.randint(2**31 - 1)).fit(
                    problem.X.matrix[rows])
                outputs[rows] = first + clusters.labels_
            yield outputs.tolist()

    def _keep(self, solution):
        if hasattr(self, "latent_"):
            self.latent_ = [whole % self.n_subtypes for whole in self.latent_]
        return super()._keep(solution)

    def _decode(self, outputs):
        return self.classes_[np.asarray(outputs) // self.n_subtypes]

    def _output_names(self):
        return np.repeat(self.classes_, self.n_subtypes).tolist()

    def _class_scores(self, problem):
        """Those of the best sub-types."""
        return super()._class_scores(problem).reshape(
            -1, len(self.classes_), self.n_subtypes).max(axis=2)


class HiddenStateProblem(ChainProblem, LatentProblem):
    """Sequences of labels with hidden states: state k of label y is y * n_states + k."""

    def __init__(self, X, Y, n_labels: int, n_states: int, *, cost: np.ndarray, **options):
        self.n_states, self.label_cost, self.options = n_states, cost, options
        super().__init__(X, Y, n_labels * n_states,
                         cost=np.kron(cost, np.ones((n_states, n_states))), **options)

    def latent(self, x, y, w):
        local, pairs, _ = self._scores(x, w)
        labels = np.arange(self.n_labels) // self.n_states
        allowed = labels == np.asarray(y)[:, None] // self.n_states
        return viterbi(np.where(allowed, local, -np.inf), pairs)

    def completed(self, outputs):
        return HiddenStateProblem(
            self.positions, [np.ascontiguousarray(y, np.int32) for y in outputs],
            len(self.label_cost), self.n_states, cost=self.label_cost, **self.options)


class LatentSequenceSVM(ConcaveConvexMixin, SequenceEstimator):
    """Structural SVM for sequences whose labels have hidden states.

    Each label has several states with weights of their own, and pairs of states have
    weights, so that a label can depend on more than the one before it. X and y are those
    of `SequenceSVM`.

    Parameters
    ----------
    n_states : int, default=2
        States of each label
    n_init : int, default=3
        Starts from random weights, of which the one with the lowest objective counts
    max_rounds : int, default=20
        Maximum number of rounds of the concave-convex procedure
    loss : "hamming", "errors", array or function, default="hamming"
        See `SequenceSVM`
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the labels in sorted order
    objectives_ : list of float, one per round
    """

    order = 1

    _kinds: ClassVar[dict[str, Kind]] = {"n_states": AT_LEAST_ONE}

    def __init__(self, *, n_states=2, n_init=3, max_rounds=20, loss="hamming", C=1.,
                 tol=0.01, solver="bcfw", solver_options=None, max_iter=None,
                 random_state=0, n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _problem(self, inputs, outputs):
        counted = isinstance(self.loss, str)
        cost = cost_matrix(self.loss, self.classes_, ("hamming", "errors"))
        whole = [None] * inputs.n_sequences if outputs is None else [
            labels * np.int32(self.n_states) for labels in outputs]
        return HiddenStateProblem(
            inputs, whole, len(self.classes_), self.n_states, cost=cost,
            loss=self.loss if counted else "hamming")

    def _label_names(self):
        return np.repeat(self.classes_, self.n_states).tolist()

    def _decode(self, outputs):
        return OutputList(self.classes_[np.asarray(states) // self.n_states]
                          for states in outputs)

    def predict_states(self, X) -> list[np.ndarray]:
        """The hidden state of each position: label number * n_states + state."""
        check_is_fitted(self, "model_")
        return self._best(self._problem(self._encode(X, fitting=False), None))

    def _chains(self, inputs):
        raise InputError("the best label sequences are those of several state sequences; "
                         "LatentSequenceSVM does not list them")
