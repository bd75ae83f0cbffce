"""A rule-based tokeniser for Western languages."""
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from orange_structpred.tagging.documents import (
    FULL_WIDTH_ENDS,
    SENTENCE_ENDS,
    AnyTokeniser,
    warn_of_unsegmented,
)
from orange_structpred.treebank.normal_form import (
    VARIANTS,
    ZERO_WIDTH_SPACE,
    align_normal_form,
)
from orange_structpred.treebank.text import Token

#: before a capital letter these do not end a sentence
ABBREVIATIONS = frozenset(
    ["mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "hon", "rev", "gen", "col", "lt", "sgt", "capt", "rep", "sen", "gov", "pres", "inc", "ltd", "co", "corp", "vs", "etc", "no", "nos", "vol", "pp", "fig", "ed", "eds", "dept", "univ", "approx", "al", "ca", "cf", "e.g", "i.e", "u.s", "u.k", "bzw", "ca", "d.h", "dr", "evtl", "ggf", "hr", "fr", "inkl", "nr", "str", "usw", "u.a", "z.b", "vgl", "zit", "abs", "art", "bd", "mme", "mm", "m", "mlle", "env", "sra", "srta", "ud", "uds", "avv", "ing", "sig", "dott", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "okt", "nov", "dec", "dez", "mon", "tue", "wed", "thu", "fri", "sat", "sun"])
QUOTES = "".join(f"{sign}{VARIANTS[sign]}" for sign in "'\"")
CLOSING = f")]}}{QUOTES}"
OPENING = f"([{{\u00bf\u00a1-{VARIANTS['-']}{VARIANTS['--']}{QUOTES}"
_TOKEN = re.compile(r"""
    (?:https?://|www\.)\S*[^\s.,;:!?"'()\[\]<>]        # addresses of the web
  | [\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,30}     # of mail, as long as they may be
  | (?:[^\W\d_]\.){2,}                                 # U.S., z.B.
  | \d+(?:[.,:/]\d+)*                                     # numbers, dates, times
  | \w+(?:['-]\w+)*                                     # words, with hyphens
  | [\U0001f1e6-\U0001f1ff]{2}                       # flags
  | \.{2,} | -{2,} | ([^\w\s])\1*                    # punctuation, repeated
  | \S""", re.VERBOSE)
# the letters of "z. B." and "i. d. R.": one after this, one before it
_LETTER_BEFORE = re.compile(r"(?<![^\W_])[^\W\d_]\. ?\Z")
_LETTER_AFTER = re.compile(r"\. ?[^\W\d_]\.")
_REST = re.compile(r"\w*(?:['-]\w+)*")        # of a word, after a mark in it
ZERO_WIDTH_JOINER = "\u200d"
_MARKS = {"Mn", "Mc", "Me", "Cf"}       # accents, vowel signs, invisible characters


class RuleTokeniser(AnyTokeniser):
    """Words are letters and digits, punctuation stands apart, and a full stop before
    a capital letter ends a sentence unless it belongs to an abbreviation.

    Scripts without spaces between words (Chinese, Japanese, Thai, ...) are not
    segmented: everything between spaces and punctuation is one word, and a warning
    says so. Train a tokeniser on a treebank of the language instead.

    Examples
    --------
    >>> tokeniser = RuleTokeniser()
    >>> [sentence.forms for sentence in tokeniser("Dr. No (1962) is good. Is it?")]
    [['Dr.', 'No', '(', '1962', ')', 'is', 'good', '.'], ['Is', 'it', '?']]
    """

    def split(self, paragraphs: Sequence[str]) -> Iterator[list[list[Token]]]:
        for paragraph in paragraphs:
            yield list(self.sentences_of(paragraph))

    def sentences_of(self, paragraph: str) -> Iterator[list[Token]]:
        """The tokens of each sentence."""
        warn_of_unsegmented(paragraph, "the rules do")
        spans = list(self.spans(paragraph))
        sentence: list[Token] = []
        for k, (begin, end) in enumerate(spans):
            form = paragraph[begin:end]
            following = spans[k + 1][0] if k + 1 < len(spans) else len(paragraph)
            spaced = following > end or k + 1 == len(spans)
            sentence.append(Token(form, (form,), spaced))
            if k + 1 == len(spans) or self.ends(paragraph, sentence, end, following):
                yield sentence
                sentence = []

    @staticmethod
    def spans(paragraph: str) -> Iterator[tuple[int, int]]:
        """Begin and end of each token."""
        text, origins = align_normal_form(paragraph)
        positions, end = origins.tolist(), 0
        while match := _TOKEN.search(text, end):
            begin, end = match.span()
            if not text[end - 1:end + 1].isascii():
                end = end_with_marks(text, begin, end)
            if text[end:end + 1] == "." and is_abbreviation(text, begin, end):
                end += 1        # the full stop is part of it
            if positions[begin] < positions[end]:
                yield positions[begin], positions[end]

    @staticmethod
    def ends(paragraph: str, sentence: list[Token], end: int, following: int) -> bool:
        """Whether a sentence ends at `end`, the next token beginning at `following`."""
        last = len(sentence) - 1
        while last > 0 and sentence[last].form[0] in CLOSING:
            last -= 1
        form = sentence[last].form
        if form[-1] in FULL_WIDTH_ENDS:
            return paragraph[following] not in CLOSING
        if following == end or form[0] not in SENTENCE_ENDS:
            return False
        rest = paragraph[following:following + 3].lstrip(OPENING)
        return bool(rest) and not rest[0].islower()


def is_abbreviation(text: str, begin: int, end: int) -> bool:
    """Whether a full stop after a word belongs to the word."""
    word = text[begin:end]
    if len(word) > 1 or not word.isalpha():
        return word.lower() in ABBREVIATIONS
    return bool(word.isupper() or word in ABBREVIATIONS or _LETTER_AFTER.match(text, end)
                or _LETTER_BEFORE.search(text, max(0, begin - 4), begin))


def is_mark(character: str) -> bool:
    """Whether a character belongs to the one before, as accents and skin tones do."""
    return (unicodedata.category(character) in _MARKS
            or "\U0001f3fb" <= character <= "\U0001f3ff")


def end_with_marks(paragraph: str, begin: int, end: int) -> int:
    """Where a token ends if the marks after it, and what they join, are a part of it."""
    in_word = paragraph[end - 1].isalnum() or is_mark(paragraph[begin])
    while end < len(paragraph):
        last, following = paragraph[end - 1], paragraph[end]
        if is_mark(following) or (last == ZERO_WIDTH_JOINER and not following.isspace()):
            end += 1
            continue
        match = _REST.match(paragraph, end)
        rest = match.end() if match else end
        joins = is_mark(last) or paragraph[end - 2:end - 1] == ZERO_WIDTH_JOINER
        if rest == end or not in_word or not joins or last == ZERO_WIDTH_SPACE:
            break
        end = rest
    return end
