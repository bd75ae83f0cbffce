"""German sentences of one clause, and questions.

A kind of sentence is a function of the scene that gives a phrase, or None where
the tables had nothing that fits; then another one is tried.
"""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Adjunct, Event, Filler, Scene
from ..tree import Phrase, Word
from . import verbs, words
from .clauses import (
    ADJUNCT,
    PRONOUN_OBJECT,
    PRONOUN_SUBJECT,
    Clause,
    Form,
    add_time,
    choose_form,
    complex_of,
    happening,
)
from .nominals import Nominal, nominal, person, prepositional, pronominal
from .states import being, condition, weather
from .subordination import (
    WONDERING,
    verb_only,
)

AVOIDED = {"verlieren", "vergessen", "zerbrechen", "verpassen"}
STANDING = {"Drucker", "Uhr", "Schreibtisch", "Haus", "Vortrag"}
PLACES = {"Bibliothek", "Garten", "Markt", "Küche", "Büro", "Labor", "Park", "Bahnhof",
          "Kirche", "Café", "Werkstatt", "Studio", "Keller", "Wald", "Saal", "Strand"}


def finish(phrase: Phrase, mark: str = ".") -> Phrase:
    return phrase.after(words.mark(mark), "punct")


def tellable(event: Event, form: Form) -> bool:
    """What nobody plans is not told of the future."""
    planned = form.tense == "future" or form.modal
    return not planned or "chance" not in event.marks


def event_clause(scene: Scene, form: Form, **options) -> Clause | None:
    event = scene.event(lambda e: tellable(e, form))
    return event and happening(scene, event, form, **options)


def telling_form(scene: Scene) -> Form:
    """A form for longer sentences, in which the plain present sounds odd."""
    form = choose_form(scene)
    plain = form.tense == "present" and not form.modal
    return replace(form, tense="past") if plain else form


# ---- one clause ------------------------------------------------------------

def plain(scene: Scene) -> Phrase | None:
    form = choose_form(scene)
    clause = event_clause(scene, form)
    if clause is None:
        return None
    add_time(scene, clause, form, likely=0.45)
    return finish(clause.statement(scene))


def short(scene: Scene) -> Phrase | None:
    """Few words: Anna singt; es regnete."""
    if scene.rng.chance(0.3):
        return finish(weather(scene, Form(scene.rng.pick(["past", "present"])))
                      .statement(scene))
    clause = event_clause(scene, choose_form(scene), adjuncts=0.1, rich=0.2)
    return clause and finish(clause.statement(scene))


def passive(scene: Scene) -> Phrase | None:
    form = choose_form(scene)
    if form.modal in ("wollen", "dürfen"):
        form = replace(form, modal="müssen")
    event = scene.event(lambda e: e.objects and "active" not in e.marks)
    if event is None:
        return None
    clause = happening(scene, event, form, passive=True)
    add_time(scene, clause, form)
    return finish(clause.statement(scene))


def state(scene: Scene) -> Phrase | None:
    form = Form(scene.rng.pick(["past", "present"]), negated=scene.rng.chance(0.1))
    clause = weather(scene, form) if scene.rng.chance(0.1) else condition(scene, form)
    if clause is None:
        return None
    return finish(clause.statement(scene))


def identity(scene: Scene) -> Phrase | None:
    """Clara ist eine junge Pianistin."""
    people = tuple(f for f in scene.lexicon.people[scene.domain]
                   if not scene.lexicon.nouns[f.noun].marks & {"kin"}
                   and f.noun not in ("Kind", "Mann", "Frau", "Gast"))
    filler = scene.fresh(people)
    if filler is None:
        return None
    gender = scene.lexicon.nouns[filler.noun].forms[1]
    kin = scene.fresh({"m": (Filler("Bruder"), Filler("Onkel"), Filler("Nachbar")),
                       "f": (Filler("Schwester"), Filler("Tante"), Filler("Nachbarin")),
                       }.get(gender, ()))
    subject = (nominal(scene, kin, "Nom", rich=0.4, wanted="own")
               if kin and scene.rng.chance(0.6)
               else pronominal({"m": "er", "f": "sie"}[gender], "Nom"))
    if subject.number == "Plur":
        return None
    scene.prepositions.add("gen")
    what = nominal(scene, Filler(filler.noun), "Nom", wanted="ein", rich=2)
    if len(what.phrase) == 2:            # er ist Pianist
        what.phrase = Phrase(what.phrase.head)
    form = Form(scene.rng.pick(["past", "present"]))
    return finish(being(subject, what.phrase, form).statement(scene))


