"""German noun phrases: articles, adjectives, attributes, names, coordination."""
from __future__ import annotations

from dataclasses import dataclass

from ..lexicon import Adjunct, Filler, Noun, Scene
from ..tree import Phrase, Word, arrange
from . import words
from .verbs import past_participle, read_verb

NAMES = {"Anna": "f", "Ben": "m", "Clara": "f", "David": "m", "Emma": "f",
         "Felix": "m", "Hannah": "f", "Jonas": "m", "Laura": "f", "Leo": "m",
         "Maria": "f", "Oskar": "m", "Paula": "f", "Simon": "m", "Tom": "m",
         "Vera": "f"}
SURNAMES = ["Berg", "Keller", "Novak", "Rossi", "Santos", "Lindner", "Krause"]
SPEAKERS = {"ich": 3, "du": 0.7, "er": 3, "sie": 3, "wir": 3, "sie+": 2}
NUMBERS = {"zwei": 6, "drei": 5, "vier": 2, "fünf": 1, "sechs": 0.5, "zwölf": 0.3}
GRADED = {"alt", "jung", "klein", "groß", "lang", "kurz", "schön", "schwierig",
          "teuer", "billig", "interessant", "spannend", "hoch", "schwer", "freundlich",
          "berühmt", "begabt", "ruhig", "scharf", "heiß", "wichtig", "nützlich"}
FOCUS = {"nur": 3, "auch": 3, "sogar": 1}
REFERENCE = {"m": "er", "f": "sie", "n": "es"}


@dataclass
class Nominal:
    """A noun phrase and what the rest of the clause has to know of it."""

    phrase: Phrase
    lemma: str
    gender: str = "n"
    number: str = "Sing"
    person: str = "3"
    human: bool = False
    pronoun: str = "es"                  # what it is referred to by
    bare_pronoun: bool = False           # is itself only a pronoun
    definite: bool = True
    attribute: Nominal | None = None     # the noun phrase at its end, if any

    @property
    def polite(self) -> bool:
        return self.lemma == "Sie"


def split(preposition: str) -> tuple[str, str]:
    """The preposition and its case: auf+A is auf with the accusative."""
    form, _, case = preposition.partition("+")
    return form, {"A": "Acc", "D": "Dat"}.get(case) or words.PREPOSITION_CASE[form]


def pronominal(key: str, case: str) -> Nominal:
    person, number, gender = words.PRONOUNS[key][4:]
    return Nominal(Phrase(words.pronoun(key, case)), key, gender or "m", number, person,
                   key != "es", key, True)


def name(scene: Scene, case: str, *, full: float = 0.25) -> Nominal:
    """A first name, at times with a surname."""
    given = scene.rng.pick([n for n in NAMES if n not in scene.mentioned])
    scene.mentioned.add(given)
    phrase = Phrase(words.proper_name(given, case if case != "Gen" else "Gen",
                                      NAMES[given]))
    if case != "Gen" and scene.rng.chance(full):
        phrase.after(words.proper_name(scene.rng.pick(SURNAMES), case), "flat")
    return Nominal(phrase, given, NAMES[given], human=True,
                   pronoun=REFERENCE[NAMES[given]])


def choose_determiner(scene: Scene, noun: Noun, plural: bool, role: str) -> str:
    """What stands before a noun whose article the table leaves open."""
    weighted = scene.rng.weighted
    marks = noun.marks
    own = 3.0 if "own" in marks else 0
    if marks & {"bare", "name"}:
        return ""
    if "only" in marks:
        return "der"
    if "kin" in marks and not plural:
        return weighted({"own": 8, "genitive": 2})
    if "rel" in marks and not plural:
        return weighted({"own": 5, "ein": 4, "der": 1})
    if role == "attribute":
        return "" if plural or "mass" in marks else weighted({"der": 3, "ein": 5})
    if "mass" in marks:
        return weighted({"der": 4, "": 3})
    if role == "adjunct":
        return weighted({"der": 5, "": 1} if plural else
                        {"der": 3, "ein": 2 if scene.familiar else 6, "own": own})
    if plural:
        return weighted({"der": 6, "": 0 if role == "subject" else 1.5, "number": 2, "einig": 0.8, "viel": 0.6,
                         "mehrer": 0.4, "own": own, "dies": 1, "all": 0.5})
    if role == "subject":
        return weighted({"der": 12, "ein": 4, "dies": 0.5})
    return weighted({"der": 8, "ein": 1 if scene.familiar else 7, "own": own,
                     "genitive": own / 4, "of": own * 0.7, "dies": 1})


