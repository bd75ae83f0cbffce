"""German sentences of several clauses."""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Filler, Scene
from ..tree import Phrase, Word
from . import words
from .clauses import ADJUNCT, Clause, Form, enclosed, happening
from .nominals import Nominal, person, prepositional, pronominal
from .sentences import PLACES, event_clause, finish, telling_form
from .states import OBSTACLES, REASONS, being, mood
from .subordination import (
    SAYING,
    asking,
    circumstance,
    complement,
    deliberate,
    elaborate,
    infinitive,
    relative,
    second_predicate,
    verb_only,
    wanting,
)


def modifiable(noun: Nominal | None) -> bool:
    """Can a relative clause be put to this noun phrase without confusion?"""
    if noun is None or noun.bare_pronoun:
        return False
    inside = {word.deprel for word in noun.phrase if word.head is noun.phrase.head}
    return not inside & {"conj", "appos", "flat"}


def with_relative(scene: Scene) -> Phrase | None:
    """A relative clause beside the subject or the object."""
    form = replace(telling_form(scene), negated=False)
    clause = event_clause(scene, form, adjuncts=0.4, rich=0.6)
    if clause is None:
        return None
    nouns = [n for n in (clause.subject, clause.object) if modifiable(n)]
    if not nouns:
        return None
    noun = scene.rng.pick(nouns)
    scene.owner = ""
    described = noun.attribute if noun.attribute and scene.rng.chance(0.4) else noun
    modifier = relative(scene, described, form)
    if modifier is None:
        return None
    noun.phrase.words.extend(enclosed(modifier).words)
    if noun is clause.object:
        if clause.bracket and (len(modifier) > 9 or scene.rng.chance(0.4)):
            return None                  # the bracket would close too late
        for item in clause.items:
            if item.phrase is noun.phrase:
                item.rank = ADJUNCT + 1  # what is long stands last
    elaborate(scene, clause, form, 0.2)
    return finish(clause.statement(scene, front_subject(clause)))


def with_circumstance(scene: Scene) -> Phrase | None:
    form = telling_form(scene)
    clause = event_clause(scene, form, rich=0.6, adjuncts=0.7)
    if clause is None or clause.subject.lemma in words.INDEFINITE:
        return None
    adverbial = circumstance(scene, form, clause)
    if adverbial is None:
        return None
    pronouns = {word.lemma for word in adverbial if word.xpos == "PPER"}
    known = clause.subject.definite or not pronouns
    if known and scene.rng.chance(0.4) and not (
            clause.object and clause.object.pronoun.rstrip("+") in pronouns):
        front = enclosed(adverbial).under(clause.head, "advcl")
        return finish(clause.statement(scene, front))
    clause.end(adverbial, "advcl")
    return finish(clause.statement(scene))


def with_complement(scene: Scene) -> Phrase | None:
    """Die Reiseführerin sagte, dass die Burg geschlossen war."""
    rng = scene.rng
    form = Form(rng.weighted({"past": 3, "perfect": 2, "present": 2}),
                negated=rng.chance(0.08))
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7)
    if subject is None:
        return None
    verb = rng.pick(SAYING)
    clause = happening(scene, verb_only(verb), form, subject=subject)
    inner = complement(scene, form, last=True, more=0.25)
    if inner is None:
        return None
    marker = words.subordinator("dass").under(inner.head, "mark")
    said = inner.verb_last(marker)
    if verb in ("wissen", "bemerken", "glauben") and rng.chance(0.3):
        front = enclosed(said).under(clause.head, "ccomp")
        return finish(clause.statement(scene, front))
    clause.end(said, "ccomp")
    if verb in ("sagen", "erzählen", "behaupten"):
        elaborate(scene, clause, form, 0.3)
    return finish(clause.statement(scene))


