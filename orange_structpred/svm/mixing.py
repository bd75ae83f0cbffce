"""Online training on shards side by side, whose weights are mixed again and again.

Iterative parameter mixing (McDonald, Hall and Mann, 2010): each shard starts from the
same weights, and their mean is what all of them go on from. A mean of k shards learns k
times less from an example than a single learner does; so the mean change is kept on with
a momentum, which makes up for it (blockwise model-update filtering; Chen and Huo, 2016).

Examples are divided into shards by their number alone, so neither how many workers
there are nor which of them die makes a difference to the result.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from orange_structpred.svm.linear import LinearModel

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster
    from orange_structpred.svm.online import OnlineSolver
    from orange_structpred.svm.problem import Problem

PER_SHARD = 3_000   # examples, unless the number of shards is given
PER_ROUND = 200     # examples that a shard visits before weights are mixed
MOST_MOMENTUM = 0.9


def mixed_shards(asked: int | None, n: int, cluster: Cluster | None) -> int:
    """On how many shards of n examples a solver that mixes weights makes its passes."""
    return asked or (1 if cluster is None else max(1, round(n / PER_SHARD)))


class ShardRound(NamedTuple):
    """What a round on one shard needs besides the problem and the weights."""

    solver: OnlineSolver
    shards: int             # how many there are
    shard: int              # the number of this one
    pass_: int
    rounds: int             # of a pass
    round_: int


class Change(NamedTuple):
    """What a round on one shard has changed, at some places of the weights."""

    places: np.ndarray
    weights: np.ndarray     # by how much they differ at the end
    average: np.ndarray     # by how much they differed on average
    slack: float            # sum over the examples
    limited: float          # steps that C has cut short
    examples: int


def n_rounds(n: int, shards: int) -> int:
    """How often the weights of n examples are mixed in a pass."""
    return max(1, round(n / (shards * PER_ROUND)))


def run_round(problem: Problem, weights: np.ndarray, job: ShardRound) -> Change:
    """Some steps of an online solver on one shard, from the mixed weights on."""
    solver = job.solver
    model = problem.new_model(averaging=True)
    model.w[:] = weights
    members = np.arange(job.shard, len(problem), job.shards)
    rng = np.random.default_rng([solver.random_state, job.pass_, job.shard])
    examples = np.array_split(rng.permutation(members), job.rounds)[job.round_]
    solver.limited, slack = type(solver).limited, 0.
    for step, i in enumerate(examples.tolist()):
        slack += solver.update(problem, model, i, step, len(examples))
    average = model.averaged(max(1, len(examples))).w
    places = np.flatnonzero((model.w != weights) | (average != weights))
    before = weights[places]
    return Change(places, model.w[places] - before, average[places] - before, slack,
                  solver.limited, len(examples))


class Mixture:
    """The weights that all shards start from, round by round, and their average."""

    def __init__(self, weights: np.ndarray, shards: int):
        self.weights = weights
        self.momentum = weights.dtype.type(min(1 - 1 / shards, MOST_MOMENTUM))
        self.velocity, self.total = np.zeros_like(weights), np.zeros_like(weights)
        self.rounds = 0         # that are part of the total

    def add(self, changes: Sequence[Change]) -> None:
        """Go on by what the shards have changed, each by its number of examples."""
        n = sum(change.examples for change in changes)
        self.total += self.weights
        self.velocity *= self.momentum
        for change in changes:
            share = self.weights.dtype.type(change.examples / n)
            self.total[change.places] += share * change.average
            self.velocity[change.places] += share * change.weights
        # an array of its own: workers may still hold the one before
        self.weights = self.weights + self.velocity
        self.rounds += 1

    def restart_average(self) -> None:
        self.total[:], self.rounds = 0, 0

    def average(self) -> LinearModel:
        return LinearModel.of(self.total / self.weights.dtype.type(max(1, self.rounds)))

    def state(self) -> dict:
        """All that a checkpoint needs."""
        return {"w": self.weights, "velocity": self.velocity, "total": self.total,
                "rounds": self.rounds}

    def restore(self, state) -> None:
        self.weights, self.velocity, self.total = (
            np.array(state[name]) for name in ("w", "velocity", "total"))
        self.rounds = int(state["rounds"])
