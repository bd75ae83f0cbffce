"""Which words training has seen, at the gaps of a text without spaces.

In scripts that write no spaces, a gap is judged by the known words that end there, that
begin there, or that it would cut.
"""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import find_slot, mix_twice
from orange_structpred.tagging.gaps import SPACE_KIND, Characters, small_letters
from orange_structpred.tagging.words import (
    HASH_START,
    add_character,
    code_points,
    text_number,
)

LONGEST_LISTED = 6          # characters of a word that is looked for
#: What is said of a gap: lengths of the words that end and begin there, the longest of
#: each, the longest that it cuts and where, and which characters around it are equal
LISTED_LAYERS = ("ending", "beginning", "longest_ending", "longest_beginning", "cut",
                 "equal")


class WordList:
    """Words as numbers.

    Parameters
    ----------
    numbers : uint64, sorted
    """

    def __init__(self, numbers: np.ndarray):
        self.numbers = numbers
        self._table = np.zeros(0, np.uint64)
        if len(numbers):
            self._table = np.zeros(2 << int(len(numbers)).bit_length(), np.uint64)
            fill_word_table(self._table, numbers)

    @classmethod
    def of(cls, words: Iterable[str]) -> WordList:
        chosen = sorted({small for word in words
                         if len(small := small_letters(word)) <= LONGEST_LISTED})
        codes, offsets = code_points(chosen)
        return cls(np.unique(word_numbers(codes, offsets)))

    def layers(self, characters: Characters, gaps: np.ndarray) -> np.ndarray:
        """uint64, columns `LISTED_LAYERS`, for gaps among the characters."""
        return listed_layers(characters.lower, characters.kinds, gaps, self._table)


@njit(nogil=True, cache=True)
def fill_word_table(table, numbers):
    for number in numbers:
        table[find_slot(table, number, number, np.uint64(0))] = number


@njit(nogil=True, cache=True)
def word_numbers(codes, offsets):
    numbers = np.empty(offsets.size - 1, np.uint64)
    for i in range(numbers.size):
        numbers[i] = text_number(codes, offsets[i], offsets[i + 1])
    return numbers


@njit(nogil=True, cache=True)
def listed_layers(lower, kinds, gaps, table):
    out = np.ones((gaps.size, len(LISTED_LAYERS)), np.uint64)
    for k in range(gaps.size):
        at = gaps[k]
        first = at
        while first > 0 and at - first < LONGEST_LISTED and kinds[first - 1] != SPACE_KIND:
            first -= 1
        ending = beginning = longest = cut = 0
        for begin in range(first, at + 1):
            number = HASH_START
            for end in range(begin + 1, min(begin + LONGEST_LISTED, lower.size) + 1):
                if kinds[end - 1] == SPACE_KIND:
                    break
                number = add_character(number, lower[end - 1])
                if end < at or table.size == 0:
                    continue
                full = mix_twice(number) | np.uint64(1)
                if table[find_slot(table, full, full, np.uint64(0))] != full:
                    continue
                if end == at:
                    ending |= 1 << (at - begin)
                elif begin == at:
                    beginning |= 1 << (end - at)
                elif end - begin > longest:
                    longest, cut = end - begin, (end - begin) * 8 + at - begin
        equal = 0
        for left in range(1, 3):
            for right in range(2):
                if at - left >= 0 and at + right < lower.size and (
                        lower[at - left] == lower[at + right]):
                    equal |= 1 << (2 * (left - 1) + right)
        row = out[k]
        row[0] += np.uint64(ending)
        row[1] += np.uint64(beginning)
        row[2] += np.uint64(highest(ending))
        row[3] += np.uint64(highest(beginning))
        row[4] += np.uint64(cut)
        row[5] += np.uint64(equal)
    return out


@njit(nogil=True, cache=True)
def highest(bits):
    """The number of the highest bit; 0 if there is none."""
    number = 0
    while bits > 1:
        bits >>= 1
        number += 1
    return number
