"""The matcher: backtracking over the words of each sentence, compiled.

It is one function, which compiles faster than several that call each other, and stops
now and then, with all it needs to go on in its arrays, so that a search can be cancelled
wherever it is.
"""
from __future__ import annotations

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
# them, or see whether the pattern's next condition is true
BEGIN, TRY, CONDITION = range(3)
# Its state: what it does, at which step and condition, how many words it has tried, and
# whether it has finished
PHASE, STEP, BLOCK, WORDS_TRIED, FINISHED = range(5)
NO_BLOCK = -1


def all_matches(plan: Plan, index: TreeIndex, n_nodes: int, limit: int,
                progress: Progress) -> np.ndarray:
    """The words of all matches, one row each, in the order of the sentences.

    n_nodes : of the pattern; the first ones
    limit : at most so many matches
    progress : gets the fraction that is done
    """
    starts, children, enter, leave, order = index.shape
    words = np.zeros(plan.n_nodes, np.int64)
    ranges = np.zeros((len(plan.steps), 2), np.int64)
    ranges[0, 1] = len(plan.starts)
    state = np.array([TRY, 0, NO_BLOCK, 0, 0], np.int64)
    matches: list[np.ndarray] = []
    total = 0
    while not state[FINISHED] and total < limit:
        out = np.zeros((min(BUFFERED, limit - total), n_nodes), np.int32)
        count = search_matches(
            plan.starts, plan.fits, plan.compared, plan.steps, plan.conditions,
            plan.bounds, plan.blocks, index.heads, index.offsets,
            index.words.sentence_of, starts, children, enter, leave, order,
            words, ranges, state, out, state[WORDS_TRIED] + WORDS_AT_ONCE)
        matches.append(out[:count].copy())
        total += count
        if state[WORDS_TRIED] > MOST_STEPS:
            raise InputError("the search takes too long; connect the nodes of the pattern "
                             "by edges, or add conditions")
        progress(ranges[0, 0] / max(len(plan.starts), 1))
    rows = np.concatenate(matches) if matches else np.zeros((0, n_nodes), np.int32)
    return rows[np.lexsort(rows.T[::-1])]


@njit(cache=True, nogil=True)
def search_matches(tried, fits, compared, steps, conditions, bounds, blocks, heads, offsets,
                   sentence_of, starts, children, enter, leave, order, words, ranges, state, out,
                   target):
    """Write matches to `out`; returns how many. See `Plan` for the arrays."""
    n_nodes, n_steps, count = out.shape[1], len(steps), 0
    phase, step, block = state[PHASE], state[STEP], state[BLOCK]
    while count < len(out) and state[WORDS_TRIED] < target:
        if phase == BEGIN:
            way, word = steps[step, 1], words[steps[step, 2]]
            first, last = offsets[sentence_of[word]], offsets[sentence_of[word] + 1]
            if way == FROM_HEAD:
                first = heads[word]
                last = first + 1
            elif way == FROM_ANCESTORS:
                first, last = heads[word], len(heads)
            elif way == FROM_CHILDREN:
                first, last = starts[word], starts[word + 1]
            elif way == FROM_DESCENDANTS:
                first, last = enter[word] + 1, leave[word]
            elif way == FROM_NEXT:
                first, last = word + 1, min(word + 2, last)
            elif way == FROM_PREVIOUS:
                first, last = max(word - 1, first), word
            elif way == FROM_AFTER:
                first = word + 1
            elif way == FROM_BEFORE:
                last = word
            ranges[step, 0], ranges[step, 1] = first, last
            phase = TRY

        # A word for the node of this step, or the next condition
        answer = -1             # of a condition, once it is known
        if phase == TRY:
            entry = ranges[step, 0]
            group = step
            if entry < 0 or entry >= ranges[step, 1]:
                if block == NO_BLOCK:
                    if step == 0:
                        state[FINISHED] = 1
                        break
                    step -= 1
                    continue
                if step > blocks[block, 1]:
                    step -= 1
                    continue
                answer = 0
            else:
                state[WORDS_TRIED] += 1
                way, word = steps[step, 1], entry
                ranges[step, 0] = entry + 1
                if step == 0:
                    word = tried[entry]
                elif way == FROM_ANCESTORS:
                    ranges[step, 0] = heads[entry]
                elif way == FROM_CHILDREN:
                    word = children[entry]
                elif way == FROM_DESCENDANTS:
                    word = order[entry]
                if (fits[word] >> np.uint64(steps[step, 3])) & np.uint64(1) == 0:
                    continue
                words[steps[step, 0]] = word
        elif block == len(blocks):
            for node in range(n_nodes):
                out[count, node] = words[node]
            count += 1
            phase, step, block = TRY, n_nodes - 1, NO_BLOCK
            continue
        else:
            group = n_steps + block

        if answer < 0:
            satisfied = True
            for i in range(bounds[group], bounds[group + 1]):
                kind, a = conditions[i, 0], words[conditions[i, 1]]
                if kind == FITS:
                    bit = np.uint64(conditions[i, 2])
                    satisfied = (fits[a] >> bit) & np.uint64(1) != 0
                else:
                    b, row = words[conditions[i, 2]], conditions[i, 3]
                    if kind == IS_HEAD:
                        satisfied = heads[b] == a
                    elif kind == IS_ANCESTOR:
                        satisfied = enter[a] < enter[b] and enter[b] < leave[a]
                    elif kind == IS_BEFORE:
                        satisfied = a < b
                    elif kind == IS_JUST_BEFORE:
                        satisfied = a + 1 == b
                    elif kind == IS_OTHER:
                        satisfied = a != b
                    else:
                        left, right = compared[2 * row, a], compared[2 * row + 1, b]
                        satisfied = left >= 0 and right >= 0 and (
                            left == right) == (kind == HAS_SAME)
                if not satisfied:
                    break

            if phase == TRY:
                last_step = n_nodes if block == NO_BLOCK else blocks[block, 2]
                if not satisfied:
                    continue
                if step + 1 < last_step:
                    step += 1
                    phase = BEGIN
                    continue
                if block == NO_BLOCK:
                    block, phase = 0, CONDITION
                    continue
                answer = 1
            elif not satisfied:
                answer = 0
            elif blocks[block, 1] == blocks[block, 2]:
                answer = 1
            else:
                step, phase = blocks[block, 1], BEGIN
                continue

        if answer == blocks[block, 0]:
            block, phase = block + 1, CONDITION
        else:
            phase, step, block = TRY, n_nodes - 1, NO_BLOCK
    state[PHASE], state[STEP], state[BLOCK] = phase, step, block
    return count
