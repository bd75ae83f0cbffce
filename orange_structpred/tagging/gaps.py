"""What is seen at the gaps between the characters of a text, compiled.

A gap stands before each character that is not a space. Its layers are the characters
around it, the chunk (what stands between spaces) that it is in or that begins at it,
and the chunks before and after. Most gaps within words need no decision: those between
kinds of characters that training never saw apart are passed over.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import mix_twice
from orange_structpred.tagging.words import (
    HASH_START,
    LETTER,
    add_character,
    character_kinds,
    code_points,
    text_number,
)

WINDOW_CHARACTERS = 4          # characters to the left and to the right
#: of a chunk's rest so many are looked at, so that the time grows with the length only
LONGEST_REST = 128
SPACE_KIND, N_CHARACTER_KINDS = 0, 8
N_GAP_KINDS = 2 * N_CHARACTER_KINDS * N_CHARACTER_KINDS + 1
GAP_LAYERS = (
    *(f"left{k}" for k in range(1, WINDOW_CHARACTERS + 1)),
    *(f"right{k}" for k in range(WINDOW_CHARACTERS)),
    "kinds", "space", "before", "after", "chunk", "shape", "at", "rest",
    "previous", "next", "next_shape", "previous_shape", "next_case", "begin", "end",
    "web", "always")
_FIRST_WORD = 2 * WINDOW_CHARACTERS        # where the layers that are no characters begin


@njit(nogil=True, cache=True)
def run_begin(kinds, at, spaces):
    """Where the spaces, or the other characters, that end at a gap begin."""
    while at > 0 and (kinds[at - 1] == SPACE_KIND) == spaces:
        at -= 1
    return at


@njit(nogil=True, cache=True)
def run_end(kinds, at, spaces):
    """Where the spaces, or the other characters, that begin at a gap end."""
    while at < kinds.size and (kinds[at] == SPACE_KIND) == spaces:
        at += 1
    return at


@njit(nogil=True, cache=True)
def gap_kind(kinds, at):
    """Number of the kinds of the characters around a gap, and whether it has a space."""
    if at == 0:
        return N_GAP_KINDS - 1
    spaced = kinds[at - 1] == SPACE_KIND
    left = max(0, run_begin(kinds, at, True) - 1)
    return (kinds[left] * N_CHARACTER_KINDS + kinds[at]) * 2 + spaced


@njit(nogil=True, cache=True)
def count_kinds(kinds, offsets, new):
    """How often each kind of gap has a new word or sentence, and how often it is seen.

    new : for each character whether a word or a sentence begins with it
    """
    counts = np.zeros((2, N_GAP_KINDS), np.int64)
    for i in range(offsets.size - 1):
        sentence_kinds = kinds[offsets[i]:offsets[i + 1]]
        for at in range(sentence_kinds.size):
            if sentence_kinds[at] != SPACE_KIND:
                kind = gap_kind(sentence_kinds, at)
                counts[0, kind] += new[offsets[i] + at]
                counts[1, kind] += 1
    return counts[0], counts[1]


@njit(nogil=True, cache=True, inline="always")
def _shape(codes, kinds, begin, end):
    """Number of the kinds of characters from begin to end, runs shortened."""
    number, last = uint64(7), uint64(0)
    for at in range(begin, end):
        kind = uint64(kinds[at])
        if kind > uint64(4):
            kind = uint64(codes[at]) + uint64(16)
        if kind != last:
            number = add_character(number, kind)
        last = kind
    return mix_twice(number) | uint64(1)


@njit(nogil=True, cache=True)
def web_kind(codes, begin, end):
    """What a chunk looks like: 1 an address of the web, 2 of mail, 3 a path or a file,
    0 none of these."""
    mail = dots = slashes = 0
    for at in range(begin, end):
        code = codes[at]
        if at + 2 < end and code == 58 and codes[at + 1] == 47 and codes[at + 2] == 47:
            return 1
        if at + 3 < end and (code | 32) == 119 and (codes[at + 1] | 32) == 119 and (
                codes[at + 2] | 32) == 119 and codes[at + 3] == 46:
            return 1
        inside = begin < at < end - 1
        mail += inside and code == 64
        dots += inside and code == 46 and codes[at + 1] >= 65
        slashes += inside and code == 47
    if mail > 0:
        return 2
    return 3 if dots > 0 or slashes > 1 else 0


@njit(nogil=True, cache=True)
def decided_gaps(codes, kinds, decided):
    """The gaps of one paragraph at which something may begin, given the kinds of gaps
    that need a decision; the first one always, none between the letters and digits of
    an address."""
    length, n_gaps, at = codes.size, 0, 0
    gaps = np.empty(length, np.int64)
    while at < length:
        begin = run_end(kinds, at, True)
        at = run_end(kinds, begin, False)
        web = web_kind(codes, begin, at)
        for gap in range(begin, at):
            if web > 0 and gap > begin and kinds[gap - 1] <= LETTER and (
                    kinds[gap] <= LETTER):
                continue
            if n_gaps == 0 or decided[gap_kind(kinds, gap)]:
                gaps[n_gaps] = gap
                n_gaps += 1
    return gaps[:n_gaps].copy()


@njit(nogil=True, cache=True)
def gap_layers(codes, lower, kinds, gaps, out):
    """Write the layers `GAP_LAYERS` of gaps, given by the characters after them.

    codes, lower, kinds : of one paragraph
    """
    length = codes.size
    begin = end = next_begin = next_end = previous_begin = previous_end = web = 0
    hashed, before = 0, HASH_START
    chunk = shape = previous = following = next_shape = previous_shape = uint64(0)
    for k in range(gaps.size):
        at = gaps[k]
        if k == 0 or at >= end:         # another chunk
            begin, end = run_begin(kinds, at, False), run_end(kinds, at, False)
            previous_end = run_begin(kinds, begin, True)
            previous_begin = run_begin(kinds, previous_end, False)
            next_begin = run_end(kinds, end, True)
            next_end = run_end(kinds, next_begin, False)
            web = web_kind(codes, begin, end)
            hashed, before = begin, HASH_START
            chunk, shape = text_number(lower, begin, end), _shape(codes, kinds, begin, end)
            previous = text_number(lower, previous_begin, previous_end)
            following = text_number(lower, next_begin, next_end)
            next_shape = _shape(codes, kinds, next_begin, next_end)
            previous_shape = _shape(codes, kinds, previous_begin, previous_end)
        while hashed < at:
            before = add_character(before, lower[hashed])
            hashed += 1
        row = out[k]
        pattern = uint64(1)
        for step in range(WINDOW_CHARACTERS):
            left, right = at - 1 - step, at + step
            row[step] = uint64(codes[left] if kinds[left] != SPACE_KIND else 32
                               ) + uint64(2) if left >= 0 else uint64(1)
            row[WINDOW_CHARACTERS + step] = uint64(
                codes[right] if kinds[right] != SPACE_KIND else 32
                ) + uint64(2) if right < length else uint64(1)
            pattern = pattern * uint64(64)
            if left >= 0:
                pattern += uint64(kinds[left]) + uint64(1)
            if right < length:
                pattern += (uint64(kinds[right]) + uint64(1)) * uint64(8)
        word = row[_FIRST_WORD:]
        word[0] = pattern
        spaced = at == begin
        word[1] = uint64(1) + uint64(spaced)
        word[2] = previous if spaced else mix_twice(before) | uint64(1)
        word[3] = text_number(lower, at, min(end, at + LONGEST_REST))
        word[4] = chunk
        word[5] = shape
        word[6] = uint64(1 + min(6, at - begin))
        word[7] = uint64(1 + min(6, end - at))
        word[8] = previous
        word[9] = following
        word[10] = next_shape
        word[11] = previous_shape
        word[12] = uint64(1) if next_begin == length else uint64(
            2 + kinds[next_begin])
        word[13] = uint64(1 + min(8, at // 8))
        word[14] = uint64(1 + min(8, (length - at) // 8))
        word[15] = uint64(1 + web)
        word[16] = uint64(1)


@njit(nogil=True, cache=True)
def all_gaps(codes, lower, kinds, offsets, decided):
    """The decided gaps of all paragraphs, how many each has, and their layers.

    codes, lower, kinds, offsets : as in `Characters`
    """
    counts = np.empty(offsets.size - 1, np.int64)
    gaps, n_gaps = np.empty(codes.size, np.int64), 0
    for i in range(counts.size):
        here = slice(offsets[i], offsets[i + 1] - 1)
        decided_here = decided_gaps(codes[here], kinds[here], decided)
        copy_into(gaps[n_gaps:], decided_here)
        n_gaps += decided_here.size
        counts[i] = decided_here.size
    layers, done = np.empty((n_gaps, len(GAP_LAYERS)), np.uint64), 0
    for i in range(counts.size):
        here = slice(offsets[i], offsets[i + 1] - 1)
        decided_here = slice(done, done + counts[i])
        gap_layers(codes[here], lower[here], kinds[here], gaps[decided_here], layers[decided_here])
        gaps[decided_here] += offsets[i]
        done += counts[i]
    return gaps[:n_gaps], counts, layers


@njit(nogil=True, cache=True)
def trimmed(kinds, starts, ends):
    """Of texts from starts to ends: where they end without the spaces that follow, and
    whether there are spaces within."""
    trimmed_ends = ends.copy()
    spaced = np.zeros(starts.size, np.bool_)
    for k in range(starts.size):
        trimmed_ends[k] = run_begin(kinds, ends[k], True)
        for at in range(starts[k], trimmed_ends[k]):
            spaced[k] |= kinds[at] == SPACE_KIND
    return trimmed_ends, spaced


class Characters(NamedTuple):
    """The characters of some paragraphs, with one space after each of them.

    codes, lower : uint32; characters, also lower-cased
    kinds : uint8; spaces have kind 0
    offsets : int64; paragraph i, and the space after it, are at offsets[i] to
        offsets[i + 1]
    """

    codes: np.ndarray
    lower: np.ndarray
    kinds: np.ndarray
    offsets: np.ndarray


def characters_of(paragraphs: Sequence[str]) -> Characters:
    codes, offsets = code_points([f"{text} " for text in paragraphs])
    lower, _ = code_points([f"{small_letters(text)} " for text in paragraphs])
    kinds = character_kinds(codes)
    kinds[_IS_SPACE[codes]] = SPACE_KIND
    return Characters(codes, lower, kinds, offsets)


def small_letters(text: str) -> str:
    """The text in small letters, each of them in its place."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(
        [c.lower() if len(c.lower()) == 1 else c for c in text])


_IS_SPACE = np.zeros(0x110000, bool)
_IS_SPACE[[code for code in range(0x3001) if chr(code).isspace()]] = True
