"""Cutting planes with a slack for each example (Tsochantaridis et al., 2005)."""
from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import cvxopt
import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.one_slack import TINY_SHARE, UNUSED, solve_quadratic
from orange_structpred.svm.planes import LinearPlanes, Plane
from orange_structpred.svm.problem import Output, Problem
from orange_structpred.svm.rescaling import RescalingSolver
from orange_structpred.svm.solver import Clock, Solution

INSEPARABLE = ("no weights satisfy all constraints, so the hard margin, C=inf, has no "
               "solution; use a finite C")
EXAMPLES_AT_ONCE = 100         # examples between two solutions of the dual program


class Violation(NamedTuple):
    """The output with the largest H(y) of an example: its constraint, and H(y).

    <w, a(y)> >= margin - slack / scale, so H(y) = scale * (margin - <w, a(y)>). Where the
    oracle does not find the largest one, `bound` is what it knows of it.
    """

    output: Output
    margin: float
    scale: float
    value: float
    bound: float


class WorkingSets(NamedTuple):
    """The working sets S_i of all examples."""

    planes: list[Plane]         # their features are a(y) / n, their loss is the margin
    examples: np.ndarray        # int
    scales: np.ndarray
    H: np.ndarray               # <a(y), a(y')> / n^2
    unused: np.ndarray          # rounds in which a constraint had no alpha

    def keep(self, which: np.ndarray) -> WorkingSets:
        return WorkingSets([self.planes[k] for k in which], self.examples[which],
                           self.scales[which], self.H[np.ix_(which, which)],
                           self.unused[which])

    def pack(self, arithmetic: LinearPlanes) -> dict[str, np.ndarray]:
        """As arrays, for a checkpoint."""
        return {**arithmetic.pack(self.planes),
                **dict(zip(self._fields[1:], self[1:]))}

    @classmethod
    def unpack(cls, state: Mapping[str, np.ndarray], arithmetic: LinearPlanes
               ) -> WorkingSets:
        return cls(arithmetic.unpack(state), *(state[name] for name in cls._fields[1:]))


NO_CONSTRAINTS = WorkingSets([], np.zeros(0, int), np.zeros(0), np.zeros((0, 0)),
                             np.zeros(0, int))


