"""The parts that trees of pruned edges can have, and their scores.

Edges are numbered by dependent, then by head. The children of a head on one of its
sides (0 right, 1 left) are listed with the nearest first. Siblings of a head and a side
with k children are a square of k + 1 rows, one for each sibling with START first, and
k + 1 columns, one for each dependent with STOP last. Grandparent parts have a row for
each child and a column for each head of the head. Those without a child, two for each
edge, one for a side of its dependent, are apart.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.second_order.part_scoring import (
    N_BETWEEN,
    ask_for_weights,
    edge_part_numbers,
    edge_slot,
    grandparent_slot,
    make_sums,
    sibling_slot,
    sum_weights_at,
    triple_numbers,
)
from orange_structpred.running.compiler import njit

LAG = 2     # parts whose weights are on their way


class Edges(NamedTuple):
    """The pruned edges of a sentence.

    heads, dependents : of each edge
    above : edges to token d are above[d]..above[d + 1] - 1
    below : children of head h on a side are listed at below[2 * h + side]..
    listed : edges, by head, side and distance
    ranks : place of each edge among the children of its head and side
    siblings, grandparents : where the parts of a head and a side begin
    """

    heads: np.ndarray
    dependents: np.ndarray
    above: np.ndarray
    below: np.ndarray
    listed: np.ndarray
    ranks: np.ndarray
    siblings: np.ndarray
    grandparents: np.ndarray


class PartScores(NamedTuple):
    edges: np.ndarray
    siblings: np.ndarray
    grandparents: np.ndarray
    childless: np.ndarray


@njit(nogil=True, cache=True)
def list_edges(starts, heads):
    """`Edges` from the heads that each token keeps.

    starts : of the tokens' heads, counted from anywhere; starts[0] = starts[1], since
        the root has none
    """
    n = starts.size - 2
    n_edges = heads.size
    above = np.empty(n + 2, np.int64)
    for token in range(n + 2):
        above[token] = starts[token] - starts[0]
    own_heads = np.empty(n_edges, np.int64)
    dependents = np.empty(n_edges, np.int64)
    sizes = np.zeros(2 * n + 2, np.int64)
    for token in range(1, n + 1):
        for edge in range(above[token], above[token + 1]):
            own_heads[edge] = heads[edge]
            dependents[edge] = token
            sizes[2 * heads[edge] + (heads[edge] > token)] += 1
    below = np.zeros(2 * n + 3, np.int64)
    siblings = np.zeros(2 * n + 3, np.int64)
    grandparents = np.zeros(2 * n + 3, np.int64)
    for half in range(2 * n + 2):
        head = half >> 1
        size = sizes[half]
        below[half + 1] = below[half] + size
        siblings[half + 1] = siblings[half] + (size + 1) * (size + 1)
        grandparents[half + 1] = grandparents[half] + size * (
            above[head + 1] - above[head])
    listed = np.empty(n_edges, np.int64)
    ranks = np.empty(n_edges, np.int64)
    filled = np.zeros(2 * n + 2, np.int64)
    for turn in range(2):
        for k in range(n):
            token = n - k if turn else 1 + k
            for edge in range(above[token], above[token + 1]):
                if (heads[edge] > token) == turn:
                    half = 2 * heads[edge] + turn
                    ranks[edge] = filled[half]
                    listed[below[half] + filled[half]] = edge
                    filled[half] += 1
    return Edges(own_heads, dependents, above, below, listed, ranks, siblings,
                 grandparents)


@njit(nogil=True, cache=True)
def score_kept_edges(sums, templates, weights, shift, factor, edges):
    limit = templates.salts.size + templates.between.shape[0] * edges.above.size
    scores = np.empty(edges.heads.size, np.float32)
    _score_edges(sums, templates, weights, shift, np.float32(factor), edges, scores,
                 np.empty(N_BETWEEN, np.uint32), np.empty(edges.above.size, np.uint32),
                 np.empty(limit, np.uint32), np.empty((LAG, 2, limit), np.uint32),
                 np.empty(LAG, np.int64))
    return scores


@njit(nogil=True, cache=True)
def _score_edges(sums, templates, weights, shift, factor, edges, scores, described, seen,
                 numbers, indices, counts):
    """Scores of edges: the weights of one are summed when those of `LAG` others have been
    asked for.

    described, seen, numbers, indices, counts : room
    """
    for edge in range(edges.heads.size + LAG):
        turn = edge % LAG
        if edge >= LAG:
            scores[edge - LAG] = factor * sum_weights_at(
                weights, indices[turn], counts[turn])
        if edge < edges.heads.size:
            head, token = edges.heads[edge], edges.dependents[edge]
            counts[turn] = edge_part_numbers(sums, templates, head, token, described, seen,
                                             numbers)
            ask_for_weights(weights, shift, edge_slot(head, token), numbers, counts[turn],
                            indices[turn])


@njit(nogil=True, cache=True)
def list_siblings(edges):
    """The triples of siblings parts, their slots, and their places in the squares."""
    n = edges.above.size - 2
    triples = np.empty((edges.siblings[-1], 3), np.int64)
    slots = np.empty(edges.siblings[-1], np.int64)
    places = np.empty(edges.siblings[-1], np.int64)
    n_triples = 0
    for half in range(2 * n + 2):
        if half == 1:    # the root has nothing to its left
            continue
        head = half >> 1
        first = edges.below[half]
        size = edges.below[half + 1] - first
        for row in range(size + 1):
            sibling = n + 1 + (half & 1)
            if row:
                sibling = edges.dependents[edges.listed[first + row - 1]]
            for column in range(row, size + 1):
                token = n + 3
                if column < size:
                    token = edges.dependents[edges.listed[first + column]]
                triples[n_triples, 0] = head
                triples[n_triples, 1] = sibling
                triples[n_triples, 2] = token
                slots[n_triples] = sibling_slot(head, sibling, token, n)
                places[n_triples] = edges.siblings[half] + row * (size + 1) + column
                n_triples += 1
    return triples[:n_triples], slots[:n_triples], places[:n_triples]


@njit(nogil=True, cache=True)
def list_grandparents(edges, crossing):
    """The triples of grandparent parts, their slots, and their places.

    crossing : those that only non-projective trees can have, too
    """
    n = edges.above.size - 2
    triples = np.empty((edges.grandparents[-1], 3), np.int64)
    slots = np.empty(edges.grandparents[-1], np.int64)
    places = np.empty(edges.grandparents[-1], np.int64)
    n_triples = 0
    index = 0
    for half in range(2, 2 * n + 2):
        head = half >> 1
        for row in range(edges.below[half], edges.below[half + 1]):
            token = edges.dependents[edges.listed[row]]
            for above in range(edges.above[head], edges.above[head + 1]):
                grandparent = edges.heads[above]
                if token != grandparent and (
                        crossing or not min(head, token) < grandparent < max(head, token)):
                    triples[n_triples, 0] = grandparent
                    triples[n_triples, 1] = head
                    triples[n_triples, 2] = token
                    slots[n_triples] = grandparent_slot(grandparent, head, token, n)
                    places[n_triples] = index
                    n_triples += 1
                index += 1
    return triples[:n_triples], slots[:n_triples], places[:n_triples]


@njit(nogil=True, cache=True)
def list_childless(edges):
    """The triples of grandparent parts without a child, their slots, and their places."""
    n = edges.above.size - 2
    n_parts = 2 * edges.heads.size
    triples = np.empty((n_parts, 3), np.int64)
    slots = np.empty(n_parts, np.int64)
    for k in range(n_parts):
        grandparent, head = edges.heads[k >> 1], edges.dependents[k >> 1]
        triples[k, 0] = grandparent
        triples[k, 1] = head
        triples[k, 2] = n + 1 + (k & 1)
        slots[k] = grandparent_slot(grandparent, head, triples[k, 2], n)
    return triples, slots, np.arange(n_parts)


@njit(nogil=True, cache=True)
def score_triples(sums, triples, slots, places, weights, shift, factor, size):
    """Scores of parts of three tokens, at their places; 0 elsewhere."""
    n_templates = sums.shape[2]
    scores = np.zeros(size, np.float32)
    _score_triples(sums, triples, slots, places, weights, shift, np.float32(factor), scores,
                   np.empty(n_templates, np.uint32),
                   np.empty((LAG, 2, n_templates), np.uint32))
    return scores


@njit(nogil=True, cache=True)
def _score_triples(sums, triples, slots, places, weights, shift, factor, scores, numbers,
                   indices):
    """Write the scores; as in `_score_edges`, each of them some parts later."""
    for part in range(slots.size + LAG):
        turn = part % LAG
        if part >= LAG:
            scores[places[part - LAG]] = factor * sum_weights_at(
                weights, indices[turn], numbers.size)
        if part < slots.size:
            triple_numbers(sums, triples[part, 0], triples[part, 1], triples[part, 2],
                           numbers)
            ask_for_weights(weights, shift, slots[part], numbers, numbers.size,
                            indices[turn])


@njit(nogil=True, cache=True)
def score_all(tokens, templates, weights, shift, factor, edges, bonuses, crossing):
    """Scores of all parts, times a factor, and bonuses; parts that no projective tree has
    get none, unless edges may cross.

    bonuses : what is added to the score of each edge, or nothing
    """
    sums = make_sums(tokens, templates)
    triples, slots, places = list_siblings(edges)
    siblings = score_triples(sums.siblings, triples, slots, places, weights, shift,
                             factor, edges.siblings[-1])
    triples, slots, places = list_grandparents(edges, crossing)
    grandparents = score_triples(sums.grandparents, triples, slots, places, weights,
                                 shift, factor, edges.grandparents[-1])
    triples, slots, places = list_childless(edges)
    childless = score_triples(sums.grandparents, triples, slots, places, weights, shift,
                              factor, places.size)
    edge_scores = score_kept_edges(sums, templates.edges, weights, shift, factor, edges)
    if bonuses.size:
        for edge in range(edge_scores.size):
            edge_scores[edge] += bonuses[edge]
    return PartScores(edge_scores, siblings, grandparents, childless)
