"""German clauses about what is so: states, moods, qualities, the weather."""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Filler, Scene
from ..tree import Phrase, Word
from . import words
from .clauses import (
    ACCUSATIVE,
    NEGATION,
    PRONOUN_SUBJECT,
    SUBJECT,
    Clause,
    Form,
    complex_of,
)
from .nominals import Nominal, nominal, pronominal
from .verbs import Verb, read_verb

NEGATED_DEGREES = ["sehr", "zu", "wirklich"]
DEGREES = ["sehr", "ziemlich", "zu", "wirklich", "recht"]
ABSOLUTE = {"geschlossen", "krank", "fertig", "falsch", "leer", "kaputt", "schwarz",
            "voll", "zufrieden", "unbekannt", "wunderbar", "begeistert", "lecker"}


def being(subject: Nominal, predicate: Phrase, form: Form, *,
          last: bool = False) -> Clause:
    """A clause with a copula; its head is the predicate."""
    plain = replace(form, negated=False, nonfinite="")
    copula = complex_of(Verb("", "sein", False), plain, subject, passive=False,
                        last=last)
    copulas = [w for w in [*copula.bracket, copula.finite] if w.lemma == "sein"]
    for word in [*copula.bracket, copula.finite]:
        word.upos = "AUX"
        word.under(predicate.head, "cop" if word is copulas[-1] else "aux")
    clause = Clause(predicate.head, copula.finite, subject=subject)
    clause.add(PRONOUN_SUBJECT if subject.bare_pronoun else SUBJECT, subject.phrase,
               "nsubj", fronting=6)
    if form.negated:
        clause.add(NEGATION, Phrase(words.negation()), "advmod")
    clause.bracket = [*predicate.words, *copula.bracket]
    return clause


def predicate_adjective(scene: Scene, lemma: str, *, degrees: list[str] = DEGREES
                        ) -> Phrase:
    phrase = Phrase(words.predicative(lemma))
    if lemma not in ABSOLUTE and scene.rng.chance(0.3):
        phrase.before(words.adverb(scene.rng.pick(degrees)), "advmod")
    return phrase


def condition(scene: Scene, form: Form, *, last: bool = False) -> Clause | None:
    """A state of the domain: die Suppe war heiß."""
    state = scene.state()
    if state is None:
        return None
    filler = state.subject
    own = scene.lexicon.nouns[filler.noun].marks & {"kin", "bare"}
    scene.still = True
    subject = nominal(scene, Filler(filler.noun, filler.plural, "any" if own else
                                    "definite"), "Nom", rich=0.5, described=False)
    scene.still = False
    first, *others = scene.rng.shuffled(state.adjectives)
    predicate = predicate_adjective(
        scene, first, degrees=NEGATED_DEGREES if form.negated else DEGREES)
    if others and len(predicate) == 1 and scene.rng.chance(0.15):
        second = Phrase(words.predicative(others[0]))
        predicate.after(second.before(words.conjunction("und"), "cc"), "conj")
    return being(subject, predicate, form, last=last)


REASONS = ["müde", "neugierig", "glücklich", "einsam", "ungeduldig"]
OBSTACLES = ["müde", "krank", "hungrig", "nervös"]


def mood(scene: Scene, pronoun: str, form: Form, moods: list[str], *,
         last: bool = False) -> Clause:
    """A state of somebody who was mentioned: sie war müde."""
    predicate = predicate_adjective(scene, scene.rng.pick(moods))
    return being(pronominal(pronoun, "Nom"), predicate, form, last=last)


def quality(scene: Scene, noun: Nominal, form: Form, *, last: bool = False
            ) -> Clause | None:
    """What something that was mentioned is like: es war alt."""
    known = scene.lexicon.nouns.get(noun.lemma)
    spoken = {word.lemma for word in noun.phrase}
    fitting = [a for a in (known.adjectives if known else ())
               if a not in spoken and a not in ("ehemalig", "gut", "jährlich")]
    if not fitting or noun.bare_pronoun:
        return None
    predicate = predicate_adjective(scene, scene.rng.pick(fitting),
                                    degrees=["sehr", "so"])
    return being(pronominal(noun.pronoun, "Nom"), predicate, form, last=last)


def leisure(pronoun: str, form: Form) -> Clause:
    """(wenn) sie Zeit hat"""
    who = pronominal(pronoun, "Nom")
    clause = complex_of(read_verb("haben"), form, who, passive=False, last=True)
    clause.subject = who
    clause.add(PRONOUN_SUBJECT, who.phrase, "nsubj")
    time = Word("Zeit", "Zeit", "NOUN", "NN", "Case=Acc|Gender=Fem|Number=Sing")
    clause.add(ACCUSATIVE, Phrase(time), "obj")
    return clause


def weather(scene: Scene, form: Form, *, last: bool = False) -> Clause:
    """Es regnete."""
    it = pronominal("es", "Nom")
    verb = read_verb(scene.rng.pick(["regnen", "schneien"]))
    clause = complex_of(verb, form, it, passive=False, last=last)
    clause.subject = it
    clause.add(PRONOUN_SUBJECT, it.phrase, "expl", fronting=6)
    return clause
