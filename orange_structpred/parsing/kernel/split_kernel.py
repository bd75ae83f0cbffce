"""Kernel training with the Gram matrix divided over the workers of a cluster.

Each shard of sentences has its rows of the matrix, which are computed where they are
kept, so no machine holds all of it. A model is sent as the entries of its index;
scores, and inner products of cutting planes, are computed where the rows are.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.kernels import InputKernel
from orange_structpred.parsing.kernel.kernel_problem import KernelProblem
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.cluster import Cluster, Task
from orange_structpred.running.compiler import njit
from orange_structpred.svm.atomic.hashed_symbols import HashedSymbols
from orange_structpred.svm.atomic.index_model import AveragedModel
from orange_structpred.svm.atomic.plane_products import index_product
from orange_structpred.svm.atomic.symbol_index import Index, value_score
from orange_structpred.svm.distributed import (
    Oracle,
    mean_plane,
    shard_bounds,
    sum_of_chunks,
)
from orange_structpred.svm.planes import ChunkPlane, chunk_plane
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.sentence import Sentence


class SplitKernelProblem(KernelProblem):
    """A kernel problem whose Gram matrix is nowhere as a whole; for one-slack only."""

    def __init__(self, encoded: Encoded, hashed: HashedSymbols, n_values: int,
                 kernel: InputKernel, sentences: Sequence[Sentence], decoder: int,
                 single_root: bool = True):
        super().__init__(encoded, hashed, n_values, np.zeros((0, 0), np.float32),
                         decoder, single_root)
        self.kernel, self.sentences = kernel, sentences

    def oracle_of(self, cluster: Cluster | None, n_jobs: int = 1) -> SplitKernelOracle:
        if cluster is None:
            raise InputError("a Gram matrix in parts needs a cluster")
        return SplitKernelOracle(self, cluster)

    def fingerprint(self) -> str:
        return f"{super().fingerprint()} {fingerprint(self.hashed)} {self.kernel!r}"


class Entries(NamedTuple):
    """The filled part of an index, by the values that have entries."""

    values: np.ndarray          # int64, sorted
    starts: np.ndarray          # int64
    filled: np.ndarray          # int32
    examples: np.ndarray        # int32
    coefficients: np.ndarray    # float64


def filled_entries(index: Index) -> Entries:
    values = np.flatnonzero(index.filled)
    filled = index.filled[values]
    starts = np.concatenate([[0], np.cumsum(filled, dtype=np.int64)])
    places = (np.repeat(index.starts[values] - starts[:-1], filled)
              + np.arange(starts[-1]))
    return Entries(values, starts[:-1], filled, index.examples[places],
                   index.coefficients[places])


class Shard(NamedTuple):
    """Some sentences with their rows of the Gram matrix.

    Their hash values are numbered anew: number k is values[k] of the whole. The first
    sentence is number `first` of the whole.
    """

    problem: KernelProblem
    first: int
    values: np.ndarray

    def index_of(self, entries: Entries) -> Index:
        """What the values of this shard have of an index."""
        places = np.searchsorted(entries.values, self.values)
        places[places == len(entries.values)] = 0
        present = np.zeros(len(self.values), bool) if not len(entries.values) else \
            entries.values[places] == self.values
        starts, filled = (np.zeros(len(self.values), kind) for kind in ("i8", "i4"))
        starts[present] = entries.starts[places[present]]
        filled[present] = entries.filled[places[present]]
        return Index(starts, filled, entries.examples, entries.coefficients,
                     np.zeros(0), np.zeros(0, np.int32))

    def model(self, entries: Entries) -> AveragedModel:
        return AveragedModel(self.problem, self.index_of(entries))


class ShardInput(NamedTuple):
    """What a shard is made of, but for the columns of its rows."""

    encoded: Encoded
    hashed: HashedSymbols
    bounds: tuple[int, int]
    decoder: int
    single_root: bool


def shard_input(problem: SplitKernelProblem, bounds: tuple[int, int]) -> ShardInput:
    first, last = bounds
    hashed = problem.hashed

    def part(starts: np.ndarray, *arrays: np.ndarray) -> list[np.ndarray]:
        span = slice(starts[first], starts[last])
        return [starts[first:last + 1] - starts[first], *(array[span] for array in arrays)]

    return ShardInput(
        problem.encoded.between(first, last),
        HashedSymbols(*part(hashed.unique, hashed.ids, hashed.factors),
                    *part(hashed.symbols, hashed.starts),
                    *part(hashed.values, hashed.local)),
        bounds, problem.decoder, problem.single_root)


def make_shard(columns: tuple[InputKernel, Sequence[Sentence]], shard: ShardInput) -> Shard:
    """Compute the rows of a shard; runs where they are kept."""
    kernel, sentences = columns
    values, ids = np.unique(shard.hashed.ids, return_inverse=True)
    return Shard(KernelProblem(
        shard.encoded, shard.hashed._replace(ids=ids.astype(np.int32)), len(values),
        kernel.gram(sentences[slice(*shard.bounds)], sentences), shard.decoder,
        shard.single_root), shard.bounds[0], values)


def kernel_shard_plane(entries: Entries, factor: float, shard: Shard) -> ChunkPlane:
    """The oracle over a shard."""
    model, problem = shard.model(entries), shard.problem
    model.factor = factor
    plane = sum_of_chunks(problem, [
        chunk_plane(problem, first, min(first + problem.chunk_size, len(problem)), model)
        for first in range(0, len(problem), problem.chunk_size)])
    return plane._replace(features=plane.features._replace(
        examples=plane.features.examples + shard.first))


def shard_best(entries: Entries, factor: float, job: tuple[Shard, np.ndarray]
               ) -> Sequence[np.ndarray]:
    """The predictions for some sentences of a shard."""
    shard, sample = job
    model = shard.model(entries)
    model.factor = factor
    return Oracle(shard.problem).best(sample, model)


def shard_scores(entries: Entries, job: tuple[Shard, np.ndarray]) -> np.ndarray:
    """What an index scores for some own values of a shard's sentences."""
    shard, places = job
    hashed = shard.problem.hashed
    rows = np.searchsorted(hashed.unique, places, side="right") - 1
    return value_scores(shard.index_of(entries), hashed.ids[places], rows,
                        shard.problem.gram)


