"""English clauses about what is so: states, moods, qualities, the weather."""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Filler, Scene
from ..tree import Phrase
from . import words
from .clauses import Clause, Form, add_negation, attach_group, chain
from .nominals import Nominal, nominal, pronominal

NEGATED_DEGREES = ["very", "too", "really"]
DEGREES = ["very", "quite", "rather", "extremely", "too", "really"]
ABSOLUTE = {"ready", "closed", "open", "full", "empty", "ill", "broken", "silent",
            "black", "late", "wrong", "satisfied", "unknown", "delicious", "huge"}


def being(scene: Scene, subject: Nominal, predicate: Phrase, form: Form) -> Clause:
    """A clause with a copula; its head is the predicate."""
    group = chain("be", form, subject, copula=True)
    clause = Clause(predicate, subject=subject)
    attach_group(clause, group, passive=False, copula=True)
    subject.phrase.under(clause.head, "nsubj")
    add_negation(scene, clause, form)
    return clause


def predicate_adjective(scene: Scene, lemma: str, *, degrees: list[str] = DEGREES
                        ) -> Phrase:
    phrase = Phrase(words.adjective(lemma))
    if lemma not in ABSOLUTE and scene.rng.chance(0.3):
        phrase.before(words.adverb(scene.rng.pick(degrees)), "advmod")
    return phrase


def condition(scene: Scene, form: Form) -> Clause | None:
    """A state of the domain: the soup was hot."""
    state = scene.state()
    if state is None:
        return None
    plural = state.subject.plural
    filler = Filler(state.subject.noun, plural, "definite")
    noun = scene.lexicon.nouns[filler.noun]
    own = noun.marks & {"kin", "bare"}
    scene.still = True
    subject = nominal(scene, Filler(filler.noun, plural) if own else filler, rich=0.5,
                      described=False)
    scene.still = False
    first, *others = scene.rng.shuffled(state.adjectives)
    predicate = predicate_adjective(
        scene, first, degrees=NEGATED_DEGREES if form.negated else DEGREES)
    if others and len(predicate) == 1 and scene.rng.chance(0.15):
        second = Phrase(words.adjective(others[0]))
        predicate.after(second.before(words.conjunction("and"), "cc"), "conj")
    return being(scene, subject, predicate, form)


REASONS = ["tired", "curious", "happy", "bored", "lonely", "impatient"]
OBSTACLES = ["tired", "ill", "hungry", "nervous", "late", "sleepy", "busy"]
BEFORE_NOUNS = {"little", "former", "favourite", "annual", "final", "regular", "older",
                "close", "local", "beloved", "poor", "good", "late", "lost"}


def mood(scene: Scene, pronoun: str, form: Form, moods: list[str]) -> Clause:
    """A state of somebody who was mentioned: she was tired."""
    subject = pronominal(pronoun, "Nom")
    return being(scene, subject, predicate_adjective(scene, scene.rng.pick(moods)),
                 form)


def quality(scene: Scene, noun: Nominal, form: Form) -> Clause | None:
    """What something that was mentioned is like: it was old."""
    known = scene.lexicon.nouns.get(noun.lemma)
    spoken = {word.lemma for word in noun.phrase}
    fitting = [a for a in (known.adjectives if known else ())
               if a not in BEFORE_NOUNS and a not in spoken]
    if not fitting or noun.bare_pronoun:
        return None
    predicate = predicate_adjective(scene, scene.rng.pick(fitting),
                                    degrees=["very", "so"])
    return being(scene, pronominal(noun.pronoun, "Nom"), predicate, form)


def leisure(pronoun: str, form: Form) -> Clause:
    """She has time."""
    who = pronominal(pronoun, "Nom")
    clause = Clause(Phrase(chain("have", form, who)[-1]), subject=who)
    who.phrase.under(clause.head, "nsubj")
    clause.add(Phrase(words.noun("time", "", many=False)), "obj")
    return clause


def weather(scene: Scene, form: Form, *, lasting: bool = True) -> Clause:
    """It was raining."""
    it = pronominal("it", "Nom")
    progressive = replace(form, progressive=lasting and form.time != "future")
    group = chain(scene.rng.pick(["rain", "snow"]), progressive, it)
    clause = Clause(Phrase(group[-1]), subject=it)
    attach_group(clause, group, passive=False, copula=False)
    it.phrase.under(clause.head, "expl")
    add_negation(scene, clause, progressive)
    return clause