def determiner(scene: Scene, choice: str, case: str, gender: str, number: str
               ) -> tuple[Word | Phrase, str, str] | None:
    """The word for a choice, its relation, and how adjectives decline after it."""
    if choice == "own":
        owner = scene.owner or scene.rng.weighted(SPEAKERS)
        return words.possessive(owner, case, gender, number), "det:poss", "ein"
    if choice == "genitive":
        return name(scene, "Gen").phrase, "nmod:poss", ""
    if choice == "number":
        return words.numeral(scene.rng.weighted(NUMBERS)), "nummod", ""
    if choice in ("viel", "einig", "mehrer", "all"):
        return (words.quantity(choice, case), "det", "der" if choice == "all" else "")
    if not choice:
        return None
    kind = "ein" if choice in ("ein", "kein") else "der"
    return words.article(choice, case, gender, number), "det", kind


def nominal(scene: Scene, filler: Filler, case: str, *, rich: float = 1.0,
            role: str = "object", wanted: str | None = None,
            described: bool = True) -> Nominal:
    """A noun phrase for a noun of the tables, in a case.

    `rich` scales how likely adjectives and attributes are; `role` (subject,
    object, adjunct, attribute) bears on the article; `wanted` is a determiner
    that the sentence asks for in any case ("" for none); no adjective is added
    where it is not to be `described`.
    """
    rng = scene.rng
    noun = scene.lexicon.nouns[filler.noun]
    gender = noun.forms[1]
    many = filler.plural
    if (not many and wanted is None and filler.article == "any"
            and role in ("subject", "object") and noun.forms[3] != "-"
            and not noun.marks & {"mass", "bare", "only", "name", "kin", "one"}):
        many = rng.chance(0.12)
    number = "Plur" if many else "Sing"
    phrase = Phrase(words.noun(noun, case, number))
    if wanted is None:
        wanted = {"definite": "der", "none": "", "indefinite": "ein"}.get(filler.article)
    choice = choose_determiner(scene, noun, many, role) if wanted is None else wanted
    if choice == "ein" and many:
        choice = ""
    found = determiner(scene, "der" if choice == "of" else choice, case, gender, number)
    if (described and noun.adjectives and filler.article != "none"
            and rng.chance(0.2 * rich)):
        describe(scene, phrase, noun, found[2] if found else "", case, number,
                 choice == "ein")
    elif (described and found and found[1] == "det" and choice in ("der", "ein", "dies")
            and (role == "subject" or role == "object" and scene.still)
            and rng.chance(0.12 * rich)):
        participle(scene, phrase, noun, found[2], case, number)
    if found:
        phrase.before(found[0], found[1])
    last = None
    if choice == "of":
        last = add_owner(scene, phrase)
    elif noun.attributes and filler.article != "none" and rng.chance(0.75 * rich):
        for likely in (1, 0.3 * rich):
            attribute = (scene.adjunct(fitting_attributes(scene, noun, role, choice))
                         if rng.chance(likely) else None)
            if attribute:
                last = add_attribute(scene, phrase, attribute, rich / 2.5)
    pronoun = "sie+" if many else REFERENCE[gender]
    if noun.lemma == "Mädchen" and not many:
        pronoun = "sie"
    return Nominal(phrase, noun.lemma, gender, number, "3", noun.human, pronoun,
                   definite=choice not in ("ein", "", "number", "viel", "einig",
                                           "mehrer"), attribute=last)


def describe(scene: Scene, phrase: Phrase, noun: Noun, kind: str, case: str,
             number: str, indefinite: bool) -> None:
    """An adjective in front of a noun, in the declension that the article asks for."""
    lemma = scene.rng.pick(noun.adjectives)
    adjective = Phrase(words.adjective(lemma, kind, case, noun.forms[1], number))
    if indefinite and lemma in GRADED and scene.rng.chance(0.3):
        adjective.before(words.adverb("sehr"), "advmod")
    phrase.before(adjective, "amod")


