"""German clauses inside clauses: relative, adverbial, complement, coordinated."""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Event, Filler, Scene
from ..tree import Phrase, Word
from . import words
from .clauses import DATIVE, PRONOUN_DATIVE, Clause, Form, happening
from .nominals import (
    NAMES,
    Nominal,
    nominal,
    person,
    pronominal,
    split,
    with_preposition,
)
from .states import (
    OBSTACLES,
    REASONS,
    condition,
    leisure,
    mood,
    quality,
    weather,
)
from .verbs import read_verb

# with an infinitive of the same subject
WANTING = ["versuchen", "planen", "hoffen", "beschließen", "vergessen", "an/fangen",
           "beginnen", "vor/haben"]
# those that let a word of the infinitive go to the front of the sentence
LEAVING = ["versuchen", "vergessen", "versprechen"]
# with an infinitive whose subject is the object: verb and its case
ASKING = {"bitten": "Acc", "überreden": "Acc", "auf/fordern": "Acc",
          "erlauben": "Dat", "raten": "Dat", "helfen": "Dat"}
SAYING = ["sagen", "glauben", "wissen", "denken", "hoffen", "hören", "behaupten",
          "bemerken", "vermuten", "erzählen"]
WONDERING = ["fragen", "wissen", "überlegen"]


def fits(scene: Scene, subject: Nominal, event: Event) -> bool:
    """Can this subject do that?"""
    if any(filler.noun == subject.lemma for filler in event.subjects):
        return True
    anybody = subject.lemma not in scene.lexicon.nouns and subject.human
    return anybody and all(
        scene.lexicon.nouns[filler.noun].human for filler in event.subjects)


def deliberate(event: Event) -> bool:
    """Is this something that one does on purpose?"""
    return not event.marks & {"stative", "chance"}


def agreeing(subject: Nominal) -> Nominal:
    """The same subject with a phrase that is not spoken again."""
    return replace(subject, phrase=Phrase(Word("", "", "", "")))


def verb_only(lemma: str) -> Event:
    """A verb without places of its own, for clauses that bring their arguments."""
    return Event("", lemma, (), (), (), False, (), (), frozenset({"stative"}))


# ---- relative clauses ------------------------------------------------------

def relative(scene: Scene, noun: Nominal, form: Form, *, rich: float = 0.4
             ) -> Phrase | None:
    """A relative clause to a noun, with a gap that suits the noun; no commas yet."""
    rng, lexicon = scene.rng, scene.lexicon
    proper = noun.lemma in NAMES
    acting = [e for e in (lexicon.events[scene.domain] if proper
                          else lexicon.with_subject.get(noun.lemma, []))
              if fits(scene, noun, e) and e.domain == scene.domain]
    done = lexicon.with_object.get(noun.lemma, [])
    placed = [(event, adjunct)
              for event, adjunct in lexicon.with_adjunct.get(noun.lemma, [])
              if split(adjunct.preposition)[0] not in ("vor", "um")
              and not any(f.article == "none" for f in adjunct.fillers)]
    kinds = {"subject": 3 if acting else 0, "object": 2.5 if done else 0,
             "adjunct": 1 if placed else 0, "whose": 0.6 if noun.human else 0}
    if not any(kinds.values()):
        return None
    tense = {"past": "past", "perfect": "pluperfect"}.get(form.tense, "perfect")
    inner = Form(rng.pick([tense, "past"]))
    kind = rng.weighted(kinds)
    agreement = (noun.gender, noun.number)
    if kind == "whose":
        return relative_whose(scene, noun, inner)
    if kind == "adjunct":
        event, adjunct = rng.pick(placed)
        if event.verb in scene.verbs:
            return None
        scene.verbs.add(event.verb)
        clause = happening(scene, event, inner, gap=adjunct, adjuncts=0.3, rich=rich,
                           last=True)
        form_, case = split(adjunct.preposition)
        opener = with_preposition(form_, Phrase(words.relative(case, *agreement)))
        opener.under(clause.head, "obl")
    else:
        event = scene.event(among=acting if kind == "subject" else done)
        if event is None:
            return None
        subject = agreeing(noun) if kind == "subject" else None
        clause = happening(scene, event, inner, subject=subject, gap=kind, last=True,
                           adjuncts=0.7, rich=rich)
        case, deprel = (("Nom", "nsubj") if kind == "subject" else ("Acc", "obj"))
        opener = words.relative(case, *agreement).under(clause.head, deprel)
    return clause.verb_last(opener).under(noun.phrase.head, "acl:relcl")


