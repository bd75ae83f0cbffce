"""Scores of all edges of a sentence, and the features of single edges, compiled.

Weights stand in rows of `ROW`: a feature's number gives the row and a first
place in it; the place of the same feature with a distance class is found by
going on around the row. Or, with a dictionary, each feature has a place of its
own and those seen too seldom have none. Pruned edges get no score at all.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.parsing.features.edge_templates import (
    KIND_LAYER,
    MAX_COUNT,
    N_WORD_KINDS,
    OUTSIDE_SENTENCE,
    ROW,
    distance_slot,
    mix,
)
from orange_structpred.parsing.features.prefetch import prefetch
from orange_structpred.parsing.features.tag_pruning import NONE_PRUNED, is_pruned
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot

SLOT_MULT = 0x9E3779B97F4A7C15


class FeatureIndices(NamedTuple):
    """Where the weight of a feature is found, and which edges need none.

    shift : a hashed feature's row is its number >> shift
    keys, numbers : open-addressed dictionary from a feature's number to its
        place; empty where features are hashed
    pruned : table of the kinds of edges that are left out; empty if none is
    """

    shift: np.uint64
    keys: np.ndarray
    numbers: np.ndarray
    pruned: np.ndarray = NONE_PRUNED


def hashed_indices(bits: int) -> FeatureIndices:
    """FeatureIndices for features hashed into 2^bits weights."""
    return FeatureIndices(np.uint64(64 - bits + 4), np.zeros(0, np.uint64),
                  np.zeros(0, np.int32))


@njit(nogil=True, cache=True, inline="always")
def hashed_index(number, slot, indices):
    turn = (number >> uint64(8)) + slot
    return ((number >> indices.shift) << uint64(4)) + (turn & uint64(ROW - 1))


@njit(nogil=True, cache=True, inline="always")
def dictionary_key(number, slot):
    """Never zero, which marks a free place of the dictionary."""
    return mix(number + slot * uint64(SLOT_MULT)) | uint64(1)


@njit(nogil=True, cache=True)
def dictionary_index(number, slot, indices):
    """Place of a feature's weight; -1 if it is not in the dictionary."""
    key = dictionary_key(number, slot)
    at = find_slot(indices.keys, key, key >> uint64(20), uint64(0))
    return np.int64(indices.numbers[at]) if indices.keys[at] != 0 else np.int64(-1)


@njit(nogil=True, cache=True, inline="always")
def neighbour(tokens, token, offset, layer):
    """A layer's value beside a token; the root has no neighbours and is none."""
    position = token + offset
    if offset < 0 and (position < 1 or token == 0):
        return OUTSIDE_SENTENCE[0]
    if offset > 0 and (position >= tokens.shape[0] or token == 0):
        return OUTSIDE_SENTENCE[1]
    return tokens[position, layer]


@njit(nogil=True, cache=True)
def edge_token_sums(tokens, templates):
    """Each template's share of the sum that a token brings, as head (0) and as
    dependent (1)."""
    length = tokens.shape[0]
    sums = np.zeros((2, length, templates.salts.size), np.uint64)
    for token in range(length):
        for template in range(templates.salts.size):
            sums[0, token, template] = templates.salts[template]
    for atom in range(templates.tokens.shape[0]):
        template, side, offset, layer = templates.tokens[atom]
        mult = templates.token_mults[atom]
        for token in range(length):
            sums[side, token, template] += mult * neighbour(
                tokens, token, offset, layer)
    return sums


@njit(nogil=True, cache=True)
def kinds_before(tokens):
    """How many words of each kind stand at positions 0..p."""
    length = tokens.shape[0]
    counts = np.zeros((length, N_WORD_KINDS), np.int64)
    for token in range(1, length):
        kind = np.int64(tokens[token, KIND_LAYER])
        for bit in range(N_WORD_KINDS):
            counts[token, bit] = counts[token - 1, bit] + ((kind >> bit) & 1)
    return counts


@njit(nogil=True, cache=True, inline="always")
def add_counts(sums, templates, before, low, high):
    """Add the words of each kind between two positions to their templates."""
    for atom in range(templates.counts.shape[0]):
        kind = templates.counts[atom, 1]
        count = min(MAX_COUNT, before[high - 1, kind] - before[low, kind])
        sums[templates.counts[atom, 0]] += (
            templates.count_mults[atom] * uint64(count))


