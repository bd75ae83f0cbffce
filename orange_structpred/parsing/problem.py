"""Dependency trees as a problem for the solvers: edges, their features, the loss.

The output of a sentence is its array of heads, with the artificial root at
position 0. The loss is the share of tokens with a wrong head; it splits over
the edges as the scores do, so the same decoder predicts and separates.
"""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

from orange_structpred.parsing.decoders import decode
from orange_structpred.parsing.features import FeatureMap
from orange_structpred.parsing.scoring import Places, edge_vector, score_edges
from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import Block, Plane, Problem, SparseVector
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
def decode_sentence(tokens, gold, templates, weights, places, factor, loss_weight,
                    construction, single_root):
    """The best tree, or the most violated one when the loss has a weight."""
    scores = score_edges(tokens, templates, weights, places)
    if factor != 1:
        scores *= np.float32(factor)
    if loss_weight != 0:
        add_loss(scores, gold, loss_weight)
    return decode(scores, construction, single_root)


@njit(nogil=True, cache=True)
def decode_sentences(first, last, offsets, tokens, gold, templates, weights, places,
                     factor, loss_weight, construction, single_root, heads):
    """`decode_sentence` for sentences first..last - 1, into a flat array."""
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        heads[start:stop] = decode_sentence(
            tokens[start:stop], gold[start:stop], templates, weights, places, factor,
            loss_weight, construction, single_root)


class TreeProblem(Problem):
    """Sentences and their trees, with explicit edge features.

    Parameters
    ----------
    encoded : the sentences
    features : which features an edge has
    places : where their weights stand
    dim : how many weights there are
    construction : code of the decoder, one of `CONSTRUCTIONS`' values
    single_root : exactly one token depends on the root
    """

    def __init__(self, encoded: Encoded, features: FeatureMap, places: Places,
                 dim: int, construction: int, single_root: bool = True):
        self.encoded, self.features, self.places = encoded, features, places
        self.dim, self.construction = dim, construction
        self.single_root = single_root
        self.scratch = np.zeros(dim, np.float32)
        self.bounds = encoded.offsets.tolist()

    def __len__(self) -> int:
        return len(self.encoded)

    def size(self, i: int) -> int:
        return self.bounds[i + 1] - self.bounds[i] - 1

    def gold(self, i: int) -> np.ndarray:
        return self.encoded.heads[self.bounds[i]:self.bounds[i + 1]]

    # the four, for one sentence's tokens and heads

    def edge_vector(self, tokens, heads, dependents, values) -> SparseVector:
        """sum of values * phi(edge) over edges."""
        return SparseVector(*edge_vector(
            tokens, self.features.arrays, self.places, heads, dependents,
            values, self.scratch))

    def joint_features(self, x, y):
        dependents = np.arange(1, len(y))
        vector = self.edge_vector(
            x, y[1:].astype(np.int64), dependents, np.ones(len(dependents)))
        dense = np.zeros(self.dim)
        dense[vector.places] = vector.values
        return dense

    def loss(self, y, y_hat) -> float:
        return np.count_nonzero(y != y_hat) / (len(y) - 1)

    def predict(self, x, w):
        return self._decode(x, np.zeros(len(x), np.int32), w, 1., 0.)

    def separate(self, x, y, w):
        return self._decode(x, y, w, 1., 1.)

    def _decode(self, tokens, gold, w, factor, loss_weight):
        return decode_sentence(
            tokens, gold, self.features.arrays, w, self.places, factor, loss_weight,
            self.construction, self.single_root)

    # what solvers ask

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)

    def tokens(self, i: int) -> np.ndarray:
        return self.encoded.tokens[self.bounds[i]:self.bounds[i + 1]]

    def best(self, i, model):
        return self._decode(self.tokens(i), self.gold(i), model.w, model.factor, 0.)

    def most_violated(self, i, model, weight: float = 1.):
        return self._decode(
            self.tokens(i), self.gold(i), model.w, model.factor, weight)

    def example_loss(self, i, y_hat) -> float:
        return self.loss(self.gold(i), y_hat)

    def difference(self, i, y_hat) -> SparseVector:
        gold = self.gold(i)
        wrong = np.flatnonzero(gold != y_hat)
        values = np.ones(2 * len(wrong), np.float32)
        values[len(wrong):] = -1
        return self.edge_vector(
            self.tokens(i),
            np.concatenate([gold[wrong], y_hat[wrong]]).astype(np.int64),
            np.concatenate([wrong, wrong]), values)
