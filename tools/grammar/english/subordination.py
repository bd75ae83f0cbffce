"""English clauses inside clauses: relative, adverbial, complement, coordinated."""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Event, Filler, Scene
from ..tree import Phrase, Word
from . import words
from .clauses import Clause, Form, happening
from .nominals import NAMES, Nominal, nominal, person, pronominal
from .states import (
    OBSTACLES,
    REASONS,
    condition,
    leisure,
    mood,
    quality,
    weather,
)

WANTING = ["want", "try", "plan", "promise", "decide", "hope", "refuse", "learn",
           "begin", "forget"]
REFUSABLE = WANTING[:4]                  # what may be negated: did not want to
ASKING = ["ask", "advise", "allow", "persuade", "remind", "help", "invite"]
ENJOYING = ["enjoy", "avoid", "love", "hate", "suggest"]
SAYING = ["say", "think", "know", "believe", "hope", "notice", "report", "claim",
          "remember", "hear"]
WONDERING = ["ask", "wonder", "know", "remember"]


def fits(scene: Scene, subject: Nominal, event: Event) -> bool:
    """Can this subject do that?"""
    if any(filler.noun == subject.lemma for filler in event.subjects):
        return True
    anybody = subject.lemma not in scene.lexicon.nouns and subject.human
    return anybody and all(
        scene.lexicon.nouns[filler.noun].human for filler in event.subjects)


def agreeing(subject: Nominal) -> Nominal:
    """The same subject with a phrase that is not spoken again."""
    return replace(subject, phrase=Phrase(Word("", "", "", "")))


def deliberate(event: Event) -> bool:
    """Is this something that one does on purpose?"""
    return not event.marks & {"stative", "chance"}


# ---- relative clauses ------------------------------------------------------

def relative(scene: Scene, noun: Nominal, form: Form, *, rich: float = 0.4,
             distant: bool = False, late: bool = False, overt: bool = False
             ) -> Phrase | None:
    """A relative clause to a noun, with a gap that suits the noun.

    `distant` puts a verb of wanting between the pronoun and the gap: the book
    that she wanted to read. Such a clause is not projective. `late` is for a
    clause that will not stand beside its noun; it needs a pronoun as subject.
    An `overt` clause always begins with a pronoun.
    """
    rng, lexicon = scene.rng, scene.lexicon
    proper = noun.lemma in NAMES
    acting = [e for e in (lexicon.events[scene.domain] if proper
                          else lexicon.with_subject.get(noun.lemma, []))
              if fits(scene, noun, e) and e.domain == scene.domain]
    done = [e for e in lexicon.with_object.get(noun.lemma, [])
            if deliberate(e) or not distant]
    placed = [(event, adjunct)
              for event, adjunct in lexicon.with_adjunct.get(noun.lemma, [])
              if not any(f.article == "none" for f in adjunct.fillers)]
    kinds = {"subject": 3 if acting else 0, "object": 2.5 if done else 0,
             "adjunct": 1 if placed else 0, "whose": 0.7 if noun.human else 0}
    if distant:
        kinds = {"object": 1 if done else 0}
    if late:
        kinds = {"subject": 1 if acting else 0}
    if not any(kinds.values()):
        return None
    kind = rng.weighted(kinds)
    form = form if rng.chance(0.4) and form.time == "past" else Form(
        "past", perfect=form.time == "past" and rng.chance(0.3))
    if kind == "subject":
        event = scene.event(among=acting)
        return event and relative_subject(scene, noun, event, form, rich)
    if kind == "object":
        event = scene.event(among=done)
        if event is None:
            return None
        if distant:
            return relative_distant(scene, noun, event, form, rich)
        return relative_object(scene, noun, event, form, rich, overt)
    if kind == "whose":
        return relative_whose(scene, noun, form)
    event, adjunct = rng.pick(placed)
    if event.verb in scene.verbs:
        return None
    scene.verbs.add(event.verb)
    clause = happening(scene, event, form, gap=adjunct, adjuncts=0.3, rich=rich)
    if adjunct.preposition in ("in", "at", "on") and rng.chance(0.6):
        opener = Phrase(words.wh_adverb("where", "Rel")).under(clause.head, "advmod")
    else:
        pronoun = Phrase(words.wh_pronoun("whom" if noun.human else "which", "Rel"))
        opener = pronoun.before(words.preposition(adjunct.preposition), "case")
        opener.under(clause.head, "obl")
    clause.front = [opener]
    return clause.statement().under(noun.phrase.head, "acl:relcl")


