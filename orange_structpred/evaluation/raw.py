"""Scores of annotated raw text, by the rules of the CoNLL 2018 shared task.

Gold and system must have the same characters, spaces aside. A sentence or a token is
right if its characters are. Words are aligned: plain ones if they have the same
characters; within tokens of several words (zum: zu dem) by the longest common
subsequence of their lower-cased forms. Tags, lemmas and heads of aligned words are
compared; recall is in terms of gold words, precision of system words.
"""
from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from orange_structpred.evaluation.scores import MismatchError
from orange_structpred.treebank.layers import EMPTY, universal
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import tokens_of

#: what is scored, in the order in which it is shown
RAW_MEASURES = ("tokens", "sentences", "words", "upos", "xpos", "feats", "lemmas",
                "uas", "las")
#: the features that every language can have, and that count
UNIVERSAL_FEATURES = frozenset(
    ["PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number", "Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident", "Polarity", "Person", "Polite"])
_CONTEXT = 20           # characters shown where two texts differ


@dataclass(frozen=True)
class RawScore:
    """How many there are, and how many are right.

    correct, gold, system : int
    """

    correct: int
    gold: int
    system: int

    @property
    def precision(self) -> float:
        return self.correct / self.system if self.system else 0.

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, from 0 to 1."""
        total = self.gold + self.system
        return 2 * self.correct / total if total else 0.


class Word(NamedTuple):
    """A word and the characters of its token; head is the number of a word, or -1."""

    begin: int
    end: int
    of_several: bool
    form: str
    upos: str
    xpos: str
    feats: str
    lemma: str
    head: int
    deprel: str


class Annotated(NamedTuple):
    characters: str
    sentences: list[tuple[int, int]]
    tokens: list[tuple[int, int]]
    words: list[Word]


def evaluate_raw(gold: Iterable[Sentence], system: Iterable[Sentence],
                 first: int = 0) -> dict[str, RawScore]:
    """Score annotated text against gold sentences, `RAW_MEASURES`.

    A MismatchError if they are not the same text.

    first : characters before these sentences, for messages
    """
    right, predicted = annotated(gold), annotated(system)
    check_characters(right.characters, predicted.characters, first)
    pairs = align(right.words, predicted.words)
    gold_of = {s: g for g, s in pairs}
    sizes = len(right.words), len(predicted.words)

    def aligned(key: Callable[[Word], object]) -> RawScore:
        return RawScore(sum(key(right.words[g]) == key(predicted.words[s])
                            for g, s in pairs), *sizes)

    def same_head(g: int, s: int) -> bool:
        gold_head, head = right.words[g].head, predicted.words[s].head
        return gold_head == (head if head < 0 else gold_of.get(head, -2))

    attached = [(g, s) for g, s in pairs if same_head(g, s)]
    labelled = [(g, s) for g, s in attached
                if right.words[g].deprel == predicted.words[s].deprel]
    lemmas = sum(right.words[g].lemma in (EMPTY, predicted.words[s].lemma)
                 for g, s in pairs)
    return {
        "tokens": spans_score(right.tokens, predicted.tokens),
        "sentences": spans_score(right.sentences, predicted.sentences),
        "words": RawScore(len(pairs), *sizes),
        "upos": aligned(lambda word: word.upos),
        "xpos": aligned(lambda word: word.xpos),
        "feats": aligned(lambda word: word.feats),
        "lemmas": RawScore(lemmas, *sizes),
        "uas": RawScore(len(attached), *sizes),
        "las": RawScore(len(labelled), *sizes)}


def spans_score(gold: Sequence[tuple[int, int]], system: Sequence[tuple[int, int]]
                ) -> RawScore:
    return RawScore(len(set(gold) & set(system)), len(gold), len(system))


def annotated(sentences: Iterable[Sentence]) -> Annotated:
    """The characters of sentences, and which of them each word has."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    tokens: list[tuple[int, int]] = []
    words: list[Word] = []
    at = 0
    for sentence in sentences:
        begin, first = at, len(words)
        rows = zip(sentence.forms, sentence.upos, sentence.xpos, sentence.feats,
                   sentence.lemmas, sentence.heads.tolist(), sentence.deprels)
        for token in tokens_of(sentence):
            form = "".join(token.form.split())
            pieces.append(form)
            tokens.append((at, at + len(form)))
            several = len(token.words) > 1
            for _ in token.words:
                word, upos, xpos, feats, lemma, head, deprel = next(rows)
                # an unknown head is no word's
                number = first + head - 1 if head > 0 else -1 if head == 0 else -3
                words.append(Word(
                    at, at + len(form), several, word.lower(), upos, xpos,
                    universal_features(feats), lemma, number, universal(deprel)))
            at += len(form)
        spans.append((begin, at))
    return Annotated("".join(pieces), spans, tokens, words)


