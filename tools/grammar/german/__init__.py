"""The German grammar: `sentence(rng)` speaks one sentence."""
from __future__ import annotations

from functools import lru_cache

from ..lexicon import Lexicon, Scene, read_domains, read_nouns
from ..rng import SeededRandom
from ..tree import Phrase
from . import complexes, crossing, sentences, talk
from .events import DOMAINS
from .nouns import THINGS
from .people import PEOPLE

# how often each kind of sentence is tried
KINDS = {
    sentences.plain: 18, sentences.short: 6, sentences.passive: 6, sentences.state: 4,
    sentences.identity: 2, sentences.located: 3, sentences.comparison: 2,
    sentences.command: 4, sentences.yes_no_question: 4, sentences.wh_question: 5,
    sentences.indirect_question: 4, complexes.with_relative: 17,
    complexes.with_circumstance: 10, complexes.with_complement: 7, complexes.speech: 3,
    complexes.with_infinitive: 6, complexes.with_purpose: 3, complexes.judgement: 4,
    complexes.two_predicates: 7, complexes.two_clauses: 6,
    crossing.late_relative: 5, crossing.distant_topic: 0.9,
    crossing.distant_question: 0.9, crossing.split_attribute: 1.2,
    crossing.split_comparison: 0.9,
    talk.aside: 2, talk.gapping: 1, talk.call: 1.6, talk.answer: 1.6, talk.order: 0.8,
    talk.caption: 3,
}


def inflect(cell: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """lemma, gender, genitive and plural of a noun, and its marks."""
    return tuple(cell[:4]), cell[4:]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    return Lexicon(read_nouns(PEOPLE + THINGS, inflect), *read_domains(DOMAINS))


def sentence(rng: SeededRandom) -> Phrase | None:
    """One sentence of a random kind, or None where this attempt led nowhere."""
    kind = rng.weighted(KINDS)
    return kind(Scene(rng, lexicon()))
