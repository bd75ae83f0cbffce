"""Dependency trees as a problem for the solvers: heads, loss, edges as parts.

The output of a sentence is its array of heads, with the artificial root at
position 0. The loss is the share of tokens with a wrong head; it splits over
the edges as the scores do, so the same decoder predicts and separates. Where
the scores come from, a subclass says.

Of a partly annotated tree only some heads are known. Only these count in the loss, and
the best tree around them, under the model of the time, is learned in place of the gold
tree.
"""
from __future__ import annotations

from abc import abstractmethod
from array import array

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.parsing.decoding.by_errors import MOST_WORDS, best_by_errors
from orange_structpred.parsing.decoding.decoders import PROJECTIVE, decode
from orange_structpred.running.compiler import njit
from orange_structpred.running.threads import CHUNK
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.parts import PartsProblem
from orange_structpred.svm.problem import Separated
from orange_structpred.svm.vectors import SparseVector
from orange_structpred.treebank.encoding import Encoded


@njit(nogil=True, cache=True)
def add_loss(scores, gold, weight):
    """Raise every wrong edge by weight / n: the oracle's scores (4.21)."""
    length = scores.shape[0]
    share = np.float32(weight / (length - 1))
    for head in range(length):
        for dependent in range(1, length):
            if gold[dependent] != head and gold[dependent] >= 0:
                scores[head, dependent] += share


@njit(nogil=True, cache=True)
def tree_score(scores, heads):
    total = 0.
    for dependent in range(1, heads.size):
        total += scores[heads[dependent], dependent]
    return total


@njit(nogil=True, cache=True, inline="always")
def best_tree(scores, gold, annotated, loss_weight, decoder, single_root):
    """The best tree, or the most violated one where the loss has a weight, and
    how far its score is above that of the gold tree.

    annotated : heads that count in the loss, -1 for others; where the loss has a negative
        weight, the best tree is one that has them
    """
    if loss_weight != 0:
        add_loss(scores, annotated, loss_weight)
    heads = decode(scores, decoder, single_root)
    if loss_weight <= 0:
        return heads, 0.
    hinge = tree_score(scores, heads) - tree_score(scores, gold)
    if hinge < 0:   # the decoder cannot build the gold tree, but it is an output too
        return gold.copy(), 0.
    return heads, hinge


@njit(nogil=True, cache=True)
def edge_parts(heads):
    """The edges of a tree as numbers: dependent * length + head."""
    parts = np.empty(heads.size - 1, np.int64)
    for dependent in range(1, heads.size):
        parts[dependent - 1] = dependent * heads.size + heads[dependent]
    return parts


HULL_TOLERANCE = 1e-5       # scores are rounded
PENALTY = 1e4       # of an edge that contradicts an annotated one; no score is so large


