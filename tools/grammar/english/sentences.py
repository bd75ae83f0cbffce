"""English sentences of one clause, and questions.

A kind of sentence is a function of the scene that gives a phrase, or None where
the tables had nothing that fits; then another one is tried.
"""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Adjunct, Event, Filler, Scene
from ..tree import Phrase, Word, arrange
from . import words
from .clauses import PLACING, Clause, Form, add_time, choose_form, happening
from .nominals import (
    PLAIN_PEOPLE,
    Nominal,
    name,
    nominal,
    person,
    prepositional,
    pronominal,
)
from .states import being, condition, weather
from .subordination import (
    WONDERING,
    verb_only,
)

AVOIDED = {"lose", "forget", "break", "miss"}
STANDING = {"printer", "clock", "desk", "house", "talk"}
PLACES = {"library", "garden", "market", "kitchen", "office", "laboratory", "park",
          "station", "church", "café", "workshop", "studio", "cellar", "forest",
          "university", "airport", "meadow", "hall", "beach", "lake"}


def finish(phrase: Phrase, mark: str = ".") -> Phrase:
    return phrase.after(words.mark(mark), "punct")


def telling_form(scene: Scene) -> Form:
    """A form for longer sentences, in which the plain present sounds odd."""
    form = choose_form(scene)
    plain_present = form == Form("present", negated=form.negated)
    return replace(form, time="past") if plain_present else form


def tellable(event: Event, form: Form) -> bool:
    """What nobody plans is not told of the future."""
    planned = form.time == "future" or form.modal or form.progressive
    return not planned or "chance" not in event.marks


def event_clause(scene: Scene, form: Form, **options) -> Clause | None:
    event = scene.event(lambda e: tellable(e, form))
    return event and happening(scene, event, form, **options)


# ---- one clause ------------------------------------------------------------

def plain(scene: Scene) -> Phrase | None:
    form = choose_form(scene)
    clause = event_clause(scene, form)
    if clause is None:
        return None
    add_time(scene, clause, form, likely=0.4)
    return finish(clause.statement())


def short(scene: Scene) -> Phrase | None:
    """Few words: Anna sings; it rained."""
    form = choose_form(scene)
    if scene.rng.chance(0.3):
        return finish(weather(scene, Form("past"), lasting=False).statement())
    clause = event_clause(scene, form, adjuncts=0.1, rich=0.2)
    return clause and finish(clause.statement())


def passive(scene: Scene) -> Phrase | None:
    form = replace(choose_form(scene), progressive=False)
    event = scene.event(lambda e: e.objects and "active" not in e.marks)
    if event is None:
        return None
    clause = happening(scene, event, form, passive=True)
    add_time(scene, clause, form)
    return finish(clause.statement())


def state_form(scene: Scene) -> Form:
    return Form(scene.rng.pick(["past", "present"]), negated=scene.rng.chance(0.1))


def state(scene: Scene) -> Phrase | None:
    form = state_form(scene)
    clause = weather(scene, form) if scene.rng.chance(0.1) else condition(scene, form)
    if clause is None:
        return None
    return finish(clause.statement())


def identity(scene: Scene) -> Phrase | None:
    """Clara is a young pianist; our neighbour was a famous cook."""
    people = scene.lexicon.people[scene.domain]
    filler = scene.fresh(tuple(f for f in people if f.noun not in PLAIN_PEOPLE
                               and "kin" not in scene.lexicon.nouns[f.noun].marks))
    who = scene.fresh(tuple(Filler(lemma) for lemma in (
        "brother", "sister", "uncle", "aunt", "cousin", "mother", "father")))
    if filler is None or who is None:
        return None
    subject = scene.rng.pick([
        nominal(scene, who, rich=0.5), name(scene), pronominal("he", "Nom"),
        pronominal("she", "Nom"), pronominal("I", "Nom")])
    scene.prepositions.add("of")
    what = nominal(scene, Filler(filler.noun), wanted="a", rich=1.5)
    form = Form(scene.rng.pick(["past", "present"]))
    return finish(being(scene, subject, what.phrase, form).statement())


def places(adjunct: Adjunct) -> bool:
    """Does this attribute say where something is?"""
    return adjunct.preposition in PLACING | {"over"} and all(
        filler.article == "definite" for filler in adjunct.fillers)


