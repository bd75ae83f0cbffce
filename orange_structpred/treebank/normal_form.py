"""The normal form of text: one spelling of what is typed in several ways.

Word processors write ’ “ – … where most treebanks have ' " - and three full stops, and
a letter with its accent is one character here and two there. Models see the normal form
of words and text, in training as in use; sentences keep what was typed.
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
}
_SIGNS = {ord(variant): sign for sign, variants in VARIANTS.items()
          for variant in variants}
_SIGNS |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}     # full-width
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
    return unicodedata.normalize("NFC", text).translate(_SIGNS)


def align_normal_form(text: str) -> NormalText:
    """The normal form of a text, with the positions of the typed characters."""
    composed = unicodedata.is_normalized("NFC", text)
    if composed and not _LONGER.search(text):
        return NormalText(normal_form(text), np.arange(len(text) + 1))
    pieces: list[str] = []
    origins: list[np.ndarray] = []
    done = 0
    for begin, end, new in _changes(text, composed):
        pieces += text[done:begin], new
        origins += np.arange(done, begin), np.full(len(new), begin)
        done = end
    return NormalText("".join([*pieces, text[done:]]),
                      np.concatenate([*origins, np.arange(done, len(text) + 1)]))


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
