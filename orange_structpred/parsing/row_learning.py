"""Weights in rows, learned in passes over the sentences, averaged over the later ones."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from orange_structpred.parsing.packing import thin_out
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled

MIN_ROW_BITS, MAX_ROW_BITS = 10, 18     # of the number of rows
ROWS_PER_TOKEN = 8      # at least, up to the limit
ROW_SENTENCES = 1000        # between two looks at whether to stop


def choose_row_bits(n_tokens: int, rows_per_token: int = ROWS_PER_TOKEN,
                    most: int = MAX_ROW_BITS) -> int:
    """The exponent of the number of rows, for a treebank of some size."""
    return int(np.clip(np.ceil(np.log2(max(1, rows_per_token * n_tokens))),
                       MIN_ROW_BITS, most))


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