def relative_subject(scene: Scene, noun: Nominal, event: Event, form: Form,
                     rich: float) -> Phrase:
    clause = happening(scene, event, replace(form, negated=False),
                       subject=agreeing(noun), gap="subject", rich=rich)
    opener = "who" if noun.human else scene.rng.pick(["that", "which"])
    clause.topic(Phrase(words.wh_pronoun(opener, "Rel")), "nsubj")
    return clause.statement().under(noun.phrase.head, "acl:relcl")


def relative_object(scene: Scene, noun: Nominal, event: Event, form: Form,
                    rich: float, overt: bool) -> Phrase:
    clause = happening(scene, event, form, gap="object", adjuncts=0.6, rich=rich)
    opener = scene.rng.weighted(
        {"that": 3, "": 0 if overt else 3, "whom" if noun.human else "which": 1})
    if opener:
        clause.topic(Phrase(words.wh_pronoun(opener, "Rel")), "obj")
    return clause.statement().under(noun.phrase.head, "acl:relcl")


def relative_distant(scene: Scene, noun: Nominal, event: Event, form: Form,
                     rich: float) -> Phrase | None:
    outer, inner = wanting(scene, event, form, gap="object", rich=rich)
    pronoun = words.wh_pronoun("that", "Rel").under(inner.head, "obj")
    outer.front = [Phrase(pronoun)]
    return outer.statement().under(noun.phrase.head, "acl:relcl")


def relative_whose(scene: Scene, noun: Nominal, form: Form) -> Phrase | None:
    """whose brother lives in Prague"""
    kin = [Filler(lemma) for lemma in ("brother", "sister", "mother", "father", "uncle")]
    filler = scene.fresh(tuple(kin))
    living = [e for e in scene.lexicon.events["city"] if e.verb == "live"]
    event = scene.event(among=living)
    if filler is None or event is None:
        return None
    subject = nominal(scene, Filler(filler.noun, False, "none"), rich=0)
    subject.phrase.before(words.wh_pronoun("whose", "Rel"), "nmod:poss")
    clause = happening(scene, event, form, subject=subject, rich=0.3)
    return clause.statement().under(noun.phrase.head, "acl:relcl")


def reduced(scene: Scene, noun: Nominal) -> Phrase | None:
    """A participle with its own adjuncts: a letter written by the mayor, a man
    waiting for the bus."""
    lexicon = scene.lexicon
    done = [e for e in lexicon.with_object.get(noun.lemma, []) if "active" not in e.marks
            and "stative" not in e.marks and "_" not in e.verb]
    acting = [e for e in lexicon.with_subject.get(noun.lemma, [])
              if deliberate(e) and e.domain == scene.domain]
    if noun.human or not done:
        event = scene.event(among=acting)
        form = Form(nonfinite="present participle")
        clause = event and happening(scene, event, form, gap="subject", adjuncts=1.2,
                                     rich=0.4)
    else:
        event = scene.event(among=done)
        if event is None:
            return None
        verb = words.nonfinite(event.verb, "passive participle")
        clause = Clause(Phrase(verb))
        if scene.rng.chance(0.6) or not event.adjuncts:
            agent = person(scene, event.subjects, "Acc", rich=0.5, pronouns=False)
            if agent is None or agent.lemma in words.INDEFINITE:
                return None
            agent.phrase.before(words.preposition("by"), "case")
            clause.add(agent.phrase, "obl:agent")
        else:
            adjunct = scene.adjunct(event.adjuncts)
            filler = adjunct and scene.fresh(adjunct.fillers)
            if filler is None:
                return None
            place = nominal(scene, filler, rich=0.4).phrase
            place.before(words.preposition(adjunct.preposition), "case")
            clause.add(place, "obl")
    if not clause or len(clause.statement()) < 3:
        return None
    return clause.statement().under(noun.phrase.head, "acl")


def attach_relative(scene: Scene, noun: Nominal, clause: Phrase) -> None:
    """Put a relative clause behind its noun, between commas where it is clear
    already who is meant."""
    deprel = clause.head.deprel
    entry = scene.lexicon.nouns.get(noun.lemma)
    if entry is None or "kin" in entry.marks:
        clause.before(words.mark(","), "punct").after(words.mark(","), "punct")
    noun.phrase.after(clause, deprel)


# ---- complements -----------------------------------------------------------

def settled(form: Form) -> Form:
    """Plans are told as made, not as possible or future or under way."""
    time = "past" if form.modal or form.time == "future" else form.time
    return replace(form, time=time, modal="", progressive=False)


