"""Which sentences a model has seen in training: a number for the words of each."""
from __future__ import annotations

import numpy as np

from orange_structpred.treebank.encoding import ENCODED_AT_ONCE, Encoded

#: Words of a sentence below which it says nothing: "Thank you ." is in any treebank
FEWEST_WORDS = 5
_POSITION, _FIRST, _SECOND = (np.uint64(number) for number in (
    0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def sentence_ids(encoded: Encoded) -> np.ndarray:
    """A number for each sentence that depends on its words and their order alone.

    It is the same on every machine and in every run; 0 for sentences that are too
    short to be recognised by their words.
    """
    return np.concatenate([np.zeros(0, np.uint64), *(
        _ids(encoded.between(first, min(first + ENCODED_AT_ONCE, len(encoded))))
        for first in range(0, len(encoded), ENCODED_AT_ONCE))])


def _ids(encoded: Encoded) -> np.ndarray:
    starts, sizes = encoded.offsets[:-1], np.diff(encoded.offsets)
    positions = np.arange(len(encoded.tokens)) - np.repeat(starts, sizes)
    mixed = encoded.layer("form") + positions.astype(np.uint64) * _POSITION
    for factor in (_FIRST, _SECOND):
        mixed = (mixed ^ (mixed >> np.uint64(30))) * factor
    mixed ^= mixed >> np.uint64(31)
    ids = np.add.reduceat(mixed, starts)
    return np.where(encoded.lengths() >= FEWEST_WORDS, ids, np.uint64(0))


def training_ids(encoded: Encoded) -> np.ndarray:
    """What a model remembers of its training sentences: their numbers, in order."""
    ids = np.unique(sentence_ids(encoded))
    return ids[ids > 0]


def count_seen(encoded: Encoded, training: np.ndarray) -> int:
    """How many sentences are among those that a model was trained on."""
    return int(np.isin(sentence_ids(encoded), training).sum())
