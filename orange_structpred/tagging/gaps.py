"""What is seen at the gaps between the characters of a text, compiled.

A gap stands before each character that is not a space. Its layers are the characters
around it, the chunk (what stands between spaces) that it is in or that begins at it,
and the chunks before and after. Most gaps within words need no decision: those between
kinds of characters that training never saw apart are passed over.
"""
from __future__ import annotations

import numpy as np
from numba import njit, uint64

from orange_structpred.tagging.chains import mix
from orange_structpred.tagging.words import LETTER, character_kinds, code_points

WINDOW = 4          # characters to the left and to the right
SPACE, N_KINDS = 0, 8
GAP_LAYERS = (
    *(f"left{k}" for k in range(1, WINDOW + 1)), *(f"right{k}" for k in range(WINDOW)),
    "kinds", "space", "before", "after", "chunk", "shape", "at", "rest",
    "previous", "next", "next_shape", "previous_shape", "next_case", "begin", "end",
    "web", "always")
_FIRST_WORD = 2 * WINDOW        # where the layers that are no characters begin


@njit(nogil=True, cache=True)
def gap_kind(kinds, at):
    """Number of the kinds of the characters around a gap, and whether it has a space."""
    if at == 0:
        return 2 * N_KINDS * N_KINDS
    spaced = kinds[at - 1] == SPACE
    left = at - 1
    while left > 0 and kinds[left] == SPACE:
        left -= 1
    return (kinds[left] * N_KINDS + kinds[at]) * 2 + spaced


@njit(nogil=True, cache=True)
def gap_kinds(kinds, gaps):
    result = np.empty(gaps.size, np.int64)
    for k in range(gaps.size):
        result[k] = gap_kind(kinds, gaps[k])
    return result


@njit(nogil=True, cache=True, inline="always")
def _piece(codes, begin, end):
    """Number of the characters from begin to end; never 0."""
    number = uint64(0xCBF29CE484222325)
    for at in range(begin, end):
        number = (number ^ uint64(codes[at])) * uint64(0x100000001B3)
    return mix(number) | uint64(1)


@njit(nogil=True, cache=True, inline="always")
def _shape(codes, kinds, begin, end):
    """Number of the kinds of characters from begin to end, runs shortened."""
    number, last = uint64(7), uint64(0)
    for at in range(begin, end):
        kind = uint64(kinds[at])
        if kind > uint64(4):
            kind = uint64(codes[at]) + uint64(16)
        if kind != last:
            number = (number ^ kind) * uint64(0x100000001B3)
        last = kind
    return mix(number) | uint64(1)


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
    length, found, at = codes.size, 0, 0
    gaps = np.empty(length, np.int64)
    while at < length:
        if kinds[at] == SPACE:
            at += 1
            continue
        begin = at
        while at < length and kinds[at] != SPACE:
            at += 1
        web = web_kind(codes, begin, at)
        for gap in range(begin, at):
            if web > 0 and gap > begin and kinds[gap - 1] <= LETTER and (
                    kinds[gap] <= LETTER):
                continue
            if found == 0 or decided[gap_kind(kinds, gap)]:
                gaps[found] = gap
                found += 1
    return gaps[:found].copy()


@njit(nogil=True, cache=True)
def gap_layers(codes, lower, kinds, gaps):
    """The layers `GAP_LAYERS` of gaps, given by the characters after them.

    codes, lower, kinds : of one paragraph
    """
    length = codes.size
    out = np.zeros((gaps.size, len(GAP_LAYERS)), np.uint64)
    begin = end = next_begin = next_end = previous_begin = previous_end = web = 0
    for k in range(gaps.size):
        at = gaps[k]
        if k == 0 or at >= end:         # another chunk
            begin = at
            while begin > 0 and kinds[begin - 1] != SPACE:
                begin -= 1
            end = at
            while end < length and kinds[end] != SPACE:
                end += 1
            previous_end = begin
            while previous_end > 0 and kinds[previous_end - 1] == SPACE:
                previous_end -= 1
            previous_begin = previous_end
            while previous_begin > 0 and kinds[previous_begin - 1] != SPACE:
                previous_begin -= 1
            web = web_kind(codes, begin, end)
            next_begin = end
            while next_begin < length and kinds[next_begin] == SPACE:
                next_begin += 1
            next_end = next_begin
            while next_end < length and kinds[next_end] != SPACE:
                next_end += 1
        row = out[k]
        pattern = uint64(1)
        for step in range(WINDOW):
            left, right = at - 1 - step, at + step
            row[step] = uint64(codes[left] if kinds[left] != SPACE else 32
                               ) + uint64(2) if left >= 0 else uint64(1)
            row[WINDOW + step] = uint64(
                codes[right] if kinds[right] != SPACE else 32
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
        word[2] = _piece(lower, previous_begin if spaced else begin,
                         previous_end if spaced else at)
        word[3] = _piece(lower, at, end)
        word[4] = _piece(lower, begin, end)
        word[5] = _shape(codes, kinds, begin, end)
        word[6] = uint64(1 + min(6, at - begin))
        word[7] = uint64(1 + min(6, end - at))
        word[8] = _piece(lower, previous_begin, previous_end)
        word[9] = _piece(lower, next_begin, next_end)
        word[10] = _shape(codes, kinds, next_begin, next_end)
        word[11] = _shape(codes, kinds, previous_begin, previous_end)
        word[12] = uint64(1) if next_begin == length else uint64(
            2 + kinds[next_begin])
        word[13] = uint64(1 + min(8, at // 8))
        word[14] = uint64(1 + min(8, (length - at) // 8))
        word[15] = uint64(1 + web)
        word[16] = uint64(1)
    return out


def paragraph_arrays(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Characters, lower-cased characters and kinds of a text; spaces have kind 0."""
    codes, _ = code_points([text])
    small = text.lower()
    lower = code_points([small])[0] if len(small) == len(text) else code_points(
        ["".join(c.lower() if len(c.lower()) == 1 else c for c in text)])[0]
    kinds = character_kinds(codes)
    kinds[_IS_SPACE[codes]] = SPACE
    return codes, lower, kinds


_IS_SPACE = np.zeros(0x110000, bool)
_IS_SPACE[[code for code in range(0x3001) if chr(code).isspace()]] = True