@njit(nogil=True, cache=True, inline="always")
def add_new(seen, n_seen, value):
    """Put a value into a list of distinct ones; the list's new length."""
    for k in range(n_seen):
        if seen[k] == value:
            return n_seen
    seen[n_seen] = value
    return n_seen + 1


@njit(nogil=True, cache=True)
def sum_weights(weights, indices, numbers, n_numbers, slot):
    """Sum of the weights of features, each without and with its distance."""
    score = np.float32(0)
    if indices.keys.size == 0:
        for k in range(n_numbers):
            first = (numbers[k] >> indices.shift) << uint64(4)
            turn = numbers[k] >> uint64(8)
            score += (weights[first + (turn & uint64(ROW - 1))]
                      + weights[first + ((turn + slot) & uint64(ROW - 1))])
        return score
    for k in range(n_numbers):
        index = dictionary_index(numbers[k], uint64(0), indices)
        if index >= 0:
            score += weights[index]
        index = dictionary_index(numbers[k], slot, indices)
        if index >= 0:
            score += weights[index]
    return score


@njit(nogil=True, cache=True, inline="always")
def ask_for_edge_weights(weights, indices, numbers, n_numbers):
    """Memory is slow: let the rows of features come while others are worked on."""
    if indices.keys.size == 0:
        for k in range(n_numbers):
            prefetch(weights, (numbers[k] >> indices.shift) << uint64(4))


@njit(nogil=True, cache=True)
def score_edges(tokens, templates, weights, indices):
    """scores[head, dependent] of every edge of a sentence (root at 0).

    The weights of an edge are asked for as soon as their numbers are known, and summed
    when those of the next edge are, too.
    """
    length = tokens.shape[0]
    scores = np.zeros((length, length), np.float32)
    sides = edge_token_sums(tokens, templates)
    n_templates = templates.salts.size
    n_between = templates.between.shape[0]
    n_single = n_templates - n_between
    before = kinds_before(tokens)
    sums = np.empty(n_templates, np.uint64)
    numbers = np.empty((2, n_templates + n_between * length), np.uint64)
    now = 0                     # which row of numbers is filled; the other one waits
    waiting = waiting_head = waiting_dependent = 0
    seen = np.empty((n_between, length), np.uint64)
    n_seen = np.empty(n_between, np.int64)
    for head in range(length):
        for step in (1, -1):
            for atom in range(n_between):
                n_seen[atom] = 0
            dependent = head + step
            while 0 < dependent < length:
                if is_pruned(indices.pruned, tokens, head, dependent):
                    scores[head, dependent] = -np.inf
                else:
                    for template in range(n_templates):
                        sums[template] = (sides[0, head, template]
                                          + sides[1, dependent, template])
                    add_counts(sums, templates, before,
                               min(head, dependent), max(head, dependent))
                    edge_numbers_now = numbers[now]
                    for template in range(n_single):
                        edge_numbers_now[template] = mix(sums[template])
                    n_numbers = n_single
                    for atom in range(n_between):
                        base = sums[templates.between[atom, 0]]
                        mult = templates.between_mults[atom]
                        for tag in range(n_seen[atom]):
                            edge_numbers_now[n_numbers] = mix(base + mult * seen[atom, tag])
                            n_numbers += 1
                    ask_for_edge_weights(weights, indices, edge_numbers_now, n_numbers)
                    now = 1 - now
                    if waiting:
                        scores[waiting_head, waiting_dependent] = sum_weights(
                            weights, indices, numbers[now], waiting,
                            uint64(distance_slot(waiting_head, waiting_dependent)))
                    waiting, waiting_head, waiting_dependent = n_numbers, head, dependent
                # for the next edge this dependent stands between
                for atom in range(n_between):
                    n_seen[atom] = add_new(
                        seen[atom], n_seen[atom],
                        tokens[dependent, templates.between[atom, 1]])
                dependent += step
    if waiting:
        scores[waiting_head, waiting_dependent] = sum_weights(
            weights, indices, numbers[1 - now], waiting,
            uint64(distance_slot(waiting_head, waiting_dependent)))
    return scores


