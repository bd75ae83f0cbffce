"""The normal form of text: one spelling of what is typed in several ways.

Word processors write ’ “ – … where most treebanks have ' " - and three full stops, a
letter with its accent is one character here and two there, and text from PDF files and
web pages has ligatures, soft hyphens and other characters that nobody sees. Models see
the normal form of words and text, in training as in use; sentences keep what was typed.
"""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

#: what is written in place of signs that look alike. A dash becomes the two hyphens of a
#: typewriter: it does not join words
VARIANTS = {
    "'": "\u2018\u2019\u201a\u201b\u02bc\u00b4\u2032\u2039\u203a",
    '"': "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\u301f",
    "-": "\u2010\u2011\u2012\u2013\u2212\ufe63",
    "--": "\u2014\u2015",
    "...": "\u2026",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
         "\u202f\u205f\u3000",
    "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02", "ffi": "\ufb03", "ffl": "\ufb04",
    "st": "\ufb05\ufb06",
}
#: it ends a word where nothing else does, in scripts without spaces
ZERO_WIDTH_SPACE = "\u200b"
#: soft hyphens, zero-width spaces, word joiners, byte order marks and directions; those
#: of scripts and emoji that join what they stand between are letters
INVISIBLE = (f"\u00ad{ZERO_WIDTH_SPACE}\u2060\ufeff\u061c\u200e\u200f\u202a-\u202e"
             "\u2066-\u2069")
_SIGNS = {ord(variant): sign for sign, variants in VARIANTS.items()
          for variant in variants}
_SIGNS |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}     # full-width
_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_VARIANT = re.compile(f"[{''.join(map(chr, _SIGNS))}]")
_LONGER = re.compile(f"[{''.join(chr(c) for c, sign in _SIGNS.items() if len(sign) > 1)}]")


class NormalText(NamedTuple):
    """A text in its normal form.

    origins : for each character, and for the end, the position in the typed text. Those
        that only together stand for typed ones have one position
    """

    text: str
    origins: np.ndarray


def normal_form(text: str) -> str:
    """The normal form of a word or a text.

    >>> normal_form("“Don’t…”")
    '"Don\\'t..."'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _visible(text)).translate(_SIGNS)


def align_normal_form(text: str) -> NormalText:
    """The normal form of a text, with the positions of the typed characters."""
    positions = _visible_positions(text)
    text = _visible(text)
    composed = unicodedata.is_normalized("NFC", text)
    if composed and not _LONGER.search(text):
        return NormalText(text.translate(_SIGNS), positions)
    pieces: list[str] = []
    origins: list[np.ndarray] = []
    done = 0
    for begin, end, new in _changes(text, composed):
        pieces += text[done:begin], new
        origins += np.arange(done, begin), np.full(len(new), begin)
        done = end
    origins.append(np.arange(done, len(text) + 1))
    return NormalText("".join([*pieces, text[done:]]), positions[np.concatenate(origins)])


def _visible(text: str) -> str:
    """The text without the characters that nobody sees, but for those that stay."""
    return _INVISIBLE.sub(lambda run: run[0] if _stays(run) else "", text)


def _visible_positions(text: str) -> np.ndarray:
    """The positions of the characters that are left, and of the end. What disappears
    belongs to the character before it, or else to the one after it."""
    positions = np.arange(len(text) + 1)
    is_left = np.ones(len(text) + 1, bool)
    for run in _INVISIBLE.finditer(text):
        if not _stays(run):
            begin, end = run.span()
            is_left[begin:end] = False
            if _is_space(text, begin - 1):
                positions[end] = begin
    return positions[is_left]


def _stays(run: re.Match) -> bool:
    """Whether invisible characters mean something: they end a word, or are all there is."""
    text, (begin, end) = run.string, run.span()
    is_first, is_last = _is_space(text, begin - 1), _is_space(text, end)
    if is_first or is_last:
        return is_first and is_last
    return ZERO_WIDTH_SPACE in run[0] and not _combines(text[end])


def _is_space(text: str, k: int) -> bool:
    """Whether there is a space, or an end of the text, at a position."""
    return not 0 <= k < len(text) or text[k].isspace()


def _changes(text: str, composed: bool) -> Iterator[tuple[int, int, str]]:
    """Where a text differs from its normal form, and what stands there instead."""
    if composed:
        for match in _VARIANT.finditer(text):
            yield match.start(), match.end(), match[0].translate(_SIGNS)
        return
    begin = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and _combines(text[end]) and not text[begin].isspace():
            continue
        if (new := normal_form(text[begin:end])) != text[begin:end]:
            yield begin, end, new
        begin = end


def _combines(character: str) -> bool:
    """Whether a character may become one with those before it."""
    return (unicodedata.category(character)[0] == "M"
            or "\u1160" <= character <= "\u11ff"                # vowels and ends in Hangul
            or "\U00016d63" <= character <= "\U00016d6a")       # vowels in Kirat Rai
