"""The English grammar: `sentence(rng)` speaks one sentence."""
from __future__ import annotations

from functools import lru_cache

from ..lexicon import Lexicon, Scene, read_domains, read_nouns
from ..rng import SeededRandom
from ..tree import Phrase
from . import complexes, crossing, sentences, talk, words
from .events import DOMAINS
from .nouns import THINGS
from .people import PEOPLE

# how often each kind of sentence is tried
KINDS = {
    sentences.plain: 17, sentences.short: 3, sentences.passive: 6, sentences.state: 2,
    sentences.identity: 2, sentences.located: 3, sentences.comparison: 2,
    sentences.command: 4, sentences.yes_no_question: 4, sentences.wh_question: 5,
    sentences.indirect_question: 4, complexes.with_relative: 13,
    complexes.with_circumstance: 12, complexes.with_doing: 5,
    complexes.with_complement: 8, complexes.speech: 3, complexes.with_infinitive: 7,
    complexes.with_purpose: 3, complexes.judgement: 4, complexes.two_predicates: 8,
    complexes.two_clauses: 6,
    crossing.distant_question: 1.5, crossing.distant_topic: 0.8,
    crossing.distant_relative: 2, crossing.late_relative: 1.8,
    crossing.late_attribute: 1, crossing.split_comparison: 1,
    talk.aside: 2, talk.gapping: 1, talk.call: 1.6, talk.answer: 1.6, talk.order: 0.8,
    talk.caption: 3,
}


def inflect(cell: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """lemma and plural of a noun, and its marks."""
    lemma, *marks = cell
    irregular = [mark[3:] for mark in marks if mark.startswith("pl=")]
    forms = (lemma, irregular[0] if irregular else words.plural(lemma))
    return forms, [mark for mark in marks if "=" not in mark]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    return Lexicon(read_nouns(PEOPLE + THINGS, inflect), *read_domains(DOMAINS))


def sentence(rng: SeededRandom) -> Phrase | None:
    """One sentence of a random kind, or None where this attempt led nowhere."""
    kind = rng.weighted(KINDS)
    return kind(Scene(rng, lexicon()))
