"""Lemmas that show the parts of compounds: *kylpy#huone*, where the word is *kylpyhuone*.

Some treebanks write a mark between the parts. Edit scripts cannot say where it stands in a
word that training has not seen; what training has seen of the parts can.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

MIN_MARKED, MIN_MARKED_SHARE = 20, 0.02      # lemmas with a mark, to take it for one
LONGEST_COMPOUND = 64
MIN_FORM, MIN_LAST, MIN_REST = 4, 5, 4       # letters of parts that are not known as such


def mark_of(words: Iterable[tuple[str, str]]) -> str:
    """The sign that lemmas have between their parts, and forms do not; "" for none.

    words : pairs of forms and lemmas
    """
    lemmas = {lemma: form for form, lemma in words}
    counts = Counter(sign for lemma, form in lemmas.items()
                     for sign in set(lemma[1:-1]) - set(form) if not sign.isalnum())
    sign, count = max(counts.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return sign if count >= max(MIN_MARKED, MIN_MARKED_SHARE * len(lemmas)) else ""


def without_mark(lemma: str, mark: str) -> str:
    """A lemma as one word."""
    return mark and lemma.replace(mark, "") or lemma


class Compounds:
    """The parts of compounds that training has seen.

    Parameters
    ----------
    mark : what stands between the parts
    lemmas : of forms
    """

    def __init__(self, mark: str, lemmas: Mapping[str, str]):
        self.mark = mark
        self.whole: dict[str, str] = {}
        self.first: set[str] = set()
        self.last: set[str] = set()
        for form, lemma in lemmas.items() if mark else ():
            *first, last = lemma.split(mark)
            self.whole[without_mark(lemma, mark)] = lemma
            self.first.update(first, [form] if len(form) >= MIN_FORM else [])
            self.last.add(last)

    def marked(self, lemma: str) -> str:
        """A lemma with marks between its parts.

        >>> compounds = Compounds("#", {"kylpyhuone": "kylpy#huone", "sauna": "sauna"})
        >>> compounds.marked("kylpysauna"), compounds.marked("talosauna")
        ('kylpy#sauna', 'talo#sauna')
        """
        if not self.mark or len(lemma) > LONGEST_COMPOUND:
            return lemma
        if lemma in self.whole:
            return self.whole[lemma]
        fewest: dict[int, list[str]] = {0: []}       # parts of the letters before
        for end in range(1, len(lemma)):
            splits = [[*parts, lemma[begin:end]] for begin, parts in fewest.items()
                      if lemma[begin:end] in self.first]
            if splits:
                fewest[end] = min(splits, key=len)
        splits = [[*parts, lemma[begin:]] for begin, parts in fewest.items()
                  if begin and lemma[begin:] in self.last]
        if splits:
            shortest = min(splits, key=len)
            return self.mark.join(shortest)
        begin = next((begin for begin in range(MIN_REST, len(lemma) - MIN_LAST + 1)
                      if lemma[begin:] in self.last), 0)
        return f"{lemma[:begin]}{self.mark}{lemma[begin:]}" if begin else lemma
