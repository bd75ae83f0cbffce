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
    moves block i to the oracle's output as far as the dual grows. Later
    iterates weigh more in the average, which is dual feasible too: primal, dual
    and gap are those of the averaged model, at one fixed w.
    """

    def run(self, problem: Problem, clock: Clock, start) -> Solution:
        n = len(problem)
        model = problem.new_model(averaging=True)
        scale = self.C / n
        if start is None:
            blocks = [problem.empty_block(i) for i in range(n)]
        else:
            blocks = start
            problem.add_blocks(model, blocks, scale)
        loss = sum(block.loss for block in blocks) / n
        late_loss = 0.
        first = step = 0
        state = self.load_checkpoint(problem)
        if state is not None:
            model.restore(state)
            blocks = problem.unpack_blocks(state)
            first, step = int(state["passes"]), int(state["step"])
            loss, late_loss = float(state["loss"]), float(state["late_loss"])
        converged = False
        for pass_ in range(first, self.passes):
            gap = slack = 0.
            for visited, i in enumerate(self.order(pass_, n)):
                if clock.due():
                    clock.report(pass_ + 1, (pass_ + visited / n) / self.passes,
                                 slack=slack / max(1, visited))
                    if clock.stopped:
                        break
                block = blocks[i]
                y_hat = problem.most_violated(i, model)
                clock.oracle_calls += 1
                step += 1
                way = problem.direction(i, block, y_hat)
                margin = model.dot(i, way)
                block_gap = problem.example_loss(i, y_hat) - block.loss - margin
                gap += block_gap
                length = model.squared_norm_of(i, way)
                if block_gap <= 0 or length == 0:
                    continue
                gamma = min(1., block_gap / (scale * length))
                # weight of all steps before this one, where step k weighs k
                before = step * (step - 1) / 2
                model.add(i, way, gamma * scale, before)
                blocks[i] = problem.move(i, block, y_hat, gamma)
                change = (blocks[i].loss - block.loss) / n
                loss += change
                late_loss += change * before
            total = step * (step + 1) / 2
            if clock.stopped:
                break
            last = pass_ + 1 == self.passes
            check = last or gap / n <= 2 * self.epsilon
            average = model.averaged(total)
            figures = dict(gap=gap / n)
            if check:
                figures = self.certificate_of(
                    problem, average, loss - late_loss / total, clock, pass_)
                converged = figures.get("gap", np.inf) <= self.epsilon
            self.save_checkpoint(
                problem, passes=pass_ + 1, step=step, loss=loss,
                late_loss=late_loss, **model.state(), **problem.pack_blocks(blocks))
            clock.report(
                pass_ + 1, 1. if converged else (pass_ + 1) / self.passes,
                end_of_pass=True, norm=np.sqrt(average.squared_norm()),
                loss=self.training_loss(problem, average), **figures)
            if clock.stopped or converged:
                break
        return Solution(model.averaged(max(1, step * (step + 1) / 2)), clock.reports,
                        converged, clock.stopped, blocks)
