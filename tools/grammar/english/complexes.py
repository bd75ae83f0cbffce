"""English sentences of several clauses."""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Scene
from ..tree import Phrase, Word, arrange
from . import words
from .clauses import Form, happening
from .nominals import Nominal, person, prepositional, pronominal
from .sentences import PLACES, event_clause, finish, telling_form
from .states import OBSTACLES, being, mood
from .subordination import (
    ENJOYING,
    SAYING,
    asking,
    attach_relative,
    circumstance,
    complement,
    deliberate,
    doing,
    elaborate,
    reduced,
    relative,
    second_predicate,
    verb_only,
    wanting,
)


def modifiable(noun: Nominal | None) -> bool:
    """Can a relative clause be put to this noun phrase without confusion?"""
    if noun is None or noun.bare_pronoun:
        return False
    return not any(word.deprel in ("conj", "appos") and word.head is noun.phrase.head
                   for word in noun.phrase)


def with_relative(scene: Scene) -> Phrase | None:
    """A relative clause or a participle to subject or object."""
    form = replace(telling_form(scene), negated=False)
    clause = event_clause(scene, form, adjuncts=0.4, rich=0.6)
    if clause is None:
        return None
    nouns = [n for n in (clause.subject, clause.object) if modifiable(n)]
    if any(part.head.upos == "ADV" for part in clause.rest):
        nouns = [n for n in nouns if n is clause.subject]
    if not nouns:
        return None
    noun = scene.rng.pick(nouns)
    scene.owner = ""
    described = (noun.attribute if noun.attribute and scene.rng.chance(0.4) else noun)
    if scene.rng.chance(0.3):
        modifier = reduced(scene, described)
    else:
        modifier = relative(scene, described, Form(form.time),
                            overt=noun is clause.subject)
    if not modifier:
        return None
    if described is noun:
        attach_relative(scene, noun, modifier)
    else:
        noun.phrase.words.extend(modifier.words)
    if not form.perfect:
        elaborate(scene, clause, form, 0.2, relatives=False)
    return finish(clause.statement())


def with_circumstance(scene: Scene) -> Phrase | None:
    form = replace(telling_form(scene), perfect=False)
    clause = event_clause(scene, form, rich=0.6, adjuncts=0.7)
    if clause is None or clause.subject.lemma in words.INDEFINITE:
        return None
    found = circumstance(scene, form, clause)
    if found is None:
        return None
    adverbial, conjunction = found
    pronouns = {word.lemma for word in adverbial if word.upos == "PRON"}
    known = clause.subject.phrase.words[0].lemma != "a" or not pronouns
    if known and scene.rng.chance(0.4) and not (
            clause.object and clause.object.pronoun in pronouns):
        clause.topic(adverbial, "advcl", comma=True)
    else:
        if conjunction == "although":
            adverbial.before(words.mark(","), "punct")
        clause.add(adverbial, "advcl")
    return finish(clause.statement())


def with_doing(scene: Scene) -> Phrase | None:
    """After closing the window, she made coffee; he enjoys singing."""
    rng = scene.rng
    form = replace(telling_form(scene), perfect=False, negated=False)
    if rng.chance(0.4):
        event = scene.event(deliberate)
        subject = event and person(scene, event.subjects, "Nom", rich=0.7)
        if not subject:
            return None
        scene.owner = subject.pronoun
        form = Form(rng.pick(["past", "present"]))
        clause = happening(scene, verb_only(rng.pick(ENJOYING)), form, subject=subject)
        inner = happening(scene, event, Form(nonfinite="gerund"), rich=0.6)
        clause.add(inner.statement(), "xcomp")
        return finish(clause.statement())
    clause = event_clause(scene, form, rich=0.6, adjuncts=0.7)
    other = scene.event(lambda e: deliberate(e) and all(
        scene.lexicon.nouns[f.noun].human for f in e.subjects))
    if clause is None or other is None or not clause.subject.human:
        return None
    adverbial = doing(scene, other, rng.pick(["after", "before"]))
    if rng.chance(0.5):
        clause.topic(adverbial, "advcl", comma=True)
    else:
        clause.add(adverbial, "advcl")
    return finish(clause.statement())


def with_complement(scene: Scene) -> Phrase | None:
    """The guide said that the castle was closed."""
    rng = scene.rng
    form = Form(rng.pick(["past", "past", "present"]), negated=rng.chance(0.08))
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7)
    if subject is None:
        return None
    verb = rng.pick(SAYING)
    clause = happening(scene, verb_only(verb), form, subject=subject)
    inner = complement(scene, form, more=0.35)
    if inner is None:
        return None
    if rng.chance(0.7):
        inner.before(words.subordinator("that"), "mark")
    clause.add(inner, "ccomp")
    if verb in ("say", "report", "claim"):
        elaborate(scene, clause, form, 0.3)
    return finish(clause.statement())


def speech(scene: Scene) -> Phrase | None:
    '''"The train is late," said the driver.'''
    scene.focus = False
    rng = scene.rng
    said = complement(scene, Form("present"))
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7,
                     pronouns=False)
    if said is None or subject is None or subject.phrase.words[-1].form == ",":
        return None
    ending = "!" if rng.chance(0.15) else ","
    said.words[0].form = said.words[0].form[0].upper() + said.words[0].form[1:]
    said.words[0].merged = said.words[0].merged[:1].upper() + said.words[0].merged[1:]
    said.words[0].glue = True
    opening = Word('"', '"', "PUNCT", "``")
    said.before(opening, "punct")
    said.after(words.mark(ending), "punct").after(words.mark('"'), "punct")
    verb = words.finite(rng.pick(["say", "shout", "whisper", "explain"]), "Past",
                        subject.number, subject.person, "VERB")
    said.under(verb, "ccomp")
    subject.phrase.under(verb, "nsubj")
    return finish(arrange(verb, said, verb, subject.phrase))