def located(scene: Scene) -> Phrase | None:
    """There is an old castle on the hill; the printer is in the corridor."""
    things = [noun for noun in scene.lexicon.nouns.values()
              if not noun.human and not noun.marks & {"mass", "bare"}
              and any(places(a) for a in noun.attributes)]
    noun = scene.rng.pick(things)
    scene.mentioned.add(noun.lemma)
    adjunct = scene.rng.pick([a for a in noun.attributes if places(a)])
    place = scene.fresh(adjunct.fillers)
    if place is None:
        return None
    form = Form(scene.rng.pick(["past", "present"]))
    if noun.lemma in STANDING:
        subject = nominal(scene, Filler(noun.lemma), rich=0.5, wanted=(
            scene.rng.pick(["the", "own", "genitive"])))
        where = prepositional(scene, adjunct.preposition, place)
        return finish(being(scene, subject, where, form).statement())
    many = scene.rng.chance(0.3)
    scene.prepositions.update(a.preposition for a in noun.attributes)
    subject = nominal(scene, Filler(noun.lemma, many), rich=2, wanted=scene.rng.pick(
        ["number", "amount", "some"]) if many else "a")
    where = prepositional(scene, adjunct.preposition, place)
    verb = words.finite("be", "Past" if form.time == "past" else "Pres",
                        subject.number, "3", "VERB")
    there = Word("there", "there", "PRON", "EX").under(verb, "expl")
    subject.phrase.under(verb, "nsubj")
    return finish(arrange(verb, there, verb, subject.phrase, where.under(verb, "obl")))


COMPARABLE = [
    ("train bus taxi ferry car", "fast slow cheap old"),
    ("castle church tower bridge house", "old high small big"),
    ("lecture seminar meeting rehearsal concert", "long short"),
    ("singer pianist violinist actor mayor", "young old tall clever"),
    ("mountain tower tree", "high old"),
    ("laptop computer printer", "new slow fast old"),
    ("soup coffee tea", "hot strong cold"),
    ("river lake stream", "deep cold wide"),
    ("hotel flat room", "cheap small old clean"),
    ("dog cat horse fox", "big fast old"),
]


def comparison(scene: Scene) -> Phrase | None:
    """The train is faster than the bus."""
    rng = scene.rng
    nouns, adjectives = rng.pick(COMPARABLE)
    this, that, *_ = rng.shuffled(nouns.split())
    subject = nominal(scene, Filler(this), wanted="the", rich=0.3, described=False)
    predicate = Phrase(words.comparative(rng.pick(adjectives.split())))
    if rng.chance(0.4):
        predicate.before(words.adverb(rng.pick(["much", "even"])), "advmod")
    than = nominal(scene, Filler(that), wanted="the", described=False).phrase
    predicate.after(than.before(words.preposition("than"), "case"), "obl")
    return finish(being(scene, subject, predicate,
                        Form(rng.pick(["past", "present"]))).statement())


def command(scene: Scene) -> Phrase | None:
    """Please close the window. Don't forget the tickets."""
    scene.focus = False
    scene.owner = "you"
    scene.familiar = True
    event = scene.event(lambda e: e.objects and "stative" not in e.marks and (
        "chance" not in e.marks or e.verb in AVOIDED))
    if event is None:
        return None
    clause = happening(scene, event, Form(nonfinite="imperative"), rich=0.7)
    if "chance" in event.marks or scene.rng.chance(0.15):
        auxiliary = words.nonfinite("do", "imperative", "AUX").under(clause.head, "aux")
        clause.auxiliaries = [auxiliary]
        clause.head.feats = "VerbForm=Inf"
        clause.negation = words.negate(auxiliary, contract=True).under(clause.head,
                                                                       "advmod")
    elif scene.rng.chance(0.4):
        please = Word("please", "please", "INTJ", "UH").under(clause.head, "discourse")
        clause.front = [Phrase(please)]
    return finish(clause.statement(), scene.rng.weighted({".": 3, "!": 1}))


# ---- questions -------------------------------------------------------------

def question_form(scene: Scene) -> Form:
    form = replace(choose_form(scene), negated=False)
    return replace(form, modal=scene.rng.pick(["can", "should"]) if form.modal else "")


