"""The best set of labels by branch and bound, compiled."""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiled_arrays import copy_into, sorted_order
from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def best_label_set(weights, pairs, size):
    """The set with the highest sum of weights of its labels and pairs, as zeros and ones.

    Labels are decided one after the other, the weightiest first. What is left can add no
    more than each label with its scores so far and all of its positive pairs.

    weights : of labels; pairs : symmetric, zeros on the diagonal
    size : of the set; -1 for any
    """
    n = weights.size
    strength = np.empty(n)
    for a in range(n):
        strength[a] = -abs(weights[a]) - np.abs(pairs[a]).sum() / 2
    order = sorted_order(strength)
    field = np.empty((n + 1, n))        # scores of labels, given those that are decided
    later = np.zeros(n)                 # positive pairs with labels further back
    for a in range(n):
        field[0, a] = weights[order[a]]
        for b in range(a + 1, n):
            later[a] += max(0., pairs[order[a], order[b]])
    chosen, best = np.zeros(n, np.int64), np.zeros(n, np.int64)
    state = np.zeros(n, np.int8)        # 0: not tried, 1: first value tried, 2: both
    score = np.zeros(n + 1)
    highest = -np.inf
    depth = n_chosen = 0
    while depth >= 0:
        if depth == n:
            if (size < 0 or n_chosen == size) and score[n] > highest:
                highest = score[n]
                copy_into(best, chosen)
            depth -= 1
            if depth >= 0:
                n_chosen -= chosen[depth]
            continue
        if state[depth] == 0:
            bound = score[depth]
            for a in range(depth, n):
                bound += max(0., field[depth, a] + later[a])
            impossible = size >= 0 and (n_chosen > size or n_chosen + n - depth < size)
            if bound <= highest or impossible:
                depth -= 1
                if depth >= 0:
                    n_chosen -= chosen[depth]
                continue
        if state[depth] == 2:
            state[depth] = 0
            depth -= 1
            if depth >= 0:
                n_chosen -= chosen[depth]
            continue
        # first the value that looks better
        promising = field[depth, depth] + later[depth] / 2 > 0
        chosen[depth] = promising if state[depth] == 0 else not promising
        state[depth] += 1
        score[depth + 1] = score[depth]
        for a in range(depth + 1, n):
            field[depth + 1, a] = field[depth, a]
        if chosen[depth]:
            n_chosen += 1
            score[depth + 1] += field[depth, depth]
            for a in range(depth + 1, n):
                field[depth + 1, a] += pairs[order[depth], order[a]]
        depth += 1
    labels = np.zeros(n, np.int64)
    for a in range(n):
        labels[order[a]] = best[a]
    return labels
