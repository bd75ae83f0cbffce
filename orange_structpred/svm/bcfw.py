"""Block-coordinate Frank-Wolfe (Lacoste-Julien et al., 2013), for one C or for several."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import StopEarly
from orange_structpred.svm.blocks import Blocks
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Callback, Clock, Measures, Solution, Solver

#: Visits without the oracle end when the gaps that they meet are this share of those
#: that the pass met
NO_MORE_VISITS = 0.05


@dataclass
class BlockDual:
    """The dual variables of all examples.

    blocks : as the problem's own `Blocks` keep them
    """

    blocks: Sequence

    def moved(self, keeper: Blocks, model, C: float) -> tuple[BlockDual, float]:
        """For another C: drawn back to the true outputs, or as far from them as the dual
        grows, and the dual objective there. The model, which is zero, becomes theirs."""
        keeper.add_all(self.blocks, model, C / len(keeper.problem))
        loss, norm = keeper.mean_loss(self.blocks), model.squared_norm()
        part = min(1., C * loss / max(norm, 1e-300))
        model.scale(part)
        return (BlockDual(keeper.drawn_back(self.blocks, part)),
                part * C * loss - part**2 * norm / 2)


class BCFW(Solver):
    """Frank-Wolfe on the dual, a block of variables for each example.

    The dual variables of example i are a convex combination alpha of its outputs.
    With a(y) = phi(x_i, y_i) - phi(x_i, y) and l(y) its loss, averaged by alpha,
    w = C/n * sum a_i and the dual objective is C/n * sum l_i - |w|^2 / 2. A step
    asks the oracle for one more output of example i and then finds the best
    alpha of all outputs that the block remembers. (The paper's step moves
    alpha only to the new output, and its gap falls like 1/passes; with steps
    between any two outputs, as in Osokin et al., 2016, it falls like c^passes.)

    A certificate is the primal objective at one fixed w over all examples
    against the dual objective of the last iterate, which never falls. It is
    made for the last w and for the average of the iterates, step k weighing k,
    and the better one is the model: the average is ahead in early passes. As it
    costs passes of the oracle, it is made when the gaps that the steps met are
    small enough, and at the end.

    `start` is the solution for a smaller C. Its dual variables, drawn back to the
    true outputs, are the first ones here. Its model has the slack that it had, so
    its gap at this C is known without the oracle; if that is small, all is done, unless
    C is so small that the gap would be small for w = 0 as well: where epsilon * C is more
    than |w|^2 / 2, and the slack is not almost gone.
    """

    dual_type = BlockDual

    def run(self, problem: Problem, clock: Clock, start: Solution | None) -> Solution:
        n = len(problem)
        scale = self.C / n
        model = problem.new_model(averaging=True)
        keeper = problem.new_blocks()
        blocks = keeper.start_all()
        first = step = 0
        weight = 1.             # of all steps in the average
        converged = False
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            model.restore(state)
            blocks = keeper.unpack(state)
            first, step = int(state["passes"]), int(state["step"])
            weight, converged = float(state["weight"]), bool(state["converged"])
        elif start is not None:
            dual_state, dual = start.dual_state.moved(keeper, model, self.C)
            blocks = dual_state.blocks
            last = start.reports[-1]
            figures = self.figures(last.slack, last.norm, dual)
            if figures["gap"] <= self.epsilon and (
                    last.slack <= self.epsilon
                    or last.norm**2 / 2 > self.epsilon * self.C):
                clock.report(0, 1., end_of_pass=True, **figures, loss=last.loss,
                             further=last.further)
                return Solution(start.model, clock.reports, True, clock.stopped, dual_state)
            # without the oracle, this costs little
            keeper.visit(blocks, range(n), model, scale, 0, ask=False)
        for pass_ in range(first, self.passes):
            if converged or clock.stopped:
                break
            met = 0.
            order = self.order(pass_, n)
            for visited in range(0, n, keeper.chunk_size):
                if clock.due():
                    clock.report(pass_ + 1, (pass_ + visited / n) / self.passes,
                                 gap=met / max(1, visited))
                    if clock.stopped:
                        break
                chunk = order[visited:visited + keeper.chunk_size]
                met += keeper.visit(blocks, chunk, model, scale, step)
                step += len(chunk)
                clock.oracle_calls += len(chunk)
            weight = max(1., step * (step + 1) / 2)
            if clock.stopped:
                break
            for _ in range(keeper.extra_visits):
                if keeper.visit(blocks, order, model, scale, step, ask=False) \
                        <= NO_MORE_VISITS * met:
                    break
            norm = model.squared_norm()
            dual = self.C * keeper.mean_loss(blocks) - norm / 2
            figures = {"dual": dual, "gap": met / n,
                       "primal": dual + self.C * met / n, "norm": norm**0.5}
            if pass_ + 1 == self.passes or met / n <= 2 * self.epsilon:
                try:
                    weight, figures = self.certify(
                        problem, clock, pass_, dual,
                        {total: model.averaged(total) for total in (weight, np.inf)})
                except StopEarly:
                    break
                converged = figures["gap"] <= self.epsilon
            clock.report(
                pass_ + 1, 1. if converged else (pass_ + 1) / self.passes,
                end_of_pass=True, **figures,
                **self.losses(problem, model.averaged(weight), clock, pass_ + 1))
            if self.checkpoint is not None:         # blocks take long to pack
                self.save_checkpoint(
                    problem, clock, passes=pass_ + 1, step=step, weight=weight,
                    converged=converged, **model.state(), **keeper.pack(blocks))
        return Solution(model.averaged(weight), clock.reports, converged,
                        clock.stopped, BlockDual(blocks))

    def certify(self, problem: Problem, clock: Clock, pass_: int, dual: float,
                models: dict) -> tuple[float, dict]:
        """Name of the model with the lowest primal objective, and its figures."""
        best, lowest = next(iter(models)), {"primal": np.inf}
        for name, model in models.items():
            slack = self.slack(problem, model, clock, pass_)
            if np.isnan(slack):
                raise InputError("the hinge losses are not finite; `check_problem` checks "
                                 "losses and features")
            figures = self.figures(slack, model.squared_norm()**0.5, dual)
            if figures["primal"] < lowest["primal"]:
                best, lowest = name, figures
            if lowest["gap"] <= self.epsilon:   # good enough: save a pass
                break
        return best, lowest

    def figures(self, slack: float, norm: float, dual: float) -> dict:
        """The certificate of a model with this slack and |w|."""
        primal = norm**2 / 2 + self.C * slack
        return {"primal": primal, "dual": dual, "gap": (primal - dual) / self.C,
                "slack": slack, "norm": norm, "certified": True}


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
