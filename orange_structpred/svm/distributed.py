"""The oracle on a cluster, exactly.

Examples are divided into shards by their number alone, so neither how many workers
there are nor which of them die makes a difference to the result.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from orange_structpred.running.cancellation import Cancelled
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.planes import ChunkPlane, Plane, chunk_plane

if TYPE_CHECKING:
    from orange_structpred.running.cluster import Cluster
    from orange_structpred.svm.problem import Problem

SHARD = 1024        # examples whose planes are summed up before they are sent

Bounds = tuple[int, int]
Result = TypeVar("Result")


def shard_bounds(n: int, size: int = SHARD) -> list[Bounds]:
    """First and last + 1 example of each shard."""
    return [(first, min(first + size, n)) for first in range(0, n, size)]


def shard_plane(problem: Problem, model, bounds: Bounds) -> ChunkPlane:
    """The oracle over a shard, summed up."""
    first, last = bounds
    return joined(problem, [
        chunk_plane(problem, start, min(start + problem.chunk_size, last), model)
        for start in range(first, last, problem.chunk_size)])


def joined(problem: Problem, chunks: Iterable[ChunkPlane]) -> ChunkPlane:
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
    n, whole = len(problem), joined(problem, shards)
    return Plane(whole.loss / n, whole.features), whole.hinge / n


def separate_all(problem: Problem, model, *, n_jobs: int = 1, stop=lambda: False
                 ) -> tuple[Plane, float] | None:
    """The plane of all most violated outputs and the mean hinge loss.

    The result is the same for any number of threads. None when `stop` says so.
    """
    size = problem.chunk_size
    chunks = map_chunks(lambda first, last: chunk_plane(problem, first, last, model),
                        len(problem), n_jobs, stop, size=size)
    if chunks is None:
        return None
    # as the workers of a cluster sum them up: sums in another order are not the same
    per_shard = -(-SHARD // size)
    return mean_plane(problem, [joined(problem, chunks[k:k + per_shard])
                                for k in range(0, len(chunks), per_shard)])


class Oracle:
    """What one-slack asks of all examples, on the threads of this machine."""

    def __init__(self, problem: Problem, n_jobs: int = 1):
        self.problem, self.n_jobs = problem, n_jobs

    def separate(self, model, stop: Callable[[], bool]) -> tuple[Plane, float] | None:
        """The most violated outputs as a plane, and the mean hinge loss."""
        return separate_all(self.problem, model, n_jobs=self.n_jobs, stop=stop)

    def inner_products(self, plane: Plane, others: Sequence[Plane]) -> np.ndarray:
        """A row of H (4.8)."""
        return self.problem.new_planes().inner_products(plane, others)

    def best(self, sample: np.ndarray, model) -> list:
        """The predictions for some examples."""
        return self.problem.best_of(sample, model)


class ClusterOracle(Oracle):
    """The same on the workers of a cluster, each with a copy of the problem."""

    def __init__(self, problem: Problem, cluster: Cluster):
        super().__init__(problem)
        self.cluster, self.shared = cluster, cluster.share(problem)
        size = -(-SHARD // problem.chunk_size) * problem.chunk_size
        self.bounds = shard_bounds(len(problem), size)

    def separate(self, model, stop):
        # summed up as they come, while the workers go on
        return until(stop, partial(mean_plane, self.problem), self.cluster.imap,
                     shard_plane, self.bounds, self.shared, self.cluster.share(model))


def until(stop: Callable[[], bool], use: Callable[[Iterator], Result], imap: Callable,
          *arguments) -> Result | None:
    """use(results of `imap`); None if asked to stop before it has all of them."""
    def check_cancelled() -> None:
        if stop():
            raise Cancelled

    def results() -> Iterator:
        for result in imap(*arguments, check_cancelled=check_cancelled):
            yield result
            check_cancelled()

    try:
        return use(results())
    except Cancelled:
        return None
