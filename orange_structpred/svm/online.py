"""Solvers that look at one example at a time and average what they find.

They have no dual and so no certificate: the number of passes ends them.
"""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import CheckCancelled, StopEarly
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.mixing import (
    Change,
    Mixture,
    ShardRound,
    n_rounds,
    run_round,
)
from orange_structpred.svm.problem import Output, Problem
from orange_structpred.svm.solver import Clock, Solution, Solver

#: How fine the factor of Subgradient is: t is rounded down to a multiple of t // 100
SCALED_PER_STEPS = 100


@dataclass
class OnlineState:
    """Where an online training is.

    model : with the sums that its average needs
    step : how many steps were made
    begin : the first step that is part of the average
    """

    model: Any
    step: int = 0
    begin: int = 0

    @property
    def averaged_steps(self) -> int:
        return self.step - self.begin

    def restart_average(self) -> None:
        self.model.restart_average()
        self.begin = self.step

    def pack(self) -> dict[str, Any]:
        """As arrays, for a checkpoint."""
        return {"step": self.step, "begin": self.begin, **self.model.state()}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        self.model.restore(arrays)
        self.step, self.begin = int(arrays["step"]), int(arrays["begin"])


class OnlineSolver(Solver):
    """Visits the examples in a new random order in each pass.

    With a `start`, it continues from there, and so does its average. A subclass says how
    one example changes the model.

    With several `shards`, each pass is made on all of them side by side, and their
    weights are mixed several times a pass (`svm.mixing`).
    """

    certificate = False
    dual_type = OnlineState
    limited = np.nan        # steps of this pass that C has cut short, if it does so
    averages_all = False    # over all passes, not only over the later half of them

    def run(self, problem: Problem, clock: Clock, start: Solution | None) -> Solution:
        n = len(problem)
        if self.shards > 1:
            return self.run_mixed(problem, clock, problem.new_model(averaging=True), start)
        first = 0
        state = OnlineState(problem.new_model(averaging=True))
        saved = self.load_checkpoint(problem, clock)
        if saved is not None:
            state.restore(saved)
            first = int(saved["passes"])
        elif start is not None:
            state = deepcopy(start.dual_state)
        for pass_ in range(first, self.passes):
            if pass_ == self.passes // 2 and not self.averages_all and start is None:
                state.restart_average()
            slack, self.limited = 0., type(self).limited
            for visited, i in enumerate(self.order(pass_, n)):
                if clock.due():
                    clock.report(pass_ + 1, (pass_ + visited / n) / self.passes,
                                 slack=slack / max(1, visited))
                    if clock.stopped:
                        break
                slack += self.update(problem, state.model, i, state.averaged_steps, n)
                clock.oracle_calls += 1
                state.step += 1
            average = self.average(state.model, state.averaged_steps)
            if clock.stopped:
                break
            self.end_pass(problem, clock, pass_, slack, average, state.pack())
            if clock.stopped:
                break
        return Solution(self.average(state.model, state.averaged_steps), clock.reports,
                        stopped=clock.stopped, dual_state=state)

    def end_pass(self, problem: Problem, clock: Clock, pass_: int, slack: float, average,
                 state: Mapping[str, Any]) -> None:
        """Report a pass and save the state after it.

        slack : sum over the examples
        average : the model of averaged weights
        """
        clock.report(
            pass_ + 1, (pass_ + 1) / self.passes, end_of_pass=True,
            slack=slack / len(problem), norm=np.sqrt(average.squared_norm()),
            limited=self.limited, **self.losses(problem, average, clock, pass_ + 1))
        self.save_checkpoint(problem, clock, passes=pass_ + 1, **state)

    def run_mixed(self, problem: Problem, clock: Clock, model, start) -> Solution:
        """Passes over shards, whose weights are mixed several times a pass."""
        if not isinstance(model, LinearModel):
            raise InputError("only models with a weight vector can be mixed, not kernel "
                             "models")
        if start is not None:
            raise InputError("training on shards always starts from zero")
        n = len(problem)
        rounds, first = n_rounds(n, self.shards), 0
        mixture = Mixture(model.w, self.shards)
        state = self.load_checkpoint(problem, clock)
        if state is not None:
            mixture.restore(state)
            first = int(state["passes"])
        solver = copy(self)
        solver.cluster = solver.checkpoint = None
        shared = self.cluster and self.cluster.share(problem)
        average = mixture.average()
        for pass_ in range(first, self.passes):
            if pass_ == self.passes // 2:
                mixture.restart_average()
            slack, self.limited = 0., type(self).limited
            for round_ in range(rounds):
                jobs = [ShardRound(solver, self.shards, shard, pass_, rounds, round_)
                        for shard in range(self.shards)]
                try:
                    changes = self.run_shards(
                        problem, shared, mixture.weights, jobs,
                        partial(clock.check_stop, pass_ + 1,
                                (pass_ + round_ / rounds) / self.passes))
                except StopEarly:
                    break
                mixture.add(changes)
                slack += sum(change.slack for change in changes)
                self.limited += sum(change.limited for change in changes)
            average = mixture.average()
            if clock.stopped:
                break
            clock.oracle_calls += n
            self.end_pass(problem, clock, pass_, slack, average, mixture.state())
            if clock.stopped:
                break
        return Solution(average, clock.reports, stopped=clock.stopped)

    def run_shards(self, problem: Problem, shared, weights: np.ndarray,
                   jobs: list[ShardRound], check_cancelled: CheckCancelled
                   ) -> list[Change]:
        """A round on all shards, on a cluster or on threads."""
        if self.cluster is not None:
            return list(self.cluster.imap(
                run_round, jobs, shared, self.cluster.share(weights),
                check_cancelled=check_cancelled))
        return map_chunks(
            lambda k, _: run_round(problem, weights, jobs[k]._replace(
                solver=copy(jobs[k].solver))),
            len(jobs), self.n_jobs, check_cancelled, size=1)

    def average(self, model, step: int):
        return model.averaged(max(1, step))

    def candidate(self, problem: Problem, model, i: int):
        """The output of example i that is compared with the true one."""
        return problem.most_violated(i, model)

    @abstractmethod
    def update(self, problem: Problem, model, i: int, step: int, n: int) -> float:
        """Change the model by example i; return the example's hinge loss.

        step : how many steps are part of the average so far
        """


