"""A greedy transition-based parser, compiled.

The arc-hybrid system (Kuhlmann, Gomez-Rodriguez and Satta 2011): SHIFT moves the first
token of the buffer to the stack, LEFT_ARC attaches the top of the stack to the first
token of the buffer, RIGHT_ARC to the token below it; both remove it. The root is at the
bottom of the stack. Training follows the parser's own transitions; a dynamic oracle (Goldberg and
Nivre 2013) says of each how many gold edges it puts out of reach.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.features.edge_templates import distance_slot
from orange_structpred.parsing.row_learning import mira_step
from orange_structpred.parsing.second_order.part_scoring import mix32, token_sums
from orange_structpred.parsing.second_order.token_layers import make_layers
from orange_structpred.parsing.transitions.transition_templates import (
    CONFIGURATION_ROLES,
    CONFIGURATION_WORDS,
)
from orange_structpred.running.compiler import njit

SHIFT, LEFT_ARC, RIGHT_ARC = 0, 1, 2
N_TRANSITIONS = 3
COLUMNS = 4         # of weights: a power of two, so that a row is in one line of the cache
IMPOSSIBLE = 1 << 30
MOST_CHILDREN = 4   # on a side: more are not counted
N_CONFIGURATION_ROLES = len(CONFIGURATION_ROLES)
N_CONFIGURATION_WORDS = len(CONFIGURATION_WORDS)


class Configuration(NamedTuple):
    """Where the parser is in a sentence of n tokens.

    ends : int64 (2), the height of the stack and the first token of the buffer
    stack : int32, the root first
    heads : int32, those found so far, -1 for the others
    lefts, rights : int32, the outermost children; n + 3 if there is none
    counts : int32 (n + 1, 2), of children on the left and right
    """

    ends: np.ndarray
    stack: np.ndarray
    heads: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    counts: np.ndarray


@njit(nogil=True, cache=True)
def start(n):
    return Configuration(
        np.array([1, 1]), np.zeros(n + 1, np.int32), np.full(n + 1, -1, np.int32),
        np.full(n + 1, n + 3, np.int32), np.full(n + 1, n + 3, np.int32),
        np.zeros((n + 1, 2), np.int32))


@njit(nogil=True, cache=True)
def apply(at, transition):
    """Make a transition, which must be possible."""
    height, front = at.ends
    if transition == SHIFT:
        at.stack[height] = front
        at.ends[0] += 1
        at.ends[1] += 1
        return
    token = at.stack[height - 1]
    at.ends[0] -= 1
    head = front if transition == LEFT_ARC else at.stack[height - 2]
    at.heads[token] = head
    children = at.lefts if transition == LEFT_ARC else at.rights
    children[head] = token
    at.counts[head, transition - 1] += 1


@njit(nogil=True, cache=True)
def add_numbers(sums, templates, words, roles, numbers):
    """Numbers of the features of a configuration.

    sums : what each token brings to them in each role, as `token_sums` makes them
    """
    numbers[:] = 0
    for role in range(N_CONFIGURATION_ROLES):
        role_sums = sums[role, roles[role]]
        for k in range(numbers.size):
            numbers[k] = np.uint32(numbers[k] + role_sums[k])
    for atom in range(templates.counts.shape[0]):
        template = templates.counts[atom, 0]
        numbers[template] = np.uint32(numbers[template] + np.uint32(
            templates.count_mults[atom] * words[templates.counts[atom, 1]]))
    for k in range(numbers.size):
        numbers[k] = mix32(numbers[k])


@njit(nogil=True, cache=True)
def observe_configuration(at, roles, words):
    """The tokens of CONFIGURATION_ROLES, n + 3 for those that are not there, and the
    words of ``n``."""
    height, front = at.ends
    n = at.heads.size - 1
    roles[:] = n + 3
    words[:] = 0
    for k in range(min(3, height)):
        roles[k] = at.stack[height - 1 - k]
    for k in range(min(3, n + 1 - front)):
        roles[3 + k] = front + k
    top, below, first = roles[0], roles[1], roles[3]
    roles[6], roles[7] = at.lefts[top], at.rights[top]
    words[2] = min(MOST_CHILDREN, at.counts[top, 0])
    words[3] = min(MOST_CHILDREN, at.counts[top, 1])
    if below <= n:
        roles[8], roles[9] = at.lefts[below], at.rights[below]
        words[1] = distance_slot(below, top)
        words[4] = min(MOST_CHILDREN, at.counts[below, 0])
        words[5] = min(MOST_CHILDREN, at.counts[below, 1])
    if first <= n:
        roles[10] = at.lefts[first]
        words[0] = distance_slot(top, first)
        words[6] = min(MOST_CHILDREN, at.counts[first, 0])


@njit(nogil=True, cache=True)
def may_attach(at, single_root):
    """Whether RIGHT_ARC is possible; to the root only at the end, if a sentence has a
    single one."""
    height, front = at.ends
    return height > 2 or height == 2 and (front >= at.heads.size or not single_root)


@njit(nogil=True, cache=True)
def find_costs(at, gold, single_root, costs):
    """How many gold edges each transition puts out of reach; those of the possible
    ones."""
    height, front = at.ends
    n = gold.size - 1
    top = at.stack[height - 1]
    costs[:] = IMPOSSIBLE
    children = 0        # that the top of the stack still waits for
    for token in range(front, n + 1):
        children += gold[token] == top
    if height > 1:
        head = gold[top]
        if may_attach(at, single_root):
            costs[RIGHT_ARC] = children + (head >= front)
        if front <= n:
            costs[LEFT_ARC] = children + (head > front or head == at.stack[height - 2])
    if front <= n:
        costs[SHIFT] = 0
        for k in range(height):
            token = at.stack[k]
            if gold[token] == front or gold[front] == token and token != top:
                costs[SHIFT] += 1


@njit(nogil=True, cache=True)
def score_transitions(weights, rows, scores):
    scores[:] = 0
    for k in range(rows.size):
        first = rows[k] * COLUMNS
        for transition in range(N_TRANSITIONS):
            scores[transition] += weights[first + transition]


@njit(nogil=True, cache=True)
def choose(scores, costs):
    """The best transition among those of the lowest cost, and among the others; -1 if
    there is none."""
    lowest = IMPOSSIBLE
    for cost in costs:
        lowest = min(lowest, cost)
    right = wrong = -1
    for transition in range(N_TRANSITIONS):
        if costs[transition] == lowest:
            if right < 0 or scores[transition] > scores[right]:
                right = transition
        elif costs[transition] < IMPOSSIBLE and (
                wrong < 0 or scores[transition] > scores[wrong]):
            wrong = transition
    return right, wrong


@njit(nogil=True, cache=True)
def run_sentences(order, offsets, tokens, gold, templates, weights, late, shift,
                  single_root, C, begin, step, heads):
    """Parse sentences in an order and, if C is positive, learn from each transition by
    MIRA; the number of steps so far. `late` gathers what the average over the steps
    after `begin` needs.

    heads : into which those that are found are written; none when it is empty
    """
    roles = np.empty(N_CONFIGURATION_ROLES, np.int32)
    words = np.empty(N_CONFIGURATION_WORDS, np.uint32)
    rows = np.empty(templates.salts.size, np.uint32)
    scores = np.empty(N_TRANSITIONS, np.float32)
    costs = np.empty(N_TRANSITIONS, np.int64)
    for i in order:
        first, last = offsets[i], offsets[i + 1]
        n = last - first - 1
        sums = token_sums(make_layers(tokens[first:last]).values.T.copy(), templates,
                          N_CONFIGURATION_ROLES)
        at = start(n)
        while True:
            height, front = at.ends
            if height == 1:
                if front > n:
                    break
                apply(at, SHIFT)
                continue
            if front > n:
                apply(at, RIGHT_ARC)
                continue
            observe_configuration(at, roles, words)
            add_numbers(sums, templates, words, roles, rows)
            for k in range(rows.size):
                rows[k] >>= shift
            score_transitions(weights, rows, scores)
            if not may_attach(at, single_root):
                scores[RIGHT_ARC] = -np.inf
            if C > 0:
                step += 1
                find_costs(at, gold[first:last], single_root, costs)
                right, wrong = choose(scores, costs)
                hinge = 1 - scores[right] + scores[wrong] if wrong >= 0 else 0.
                if hinge > 0:
                    mira_step(weights, late, rows, COLUMNS, right, wrong, hinge, C,
                              step - begin)
            apply(at, np.argmax(scores))
        if heads.size:
            for token in range(n + 1):
                heads[first + token] = at.heads[token]
    return step
