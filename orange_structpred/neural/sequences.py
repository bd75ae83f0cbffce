"""Sentences of different lengths, step by step, without padding."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

FEWEST_BATCH, MOST_BATCH = 64, 500      # tokens of a batch
BATCHES = 32        # of an epoch at least, if they are not smaller then
#: Tokens that a trained net reads side by side: what it makes of more of them does not
#: fit into the caches of a processor
TOKENS_AT_ONCE = 1000
#: Groups of such tokens among which equal ones are looked for
GROUPS_AT_ONCE = 8


class PackedSteps:
    """Which rows a recurrent layer reads at each step, from the left and from the right.

    The sentences are in the order of their lengths, the longest first, so those that are
    not at their end are the first ones at each step.

    Parameters
    ----------
    offsets : sentence i has the rows offsets[i] to offsets[i + 1] - 1

    Attributes
    ----------
    bounds : list of int
        Step t has the packed rows bounds[t] to bounds[t + 1] - 1
    rows : two arrays, one for each direction: the row of each packed row
    before : the packed row that came before, for those after the first step
    n_sentences, n_rows : int
    """

    def __init__(self, offsets: np.ndarray):
        lengths = np.diff(offsets)
        self.n_sentences, self.n_rows = len(lengths), int(offsets[-1] - offsets[0])
        order = np.argsort(-lengths, kind="stable")
        starts, lengths = offsets[:-1][order], lengths[order]
        longest = int(lengths.max(initial=0))
        counts = np.searchsorted(-lengths, -np.arange(longest), side="left")
        ends = np.cumsum(counts)
        self.bounds: list[int] = [0, *ends.tolist()]
        step = np.repeat(np.arange(longest), counts)
        sentence = np.arange(self.n_rows) - np.repeat(ends - counts, counts)
        self.rows = (starts[sentence] + step,
                     starts[sentence] + lengths[sentence] - 1 - step)
        first = counts[0] if longest else 0
        self.before = np.arange(first, self.n_rows) - counts[step[first:] - 1]

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Begin and end of each step's packed rows."""
        return zip(self.bounds[:-1], self.bounds[1:])


def epoch_batches(lengths: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Numbers of sentences in batches for an epoch."""
    size = int(np.clip(lengths.sum() // BATCHES, FEWEST_BATCH, MOST_BATCH))
    return batches_by_length(lengths, size, rng)


def batches_by_length(lengths: np.ndarray, tokens: int, rng: np.random.Generator
                      ) -> list[np.ndarray]:
    """Numbers of sentences in batches of about so many tokens, in random order.

    Sentences of a batch have similar lengths; which of these come together is chosen at
    random. A sentence that is longer is a batch of its own.
    """
    order = np.argsort(lengths + 2 * rng.random(len(lengths)), kind="stable")
    ends, total = [], 0
    for number, length in enumerate(lengths[order].tolist()):
        if total and total + length > tokens:
            ends.append(number)
            total = 0
        total += length
    parts = np.split(order, ends)
    return [parts[k] for k in rng.permutation(len(parts))]


def groups_by_length(lengths: np.ndarray) -> list[np.ndarray]:
    """Numbers of sentences of similar length, about `TOKENS_AT_ONCE` tokens a group."""
    order = np.argsort(lengths, kind="stable")
    number = np.cumsum(lengths[order]) // TOKENS_AT_ONCE
    return np.split(order, np.flatnonzero(np.diff(number)) + 1) if len(order) else []
