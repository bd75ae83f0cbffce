"""Scores of label sequences and the best of them, compiled.

Each position of a sequence has observations. A label is made of parts, such as its
universal and its own tag; a weight belongs to an observation together with a part,
and the score of a label is the sum over its parts. Observations of an edge, from one
position to the next, are scored together with pairs of parts, and in second order three
parts in a row are scored as well; these weights are found by hashing.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot, mix_twice

PAIR_MULT = 0x9E3779B97F4A7C15
TRIPLE = 0xC2B2AE3D27D4EB4F         # tells three parts in a row from pairs


class Chain(NamedTuple):
    """Which weight belongs to what.

    starts : int64; the weights of observation r are at starts[r] to starts[r + 1]
    parts : int32; the part of each of these weights
    label_parts : int32 (labels, columns); -1 where a label has no part in a column
    n_parts : int
    edge_columns : int64; pairs of parts in so many columns are scored with each
        observation of an edge
    edge_shift : the weight of a pair is at the end of `parts` + (hash >> edge_shift)
    triple_columns : three parts in a row in so many columns are scored; 0 in first order
    """

    starts: np.ndarray
    parts: np.ndarray
    label_parts: np.ndarray
    n_parts: int
    edge_columns: np.ndarray
    edge_shift: np.uint64
    triple_columns: int = 0

    @property
    def n_labels(self) -> int:
        return len(self.label_parts)

    @property
    def n_weights(self) -> int:
        return len(self.parts) + (1 << (64 - int(self.edge_shift)))


@njit(nogil=True, cache=True, inline="always")
def pair_index(chain, edge, part, following):
    """Where the weight of an edge's observation with a pair of parts is."""
    pair = uint64(part * chain.n_parts + following + 1)
    return chain.parts.size + np.int64(
        mix_twice(edge + pair * uint64(PAIR_MULT)) >> chain.edge_shift)


@njit(nogil=True, cache=True, inline="always")
def pair_score(chain, weights, edges, label, following):
    """Score of two labels in a row, given the observations of their edge."""
    total = 0.
    for e in range(edges.size):
        if edges[e] != 0:
            for column in range(chain.edge_columns[e]):
                part = chain.label_parts[label, column]
                next_part = chain.label_parts[following, column]
                if part >= 0 and next_part >= 0:
                    total += weights[pair_index(chain, edges[e], part, next_part)]
    return total


@njit(nogil=True, cache=True, inline="always")
def triple_index(chain, part, following, last):
    """Where the weight of three parts in a row is."""
    triple = uint64((part * chain.n_parts + following) * chain.n_parts + last + 1)
    return chain.parts.size + np.int64(
        mix_twice(uint64(TRIPLE) + triple * uint64(PAIR_MULT)) >> chain.edge_shift)


@njit(nogil=True, cache=True, inline="always")
def triple_score(chain, weights, label, following, last):
    """Score of three labels in a row."""
    total = 0.
    for column in range(chain.triple_columns):
        part = chain.label_parts[label, column]
        next_part = chain.label_parts[following, column]
        last_part = chain.label_parts[last, column]
        if part >= 0 and next_part >= 0 and last_part >= 0:
            total += weights[triple_index(chain, part, next_part, last_part)]
    return total


@njit(nogil=True, cache=True)
def score_parts(chain, weights, rows, parts):
    """Scores of all parts at one position with these observations."""
    parts[:] = 0
    for k in range(rows.size):
        if rows[k] >= 0:
            for j in range(chain.starts[rows[k]], chain.starts[rows[k] + 1]):
                parts[chain.parts[j]] += weights[j]


@njit(nogil=True, cache=True, inline="always")
def label_score(chain, parts, label):
    """The score of a label, given those of all parts."""
    total = parts[chain.label_parts[label, 0]]
    for column in range(1, chain.label_parts.shape[1]):
        part = chain.label_parts[label, column]
        if part >= 0:
            total += parts[part]
    return total


