"""Weights in rows, learned in passes over the sentences, averaged over the later ones."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orange_structpred.parsing.packing import thin_out
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.compiler import njit

MIN_ROW_BITS, MAX_ROW_BITS = 10, 18     # of the number of rows
ROWS_PER_TOKEN = 8      # at least, up to the limit
ROW_SENTENCES = 1000        # between two looks at whether to stop


def choose_row_bits(n_tokens: int, rows_per_token: int = ROWS_PER_TOKEN,
                    most: int = MAX_ROW_BITS) -> int:
    """The exponent of the number of rows, for a treebank of some size."""
    return int(np.clip(np.ceil(np.log2(max(1, rows_per_token * n_tokens))),
                       MIN_ROW_BITS, most))


@njit(nogil=True, cache=True, inline="always")
def mira_step(weights, late, rows, width, right, wrong, hinge, C, age):
    """Let a class win against another one by MIRA, in all rows of an example's features.

    weights, late : flat, in rows of `width`; `late` gathers what the average needs
    hinge : what the margin lacks
    C : the largest change
    age : steps since the average began
    """
    change = np.float32(min(C, hinge / (2 * rows.size)))
    late_change = change * np.float32(age)
    for row in rows:
        first = row * width
        weights[first + right] += change
        weights[first + wrong] -= change
        late[first + right] += late_change
        late[first + wrong] -= late_change


def learn_rows(weights: np.ndarray, n: int, passes: int, learn: Callable[..., int], *,
               random_state: int = 0,
               check_cancelled: CheckCancelled = never_cancelled) -> np.ndarray:
    """Learn weights from n sentences; their average over the later passes, thinned out.

    weights : where learning begins, zeros in most cases; they are changed
    learn : called with the numbers of some sentences, an array for what the average over
        the steps after `begin` needs, `begin`, and the steps so far; returns the latter
    check_cancelled : called now and then; raises an exception to stop
    """
    late = np.zeros_like(weights)
    step = begin = 0
    for pass_ in range(passes):
        if pass_ == passes // 2:
            late[:] = 0
            begin = step
        order = np.random.default_rng([random_state, pass_]).permutation(n)
        for part in np.array_split(order, max(1, n // ROW_SENTENCES)):
            step = learn(part, late, begin, step)
            check_cancelled()
    late /= np.float32(max(1, step - begin))
    weights -= late
    return thin_out(weights)
