"""Models for a list of C, each started where the one before it ended."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from orange_structpred.svm.bcfw import BCFW
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Callback, Measures, Solution


def numbered_checkpoint(checkpoint: str | os.PathLike | None, *numbers: int
                        ) -> Path | None:
    """A file of its own for one of several trainings: run.npz becomes run-3.npz."""
    if checkpoint is None:
        return None
    path = Path(checkpoint)
    return path.with_name("-".join([path.stem, *map(str, numbers)]) + path.suffix)


def solve_path(problem: Problem, Cs: Sequence[float],
               callback: Callback | None = None, *, measures: Measures | None = None,
               **options) -> Iterator[Solution]:
    """A solution for each C, in rising order, by BCFW.

    The dual variables of one C are feasible for the next, so they are kept; only
    the model is scaled. Where the loss is almost gone, the model of one C is good
    enough for the next as it is. A `checkpoint` names the files of all of them:
    each C has one of its own, with its number in its name.
    """
    solution = None
    checkpoint = options.pop("checkpoint", None)
    for number, C in enumerate(sorted(Cs)):
        solver = BCFW(C=C, checkpoint=numbered_checkpoint(checkpoint, number), **options)
        solution = solver.solve(problem, callback, start=solution, measures=measures)
        yield solution
        if solution.stopped:
            return