def relative_whose(scene: Scene, noun: Nominal, form: Form) -> Phrase | None:
    """dessen Bruder in Prag wohnt"""
    filler = scene.fresh((Filler("Bruder"), Filler("Schwester"), Filler("Mutter")))
    event = scene.event(among=[e for e in scene.lexicon.events["city"]
                               if e.verb == "wohnen"])
    if filler is None or event is None:
        return None
    subject = nominal(scene, filler, "Nom", rich=0, wanted="")
    whose = words.relative("Gen", noun.gender, noun.number)
    subject.phrase.before(whose, "nmod:poss")
    clause = happening(scene, event, Form(form.time), subject=subject, last=True,
                       rich=0.3)
    return clause.verb_last().under(noun.phrase.head, "acl:relcl")


# ---- complements -----------------------------------------------------------

def infinitive(scene: Scene, event: Event, *, gap: str = "", rich: float = 0.7) -> Clause:
    """das Buch zu lesen"""
    return happening(scene, event, Form(nonfinite="zu"), gap=gap, rich=rich, last=True)


def wanting(scene: Scene, event: Event, form: Form, *, subject: Nominal | None = None,
            gap: str = "", last: bool = False) -> tuple[Clause, Clause] | None:
    """Somebody tries to do something: the outer and the inner clause, apart."""
    subject = subject or person(scene, event.subjects, "Nom", rich=0.7)
    if subject is None:
        return None
    scene.owner = subject.pronoun
    lemma = scene.rng.pick([v for v in (LEAVING if gap else WANTING)
                             if v not in scene.verbs])
    if form.tense == "future":
        form = replace(form, tense="present")
    outer = happening(scene, verb_only(lemma), form, subject=subject, last=last)
    return outer, infinitive(scene, event, gap=gap)


def asking(scene: Scene, event: Event, form: Form) -> tuple[Clause, Clause] | None:
    """Somebody asks somebody to do something."""
    if not all(scene.lexicon.nouns[f.noun].human for f in event.subjects):
        return None
    subject = person(scene, scene.lexicon.people[scene.domain], "Nom", rich=0.7)
    if subject is None:
        return None
    scene.owner = subject.pronoun
    lemma = scene.rng.pick([v for v in ASKING if v not in scene.verbs])
    case = ASKING[lemma]
    asked = person(scene, event.subjects, case, rich=0.4)
    if asked is None or asked.lemma == subject.lemma:
        return None
    outer = happening(scene, verb_only(lemma), form, subject=subject)
    outer.add(PRONOUN_DATIVE if asked.bare_pronoun else DATIVE, asked.phrase,
              "obj" if case == "Acc" else "obl:arg")
    scene.owner = asked.pronoun
    return outer, infinitive(scene, event, rich=0.6)


def embedded_form(scene: Scene, form: Form) -> Form:
    """A tense for a complement, in sequence with the main clause."""
    if form.time == "past":
        return Form(scene.rng.pick(["past", "pluperfect", "past"]))
    return Form(scene.rng.pick(["past", "present", "future", "perfect"]))


def complement(scene: Scene, form: Form, *, last: bool, more: float = 0
               ) -> Clause | None:
    """A clause that can be said or thought, without its conjunction; with some
    `more` said about it at times."""
    scene.owner = ""
    if scene.rng.chance(0.35):
        tense = "past" if form.time == "past" else "present"
        return condition(scene, Form(tense), last=last)
    event = scene.event()
    if event is None:
        return None
    passive = bool(event.objects) and "active" not in event.marks \
        and scene.rng.chance(0.15)
    inner = embedded_form(scene, form)
    clause = happening(scene, event, inner, adjuncts=0.7, rich=0.6, passive=passive,
                       last=last)
    if not passive:
        if last and scene.rng.chance(more / 2):
            second = second_predicate(scene, clause, inner, last=True)
            if second:
                clause.last.append(second)
                return clause
        elaborate(scene, clause, inner, more)
    return clause


# ---- adverbial clauses -----------------------------------------------------

def circumstance(scene: Scene, form: Form, main: Clause) -> Phrase | None:
    """An adverbial clause to a main clause, with its conjunction; no commas yet."""
    rng = scene.rng
    if form.tense == "future" or form.modal:
        conjunction = rng.weighted({"wenn": 3, "weil": 2, "obwohl": 1, "bevor": 1})
        inner = Form("past" if form.tense == "past" else "present")
        if inner.tense == "past" and conjunction == "wenn":
            conjunction = "weil"
    else:
        inner = Form("past" if form.time == "past" else "present")
        conjunction = rng.weighted({"weil": 4, "obwohl": 3, "während": 2, "bevor": 2,
                                     "nachdem": 2 if inner.tense == "past" else 0,
                                     "da": 1})
    if conjunction in ("während", "bevor", "nachdem"):
        clause = meanwhile(scene, inner, conjunction, main.subject)
    else:
        clause = background(scene, inner, conjunction, main)
    if clause is None:
        return None
    marker = words.subordinator(conjunction).under(clause.head, "mark")
    return clause.verb_last(marker)


