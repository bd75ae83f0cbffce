"""Features of the parts of a tree, compiled: numbers, weights, sparse vectors.

A feature's number is a row of `ROW` weights and a first index in it. The indices of the
feature with its directions, and with directions and distance, are found by going on
around the row by two steps, which stand in one number, the part's slot.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.features.edge_scoring import add_new
from orange_structpred.parsing.features.edge_templates import ROW, distance_slot
from orange_structpred.parsing.features.prefetch import prefetch
from orange_structpred.parsing.second_order.part_templates import WORDS_BETWEEN
from orange_structpred.parsing.second_order.token_layers import (
    N_OTHERS,
    Layers,
    describe_between,
    make_layers,
    with_neighbours,
)
from orange_structpred.running.compiler import njit

EDGE, SIBLING, GRANDPARENT = 0, 1, 2
N_BETWEEN = len(WORDS_BETWEEN)
TURN = np.uint32(ROW - 1)
TO_THE_LEFT = 15 * ROW      # the step of directions is a multiple of `ROW`


def shift_of(bits: int) -> np.uint32:
    """A feature's row is its number >> shift, where there are 2^bits weights."""
    return np.uint32(32 - bits + ROW.bit_length() - 1)


class Sums(NamedTuple):
    """What the tokens of a sentence bring to the numbers of features.

    edges, siblings, grandparents : uint32 (roles, n + N_OTHERS, templates)
    """

    layers: Layers
    edges: np.ndarray
    siblings: np.ndarray
    grandparents: np.ndarray


@njit(nogil=True, cache=True)
def token_sums(values, templates, n_roles):
    """What each vertex brings to each template's sum, in each role.

    values : of `Layers`
    """
    length, width = values.shape
    atoms = templates.tokens
    rows, row_of = with_neighbours(values)
    n_templates = templates.salts.size
    sums = np.zeros((n_roles, length, n_templates), np.uint32)
    for vertex in range(length):
        for template in range(n_templates):
            sums[0, vertex, template] = templates.salts[template]
    # where each atom's value is, from a vertex's row on, and where it goes
    sources = np.empty(atoms.shape[0], np.int64)
    targets = np.empty(atoms.shape[0], np.int64)
    for atom in range(atoms.shape[0]):
        sources[atom] = atoms[atom, 2] * width + atoms[atom, 3]
        targets[atom] = atoms[atom, 1] * length * n_templates + atoms[atom, 0]
    flat_rows, flat_sums = rows.ravel(), sums.ravel()
    for vertex in range(length):
        _add_values(flat_rows, row_of[vertex] * width, sources, templates.token_mults,
                    targets, flat_sums[vertex * n_templates:])
    return sums


@njit(nogil=True, cache=True)
def _add_values(flat_rows, first, sources, mults, targets, flat_sums):
    for atom in range(np.uintp(sources.size)):
        value = flat_rows[np.uintp(first + sources[atom])]
        target = np.uintp(targets[atom])
        flat_sums[target] = np.uint32(
            flat_sums[target] + np.uint32(mults[atom] * value))


@njit(nogil=True, cache=True)
def make_sums(tokens, templates):
    layers = make_layers(tokens)
    return Sums(layers, token_sums(layers.values, templates.edges, 2),
                token_sums(layers.values, templates.siblings, 3),
                token_sums(layers.values, templates.grandparents, 3))


@njit(nogil=True, cache=True, inline="always")
def mix32(number):
    """Spread a 32-bit sum over all bits."""
    number = np.uint32(number ^ (number >> np.uint32(15)))
    number = np.uint32(number * np.uint32(0x9F5A3C6B))
    return np.uint32(number ^ (number >> np.uint32(14)))


