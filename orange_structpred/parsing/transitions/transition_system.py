"""A greedy transition-based parser, compiled.

The arc-hybrid system (Kuhlmann, Gomez-Rodriguez and Satta 2011): SHIFT moves the first
token of the buffer to the stack, LEFT_ARC attaches the top of the stack to the first
token of the buffer, RIGHT_ARC to the token below it; both remove it. The root is at the
bottom of the stack. Where edges may cross, SWAP moves the top of the stack back into the
buffer, behind its first token (de Lhoneux, Stymne and Nivre 2017).

Training follows the parser's own transitions; a dynamic oracle (Goldberg and Nivre 2013)
says of each how many gold edges it puts out of reach. Of SWAP it knows only whether two
tokens are in the order of the gold tree: the static-dynamic oracle.
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

SHIFT, LEFT_ARC, RIGHT_ARC, SWAP = 0, 1, 2, 3
N_TRANSITIONS = 4
COLUMNS = 4         # of weights: a power of two, so that a row is in one line of the cache
IMPOSSIBLE = 1 << 30
MOST_CHILDREN = 4   # on a side: more are not counted
SWAPS_PER_TOKEN = 2     # at most
N_CONFIGURATION_ROLES = len(CONFIGURATION_ROLES)
N_CONFIGURATION_WORDS = len(CONFIGURATION_WORDS)


class TransitionSystem(NamedTuple):
    """What trees may look like.

    single_root : exactly one token of a sentence depends on the root
    swaps : edges may cross: there is SWAP
    """

    single_root: bool
    swaps: bool = False


class Configuration(NamedTuple):
    """Where the parser is in a sentence of n tokens.

    ends : int64 (3), the height of the stack, where the buffer begins, and how many times
        tokens were swapped
    stack : int32, the root first
    buffer : int32, the tokens that are not on the stack, in places up to n
    heads : int32, those found so far, -1 for the others
    lefts, rights : int32, the outermost children; n + 3 if there is none
    counts : int32 (n + 1, 2), of children on the left and right
    """

    ends: np.ndarray
    stack: np.ndarray
    buffer: np.ndarray
    heads: np.ndarray
    lefts: np.ndarray
    rights: np.ndarray
    counts: np.ndarray


@njit(nogil=True, cache=True)
def start(n):
    at = Configuration(
        np.array([1, 1, 0]), np.zeros(n + 1, np.int32), np.zeros(n + 1, np.int32),
        np.full(n + 1, -1, np.int32), np.full(n + 1, n + 3, np.int32),
        np.full(n + 1, n + 3, np.int32), np.zeros((n + 1, 2), np.int32))
    for token in range(n + 1):
        at.buffer[token] = token
    return at


@njit(nogil=True, cache=True)
def is_complete(at):
    height, begin, _ = at.ends
    return height == 1 and begin == at.heads.size


@njit(nogil=True, cache=True)
def apply(at, transition):
    """Make a transition, which must be possible."""
    height, begin, _ = at.ends
    if transition == SHIFT:
        at.stack[height] = at.buffer[begin]
        at.ends[0] += 1
        at.ends[1] += 1
        return
    token = at.stack[height - 1]
    at.ends[0] -= 1
    if transition == SWAP:
        at.buffer[begin - 1] = at.buffer[begin]
        at.buffer[begin] = token
        at.ends[1] -= 1
        at.ends[2] += 1
        return
    head = at.buffer[begin] if transition == LEFT_ARC else at.stack[height - 2]
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
    height, begin, _ = at.ends
    n = at.heads.size - 1
    roles[:] = n + 3
    words[:] = 0
    for k in range(min(3, height)):
        roles[k] = at.stack[height - 1 - k]
    for k in range(min(3, n + 1 - begin)):
        roles[3 + k] = at.buffer[begin + k]
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
def may_attach(at, system):
    """Whether RIGHT_ARC is possible; to the root only at the end, if a sentence has a
    single one."""
    height, begin, _ = at.ends
    return height > 2 or height == 2 and (
        begin >= at.heads.size or not system.single_root)


@njit(nogil=True, cache=True)
def most_steps(n, system):
    """How many transitions a sentence of n tokens takes at most."""
    return (2 + 2 * SWAPS_PER_TOKEN) * n if system.swaps else 2 * n


@njit(nogil=True, cache=True)
def may_swap(at, system):
    """Whether SWAP is possible: two tokens change places only once, and there is a limit
    for all of them together, so that every search ends."""
    height, begin, swapped = at.ends
    return (system.swaps and height > 1 and begin < at.heads.size
            and at.stack[height - 1] < at.buffer[begin]
            and swapped < SWAPS_PER_TOKEN * (at.heads.size - 1))


@njit(nogil=True, cache=True)
def projective_ranks(gold, ranks):
    """Where tokens stand if the subtrees of a tree are not torn apart: a token after
    its dependents on the left and all below them, and before those on the right."""
    n = gold.size - 1
    last_child, sibling = np.full(n + 1, -1, np.int32), np.full(n + 1, -1, np.int32)
    for token in range(1, n + 1):           # children from right to left
        sibling[token] = last_child[gold[token]]
        last_child[gold[token]] = token
    # The stack holds tokens with all below them, or ~token for the token by itself
    stack, height, rank = np.empty(2 * n + 2, np.int32), 1, 0
    stack[0] = 0
    while height:
        height -= 1
        token = stack[height]
        if token < 0:
            ranks[~token] = rank
            rank += 1
            continue
        child = last_child[token]
        while child > token:
            stack[height] = child
            height += 1
            child = sibling[child]
        stack[height] = ~token
        height += 1
        while child >= 0:
            stack[height] = child
            height += 1
            child = sibling[child]


@njit(nogil=True, cache=True)
def gold_ranks(gold, system):
    """The ranks that `find_costs` needs: none without SWAP, or without a gold tree."""
    ranks = np.zeros(gold.size if system.swaps else 0, np.int32)
    if ranks.size:
        projective_ranks(gold, ranks)
    return ranks


@njit(nogil=True, cache=True)
def has_to_swap(at, token, begin, ranks):
    """Whether a token has to change places with one of the buffer, from `begin` on. If it
    is on the stack it then comes back to the buffer."""
    for k in range(begin, at.heads.size):
        if at.buffer[k] > token and ranks[at.buffer[k]] < ranks[token]:
            return True
    return False


@njit(nogil=True, cache=True)
def edges_within(at, gold, token, height):
    """How many gold edges there are between a token and those on the stack below a
    height."""
    edges = 0
    for k in range(height):
        edges += gold[at.stack[k]] == token or gold[token] == at.stack[k]
    return edges


@njit(nogil=True, cache=True)
def find_costs(at, gold, ranks, system, costs):
    """How many gold edges each transition puts out of reach; those of the possible
    ones.

    ranks : of `gold_ranks`
    """
    height, begin, _ = at.ends
    n = gold.size - 1
    top, below = at.stack[height - 1], at.stack[max(0, height - 2)]
    costs[:] = IMPOSSIBLE
    lost = ahead = 0        # children that the top of the stack waits for; is its head there?
    for k in range(begin, n + 1):
        lost += gold[at.buffer[k]] == top
        ahead += gold[top] == at.buffer[k]
    attached = gold[top] == below
    if system.swaps and height > 1 and has_to_swap(at, top, begin, ranks):
        lost += edges_within(at, gold, top, height - 1) - attached
    if height > 1 and may_attach(at, system):
        costs[RIGHT_ARC] = lost + ahead
    if begin > n:
        return
    first = at.buffer[begin]
    if height > 1:
        costs[LEFT_ARC] = lost + (gold[top] != first and (ahead > 0 or attached))
    costs[SHIFT] = 0
    if not system.swaps or not has_to_swap(at, first, begin + 1, ranks):
        costs[SHIFT] = edges_within(at, gold, first, height) - (gold[first] == top)
    if may_swap(at, system):
        if ranks[top] > ranks[first]:
            for transition in range(SWAP):
                costs[transition] = max(1, costs[transition])
            costs[SWAP] = 0
        else:
            costs[SWAP] = 1


@njit(nogil=True, cache=True)
def score_configuration(at, sums, templates, weights, shift, system, roles, words, rows,
                        scores):
    """Scores of the transitions, -inf for those that are impossible, and the rows of
    their weights."""
    observe_configuration(at, roles, words)
    add_numbers(sums, templates, words, roles, rows)
    for k in range(rows.size):
        rows[k] >>= shift
    scores[:] = 0
    for k in range(rows.size):
        first = rows[k] * COLUMNS
        for transition in range(N_TRANSITIONS):
            scores[transition] += weights[first + transition]
    height, begin, _ = at.ends
    if begin >= at.heads.size:
        scores[SHIFT] = scores[LEFT_ARC] = -np.inf
    if height == 1:
        scores[LEFT_ARC] = -np.inf
    if not may_attach(at, system):
        scores[RIGHT_ARC] = -np.inf
    if not may_swap(at, system):
        scores[SWAP] = -np.inf


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
                  system, C, begin, step, heads):
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
        sums = token_sums(make_layers(tokens[first:last]).values, templates,
                          N_CONFIGURATION_ROLES)
        ranks = gold_ranks(gold[first:last] if C > 0 else gold[:0], system)
        at = start(n)
        while True:
            height, front, _ = at.ends
            if height == 1:
                if front > n:
                    break
                apply(at, SHIFT)
                continue
            if front > n:
                apply(at, RIGHT_ARC)
                continue
            score_configuration(at, sums, templates, weights, shift, system, roles, words,
                                rows, scores)
            if C > 0:
                step += 1
                find_costs(at, gold[first:last], ranks, system, costs)
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
