"""Dependency trees as a problem for the solvers: heads, loss, mixtures of trees.

The output of a sentence is its array of heads, with the artificial root at
position 0. The loss is the share of tokens with a wrong head; it splits over
the edges as the scores do, so the same decoder predicts and separates. Where
the scores come from, a subclass says.
"""
from __future__ import annotations

from abc import abstractmethod
from hashlib import blake2b

import numpy as np
from numba import njit

from orange_structpred.parsing.decoders import decode
from orange_structpred.parsing.mixtures import mixed_edges
from orange_structpred.running.threads import Threads
from orange_structpred.svm.problem import Block, Problem, SparseVector
from orange_structpred.treebank.encoding import Encoded

CHUNK = 64      # sentences that a thread takes at a time


@njit(nogil=True, cache=True)
def add_loss(scores, gold, weight):
    """Raise every wrong edge by weight / n: the oracle's scores (4.21)."""
    length = scores.shape[0]
    share = np.float32(weight / (length - 1))
    for head in range(length):
        for dependent in range(1, length):
            if gold[dependent] != head:
                scores[head, dependent] += share


@njit(nogil=True, cache=True)
def tree_score(scores, heads):
    total = 0.
    for dependent in range(1, heads.size):
        total += scores[heads[dependent], dependent]
    return total


@njit(nogil=True, cache=True, inline="always")
def best_tree(scores, gold, loss_weight, decoder, single_root):
    """The best tree, or the most violated one where the loss has a weight, and
    how far its score is above that of the gold tree."""
    if loss_weight == 0:
        return decode(scores, decoder, single_root), 0.
    add_loss(scores, gold, loss_weight)
    heads = decode(scores, decoder, single_root)
    hinge = tree_score(scores, heads) - tree_score(scores, gold)
    if hinge < 0:   # the decoder cannot build the gold tree, but it is an output too
        return gold.copy(), 0.
    return heads, hinge


class TreeProblem(Problem):
    """Sentences and their trees.

    Parameters
    ----------
    encoded : the sentences
    dim : how many weights there are
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, dim: int, decoder: int,
                 single_root: bool):
        self.encoded, self.dim = encoded, dim
        self.decoder, self.single_root = decoder, single_root
        self.bounds = encoded.offsets.tolist()

    def __len__(self) -> int:
        return len(self.encoded)

    def size(self, i: int) -> int:
        return self.bounds[i + 1] - self.bounds[i] - 1

    def gold(self, i: int) -> np.ndarray:
        return self.encoded.heads[self.bounds[i]:self.bounds[i + 1]]

    def tokens(self, i: int) -> np.ndarray:
        return self.encoded.tokens[self.bounds[i]:self.bounds[i + 1]]

    def loss(self, y, y_hat) -> float:
        return np.count_nonzero(y != y_hat) / (len(y) - 1)

    # what a subclass says

    @abstractmethod
    def decode_example(self, i: int, model, loss_weight: float) -> np.ndarray:
        """The best tree of a sentence, or the most violated one."""

    @abstractmethod
    def decode_chunk(self, first: int, last: int, model, loss_weight: float,
                     heads: np.ndarray, hinges: np.ndarray) -> None:
        """Trees and hinge losses of some sentences, into flat arrays."""

    @abstractmethod
    def edge_vector(self, i: int, heads, dependents, values) -> SparseVector:
        """sum of values * phi(edge) over edges of a sentence."""

    # what solvers ask

    def best(self, i, model):
        return self.decode_example(i, model, 0.)

    def most_violated(self, i, model, weight: float = 1.):
        return self.decode_example(i, model, weight)

    def example_loss(self, i, y_hat) -> float:
        return self.loss(self.gold(i), y_hat)

    def all_most_violated(self, model, *, n_jobs=1, stop=lambda: False):
        return self.decode_all(model, loss_weight=1., n_jobs=n_jobs, stop=stop)

    def decode_all(self, model, *, loss_weight=0., n_jobs=1, stop=lambda: False):
        """Trees of all sentences, as a flat array, and their hinge losses."""
        heads = np.full_like(self.encoded.heads, -1)
        hinges = np.zeros(len(self))
        map_chunks(
            lambda first: self.decode_chunk(
                first, min(first + CHUNK, len(self)), model, loss_weight, heads,
                hinges),
            len(self), n_jobs, stop)
        return heads, hinges

    def difference(self, i, y_hat) -> SparseVector:
        gold = self.gold(i)
        wrong = np.flatnonzero(gold != y_hat)
        values = np.ones(2 * len(wrong), np.float32)
        values[len(wrong):] = -1
        return self.edge_vector(
            i, np.concatenate([gold[wrong], y_hat[wrong]]),
            np.concatenate([wrong, wrong]), values)

    # a block keeps trees, as heads

    @abstractmethod
    def differences(self, i: int, trees: np.ndarray, model) -> np.ndarray:
        """<w, a(tree)> of some trees, rows of heads."""

    @abstractmethod
    def products(self, i: int, trees: np.ndarray) -> np.ndarray:
        """<a(tree), a(last tree)> of some trees, rows of heads."""

    def empty_block(self, i) -> Block:
        return Block([self.gold(i)], np.zeros(1), np.ones(1), np.zeros((1, 1)))

    def extend(self, i, block, y_hat) -> Block:
        trees = np.array([*block.outputs, y_hat])
        if np.any(np.all(trees[:-1] == y_hat, axis=1)):
            return block
        return block.with_output(
            y_hat, self.example_loss(i, y_hat), self.products(i, trees))

    def violations(self, i, block, model) -> np.ndarray:
        return block.losses - self.differences(i, np.array(block.outputs), model)

    def mixture(self, i, block, alpha) -> SparseVector:
        return self.edge_vector(i, *mixed_edges(
            self.gold(i), np.array(block.outputs), alpha))

    def pack_outputs(self, outputs):
        return {"output_heads": np.concatenate(outputs)}

    def unpack_outputs(self, arrays, examples):
        ends = np.cumsum(self.encoded.lengths()[examples] + 1)[:-1]
        return np.split(arrays["output_heads"], ends)

    def fingerprint(self) -> str:
        digest = blake2b(self.encoded.tokens.tobytes(), digest_size=8)
        digest.update(self.encoded.heads.tobytes())
        return (f"{len(self)} sentences {digest.hexdigest()} dim={self.dim} "
                f"decoder={self.decoder} single_root={self.single_root}")

    def each(self, flat: np.ndarray) -> list[np.ndarray]:
        """A view for each sentence of a flat array, the root's place included."""
        return [flat[start:stop] for start, stop in zip(self.bounds, self.bounds[1:])]

    def mean_loss(self, outputs: np.ndarray) -> float:
        """Mean loss of the heads of all sentences, given as a flat array."""
        wrong = np.add.reduceat(outputs != self.encoded.heads,
                                self.encoded.offsets[:-1])
        return float(np.mean(wrong / self.encoded.lengths()))


def map_chunks(work, n: int, n_jobs: int, stop) -> None:
    """Call work(first) for chunks of sentences, on threads.

    What a chunk is does not depend on the number of threads.
    """
    chunks = range(0, n, CHUNK)
    asked: list[bool] = []
    if n_jobs == 1 or len(chunks) == 1:
        for first in chunks:
            if stop():
                return
            work(first)
        return
    with Threads(n_jobs) as pool:
        for _ in pool.map(lambda first: asked or work(first), chunks):
            if stop():
                asked.append(True)