def places(adjunct: Adjunct) -> bool:
    """Does this attribute say where something is?"""
    return adjunct.preposition.endswith("+D") and all(
        filler.article == "definite" for filler in adjunct.fillers)


def located(scene: Scene) -> Phrase | None:
    """Auf dem Hügel gibt es eine alte Burg; der Drucker ist im Flur."""
    things = [noun for noun in scene.lexicon.nouns.values()
              if not noun.human and not noun.marks & {"mass", "bare", "one"}
              and any(places(a) for a in noun.attributes)]
    noun = scene.rng.pick(things)
    scene.mentioned.add(noun.lemma)
    adjunct = scene.rng.pick([a for a in noun.attributes if places(a)])
    place = scene.fresh(adjunct.fillers)
    if place is None:
        return None
    form = Form(scene.rng.pick(["past", "present"]))
    scene.prepositions.update(a.preposition for a in noun.attributes)
    if noun.lemma in STANDING:
        subject = nominal(scene, Filler(noun.lemma), "Nom", rich=0.7, wanted=(
            scene.rng.pick(["der", "own", "genitive"])))
        where = prepositional(scene, adjunct.preposition, place)
        return finish(being(subject, where, form).statement(scene))
    many = scene.rng.chance(0.3)
    thing = nominal(scene, Filler(noun.lemma, many), "Acc", rich=2, wanted=(
        scene.rng.pick(["number", "einig", "viel"]) if many else "ein"))
    it = pronominal("es", "Nom")
    clause = complex_of(verbs.read_verb("geben"), form, it, passive=False, last=False)
    clause.add(PRONOUN_SUBJECT, it.phrase, "expl", 3)
    clause.add(ADJUNCT, thing.phrase, "obj")
    clause.add(ADJUNCT, prepositional(scene, adjunct.preposition, place), "obl", 4)
    return finish(clause.statement(scene))


COMPARABLE = [
    ("Zug Bus Taxi Fähre Auto", "schnell langsam billig alt teuer"),
    ("Burg Kirche Turm Brücke Haus", "alt hoch klein"),
    ("Vorlesung Sitzung Probe Konzert", "lang kurz anstrengend"),
    ("Sängerin Pianist Geigerin Schauspieler", "jung alt klug berühmt"),
    ("Berg Turm Baum", "hoch alt"),
    ("Laptop Computer Drucker", "neu langsam schnell"),
    ("Suppe Kaffee Tee", "heiß stark kalt"),
    ("Fluss See Bach", "tief kalt breit"),
    ("Hotel Wohnung Zimmer", "billig klein teuer ruhig"),
    ("Hund Katze Pferd Fuchs", "groß schnell alt schlau"),
]


def comparison(scene: Scene) -> Phrase | None:
    """Der Zug ist schneller als der Bus."""
    rng = scene.rng
    nouns, adjectives = rng.pick(COMPARABLE)
    this, that, *_ = rng.shuffled(nouns.split())
    subject = nominal(scene, Filler(this), "Nom", wanted="der", rich=0.3,
                      described=False)
    predicate = Phrase(words.comparative(rng.pick(adjectives.split())))
    if rng.chance(0.4):
        predicate.before(words.adverb(rng.pick(["viel", "noch"])), "advmod")
    other = nominal(scene, Filler(that), "Nom", wanted="der", described=False).phrase
    predicate.after(other.before(words.than(), "case"), "obl")
    form = Form(rng.pick(["past", "present"]))
    return finish(being(subject, predicate, form).statement(scene))


def command(scene: Scene) -> Phrase | None:
    """Schließ bitte das Fenster! Vergessen Sie den Schlüssel nicht!"""
    scene.focus = False
    scene.familiar = True
    event = scene.event(lambda e: e.objects and "stative" not in e.marks and (
        "chance" not in e.marks or e.verb in AVOIDED))
    if event is None:
        return None
    form = Form(nonfinite="imperative", negated="chance" in event.marks)
    if scene.rng.chance(0.5):
        scene.owner = "du"
        clause = happening(scene, event, form, rich=0.7)
    else:
        scene.owner = "Sie"
        you = pronominal("Sie", "Nom")
        clause = happening(scene, event, Form("present", negated=form.negated),
                           subject=you, rich=0.7)
        clause.finite.feats = "Mood=Imp|Number=Plur|Person=3|VerbForm=Fin"
    if not form.negated and scene.rng.chance(0.4):
        please = Word("bitte", "bitte", "INTJ", "ADV")
        clause.add(PRONOUN_OBJECT, Phrase(please), "discourse")
    return finish(clause.verb_first(), scene.rng.weighted({".": 1, "!": 3}))


# ---- questions -------------------------------------------------------------