@njit(nogil=True, cache=True)
def best_labels(scores, chosen):
    """Put the numbers of the highest scores into `chosen`, the best first; how many."""
    n_chosen = 0
    for label in range(scores.size):
        if n_chosen == chosen.size:
            if scores[label] <= scores[chosen[n_chosen - 1]]:
                continue
            n_chosen -= 1
        rank = n_chosen
        while rank > 0 and scores[chosen[rank - 1]] < scores[label]:
            chosen[rank] = chosen[rank - 1]
            rank -= 1
        chosen[rank] = label
        n_chosen += 1
    return n_chosen


@njit(nogil=True, cache=True)
def decode_chain(chain, weights, factor, rows, edges, gold, loss_weight, n_best):
    """Viterbi: the best labels, or the most violated ones where the loss has a weight.

    n_best : so many labels of each position, those with the highest scores without
        their neighbours, can be chosen; 0 for all
    """
    length, n_labels = rows.shape[0], chain.label_parts.shape[0]
    width = n_labels if n_best == 0 else min(n_best, n_labels)
    parts = np.empty(chain.n_parts, np.float64)
    scores = np.empty(n_labels, np.float64)
    candidates = np.empty((length, width), np.int32)
    local = np.empty((length, width), np.float64)
    for t in range(length):
        score_parts(chain, weights, rows[t], parts)
        for label in range(n_labels):
            scores[label] = factor * label_score(chain, parts, label)
            if loss_weight != 0 and label != gold[t]:
                scores[label] += loss_weight / length
        if width == n_labels:
            for label in range(n_labels):
                candidates[t, label] = label
        else:
            best_labels(scores, candidates[t])
        for k in range(width):
            local[t, k] = scores[candidates[t, k]]
    return candidate_viterbi(chain, weights, factor, edges, candidates, local,
                             np.full(length, width))


@njit(nogil=True, cache=True)
def candidate_viterbi(chain, weights, factor, edges, candidates, local, sizes):
    """The best sequence of candidates, sizes[t] of them at each position.

    local : their scores; overwritten
    """
    length = sizes.size
    if chain.triple_columns > 0 and length > 2:
        return candidate_viterbi_second_order(chain, weights, factor, edges, candidates, local,
                                              sizes)
    back = np.zeros(candidates.shape, np.int32)
    for t in range(1, length):
        if sizes[t] == 1 and sizes[t - 1] == 1:     # nothing to choose
            continue
        for k in range(sizes[t]):
            best, where = -np.inf, 0
            for before in range(sizes[t - 1]):
                score = local[t - 1, before] + factor * pair_score(
                    chain, weights, edges[t], candidates[t - 1, before],
                    candidates[t, k])
                if score > best:
                    best, where = score, before
            local[t, k] += best
            back[t, k] = where
    labels = np.empty(length, np.int32)
    k = np.argmax(local[length - 1, :sizes[length - 1]])
    for t in range(length - 1, -1, -1):
        labels[t] = candidates[t, k]
        k = back[t, k]
    return labels


@njit(nogil=True, cache=True)
def candidate_viterbi_second_order(chain, weights, factor, edges, candidates, local, sizes):
    """The same, with scores of three labels in a row; for three positions or more."""
    length, width = candidates.shape
    back = np.zeros((length, width, width), np.int32)
    best, new = np.empty((width, width)), np.empty((width, width))  # of the last two
    for t in range(1, length):
        for a in range(sizes[t - 1]):
            for b in range(sizes[t]):
                top = local[0, a] if t == 1 else -np.inf
                for before in range(sizes[t - 2] if t > 1 else 0):
                    score = best[before, a]
                    if sizes[t - 2] > 1 or sizes[t - 1] > 1 or sizes[t] > 1:
                        score += factor * triple_score(
                            chain, weights, candidates[t - 2, before],
                            candidates[t - 1, a], candidates[t, b])
                    if score > top:
                        top = score
                        back[t, a, b] = before
                new[a, b] = top + local[t, b]
                if sizes[t - 1] > 1 or sizes[t] > 1:
                    new[a, b] += factor * pair_score(
                        chain, weights, edges[t], candidates[t - 1, a], candidates[t, b])
        best, new = new, best
    a, b = 0, 0
    for k in range(sizes[length - 2]):
        for j in range(sizes[length - 1]):
            if best[k, j] > best[a, b]:
                a, b = k, j
    labels = np.empty(length, np.int32)
    for t in range(length - 1, 0, -1):
        labels[t] = candidates[t, b]
        a, b = back[t, a, b], a
    labels[0] = candidates[0, b]
    return labels