def participle(scene: Scene, phrase: Phrase, noun: Noun, kind: str, case: str,
               number: str) -> None:
    """das in der Bibliothek ausgeliehene Buch"""
    events = [e for e in scene.lexicon.with_object.get(noun.lemma, [])
              if not e.marks & {"active", "stative", "chance"}
              and e.verb not in scene.verbs and not e.recipient_needed]
    if not events:
        return
    event = scene.rng.pick(events)
    scene.verbs.add(event.verb)
    verb = read_verb(event.verb)
    done = past_participle(verb).form
    adjective = Phrase(words.adjective(done, kind, case, noun.forms[1], number))
    adjective.head.lemma = verb.infinitive
    adjective.head.feats = adjective.head.feats + "|VerbForm=Part"
    adjunct = scene.adjunct(event.adjuncts)
    filler = adjunct and scene.fresh(adjunct.fillers)
    if filler:
        adjective.before(prepositional(scene, adjunct.preposition, filler, rich=0),
                         "obl")
    phrase.before(adjective, "amod")


def add_owner(scene: Scene, phrase: Phrase) -> Nominal | None:
    """das Auto der Chefin"""
    people = tuple(f for f in scene.lexicon.people[scene.domain] if not
                   scene.lexicon.nouns[f.noun].marks & {"kin", "rel"})
    filler = scene.fresh(people)
    if filler is None:
        return None
    owner = nominal(scene, filler, "Gen", rich=0.2, wanted="der")
    phrase.after(owner.phrase, "nmod")
    return owner


def fitting_attributes(scene: Scene, noun: Noun, role: str, determiner: str
                       ) -> tuple[Adjunct, ...]:
    """The attributes of a noun; where it stands only if it stays there, but then
    that is what tells one thing from another most often."""
    stays = scene.still and role in ("subject", "object")
    loose = tuple(a for a in noun.attributes if a.loose)
    if stays and loose and scene.rng.chance(0.65):
        return loose
    owned = determiner in ("own", "genitive")
    return tuple(a for a in noun.attributes
                 if not a.loose and not (owned and a.preposition == "gen"))


def add_attribute(scene: Scene, phrase: Phrase, attribute: Adjunct,
                  rich: float) -> Nominal | None:
    """eine Suppe mit Pilzen und Reis, der Turm der Kirche"""
    inner = scene.fresh(attribute.fillers)
    if inner is None:
        return None
    form, case = (("", "Gen") if attribute.preposition == "gen"
                  else split(attribute.preposition))
    scene.placed |= attribute.loose
    added = nominal(scene, inner, case, rich=0 if attribute.loose else rich,
                    role="attribute")
    if form:
        with_preposition(form, added.phrase)
    bare = tuple(f for f in attribute.fillers if f.article == "none" or f.plural)
    if form in ("mit", "über", "für") and inner in bare and scene.rng.chance(0.3):
        other = scene.fresh(bare)
        if other:
            second = nominal(scene, other, case, rich=0, role="attribute").phrase
            added.phrase.after(second.before(words.conjunction("und"), "cc"), "conj")
    phrase.after(added.phrase, "nmod")
    return None if inner.article == "none" else added


def prepositional(scene: Scene, preposition: str, filler: Filler, *,
                  rich: float = 0.5, role: str = "adjunct", focus: float = 0) -> Phrase:
    """A preposition with its noun phrase, headed by the noun; `focus` is the chance
    of "nur" or "auch" before it."""
    form, case = split(preposition)
    phrase = with_preposition(form, nominal(scene, filler, case, rich=rich,
                                            role=role).phrase)
    if scene.focus and scene.rng.chance(focus):
        phrase.before(words.adverb(scene.rng.weighted(FOCUS)), "advmod")
    return phrase


def with_preposition(form: str, phrase: Phrase) -> Phrase:
    """Put a preposition in front, and write it with the article as one word
    where that is usual: im, zum, am."""
    first = phrase.words[0]
    word = words.preposition(form)
    if first.xpos == "ART":
        word.merged = words.CONTRACTIONS.get((form, first.form), "")
    return phrase.before(word, "case")