def wanting(scene: Scene, event: Event, form: Form, *, gap: str = "",
            subject: Nominal | None = None, rich: float = 0.7,
            support: bool = False) -> tuple[Clause, Clause]:
    """Somebody wants to do something: the outer and the inner clause."""
    subject = subject or person(scene, event.subjects, "Nom", rich=rich) \
        or pronominal("she", "Nom")
    scene.owner = scene.owner or subject.pronoun
    form = settled(form)
    verbs = REFUSABLE if form.negated else WANTING
    lemma = scene.rng.pick([v for v in verbs if v not in scene.verbs])
    outer = happening(scene, verb_only(lemma), form, subject=subject, support=support)
    inner = happening(scene, event, Form(nonfinite="infinitive"), gap=gap, rich=rich)
    inner.mark(words.to())
    outer.add(inner.statement(), "xcomp")
    return outer, inner


def asking(scene: Scene, event: Event, form: Form, *, gap: str = "",
           support: bool = False) -> tuple[Clause, Clause] | None:
    """Somebody asks somebody to do something."""
    if not all(scene.lexicon.nouns[f.noun].human for f in event.subjects):
        return None
    people = scene.lexicon.people[scene.domain]
    subject = person(scene, people, "Nom", rich=0.7)
    if subject is None:
        return None
    scene.owner = subject.pronoun
    asked = person(scene, event.subjects, "Acc", rich=0.5)
    if asked is None or asked.lemma in words.INDEFINITE or asked.lemma == subject.lemma:
        return None
    lemma = scene.rng.pick([v for v in ASKING if v not in scene.verbs])
    outer = happening(scene, verb_only(lemma), settled(form),
                      subject=subject, support=support)
    asked.phrase.under(outer.head, "obj")
    outer.object = asked
    inner = happening(scene, event, Form(nonfinite="infinitive"), gap=gap, rich=0.6)
    inner.mark(words.to())
    outer.add(inner.statement(), "xcomp")
    return outer, inner


def verb_only(lemma: str) -> Event:
    """A verb without places of its own, for clauses that bring their arguments."""
    return Event("", lemma, (), (), (), False, (), (), frozenset({"stative"}))


def embedded_form(scene: Scene, form: Form) -> Form:
    """A time for a complement, in sequence with the main clause."""
    rng = scene.rng
    if form.time == "past":
        return rng.pick([Form("past"), Form("past", perfect=True),
                          Form("present", modal="would")])
    return rng.pick([Form("past"), Form("present", progressive=True), Form("future"),
                      Form("present", perfect=True)])


def complement(scene: Scene, form: Form, *, more: float = 0) -> Phrase | None:
    """A clause that can be said or thought, without its conjunction; with some
    `more` said about it at times."""
    if scene.rng.chance(0.35):
        clause = condition(scene, Form("past" if form.time == "past" else "present"))
    else:
        event = scene.event()
        inner = embedded_form(scene, form)
        scene.owner = ""
        passive = bool(event and event.objects and "active" not in event.marks
                       and scene.rng.chance(0.15))
        clause = event and happening(scene, event, inner, adjuncts=0.7, rich=0.6,
                                     passive=passive)
        if clause and not passive:
            elaborate(scene, clause, inner, more)
    return clause.statement() if clause else None


# ---- adverbial clauses -----------------------------------------------------

def circumstance(scene: Scene, form: Form, main: Clause) -> tuple[Phrase, str] | None:
    """An adverbial clause to a main clause, and its conjunction."""
    rng = scene.rng
    if form.modal in ("could", "might"):
        return None
    if form.time == "future" or form.modal:
        conjunction = rng.pick(["if", "when", "because"])
        inner = Form("present")
    else:
        inner = Form("past" if form.time == "past" else "present")
        conjunction = rng.weighted({"because": 4, "although": 3, "when": 1.5,
                                     "while": 2, "before": 2, "after": 2})
    if conjunction in ("while", "before", "after"):
        clause = meanwhile(scene, inner, conjunction, main.subject)
    else:
        clause = background(scene, inner, conjunction, main)
    if clause is None:
        return None
    if conjunction == "when":
        clause.marker = words.wh_adverb("when", "Int").under(clause.head, "advmod")
    else:
        clause.mark(words.subordinator(conjunction))
    return clause.statement(), conjunction