def background(scene: Scene, form: Form, conjunction: str, main: Clause
               ) -> Clause | None:
    """Why, or in spite of what: a mood, a quality, the weather, a state."""
    subject, thing = main.subject, main.object
    kind = scene.rng.weighted({
        "time": 5 if subject.human and conjunction == "wenn" else 0,
        "mood": 4 if subject.human and conjunction != "wenn" else 0,
        "quality": 4 if thing and conjunction in ("weil", "da") else 0,
        "weather": 1.5, "state": 2})
    if kind == "mood":
        moods = OBSTACLES if conjunction == "obwohl" else REASONS
        return mood(scene, subject.pronoun, form, moods, last=True)
    if kind == "time":
        return leisure(subject.pronoun, form)
    if kind == "quality":
        return quality(scene, thing, form, last=True)
    if kind == "weather":
        return weather(scene, form, last=True)
    return condition(scene, form, last=True)


def meanwhile(scene: Scene, form: Form, conjunction: str, subject: Nominal
              ) -> Clause | None:
    """Something else that happens before, after or at the same time."""
    event = scene.event(deliberate)
    if event is None:
        return None
    if conjunction == "nachdem":
        form = Form("pluperfect")
    same = None
    if subject.human and conjunction != "während" and scene.rng.chance(0.5) \
            and fits(scene, subject, event):
        same = pronominal(subject.pronoun, "Nom")
    else:
        scene.owner = ""
    return happening(scene, event, form, subject=same, adjuncts=0.6, rich=0.5, last=True)


def elaborate(scene: Scene, clause: Clause, form: Form, likely: float) -> None:
    """At times, say more about a clause that stands inside another one."""
    if clause.subject and clause.subject.lemma not in words.INDEFINITE \
            and scene.rng.chance(likely):
        adverbial = circumstance(scene, form, clause)
        if adverbial:
            clause.end(adverbial, "advcl")


# ---- coordination ----------------------------------------------------------

# what one may do with the same thing next
NEXT = {
    "aus/leihen": "lesen übersetzen", "schreiben": "aus/drucken ab/geben schicken",
    "finden": "lesen verstecken fotografieren", "aus/drucken": "lesen korrigieren",
    "backen": "schneiden essen", "schälen": "schneiden essen", "kaufen": "verstecken",
    "ein/kaufen": "essen schneiden kochen", "kochen": "probieren servieren essen",
    "komponieren": "auf/nehmen spielen singen üben", "üben": "spielen auf/nehmen",
    "entwickeln": "testen vor/stellen verkaufen", "reparieren": "verkaufen testen",
    "packen": "tragen", "lesen": "besprechen korrigieren empfehlen",
    "auf/schreiben": "aus/probieren", "unterschreiben": "schicken",
    "bestellen": "essen probieren", "beobachten": "fotografieren zeichnen verfolgen",
    "treffen": "interviewen", "sehen": "verfolgen", "füttern": "melken",
    "pflanzen": "gießen fotografieren", "übersetzen": "aus/drucken besprechen",
    "testen": "verkaufen", "pflücken": "essen",
}


def second_predicate(scene: Scene, first: Clause, form: Form, *, last: bool = False
                     ) -> Phrase | None:
    """und las es im Zug: a further predicate for the same subject."""
    subject, thing = first.subject, first.object
    same = thing is not None and first.event in NEXT and scene.rng.chance(0.5)
    events = None
    if same:
        events = [e for e in scene.lexicon.with_object.get(thing.lemma, [])
                  if e.domain == scene.domain and e.verb in NEXT[first.event].split()]
    event = scene.event(lambda e: fits(scene, subject, e) and not e.verb.startswith(
        "sich_"), among=events) if events or not same else None
    planned = form.tense == "future" or form.modal
    if event is None or form.negated or planned and "chance" in event.marks or (
            form.tense == "perfect" and not last and read_verb(event.verb).perfect_with
            != read_verb(first.event).perfect_with):
        return None
    it = pronominal(thing.pronoun, "Acc") if events else None
    inner = Form(form.tense)
    if not last and (form.modal or form.tense in ("perfect", "future")):
        inner = Form(nonfinite="participle" if form.tense == "perfect" else "infinitive")
    second = happening(scene, event, inner, subject=agreeing(subject), gap="subject",
                       thing=it, adjuncts=0.8, rich=0.6, last=last)
    phrase = (second.verb_first() if second.finite and not last
              else second.verb_last())
    return phrase.before(words.conjunction("und"), "cc").under(first.head, "conj")