class NSlack(RescalingSolver):
    """Algorithm 1 of Tsochantaridis et al. (2005): a slack variable for each example.

    Each pass asks the oracle for the most violated output of each example and adds
    it to the example's working set if it is violated by more than epsilon beyond the
    slack that the working set requires. The dual program over all working sets is
    solved again after each batch of examples with additions. Training ends when nothing
    was added, or when (primal - dual) / C is at most epsilon.

    Its parameters are those of `RescalingSolver`. All but margin rescaling with a linear
    penalty choose among outputs of each loss: `Problem.best_by_loss`.

    With C = inf, the hard margin, there are no slacks (001, proposition 5): all constraints
    must hold, and epsilon bounds by how much the worst of them does not.
    """

    dual_type = WorkingSets
    hard_margin = True

    def run(self, problem: Problem, clock: Clock, start) -> Solution:
        whole, n = problem, len(problem)
        problem, weights = whole.unweighted(), whole.example_weights()     # of slacks
        arithmetic = problem.new_planes()
        working, first, converged = NO_CONSTRAINTS, 0, False
        state = self.load_checkpoint(whole, clock)
        if state is not None:
            working = WorkingSets.unpack(state, arithmetic)
            first, converged = int(state["passes"]), bool(state["converged"])
        elif start is not None:
            working = start.dual_state

        def solve(working: WorkingSets):
            alpha = self.solve_dual(working, weights)
            unused = np.where(alpha > 0, 0, working.unused + 1)
            keep = np.flatnonzero(unused < UNUSED)
            working = working._replace(unused=unused).keep(keep)
            return working, alpha[keep], arithmetic.combine(n * alpha[keep], working.planes)

        working, alpha, model = solve(working)
        for pass_ in range(first, self.passes):
            if converged or clock.stopped:
                break
            slacks = np.zeros(n)
            fixed = True            # is the model the same for all examples so far?
            for begin in range(0, n, EXAMPLES_AT_ONCE):
                end = min(begin + EXAMPLES_AT_ONCE, n)
                try:
                    violations = self.violations(problem, model, clock, pass_, begin, end)
                except StopEarly:
                    break
                slacks[begin:end] = [max(0., each.bound) for each in violations]
                added = self.add(arithmetic, working, alpha, begin, violations, weights)
                if end < n and added is not working:
                    fixed = False
                    working, alpha, model = solve(added)
                    added = working
            if clock.stopped:
                break
            if not fixed and pass_ + 1 == self.passes:      # a certificate for the end
                try:
                    violations = self.violations(problem, model, clock, pass_, 0, n)
                except StopEarly:
                    break
                slacks = np.array([max(0., each.bound) for each in violations])
                fixed, added = True, working
            figures = self.figures(working, alpha, slacks, weights)
            converged = fixed and figures["gap"] <= self.epsilon
            clock.report(
                pass_ + 1, 1. if converged else (pass_ + 1) / self.passes,
                end_of_pass=True, certified=fixed, **figures,
                **self.losses(whole, model, clock, pass_ + 1))
            if fixed and added is working:    # an oracle with bounds has nothing to add
                break
            if not converged and pass_ + 1 < self.passes:
                working, alpha, model = solve(added)
            self.save_checkpoint(
                whole, clock, passes=pass_ + 1, converged=converged,
                **working.pack(arithmetic))
        return Solution(model, clock.reports, converged, clock.stopped, working)

    # the cost function H(y)

    def violations(self, problem, model, clock, pass_, first, last
                   ) -> list[Violation]:
        """The most violated outputs of examples first..last - 1."""
        chunks = map_chunks(
            lambda begin, end: self.chunk_violations(
                problem, range(first + begin, first + end), model),
            last - first, self.n_jobs,
            partial(clock.check_stop, pass_ + 1,
                    (pass_ + first / len(problem)) / self.passes),
            size=problem.chunk_size)
        clock.oracle_calls += last - first
        return [each for chunk in chunks for each in chunk]

    def chunk_violations(self, problem: Problem, examples: range, model
                         ) -> list[Violation]:
        if self.rescaling == "margin" and self.penalty == "linear":
            outputs, _, hinges = problem.oracle(examples.start, examples.stop, model)
            return [self.measure(problem, i, y, model)._replace(bound=hinge)
                    for i, y, hinge in zip(examples, outputs, hinges)]
        return [max((self.measure(problem, i, y, model)
                     for y in problem.best_by_loss(i, model)), key=lambda each: each.value)
                for i in examples]

    def measure(self, problem: Problem, i: int, y: Output, model) -> Violation:
        margin, scale = self.requirement(problem.example_loss(i, y))
        value = scale * (margin - model.dot(i, problem.difference(i, y)))
        return Violation(y, margin, scale, value, value)

    # the working sets

    def add(self, arithmetic, working: WorkingSets, alpha: np.ndarray, first: int,
            violations: list[Violation], weights: np.ndarray) -> WorkingSets:
        """The working sets with what is violated by more than epsilon in addition."""
        n = len(weights)
        margins = np.array([plane.loss for plane in working.planes])
        slack = np.zeros(n)         # what the working sets ask for
        np.maximum.at(slack, working.examples,
                      working.scales * (margins - n**2 * working.H @ alpha))
        added = [(i, each) for i, each in enumerate(violations, first)
                 if weights[i] > 0 and each.value > slack[i] + self.epsilon / 2]
        planes, new = list(working.planes), []
        old, size = len(planes), len(planes) + len(added)
        H = np.zeros((size, size))
        H[:old, :old] = working.H
        for i, each in added:
            plane = Plane(each.margin, arithmetic.chunk_features(i, [each.output]))
            row = arithmetic.inner_products(plane, [*planes, plane])
            if ((working.examples == i) & (margins == each.margin) & (row[:old] == row[-1])
                    & (working.H.diagonal() == row[-1])).any():
                continue        # it is there, and violated because of rounding only
            planes.append(plane)
            new.append((i, each))
            H[len(row) - 1, :len(row)] = H[:len(row), len(row) - 1] = row
        if not new:
            return working
        return WorkingSets(
            planes, np.append(working.examples, [i for i, _ in new]),
            np.append(working.scales, [each.scale for _, each in new]),
            H[:len(planes), :len(planes)], np.append(working.unused, np.zeros(len(new), int)))

    def solve_dual(self, working: WorkingSets, weights: np.ndarray) -> np.ndarray:
        """The dual programs of propositions 5 to 9, over the working sets.

        argmax of alpha.margin - alpha.J.alpha / 2 over alpha >= 0. Linear slack limits
        the sum of alpha / scale of each example to C/n, quadratic slack adds
        n / (C scale scale') to J within an example. It is solved for n/C * alpha.
        """
        size, n = len(working.planes), len(weights)
        if not size:
            return np.zeros(0)
        hard = np.isinf(self.C)
        unit = 1 / n if hard else self.C / n
        P = unit * n**2 * working.H + 1e-12 * np.eye(size)
        owners = weights[working.examples]
        margins = np.array([plane.loss for plane in working.planes])
        rows, columns, values = (np.arange(size), np.arange(size), -np.ones(size))
        limits = np.zeros(size)
        if hard:
            pass                            # nothing limits alpha
        elif self.penalty == "quadratic":
            same = working.examples[:, None] == working.examples
            P += same / (np.outer(working.scales, working.scales) * owners)
        else:
            examples, numbers = np.unique(working.examples, return_inverse=True)
            rows, columns = np.append(rows, size + numbers), np.append(columns, columns)
            values = np.append(values, 1 / working.scales)
            limits = np.append(limits, weights[examples])
        G = cvxopt.spmatrix(values, rows.tolist(), columns.tolist(), (len(limits), size))
        try:
            share = solve_quadratic(P, -margins, G, limits, limited=not hard)
        except ArithmeticError:
            if hard:
                raise InputError(INSEPARABLE) from None
            raise
        if hard:
            if (margins - n**2 * working.H @ (unit * share) > self.epsilon * margins).any():
                raise InputError(INSEPARABLE)
        elif self.penalty == "linear":      # whatever the program's tolerance
            used = np.bincount(working.examples, share / working.scales, n)
            share /= np.maximum(1., used / np.maximum(weights, TINY_SHARE))[working.examples]
        return unit * share

    def objective_of_zero(self, problem: Problem) -> float:
        whole, problem = problem, problem.unweighted()
        slacks = np.array([each.bound for each in self.violations(
            problem, problem.new_model(), Clock(None), 0, 0, len(problem))])
        return self.figures(NO_CONSTRAINTS, np.zeros(0), slacks, whole.example_weights()
                            )["primal"]

    def figures(self, working: WorkingSets, alpha: np.ndarray, slacks: np.ndarray,
                weights: np.ndarray) -> dict:
        """Primal and dual objective at one model."""
        n = len(weights)
        norm = float(n**2 * alpha @ working.H @ alpha)
        dual = float(alpha @ [plane.loss for plane in working.planes]) - norm / 2
        slack = float(weights @ slacks) / n
        if np.isinf(self.C):
            worst = float(slacks[weights > 0].max())
            return {"primal": norm / 2 if worst <= self.epsilon else np.inf, "dual": dual,
                    "gap": worst, "slack": slack, "norm": norm**0.5}
        if self.penalty == "quadratic":
            # sum of alpha / scale is C/n times the slack of the program
            used = np.bincount(working.examples, alpha / working.scales, n)
            dual -= n / (2 * self.C) * float(
                used**2 @ np.divide(1, weights, where=weights > 0, out=np.zeros(n)))
            primal = norm / 2 + self.C / (2 * n) * float(weights @ slacks**2)
        else:
            primal = norm / 2 + self.C * slack
        return {"primal": primal, "dual": dual, "gap": (primal - dual) / self.C,
                "slack": slack, "norm": norm**0.5}
