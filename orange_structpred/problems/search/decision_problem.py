"""What to do in a state, as a problem that all solvers know."""
from __future__ import annotations

import numpy as np

from orange_structpred.problems.search.decisions import (
    Decisions,
    learn_decisions,
    score_candidates,
)
from orange_structpred.svm.online import MIRA
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices


class DecisionProblem(Problem):
    """Decisions whose candidates have costs; an input is a decision's number, an output
    the number of a candidate.

    Parameters
    ----------
    decisions : Decisions
    costs : float64, one per candidate
    n_features, stride : the number of features, and of weights that each of them has
    """

    chunk_size = 256

    def __init__(self, decisions: Decisions, costs: np.ndarray, n_features: int,
                 stride: int):
        self.decisions, self.costs, self.stride = decisions, costs, stride
        firsts = decisions.firsts
        cheapest = [first + int(costs[first:last].argmin())
                    for first, last in zip(firsts[:-1], firsts[1:])]
        super().__init__(range(decisions.n_decisions), cheapest, n_features * stride)

    def joint_features(self, x, y):
        decisions, features = self.decisions, self.decisions.lists[y]
        within = slice(decisions.starts[features], decisions.starts[features + 1])
        numbers = decisions.numbers[within]
        return SparseVector(*sum_equal_indices(numbers * self.stride + decisions.codes[y],
                                               decisions.values[within]))

    def loss(self, y, y_hat):
        return self.costs[y_hat] - self.costs[y]

    def predict(self, x, w):
        return self.highest(x, self.scores(x, w))

    def separate(self, x, y, w):
        first, last = self.decisions.firsts[x:x + 2]
        return self.highest(x, self.scores(x, w) + self.costs[first:last])

    def outputs(self, x):
        return range(*self.decisions.firsts[x:x + 2])

    def scores(self, x: int, w: np.ndarray) -> np.ndarray:
        """<w, phi> of the candidates of a decision."""
        return score_candidates(*self.decisions[1:], w, self.stride,
                                *self.decisions.firsts[x:x + 2])

    def highest(self, x: int, scores: np.ndarray) -> int:
        return int(self.decisions.firsts[x] + scores.argmax())


def learn_by_mira(problem: DecisionProblem, solver: MIRA) -> np.ndarray:
    """The averaged weights that the solver finds, by compiled code.

    Where several candidates are equally cheap, the best of them counts as the true one.
    """
    solver.check()
    decisions = problem.decisions
    weights, late, room = (np.zeros(problem.dim) for _ in range(3))
    begin = step = 0
    for pass_ in range(solver.passes):
        if pass_ == solver.passes // 2:
            late[:], begin = 0, step
        step = learn_decisions(
            solver.order(pass_, len(problem)), decisions.firsts, *decisions[1:], problem.costs,
            weights, late, room, problem.stride, solver.C, begin, step)
    return weights - late / max(1, step - begin)
