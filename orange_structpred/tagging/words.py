"""Words as numbers: what their spelling says, compiled.

The number of a string is the same on every machine and in every run, so a model
keeps no strings for its observations. 0 stands for what a word does not have.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import uint64

from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import mix_twice

PREFIXES, SUFFIXES = 4, 5       # the longest
SPELLING_LAYERS = ("form", "lower", *(f"prefix{k + 1}" for k in range(PREFIXES)),
            *(f"suffix{k + 1}" for k in range(SUFFIXES)), "shape", "longshape",
            "case")
HASH_START = np.uint64(0xCBF29CE484222325)
RUN = 4                         # longer runs are equal in long shapes

NO_CASE, SMALL_LETTERS, CAPITALISED, CAPITALS, MIXED = 1, 2, 3, 4, 5
_UNKNOWN_KIND = 255
UPPER, LOWER_CASE, DIGIT, LETTER, MARK, OTHER = 1, 2, 3, 4, 5, 6
_kinds = np.full(0x110000, _UNKNOWN_KIND, np.uint8)


def character_kinds(codes: np.ndarray) -> np.ndarray:
    """The kind of each code point: upper or lower case, digit, other letter, ..."""
    kinds = _kinds[codes]
    new = np.unique(codes[kinds == _UNKNOWN_KIND])
    if len(new):
        _kinds[new] = [_kind(chr(code)) for code in new]
        kinds = _kinds[codes]
    return kinds


def _kind(character: str) -> int:
    if character.isupper() or character.istitle():
        return UPPER
    if character.islower():
        return LOWER_CASE
    if character.isdigit():
        return DIGIT
    if character.isalpha():
        return LETTER
    return MARK if character.isprintable() and character.isascii() else OTHER


def code_points(strings: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The characters of all strings as uint32, and where each string begins."""
    text = "".join(strings)
    offsets = np.zeros(len(strings) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, strings), np.int64, len(strings)), out=offsets[1:])
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32), offsets


@njit(nogil=True, cache=True, inline="always")
def add_character(number, value):
    """The number of some characters with one more behind them, before it is mixed."""
    return (number ^ uint64(value)) * uint64(0x100000001B3)


@njit(nogil=True, cache=True, inline="always")
def text_number(codes, begin, end):
    """Number of the characters from begin to end; never 0."""
    number = HASH_START
    for at in range(begin, end):
        number = add_character(number, codes[at])
    return mix_twice(number) | uint64(1)


@njit(nogil=True, cache=True)
def spell(codes, kinds, offsets, lower, lower_offsets, out):
    """The layers `SPELLING` of words, given their characters in both cases."""
    for word in range(offsets.size - 1):
        out[word, 0] = text_number(codes, offsets[word], offsets[word + 1])
        begin, end = lower_offsets[word], lower_offsets[word + 1]
        number = uint64(0x84222325CBF29CE4)
        for at in range(begin, end):
            number = add_character(number, lower[at])
            if at - begin < PREFIXES:
                out[word, 2 + at - begin] = mix_twice(number) | uint64(1)
        out[word, 1] = mix_twice(number) | uint64(1)
        number = uint64(0x2325CBF29CE48422)
        for k in range(min(SUFFIXES, end - begin)):
            number = add_character(number, lower[end - 1 - k])
            out[word, 2 + PREFIXES + k] = mix_twice(number) | uint64(1)
        short, long, last, run = uint64(7), uint64(11), uint64(0), 0
        upper, small = 0, 0
        for at in range(offsets[word], offsets[word + 1]):
            kind = uint64(kinds[at])
            if kinds[at] == MARK:
                kind = uint64(codes[at]) + uint64(16)
            upper += kinds[at] == UPPER
            small += kinds[at] == LOWER_CASE
            run = run + 1 if kind == last else 0
            if run == 0:
                short = add_character(short, kind)
            if run < RUN:
                long = add_character(long, kind)
            last = kind
        out[word, 2 + PREFIXES + SUFFIXES] = mix_twice(short) | uint64(1)
        out[word, 3 + PREFIXES + SUFFIXES] = mix_twice(long) | uint64(1)
        case = NO_CASE
        if upper > 0:
            capital = kinds[offsets[word]] == UPPER
            case = (CAPITALS if small == 0 and upper > 1
                    else CAPITALISED if capital else MIXED)
        elif small > 0:
            case = SMALL_LETTERS
        out[word, 4 + PREFIXES + SUFFIXES] = case


def spelling(forms: Sequence[str]) -> np.ndarray:
    """uint64 (forms, len(SPELLING)): the layers of each form."""
    codes, offsets = code_points(forms)
    lower, lower_offsets = code_points([form.lower() for form in forms])
    layers = np.zeros((len(forms), len(SPELLING_LAYERS)), np.uint64)
    spell(codes, character_kinds(codes), offsets, lower, lower_offsets, layers)
    return layers
