"""Solvers at work one step at a time: what they see, and what they do about it."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.svm.one_slack import OneSlack
from orange_structpred.svm.online import OnlineSolver
from orange_structpred.svm.planes import Plane
from orange_structpred.svm.problem import Output, Problem
from orange_structpred.svm.solver import Report, Solution


class OnlineStep(NamedTuple):
    """What an online solver did with one example.

    With a = phi(x, y) - phi(x, output), the step is w += length * a.
    """

    example: int
    output: Output          # the one that the solver compared with the true one
    loss: float             # of it
    before: float           # <w, a>: how far the true output was ahead of it
    after: float            # the same with the new w
    squared_norm: float     # |a|^2
    length: float


class OnlineSteps:
    """An online solver, such as MIRA or the perceptron, one example at a time.

    Examples
    --------
    >>> from orange_structpred.svm import MIRA
    >>> steps = OnlineSteps(problem, MIRA(C=1))     # doctest: +SKIP
    >>> steps.step(0).length                        # doctest: +SKIP
    0.25
    """

    def __init__(self, problem: Problem, solver: OnlineSolver):
        self.problem, self.solver = problem, solver
        self.model = problem.new_model(averaging=True)
        self.taken = 0

    def look(self, i: int) -> Output:
        """The output that the solver would compare with the true one of example i."""
        return self.solver.candidate(self.problem, self.model, i)

    def step(self, i: int) -> OnlineStep:
        """Let the solver learn from example i."""
        if not 0 <= i < len(self.problem):
            raise InputError(f"there is no example {i}; there are {len(self.problem)}")
        output = self.look(i)
        difference = self.problem.difference(i, output)
        before = self.model.dot(i, difference)
        norm = self.model.squared_norm_of(i, difference)
        self.solver.update(self.problem, self.model, i, self.taken, len(self.problem))
        self.taken += 1
        after = self.model.dot(i, difference)
        return OnlineStep(
            i, output, float(self.problem.example_loss(i, output)), float(before),
            float(after), norm, float((after - before) / norm) if norm else 0.)


class PlaneSteps:
    """One-slack cutting planes (Algorithm 2 of the thesis), a round at a time.

    Attributes
    ----------
    model : the minimum of 1/2 |w|^2 + C * (the highest of the planes)
    planes : the working set; plane j says that the risk is at least
        loss_j - <a_j, w>
    alpha : the dual program's solution; w is the sum of alpha_j a_j
    reports : of all rounds. Primal and dual are those of the model before the round
    """

    def __init__(self, problem: Problem, C: float = 1.):
        self.problem, self.C = problem, C
        self.solution: Solution | None = None
        self.reports: list[Report] = []
        self.model = problem.new_model()
        self.alpha = np.zeros(0)

    @property
    def planes(self) -> list[Plane]:
        return self.solution.dual_state.planes if self.solution else []

    def look(self, i: int) -> Output:
        """The most violated output of example i at the present model."""
        return self.problem.most_violated(i, self.model)

    def step(self) -> Report:
        """Add the plane of all most violated outputs, and solve the dual program.

        When no output is violated by more than the planes say, none is added.
        """
        self.solution = OneSlack(C=self.C, epsilon=1e-6, passes=1).solve(
            self.problem, start=self.solution)
        self.alpha = self.solution.dual_state.alpha
        self.model = self.problem.new_planes().combine(self.alpha, self.planes)
        self.reports.append(self.solution.reports[-1])
        return self.reports[-1]


class CuttingLine(NamedTuple):
    """A cutting plane of a problem with one weight: risk >= offset + slope * w."""

    slope: float
    offset: float

    def at(self, w: np.ndarray) -> np.ndarray:
        return self.offset + self.slope * w


def highest_line(lines: list[CuttingLine], w: np.ndarray) -> np.ndarray:
    """The lower bound of the risk that the planes give; the slack is at least 0."""
    return np.max([np.zeros_like(w), *(line.at(w) for line in lines)], axis=0)


def cutting_lines(planes: list[Plane]) -> list[CuttingLine]:
    """The planes of a problem with one weight."""
    return [CuttingLine(-float(np.sum(plane.features.values)), float(plane.loss))
            for plane in planes]
