"""German sentences whose trees are not projective.

Each puts something at an edge of the sentence that belongs to a word further
inside, so that its arc crosses others.
"""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Filler, Scene
from ..tree import Phrase
from . import words
from .clauses import ACCUSATIVE, Form, enclosed, happening
from .complexes import front_subject, modifiable
from .nominals import nominal, person, prepositional, pronominal
from .sentences import asked_object, event_clause, finish, telling_form
from .subordination import deliberate, relative, verb_only, wanting


def late_relative(scene: Scene) -> Phrase | None:
    """Anna hat das Buch gelesen, das sie gekauft hatte."""
    form = replace(telling_form(scene), negated=False)
    if form.tense == "past" and not form.modal:
        form = replace(form, tense="perfect")
    clause = event_clause(scene, form, adjuncts=0.3, rich=0.5)
    if clause is None or not clause.bracket or not modifiable(clause.object):
        return None
    scene.owner = ""
    modifier = relative(scene, clause.object, form)
    if modifier is None:
        return None
    clause.last.append(enclosed(modifier))
    return finish(clause.statement(scene, front_subject(clause)))


def distant_topic(scene: Scene) -> Phrase | None:
    """Diesen Text habe ich vergessen zu übersetzen."""
    event = scene.event(lambda e: e.objects and deliberate(e))
    filler = event and scene.fresh(event.objects)
    if not filler or scene.lexicon.nouns[filler.noun].marks & {"mass", "bare", "kin"}:
        return None
    topic = nominal(scene, Filler(filler.noun, filler.plural), "Acc", rich=0.6,
                    wanted=scene.rng.pick(["dies", "der"]))
    pair = wanting(scene, event, Form("perfect"), gap="object")
    if pair is None:
        return None
    outer, inner = pair
    topic.phrase.under(inner.head, "obj")
    outer.last.append(inner.verb_last().under(outer.head, "xcomp"))
    return finish(outer.statement(scene, topic.phrase))


def distant_question(scene: Scene) -> Phrase | None:
    """Welches Buch hast du versucht zu lesen?"""
    event = scene.event(lambda e: e.objects and deliberate(e))
    asked = event and asked_object(scene, event, scene.rng.pick(["what", "which"]))
    if not asked:
        return None
    subject = pronominal(scene.rng.pick(["du", "Sie", "er", "sie"]), "Nom")
    pair = wanting(scene, event, Form("perfect"), subject=subject, gap="object")
    if pair is None:
        return None
    outer, inner = pair
    asked.under(inner.head, "obj")
    outer.last.append(inner.verb_last().under(outer.head, "xcomp"))
    return finish(outer.statement(scene, asked), "?")


def split_attribute(scene: Scene) -> Phrase | None:
    """Über Vulkane hat sie ein Buch geschrieben."""
    about = [noun.lemma for noun in scene.lexicon.nouns.values()
             if any(a.preposition == "über+A" for a in noun.attributes)]
    events = [e for events in scene.lexicon.events.values() for e in events
              if any(f.noun in about for f in e.objects) and "chance" not in e.marks]
    event = scene.event(among=events)
    if event is None:
        return None
    filler = scene.fresh(tuple(f for f in event.objects if f.noun in about))
    attribute = next(a for a in scene.lexicon.nouns[filler.noun].attributes
                     if a.preposition == "über+A")
    inner = scene.fresh(attribute.fillers)
    if inner is None:
        return None
    scene.prepositions.add("über+A")
    form = Form(scene.rng.pick(["past", "perfect", "perfect"]))
    thing = nominal(scene, Filler(filler.noun), "Acc", wanted="ein", rich=0)
    clause = happening(scene, event, form, thing=thing, adjuncts=0.4, rich=0.5)
    front = prepositional(scene, "über+A", inner, role="attribute")
    return finish(clause.statement(scene, front.under(thing.phrase.head, "nmod")))


OWNED = {"Haus": "groß alt klein", "Auto": "schnell alt neu", "Garten": "groß schön",
         "Wohnung": "hell teuer klein", "Hund": "groß alt", "Koffer": "schwer groß",
         "Computer": "schnell neu", "Zimmer": "hell ruhig klein", "Gitarre": "alt teuer"}


def split_comparison(scene: Scene) -> Phrase | None:
    """Ihr Bruder hat ein größeres Zimmer als Paula."""
    scene.focus = False
    lemma = scene.rng.pick(list(OWNED))
    people = scene.lexicon.people[scene.domain]
    subject = person(scene, people, "Nom", rich=0.5)
    other = person(scene, people, "Nom", rich=0.2, pronouns=False)
    if subject is None or other is None or {subject.lemma, other.lemma} & set(
            words.INDEFINITE):
        return None
    entry = scene.lexicon.nouns[lemma]
    thing = Phrase(words.noun(entry, "Acc", "Sing"))
    adjective = words.adjective(scene.rng.pick(OWNED[lemma].split()), "ein", "Acc",
                                entry.forms[1], "Sing", degree="Cmp")
    thing.before(adjective, "amod")
    thing.before(words.article("ein", "Acc", entry.forms[1], "Sing"), "det")
    clause = happening(scene, verb_only("haben"),
                       Form(scene.rng.pick(["past", "present"])), subject=subject)
    clause.add(ACCUSATIVE, thing, "obj")
    than = other.phrase.before(words.than(), "case").under(adjective, "obl")
    clause.last.append(than)
    return finish(clause.statement(scene, front_subject(clause)))
