"""Which hash functions a kernel parser needs, and how much each should count.

What a hash function is worth shows in sentences that its values' weights were not learned
from: there the functions are features of a small problem of its own, one weight for each of
them. The weights begin with 1 and are learned by MIRA; then those functions are left out
that are missed least, and the weights of the others are learned anew, until few enough are
left. That the others take over what is left out matters: functions are missed less when
they are left out in small steps.
"""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.tree_problem import TreeProblem, best_tree
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.running.threads import map_chunks
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.online import MIRA, OnlineState
from orange_structpred.svm.solver import Solution
from orange_structpred.svm.vectors import SparseVector
from orange_structpred.treebank.encoding import Encoded

LEFT_OUT = 12       # one in so many functions in a step
PASSES, C = 3, 0.01     # of MIRA: small steps, since the weights begin near their best


@njit(nogil=True, cache=True)
def weighted_sum(scores, start, length, weights):
    """The scores of the edges of a sentence: what each function gives, times its weight."""
    size = length * length
    total = np.zeros(size)
    for function in range(weights.size):
        if weights[function] != 0:
            first = start + function * size
            for edge in range(size):
                total[edge] += weights[function] * scores[first + edge]
    return total.reshape(length, length).astype(np.float32)


@njit(nogil=True, cache=True)
def decode_weighted_chunk(first, last, scores, starts, weights, offsets, gold, annotated,
                          loss_weight, decoder, single_root, heads, hinges):
    """Trees and hinge losses of sentences first..last - 1, into arrays that begin with
    them."""
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        tree, hinges[i - first] = best_tree(
            weighted_sum(scores, starts[i], stop - start, weights), gold[start:stop],
            annotated[start:stop], loss_weight, decoder, single_root)
        copy_into(heads[start - offsets[first]:stop - offsets[first]], tree)


@njit(nogil=True, cache=True)
def add_hinges_without(first, last, scores, starts, weights, offsets, gold, annotated,
                       decoder, single_root, hinges):
    """Add to hinges[function] those of sentences first..last - 1, parsed without the
    function."""
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        length = stop - start
        total = weighted_sum(scores, starts[i], length, weights)
        for function in range(weights.size):
            of_function = starts[i] + function * length * length
            without = total.copy()
            for head in range(length):
                for dependent in range(length):
                    without[head, dependent] -= weights[function] * scores[
                        of_function + head * length + dependent]
            hinges[function] += best_tree(
                without, gold[start:stop], annotated[start:stop], length - 1, decoder,
                single_root)[1]


class FunctionWeights(TreeProblem):
    """Trees whose features are what each hash function gives them; w is its weight.

    Parameters
    ----------
    encoded : the sentences
    n_functions : how many there are
    scores : for each sentence scores[function, head, dependent], of a model that was
        learned from others
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, n_functions: int, scores: Iterable[np.ndarray],
                 decoder: int, single_root: bool = True):
        super().__init__(encoded, n_functions, decoder, single_root)
        sizes = n_functions * (encoded.lengths() + 1)**2
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.scores = np.empty(self.starts[-1], np.float32)
        for start, of_edges in zip(self.starts, scores):
            self.scores[start:start + of_edges.size] = of_edges.ravel()
        self.kept = np.ones(self.dim, bool)

    def function_scores(self, i: int) -> np.ndarray:
        """Of each function and edge; edges have the numbers of parts."""
        length = self.size(i) + 1
        scores = self.scores[self.starts[i]:self.starts[i + 1]]
        return scores.reshape(-1, length, length).transpose(0, 2, 1).reshape(
            len(self.kept), -1)

    def decode_chunk(self, first, last, model, loss_weight, heads, hinges):
        decode_weighted_chunk(
            first, last, self.scores, self.starts, self.kept * model.weights(),
            self.encoded.offsets, self.trees, self.annotated, loss_weight, self.decoder,
            self.single_root, heads, hinges)

    def part_vector(self, i, parts, values) -> SparseVector:
        sums = self.function_scores(i)[:, parts] @ values
        return SparseVector(np.flatnonzero(self.kept), sums[self.kept])

    def part_scores(self, i, parts, model):
        return (self.kept * model.weights()) @ self.function_scores(i)[:, parts]

    def part_products(self, i, parts, vector):
        return vector.values @ self.function_scores(i)[vector.indices][:, parts]

    def fingerprint(self):
        return f"{super().fingerprint()} {fingerprint(self.scores, self.kept)}"

    # what is chosen

    def learned(self, weights: np.ndarray, random_state: int,
                check_cancelled: CheckCancelled) -> np.ndarray:
        """Weights of the functions that are kept, learned from some others on."""
        model = LinearModel(self.dim, averaging=True)
        model.w[:] = weights * self.kept
        start = Solution(model, [], dual_state=OnlineState(model))
        solution = MIRA(C=C, passes=PASSES, random_state=random_state).solve(
            self, lambda report: check_cancelled(), start=start)
        return np.maximum(0., solution.model.weights() * self.kept)

    def hinges_without(self, weights: np.ndarray,
                       check_cancelled: CheckCancelled = never_cancelled) -> np.ndarray:
        """For each function the sum of the hinge losses if it is left out."""
        hinges = np.zeros(self.dim)
        map_chunks(lambda first, last: add_hinges_without(
            first, last, self.scores, self.starts, weights.astype(np.float32),
            self.encoded.offsets, self.trees, self.annotated, self.decoder,
            self.single_root, hinges), len(self), check_cancelled=check_cancelled)
        return hinges

    def choose(self, most: int, *, random_state: int = 0,
               check_cancelled: CheckCancelled = never_cancelled) -> np.ndarray:
        """Weights of at most so many functions; those of the others are 0."""
        weights = self.learned(np.ones(self.dim, np.float32), random_state, check_cancelled)
        while (n_kept := np.count_nonzero(self.kept)) > most:
            hinges = np.where(
                self.kept, self.hinges_without(weights, check_cancelled), np.inf)
            n_out = min(n_kept - most, max(1, n_kept // LEFT_OUT))
            self.kept[np.argsort(hinges, kind="stable")[:n_out]] = False
            weights = self.learned(weights, random_state, check_cancelled)
        return weights

    def norms(self, weights: np.ndarray) -> np.ndarray:
        """How far each function moves the scores of edges: the root of the mean square."""
        squares = np.zeros(self.dim)
        for i in range(len(self)):
            squares += np.square(self.function_scores(i), dtype=np.float64).sum(axis=1)
        return weights * np.sqrt(squares / np.square(self.encoded.lengths() + 1.).sum())
