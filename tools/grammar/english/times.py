"""When something happens, in English."""
from __future__ import annotations

from ..lexicon import Scene
from ..tree import Phrase
from . import words

DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
FREQUENCY = ["often", "always", "usually", "sometimes", "rarely", "never"]


def unmarked(modifier: words.Word | None, lemma: str, deprel: str) -> Phrase:
    """last week, every morning, this evening"""
    phrase = Phrase(words.proper_name(lemma) if lemma in DAYS
                    else words.noun(lemma, "", many=False))
    return phrase.before(modifier, deprel) if modifier else phrase


def on_day(scene: Scene) -> Phrase:
    day = Phrase(words.proper_name(scene.rng.pick(DAYS)))
    return day.before(words.preposition("on"), "case")


def part_of_day(scene: Scene) -> Phrase:
    part = Phrase(words.noun(scene.rng.pick(["morning", "afternoon", "evening"]), "",
                             many=False))
    part.before(words.determiner("the"), "det")
    return part.before(words.preposition("in"), "case")


def ago(scene: Scene) -> Phrase:
    lemma = scene.rng.pick(["day", "week", "year"])
    count = Phrase(words.noun(lemma, lemma + "s", many=True))
    count.before(words.numeral(scene.rng.pick(["two", "three", "four", "five"])),
                 "nummod")
    return Phrase(words.adverb("ago")).before(count, "obl:unmarked")


def in_year(scene: Scene) -> Phrase:
    year = Phrase(words.numeral(str(scene.rng.pick(range(1985, 2020)))))
    return year.before(words.preposition("in"), "case")


def when(scene: Scene, time: str) -> tuple[Phrase, str]:
    """A time that suits past, present or future, with its relation."""
    rng = scene.rng
    if time == "past":
        kind = rng.weighted({"yesterday": 3, "last": 3, "ago": 2, "day": 2, "part": 2,
                              "year": 0.7, "this": 1.5})
    elif time == "future":
        kind = rng.weighted({"tomorrow": 3, "next": 3, "day": 3, "soon": 1, "part": 1})
    else:
        kind = rng.weighted({"every": 3, "part": 2, "days": 1})
    if kind in ("yesterday", "tomorrow"):
        return unmarked(None, kind, ""), "obl:unmarked"
    if kind in ("last", "next"):
        lemma = rng.pick(["week", "month", "summer", "Monday", "Friday"]
                          + (["night"] if kind == "last" else []))
        return unmarked(words.adjective(kind), lemma, "amod"), "obl:unmarked"
    if kind in ("every", "this"):
        lemma = rng.pick(["morning", "evening"] if kind == "this" else
                          ["morning", "evening", "day", "Sunday", "week"])
        return unmarked(words.determiner(kind), lemma, "det"), "obl:unmarked"
    if kind == "ago":
        return ago(scene), "advmod"
    if kind == "soon":
        return Phrase(words.adverb("soon")), "advmod"
    if kind == "days":
        day = rng.pick(DAYS)
        plural = Phrase(words.Word(day + "s", day, "PROPN", "NNPS", "Number=Plur"))
        return plural.before(words.preposition("on"), "case"), "obl"
    return {"day": on_day, "part": part_of_day, "year": in_year}[kind](scene), "obl"