def question_form(scene: Scene) -> Form:
    form = replace(choose_form(scene), negated=False)
    return replace(form, modal=scene.rng.pick(["können", "müssen", "wollen"])
                   if form.modal else "")


def asked_person(scene: Scene, event: Event) -> Nominal | None:
    """Whom a question is about: you, or somebody else, but not oneself."""
    humans = all(scene.lexicon.nouns[f.noun].human for f in event.subjects)
    if humans and scene.rng.chance(0.45):
        return pronominal(scene.rng.pick(["du", "Sie"]), "Nom")
    subject = person(scene, event.subjects, "Nom", rich=0.7)
    return None if subject is None or subject.lemma in ("ich", "wir") else subject


def yes_no_question(scene: Scene) -> Phrase | None:
    scene.focus = False
    form = question_form(scene)
    if scene.rng.chance(0.25):
        clause = condition(scene, Form(scene.rng.pick(["past", "present"])))
    else:
        event = scene.event(lambda e: tellable(e, form))
        subject = event and asked_person(scene, event)
        clause = subject and happening(scene, event, form, subject=subject, rich=0.7)
    return clause and finish(clause.verb_first(), "?")


def asked_object(scene: Scene, event: Event, kind: str) -> Phrase | None:
    """was, wen, or welches Buch"""
    if kind == "what":
        human = scene.lexicon.nouns[event.objects[0].noun].human
        return Phrase(words.wh_pronoun("wen" if human else "was"))
    filler = scene.fresh(event.objects)
    noun = filler and scene.lexicon.nouns[filler.noun]
    if not noun or noun.marks & {"mass", "bare", "only", "kin"}:
        return None
    return nominal(scene, Filler(filler.noun, filler.plural), "Acc", rich=0.4,
                   wanted="welch").phrase


def wh_question(scene: Scene) -> Phrase | None:
    scene.focus = False
    rng = scene.rng
    form = question_form(scene)
    kind = rng.weighted({"who": 2, "what": 3, "which": 2, "adverb": 4})
    if kind == "who":
        who = Nominal(Phrase(words.wh_pronoun("wer")), "wer", "m", human=True,
                      pronoun="er")
        clause = event_clause(scene, form, subject=who)
        return clause and finish(clause.statement(scene, clause.items.pop(0).phrase), "?")
    if kind == "adverb":
        adverb = rng.pick(["warum", "wann", "wo"])
        placed = ("in+D", "an+D", "auf+D")
        event = scene.event(lambda e: tellable(e, form) and not any(
            a.needed for a in e.adjuncts) and (
            adverb != "wo" or any(a.preposition in placed and a.fillers[0].noun
                                  in PLACES for a in e.adjuncts)))
        subject = event and asked_person(scene, event)
        if not subject:
            return None
        if adverb == "wo":
            scene.prepositions.update(placed)
        clause = happening(scene, event, form, subject=subject, adjuncts=0.5)
        front = Phrase(words.wh_adverb(adverb)).under(clause.head, "advmod")
        return finish(clause.statement(scene, front), "?")
    event = scene.event(lambda e: e.objects and tellable(e, form))
    asked = event and asked_object(scene, event, kind)
    subject = asked and asked_person(scene, event)
    if not subject:
        return None
    clause = happening(scene, event, form, subject=subject, gap="object", rich=0.6)
    return finish(clause.statement(scene, asked.under(clause.head, "obj")), "?")


def indirect_question(scene: Scene) -> Phrase | None:
    """Niemand wusste, ob das Museum geöffnet war."""
    rng = scene.rng
    verb = rng.pick(WONDERING)
    opener = rng.weighted({"ob": 4, "warum": 2, "wann": 1})
    form = Form(rng.pick(["past", "past", "present"]), negated=verb == "wissen")
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7)
    if subject is None:
        return None
    lemma = {"fragen": "sich_fragen", "überlegen": "überlegen"}.get(verb, verb)
    outer = happening(scene, verb_only(lemma), form, subject=subject)
    scene.owner = ""
    tense = "past" if form.time == "past" else "present"
    inner = (condition(scene, Form(tense), last=True)
             if rng.chance(0.4) and opener != "wann"
             else event_clause(scene, Form("pluperfect" if tense == "past"
                                           else "perfect"),
                               rich=0.6, adjuncts=0.6, last=True))
    if inner is None:
        return None
    first = (words.subordinator("ob").under(inner.head, "mark") if opener == "ob"
             else words.wh_adverb(opener).under(inner.head, "advmod"))
    outer.end(inner.verb_last(first), "ccomp")
    return finish(outer.statement(scene))
