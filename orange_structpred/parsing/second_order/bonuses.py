"""What is added to the scores of edges that parts give: votes, and what a net says.

Both are known when sentences are parsed; weights are learned without them.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.neural.layers import square_bounds
from orange_structpred.parsing.first_order.pruning import PrunedEdges
from orange_structpred.parsing.neural.net_model import NetScores
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import Encoded

VOTE = np.float32(0.125)        # what a vote adds to an edge's score; a margin is 1
NO_VOTES = np.empty(0, np.int32)
NET_WEIGHT = 0.2                # what a nat of the net's probabilities is worth
LARGEST_NET_WEIGHT = 1000.
LEAST_LOG = np.float32(-12)     # no head is thought less probable than this
NET_HEADS = 4                   # heads that the net keeps, besides those of the pruner
NET_NATS = np.float32(4)        # how far below the best they may be


class EdgeBonuses:
    """Votes and a net's scores for some sentences.

    Parameters
    ----------
    encoded : the sentences
    votes : a head for each position, or nothing
    net : what the net says of them, if there is one
    weight : of the net
    """

    def __init__(self, encoded: Encoded, votes: np.ndarray, net: NetScores | None,
                 weight: float = NET_WEIGHT):
        self.encoded, self.votes, self.net, self.weight = encoded, votes, net, weight

    def widened(self, pruned: PrunedEdges) -> PrunedEdges:
        """With the edges to the net's best heads of each token, too."""
        if self.net is None:
            return pruned
        offsets = self.encoded.offsets
        room = len(pruned.heads) + NET_HEADS * len(self.encoded.heads)
        starts, heads = np.empty_like(pruned.starts), np.empty(room, np.int32)
        widen(offsets, square_bounds(offsets), self.net.views.heads, pruned.starts,
              pruned.heads, NET_HEADS, NET_NATS, starts, heads)
        return PrunedEdges(starts, heads[:starts[-1]])

    def of(self, pruned: PrunedEdges) -> np.ndarray:
        """What is added to the score of each edge."""
        positions = np.repeat(np.arange(len(self.encoded.heads)), np.diff(pruned.starts))
        return self.of_edges(positions, pruned.heads)

    def of_edges(self, positions: np.ndarray, heads: np.ndarray) -> np.ndarray:
        """The same for edges to tokens at some positions."""
        result = np.zeros(len(heads), np.float32)
        if self.net is not None:
            result += np.float32(self.weight) * np.maximum(
                self._logs(self.net, positions, heads), LEAST_LOG)
        if len(self.votes):
            result[self.votes[positions] == heads] += VOTE
        return result

    def _logs(self, net: NetScores, positions: np.ndarray, heads: np.ndarray
              ) -> np.ndarray:
        offsets = self.encoded.offsets
        sentence = np.searchsorted(offsets, positions, side="right") - 1
        size = offsets[sentence + 1] - offsets[sentence]
        return net.views.heads[square_bounds(offsets)[sentence] + heads
                               + (positions - offsets[sentence]) * size]


@njit(nogil=True, cache=True)
def widen(offsets, squares, log_heads, starts, heads, most, nats, new_starts, new_heads):
    """The heads of each token together with the best ones of the net, in rising order."""
    best = np.empty(most, np.int32)
    total = 0
    for i in range(offsets.size - 1):
        n = offsets[i + 1] - offsets[i]
        for token in range(n):
            position = offsets[i] + token
            new_starts[position] = total
            if token == 0:
                continue
            row = log_heads[squares[i] + token * n:squares[i] + (token + 1) * n]
            n_best = best_few(row, token, nats, best)
            old = starts[position]
            for head in range(n):
                kept = old < starts[position + 1] and heads[old] == head
                old += kept
                for k in range(n_best):
                    kept = kept or best[k] == head
                if kept:
                    new_heads[total] = head
                    total += 1
    new_starts[offsets[-1]] = total


@njit(nogil=True, cache=True)
def best_few(row, token, nats, best):
    """Write the best heads of a token, none much worse than the first; how many."""
    n_best = 0
    for head in range(row.size):
        if head == token:
            continue
        k = n_best
        while k > 0 and row[best[k - 1]] < row[head]:
            if k < best.size:
                best[k] = best[k - 1]
            k -= 1
        if k < best.size:
            best[k] = head
            n_best = min(n_best + 1, best.size)
    while n_best > 1 and row[best[n_best - 1]] < row[best[0]] - nats:
        n_best -= 1
    return n_best
