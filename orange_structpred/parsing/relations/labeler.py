"""The relations of a finished tree, each chosen by a linear model, compiled.

A feature has a row of weights, one for each relation; features are hashed to rows.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.parsing.features.edge_templates import distance_slot
from orange_structpred.parsing.features.prefetch import prefetch
from orange_structpred.parsing.relations.relation_templates import RELATION_ROLES
from orange_structpred.parsing.row_learning import mira_step
from orange_structpred.parsing.second_order.part_scoring import mix32
from orange_structpred.parsing.second_order.token_layers import (
    NO_TOKEN,
    UPOS,
    make_layers,
    with_neighbours,
)
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import string_id

MANY_CHILDREN = 3        # children on a side: more are not counted
DESCRIBED = 5   # values that `surround` has for each token
ROWS_AHEAD = 8       # rows of weights that are asked for before they are needed
LINE = 16       # weights in a line of the processor's cache
CHILD_STEP = np.uint32(0x2C1B3C6D)
N_ROLES = len(RELATION_ROLES)
FUNCTION_TAGS = np.array([string_id(tag) for tag in ("ADP", "SCONJ", "CCONJ", "PART")],
                         dtype=np.uint64)


@njit(nogil=True, cache=True)
def surround(heads, layers, tags):
    """Roles of tokens, those of ROLES, and the words of `n`, for each dependent."""
    n = heads.size - 1
    none = n + 3        # STOP: what is not there
    roles = np.full((n + 1, N_ROLES), none, np.int32)
    words = np.zeros((n + 1, DESCRIBED), np.uint32)
    newest = np.full(n + 1, none, np.int32)
    counts = np.zeros((n + 1, 2), np.int32)
    below = np.full(n + 1, NO_TOKEN, np.uint32)
    for token in range(1, n + 1):
        head = heads[token]
        roles[token, 0] = token
        roles[token, 1] = head
        if head:
            roles[token, 2] = heads[head]
        roles[token, 3] = newest[head]
        words[token, 4] = (min(MANY_CHILDREN, counts[head, 0])
                           + 4 * min(MANY_CHILDREN, counts[head, 1]))
        if newest[head] < none:
            roles[newest[head], 4] = token
        else:
            roles[head, 5] = token
        roles[head, 6] = token
        newest[head] = token
        if token < head:
            for tag in FUNCTION_TAGS:
                if tags[token] == tag:
                    roles[head, 7] = token
        counts[head, np.int64(token > head)] += 1
        below[head] = np.uint32(below[head] * CHILD_STEP + layers.values[token, UPOS])
    for token in range(1, n + 1):
        head = heads[token]
        roles[token, 8] = roles[head, 7]
        words[token, 0] = distance_slot(head, token)
        words[token, 1] = (min(MANY_CHILDREN, counts[token, 0])
                           + 4 * min(MANY_CHILDREN, counts[token, 1]))
        words[token, 2] = below[token]
        words[token, 3] = below[head]
        # seen from the other end, too
        words[token, 4] += 16 * min(
            MANY_CHILDREN, counts[head, 0] + counts[head, 1]) + 64 * (head == 0)
    return roles, words


@njit(nogil=True, cache=True)
def relation_rows(values, row_of, roles, words, templates, shift, out):
    """The rows of a dependent's features.

    values, row_of : what `with_neighbours` makes of a sentence
    """
    for k in range(out.size):
        out[k] = templates.salts[k]
    atoms = templates.tokens
    for atom in range(atoms.shape[0]):
        row = row_of[roles[atoms[atom, 1]]] + atoms[atom, 2]
        value = values[np.uintp(row), np.uintp(atoms[atom, 3])]
        template = np.uintp(atoms[atom, 0])
        out[template] = np.uint32(out[template] + np.uint32(
            templates.token_mults[atom] * value))
    for atom in range(templates.counts.shape[0]):
        template = templates.counts[atom, 0]
        out[template] = np.uint32(out[template] + np.uint32(
            templates.count_mults[atom] * words[templates.counts[atom, 1]]))
    for k in range(out.size):
        out[k] = mix32(out[k]) >> shift


@njit(nogil=True, cache=True)
def score_relations(weights, rows, scores):
    scores[:] = 0
    width = weights.shape[1]
    for k in range(-ROWS_AHEAD, rows.size):
        if k + ROWS_AHEAD < rows.size:
            # memory is slow: ask for what comes next before it is needed
            for column in range(0, width, LINE):
                prefetch(weights, np.uintp(rows[k + ROWS_AHEAD] * width + column))
        if k < 0:
            continue
        row = weights[rows[k]]
        for relation in range(scores.size):
            scores[relation] += row[relation]


@njit(nogil=True, cache=True)
def label_sentences(first, last, offsets, tokens, heads, templates, weights, shift,
                    bonuses, relations):
    """The best relation of each token, by its number.

    bonuses : what is added to the scores of each position's relations, or no rows
    """
    rows = np.empty(templates.salts.size, np.uint32)
    scores = np.empty(weights.shape[1], np.float32)
    for i in range(first, last):
        start, stop = offsets[i], offsets[i + 1]
        layers = make_layers(tokens[start:stop])
        roles, words = surround(heads[start:stop], layers, tokens[start:stop, UPOS])
        values, row_of = with_neighbours(layers.values)
        for token in range(1, stop - start):
            relation_rows(values, row_of, roles[token], words[token], templates, shift,
                          rows)
            score_relations(weights, rows, scores)
            if bonuses.shape[0]:
                for relation in range(scores.size):
                    scores[relation] += bonuses[start + token, relation]
            relations[start + token] = np.argmax(scores)


@njit(nogil=True, cache=True)
def learn_pass(order, offsets, tokens, heads, gold, templates, weights, late, shift,
               C, begin, step):
    """Multiclass MIRA over the tokens of sentences in an order; returns the number of
    steps so far. `late` gathers what the average over the steps after `begin` needs."""
    rows = np.empty(templates.salts.size, np.uint32)
    scores = np.empty(weights.shape[1], np.float32)
    flat, flat_late = weights.ravel(), late.ravel()
    for i in order:
        start, stop = offsets[i], offsets[i + 1]
        layers = make_layers(tokens[start:stop])
        roles, words = surround(heads[start:stop], layers, tokens[start:stop, UPOS])
        values, row_of = with_neighbours(layers.values)
        for token in range(1, stop - start):
            right = gold[start + token]
            step += 1
            if right < 0:
                continue
            relation_rows(values, row_of, roles[token], words[token], templates, shift,
                          rows)
            score_relations(weights, rows, scores)
            margin = scores[right]
            scores[right] = -np.inf
            wrong = np.argmax(scores)
            hinge = 1 - margin + scores[wrong]
            if hinge <= 0:
                continue
            mira_step(flat, flat_late, rows, weights.shape[1], right, wrong, hinge, C,
                      step - begin)
    return step
