"""English as it is spoken: asides, elliptical sentences, calls, answers."""
from __future__ import annotations

from ..lexicon import Filler, Scene
from ..tree import Phrase, Word, arrange
from . import words
from .clauses import Form, happening
from .nominals import name, nominal, person, prepositional, pronominal
from .sentences import command, event_clause, finish
from .states import condition
from .subordination import verb_only


def interjection(form: str) -> Word:
    return Word(form, form, "INTJ", "UH")


def aside(scene: Scene) -> Phrase | None:
    """The soup, said the cook, was too hot; the film was, I think, too long."""
    scene.focus = False
    rng = scene.rng
    if rng.chance(0.6):
        clause = condition(scene, Form(rng.pick(["past", "present"])))
    else:
        clause = event_clause(scene, Form("past"), rich=0.6)
    if clause is None or clause.subject.bare_pronoun or clause.front:
        return None
    if rng.chance(0.5):
        who = pronominal(rng.pick(["I", "we"]), "Nom")
        inserted = happening(scene, verb_only(rng.pick(["think", "believe", "hope"])),
                             Form("present"), subject=who).statement()
    else:
        who = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.4,
                     pronouns=False)
        if who is None or who.phrase.words[-1].form == ",":
            return None
        verb = words.finite(rng.pick(["say", "claim", "explain"]), "Past", who.number,
                            "3", "VERB")
        inserted = arrange(verb, verb, who.phrase.under(verb, "nsubj"))
    inserted.before(words.mark(","), "punct").after(words.mark(","), "punct")
    inserted.under(clause.head, "parataxis")
    clause.subject.phrase.words.extend(inserted.words)
    return finish(clause.statement())


def gapping(scene: Scene) -> Phrase | None:
    """Anna bought a coat, and Leo a hat."""
    event = scene.event(lambda e: len(e.objects) > 2 and not e.recipient_needed
                        and not any(a.needed for a in e.adjuncts) and "_" not in e.verb)
    if event is None:
        return None
    first = happening(scene, event, Form("past"), subject=name(scene), adjuncts=0,
                      rich=0.5)
    left = scene.fresh(event.objects)
    if left is None or first.object is None:
        return None
    scene.owner = ""
    second = name(scene, full=0).phrase
    thing = nominal(scene, left, rich=0.6).phrase
    second.before(words.conjunction("and"), "cc").before(words.mark(","), "punct")
    second.after(thing, "orphan")
    first.rest.append(second.under(first.head, "conj"))
    return finish(first.statement())


def call(scene: Scene) -> Phrase | None:
    """Anna, please close the window!"""
    phrase = command(scene)
    if phrase is None:
        return None
    who = name(scene, full=0).phrase.after(words.mark(","), "punct")
    return phrase.before(who, "vocative")


def answer(scene: Scene) -> Phrase | None:
    """Yes, the museum is open; no, nobody has found the key."""
    rng = scene.rng
    yes = rng.chance(0.5)
    form = Form(rng.pick(["past", "present"]), perfect=rng.chance(0.4), negated=not yes)
    clause = (condition(scene, Form(form.time, negated=not yes)) if rng.chance(0.4)
              else event_clause(scene, form, rich=0.7))
    if clause is None or not yes and clause.negation is None:
        return None
    reply = Phrase(interjection("yes" if yes else "no"))
    clause.topic(reply, "discourse", comma=True)
    return finish(clause.statement())


def caption(scene: Scene) -> Phrase | None:
    """A man with a hat on the bridge over the river."""
    rng = scene.rng
    scene.still = True
    things = [noun for noun in scene.lexicon.nouns.values() if len(noun.attributes) > 1
              and noun.marks.isdisjoint({"mass", "bare", "only", "kin", "name"})]
    found = nominal(scene, Filler(rng.pick(things).lemma), wanted="a", rich=2)
    return finish(found.phrase) if len(found.phrase) > 5 else None


def order(scene: Scene) -> Phrase | None:
    """A glass of juice for the child and two cups of coffee with milk, please!"""
    rng = scene.rng
    drinks = [("glass", "glasses", ["juice", "water", "wine"]),
              ("cup", "cups", ["coffee", "tea"]), ("bowl", "bowls", ["soup", "rice"]),
              ("plate", "plates", ["fish", "cheese"])]
    members = []
    for singular, plural, contents in rng.shuffled(drinks)[:rng.pick([1, 2, 2])]:
        many = rng.chance(0.4)
        member = Phrase(words.noun(singular, plural, many=many))
        member.before(words.numeral(rng.pick(["two", "three"])) if many
                      else words.determiner("a"), "nummod" if many else "det")
        content = nominal(scene, Filler(rng.pick(contents)), rich=1.5, wanted="")
        member.after(content.phrase.before(words.preposition("of"), "case"), "nmod")
        if rng.chance(0.4) and "for" not in scene.prepositions:
            scene.prepositions.add("for")
            member.after(prepositional(scene, "for", Filler(rng.pick(
                ["friend", "child", "neighbour", "guest"]))), "nmod")
        members.append(member)
    first, *others = members
    for other in others:
        first.after(other.before(words.conjunction("and"), "cc"), "conj")
    please = Phrase(interjection("please")).before(words.mark(","), "punct")
    return finish(first.after(please, "discourse"), rng.pick([".", "!"]))
