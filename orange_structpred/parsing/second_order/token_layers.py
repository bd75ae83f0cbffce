"""What is known of the tokens of one sentence, and between any two of them."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.parsing.features.edge_templates import (
    LONGEST_SEQUENCE,
    MAX_COUNT,
    N_WORD_KINDS,
)
from orange_structpred.parsing.second_order.part_templates import PART_LAYERS, REACH
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import ENCODED_LAYERS, VERB, string_id
from orange_structpred.treebank.layers import PUNCTUATION

N_ENCODED = len(ENCODED_LAYERS) - 1
N_LAYERS = len(PART_LAYERS)
KIND = ENCODED_LAYERS.index("kind")
FORM, UPOS = ENCODED_LAYERS.index("form"), ENCODED_LAYERS.index("upos")
PUNCT = np.uint64(string_id(PUNCTUATION))
START_RIGHT, START_LEFT, STOP, BEFORE_SENTENCE, AFTER_SENTENCE, NO_TOKEN = (
    np.uint32(number) for number in (
        0x9E3779B1, 0xB5297A4D, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1))
N_OTHERS = 4    # vertices besides the tokens: the root, two STARTs and STOP


class Layers(NamedTuple):
    """A sentence of n tokens.

    values : uint32 (n + N_OTHERS, N_LAYERS): the root, the tokens, START to the
        right, START to the left, STOP
    counts : int32 (n + 1, kinds): verbs, commas and so on at positions 0..p
    """

    values: np.ndarray
    counts: np.ndarray


@njit(nogil=True, cache=True)
def make_layers(tokens):
    length = tokens.shape[0]
    values = np.empty((length + N_OTHERS - 1, N_LAYERS), np.uint32)
    counts = np.zeros((length, N_WORD_KINDS + 1), np.int32)
    for token in range(length):
        for layer in range(N_ENCODED):
            value = tokens[token, layer]
            values[token, layer] = np.uint32(value ^ (value >> uint64(32)))
    for layer in range(N_LAYERS):
        values[length, layer] = START_RIGHT
        values[length + 1, layer] = START_LEFT
        values[length + 2, layer] = STOP
    mark = verb = BEFORE_SENTENCE
    for token in range(length):
        values[token, N_ENCODED] = mark
        values[token, N_ENCODED + 2] = verb
        kind = np.int64(tokens[token, KIND])
        is_mark = tokens[token, UPOS] == PUNCT
        if token:
            for bit in range(N_WORD_KINDS):
                counts[token, bit] = counts[token - 1, bit] + ((kind >> bit) & 1)
            counts[token, N_WORD_KINDS] = counts[token - 1, N_WORD_KINDS] + is_mark
        if is_mark:
            mark = values[token, FORM]
        if kind & VERB:
            verb = values[token, UPOS]
        values[token, N_ENCODED + 4] = (
            min(token, 3) + 8 * min(length - token, 4))
    mark = verb = AFTER_SENTENCE
    for token in range(length - 1, -1, -1):
        values[token, N_ENCODED + 1] = mark
        values[token, N_ENCODED + 3] = verb
        if tokens[token, UPOS] == PUNCT:
            mark = values[token, FORM]
        if np.int64(tokens[token, KIND]) & VERB:
            verb = values[token, UPOS]
    return Layers(values, counts)


@njit(nogil=True, cache=True)
def with_neighbours(values):
    """The values of all vertices such that the row k further is that of the neighbour k
    further, and each vertex's row. Only tokens have neighbours."""
    length, width = values.shape
    n = length - N_OTHERS
    rows = np.full((length + REACH * (N_OTHERS + 3), width), NO_TOKEN, np.uint32)
    row_of = np.empty(length, np.int64)
    for row in range(REACH):
        for layer in range(width):
            rows[row, layer] = BEFORE_SENTENCE
            rows[REACH + n + row, layer] = AFTER_SENTENCE
    for token in range(1, n + 1):
        row_of[token] = REACH + token - 1
    row = 3 * REACH + n
    for k in range(N_OTHERS):
        row_of[n + k if k else 0] = row     # the root, then those behind the tokens
        row += REACH + 1
    for vertex in range(length):
        for layer in range(width):
            rows[row_of[vertex], layer] = values[vertex, layer]
    return rows, row_of


@njit(nogil=True, cache=True)
def describe_between(layers, low, high, out):
    """What stands between two positions: the words of BETWEEN."""
    kinds = layers.counts.shape[1]
    for kind in range(kinds):
        out[kind] = np.uint32(min(
            MAX_COUNT, layers.counts[high - 1, kind] - layers.counts[low, kind]))
    number = NO_TOKEN
    if high - low - 1 <= LONGEST_SEQUENCE:
        for token in range(low + 1, high):
            number = np.uint32(number * np.uint32(0x2C1B3C6D)
                               + layers.values[token, UPOS])
    else:
        for token in (low + 1, low + 2, high - 2, high - 1):
            number = np.uint32(number * np.uint32(0x297A2D39)
                               + layers.values[token, UPOS])
    out[kinds] = number