def background(scene: Scene, form: Form, conjunction: str, main: Clause
               ) -> Clause | None:
    """Why, or in spite of what: a mood, a quality, the weather, a state."""
    subject, thing = main.subject, main.object
    kind = scene.rng.weighted({
        "time": 5 if subject.human and conjunction == "if" else 0,
        "mood": 4 if subject.human and conjunction not in ("when", "if") else 0,
        "quality": 4 if thing and conjunction == "because" else 0,
        "weather": 1.5, "state": 2})
    if kind == "mood":
        moods = OBSTACLES if conjunction == "although" else REASONS
        return mood(scene, subject.pronoun, form, moods)
    if kind == "time":
        return leisure(subject.pronoun, form)
    if kind == "quality":
        return quality(scene, thing, form)
    return weather(scene, form) if kind == "weather" else condition(scene, form)


def meanwhile(scene: Scene, form: Form, conjunction: str, subject: Nominal
              ) -> Clause | None:
    """Something else that happens before, after or at the same time."""
    event = scene.event(deliberate)
    if event is None:
        return None
    if conjunction == "while" and form.time == "past":
        form = replace(form, progressive=True)
    elif conjunction == "after":
        form = replace(form, perfect=True)
    same = None
    if subject.human and conjunction != "while" and scene.rng.chance(0.5) \
            and fits(scene, subject, event):
        same = pronominal(subject.pronoun, "Nom")
    return happening(scene, event, form, subject=same, adjuncts=0.6, rich=0.5)


def doing(scene: Scene, event: Event, conjunction: str) -> Phrase:
    """after closing the window"""
    clause = happening(scene, event, Form(nonfinite="gerund"), adjuncts=0.6, rich=0.5)
    return clause.mark(words.subordinator(conjunction)).statement()


def elaborate(scene: Scene, clause: Clause, form: Form, likely: float, *,
              relatives: bool = True) -> None:
    """At times, say more about a clause: why, when, or which thing was meant."""
    if clause.subject is None or not scene.rng.chance(likely):
        return
    thing = clause.object
    plain = thing and not thing.bare_pronoun and thing.number == "Sing"
    if relatives and plain and not clause.rest and scene.rng.chance(0.4):
        modifier = relative(scene, thing, form)
        if modifier:
            attach_relative(scene, thing, modifier)
    elif clause.subject.lemma not in words.INDEFINITE:
        found = circumstance(scene, form, clause)
        if found:
            clause.add(found[0], "advcl")


# ---- coordination ----------------------------------------------------------

# what one may do with the same thing next
NEXT = {
    "borrow": "read translate", "find": "read print hide repair", "write": "print send",
    "print": "correct hand_in read", "bake": "cut eat serve", "peel": "cut eat",
    "buy": "eat peel cook cut hide repair", "lose": "find", "cook": "taste serve eat",
    "compose": "record perform play sing practise", "practise": "perform record play",
    "develop": "test present sell install", "repair": "sell test", "pack": "carry",
    "read": "discuss correct translate praise recommend", "write_down": "try_out",
    "sign": "send", "order": "eat taste", "watch": "photograph draw follow",
    "meet": "interview", "see": "follow photograph feed", "feed": "milk lead",
    "plant": "water photograph", "pick_up": "read hide", "hear": "photograph record",
    "correct": "print", "translate": "print discuss recommend", "test": "sell",
}


def second_predicate(scene: Scene, first: Clause, form: Form) -> Phrase | None:
    """and read it on the train: a further predicate for the same subject."""
    subject = first.subject
    thing = first.object
    events = None
    same = thing is not None and first.event in NEXT and scene.rng.chance(0.5)
    if same:
        events = [e for e in scene.lexicon.with_object.get(thing.lemma, [])
                  if e.domain == scene.domain and e.verb in NEXT[first.event].split()]
    event = scene.event(lambda e: fits(scene, subject, e), among=events) \
        if events or not same else None
    planned = form.time == "future" or form.modal or form.progressive
    if event is None or planned and "chance" in event.marks:
        return None
    it = pronominal(thing.pronoun, "Acc") if events else None
    plain = Form(form.time, progressive=form.progressive)
    if form.modal or form.perfect or form.time == "future" or form.progressive:
        plain = Form(nonfinite=("participle" if form.perfect else "present participle"
                                if form.progressive else "infinitive"))
    second = happening(scene, event, plain, subject=agreeing(subject), gap="subject",
                       thing=it, adjuncts=0.8, rich=0.6)
    phrase = second.statement()
    conjunction = scene.rng.weighted({"and": 5, "or": 0.5 if form.modal else 0})
    return phrase.before(words.conjunction(conjunction), "cc").under(first.head, "conj")