def speech(scene: Scene) -> Phrase | None:
    """„Der Zug ist voll“, sagte die Schaffnerin."""
    scene.focus = False
    rng = scene.rng
    inner = complement(scene, Form("present"), last=False)
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7,
                     pronouns=False)
    if inner is None or subject is None or subject.phrase.words[-1].form == ",":
        return None
    said = inner.statement(scene)
    first = said.words[0]
    first.form = first.form[0].upper() + first.form[1:]
    first.merged = first.merged[:1].upper() + first.merged[1:]
    first.glue = True
    said.before(Word("„", "„", "PUNCT", "$("), "punct")
    if rng.chance(0.15):
        said.after(words.mark("!"), "punct")
    said.after(words.mark("“"), "punct").after(words.mark(","), "punct")
    clause = happening(scene, verb_only(rng.pick(["sagen", "rufen", "flüstern",
                                                   "erklären"])),
                       Form("past"), subject=subject)
    return finish(clause.statement(scene, said.under(clause.head, "ccomp")))


def with_infinitive(scene: Scene) -> Phrase | None:
    """Er versucht, das Fahrrad zu reparieren; sie bat ihn, das Fenster zu schließen."""
    form = replace(telling_form(scene), modal="")
    if scene.rng.chance(0.15):
        return said_infinitive(scene, form)
    event = scene.event(deliberate)
    if event is None:
        return None
    pair = (asking(scene, event, form) if scene.rng.chance(0.4)
            else wanting(scene, event, form))
    if pair is None:
        return None
    outer, inner = pair
    outer.end(inner.verb_last(), "xcomp")
    return finish(outer.statement(scene))


def said_infinitive(scene: Scene, form: Form) -> Phrase | None:
    """Sie glaubt, dass er versucht hat, das Fahrrad zu reparieren."""
    event = scene.event(deliberate)
    who = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.5)
    if event is None or who is None or form.tense == "future":
        return None
    saying = happening(scene, verb_only(scene.rng.pick(SAYING)), form, subject=who)
    inner_form = Form("pluperfect" if form.time == "past" else "perfect")
    pair = wanting(scene, event, inner_form, last=True)
    if pair is None:
        return None
    middle, inner = pair
    middle.end(inner.verb_last(), "xcomp")
    marker = words.subordinator("dass").under(middle.head, "mark")
    saying.end(middle.verb_last(marker), "ccomp")
    return finish(saying.statement(scene, front_subject(saying)))


EARLY = [("auf/stehen", "")]
LEAVING = {"home": [("gehen", "nach"), ("bleiben", "zu"), *EARLY],
           "kitchen": [("gehen", "nach"), ("bleiben", "zu"), *EARLY],
           "university": [("gehen", "nach"), ("bleiben", "zu"), *EARLY],
           "music": [("gehen", "nach"), ("bleiben", "zu"), *EARLY],
           "city": [("fahren", "in+A")], "work": [("fahren", "in+A"), *EARLY]}


def with_purpose(scene: Scene) -> Phrase | None:
    """Sie ging auf den Markt, um Gemüse zu kaufen."""
    rng = scene.rng
    form = Form(rng.weighted({"past": 4, "perfect": 3, "present": 1, "future": 1}))
    event = scene.event(lambda e: deliberate(e) and e.objects and all(
        scene.lexicon.nouns[f.noun].human for f in e.subjects))
    subject = event and person(scene, event.subjects, "Nom", rich=0.7)
    if not subject:
        return None
    scene.owner = subject.pronoun
    where = [a for a in event.adjuncts if a.preposition in ("in+D", "auf+D")
             and any(f.noun in PLACES for f in a.fillers)]
    place = where and scene.fresh(tuple(f for f in where[0].fillers if f.noun in PLACES))
    lemma, preposition = rng.pick([("gehen", ""), ("kommen", "")] if place
                                   else LEAVING.get(scene.domain, EARLY))
    clause = happening(scene, verb_only(lemma), form, subject=subject)
    if place:
        towards = where[0].preposition.replace("+D", "+A")
        clause.add(ADJUNCT, prepositional(scene, towards, place, rich=0.3), "obl")
    elif preposition == "in+A":
        town = prepositional(scene, preposition, Filler("Stadt", False, "definite"))
        clause.add(ADJUNCT, town, "obl")
    elif preposition:                    # nach Hause, zu Hause
        home = Phrase(Word("Hause", "Haus", "NOUN", "NN",
                           "Case=Dat|Gender=Neut|Number=Sing"))
        clause.add(ADJUNCT, home.before(words.preposition(preposition), "case"), "obl")
    else:
        clause.add(ADJUNCT, Phrase(words.predicative("früh")), "advmod")
    inner = happening(scene, event, Form(nonfinite="zu"), adjuncts=0.2, rich=0.7,
                      gap=where[0] if place else "", last=True)
    marker = words.subordinator("um").under(inner.head, "mark")
    clause.end(inner.verb_last(marker), "advcl")
    return finish(clause.statement(scene))