def with_infinitive(scene: Scene) -> Phrase | None:
    """He wants to buy a guitar; they asked her to sing."""
    form = replace(telling_form(scene), perfect=False)
    event = scene.event(deliberate)
    if event is None:
        return None
    pair = (asking(scene, event, form) if scene.rng.chance(0.4)
            else wanting(scene, event, form))
    if pair is None:
        return None
    outer, _ = pair
    elaborate(scene, outer, form, 0.25)
    return finish(outer.statement())


EARLY = [("get", "up", "early")]
LEAVING = {"home": [("go", "", "home"), ("get", "up", "early"), ("come", "back", "")],
           "work": [("stay", "", "late"), ("come", "back", "")],
           "university": [("stay", "", "late"), ("go", "", "home"), *EARLY],
           "music": [("go", "", "home"), ("stay", "", "late"), *EARLY]}


def with_purpose(scene: Scene) -> Phrase | None:
    """She went to the market to buy vegetables."""
    rng = scene.rng
    form = Form(rng.weighted({"past": 4, "present": 2, "future": 1}))
    event = scene.event(lambda e: deliberate(e) and e.objects and all(
        scene.lexicon.nouns[f.noun].human for f in e.subjects))
    subject = event and person(scene, event.subjects, "Nom", rich=0.7)
    if not subject:
        return None
    scene.owner = subject.pronoun
    places = [a for a in event.adjuncts if a.preposition in ("in", "at")
              and any(f.noun in PLACES for f in a.fillers)]
    place = places and scene.fresh(tuple(
        f for f in places[0].fillers if f.noun in PLACES))
    lemma, particle, adverb = (rng.pick([("go", "", ""), ("walk", "", ""),
                                          ("come", "", ""), ("hurry", "", "")])
                               if place else
                               rng.pick(LEAVING.get(scene.domain, EARLY)))
    clause = happening(scene, verb_only(f"{lemma}_{particle}" if particle else lemma),
                       form, subject=subject)
    if place:
        clause.add(prepositional(scene, "to", place, rich=0.3), "obl")
    if adverb:
        clause.add(Phrase(words.adverb(adverb)), "advmod")
    inner = happening(scene, event, Form(nonfinite="infinitive"), adjuncts=0.2, rich=0.7,
                      gap=places[0] if place else "")
    clause.add(inner.mark(words.to()).statement(), "advcl")
    return finish(clause.statement())


def judgement(scene: Scene) -> Phrase | None:
    """It is difficult to repair a violin; it is strange that ..."""
    rng = scene.rng
    form = Form(rng.weighted({"past": 3, "present": 4, "future": 1}),
                negated=rng.chance(0.1))
    it = pronominal("it", "Nom")
    if rng.chance(0.65):
        predicate = Phrase(words.adjective(rng.pick(
            ["difficult", "easy", "important", "nice", "useful", "forbidden"])))
        event = scene.event(lambda e: e.objects and deliberate(e))
        if event is None:
            return None
        inner = happening(scene, event, Form(nonfinite="infinitive"), rich=0.7)
        said = inner.mark(words.to()).statement()
    else:
        predicate = Phrase(words.adjective(rng.pick(
            ["strange", "good", "clear", "possible", "true", "wonderful"])))
        form = replace(form, time="present") if form.time == "future" else form
        said = complement(scene, form)
        if said is None:
            return None
        said.before(words.subordinator("that"), "mark")
    clause = being(scene, it, predicate, form)
    it.phrase.head.deprel = "expl"
    clause.add(said, "csubj")
    return finish(clause.statement())


def two_predicates(scene: Scene) -> Phrase | None:
    form = replace(telling_form(scene), negated=False)
    clause = event_clause(scene, form, rich=0.6, adjuncts=0.6)
    second = clause and second_predicate(scene, clause, form)
    if not second:
        return None
    clause.rest.append(second)
    return finish(clause.statement())


def two_clauses(scene: Scene) -> Phrase | None:
    """Anna baked a cake, and Leo washed the plates; he sang, but he was tired."""
    rng = scene.rng
    form = replace(telling_form(scene), perfect=False)
    first = event_clause(scene, form, rich=0.5, adjuncts=0.6)
    if first is None or first.subject.lemma in words.INDEFINITE:
        return None
    scene.owner = ""
    conjunction = rng.pick(["and", "but"])
    if conjunction == "but" and first.subject.human and rng.chance(0.5):
        second = mood(scene, first.subject.pronoun, Form(form.time), OBSTACLES)
    else:
        second = event_clause(scene, replace(form, negated=False), rich=0.5,
                              adjuncts=0.6)
    if second is None:
        return None
    if second.event:
        elaborate(scene, second, Form(form.time), 0.2)
    phrase = second.statement().before(words.conjunction(conjunction), "cc")
    if conjunction != "and" or rng.chance(0.6):
        phrase.before(words.mark(","), "punct")
    phrase.under(first.head, "conj")
    first.rest.append(phrase)
    return finish(first.statement())
