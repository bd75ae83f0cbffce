"""German clauses: the verbal complex, arguments and adjuncts, and their fields.

A clause has a first position (Vorfeld), a finite verb, a middle field sorted by
rank, a right bracket with prefix, participles and infinitives, and a last field
for what follows. In a subordinate clause the finite verb closes the bracket.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..lexicon import Adjunct, Event, Filler, Scene
from ..tree import Phrase, Word, arrange
from . import verbs, words
from .nominals import (
    Nominal,
    coordinated,
    nominal,
    person,
    prepositional,
    pronominal,
    with_preposition,
)
from .times import DAYS, FREQUENCY, when
from .verbs import Verb, read_verb

# the order of the middle field
(PRONOUN_SUBJECT, PRONOUN_OBJECT, PRONOUN_DATIVE, SUBJECT, TIME, DATIVE, ACCUSATIVE,
 NEGATION, MANNER, ADJUNCT) = range(10)
# nouns that say when already; verbs that ask for no more
TIMES = {"Wochenende", "Sommer", "Herbst", "Winter", "Frühstück", "Mittagessen",
         "Sonnenuntergang", *DAYS}
LASTING = {"wohnen", "studieren"}
PLACING = {"in+D", "auf+D", "an+D", "hinter+D", "unter+D", "bei", "in+A", "auf+A"}
CREATING = {"komponieren", "schreiben", "bauen"}
@dataclass(frozen=True)
class Form:
    """How the verb of a clause is inflected."""

    tense: str = "past"     # present, past, perfect, pluperfect, future
    modal: str = ""
    negated: bool = False
    nonfinite: str = ""     # zu, imperative, participle, infinitive

    @property
    def time(self) -> str:
        return self.tense if self.tense in ("present", "future") else "past"


@dataclass
class Item:
    """Something in the middle field, which may be moved to the front."""

    rank: int
    phrase: Phrase
    fronting: float = 0.0


@dataclass
class Clause:
    """The parts of a clause. Everything already points to its head; what is left
    to say is the order."""

    head: Word
    finite: Word | None = None
    bracket: list[Word] = field(default_factory=list)
    subject: Nominal | None = None
    object: Nominal | None = None
    items: list[Item] = field(default_factory=list)
    last: list[Phrase] = field(default_factory=list)
    event: str = ""

    def add(self, rank: int, part: Phrase, deprel: str, fronting: float = 0.0) -> None:
        self.items.append(Item(rank, part.under(self.head, deprel), fronting))

    def middle(self, without: Item | None = None) -> list[Phrase]:
        ordered = sorted((item for item in self.items if item is not without),
                         key=lambda item: item.rank)
        return [item.phrase for item in ordered]

    def end(self, part: Phrase, deprel: str) -> None:
        """Put a clause behind the right bracket, between commas."""
        self.last.append(enclosed(part).under(self.head, deprel))

    def statement(self, scene: Scene, front: Phrase | None = None) -> Phrase:
        """The verb second; what stands first is `front`, or is chosen by chance."""
        item = None
        if front is None:
            weights = {i: item.fronting for i, item in enumerate(self.items)}
            item = self.items[scene.rng.weighted(weights)]
            front = item.phrase
        return arrange(self.head, front, self.finite, *self.middle(item),
                       *self.bracket, *self.last)

    def verb_first(self) -> Phrase:
        """The verb first: questions, commands, a second predicate."""
        return arrange(self.head, self.finite, *self.middle(), *self.bracket, *self.last)

    def verb_last(self, opener: Word | Phrase | None = None) -> Phrase:
        """The verb last: subordinate clauses and infinitives."""
        return arrange(self.head, opener, *self.middle(), *self.bracket, self.finite,
                       *self.last)


def enclosed(phrase: Phrase) -> Phrase:
    """Between commas; needless ones are dropped when the sentence is written."""
    return phrase.before(words.mark(","), "punct").after(words.mark(","), "punct")


# ---- the verb --------------------------------------------------------------

def complex_of(verb: Verb, form: Form, subject: Nominal | None, *, passive: bool,
               last: bool) -> Clause:
    """The verb with its auxiliaries, each of which rules the one inside it.

    `last` is the order of subordinate clauses, in which a separable prefix stays
    with its verb.
    """
    ruled: list[tuple[Verb, str]] = []   # from the inside out: verb, its form
    top, main = verb, True
    layers: list[tuple[str, str]] = []
    if passive:
        layers.append(("werden", "participle"))
    if form.tense in ("perfect", "pluperfect"):
        layers.append(("sein" if passive else verb.perfect_with, "participle"))
    if form.modal:
        layers.append((form.modal, "infinitive"))
    if form.tense == "future":
        layers.append(("werden", "infinitive"))
    for lemma, inner in layers:
        ruled.append((top, inner))
        top = Verb("", lemma, False)

    bracket: list[Word] = []
    for i, (inner, kind) in enumerate(ruled):
        main = i == 0
        word = (verbs.past_participle(inner, main=main) if kind == "participle"
                else verbs.infinitive(inner, main=main))
        if passive and i == 1 and kind == "participle":
            word.form = "worden"
        bracket.append(word)
    main = not ruled
    finite = None
    if form.nonfinite == "zu":
        bracket += verbs.zu_infinitive(top)
    elif form.nonfinite == "imperative":
        finite = verbs.imperative(top)
    elif form.nonfinite:
        bracket.append(verbs.past_participle(top) if form.nonfinite == "participle"
                       else verbs.infinitive(top))
    else:
        tense = "Past" if form.tense in ("past", "pluperfect") else "Pres"
        number = subject.number if subject else "Sing"
        finite = verbs.finite(top, tense, subject.person if subject else "3", number,
                              main=main, joined=last and main,
                              polite=subject is not None and subject.polite)
    head = next(w for w in [*bracket, *([finite] if finite else [])]
                if w.upos == "VERB")
    if finite is head and top.prefix and not last:
        bracket.append(verbs.prefix(top).under(head, "compound:prt"))
    for i, word in enumerate(w for w in [*bracket, finite] if w and w.upos == "AUX"):
        word.under(head, "aux:pass" if passive and i == 0 else "aux")
        if passive and i == 0:
            word.feats += "|Voice=Pass"
    for word in bracket:
        if word.xpos == "PTKZU":
            word.under(head, "mark")
    return Clause(head, finite, bracket)


# ---- events ----------------------------------------------------------------

def argument(scene: Scene, fillers: tuple[Filler, ...], case: str, *,
             rich: float = 1.0, role: str = "object", wanted: str | None = None
             ) -> Nominal | None:
    """What fills the place of an object."""
    if len(fillers) > 2 and scene.rng.chance(0.22 * rich):
        return coordinated(scene, fillers, case)
    filler = scene.fresh(fillers)
    return nominal(scene, filler, case, rich=rich, role=role,
                   wanted=wanted) if filler else None


def happening(scene: Scene, event: Event, form: Form, *,
              subject: Nominal | None = None, passive: bool = False,
              gap: str | Adjunct = "", thing: Nominal | None = None,
              last: bool = False, adjuncts: float = 1.0, rich: float = 1.0) -> Clause:
    """A clause that tells an event.

    `subject` and `thing` are given where the sentence has them already; `gap`
    names the place that stays empty ("subject", "object", or an adjunct).
    `adjuncts` scales how likely the adjuncts are that the verb can do without.
    """
    verb = read_verb(event.verb)
    scene.placed = False
    if event.verb in CREATING:
        scene.prepositions.add("von")    # it is known who makes it
    if passive:
        if subject is None and gap != "subject":
            scene.still = "still" in event.marks
            subject = argument(scene, event.objects, "Nom", rich=rich,
                               role="subject") or pronominal("es", "Nom")
            scene.still = False
    elif subject is None and not form.nonfinite and gap != "subject":
        subject = person(scene, event.subjects, "Nom", rich=rich) \
            or pronominal("sie", "Nom")
    if subject and subject.lemma in words.INDEFINITE or (
            "chance" in event.marks and form.nonfinite != "imperative"
            and not (subject and subject.polite)):
        form = replace(form, negated=False)
    if subject and subject.lemma == "du" and form == Form(negated=form.negated):
        form = replace(form, tense="perfect")
    if subject and not passive and not scene.owner:
        scene.owner = subject.pronoun
    clause = complex_of(verb, form, subject, passive=passive, last=last)
    clause.event = event.verb
    if subject and gap != "subject":
        clause.subject = subject
        clause.add(PRONOUN_SUBJECT if subject.bare_pronoun else SUBJECT, subject.phrase,
                   "nsubj:pass" if passive else "nsubj", fronting=6)
    if verb.reflexive:
        key = subject.pronoun if subject else scene.owner or "er"
        clause.add(PRONOUN_OBJECT, Phrase(words.reflexive(key)), "expl:pv")
    negated = form.negated
    if not passive:
        negated = add_objects(scene, clause, event, gap, thing, rich, negated)
    if negated:
        clause.add(NEGATION, Phrase(words.negation()), "advmod")
    add_adjuncts(scene, clause, event, gap, adjuncts, rich, passive)
    return clause


def add_objects(scene: Scene, clause: Clause, event: Event, gap: str | Adjunct,
                thing: Nominal | None, rich: float, negated: bool) -> bool:
    """Add the objects; is the clause still to be negated with "nicht"?"""
    if event.recipients and gap != "dative" and (
            event.recipient_needed or scene.rng.chance(0.5)):
        filler = scene.fresh(event.recipients)
        if filler:
            receiver = nominal(scene, filler, "Dat", rich=rich / 3, role="subject")
            clause.add(DATIVE, receiver.phrase, "obl:arg", 0.2)
    if not event.objects or gap == "object":
        return negated
    no = negated and not thing and not scene.familiar and scene.rng.chance(0.6)
    scene.still = "still" in event.marks
    found = thing or argument(scene, event.objects, "Acc", rich=rich,
                              wanted="kein" if no else None)
    scene.still = False
    if found is None:
        return negated
    clause.object = found
    # only a masculine in the singular shows that it is not the subject
    clear = found.definite and found.gender == "m" and found.number == "Sing"
    fronting = 0.7 if clear and not found.bare_pronoun else 0
    clause.add(PRONOUN_OBJECT if found.bare_pronoun else ACCUSATIVE, found.phrase,
               "obj", fronting)
    return negated and not any(word.lemma == "kein" for word in found.phrase)


def add_adjuncts(scene: Scene, clause: Clause, event: Event, gap: str | Adjunct,
                 likely: float, rich: float, passive: bool) -> None:
    rng = scene.rng
    if passive:
        if event.recipients and event.recipient_needed:
            filler = scene.fresh(event.recipients)
            if filler:
                receiver = nominal(scene, filler, "Dat", rich=rich / 3, role="subject")
                clause.add(DATIVE, receiver.phrase, "obl:arg", 1)
        if rng.chance(0.5):
            agent = person(scene, event.subjects, "Dat", rich=rich / 2, pronouns=False)
            if agent:
                clause.add(ADJUNCT, with_preposition("von", agent.phrase), "obl:agent",
                           0.5)
                scene.prepositions.add("von")
    chosen = [a for a in event.adjuncts if a.needed and a is not gap]
    scene.prepositions.update(a.preposition for a in chosen)
    for p in (0.62, 0.25):
        placed = scene.placed or any(a.preposition in PLACING for a in chosen)
        optional = tuple(a for a in event.adjuncts if not a.needed and a is not gap
                         and not (placed and a.preposition in PLACING))
        adjunct = scene.adjunct(optional) if rng.chance(p * likely) else None
        if adjunct:
            chosen.append(adjunct)
    for adjunct in chosen[::-1]:
        filler = scene.fresh(adjunct.fillers)
        if filler is None:
            continue
        phrase = prepositional(scene, adjunct.preposition, filler, rich=rich * 0.7,
                               focus=0.06)
        other = scene.fresh(adjunct.fillers) if rng.chance(0.12) else None
        if other and other.article == filler.article != "none":
            second = prepositional(scene, adjunct.preposition, other, rich=rich * 0.5)
            phrase.after(second.before(words.conjunction("und"), "cc"), "conj")
        clause.add(ADJUNCT, phrase, "obl", 0 if adjunct.needed else 1)
    if event.adverbs and rng.chance(0.2 * likely):
        clause.add(MANNER, Phrase(words.manner(rng.pick(event.adverbs))), "advmod", 0)


# ---- times -----------------------------------------------------------------

def choose_form(scene: Scene) -> Form:
    """A tense for the main clause, and at times a modal verb."""
    rng = scene.rng
    tense = rng.weighted({"past": 4, "perfect": 3, "present": 2.6, "future": 0.8})
    modal = ""
    if tense in ("past", "present") and rng.chance(0.4 if tense == "present" else 0.15):
        modal = rng.pick(verbs.MODALS)
    return Form(tense, modal, rng.chance(0.07))


def add_time(scene: Scene, clause: Clause, form: Form, *, likely: float = 0.3) -> None:
    """Say when or how often."""
    rng = scene.rng
    if scene.mentioned & TIMES or clause.event in LASTING:
        return
    if not rng.chance(likely if form.tense != "present" else 0.85):
        return
    if form.tense == "present" and not form.modal and rng.chance(0.6):
        if not form.negated and clause.subject.lemma not in words.INDEFINITE:
            clause.add(TIME, Phrase(words.adverb(rng.pick(FREQUENCY))), "advmod", 0)
        return
    time = "future" if form.modal and form.tense == "present" else form.time
    phrase, deprel = when(scene, time)
    clause.add(TIME, phrase, deprel, 4)
