"""German as it is spoken: asides, elliptical sentences, calls, answers."""
from __future__ import annotations

from ..lexicon import Filler, Scene
from ..tree import Phrase, Word
from . import words
from .clauses import Form, enclosed, happening
from .complexes import front_subject
from .nominals import name, nominal, person, prepositional, pronominal
from .sentences import command, event_clause, finish
from .states import condition
from .subordination import verb_only


def answer_word(form: str) -> Word:
    return Word(form, form, "INTJ", "PTKANT")


def aside(scene: Scene) -> Phrase | None:
    """Die Suppe war, sagte der Koch, zu heiß; der Film war, glaube ich, zu lang."""
    scene.focus = False
    rng = scene.rng
    if rng.chance(0.6):
        clause = condition(scene, Form(rng.pick(["past", "present"])))
    else:
        clause = event_clause(scene, Form("past"), rich=0.6)
    if clause is None or clause.subject.bare_pronoun:
        return None
    if rng.chance(0.5):
        verb, tense = rng.pick(["glauben", "denken", "vermuten"]), "present"
        who = pronominal(rng.pick(["ich", "wir"]), "Nom")
    else:
        verb, tense = rng.pick(["sagen", "behaupten", "erklären"]), "past"
        who = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.4,
                     pronouns=False)
        if who is None or who.phrase.words[-1].form == ",":
            return None
    inserted = happening(scene, verb_only(verb), Form(tense), subject=who).verb_first()
    enclosed(inserted).under(clause.head, "parataxis")
    front = front_subject(clause)
    phrase = clause.statement(scene, front)
    at = phrase.words.index(clause.finite) + 1
    phrase.words[at:at] = inserted.words
    return finish(phrase)


def gapping(scene: Scene) -> Phrase | None:
    """Anna kaufte einen Mantel und Leo einen Hut."""
    event = scene.event(lambda e: len(e.objects) > 2 and not e.recipient_needed
                        and not any(a.needed for a in e.adjuncts) and "/" not in e.verb)
    if event is None:
        return None
    first = happening(scene, event, Form("past"), subject=name(scene, "Nom"), adjuncts=0,
                      rich=0.5)
    left = scene.fresh(event.objects)
    if left is None or first.object is None:
        return None
    scene.owner = ""
    second = name(scene, "Nom", full=0).phrase
    thing = nominal(scene, left, "Acc", rich=0.6).phrase
    second.before(words.conjunction("und"), "cc").after(thing, "orphan")
    first.last.append(second.under(first.head, "conj"))
    return finish(first.statement(scene, front_subject(first)))


def call(scene: Scene) -> Phrase | None:
    """Anna, schließ bitte das Fenster!"""
    phrase = command(scene)
    if phrase is None or any(word.form == "Sie" for word in phrase):
        return None
    who = name(scene, "Nom", full=0).phrase.after(words.mark(","), "punct")
    return phrase.before(who, "vocative")


def answer(scene: Scene) -> Phrase | None:
    """Ja, das Museum ist geschlossen; nein, ich habe den Schlüssel nicht gefunden."""
    rng = scene.rng
    yes = rng.chance(0.5)
    form = Form(rng.pick(["past", "perfect"]), negated=not yes)
    clause = (condition(scene, Form("present", negated=not yes)) if rng.chance(0.4)
              else event_clause(scene, form, rich=0.7))
    if clause is None:
        return None
    phrase = clause.statement(scene)
    if not yes and not any(word.lemma in ("nicht", "kein") for word in phrase):
        return None
    reply = Phrase(answer_word("ja" if yes else "nein"))
    return finish(phrase.before(reply.after(words.mark(","), "punct"), "discourse"))


def caption(scene: Scene) -> Phrase | None:
    """Ein Mann mit Hut auf der Brücke über den Fluss."""
    rng = scene.rng
    scene.still = True
    things = [noun for noun in scene.lexicon.nouns.values() if len(noun.attributes) > 1
              and noun.marks.isdisjoint({"mass", "bare", "only", "kin", "name"})]
    found = nominal(scene, Filler(rng.pick(things).lemma), "Nom", wanted="ein", rich=2)
    return finish(found.phrase) if len(found.phrase) > 5 else None


def order(scene: Scene) -> Phrase | None:
    """Ein Glas Saft für das Kind und zwei Tassen Kaffee mit Milch, bitte!"""
    rng = scene.rng
    drinks = [("Glas", ["Saft", "Wasser", "Wein"]), ("Tasse", ["Kaffee", "Tee"]),
              ("Teller", ["Suppe", "Reis"])]
    members = []
    for lemma, contents in rng.shuffled(drinks)[:rng.pick([1, 2, 2])]:
        many = rng.chance(0.4)
        noun = scene.lexicon.nouns[lemma]
        # measures of a neuter or masculine noun stay in the singular: zwei Glas
        number = "Plur" if many and noun.forms[1] == "f" else "Sing"
        member = Phrase(words.noun(noun, "Acc", number))
        member.before(words.numeral(rng.pick(["zwei", "drei"])) if many else
                      words.article("ein", "Acc", noun.forms[1], "Sing"),
                      "nummod" if many else "det")
        content = nominal(scene, Filler(rng.pick(contents)), "Acc", rich=1.5, wanted="")
        member.after(content.phrase, "nmod")
        if rng.chance(0.4) and "für" not in scene.prepositions:
            scene.prepositions.add("für")
            member.after(prepositional(scene, "für", Filler(rng.pick(
                ["Freund", "Kind", "Nachbarin", "Gast"]))), "nmod")
        members.append(member)
    first, *others = members
    for other in others:
        first.after(other.before(words.conjunction("und"), "cc"), "conj")
    please = Phrase(Word("bitte", "bitte", "INTJ", "ADV")).before(words.mark(","),
                                                                  "punct")
    return finish(first.after(please, "discourse"), rng.pick([".", "!"]))