@njit(nogil=True, cache=True)
def edge_part_numbers(sums, templates, head, dependent, described, seen, numbers):
    """Numbers of the features of an edge; how many.

    described, seen : room for N_BETWEEN values, and for one of each token
    """
    one, two = sums.edges[0, head], sums.edges[1, dependent]
    n_templates = templates.salts.size
    for k in range(n_templates):
        numbers[k] = np.uint32(one[k] + two[k])
    low, high = min(head, dependent), max(head, dependent)
    describe_between(sums.layers, low, high, described)
    for atom in range(templates.counts.shape[0]):
        template = templates.counts[atom, 0]
        numbers[template] = np.uint32(numbers[template] + np.uint32(
            templates.count_mults[atom] * described[templates.counts[atom, 1]]))
    n_between = templates.between.shape[0]
    n_numbers = n_templates
    for atom in range(n_between):
        n_seen = 0
        for token in range(low + 1, high):
            n_seen = add_new(seen, n_seen,
                             sums.layers.values[token, templates.between[atom, 1]])
        base = numbers[templates.between[atom, 0]]
        for k in range(n_seen):
            numbers[n_numbers] = np.uint32(base + np.uint32(
                templates.between_mults[atom] * seen[k]))
            n_numbers += 1
    # templates with a token between have a number for each of these, and no other
    for k in range(n_templates, n_numbers):
        numbers[k - n_between] = numbers[k]
    n_numbers -= n_between
    for k in range(n_numbers):
        numbers[k] = mix32(numbers[k])
    return n_numbers


@njit(nogil=True, cache=True)
def triple_numbers(sums, one, two, three, numbers):
    """Numbers of the features of three tokens; how many."""
    first, second, third = sums[0, one], sums[1, two], sums[2, three]
    for k in range(first.size):
        numbers[k] = mix32(np.uint32(np.uint32(first[k] + second[k]) + third[k]))
    return first.size


@njit(nogil=True, cache=True, inline="always")
def edge_slot(head, dependent):
    """The direction, and the distance class 1..14."""
    return distance_slot(head, dependent) + (TO_THE_LEFT if dependent < head else 0)


@njit(nogil=True, cache=True, inline="always")
def sibling_slot(head, sibling, dependent, n):
    """The side, and 1..14, how far the dependent is from what stands before it; 15 if
    there is neither a sibling nor a dependent."""
    if dependent > n:       # STOP
        return edge_slot(head, sibling) if sibling <= n else 15
    return distance_slot(sibling if sibling <= n else head, dependent) + (
        TO_THE_LEFT if dependent < head else 0)


@njit(nogil=True, cache=True, inline="always")
def grandparent_slot(grandparent, head, dependent, n):
    """The directions of both edges, 0 or 13..15, and these with the lower one's
    distance, 1..12; with the upper one's if there is no dependent."""
    if dependent > n:       # START
        distance = abs(head - grandparent)
        directions = dependent - n - 1 + 2 * (head < grandparent)
    else:
        distance = abs(dependent - head)
        directions = (dependent < head) + 2 * (head < grandparent)
    level = 0 if distance == 1 else 1 if distance <= 3 else 2
    return 1 + level + 3 * directions + ROW * (12 + directions if directions else 0)