class TreeProblem(PartsProblem):
    """Sentences and their trees, whose parts are edges.

    Parameters
    ----------
    encoded : the sentences
    dim : how many weights there are
    decoder : code of the decoder, one of `DECODERS`' values
    single_root : exactly one token depends on the root
    """

    chunk_size = CHUNK

    def __init__(self, encoded: Encoded, dim: int, decoder: int,
                 single_root: bool):
        self.encoded, self.dim = encoded, dim
        self.decoder, self.single_root = decoder, single_root
        self.bounds = array("q", encoded.offsets.tobytes())    # faster than numpy's
        self.annotated = encoded.annotated_heads()
        self.trees = encoded.heads if encoded.known is None else encoded.heads.copy()
        self.incomplete = frozenset() if encoded.known is None else frozenset(
            np.flatnonzero(~encoded.is_complete()).tolist())

    def __len__(self) -> int:
        return len(self.encoded)

    def size(self, i: int) -> int:
        return self.bounds[i + 1] - self.bounds[i] - 1

    def gold(self, i: int) -> np.ndarray:
        """The tree; of a partly annotated one, the best that was found around its known
        heads."""
        return self.trees[self.bounds[i]:self.bounds[i + 1]]

    def annotated_heads(self, i: int) -> np.ndarray:
        """The heads that are known; -1 for others."""
        return self.annotated[self.bounds[i]:self.bounds[i + 1]]

    def tokens(self, i: int) -> np.ndarray:
        return self.encoded.tokens[self.bounds[i]:self.bounds[i + 1]]

    def loss(self, y, y_hat) -> float:
        return np.count_nonzero(y != y_hat) / (len(y) - 1)

    def example_loss(self, i, y_hat) -> float:
        if i not in self.incomplete:
            return self.loss(self.gold(i), y_hat)
        known = self.annotated_heads(i)
        return np.count_nonzero((known != y_hat) & (known >= 0)) / (len(known) - 1)

    def parts(self, i, y) -> np.ndarray:
        return edge_parts(y)

    # what a subclass says

    @abstractmethod
    def decode_chunk(self, first: int, last: int, model, loss_weight: float,
                     heads: np.ndarray, hinges: np.ndarray) -> None:
        """Trees and hinge losses of some sentences, into arrays that begin with
        sentence `first`; heads are flat, each sentence with its root's place."""

    def decode_example(self, i: int, model, loss_weight: float) -> np.ndarray:
        """The best tree of a sentence, or the most violated one."""
        heads = np.empty(self.size(i) + 1, np.int32)
        self.decode_chunk(i, i + 1, model, loss_weight, heads, np.zeros(1))
        return heads

    # the four: x is the number of a sentence

    def joint_features(self, x, y) -> SparseVector:
        parts = self.parts(x, y)
        return self.part_vector(x, parts, np.ones(len(parts), np.float32))

    def predict(self, x, w):
        return self.decode_example(x, LinearModel.of(w), 0.)

    def separate(self, x, y, w):
        return self.decode_example(x, LinearModel.of(w), 1.)

    # what solvers ask

    def best(self, i, model):
        return self.decode_example(i, model, 0.)

    def most_violated(self, i, model, weight: float = 1.):
        if i in self.incomplete:
            self.complete(i, model)
        return self.decode_example(i, model, weight)

    def best_by_loss(self, i, model):
        """Exact for projective trees that are scored edge by edge; otherwise, and in very
        long sentences, what the decoder finds as the loss counts more and more."""
        if self.decoder != PROJECTIVE or self.size(i) > MOST_WORDS:
            return self.found_by_weights(i, model)
        length = self.size(i) + 1
        scores = np.zeros((length, length))     # by dependent and head, as parts are numbered
        parts = np.arange(length, length**2)
        scores[1:] = self.part_scores(i, parts, model).reshape(-1, length)
        trees, best = best_by_errors(scores.T, self.gold(i), self.single_root)
        return trees[best > -np.inf]

    def found_by_weights(self, i: int, model) -> list[np.ndarray]:
        """All trees that are the best for some weight of the loss (Sarawagi and Gupta,
        2008): the corners of the convex hull of losses and scores."""
        def decode_with(weight: float) -> tuple[float, float, np.ndarray]:
            heads = self.decode_example(i, model, weight)
            return (self.example_loss(i, heads), -model.dot(i, self.difference(i, heads)),
                    heads)

        lowest = decode_with(0.)
        # beyond this weight, neither a margin nor a slack gains by a larger loss
        highest = decode_with(self.size(i) * (1 + max(0., lowest[1])))
        found, between = [lowest, highest], [(lowest, highest)]
        while between:
            one, other = between.pop()
            if other[0] <= one[0] or len(found) > 2 * self.size(i):
                continue
            weight = (one[1] - other[1]) / (other[0] - one[0])
            if weight <= 0:
                continue
            middle = decode_with(weight)
            gain = weight * (middle[0] - one[0]) + middle[1] - one[1]
            if one[0] < middle[0] < other[0] and gain > HULL_TOLERANCE * max(1., weight):
                found.append(middle)
                between += [(one, middle), (middle, other)]
        return [heads for _, _, heads in found]

    def complete(self, i: int, model) -> None:
        """Let a partly annotated tree be the best one around its known heads."""
        self.gold(i)[:] = self.decode_example(i, model, -PENALTY * self.size(i))

    def completed(self, model) -> np.ndarray:
        """The heads of all sentences, the partly annotated ones completed by a model."""
        for i in self.incomplete:
            self.complete(i, model)
        return self.trees

    def oracle(self, first, last, model) -> Separated:
        start, stop = self.bounds[first], self.bounds[last]
        heads, hinges = np.empty(stop - start, np.int32), np.zeros(last - first)
        self.decode_chunk(first, last, model, 1., heads, hinges)
        bounds = self.encoded.offsets[first:last + 1] - start
        known = self.annotated[start:stop]
        wrong = np.add.reduceat((heads != known) & (known >= 0), bounds[:-1])
        return Separated(np.split(heads, bounds[1:-1]),
                         wrong / self.encoded.lengths()[first:last], hinges)

    def decode_all(self, model) -> list[np.ndarray]:
        """The best tree of each sentence, without the root's place."""
        heads = np.empty_like(self.encoded.heads)
        self.decode_chunk(0, len(self), model, 0., heads, np.zeros(len(self)))
        return self.encoded.split(heads)

    def fingerprint(self) -> str:
        data = fingerprint(self.encoded.offsets, self.encoded.tokens, self.annotated)
        return (f"{len(self)} sentences {data} dim={self.dim} "
                f"decoder={self.decoder} single_root={self.single_root}")