@njit(nogil=True, cache=True)
def value_scores(index, values, rows, gram):
    scores = np.empty(values.size)
    for k in range(values.size):
        scores[k] = value_score(index, values[k], gram[rows[k]])
    return scores


class SplitKernelOracle(Oracle):
    """What one-slack asks, answered where the rows of the Gram matrix are."""

    problem: SplitKernelProblem

    def __init__(self, problem: SplitKernelProblem, cluster: Cluster):
        super().__init__(problem)
        self.cluster = cluster
        self.bounds = shard_bounds(len(problem))
        columns = cluster.share((problem.kernel, problem.sentences))
        self.shards = [Task(cluster, make_shard, (columns,),
                            cluster.send(shard_input(problem, bound)))
                       for bound in self.bounds]

    def ask(self, check_cancelled: CheckCancelled, work: Callable, jobs: Sequence,
            *shared) -> list:
        return list(self.cluster.imap(work, jobs, *map(self.cluster.share, shared),
                                      check_cancelled=check_cancelled))

    def separate(self, model, check_cancelled):
        return mean_plane(self.problem, self.ask(
            check_cancelled, kernel_shard_plane, self.shards, filled_entries(model.index),
            model.factor))

    def best(self, sample, model):
        jobs = [(shard, chosen - first) for shard, (first, last) in
                zip(self.shards, self.bounds)
                if len(chosen := sample[(sample >= first) & (sample < last)])]
        return [heads for part in self.ask(
            never_cancelled, shard_best, jobs, filled_entries(model.index), model.factor)
            for heads in part]

    def inner_products(self, plane, others):
        problem = self.problem
        unique = problem.hashed.unique
        index = problem.new_planes().index_of([plane], np.ones(1)).index
        asked = np.zeros(len(problem.hashed.ids), bool)
        for other in others:
            examples, starts, indices, _ = other.features
            asked[np.repeat(unique[examples], np.diff(starts)) + indices] = True
        jobs = [(shard, np.flatnonzero(asked[unique[first]:unique[last]]))
                for shard, (first, last) in zip(self.shards, self.bounds)]
        known = np.full(len(asked), np.nan)
        known[asked] = np.concatenate(self.ask(
            never_cancelled, shard_scores, jobs, filled_entries(index)))
        return np.array([
            index_product(problem.hashed, index, problem.gram, *other.features, known)
            for other in others]) / len(problem)