@njit(nogil=True, cache=True)
def ask_for_weights(weights, shift, slot, numbers, n_numbers, indices):
    """Indices of the weights of a part's features, at both places of its slot.

    Memory is slow: the weights are asked for, and come while something else is done.
    """
    directed, far = np.uint32(slot // ROW), np.uint32(slot % ROW)
    one, other = indices[0], indices[1]
    for k in range(np.uintp(n_numbers)):
        first = np.uint32(np.uint32(numbers[k] >> shift) * np.uint32(ROW))
        one[k] = np.uint32(first + np.uint32(np.uint32(numbers[k] + directed) & TURN))
        other[k] = np.uint32(first + np.uint32(np.uint32(numbers[k] + far) & TURN))
    for k in range(np.uintp(n_numbers)):
        prefetch(weights, one[k])


@njit(nogil=True, cache=True)
def sum_weights_at(weights, indices, n_numbers):
    """The sum of a part's weights."""
    one, other = indices[0], indices[1]
    score = np.float32(0)
    for k in range(np.uintp(n_numbers)):
        score += weights[one[k]] + weights[other[k]]
    return score


@njit(nogil=True, cache=True)
def list_numbers(tokens, templates, parts):
    """Numbers of the features of parts, one part after the other; where each part's
    end, and the parts' slots."""
    sums = make_sums(tokens, templates)
    length = tokens.shape[0]
    n = length - 1
    size = length + N_OTHERS - 1
    limit = max(templates.edges.salts.size + templates.edges.between.shape[0] * length,
                max(templates.siblings.salts.size, templates.grandparents.salts.size))
    numbers = np.empty(limit * parts.size, np.uint32)
    ends = np.empty(parts.size, np.int64)
    slots = np.empty(parts.size, np.int64)
    described, seen = np.empty(N_BETWEEN, np.uint32), np.empty(length, np.uint32)
    total = 0
    for k in range(parts.size):
        rest, three = divmod(parts[k], size)
        rest, two = divmod(rest, size)
        kind, one = divmod(rest, size)
        if kind == EDGE:
            total += edge_part_numbers(sums, templates.edges, one, two, described, seen,
                                  numbers[total:])
            slots[k] = edge_slot(one, two)
        elif kind == SIBLING:
            total += triple_numbers(sums.siblings, one, two, three, numbers[total:])
            slots[k] = sibling_slot(one, two, three, n)
        else:
            total += triple_numbers(
                sums.grandparents, one, two, three, numbers[total:])
            slots[k] = grandparent_slot(one, two, three, n)
        ends[k] = total
    return numbers[:total], ends, slots


@njit(nogil=True, cache=True)
def part_feature_indices(tokens, templates, shift, parts):
    """Indices of the features of parts, and where each part's end."""
    numbers, ends, slots = list_numbers(tokens, templates, parts)
    indices = np.empty(2 * numbers.size, np.int64)
    k = 0
    for part in range(ends.size):
        directed, far = np.uint32(slots[part] // ROW), np.uint32(slots[part] % ROW)
        while k < ends[part]:
            first = np.int64(np.uint32(numbers[k] >> shift)) << 4
            indices[2 * k] = first + np.int64((numbers[k] + directed) & TURN)
            indices[2 * k + 1] = first + np.int64((numbers[k] + far) & TURN)
            k += 1
    for part in range(ends.size):
        ends[part] *= 2
    return indices, ends


@njit(nogil=True, cache=True)
def part_feature_templates(tokens, templates, parts):
    """The template of each feature whose index `part_feature_indices` gives; those of
    edges come first, then those of siblings and of grandparents."""
    layers = make_layers(tokens)
    length = tokens.shape[0]
    size = length + N_OTHERS - 1
    between = templates.edges.between
    n_edges, n_siblings = templates.edges.salts.size, templates.siblings.salts.size
    n_triples = max(n_siblings, templates.grandparents.salts.size)
    of_features = np.empty(2 * parts.size * max(
        n_edges + between.shape[0] * length, n_triples), np.int32)
    seen = np.empty(length, np.uint32)
    total = 0
    for k in range(parts.size):
        rest, _ = divmod(parts[k], size)
        rest, two = divmod(rest, size)
        kind, one = divmod(rest, size)
        first, last = 0, n_edges - between.shape[0]
        if kind != EDGE:
            first = n_edges if kind == SIBLING else n_edges + n_siblings
            last = first + (n_siblings if kind == SIBLING
                            else templates.grandparents.salts.size)
        for template in range(first, last):
            of_features[total] = of_features[total + 1] = template
            total += 2
        if kind == EDGE:
            for atom in range(between.shape[0]):
                n_seen = 0
                for token in range(min(one, two) + 1, max(one, two)):
                    n_seen = add_new(seen, n_seen, layers.values[token, between[atom, 1]])
                for _ in range(2 * n_seen):
                    of_features[total] = between[atom, 0]
                    total += 1
    return of_features[:total]
