"""The best k label sequences of a chain, compiled."""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit

#: In place of the scores of three labels in a row
FIRST_ORDER = np.zeros((0, 0, 0))


@njit(nogil=True, cache=True)
def insert_score(scores, back, score, origin):
    """Put a score among the highest ones, in falling order, if it belongs there."""
    rank = scores.size - 1
    if score <= scores[rank]:
        return
    while rank > 0 and scores[rank - 1] < score:
        scores[rank], back[rank] = scores[rank - 1], back[rank - 1]
        rank -= 1
    scores[rank], back[rank] = score, origin


@njit(nogil=True, cache=True)
def k_best_labels(local, pairs, triples, k):
    """Scores and labels of the best k sequences, the best first; fewer if there are.

    A state is a label together with the one before it if triples are scored, else alone;
    each keeps its best k sequences.

    local : (positions, labels); pairs : (label before, label)
    triples : (label before the last, label before, label), or empty for first order
    """
    length, n_labels = local.shape
    second = triples.size > 0
    width = n_labels if second else 1       # labels before, of a state
    best = np.full((length, width, n_labels, k), -np.inf)
    back = np.zeros((length, width, n_labels, k), np.int64)     # state before, and rank
    for b in range(n_labels):
        best[0, 0, b, 0] = local[0, b]
    for t in range(1, length):
        for c in range(width if t > 1 else 1):
            for a in range(n_labels):
                for b in range(n_labels):
                    score = pairs[a, b] + local[t, b]
                    if second and t > 1:
                        score += triples[c, a, b]
                    ranked = best[t, a if second else 0, b]
                    for rank in range(k):
                        before = best[t - 1, c, a, rank]
                        if before == -np.inf:
                            break
                        insert_score(ranked, back[t, a if second else 0, b],
                                     before + score, (c * n_labels + a) * k + rank)
    totals, ends = np.full(k, -np.inf), np.zeros(k, np.int64)
    for c in range(width):
        for b in range(n_labels):
            for rank in range(k):
                insert_score(totals, ends, best[length - 1, c, b, rank],
                             (c * n_labels + b) * k + rank)
    n_ranked = 0
    while n_ranked < k and totals[n_ranked] > -np.inf:
        n_ranked += 1
    labels = np.empty((n_ranked, length), np.int32)
    for number in range(n_ranked):
        at = ends[number]
        for t in range(length - 1, -1, -1):
            rank, state = at % k, at // k
            c, b = state // n_labels, state % n_labels
            labels[number, t] = b
            at = back[t, c, b, rank]
    return totals[:n_ranked], labels
