"""Local alignment of two strings, compiled (Smith and Waterman).

An alignment is an int32 array with a row for each operation: the position in the first
string and the one in the second; -1 on one side is an insertion or a deletion.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit

ALIGNMENT_START, BOTH, FIRST, SECOND = 0, 1, 2, 3      # where the best alignment comes from


@njit(nogil=True, cache=True)
def alignment_table(first, second, substitution, gap):
    """Best score of an alignment that ends at each pair of positions, and its last step.

    substitution : (letters, letters); gap : score of an insertion or a deletion
    """
    n, m = first.size, second.size
    table = np.zeros((n + 1, m + 1))
    back = np.zeros((n + 1, m + 1), np.int8)
    for i in range(n + 1):
        for j in range(m + 1):
            best, step = 0., ALIGNMENT_START
            if i and j:
                score = table[i - 1, j - 1] + substitution[first[i - 1], second[j - 1]]
                if score > best:
                    best, step = score, BOTH
            if i and table[i - 1, j] + gap > best:
                best, step = table[i - 1, j] + gap, FIRST
            if j and table[i, j - 1] + gap > best:
                best, step = table[i, j - 1] + gap, SECOND
            table[i, j], back[i, j] = best, step
    return table, back


@njit(nogil=True, cache=True)
def best_score(first, second, substitution, gap):
    """The score of the best alignment; 0 for none at all."""
    return alignment_table(first, second, substitution, gap)[0].max()


@njit(nogil=True, cache=True)
def best_alignment(first, second, substitution, gap):
    """Score and operations of the best alignment."""
    table, back = alignment_table(first, second, substitution, gap)
    at = np.argmax(table)
    i, j = at // table.shape[1], at % table.shape[1]
    score = table[i, j]
    steps = np.empty((first.size + second.size, 2), np.int32)
    n_steps = 0
    while back[i, j] != ALIGNMENT_START:
        step = back[i, j]
        steps[n_steps, 0] = -1 if step == SECOND else i - 1
        steps[n_steps, 1] = -1 if step == FIRST else j - 1
        if step != SECOND:
            i -= 1
        if step != FIRST:
            j -= 1
        n_steps += 1
    return score, steps[:n_steps][::-1].copy()