@njit(nogil=True, cache=True)
def add_index(keys, values, index, value):
    """Add to a value in an open-addressed table of indices (-1 is free)."""
    at = find_slot(keys, index, mix_twice(uint64(index)), -1)
    keys[at] = index
    values[at] += value


@njit(nogil=True, cache=True)
def add_edges(chain, edges, labels, other, sign, keys, values):
    """Features of the edges at which two sequences differ, of the first of them."""
    for t in range(1, labels.size):
        if labels[t] == other[t] and labels[t - 1] == other[t - 1]:
            continue
        for e in range(edges.shape[1]):
            if edges[t, e] == 0:
                continue
            for column in range(chain.edge_columns[e]):
                part = chain.label_parts[labels[t - 1], column]
                following = chain.label_parts[labels[t], column]
                if part >= 0 and following >= 0:
                    add_index(keys, values,
                              pair_index(chain, edges[t, e], part, following), sign)


@njit(nogil=True, cache=True)
def add_triples(chain, labels, other, sign, keys, values):
    """Features of the three labels in a row at which two sequences differ."""
    for t in range(2, labels.size):
        if (labels[t] == other[t] and labels[t - 1] == other[t - 1]
                and labels[t - 2] == other[t - 2]):
            continue
        for column in range(chain.triple_columns):
            part = chain.label_parts[labels[t - 2], column]
            following = chain.label_parts[labels[t - 1], column]
            last = chain.label_parts[labels[t], column]
            if part >= 0 and following >= 0 and last >= 0:
                add_index(keys, values, triple_index(chain, part, following, last), sign)


@njit(nogil=True, cache=True)
def chain_difference(chain, rows, edges, labels, other):
    """phi(labels) - phi(other) as (indices, values), each index once."""
    wrong = 0
    for t in range(labels.size):
        wrong += labels[t] != other[t]
    width = chain.label_parts.shape[1]
    limit = 2 * wrong * width * (rows.shape[1] + 2 * edges.shape[1]
                                 + 3 * (chain.triple_columns > 0))
    size = 16
    while size < 2 * limit:
        size *= 2
    keys = np.full(size, -1, np.int64)
    values = np.zeros(size, np.float32)
    signs = np.zeros(chain.n_parts, np.int8)
    for t in range(labels.size):
        if labels[t] == other[t]:
            continue
        for column in range(width):
            mine, its = chain.label_parts[labels[t], column], chain.label_parts[
                other[t], column]
            if mine >= 0:
                signs[mine] += 1
            if its >= 0:
                signs[its] -= 1
        for k in range(rows.shape[1]):
            if rows[t, k] >= 0:
                for j in range(chain.starts[rows[t, k]], chain.starts[rows[t, k] + 1]):
                    if signs[chain.parts[j]] != 0:
                        add_index(keys, values, j, np.float32(signs[chain.parts[j]]))
        signs[:] = 0
    add_edges(chain, edges, labels, other, np.float32(1), keys, values)
    add_edges(chain, edges, other, labels, np.float32(-1), keys, values)
    add_triples(chain, labels, other, np.float32(1), keys, values)
    add_triples(chain, other, labels, np.float32(-1), keys, values)
    kept = np.flatnonzero(values)
    return keys[kept], values[kept]
