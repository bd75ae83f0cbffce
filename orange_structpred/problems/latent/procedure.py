"""The concave-convex procedure for structural SVMs with latent variables.

The output of an example has a part that is not in the data (Yu and Joachims, 2009). The
objective is that of a structural SVM in which the true output is the best one that agrees
with what is known:

    1/2 |w|^2 + C/n * sum of (max over y' of L + <w, phi(x, y')>) - max over h of <w, phi(x, y, h)>

The last term is concave. Each round replaces it by its value at the hidden parts that are
best for the present w: what remains is a structural SVM, and its solution never has a
higher objective.
"""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from orange_structpred.problems.parameters import AT_LEAST_ONE
from orange_structpred.svm.problem import Output, Problem
from orange_structpred.svm.solver import Solution, Solver


class LatentProblem(Problem):
    """A problem whose outputs have hidden parts.

    Define `latent` besides the four methods of `Problem`. Outputs in all methods are
    whole ones, hidden part included; only the true outputs that the problem is made with
    may lack it. The loss must not depend on the hidden part of the true output.
    """

    @abstractmethod
    def latent(self, x, y: Output, w: np.ndarray) -> Output:
        """The whole output with the highest score among those that agree with y."""

    def completed(self, outputs: Sequence[Output]) -> Problem:
        """The problem with whole outputs as true ones."""
        problem = copy(self)
        problem.Y = list(outputs)
        return problem


class LatentSolution(NamedTuple):
    """The best round's solution, its whole outputs, and the objectives of all rounds."""

    solution: Solution
    outputs: list[Output]
    objectives: list[float]


def complete(problem: LatentProblem, w: np.ndarray) -> list[Output]:
    """The true outputs with the best hidden parts."""
    return [problem.latent(problem.X[i], problem.Y[i], w) for i in range(len(problem))]


def concave_convex(problem: LatentProblem, solver: Solver, outputs: Sequence[Output], *,
                   max_rounds: int, callback=None,
                   weigh: Callable[[Problem], Problem] = lambda problem: problem
                   ) -> LatentSolution:
    """Learn from whole outputs, complete the true ones anew, and so on, until the objective
    falls by at most C * epsilon.

    outputs : whole outputs to begin with
    weigh : makes a problem one with weights of examples
    """
    AT_LEAST_ONE.check("max_rounds", max_rounds)
    best: LatentSolution | None = None
    objectives: list[float] = []
    for _ in range(max_rounds):
        completed = weigh(problem.completed(outputs))
        solution = solver.solve(completed, callback)
        model, last = solution.model, solution.reports[-1]
        if np.isnan(last.slack) or solution.stopped:
            return best or LatentSolution(solution, list(outputs), objectives)
        whole = complete(problem, model.weights())
        gained = -np.mean([model.dot(i, completed.difference(i, y))
                           for i, y in enumerate(whole)])
        objective = last.norm**2 / 2 + solver.C * (last.slack - gained)
        objectives.append(float(objective))
        before = min(objectives[:-1], default=np.inf)
        if best is None or objective < before:
            best = LatentSolution(solution, whole, objectives)
        if before - objective <= solver.C * solver.epsilon or all(
                map(np.array_equal, whole, outputs)):
            break
        outputs = whole
    assert best is not None     # there was a round
    return best
