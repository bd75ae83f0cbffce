"""Conditional likelihood in place of the margin: conditional random fields."""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from orange_structpred.errors import InputError
from orange_structpred.kinds import RealNumber
from orange_structpred.running.cancellation import CheckCancelled, StopEarly
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.solver import Solution, Solver

N_SUMS = 4           # of the examples, each with a gradient of its own, for threads
HISTORY = 8         # steps from which L-BFGS knows the curvature


class LikelihoodProblem(ABC):
    """What this solver asks of a problem: p(y | x) ~ exp <w, phi(x, y)>."""

    has_likelihood: ClassVar[bool] = True
    dim: int

    @abstractmethod
    def __len__(self) -> int:
        """How many examples there are."""

    @abstractmethod
    def add_log_loss(self, first: int, last: int, w: np.ndarray, gradient: np.ndarray
                     ) -> float:
        """The sum of -log p(y_i | x_i) over examples first..last - 1; its gradient,
        expected features minus true ones, is added."""

    def new_model(self) -> LinearModel:
        """A model for the weights."""
        return LinearModel(0, np.float64)

    @abstractmethod
    def fingerprint(self) -> str:
        """Identifies this problem, for checkpoints."""


class Likelihood(Solver):
    """L-BFGS on the conditional likelihood (003, equation 5.3, and 004).

    The objective is that of the other solvers with -log p(y_i | x_i) in place of
    the hinge loss:

        1/2 |w|^2 + C/n * sum of (log Z(x_i) - <w, phi(x_i, y_i)>)

    It is strongly convex, so that its minimum is at least its value minus half the
    squared norm of its gradient: this is the dual value of the reports, and `epsilon`
    means what it means elsewhere. `passes` limits the steps.

    With `c1`, the sum over examples has c1 * |w|_1 added to it. As weights are then
    differences of two vectors without negative entries, L-BFGS-B still applies; the bound
    holds for the shortest subgradient.

    Parameters
    ----------
    c1 : weight of |w|_1, 0 or more
    options : see `Solver`
    """

    def __init__(self, *, c1: float = 0., **options):
        super().__init__(**options)
        self.c1 = c1

    def check(self):
        super().check()
        RealNumber(with_zero=True).check("c1", self.c1)

    def fingerprint(self, problem):
        c1 = f"c1={self.c1!r} " if self.c1 else ""
        return c1 + super().fingerprint(problem)

    def check_examples(self, problem):
        if not problem.has_likelihood:
            raise InputError(f"{type(problem).__name__} has no likelihood; expected "
                             "a LikelihoodProblem, such as that of sequences or graphs")
        if not len(problem):
            raise InputError("there are no examples to learn from")

    def run(self, problem, clock, start):
        objective = Objective(
            problem, self.C, self.c1, self.n_jobs, lambda: clock.check_stop(
                len(clock.reports) + 1, len(clock.reports) / self.passes))
        w = np.zeros(problem.dim) if start is None else np.array(
            start.model.weights(), np.float64)
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            w = np.array(state["w"], np.float64)
        best, converged = w, False

        def model_of(w: np.ndarray):
            model = problem.new_model()
            model.w = w.astype(model.w.dtype)
            return model

        def step(intermediate_result) -> None:
            nonlocal best, converged
            point = intermediate_result.x
            best = difference_of_halves(point) if self.c1 else point.copy()
            figures = dict(objective.figures)
            converged = figures["gap"] <= self.epsilon
            pass_ = len(clock.reports) + 1
            clock.oracle_calls = objective.calls
            if clock.validation is not None:
                figures["validation_loss"] = clock.validation.measure(
                    model_of(best), pass_, clock.observer(pass_, pass_ / self.passes))
            clock.report(pass_, 1. if converged else pass_ / self.passes,
                         end_of_pass=True, **figures)
            self.save_checkpoint(problem, clock, w=best)
            if converged or clock.stopped:
                raise StopIteration

        steps = self.passes - len(clock.reports)
        try:
            # threads would cost more than they save for vectors of this size
            with threadpool_limits(1, user_api="blas"):
                if steps > 0:
                    minimize(objective.of_halves if self.c1 else objective,
                             halves(w) if self.c1 else w, jac=True, method="L-BFGS-B",
                             bounds=[(0, None)] * (2 * len(w)) if self.c1 else None,
                             callback=step,
                             options={"maxiter": steps, "maxfun": 20 * steps,
                                      "maxcor": HISTORY, "ftol": 0., "gtol": 0.})
        except StopEarly:
            pass
        if not clock.reports and not clock.stopped:     # nothing to improve at all
            clock.report(1, 1., end_of_pass=True, **objective.figures)
            converged = clock.reports[-1].gap <= self.epsilon
        return Solution(model_of(best), clock.reports, converged, clock.stopped)


def halves(w: np.ndarray) -> np.ndarray:
    """Weights above 0, then those below it, as numbers without a sign."""
    return np.concatenate([np.maximum(w, 0), np.maximum(-w, 0)])


def difference_of_halves(parts: np.ndarray) -> np.ndarray:
    """The weights of two halves."""
    above, below = np.split(parts, 2)
    return above - below


class Objective:
    """The objective and its gradient; the figures of the last evaluation."""

    def __init__(self, problem: LikelihoodProblem, C: float, c1: float, n_jobs: int,
                 check_cancelled: CheckCancelled):
        self.problem, self.C, self.n_jobs = problem, C, n_jobs
        self.check_cancelled = check_cancelled
        self.absolute = C * c1 / len(problem)       # weight of |w|_1
        self.calls = 0
        self.figures: dict[str, object] = {}
        size = -(-len(problem) // N_SUMS)
        self.gradients = np.zeros((-(-len(problem) // size), problem.dim))
        self.size = size

    def __call__(self, w: np.ndarray) -> tuple[float, np.ndarray]:
        n = len(self.problem)

        def work(first: int, last: int) -> float:
            gradient = self.gradients[first // self.size]
            gradient[:] = 0
            return self.problem.add_log_loss(first, last, w, gradient)

        losses = map_chunks(work, n, self.n_jobs, self.check_cancelled, size=self.size)
        self.calls += n
        gradient = self.gradients.sum(axis=0)
        gradient *= self.C / n
        gradient += w
        slack, norm = sum(losses) / n, float(w @ w)
        primal = norm / 2 + self.C * slack
        shortest = gradient
        if self.absolute:
            primal += self.absolute * float(np.abs(w).sum())
            shortest = np.where(
                w == 0, np.sign(gradient) * np.maximum(np.abs(gradient) - self.absolute, 0),
                gradient + self.absolute * np.sign(w))
        above = float(shortest @ shortest) / 2      # the minimum, at most
        self.figures = {"primal": primal, "dual": primal - above,
                        "gap": above / self.C, "slack": slack, "norm": norm**0.5,
                        "certified": True}
        return primal, gradient

    def of_halves(self, parts: np.ndarray) -> tuple[float, np.ndarray]:
        """The same as a smooth function of the weights above 0 and of those below it."""
        w = difference_of_halves(parts)
        primal, gradient = self(w)
        both = float(parts.sum() - np.abs(w).sum())     # what is in both of them
        return (primal + self.absolute * both,
                np.concatenate([gradient + self.absolute, self.absolute - gradient]))