def universal_features(feats: str) -> str:
    """The features that count, in their order.

    >>> universal_features("Number=Sing|Typo=Yes|Case=Nom")
    'Case=Nom|Number=Sing'
    """
    return "|".join(sorted(
        entry for entry in feats.split("|")
        if entry.partition("=")[0].partition("[")[0] in UNIVERSAL_FEATURES))


def n_characters(sentence: Sentence) -> int:
    """How many characters a sentence has, not counting spaces."""
    return sum(len("".join(token.form.split())) for token in tokens_of(sentence))


def check_characters(gold: str, system: str, first: int = 0) -> None:
    if gold == system:
        return
    at = next((k for k, (a, b) in enumerate(zip(gold, system)) if a != b),
              min(len(gold), len(system)))
    raise MismatchError(
        f"the texts differ at character {first + at + 1}, not counting spaces: found "
        f"{system[at:at + _CONTEXT]!r}, expected {gold[at:at + _CONTEXT]!r}")


def align(gold: Sequence[Word], system: Sequence[Word]) -> list[tuple[int, int]]:
    """Pairs of numbers of aligned words."""
    regions = merged(sorted((word.begin, word.end) for words in (gold, system)
                            for word in words if word.of_several))
    inside_gold, outside_gold = divided(gold, regions)
    inside_system, outside_system = divided(system, regions)
    by_span = {(system[s].begin, system[s].end): s for s in outside_system}
    pairs = [(g, by_span[gold[g].begin, gold[g].end]) for g in outside_gold
             if (gold[g].begin, gold[g].end) in by_span]
    for region in range(len(regions)):
        mine, its = inside_gold[region], inside_system[region]
        pairs += [(mine[a], its[b]) for a, b in common_subsequence(
            [gold[g].form for g in mine], [system[s].form for s in its])]
    return sorted(pairs)


def merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted spans; those that share characters become one."""
    result: list[tuple[int, int]] = []
    for begin, end in spans:
        if result and begin < result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((begin, end))
    return result


def divided(words: Sequence[Word], regions: Sequence[tuple[int, int]]
            ) -> tuple[list[list[int]], list[int]]:
    """The numbers of the words within each region, and of those within none."""
    inside: list[list[int]] = [[] for _ in regions]
    outside = []
    begins = [begin for begin, _ in regions]
    for number, word in enumerate(words):
        region = bisect_right(begins, word.begin) - 1
        if region >= 0 and word.end <= regions[region][1]:
            inside[region].append(number)
        else:
            outside.append(number)
    return inside, outside


def common_subsequence(first: Sequence[str], second: Sequence[str]
                       ) -> list[tuple[int, int]]:
    """The places of a longest common subsequence in both."""
    longest = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for a in reversed(range(len(first))):
        for b in reversed(range(len(second))):
            longest[a][b] = (longest[a + 1][b + 1] + 1 if first[a] == second[b]
                             else max(longest[a + 1][b], longest[a][b + 1]))
    pairs, a, b = [], 0, 0
    while a < len(first) and b < len(second):
        if first[a] == second[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif longest[a][b] == longest[a + 1][b]:
            a += 1
        else:
            b += 1
    return pairs
