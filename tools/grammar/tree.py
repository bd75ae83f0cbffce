"""Dependency trees under construction, and their CoNLL-U text.

Order and dependency are kept apart. A `Phrase` is a list of words in the order
in which they are spoken, with one of them as its head; a `Word` points to the
word that governs it. A rule of the grammar joins phrases by concatenating
their words and by pointing heads at heads, each as it likes: an extraposed
relative clause is put at the end of the sentence and still points to its noun,
and so non-projective trees need no machinery of their own.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator

FINAL = {".", "?", "!"}


class Word:
    """One syntactic word: a line of CoNLL-U.

    `merged` is the written form of this word and the next one where the two
    are one token on paper (German "zum", English "don't"). `glue` says that no
    space stands before this word.
    """

    __slots__ = (
        "deprel",
        "feats",
        "form",
        "glue",
        "head",
        "lemma",
        "merged",
        "upos",
        "xpos",
    )

    def __init__(self, form: str, lemma: str, upos: str, xpos: str,
                 feats: str = "_", *, merged: str = "", glue: bool = False):
        self.form = form
        self.lemma = lemma
        self.upos = upos
        self.xpos = xpos
        self.feats = feats
        self.head: Word | None = None
        self.deprel = "root"
        self.merged = merged
        self.glue = glue

    def __repr__(self) -> str:
        return f"{self.form}/{self.upos}"

    def under(self, head: Word, deprel: str) -> Word:
        """Point this word at its head."""
        self.head, self.deprel = head, deprel
        return self


class Phrase:
    """Words in order, one of which is the head of the others."""

    __slots__ = ("head", "words")

    def __init__(self, head: Word, words: Iterable[Word] | None = None):
        self.head = head
        self.words = [head] if words is None else list(words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def under(self, head: Word, deprel: str) -> Phrase:
        """Point the head of this phrase at a word outside of it."""
        self.head.under(head, deprel)
        return self

    def before(self, part: Word | Phrase, deprel: str) -> Phrase:
        """Put a dependent of the head in front of the phrase."""
        part.under(self.head, deprel)
        self.words[:0] = spoken(part)
        return self

    def after(self, part: Word | Phrase, deprel: str) -> Phrase:
        """Put a dependent of the head behind the phrase."""
        part.under(self.head, deprel)
        self.words.extend(spoken(part))
        return self


def spoken(part: Word | Phrase | None) -> list[Word]:
    """The words of a part in order; of no part, none."""
    if part is None:
        return []
    return [part] if isinstance(part, Word) else part.words


def arrange(head: Word, *parts: Word | Phrase | None) -> Phrase:
    """Speak these parts one after the other; who governs whom stays as it is."""
    return Phrase(head, [word for part in parts for word in spoken(part)])


def features(**values: str | None) -> str:
    """The FEATS column, sorted as CoNLL-U wants it. `Number_psor` is written
    as Number[psor]; a feature without a value is left out."""
    pairs = sorted(
        (name.replace("_psor", "[psor]"), value)
        for name, value in values.items() if value)
    return "|".join(f"{name}={value}" for name, value in sorted(
        pairs, key=lambda pair: pair[0].lower())) or "_"


def without_needless_commas(words: list[Word]) -> list[Word]:
    """Drop commas at the beginning, and before other marks that end a clause.

    Each clause brings its own commas; where two clauses end together only the
    last mark is written.
    """
    kept: list[Word] = []
    for word in reversed(words):
        if word.form == "," and kept and kept[-1].form in FINAL | {",", ":"}:
            continue
        kept.append(word)
    while kept and kept[-1].form == ",":
        kept.pop()
    return kept[::-1]


def conllu(phrase: Phrase, sent_id: str) -> str:
    """The sentence as a CoNLL-U block, without a trailing newline.

    The first letter becomes a capital, words that stand together on paper get
    their multiword line, and SpaceAfter=No is set where a mark follows.
    """
    words = without_needless_commas(phrase.words)
    number = {id(word): i for i, word in enumerate(words, 1)}
    capitalise(words)

    lines: list[str] = []
    text = ""
    inside = False                       # the second half of a multiword token
    for i, word in enumerate(words, 1):
        after = words[i] if i < len(words) else None
        spaceless = after is not None and after.glue and not word.merged
        misc = "SpaceAfter=No" if spaceless and not inside else "_"
        if word.merged:
            beyond = words[i + 1] if i + 1 < len(words) else None
            closed = "SpaceAfter=No" if beyond is not None and beyond.glue else "_"
            columns = [f"{i}-{i + 1}", word.merged, *"_" * 7, closed]
            lines.append("\t".join(columns))
            misc = "_"
        if not inside:
            if i > 1 and not word.glue:
                text += " "
            text += word.merged or word.form
        head = 0 if word.head is None else number[id(word.head)]
        lines.append("\t".join([
            str(i), word.form, word.lemma, word.upos, word.xpos, word.feats,
            str(head), word.deprel, "_", misc]))
        inside = bool(word.merged)
    return "\n".join([f"# sent_id = {sent_id}", f"# text = {text}", *lines])


def capitalise(words: list[Word]) -> None:
    """A capital for the first word that is not a quotation mark."""
    for word in words:
        if word.upos != "PUNCT":
            word.form = word.form[:1].upper() + word.form[1:]
            word.merged = word.merged[:1].upper() + word.merged[1:]
            return
