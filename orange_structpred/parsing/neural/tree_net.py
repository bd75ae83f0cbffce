"""The net: how layers become probabilities of heads and relations.

The inputs of a token are embeddings of its form, lemma, tags, features and pieces. Two
bidirectional LSTMs read the sentence. Of each token, a linear layer makes four views: as
a dependent and as a head, for edges and for relations. Edges are scored by a biaffine
form with a bias for the distance (Dozat and Manning 2017), relations by a linear form of
product and sum of the two views.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.neural.encoder import (
    NetOptions,
    SymbolGroup,
    TokenEncoder,
    TokenSums,
)
from orange_structpred.neural.layers import (
    Biaffine,
    Linear,
    leaky_relu,
    leaky_relu_backward,
    sentence_masks,
    square_bounds,
)
from orange_structpred.neural.losses import (
    cross_entropy_rows,
    even_rows,
    log_softmax_rows,
)
from orange_structpred.neural.weights import Initial, Weights
from orange_structpred.parsing.neural.head_losses import (
    CROSS_ENTROPY,
    HeadLoss,
    row_bounds,
)
from orange_structpred.running.compiler import njit

ARC_SIZE, RELATION_SIZE = 200, 100
# Distances from the head: those up to the first bound are a class, and so on; the root
# as a head is a class of its own
DISTANCE_BOUNDS = np.array([1, 2, 3, 4, 6, 9, 14, 24])
N_DISTANCES = 2 * (len(DISTANCE_BOUNDS) + 1) + 1


class NetBatch(NamedTuple):
    """Sentences for the net, each with its root first.

    offsets : sentence i has the rows offsets[i] to offsets[i + 1] - 1
    symbols : int32, see `TokenSymbols`
    heads, relations : int32, those that are right; -1 where they are not known
    """

    offsets: np.ndarray
    symbols: np.ndarray
    heads: np.ndarray
    relations: np.ndarray


class Views(NamedTuple):
    """What the net makes of tokens, before two of them are brought together.

    heads : log-probabilities of the heads of each token: squares [dependent, head], one
        sentence after the other
    dependents, governors : views for relations, as dependents and as heads
    """

    heads: np.ndarray
    dependents: np.ndarray
    governors: np.ndarray


class TreeNet:
    """Layers and their order.

    Parameters
    ----------
    groups : what is seen of tokens
    n_relations : 0 if only heads are learned
    head_loss : what is minimised for heads
    """

    def __init__(self, groups: Sequence[SymbolGroup], n_relations: int,
                 options: NetOptions, head_loss: HeadLoss = CROSS_ENTROPY):
        self.n_relations, self.options = n_relations, options
        self.head_loss = head_loss
        self.relation_size = RELATION_SIZE
        # the four views of a token among the columns of the linear layer's outputs
        ends = np.cumsum([0, ARC_SIZE, ARC_SIZE, RELATION_SIZE, RELATION_SIZE]).tolist()
        self.arc_dependent, self.arc_head, self.label_dependent, self.label_head = map(
            slice, ends[:-1], ends[1:])
        self.encoder = TokenEncoder(groups, options)
        self.views = Linear("views", self.encoder.size, 2 * ARC_SIZE + 2 * RELATION_SIZE)
        self.arcs = Biaffine("arcs", ARC_SIZE)
        self.distances = DistanceBias("distances")
        self.labels = Linear("labels", 2 * RELATION_SIZE, n_relations)

    @property
    def layers(self) -> list:
        return [*self.encoder.layers, self.views, self.arcs, self.distances, self.labels]

    # what the net says

    def view(self, weights: Weights, tokens: TokenSums, offsets: np.ndarray) -> Views:
        """tokens : by the encoder's `sums`"""
        x = self.encoder.forward(weights, tokens, offsets)
        views = leaky_relu(self.views.forward(weights, x))
        return Views(self._log_heads(weights, views, offsets),
                     views[:, self.label_dependent], views[:, self.label_head])

    def log_relations(self, weights: Weights, views: Views, dependents: np.ndarray,
                      governors: np.ndarray) -> np.ndarray:
        """Log-probabilities of relations between rows, a row for each pair."""
        both = combined_views(views.dependents[dependents], views.governors[governors])
        scores = self.labels.forward(weights, both)
        log_softmax_rows(scores.reshape(-1), even_rows(*scores.shape))
        return scores

    def _log_heads(self, weights: Weights, views: np.ndarray, offsets: np.ndarray
                   ) -> np.ndarray:
        scores = self.arcs.forward(weights, views[:, self.arc_dependent],
                                   views[:, self.arc_head], offsets)
        self.distances.forward(weights, scores, offsets)
        log_softmax_rows(scores, row_bounds(offsets))
        return scores

    # how it learns

    def learn(self, weights: Weights, batch: NetBatch, rng: np.random.Generator) -> float:
        """Add the gradients of the batch's mean loss, which is returned: that of a token's
        head, and the negative logarithm of the probability of its relation."""
        offsets = batch.offsets
        x, trace = self.encoder.learn(weights, batch.symbols, offsets, rng)
        bent = leaky_relu(self.views.forward(weights, x))
        mask = sentence_masks(rng, self.options.dropout, offsets, bent.shape[1], x.dtype)
        loss, dviews = self._learn_views(weights, batch, bent * mask)
        dviews *= mask
        dx = self.views.backward(weights, x, leaky_relu_backward(bent, dviews))
        self.encoder.backward(weights, trace, dx)
        return loss

    def _learn_views(self, weights: Weights, batch: NetBatch, views: np.ndarray
                     ) -> tuple[float, np.ndarray]:
        dtype, dviews = views.dtype, np.zeros_like(views)
        known = int(np.count_nonzero(batch.heads >= 0))
        scale = dtype.type(1 / max(1, known))
        log_heads = self._log_heads(weights, views, batch.offsets)
        dscores = np.empty_like(log_heads)
        loss = self.head_loss(log_heads, batch.offsets, batch.heads, scale, dscores)
        self.distances.backward(weights, dscores, batch.offsets)
        dviews[:, self.arc_dependent], dviews[:, self.arc_head] = self.arcs.backward(
            weights, views[:, self.arc_dependent], views[:, self.arc_head],
            batch.offsets, dscores)
        dependents = np.flatnonzero((batch.heads >= 0) & (batch.relations >= 0))
        if self.n_relations and len(dependents):
            starts = np.repeat(batch.offsets[:-1], np.diff(batch.offsets))
            loss += self._learn_relations(
                weights, views, dependents,
                starts[dependents] + batch.heads[dependents],
                batch.relations[dependents], scale, dviews)
        return loss / max(1, known), dviews

    def _learn_relations(self, weights: Weights, views: np.ndarray,
                         dependents: np.ndarray, governors: np.ndarray,
                         right: np.ndarray, scale: float, dviews: np.ndarray) -> float:
        x = views[dependents, self.label_dependent]
        y = views[governors, self.label_head]
        both = combined_views(x, y)
        scores = self.labels.forward(weights, both)
        bounds, flat = even_rows(*scores.shape), scores.reshape(-1)
        log_softmax_rows(flat, bounds)
        dscores = np.empty_like(scores)
        loss = cross_entropy_rows(flat, bounds, right, scale, dscores.reshape(-1))
        dx, dy = together_backward(x, y, both, self.labels.backward(
            weights, both, dscores))
        dviews[dependents, self.label_dependent] = dx
        np.add.at(dviews[:, self.label_head], governors, dy)
        return loss


