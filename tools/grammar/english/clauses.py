"""English clauses: the verb group, arguments and adjuncts, and their order."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..lexicon import Adjunct, Event, Filler, Scene
from ..tree import Phrase, Word, arrange
from . import words
from .nominals import Nominal, coordinated, nominal, person, prepositional, pronominal
from .times import DAYS, FREQUENCY, when

# nouns that say when already; verbs that ask for no more
TIMES = {"weekend", "summer", "autumn", "winter", "breakfast", "lunch", "sunset",
         "night", *DAYS}
LASTING = {"live", "study"}
CREATING = {"compose", "write", "build"}
PLACING = {"in", "on", "at", "by", "under", "behind", "near"}
MODALS = ["can", "must", "should", "may", "could", "might"]


@dataclass(frozen=True)
class Form:
    """How the verb of a clause is inflected."""

    time: str = "past"                   # past, present, future
    perfect: bool = False
    progressive: bool = False
    modal: str = ""
    negated: bool = False
    nonfinite: str = ""                  # infinitive, gerund, imperative, ...


@dataclass
class Clause:
    """The parts of a clause. Everything already points to its head; what is
    left to say is the order."""

    core: Phrase                         # the verb, or the predicate of a copula
    auxiliaries: list[Word] = field(default_factory=list)
    negation: Word | None = None
    subject: Nominal | None = None
    marker: Word | None = None           # to, that, because, ...
    front: list[Phrase] = field(default_factory=list)
    inner: list[Phrase] = field(default_factory=list)    # after the first auxiliary
    manner: list[Phrase] = field(default_factory=list)   # before the verb
    particle: Word | None = None
    recipient: Phrase | None = None
    object: Nominal | None = None
    late_particle: bool = False
    event: str = ""                      # the verb as the tables name it
    rest: list[Phrase] = field(default_factory=list)

    @property
    def head(self) -> Word:
        return self.core.head

    def add(self, part: Phrase, deprel: str) -> None:
        """Add something at the end of the clause."""
        self.rest.append(part.under(self.head, deprel))

    def topic(self, part: Phrase, deprel: str, *, comma: bool = False) -> None:
        """Put something in front of the subject."""
        part.under(self.head, deprel)
        if comma:
            part.after(words.mark(","), "punct")
        self.front.append(part)

    def mark(self, word: Word, deprel: str = "mark") -> Clause:
        self.marker = word.under(self.head, deprel)
        return self

    def predicate(self, auxiliaries: list[Word]) -> list:
        thing = self.object.phrase if self.object else None
        early, late = ((None, self.particle) if self.late_particle
                       else (self.particle, None))
        return [*self.inner, *auxiliaries, *self.manner, self.core, early, self.recipient, thing,
                late, *self.rest]

    def statement(self) -> Phrase:
        subject = self.subject.phrase if self.subject else None
        return arrange(self.head, self.marker, *self.front, subject,
                       *self.auxiliaries[:1], self.negation,
                       *self.predicate(self.auxiliaries[1:]))

    def question(self) -> Phrase:
        """With the finite auxiliary before the subject."""
        auxiliary, *others = self.auxiliaries
        contracted = bool(auxiliary.merged)
        return arrange(self.head, *self.front, auxiliary,
                       self.negation if contracted else None,
                       self.subject.phrase, None if contracted else self.negation,
                       *self.predicate(others))


def chain(base: str, form: Form, subject: Nominal | None, *, passive: bool = False,
          support: bool = False, copula: bool = False) -> list[Word]:
    """The auxiliaries and the verb, inflected one by the other.

    `support` asks for an auxiliary in any case, as questions and negation do.
    """
    links: list[tuple[str, str]] = []    # what each word makes of the next
    if form.modal or form.time == "future":
        links.append((form.modal or "will", "infinitive"))
    if form.perfect:
        links.append(("have", "participle"))
    if form.progressive:
        links.append(("be", "present participle"))
    if passive:
        links.append(("be", "passive participle"))
    if not links and not copula and not form.nonfinite and (support or form.negated):
        links.append(("do", "infinitive"))
    links.append((base, ""))

    group: list[Word] = []
    wanted = form.nonfinite or "finite"
    for i, (lemma, following) in enumerate(links):
        last = i == len(links) - 1
        upos = "VERB" if last and not copula else "AUX"
        if wanted == "finite" and i == 0 and (form.modal or form.time == "future"):
            group.append(words.modal(lemma))
        elif wanted == "finite":
            tense = "Past" if form.time == "past" else "Pres"
            number = subject.number if subject else "Sing"
            group.append(words.finite(lemma, tense, number,
                                      subject.person if subject else "3", upos))
        else:
            group.append(words.nonfinite(lemma, wanted, upos))
        wanted = following
    return group


def attach_group(clause: Clause, group: list[Word], *, passive: bool,
                 copula: bool) -> None:
    """Point the auxiliaries at the head of the clause."""
    for word in group:
        if word is not clause.head:
            word.under(clause.head, "aux")
            clause.auxiliaries.append(word)
    if passive:
        clause.auxiliaries[-1].deprel = "aux:pass"
    if copula:
        clause.auxiliaries[-1].deprel = "cop"


def add_negation(scene: Scene, clause: Clause, form: Form) -> None:
    if form.negated:
        contract = not form.nonfinite and scene.rng.chance(0.5)
        if form.nonfinite or not clause.auxiliaries:
            clause.negation = Word("not", "not", "PART", "RB", "Polarity=Neg")
        else:
            clause.negation = words.negate(clause.auxiliaries[0], contract=contract)
        clause.negation.under(clause.head, "advmod")


def argument(scene: Scene, fillers: tuple[Filler, ...], *, rich: float = 1.0,
             role: str = "object") -> Nominal | None:
    """What fills the place of an object."""
    if len(fillers) > 2 and scene.rng.chance(0.12 * rich):
        return coordinated(scene, fillers)
    filler = scene.fresh(fillers)
    return nominal(scene, filler, rich=rich, role=role) if filler else None


def happening(scene: Scene, event: Event, form: Form, *,
              subject: Nominal | None = None, passive: bool = False,
              gap: str | Adjunct = "", thing: Nominal | None = None,
              support: bool = False, adjuncts: float = 1.0,
              rich: float = 1.0) -> Clause:
    """A clause that tells an event.

    `subject` and `thing` are given where the sentence has them already; `gap`
    names the place that stays empty ("subject", "object", or an adjunct).
    `adjuncts` scales how likely the adjuncts are that the verb can do without.
    """
    scene.placed = False
    if event.verb in CREATING:
        scene.prepositions.add("by")     # it is known who makes it
    if event.marks & {"stative", "chance"}:
        form = replace(form, progressive=False)
    if "chance" in event.marks:
        form = replace(form, negated=False)
    if passive:
        if subject is None and gap != "subject":
            scene.still = "still" in event.marks
            subject = argument(scene, event.objects, rich=rich, role="subject") \
                or pronominal("it", "Nom")
            scene.still = False
    elif subject is None and not form.nonfinite and gap != "subject":
        subject = person(scene, event.subjects, "Nom", rich=rich) \
            or pronominal("she", "Nom")
    if subject and subject.lemma in words.INDEFINITE:
        form = replace(form, negated=False)
    if subject and not scene.owner and not passive:
        scene.owner = subject.pronoun
    base, _, particle = event.verb.partition("_")
    group = chain(base, form, subject, passive=passive, support=support)
    clause = Clause(Phrase(group[-1]), event=event.verb)
    attach_group(clause, group, passive=passive, copula=False)
    if subject and gap != "subject":
        clause.subject = subject
        subject.phrase.under(clause.head, "nsubj:pass" if passive else "nsubj")
    add_negation(scene, clause, form)
    if particle:
        clause.particle = words.particle(particle).under(clause.head, "compound:prt")
    if not passive:
        add_objects(scene, clause, event, gap, thing, rich)
    add_adjuncts(scene, clause, event, gap, adjuncts, rich, passive)
    return clause


def add_objects(scene: Scene, clause: Clause, event: Event, gap: str | Adjunct,
                thing: Nominal | None, rich: float) -> None:
    rng = scene.rng
    if event.objects and gap != "object":
        scene.still = "still" in event.marks
        clause.object = thing or argument(scene, event.objects, rich=rich)
        scene.still = False
        if clause.object:
            clause.object.phrase.under(clause.head, "obj")
            clause.late_particle = bool(clause.particle) and (
                clause.object.bare_pronoun or len(clause.object.phrase) < 4
                and rng.chance(0.4))
    if event.recipients and (event.recipient_needed or rng.chance(0.5)):
        filler = scene.fresh(event.recipients)
        if filler is None:
            return
        light = clause.object is not None and clause.object.bare_pronoun
        if gap or light or rng.chance(0.45):
            clause.add(prepositional(scene, "to", filler, rich=rich / 3), "obl")
        else:
            receiver = nominal(scene, filler, rich=0.1, role="subject")
            clause.recipient = receiver.phrase.under(clause.head, "iobj")


def add_adjuncts(scene: Scene, clause: Clause, event: Event, gap: str | Adjunct,
                 likely: float, rich: float, passive: bool) -> None:
    rng = scene.rng
    if passive:
        if event.recipients and event.recipient_needed:
            filler = scene.fresh(event.recipients)
            if filler:
                clause.add(prepositional(scene, "to", filler, rich=rich / 3), "obl")
        if rng.chance(0.5):
            agent = person(scene, event.subjects, "Acc", rich=rich / 2,
                           pronouns=False)
            if agent and agent.lemma not in words.INDEFINITE:
                agent.phrase.before(words.preposition("by"), "case")
                clause.add(agent.phrase, "obl:agent")
    chosen = [a for a in event.adjuncts if a.needed and a is not gap]
    scene.prepositions.update(a.preposition for a in chosen)
    for p in (0.65, 0.35):
        placed = scene.placed or any(a.preposition in PLACING for a in chosen)
        optional = tuple(a for a in event.adjuncts if not a.needed and a is not gap
                         and not (placed and a.preposition in PLACING))
        adjunct = scene.adjunct(optional) if rng.chance(p * likely) else None
        if adjunct:
            chosen.append(adjunct)
    for adjunct in chosen:
        filler = scene.fresh(adjunct.fillers)
        if filler is None:
            continue
        phrase = prepositional(scene, adjunct.preposition, filler, rich=rich * 0.6,
                               focus=0.06)
        other = scene.fresh(adjunct.fillers) if rng.chance(0.08) else None
        if other and other.article == filler.article != "none":
            second = nominal(scene, other, rich=rich * 0.5, role="adjunct").phrase
            phrase.after(second.before(words.conjunction("and"), "cc"), "conj")
        clause.add(phrase, "obl")
    if event.adverbs and rng.chance(0.2 * likely):
        add_manner(scene, clause, rng.pick(event.adverbs), passive)


def add_manner(scene: Scene, clause: Clause, lemma: str, passive: bool) -> None:
    """carefully cut the bread; cut the bread carefully"""
    adverb = Phrase(words.adverb(lemma)).under(clause.head, "advmod")
    movable = lemma.endswith("ly") and lemma != "early"
    finite = clause.head.feats.startswith("Mood=Ind") or clause.auxiliaries
    if lemma == "finally":
        if finite:
            clause.manner.append(adverb)
    elif movable and finite and (passive or scene.rng.chance(0.5)):
        clause.manner.append(adverb)
    elif not passive:
        clause.rest.insert(0, adverb)


def choose_form(scene: Scene) -> Form:
    """A time for the main clause, and at times an aspect or a modal verb."""
    rng = scene.rng
    time = rng.weighted({"past": 6, "present": 3, "future": 1})
    form = Form(time, negated=rng.chance(0.06))
    kind = rng.weighted(
        {"plain": 2.5, "perfect": 1.5, "progressive": 1.3, "modal": 2.2}
        if time == "present" else {"plain": 8, "progressive": 0.6})
    if time == "future" or kind == "plain":
        return form
    if kind == "modal":
        return replace(form, time="present", modal=rng.pick(MODALS))
    if kind == "perfect":
        return replace(form, time="present", perfect=True)
    return replace(form, progressive=True)


def add_time(scene: Scene, clause: Clause, form: Form, *, likely: float = 0.3) -> None:
    """Say when or how often, in a place that suits."""
    rng = scene.rng
    if scene.mentioned & TIMES or clause.event in LASTING:
        return
    if form.perfect:
        if rng.chance(likely) and not form.negated:
            adverb = words.adverb(rng.pick(["already", "just", "finally"]))
            clause.inner.insert(0, Phrase(adverb.under(clause.head, "advmod")))
        return
    if not rng.chance(likely if form.time != "present" else 0.85):
        return
    habit = form.time == "present" and not form.modal and not form.progressive
    if habit and rng.chance(0.6):
        if not (form.negated or clause.manner
                or clause.subject.lemma in words.INDEFINITE):
            adverb = words.adverb(rng.pick(FREQUENCY))
            clause.inner.insert(0, Phrase(adverb.under(clause.head, "advmod")))
    elif form.progressive and form.time == "present":
        clause.add(Phrase(words.adverb("now")), "advmod")
    elif form.modal and form.time == "present":
        clause.add(*when(scene, "future"))
    else:
        phrase, deprel = when(scene, form.time)
        if rng.chance(0.4):
            clause.topic(phrase, deprel, comma=rng.chance(0.5))
        else:
            clause.add(phrase, deprel)
