"""A slack for each wrong output, as in the multiclass SVM of Weston and Watkins (1998)."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.rescaling import RescalingSolver
from orange_structpred.svm.solver import Clock, Solution
from orange_structpred.svm.vectors import SparseVector

MOST_CONSTRAINTS = 10**6


class Constraints(NamedTuple):
    """One for each wrong output of each example: <w, a(y)> >= margin - slack / scale."""

    examples: np.ndarray        # int
    vectors: list[SparseVector]     # a(y)
    norms: np.ndarray           # |a(y)|^2
    margins: np.ndarray
    scales: np.ndarray
    costs: np.ndarray           # of a slack: C/n, times the weight of its example
    limits: np.ndarray          # of alpha, where slacks are linear
    damping: np.ndarray         # what squared slacks take off the dual: damping/2 * alpha^2


class Alpha(NamedTuple):
    """The dual variables of all constraints, in their order."""

    values: np.ndarray


class WestonWatkins(RescalingSolver):
    """Dual coordinate ascent with a slack for each wrong output of each example.

    All wrong outputs that violate their margin count, not only the worst of each example:
    1/2 |w|^2 + C/n * sum over i and y of the slacks. Each constraint has a dual variable
    with limits of its own; a step sets one of them to its best value (as liblinear does,
    Hsieh et al., 2008). For problems whose outputs can be listed, `Problem.outputs`:
    the constraints of all of them are kept.

    Its parameters are those of `RescalingSolver`.
    """

    dual_type = Alpha

    def run(self, problem: Problem, clock: Clock, start) -> Solution:
        constraints = self.constraints(problem)
        size, first, converged = len(constraints.vectors), 0, False
        alpha = np.zeros(size)
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            alpha = np.array(state["alpha"])
            first, converged = int(state["passes"]), bool(state["converged"])
        elif start is not None:
            if len(start.dual_state.values) != size:
                raise InputError("WestonWatkins can start only from a solution for the same "
                                 "examples")
            alpha = np.minimum(start.dual_state.values, constraints.limits)
        model = problem.new_model(averaging=True)       # so that it can be copied
        for k in np.flatnonzero(alpha):
            model.add(constraints.examples[k], constraints.vectors[k], alpha[k])
        for pass_ in range(first, self.passes):
            if converged or clock.stopped:
                break
            for visited, k in enumerate(self.order(pass_, size)):
                clock.look(pass_ + 1, (pass_ + visited / size) / self.passes)
                if clock.stopped:
                    break
                step(constraints, k, alpha, model)
            if clock.stopped:
                break
            clock.oracle_calls += len(problem)
            fixed = model.averaged(np.inf)
            figures = self.figures(constraints, alpha, fixed, len(problem))
            converged = figures["gap"] <= self.epsilon
            clock.report(pass_ + 1, 1. if converged else (pass_ + 1) / self.passes,
                         end_of_pass=True, certified=True, **figures,
                         **self.losses(problem, fixed, clock, pass_ + 1))
            self.save_checkpoint(problem, clock, passes=pass_ + 1, converged=converged,
                                 alpha=alpha)
        return Solution(model.averaged(np.inf), clock.reports, converged, clock.stopped,
                        Alpha(alpha))

    def constraints(self, problem: Problem) -> Constraints:
        """Those of all outputs, but for such as ask for nothing."""
        weights, problem = problem.example_weights(), problem.unweighted()
        model = problem.new_model()
        examples, vectors, rows = [], [], []
        for i in range(len(problem)):
            for y in problem.outputs(problem.X[i]):
                margin, scale = self.requirement(max(0., problem.example_loss(i, y)))
                vector = problem.difference(i, y)
                norm = model.squared_norm_of(i, vector)
                if weights[i] > 0 and scale > 0 and (norm > 0 or margin > 0):
                    examples.append(i)
                    vectors.append(vector)
                    rows.append((norm, margin, scale, self.C * weights[i] / len(problem)))
                if len(vectors) > MOST_CONSTRAINTS:
                    raise InputError(
                        f"more than {MOST_CONSTRAINTS:,} wrong outputs, which are too many "
                        "for a slack for each of them; use the solver n-slack")
        norms, margins, scales, costs = np.array(rows).reshape(-1, 4).T
        if self.penalty == "linear":
            limits, damping = costs * scales, np.zeros(len(rows))
        else:
            limits, damping = np.full(len(rows), np.inf), 1 / (costs * scales**2)
        return Constraints(np.array(examples, int), vectors, norms, margins, scales, costs,
                           limits, damping)

    def objective_of_zero(self, problem: Problem) -> float:
        constraints = self.constraints(problem)
        return self.figures(constraints, np.zeros(len(constraints.vectors)),
                            problem.new_model(), len(problem))["primal"]

    def figures(self, constraints: Constraints, alpha: np.ndarray, model, n: int) -> dict:
        """Primal and dual objective at one model."""
        scores = np.array([model.dot(i, vector) for i, vector in zip(
            constraints.examples, constraints.vectors)])
        slacks = constraints.scales * np.maximum(0., constraints.margins - scores)
        norm = model.squared_norm()
        powers = slacks if self.penalty == "linear" else slacks**2 / 2
        primal = norm / 2 + float(constraints.costs @ powers)
        dual = float(alpha @ constraints.margins - alpha**2 @ constraints.damping / 2
                     ) - norm / 2
        return {"primal": primal, "dual": dual, "gap": (primal - dual) / self.C,
                "slack": float(constraints.costs @ slacks) / self.C, "norm": norm**0.5}


def step(constraints: Constraints, k: int, alpha: np.ndarray, model) -> None:
    """Set one dual variable to its best value while all others stay as they are."""
    i, vector = constraints.examples[k], constraints.vectors[k]
    violation = (constraints.margins[k] - model.dot(i, vector)
                 - constraints.damping[k] * alpha[k])
    curvature = constraints.norms[k] + constraints.damping[k]
    best = alpha[k] + violation / curvature if curvature else np.inf
    best = min(max(0., best), constraints.limits[k])
    if best != alpha[k]:
        model.add(i, vector, best - alpha[k])
        alpha[k] = best
