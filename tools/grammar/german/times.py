"""When something happens, in German."""
from __future__ import annotations

from ..lexicon import Scene
from ..tree import Phrase, Word, features
from . import words
from .nominals import with_preposition

DAYS = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"]
FREQUENCY = ["oft", "immer", "meistens", "manchmal", "selten", "nie"]


def temporal(form: str, lemma: str, gender: str, case: str, number: str = "Sing") -> Word:
    return Word(form, lemma, "NOUN", "NN", features(
        Case=case, Gender=words.GENDERS[gender], Number=number))


def accusative(determiner: Word, deprel: str, lemma: str, gender: str) -> Phrase:
    """jeden Morgen, letzte Woche, diesen Abend"""
    return Phrase(temporal(lemma, lemma, gender, "Acc")).before(determiner, deprel)


def on(lemma: str) -> Phrase:
    """am Montag, am Abend"""
    phrase = Phrase(temporal(lemma, lemma, "m", "Dat"))
    phrase.before(words.article("der", "Dat", "m", "Sing"), "det")
    return with_preposition("an", phrase)


def ago(scene: Scene) -> Phrase:
    """vor drei Wochen"""
    form, lemma, gender = scene.rng.pick(
        [("Tagen", "Tag", "m"), ("Wochen", "Woche", "f"), ("Jahren", "Jahr", "n")])
    phrase = Phrase(temporal(form, lemma, gender, "Dat", "Plur"))
    phrase.before(words.numeral(scene.rng.pick(["zwei", "drei", "vier", "fünf"])),
                  "nummod")
    return phrase.before(words.preposition("vor"), "case")


def when(scene: Scene, time: str) -> tuple[Phrase, str]:
    """A time that suits past, present or future, with its relation."""
    rng = scene.rng
    if time == "past":
        kind = rng.weighted({"gestern": 4, "letzt": 2, "ago": 2, "day": 2, "part": 1.5,
                              "dann": 0.5})
    elif time == "future":
        kind = rng.weighted({"morgen": 4, "nächst": 2, "day": 2, "bald": 1, "heute": 1})
    else:
        kind = rng.weighted({"every": 3, "part": 2, "heute": 1})
    if kind in ("gestern", "morgen", "bald", "heute", "dann"):
        return Phrase(words.adverb(kind)), "advmod"
    if kind in ("letzt", "nächst"):
        lemma, gender = rng.pick([("Woche", "f"), ("Monat", "m"), ("Jahr", "n"),
                                   ("Freitag", "m")])
        adjective = words.adjective(kind, "", "Acc", gender, "Sing")
        return accusative(adjective, "amod", lemma, gender), "obl"
    if kind == "every":
        lemma, gender = rng.pick([("Morgen", "m"), ("Abend", "m"), ("Tag", "m"),
                                   ("Woche", "f"), ("Sonntag", "m")])
        every = words.article("jed", "Acc", gender, "Sing")
        return accusative(every, "det", lemma, gender), "obl"
    if kind == "ago":
        return ago(scene), "obl"
    lemma = rng.pick(DAYS if kind == "day" else ["Morgen", "Abend", "Nachmittag"])
    return on(lemma), "obl"