def combined_views(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Product and bent sum of two views of tokens."""
    return np.hstack([x * y, np.maximum(x + y, 0)])


def together_backward(x: np.ndarray, y: np.ndarray, both: np.ndarray, dboth: np.ndarray
                      ) -> tuple[np.ndarray, np.ndarray]:
    size = x.shape[1]
    dproduct, dsum = dboth[:, :size], np.where(both[:, size:] > 0, dboth[:, size:], 0)
    return dproduct * y + dsum, dproduct * x + dsum


class DistanceBias:
    """Adds to the score of an edge what its direction and length are worth; an edge from
    a token to itself, or to a root, is never."""

    def __init__(self, name: str):
        self.name = name

    def initial(self) -> dict[str, Initial]:
        return {self.name: Initial((N_DISTANCES,))}

    def forward(self, weights: Weights, scores: np.ndarray, offsets: np.ndarray) -> None:
        add_distances(scores, offsets, square_bounds(offsets), DISTANCE_BOUNDS,
                      weights[self.name])

    def backward(self, weights: Weights, dscores: np.ndarray, offsets: np.ndarray) -> None:
        sum_distances(dscores, offsets, square_bounds(offsets), DISTANCE_BOUNDS,
                      weights.gradient(self.name))


@njit(nogil=True, cache=True)
def distance_class(head, dependent, bounds):
    if head == 0:
        return 0
    distance, number = abs(head - dependent), 0
    while number < bounds.size and distance > bounds[number]:
        number += 1
    return 1 + 2 * number + (head > dependent)


@njit(nogil=True, cache=True)
def add_distances(scores, offsets, squares, bounds, biases):
    for i in range(offsets.size - 1):
        n = offsets[i + 1] - offsets[i]
        square = scores[squares[i]:squares[i + 1]].reshape(n, n)
        square[0] = -np.inf
        square[0, 0] = 0        # a root's row has some probabilities, too
        for dependent in range(1, n):
            for head in range(n):
                square[dependent, head] += biases[
                    distance_class(head, dependent, bounds)]
            square[dependent, dependent] = -np.inf


@njit(nogil=True, cache=True)
def sum_distances(dscores, offsets, squares, bounds, biases):
    for i in range(offsets.size - 1):
        n = offsets[i + 1] - offsets[i]
        square = dscores[squares[i]:squares[i + 1]].reshape(n, n)
        for dependent in range(1, n):
            for head in range(n):
                if head != dependent:
                    biases[distance_class(head, dependent, bounds)] += square[
                        dependent, head]