def judgement(scene: Scene) -> Phrase | None:
    """Es ist schwierig, eine Geige zu reparieren; es ist schade, dass ..."""
    rng = scene.rng
    form = Form(rng.weighted({"past": 3, "present": 4}), negated=rng.chance(0.1))
    it = pronominal("es", "Nom")
    if rng.chance(0.6):
        predicate = predicate_of(scene, ["schwierig", "leicht", "wichtig", "schön",
                                         "nützlich", "verboten"])
        event = scene.event(lambda e: e.objects and deliberate(e))
        if event is None:
            return None
        said = infinitive(scene, event).verb_last()
    else:
        predicate = predicate_of(scene, ["seltsam", "gut", "klar", "möglich", "schade",
                                         "wunderbar"])
        inner = complement(scene, form, last=True)
        if inner is None:
            return None
        said = inner.verb_last(words.subordinator("dass").under(inner.head, "mark"))
    clause = being(it, predicate, form)
    it.phrase.head.deprel = "expl"
    clause.end(said, "csubj")
    return finish(clause.statement(scene))


def predicate_of(scene: Scene, adjectives: list[str]) -> Phrase:
    return Phrase(words.predicative(scene.rng.pick(adjectives)))


def two_predicates(scene: Scene) -> Phrase | None:
    form = replace(telling_form(scene), negated=False)
    clause = event_clause(scene, form, rich=0.6, adjuncts=0.6)
    second = clause and second_predicate(scene, clause, form)
    if not second:
        return None
    clause.last.append(second)
    return finish(clause.statement(scene, front_subject(clause)))


def front_subject(clause: Clause) -> Phrase:
    """Take the subject out of the middle field."""
    for item in clause.items:
        if item.phrase is clause.subject.phrase:
            clause.items.remove(item)
    return clause.subject.phrase


def two_clauses(scene: Scene) -> Phrase | None:
    """Anna buk einen Kuchen, und Leo deckte den Tisch."""
    rng = scene.rng
    form = telling_form(scene)
    first = event_clause(scene, form, rich=0.5, adjuncts=0.6)
    if first is None or first.subject.lemma in words.INDEFINITE:
        return None
    scene.owner = ""
    conjunction = rng.pick(["und", "aber", "denn"])
    tense = "past" if form.time == "past" else "present"
    if conjunction == "denn" or conjunction == "aber" and rng.chance(0.4):
        if not first.subject.human:
            return None
        moods = OBSTACLES if conjunction == "aber" else REASONS
        second = mood(scene, first.subject.pronoun, Form(tense), moods)
    else:
        second = event_clause(scene, replace(form, negated=False), rich=0.5,
                              adjuncts=0.6)
    if second is None:
        return None
    if second.event:
        elaborate(scene, second, Form(tense), 0.2)
    phrase = second.statement(scene).before(words.conjunction(conjunction), "cc")
    if conjunction != "und" or rng.chance(0.4):
        phrase.before(words.mark(","), "punct")
    phrase.under(first.head, "conj")
    first.last.append(phrase)
    return finish(first.statement(scene))
