"""Which sentences a model has seen in training: a number for the words of each."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from orange_structpred.treebank.distinct import distinct
from orange_structpred.treebank.encoding import (
    ROOT_STRING,
    Encoded,
    string_id,
    string_ids,
)
from orange_structpred.treebank.normal_form import normal_form
from orange_structpred.treebank.sentence import Sentence

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
        _ids(part) for _, part in encoded.blocks())])


def _ids(encoded: Encoded) -> np.ndarray:
    return _ids_of_forms(encoded.offsets, encoded.layer("form"))


def _ids_of_forms(offsets: np.ndarray, forms: np.ndarray) -> np.ndarray:
    """offsets, forms : as in `Encoded`, with the root before the words of each sentence"""
    starts, sizes = offsets[:-1], np.diff(offsets)
    positions = np.arange(len(forms)) - np.repeat(starts, sizes)
    mixed = forms + positions.astype(np.uint64) * _POSITION
    for factor in (_FIRST, _SECOND):
        mixed = (mixed ^ (mixed >> np.uint64(30))) * factor
    mixed ^= mixed >> np.uint64(31)
    ids = np.add.reduceat(mixed, starts)
    return np.where(sizes > FEWEST_WORDS, ids, np.uint64(0))


def plain_sentence_ids(sentences: Sequence[Sentence]) -> np.ndarray:
    """`sentence_ids` of sentences that are not encoded, which takes much longer."""
    offsets = np.cumsum([0, *(len(sentence) + 1 for sentence in sentences)])
    forms, which = distinct(chain.from_iterable(sentence.forms for sentence in sentences))
    words = np.full(offsets[-1], string_id(ROOT_STRING), np.uint64)
    words[np.delete(np.arange(offsets[-1]), offsets[:-1])] = \
        string_ids(map(normal_form, forms))[which]
    return _ids_of_forms(offsets, words)


def training_ids(encoded: Encoded) -> np.ndarray:
    """What a model remembers of its training sentences: their numbers, in order."""
    ids = np.unique(sentence_ids(encoded))
    return ids[ids > 0]


def count_seen(encoded: Encoded, training: np.ndarray) -> int:
    """How many sentences are among those that a model was trained on."""
    return int(np.isin(sentence_ids(encoded), training).sum())


def count_seen_sentences(sentences: Sequence[Sentence], training: np.ndarray) -> int:
    """The same for sentences that are not encoded."""
    if not len(training) or not sentences:
        return 0
    return int(np.isin(plain_sentence_ids(sentences), training).sum())
