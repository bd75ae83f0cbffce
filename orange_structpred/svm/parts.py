"""Outputs that are sets of parts: score, difference and feature vector are sums.

A tree is its edges (and, in second order, its siblings and grandparents), a sequence
its tags and pairs of tags. A part is a number that the problem gives it. Outputs of
one example share most of their parts, so everything is computed part by part, each
part once.
"""
from __future__ import annotations

from abc import abstractmethod
from itertools import accumulate

import numpy as np

from orange_structpred.running.compiled_arrays import copy_into, sorted_order
from orange_structpred.running.compiler import njit
from orange_structpred.svm.blocks import Blocks
from orange_structpred.svm.problem import Output, Problem
from orange_structpred.svm.vectors import SparseVector


class PartsProblem(Problem):
    """A problem with parts; a subclass says what they are and what they score."""

    @abstractmethod
    def parts(self, i: int, y: Output) -> np.ndarray:
        """The parts of an output of example i: int64, sorted, each once."""

    @abstractmethod
    def part_vector(self, i: int, parts: np.ndarray, values: np.ndarray
                    ) -> SparseVector:
        """The sum of value * phi(part)."""

    @abstractmethod
    def part_scores(self, i: int, parts: np.ndarray, model) -> np.ndarray:
        """<w, phi(part)> of some parts."""

    @abstractmethod
    def part_products(self, i: int, parts: np.ndarray, vector: SparseVector
                      ) -> np.ndarray:
        """<phi(part), vector> of some parts; the vector is one of example i."""

    def difference(self, i: int, y_hat: Output) -> SparseVector:
        return self.part_vector(i, *signed_parts(
            self.parts(i, self.gold(i)), self.parts(i, y_hat)))

    def new_blocks(self, examples: Problem | None = None) -> Blocks:
        return PartBlocks(self) if examples is None else Blocks(examples)


class PartBlocks(Blocks):
    """Blocks of a problem whose outputs are sets of parts; they are kept as such."""

    problem: PartsProblem

    def __init__(self, problem: PartsProblem):
        super().__init__(problem)
        self._differing: tuple[list, tuple] = [], ()

    def kept(self, i, y):
        return self.problem.parts(i, y)

    def true_output(self, i):
        return self.kept(i, self.problem.gold(i))

    @staticmethod
    def equal(one, other):
        return np.array_equal(one, other)

    def differing(self, outputs: list):
        """`all_signed_parts` against the true output, which is the first; remembered
        for as long as nobody asks about others."""
        if outputs is not self._differing[0]:
            starts = np.array(list(accumulate(map(len, outputs), initial=0)))
            self._differing = outputs, all_signed_parts(
                outputs[0], np.concatenate(outputs), starts)
        return self._differing[1]

    def violations(self, i, block, model):
        parts, which, values, owners = self.differing(block.outputs)
        scores = self.problem.part_scores(i, parts, model)
        return block.losses - sum_by_output(
            which, values, owners, scores, len(block.outputs))

    def combination(self, i, block, alpha, scale):
        parts, which, values, owners = self.differing(block.outputs)
        return self.problem.part_vector(
            i, parts, sum_by_part(len(parts), which, values, owners, alpha)), scale

    def products(self, i, outputs):
        parts, which, values, owners = self.differing(outputs)
        last = owners == len(outputs) - 1
        vector = self.problem.part_vector(i, parts[which[last]], values[last])
        scores = self.problem.part_products(i, parts, vector)
        return sum_by_output(which, values, owners, scores, len(outputs))

    def pack_outputs(self, outputs):
        return {"output_sizes": np.array([len(output) for output in outputs]),
                "output_parts": np.concatenate(outputs)}

    def unpack_outputs(self, arrays):
        return np.split(arrays["output_parts"],
                        np.cumsum(arrays["output_sizes"])[:-1])


@njit(nogil=True, cache=True)
def signed_parts(gold, other):
    """The parts in which two outputs differ: 1 for those of gold, -1 for the other's."""
    parts = np.empty(gold.size + other.size, np.int64)
    values = np.empty(parts.size, np.float32)
    n_parts = g = o = 0
    while g < gold.size or o < other.size:
        if o == other.size or g < gold.size and gold[g] < other[o]:
            parts[n_parts], values[n_parts] = gold[g], 1
            n_parts += 1
            g += 1
        elif g == gold.size or other[o] < gold[g]:
            parts[n_parts], values[n_parts] = other[o], -1
            n_parts += 1
            o += 1
        else:
            g += 1
            o += 1
    return parts[:n_parts], values[:n_parts]


@njit(nogil=True, cache=True)
def all_signed_parts(gold, flat, starts):
    """`signed_parts` of several outputs, given one after the other.

    Returns the distinct parts, and for each difference which of these it is, its
    sign, and which output it belongs to.
    """
    total = 0
    for k in range(starts.size - 1):
        total += gold.size + starts[k + 1] - starts[k]
    parts = np.empty(total, np.int64)
    values = np.empty(total, np.float32)
    owners = np.empty(total, np.int64)
    n_parts = 0
    for k in range(starts.size - 1):
        differing, signs = signed_parts(gold, flat[starts[k]:starts[k + 1]])
        copy_into(parts[n_parts:], differing)
        copy_into(values[n_parts:], signs)
        owners[n_parts:n_parts + differing.size] = k
        n_parts += differing.size
    parts = parts[:n_parts]
    order = sorted_order(parts)
    distinct = np.empty(n_parts, np.int64)
    which = np.empty(n_parts, np.int64)
    n_distinct = 0
    for k in order:
        if n_distinct == 0 or distinct[n_distinct - 1] != parts[k]:
            distinct[n_distinct] = parts[k]
            n_distinct += 1
        which[k] = n_distinct - 1
    return distinct[:n_distinct], which, values[:n_parts], owners[:n_parts]


@njit(nogil=True, cache=True)
def sum_by_output(which, values, owners, scores, n_outputs):
    """For each output the sum of sign * score over the parts in which it differs."""
    result = np.zeros(n_outputs)
    for k in range(which.size):
        result[owners[k]] += values[k] * scores[which[k]]
    return result


@njit(nogil=True, cache=True)
def sum_by_part(n_parts, which, values, owners, alpha):
    """For each part the sum of alpha * sign over the outputs that differ in it."""
    result = np.zeros(n_parts)
    for k in range(which.size):
        result[which[k]] += alpha[owners[k]] * values[k]
    return result.astype(np.float32)
