"""A dictionary of the features that are seen often enough."""
from __future__ import annotations

import numpy as np
from numba import uint64

from orange_structpred.errors import InputError
from orange_structpred.parsing.features.edge_scoring import (
    FeatureIndices,
    dictionary_key,
    edge_numbers,
    hashed_indices,
    kinds_before,
)
from orange_structpred.parsing.features.edge_templates import (
    EdgeFeatures,
    distance_slot,
)
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot
from orange_structpred.treebank.encoding import Encoded

DICTIONARY_PARTS = 8       # the keys are counted in parts, to bound the memory


@njit(nogil=True, cache=True)
def gold_keys(offsets, tokens, heads, templates, part, keys):
    """Keys of one part of the features of all gold edges; how many there are.

    With an array of no indices the keys are only counted.
    """
    n_keys = 0
    longest = 0
    for i in range(offsets.size - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    limit = templates.salts.size + templates.between.shape[0] * longest
    numbers = np.empty(limit, np.uint64)
    owners = np.empty(limit, np.int32)
    for i in range(offsets.size - 1):
        sentence = tokens[offsets[i]:offsets[i + 1]]
        before = kinds_before(sentence)
        for dependent in range(1, sentence.shape[0]):
            head = heads[offsets[i] + dependent]
            slot = uint64(distance_slot(head, dependent))
            n_numbers = edge_numbers(
                sentence, templates, before, head, dependent, numbers, owners)
            for k in range(n_numbers):
                for with_slot in (uint64(0), slot):
                    key = dictionary_key(numbers[k], with_slot)
                    if key >> uint64(61) == part:
                        if keys.size:
                            keys[n_keys] = key
                        n_keys += 1
    return n_keys


@njit(nogil=True, cache=True)
def fill_dictionary(keys, numbers, chosen):
    """Put keys into an open-addressed table, numbered in their order."""
    for number in range(chosen.size):
        key = chosen[number]
        at = find_slot(keys, key, key >> uint64(20), uint64(0))
        keys[at] = key
        numbers[at] = number


def dictionary_indices(encoded: Encoded, features: EdgeFeatures, min_count: int,
                      check_cancelled: CheckCancelled = never_cancelled
                      ) -> tuple[FeatureIndices, int]:
    """FeatureIndices for the features of gold edges seen at least `min_count` times,
    and how many they are.

    check_cancelled : called now and then; an exception of it ends the work
    """
    often = []
    for part in range(DICTIONARY_PARTS):
        arguments = (encoded.offsets, encoded.tokens, encoded.heads,
                     features.arrays, np.uint64(part))
        keys = np.zeros(gold_keys(*arguments, np.zeros(0, np.uint64)), np.uint64)
        if len(keys):
            check_cancelled()
            gold_keys(*arguments, keys)
        check_cancelled()
        distinct, counts = np.unique(keys, return_counts=True)
        often.append(distinct[counts >= min_count])
        check_cancelled()
    chosen = np.concatenate(often)
    size = 1 << max(4, int(np.ceil(np.log2(max(1, 2 * len(chosen))))))
    table = FeatureIndices(hashed_indices(4).shift, np.zeros(size, np.uint64),
                   np.zeros(size, np.int32))
    fill_dictionary(table.keys, table.numbers, chosen)
    return table, len(chosen)


def indices_from_file(keys: np.ndarray, numbers: np.ndarray, dim: int) -> FeatureIndices:
    """The indices of a dictionary out of a file, if compiled code can trust them:
    a full table would be searched for ever, a false number is outside the weights."""
    sound = (keys.dtype == np.uint64 and numbers.dtype == np.int32
             and keys.ndim == 1 and keys.shape == numbers.shape
             and keys.size & (keys.size - 1) == 0 and (keys == 0).any()
             and ((numbers >= 0) & (numbers < max(1, dim))).all()
             and (dim > 0 or not keys.any()))
    if not sound:
        raise InputError(f"the dictionary of its {dim} features is damaged")
    return FeatureIndices(hashed_indices(4).shift, keys, numbers)
