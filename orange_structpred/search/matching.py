"""The matcher: backtracking over the words of each sentence, compiled.

It stops now and then, with all it needs to go on in its arrays, so that a search can be
cancelled wherever it is.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Progress
from orange_structpred.running.compiler import njit
from orange_structpred.search.index import TreeIndex
from orange_structpred.search.plan import (
    FITS,
    FROM_AFTER,
    FROM_ANCESTORS,
    FROM_BEFORE,
    FROM_CHILDREN,
    FROM_DESCENDANTS,
    FROM_HEAD,
    FROM_NEXT,
    FROM_PREVIOUS,
    HAS_SAME,
    IS_ANCESTOR,
    IS_BEFORE,
    IS_HEAD,
    IS_JUST_BEFORE,
    IS_OTHER,
    Plan,
)

WORDS_AT_ONCE = 20_000_000      # tried words between two looks whether to go on
MOST_STEPS = 3_000_000_000
BUFFERED = 65_536       # matches

# What the matcher does next: give a step the words that it may try, try the next of
# them, or see whether the pattern's next condition (`with`, `without`) is met
BEGIN, TRY, CONDITION = range(3)
# Its state: what it does, at which step and condition, how many words it has tried, and
# whether it has finished
PHASE, STEP, BLOCK, WORDS_TRIED, FINISHED = range(5)
NO_BLOCK = -1


class Trees(NamedTuple):
    """The arrays of a `TreeIndex`; see its `shape`."""

    heads: np.ndarray
    offsets: np.ndarray
    sentence_of: np.ndarray
    starts: np.ndarray
    children: np.ndarray
    enter: np.ndarray
    leave: np.ndarray
    order: np.ndarray


def all_matches(plan: Plan, index: TreeIndex, n_nodes: int, limit: int,
                progress: Progress) -> np.ndarray:
    """The words of all matches, one row each, in the order of the sentences.

    n_nodes : of the pattern; the first ones
    limit : at most so many matches
    progress : gets the fraction that is done
    """
    trees = Trees(index.heads, index.offsets, index.words.sentence_of, *index.shape)
    words = np.zeros(plan.n_nodes, np.int64)
    ranges = np.zeros((len(plan.steps), 2), np.int64)
    ranges[0, 1] = len(plan.starts)
    state = np.array([TRY, 0, NO_BLOCK, 0, 0], np.int64)
    matches: list[np.ndarray] = []
    total = 0
    while not state[FINISHED] and total < limit:
        out = np.zeros((min(BUFFERED, limit - total), n_nodes), np.int32)
        count = search_matches(plan, trees, words, ranges, state, out,
                               state[WORDS_TRIED] + WORDS_AT_ONCE)
        matches.append(out[:count].copy())
        total += count
        if state[WORDS_TRIED] > MOST_STEPS:
            raise InputError("the search takes too long; connect the nodes of the pattern "
                             "by edges, or add conditions")
        progress(ranges[0, 0] / max(len(plan.starts), 1))
    rows = np.concatenate(matches) if matches else np.zeros((0, n_nodes), np.int32)
    return rows[np.lexsort(rows.T[::-1])]


@njit(cache=True, nogil=True)
def search_matches(plan, trees, words, ranges, state, out, target):
    """Write matches to `out`; returns how many.

    words : the word of each node that is matched
    ranges : for each step, the next of the words that it may try, and the end of them
    state : PHASE to FINISHED
    target : stop when so many words were tried
    """
    steps, blocks = plan.steps, plan.blocks
    n_nodes, count = out.shape[1], 0
    phase, step, block = state[PHASE], state[STEP], state[BLOCK]
    while count < len(out) and state[WORDS_TRIED] < target:
        if phase == BEGIN:
            ranges[step, 0], ranges[step, 1] = words_to_try(
                trees, steps[step, 1], words[steps[step, 2]])
            phase = TRY
        if phase == TRY:
            in_condition = block != NO_BLOCK
            if ranges[step, 0] < 0 or ranges[step, 0] >= ranges[step, 1]:
                if step > (blocks[block, 1] if in_condition else 0):
                    step -= 1
                    continue
                if not in_condition:
                    state[FINISHED] = 1
                    break
                is_met = False
            else:
                state[WORDS_TRIED] += 1
                if not matches_next(plan, trees, words, ranges, step):
                    continue
                if step + 1 < (blocks[block, 2] if in_condition else n_nodes):
                    phase, step = BEGIN, step + 1
                    continue
                if not in_condition:
                    phase, block = CONDITION, 0
                    continue
                is_met = True
        elif block < len(blocks):
            is_met = is_consistent(plan, trees, words, len(steps) + block)
            if is_met and blocks[block, 1] < blocks[block, 2]:
                phase, step = BEGIN, blocks[block, 1]
                continue
        else:
            for node in range(n_nodes):
                out[count, node] = words[node]
            count += 1
            phase, step, block = TRY, n_nodes - 1, NO_BLOCK
            continue

        if is_met == blocks[block, 0]:
            phase, block = CONDITION, block + 1
        else:
            phase, step, block = TRY, n_nodes - 1, NO_BLOCK
    state[PHASE], state[STEP], state[BLOCK] = phase, step, block
    return count


@njit(cache=True, nogil=True)
def words_to_try(trees, way, word):
    """Where the words begin and end that a way leads to from a word: in the array that
    the way looks at (see `matches_next`)."""
    sentence = trees.sentence_of[word]
    first, last = trees.offsets[sentence], trees.offsets[sentence + 1]
    if way == FROM_HEAD:
        first = trees.heads[word]
        last = first + 1
    elif way == FROM_ANCESTORS:
        first, last = trees.heads[word], len(trees.heads)
    elif way == FROM_CHILDREN:
        first, last = trees.starts[word], trees.starts[word + 1]
    elif way == FROM_DESCENDANTS:
        first, last = trees.enter[word] + 1, trees.leave[word]
    elif way == FROM_NEXT:
        first, last = word + 1, min(word + 2, last)
    elif way == FROM_PREVIOUS:
        first, last = max(word - 1, first), word
    elif way == FROM_AFTER:
        first = word + 1
    elif way == FROM_BEFORE:
        last = word
    return first, last


@njit(cache=True, nogil=True)
def matches_next(plan, trees, words, ranges, step):
    """Take the next word that a step may try; whether it is a match for the step's node,
    given those of the nodes before it."""
    entry, way = ranges[step, 0], plan.steps[step, 1]
    ranges[step, 0] = trees.heads[entry] if way == FROM_ANCESTORS else entry + 1
    word = entry
    if step == 0:
        word = plan.starts[entry]
    elif way == FROM_CHILDREN:
        word = trees.children[entry]
    elif way == FROM_DESCENDANTS:
        word = trees.order[entry]
    if not could_be(plan, word, plan.steps[step, 3]):
        return False
    words[plan.steps[step, 0]] = word
    return is_consistent(plan, trees, words, step)


@njit(cache=True, nogil=True)
def could_be(plan, word, bit):
    """Whether a word could be the node of a bit, whatever the other nodes are."""
    return (plan.fits[word] >> np.uint64(bit)) & np.uint64(1) != 0


@njit(cache=True, nogil=True)
def is_consistent(plan, trees, words, group):
    """Whether the words satisfy what a step, or a condition before its first step, checks."""
    for i in range(plan.bounds[group], plan.bounds[group + 1]):
        kind, a = plan.conditions[i, 0], words[plan.conditions[i, 1]]
        if kind == FITS:
            satisfied = could_be(plan, a, plan.conditions[i, 2])
        else:
            b = words[plan.conditions[i, 2]]
            if kind == IS_HEAD:
                satisfied = trees.heads[b] == a
            elif kind == IS_ANCESTOR:
                satisfied = trees.enter[a] < trees.enter[b] < trees.leave[a]
            elif kind == IS_BEFORE:
                satisfied = a < b
            elif kind == IS_JUST_BEFORE:
                satisfied = a + 1 == b
            elif kind == IS_OTHER:
                satisfied = a != b
            else:
                row = 2 * plan.conditions[i, 3]
                left, right = plan.compared[row, a], plan.compared[row + 1, b]
                satisfied = left >= 0 and right >= 0 and (
                    left == right) == (kind == HAS_SAME)
        if not satisfied:
            return False
    return True