class Perceptron(OnlineSolver):
    """Averaged structured perceptron: add what the prediction lacks. No C."""

    mixes = distributes = True

    def candidate(self, problem, model, i):
        return problem.best(i, model)

    def update(self, problem, model, i, step, n):
        y_hat = self.candidate(problem, model, i)
        loss = problem.example_loss(i, y_hat)
        if loss > 0:
            delta = problem.difference(i, y_hat)
            loss -= model.dot(i, delta)
            model.add(i, delta, 1., step)
        return max(0., loss)


class MIRA(OnlineSolver):
    """Margin infused relaxed algorithm (6.1), averaged, on the worst output.

    The smallest change of w that gives the most violated output the margin
    that its loss asks for, but at most C times the difference of the features.
    """

    limited = 0
    mixes = distributes = True

    def candidate(self, problem, model, i):
        # a loss is a share of the example; MIRA's margin counts its parts
        return problem.most_violated(i, model, problem.size(i))

    def update(self, problem, model, i, step, n):
        size = problem.size(i)
        y_hat = self.candidate(problem, model, i)
        loss = size * problem.example_loss(i, y_hat)
        if loss <= 0:
            return 0.
        delta = problem.difference(i, y_hat)
        norm = model.squared_norm_of(i, delta)
        hinge = loss - model.dot(i, delta)
        if hinge > 0 and norm > 0:
            self.limited += int(hinge / norm > self.C)
            self.before_change(i, y_hat)
            model.add(i, delta, min(self.C, hinge / norm), step)
        return max(0., hinge) / size

    def before_change(self, i: int, y_hat: Output) -> None:
        """For subclasses: example i is about to change weights of its true output and of
        y_hat."""


class Subgradient(OnlineSolver):
    """Stochastic subgradient descent with steps 1/t (Pegasos).

    w_t is C / t times the sum of all subgradients so far; w holds the sum, its
    factor is C / t. The average weighs w_t by t. After some hundred steps the factor
    changes only when t has grown by a hundredth: at each change, all weights are scaled.
    """

    averages_all = True

    def update(self, problem, model, i, step, n):
        model.rescale(self.C / max(1, step - step % max(1, step // SCALED_PER_STEPS)))
        y_hat = self.candidate(problem, model, i)
        loss = problem.example_loss(i, y_hat)
        if loss <= 0:
            return 0.
        delta = problem.difference(i, y_hat)
        hinge = loss - model.dot(i, delta)
        if hinge > 0:
            model.add(i, delta, 1., step)
        return max(0., hinge)

    def average(self, model, step):
        average = model.averaged(max(1, step))
        average.rescale(self.C * 2 / (max(1, step) + 1))
        return average