@njit(nogil=True, cache=True)
def numbers_of_sums(tokens, templates, before, sums, head, dependent, numbers, owners):
    """Numbers of all features of one edge and their templates; how many.

    `sums` has what head and dependent bring; what is between them is added.
    """
    n_between = templates.between.shape[0]
    low, high = min(head, dependent), max(head, dependent)
    add_counts(sums, templates, before, low, high)
    n_numbers = templates.salts.size - n_between
    for template in range(n_numbers):
        numbers[template] = mix(sums[template])
        owners[template] = template
    seen = np.empty(tokens.shape[0], np.uint64)
    for atom in range(n_between):
        n_seen = 0
        for token in range(low + 1, high):
            n_seen = add_new(seen, n_seen,
                             tokens[token, templates.between[atom, 1]])
        for tag in range(n_seen):
            numbers[n_numbers] = mix(sums[templates.between[atom, 0]]
                                     + templates.between_mults[atom] * seen[tag])
            owners[n_numbers] = templates.between[atom, 0]
            n_numbers += 1
    return n_numbers


@njit(nogil=True, cache=True)
def edge_numbers(tokens, templates, before, head, dependent, numbers, owners):
    """`numbers_of_sums` of a single edge."""
    sums = templates.salts.copy()
    atoms = templates.tokens
    for atom in range(atoms.shape[0]):
        token = dependent if atoms[atom, 1] else head
        sums[atoms[atom, 0]] += templates.token_mults[atom] * neighbour(
            tokens, token, atoms[atom, 2], atoms[atom, 3])
    return numbers_of_sums(
        tokens, templates, before, sums, head, dependent, numbers, owners)


@njit(nogil=True, cache=True)
def indices_of_numbers(indices, numbers, n_numbers, slot, out):
    """FeatureIndices of the weights of features, without and with distance; how many."""
    n_indices = 0
    for k in range(n_numbers):
        for with_slot in (uint64(0), slot):
            if indices.keys.size == 0:
                out[n_indices] = np.int64(hashed_index(numbers[k], with_slot, indices))
                n_indices += 1
            else:
                index = dictionary_index(numbers[k], with_slot, indices)
                if index >= 0:
                    out[n_indices] = index
                    n_indices += 1
    return n_indices


@njit(nogil=True, cache=True)
def edge_feature_indices(tokens, templates, indices, edges):
    """Indices of the features of some edges, one edge after the other, and where
    those of each end.

    edges : numbers, dependent * length + head
    """
    length = tokens.shape[0]
    before = kinds_before(tokens)
    sides = edge_token_sums(tokens, templates)
    limit = templates.salts.size + templates.between.shape[0] * length
    numbers = np.empty(limit, np.uint64)
    owners = np.empty(limit, np.int32)
    features = np.empty(2 * limit * edges.size, np.int64)
    starts = np.zeros(edges.size + 1, np.int64)
    sums = np.empty(templates.salts.size, np.uint64)
    for edge in range(edges.size):
        dependent, head = edges[edge] // length, edges[edge] % length
        for k in range(sums.size):
            sums[k] = sides[0, head, k] + sides[1, dependent, k]
        n_numbers = numbers_of_sums(
            tokens, templates, before, sums, head, dependent, numbers, owners)
        starts[edge + 1] = starts[edge] + indices_of_numbers(
            indices, numbers, n_numbers, uint64(distance_slot(head, dependent)),
            features[starts[edge]:])
    return features[:starts[-1]], starts[1:]


@njit(nogil=True, cache=True)
def edge_feature_templates(tokens, templates, edges):
    """The template of each feature whose index `edge_feature_indices` gives, where
    features are hashed."""
    length = tokens.shape[0]
    before = kinds_before(tokens)
    limit = templates.salts.size + templates.between.shape[0] * length
    numbers = np.empty(limit, np.uint64)
    owners = np.empty(limit, np.int32)
    of_features = np.empty(2 * limit * edges.size, np.int32)
    total = 0
    for edge in edges:
        n_numbers = edge_numbers(tokens, templates, before, edge % length, edge // length,
                                 numbers, owners)
        for k in range(n_numbers):
            of_features[total] = of_features[total + 1] = owners[k]
            total += 2
    return of_features[:total]
