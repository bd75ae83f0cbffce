"""One-slack cutting planes from samples of the examples (Yu and Joachims, 2008)."""
from __future__ import annotations

from functools import partial

import numpy as np

from orange_structpred.kinds import RealNumber
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.one_slack import OneSlack
from orange_structpred.svm.planes import Plane
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.solver import Clock, Solution


class SampledCuts(OneSlack):
    """One-slack cutting planes that ask the oracle about a sample of the examples.

    For oracles that are slow. The other examples keep the outputs of their last
    round, so each plane is one of the whole training set, and the dual objective
    bounds the optimum as it does in `OneSlack`. When a sample finds no plane that is
    violated by more than epsilon, the oracle is asked about all examples, which
    certifies the model or gives a better plane.

    Parameters
    ----------
    sample : float, default=0.1
        Share of the examples in each sample

    The other parameters are those of `Solver`.
    """

    distributes = False
    own_options = ("sample",)

    def __init__(self, *, sample: float = 0.1, **options):
        super().__init__(**options)
        self.sample = sample

    def check(self):
        super().check()
        RealNumber(high=1.).check("sample", self.sample)

    def run(self, problem: Problem, clock: Clock, start) -> Solution:
        self._outputs = [problem.gold(i) for i in range(len(problem))]
        self._certified = False     # is there a model with a known objective?
        return super().run(problem, clock, start)

    def cut(self, oracle, model, clock, round_, slack):
        problem = oracle.problem
        n, fraction = len(problem), round_ / self.passes
        if self._certified and round_ + 1 < self.passes:
            rng, hinges = np.random.default_rng([self.random_state, round_]), np.zeros(n)
            for i in rng.choice(n, max(1, round(self.sample * n)), replace=False):
                clock.check_stop(round_ + 1, fraction)
                self._outputs[i] = problem.most_violated(i, model)
                clock.oracle_calls += 1
            for i, y in enumerate(self._outputs):
                hinges[i] = problem.example_loss(i, y) - model.dot(
                    i, problem.difference(i, y))
                if hinges[i] < 0:
                    self._outputs[i], hinges[i] = problem.gold(i), 0.
            if hinges.mean() > slack + self.epsilon:
                return self._plane(problem), np.nan
        chunks = map_chunks(
            lambda first, last: problem.violated(first, last, model), n, self.n_jobs,
            partial(clock.check_stop, round_ + 1, fraction), size=problem.chunk_size)
        clock.oracle_calls += n
        self._certified = True
        self._outputs = [y for chunk in chunks for y in chunk.outputs]
        return self._plane(problem), sum(chunk.hinges.sum() for chunk in chunks) / n

    def _plane(self, problem: Problem) -> Plane:
        """The plane of the outputs that the examples have now."""
        return Plane(
            float(np.mean([problem.example_loss(i, y)
                           for i, y in enumerate(self._outputs)])),
            problem.new_planes().chunk_features(0, self._outputs))
