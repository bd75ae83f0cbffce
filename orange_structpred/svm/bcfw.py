"""Block-coordinate Frank-Wolfe (Lacoste-Julien et al., 2013)."""
from __future__ import annotations

import numpy as np

from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Clock, Solution, Solver


class BCFW(Solver):
    """Frank-Wolfe on the dual, a block of variables for each example.

    The dual variables of example i are a mixture of outputs. With a(y) =
    phi(x_i, y_i) - phi(x_i, y) and l(y) its loss, averaged over the mixture,
    w = C/n * sum a_i and the dual objective is C/n * sum l_i - |w|^2 / 2. A step
    moves block i to the oracle's output as far as the dual grows.

    The model is the average of the iterates, step k weighing k. Its certificate
    is its own primal objective, at one fixed w over all examples, against the
    dual objective of the last iterate, which never falls. It costs a pass of
    the oracle, so it is made when the gaps that the steps met are small enough,
    and at the end.
    """

    def run(self, problem: Problem, clock: Clock, start) -> Solution:
        n = len(problem)
        scale = self.C / n
        model = problem.new_model(averaging=True)
        blocks = [problem.empty_block(i) for i in range(n)]
        first = step = 0
        state = self.load_checkpoint(problem)
        if state is not None:
            model.restore(state)
            blocks = problem.unpack_blocks(state)
            first, step = int(state["passes"]), int(state["step"])
        elif start is not None:
            blocks = list(start)
            problem.add_blocks(model, blocks, scale)
        loss = sum(block.loss for block in blocks) / n
        converged = False
        for pass_ in range(first, self.passes):
            met = 0.
            for visited, i in enumerate(self.order(pass_, n)):
                if clock.due():
                    clock.report(pass_ + 1, (pass_ + visited / n) / self.passes,
                                 gap=met / max(1, visited))
                    if clock.stopped:
                        break
                block = blocks[i]
                y_hat = problem.most_violated(i, model)
                clock.oracle_calls += 1
                step += 1
                way = problem.direction(i, block, y_hat)
                gap = (problem.example_loss(i, y_hat) - block.loss
                       - model.dot(i, way))
                length = model.squared_norm_of(i, way)
                if gap <= 0 or length == 0:
                    continue
                met += gap
                gamma = min(1., gap / (scale * length))
                before = step * (step - 1) / 2   # weight of all earlier steps
                model.add(i, way, gamma * scale, before)
                blocks[i] = problem.move(i, block, y_hat, gamma)
                loss += (blocks[i].loss - block.loss) / n
            if clock.stopped:
                break
            average = model.averaged(step * (step + 1) / 2)
            norm = model.squared_norm()
            dual = self.C * loss - norm / 2
            figures = {"dual": dual, "gap": met / n, "primal": dual + self.C * met / n}
            if pass_ + 1 == self.passes or met / n <= 3 * self.epsilon:
                slack = self.slack(problem, average, clock, pass_)
                if clock.stopped:
                    break
                norm = average.squared_norm()
                primal = norm / 2 + self.C * slack
                gap = (primal - dual) / self.C
                figures = {"primal": primal, "dual": dual, "gap": gap,
                           "slack": slack, "certified": True}
                converged = gap <= self.epsilon
            self.save_checkpoint(
                problem, passes=pass_ + 1, step=step, **model.state(),
                **problem.pack_blocks(blocks))
            clock.report(
                pass_ + 1, 1. if converged else (pass_ + 1) / self.passes,
                end_of_pass=True, norm=np.sqrt(norm),
                loss=self.training_loss(problem, average), **figures)
            if clock.stopped or converged:
                break
        return Solution(model.averaged(max(1., step * (step + 1) / 2)),
                        clock.reports, converged, clock.stopped, blocks)
