"""The oracle on a cluster, exactly.

Examples are divided into shards by their number alone, so neither how many workers
there are nor which of them die makes a difference to the result.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.planes import ChunkPlane, Plane, chunk_plane

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster
    from orange_structpred.svm.problem import Problem

SHARD = 1024        # examples whose planes are summed up before they are sent

Bounds = tuple[int, int]


def shard_bounds(n: int, size: int = SHARD) -> list[Bounds]:
    """First and last + 1 example of each shard."""
    return [(first, min(first + size, n)) for first in range(0, n, size)]


def shard_plane(problem: Problem, model, bounds: Bounds) -> ChunkPlane:
    """The oracle over a shard, summed up."""
    first, last = bounds
    return sum_of_chunks(problem, [
        chunk_plane(problem, start, min(start + problem.chunk_size, last), model)
        for start in range(first, last, problem.chunk_size)])


def sum_of_chunks(problem: Problem, chunks: Iterable[ChunkPlane]) -> ChunkPlane:
    """The sum of what chunks contribute; each is forgotten before the next one comes."""
    loss = hinge = 0.

    def features() -> Iterator:
        nonlocal loss, hinge
        for chunk in chunks:
            loss += chunk.loss
            hinge += chunk.hinge
            yield chunk.features

    total = problem.new_planes().join(features())
    return ChunkPlane(loss, hinge, total)


def mean_plane(problem: Problem, shards: Iterable[ChunkPlane]) -> tuple[Plane, float]:
    """The plane of all examples and their mean hinge loss."""
    n, whole = len(problem), sum_of_chunks(problem, shards)
    return Plane(whole.loss / n, whole.features), whole.hinge / n


def separate_all(problem: Problem, model, *, n_jobs: int = 1,
                 check_cancelled: CheckCancelled = never_cancelled
                 ) -> tuple[Plane, float]:
    """The plane of all most violated outputs and the mean hinge loss.

    The result is the same for any number of threads.
    """
    size = problem.chunk_size
    chunks = map_chunks(lambda first, last: chunk_plane(problem, first, last, model),
                        len(problem), n_jobs, check_cancelled, size=size)
    # as the workers of a cluster sum them up: sums in another order are not the same
    per_shard = -(-SHARD // size)
    return mean_plane(problem, [sum_of_chunks(problem, chunks[k:k + per_shard])
                                for k in range(0, len(chunks), per_shard)])


class Oracle:
    """What one-slack asks of all examples, on the threads of this machine."""

    def __init__(self, problem: Problem, n_jobs: int = 1):
        self.problem, self.n_jobs = problem, n_jobs

    def separate(self, model, check_cancelled: CheckCancelled) -> tuple[Plane, float]:
        """The most violated outputs as a plane, and the mean hinge loss."""
        return separate_all(self.problem, model, n_jobs=self.n_jobs,
                            check_cancelled=check_cancelled)

    def inner_products(self, plane: Plane, others: Sequence[Plane]) -> np.ndarray:
        """A row of H (4.8)."""
        return self.problem.new_planes().inner_products(plane, others)

    def best(self, sample: np.ndarray, model) -> Sequence:
        """The predictions for some examples."""
        return self.problem.best_of(sample, model)


class ClusterOracle(Oracle):
    """The same on the workers of a cluster, each with a copy of the problem."""

    def __init__(self, problem: Problem, cluster: Cluster):
        super().__init__(problem)
        self.cluster, self.shared = cluster, cluster.share(problem)
        size = -(-SHARD // problem.chunk_size) * problem.chunk_size
        self.bounds = shard_bounds(len(problem), size)

    def separate(self, model, check_cancelled):
        # summed up as they come, while the workers go on
        return mean_plane(self.problem, self.cluster.imap(
            shard_plane, self.bounds, self.shared, self.cluster.share(model),
            check_cancelled=check_cancelled))