def person(scene: Scene, fillers: tuple[Filler, ...], case: str, *, rich: float = 1.0,
           pronouns: bool = True) -> Nominal | None:
    """Somebody who may be the subject of an event: a pronoun, a name, a noun."""
    rng = scene.rng
    if all(scene.lexicon.nouns[filler.noun].human for filler in fillers):
        kind = rng.weighted({"pronoun": 2.5 if pronouns else 0, "name": 2.2,
                              "appositive": 0.5, "noun": 6, "pair": 0.9,
                              "indefinite": 0.3 if case == "Nom" else 0})
        if kind == "pronoun":
            return pronominal(rng.weighted(SPEAKERS), case)
        if kind == "name":
            return name(scene, case)
        if kind == "indefinite":
            form = rng.pick(list(words.INDEFINITE))
            return Nominal(Phrase(words.indefinite(form)), form, "m",
                           "Plur" if form == "alle" else "Sing", human=True,
                           pronoun="sie+" if form == "alle" else "er",
                           bare_pronoun=True)
        if kind == "pair":
            return coordinated(scene, fillers, case)
        if kind == "appositive":
            found = appositive(scene, fillers, case)
            if found:
                return found
    filler = scene.fresh(fillers)
    if filler is None:
        return None
    found = nominal(scene, filler, case, rich=rich,
                    role="subject" if case == "Nom" else "object")
    if case == "Nom" and found.definite and scene.focus and rng.chance(0.06):
        found.phrase.before(words.adverb(rng.weighted(FOCUS)), "advmod")
    return found


def appositive(scene: Scene, fillers: tuple[Filler, ...], case: str) -> Nominal | None:
    """mein Bruder Leo; Anna, eine junge Pianistin,"""
    filler = scene.fresh(fillers)
    if filler is None:
        return None
    noun = scene.lexicon.nouns[filler.noun]
    gender = noun.forms[1]
    fitting = [n for n in NAMES if NAMES[n] == gender and n not in scene.mentioned]
    if not fitting:
        return None
    given = scene.rng.pick(fitting)
    scene.mentioned.add(given)
    if "kin" in noun.marks:
        kin = nominal(scene, filler, case, rich=0.3)
        kin.phrase.after(words.proper_name(given, case, gender), "appos")
        return kin
    if noun.lemma in ("Mann", "Frau", "Junge"):
        return None
    what = nominal(scene, Filler(filler.noun), case,
                   wanted=scene.rng.pick(["der", "ein"])).phrase
    what.before(words.mark(","), "punct").after(words.mark(","), "punct")
    phrase = Phrase(words.proper_name(given, case, gender)).after(what, "appos")
    return Nominal(phrase, given, gender, human=True, pronoun=REFERENCE[gender])


def coordinated(scene: Scene, fillers: tuple[Filler, ...], case: str
                ) -> Nominal | None:
    """Two or three noun phrases for the same place."""
    rng = scene.rng
    fillers = tuple(f for f in fillers
                    if "bare" not in scene.lexicon.nouns[f.noun].marks)
    humans = all(scene.lexicon.nouns[filler.noun].human for filler in fillers)
    members: list[Nominal] = []
    if humans and rng.chance(0.5):
        members.append(name(scene, case, full=0))
        if rng.chance(0.4):
            members.append(name(scene, case, full=0))
    size = 3 if rng.chance(0.15) else 2
    likes = rng.weighted({"der": 3, "ein": 2})        # all of them alike
    while len(members) < size:
        filler = scene.fresh(fillers)
        if filler is None:
            break
        noun = scene.lexicon.nouns[filler.noun]
        alike = likes if likes == "der" or "mass" not in noun.marks else ""
        members.append(nominal(scene, filler, case, rich=0.7, wanted=None
                               if noun.marks & {"kin", "bare", "only"} else alike))
    if len(members) < 2:
        return members[0] if members else None
    first, *rest = members
    for i, member in enumerate(rest):
        link, deprel = ((words.conjunction("und"), "cc") if i == len(rest) - 1
                        else (words.mark(","), "punct"))
        member.phrase.before(link, deprel)
        member.phrase.under(first.phrase.head, "conj")
    whole = arrange(first.phrase.head, *(member.phrase for member in members))
    return Nominal(whole, first.lemma, "m", "Plur", "3", humans, "sie+",
                   definite=first.definite)
