"""The tables of words that the grammars read.

What a sentence may be about is written down in tables, one row a noun or an
event, cells separated by `|`:

    soup mass | hot salty | with:=noodles,mushroom+          a noun
    cut | cook guest | bread cake | with:knife adv:slowly    an event

A noun brings the adjectives and the prepositional attributes that suit it, an
event the nouns that may fill its places and the adjuncts that suit the verb.
So words decide what a prepositional phrase belongs to: "with a knife" goes
with the cutting, "with mushrooms" with the soup, although both look the same.

Nouns that fill a place are written as `knife` (with any article that fits),
`!oven` (the oven), `~smile` (a smile), `=summer` (without an article), `onion+`
(plural). A place that an event cannot do without has a star: `put | - | plate |
*on:!table`. An attribute that only says where a thing happens to be has an @: one
may clean the mirror `@in:!corridor`, but one does not buy it there.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .rng import SeededRandom


@dataclass(frozen=True)
class Filler:
    """A noun as a table names it: lemma, plural or not, and its article."""

    noun: str
    plural: bool = False
    article: str = "any"                 # "any", "definite", "indefinite", "none"


@dataclass(frozen=True)
class Adjunct:
    """A preposition and the nouns that may follow it."""

    preposition: str
    fillers: tuple[Filler, ...]
    needed: bool = False
    loose: bool = False


@dataclass(frozen=True)
class Noun:
    """A row of the table of nouns. `forms` is what the language makes of the
    first cell, `marks` are the plain words behind it (`human`, `mass`, ...)."""

    lemma: str
    forms: tuple[str, ...]
    marks: frozenset[str]
    adjectives: tuple[str, ...]
    attributes: tuple[Adjunct, ...]

    @property
    def human(self) -> bool:
        return "human" in self.marks


@dataclass(frozen=True)
class Event:
    """A row of the table of events: a verb and what may fill its places."""

    domain: str
    verb: str
    subjects: tuple[Filler, ...]
    objects: tuple[Filler, ...]
    recipients: tuple[Filler, ...]
    recipient_needed: bool
    adjuncts: tuple[Adjunct, ...]
    adverbs: tuple[str, ...]
    marks: frozenset[str]


@dataclass(frozen=True)
class State:
    """Something that is so: "the soup is hot"."""

    domain: str
    subject: Filler
    adjectives: tuple[str, ...]


@dataclass
class Lexicon:
    """All tables of a language."""

    nouns: dict[str, Noun]
    events: dict[str, list[Event]]
    states: dict[str, list[State]]
    people: dict[str, tuple[Filler, ...]]
    with_object: dict[str, list[Event]] = field(default_factory=dict)
    with_subject: dict[str, list[Event]] = field(default_factory=dict)
    with_adjunct: dict[str, list[tuple[Event, Adjunct]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for events in self.events.values():
            for event in events:
                for fillers, index in ((event.objects, self.with_object),
                                       (event.subjects, self.with_subject)):
                    for filler in fillers:
                        index.setdefault(filler.noun, []).append(event)
                for adjunct in event.adjuncts:
                    for filler in adjunct.fillers:
                        self.with_adjunct.setdefault(filler.noun, []).append(
                            (event, adjunct))

    def unknown(self) -> set[str]:
        """Nouns that the tables name somewhere but do not inflect."""
        events = [event for events in self.events.values() for event in events]
        states = [state for states in self.states.values() for state in states]
        fillers = [
            *(state.subject for state in states),
            *(filler for event in events for filler in
              (*event.subjects, *event.objects, *event.recipients)),
            *(filler for source in (*events, *self.nouns.values())
              for adjunct in (source.adjuncts if isinstance(source, Event)
                              else source.attributes)
              for filler in adjunct.fillers)]
        return {filler.noun for filler in fillers} - set(self.nouns)


def read_filler(text: str) -> Filler:
    article = {"!": "definite", "~": "indefinite", "=": "none"}.get(text[0], "any")
    return Filler(text.strip("!~=+"), text.endswith("+"), article)


def read_fillers(text: str, separator: str | None = None) -> tuple[Filler, ...]:
    return tuple(read_filler(item) for item in text.split(separator))


def read_adjuncts(cell: str) -> tuple[Adjunct, ...]:
    """`with:knife,fork *on:!table` as adjuncts."""
    adjuncts = []
    for item in cell.split():
        preposition, fillers = item.lstrip("*@").split(":")
        adjuncts.append(Adjunct(preposition, read_fillers(fillers, ","),
                                item.startswith("*"), item.startswith("@")))
    return tuple(adjuncts)


def rows(table: str) -> Iterator[list[str]]:
    """The rows of a table as cells; empty lines and comments are left out."""
    for line in table.splitlines():
        line = line.split("#")[0].strip()
        if line:
            yield [cell.strip() for cell in line.split("|")]


def read_nouns(table: str,
               inflect: Callable[[list[str]], tuple[tuple[str, ...], list[str]]],
               ) -> dict[str, Noun]:
    """Read a table of nouns. `inflect` takes the words of the first cell and
    gives the forms of the noun and the marks that are left."""
    nouns = {}
    for row in rows(table):
        first, adjectives, attributes = (row + ["", ""])[:3]
        forms, marks = inflect(first.split())
        nouns[forms[0]] = Noun(forms[0], forms, frozenset(marks),
                               tuple(adjectives.split()), read_adjuncts(attributes))
    return nouns


def read_domains(table: str) -> tuple[dict[str, list[Event]],
                                      dict[str, list[State]],
                                      dict[str, tuple[Filler, ...]]]:
    """Read events and states. A line `[kitchen] cook guest` begins a domain and
    names its people, who are the subjects wherever a row says `-`; a row
    `soup is | hot salty` is a state."""
    events: dict[str, list[Event]] = {}
    states: dict[str, list[State]] = {}
    people: dict[str, tuple[Filler, ...]] = {}
    domain = ""
    for row in rows(table):
        if row[0].startswith("["):
            domain, persons = row[0][1:].split("]")
            people[domain] = read_fillers(persons)
            events[domain], states[domain] = [], []
        elif row[0].split()[-1] in ("is", "ist"):
            filler = read_filler(row[0].split()[0])
            states[domain].append(State(domain, filler, tuple(row[1].split())))
        else:
            events[domain].append(read_event(domain, row, people[domain]))
    return events, states, people


def read_event(domain: str, row: list[str], people: tuple[Filler, ...]) -> Event:
    verb, subjects, objects, rest = (row + [""])[:4]
    recipients: tuple[Filler, ...] = ()
    recipient_needed = False
    adverbs: list[str] = []
    adjuncts: list[Adjunct] = []
    marks: list[str] = []
    for item in rest.split():
        if ":" not in item:
            marks.append(item)
        elif item.startswith("adv:"):
            adverbs += item[len("adv:"):].split(",")
        elif item.lstrip("*").startswith("dat:"):
            recipients = read_fillers(item.split(":")[1], ",")
            recipient_needed = item.startswith("*")
        else:
            adjuncts += read_adjuncts(item)
    return Event(
        domain, verb,
        people if subjects == "-" else read_fillers(subjects),
        () if objects == "-" else read_fillers(objects),
        recipients, recipient_needed, tuple(adjuncts), tuple(adverbs),
        frozenset(marks))


class Scene:
    """What one sentence is about: a domain, a time, the nouns mentioned so far."""

    def __init__(self, rng: SeededRandom, lexicon: Lexicon):
        self.rng = rng
        self.lexicon = lexicon
        self.domain = rng.pick(list(lexicon.events))
        self.mentioned: set[str] = set()
        self.verbs: set[str] = set()
        self.owner = ""                  # the pronoun whose things are meant
        self.familiar = False            # are the things known to the hearer?
        self.focus = True                # may something be singled out with "only"?
        self.still = False               # do the things stay where they are?
        self.placed = False              # has it been said where they are?
        self.prepositions: set[str] = set()

    def fresh(self, fillers: tuple[Filler, ...]) -> Filler | None:
        """One of the fillers whose noun was not mentioned yet, if there is one."""
        left = [filler for filler in fillers if filler.noun not in self.mentioned]
        if not left:
            return None
        filler = self.rng.pick(left)
        self.mentioned.add(filler.noun)
        return filler

    def event(self, accept: Callable[[Event], bool] = lambda event: True,
              among: list[Event] | None = None) -> Event | None:
        """An event of this domain (or one `among` others) whose verb was not
        used yet and whose places can still be filled with fresh nouns."""
        left = [event for event in (
                    self.lexicon.events[self.domain] if among is None else among)
                if event.verb not in self.verbs and accept(event)
                and self.can_fill(event.subjects) and self.can_fill(event.objects)]
        if not left:
            return None
        event = self.rng.pick(left)
        self.verbs.add(event.verb)
        return event

    def adjunct(self, adjuncts: tuple[Adjunct, ...]) -> Adjunct | None:
        """One of the adjuncts whose preposition was not used yet: two of the
        same in a row are hard to read."""
        left = [adjunct for adjunct in adjuncts
                if adjunct.preposition not in self.prepositions]
        if not left:
            return None
        adjunct = self.rng.pick(left)
        self.prepositions.add(adjunct.preposition)
        return adjunct

    def can_fill(self, fillers: tuple[Filler, ...]) -> bool:
        return not fillers or any(
            filler.noun not in self.mentioned for filler in fillers)

    def state(self) -> State | None:
        """A state of this domain with a fresh subject."""
        left = [state for state in self.lexicon.states[self.domain]
                if state.subject.noun not in self.mentioned]
        if not left:
            return None
        state = self.rng.pick(left)
        self.mentioned.add(state.subject.noun)
        return state
