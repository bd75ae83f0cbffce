"""Beam search over the transitions of a sentence, and learning with it, compiled.

Every projective tree of n tokens takes 2 n transitions, so that the configurations of a
beam are equally far. Those that cross take two more for each SWAP; what is complete before
the others stays as it is. Training follows a right sequence, the best one that costs no
gold edge, and corrects the weights where the beam is most ahead of it: the maximum
violation of Huang, Fayong and Guo (2012), which does better than an early update.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.second_order.part_scoring import token_sums
from orange_structpred.parsing.second_order.token_layers import make_layers
from orange_structpred.parsing.transitions.transition_system import (
    COLUMNS,
    N_CONFIGURATION_ROLES,
    N_CONFIGURATION_WORDS,
    N_TRANSITIONS,
    Configuration,
    apply,
    choose,
    find_costs,
    gold_ranks,
    is_complete,
    most_steps,
    score_configuration,
    start,
)
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit

NOTHING = -1        # in place of a transition, once a tree is complete


class Found(NamedTuple):
    """What a search has found.

    transitions : int8, the best sequence; NOTHING where it is shorter than another
    right : int8, the best of those that lose no gold edge, or as few as possible
    violation : by how much the former, with its loss, is the better; 0 if it never is
    """

    transitions: np.ndarray
    right: np.ndarray
    violation: float


@njit(nogil=True, cache=True)
def configuration_of(beam, k):
    return Configuration(beam.ends[k], beam.stack[k], beam.buffer[k], beam.heads[k],
                         beam.lefts[k], beam.rights[k], beam.counts[k])


@njit(nogil=True, cache=True)
def make_beam(n, size):
    """Room for `size` configurations and as many successors."""
    return Configuration(
        np.empty((2 * size, 3), np.int64), np.empty((2 * size, n + 1), np.int32),
        np.empty((2 * size, n + 1), np.int32),
        np.empty((2 * size, n + 1), np.int32), np.empty((2 * size, n + 1), np.int32),
        np.empty((2 * size, n + 1), np.int32), np.empty((2 * size, n + 1, 2), np.int32))


@njit(nogil=True, cache=True)
def copy_configuration(source, target):
    copy_into(target.ends, source.ends)
    copy_into(target.stack, source.stack)
    copy_into(target.buffer, source.buffer)
    copy_into(target.heads, source.heads)
    copy_into(target.lefts, source.lefts)
    copy_into(target.rights, source.rights)
    for token in range(source.counts.shape[0]):
        copy_into(target.counts[token], source.counts[token])


@njit(nogil=True, cache=True)
def sequence_to(parents, taken, step, k):
    """The transitions that led to configuration k after a step."""
    sequence = np.empty(step + 1, np.int8)
    for earlier in range(step, -1, -1):
        sequence[earlier] = taken[earlier, k]
        k = parents[earlier, k]
    return sequence


@njit(nogil=True, cache=True)
def best_in_beam(n, sums, size, templates, weights, shift, system, gold):
    """The best sequence of transitions that a beam finds or, if there are gold heads,
    the wrong one that is most ahead of a right one at its time."""
    learning = gold.size > 0
    roles = np.empty(N_CONFIGURATION_ROLES, np.int32)
    words = np.empty(N_CONFIGURATION_WORDS, np.uint32)
    rows = np.empty(templates.salts.size, np.uint32)
    scores = np.empty(N_TRANSITIONS, np.float32)
    costs = np.zeros(N_TRANSITIONS, np.int64)
    beam = make_beam(n, size)
    copy_configuration(start(n), configuration_of(beam, 0))
    totals, lost = np.zeros(2 * size), np.zeros(2 * size, np.int64)
    most = most_steps(n, system)
    parents = np.empty((most, size), np.int8)
    taken = np.empty((most, size), np.int8)
    candidates = np.empty(N_TRANSITIONS * size)
    candidates_lost = np.zeros(N_TRANSITIONS * size, np.int64)
    ranks = gold_ranks(gold, system)
    right_at, right = start(n), np.full(most, NOTHING, np.int8)
    right_total, right_lost = 0., 0
    old, count = 0, 1       # where the configurations begin, and how many there are
    length, violation = 0, 0.
    for step in range(most):
        complete = not learning or is_complete(right_at)
        if not complete:
            score_configuration(right_at, sums, templates, weights, shift, system, roles,
                                words, rows, scores)
            find_costs(right_at, gold, ranks, system, costs)
            right[step], _ = choose(scores, costs)
            right_total += scores[right[step]] + costs[right[step]]
            right_lost += costs[right[step]]
            apply(right_at, right[step])
        for k in range(count):
            at = configuration_of(beam, old + k)
            if is_complete(at):         # one candidate, which is the same
                candidates[N_TRANSITIONS * k:N_TRANSITIONS * (k + 1)] = -np.inf
                candidates[N_TRANSITIONS * k] = totals[old + k]
                candidates_lost[N_TRANSITIONS * k] = lost[old + k]
                continue
            complete = False
            score_configuration(at, sums, templates, weights, shift, system, roles, words,
                                rows, scores)
            if learning:
                find_costs(at, gold, ranks, system, costs)
            for transition in range(N_TRANSITIONS):
                candidate = N_TRANSITIONS * k + transition
                # the loss is part of the score, so that right sequences get a margin
                candidates[candidate] = (
                    totals[old + k] + scores[transition] + costs[transition])
                candidates_lost[candidate] = lost[old + k] + costs[transition]
        if complete:
            break
        new, kept = size - old, 0
        while kept < size:
            best = np.argmax(candidates[:N_TRANSITIONS * count])
            if candidates[best] == -np.inf:
                break
            parent, transition = divmod(best, N_TRANSITIONS)
            into = configuration_of(beam, new + kept)
            copy_configuration(configuration_of(beam, old + parent), into)
            if is_complete(into):
                transition = NOTHING
            else:
                apply(into, transition)
            totals[new + kept], lost[new + kept] = candidates[best], candidates_lost[best]
            parents[step, kept], taken[step, kept] = parent, transition
            candidates[best] = -np.inf
            kept += 1
        old, count = new, kept
        if violation == 0:
            length = step + 1
        if (learning and lost[old] > right_lost
                and totals[old] - right_total > violation):
            length, violation = step + 1, totals[old] - right_total
    return Found(sequence_to(parents, taken, length - 1, 0), right[:length], violation)


@njit(nogil=True, cache=True)
def parse_beam(first, last, offsets, tokens, templates, weights, shift, system, size,
               heads):
    """Heads of sentences, -1 for roots."""
    nothing = np.empty(0, np.int32)
    for i in range(first, last):
        begin, end = offsets[i], offsets[i + 1]
        n = end - begin - 1
        sums = token_sums(make_layers(tokens[begin:end]).values, templates,
                          N_CONFIGURATION_ROLES)
        best = best_in_beam(n, sums, size, templates, weights, shift, system, nothing)
        at = start(n)
        for transition in best.transitions:
            if transition != NOTHING:
                apply(at, transition)
        for token in range(n + 1):
            heads[begin + token] = at.heads[token]


@njit(nogil=True, cache=True)
def move(n, sequence, common, sums, templates, weights, late, shift, system, change,
         late_change):
    """Add to the weights of a sequence's transitions, all but the first ones."""
    roles = np.empty(N_CONFIGURATION_ROLES, np.int32)
    words = np.empty(N_CONFIGURATION_WORDS, np.uint32)
    rows = np.empty(templates.salts.size, np.uint32)
    scores = np.empty(N_TRANSITIONS, np.float32)
    at = start(n)
    for step in range(sequence.size):
        if sequence[step] == NOTHING:
            break
        if step >= common:
            score_configuration(at, sums, templates, weights, shift, system, roles, words,
                                rows, scores)
            for row in rows:
                weights[row * COLUMNS + sequence[step]] += change
                late[row * COLUMNS + sequence[step]] += late_change
        apply(at, sequence[step])


@njit(nogil=True, cache=True)
def learn_beam(order, offsets, tokens, gold, templates, weights, late, shift, system,
               size, C, begin, step):
    """Learn from sentences in an order by MIRA; the number of steps so far. `late`
    gathers what the average over the steps after `begin` needs."""
    for i in order:
        first, last = offsets[i], offsets[i + 1]
        n = last - first - 1
        step += 1
        sums = token_sums(make_layers(tokens[first:last]).values, templates,
                          N_CONFIGURATION_ROLES)
        best = best_in_beam(n, sums, size, templates, weights, shift, system,
                       gold[first:last])
        if best.violation == 0:
            continue
        common = 0
        while best.transitions[common] == best.right[common]:
            common += 1
        steps = 0
        for k in range(common, best.right.size):
            steps += (best.right[k] != NOTHING) + (best.transitions[k] != NOTHING)
        features = steps * templates.salts.size
        change = np.float32(min(C, best.violation / features))
        late_change = np.float32(change * np.float32(step - begin))
        move(n, best.right, common, sums, templates, weights, late, shift, system,
             change, late_change)
        move(n, best.transitions, common, sums, templates, weights, late, shift, system,
             -change, -late_change)
    return step