def yes_no_question(scene: Scene) -> Phrase | None:
    scene.focus = False
    form = question_form(scene)
    if scene.rng.chance(0.25):
        clause = condition(scene, Form(scene.rng.pick(["past", "present"])))
    else:
        subject = pronominal("you", "Nom") if scene.rng.chance(0.4) else None
        event = scene.event(lambda e: tellable(e, form) and (subject is None or all(
            scene.lexicon.nouns[f.noun].human for f in e.subjects)))
        clause = event and happening(scene, event, form, subject=subject, support=True,
                                     rich=0.7)
    if not clause or clause.subject.lemma in ("I", "we"):
        return None                      # one knows what one did oneself
    return finish(clause.question(), "?")


def wh_question(scene: Scene) -> Phrase | None:
    scene.focus = False
    rng = scene.rng
    form = question_form(scene)
    form = replace(form, progressive=False)
    kind = rng.weighted({"who": 2, "what": 3, "which": 2, "adverb": 4})
    if kind == "who":
        who = Nominal(Phrase(words.adverb("")), "", pronoun="they")
        clause = event_clause(scene, form, gap="subject", subject=who)
        if clause is None:
            return None
        clause.topic(Phrase(words.wh_pronoun("who", "Int")), "nsubj")
        return finish(clause.statement(), "?")
    if kind == "adverb":
        adverb = rng.pick(["why", "when", "where"])
        placed = ("in", "at", "on")
        event = scene.event(lambda e: tellable(e, form) and not any(
            a.needed for a in e.adjuncts) and (
            adverb != "where" or any(a.preposition in placed for a in e.adjuncts)))
        if event is None:
            return None
        if adverb == "where":
            scene.prepositions.update(placed)
        clause = happening(scene, event, form, support=True, adjuncts=0.5)
        if clause.subject.lemma in ("I", "we"):
            return None
        clause.topic(Phrase(words.wh_adverb(adverb, "Int")), "advmod")
        return finish(clause.question(), "?")
    event = scene.event(lambda e: e.objects and tellable(e, form))
    if event is None:
        return None
    asked = asked_object(scene, event, kind)
    clause = asked and happening(scene, event, form, gap="object", support=True, rich=0.6)
    if not clause or clause.subject.lemma in ("I", "we"):
        return None
    clause.topic(asked, "obj")
    return finish(clause.question(), "?")


def asked_object(scene: Scene, event, kind: str) -> Phrase | None:
    """what, who, or which book"""
    if kind == "what":
        human = scene.lexicon.nouns[event.objects[0].noun].human
        return Phrase(words.wh_pronoun("who" if human else "what", "Int"))
    filler = scene.fresh(event.objects)
    noun = filler and scene.lexicon.nouns[filler.noun]
    if not noun or noun.marks & {"mass", "bare", "only", "kin"}:
        return None
    thing = nominal(scene, Filler(filler.noun, filler.plural, "none"), rich=0.3).phrase
    return thing.before(words.determiner("which"), "det")


def indirect_question(scene: Scene) -> Phrase | None:
    """She asked whether the museum was open; nobody knows why he left."""
    rng = scene.rng
    verb = rng.pick(WONDERING)
    opener = rng.weighted({"whether": 3, "if": 1, "why": 2, "when": 1})
    unknown = verb in ("know", "remember") and (opener in ("whether", "if")
                                                or rng.chance(0.5))
    form = Form(rng.pick(["past", "past", "present"]), negated=unknown)
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7)
    if subject is None or unknown and subject.lemma in words.INDEFINITE:
        return None
    outer = happening(scene, verb_only(verb), form, subject=subject)
    scene.owner = ""
    inner = (condition(scene, Form(form.time)) if rng.chance(0.4) and opener != "when"
             else event_clause(scene, Form(form.time, perfect=opener != "when"),
                               rich=0.6, adjuncts=0.6))
    if inner is None:
        return None
    if opener in ("whether", "if"):
        inner.mark(words.subordinator(opener))
    else:
        inner.topic(Phrase(words.wh_adverb(opener, "Int")), "advmod")
    outer.add(inner.statement(), "ccomp")
    return finish(outer.statement())
