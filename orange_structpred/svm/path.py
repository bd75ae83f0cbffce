"""Models for a list of C, each started where the one before it ended."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

from orange_structpred.svm.bcfw import BCFW
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Callback, Solution


def solve_path(problem: Problem, Cs: Sequence[float],
               callback: Callback | None = None, **options) -> Iterator[Solution]:
    """A solution for each C, in rising order, by BCFW.

    The mixtures of one C are dual feasible for the next, so they are kept; only
    the model is scaled. Where the loss is almost gone, the model of one C is good
    enough for the next as it is.
    """
    solution = None
    for C in sorted(Cs):
        solution = BCFW(C=C, **options).solve(problem, callback, start=solution)
        yield solution
        if solution.stopped:
            return
