"""English noun phrases: articles, adjectives, attributes, names, coordination."""
from __future__ import annotations

from dataclasses import dataclass

from ..lexicon import Adjunct, Filler, Noun, Scene
from ..tree import Phrase, arrange
from . import words

NAMES = {"Anna": "she", "Ben": "he", "Clara": "she", "David": "he", "Emma": "she",
         "Felix": "he", "Hannah": "she", "Jonas": "he", "Laura": "she", "Leo": "he",
         "Maria": "she", "Oscar": "he", "Paula": "she", "Simon": "he", "Tom": "he",
         "Vera": "she"}
SURNAMES = ["Novak", "Berg", "Rossi", "Keller", "Santos", "Larsen", "Moreau"]
SPEAKERS = {"I": 3, "you": 1, "he": 3, "she": 3, "we": 3, "they": 2}
NUMBERS = {"two": 6, "three": 5, "four": 2, "five": 1, "six": 0.5, "twelve": 0.3}
GRADED = {"old", "young", "small", "long", "short", "beautiful", "difficult",
          "expensive", "cheap", "interesting", "exciting", "high", "heavy", "friendly",
          "famous", "talented", "quiet", "sharp", "hot", "important", "useful", "thick"}
# people of whom one does not say that somebody is one
PLAIN_PEOPLE = {"man", "woman", "boy", "girl", "child", "guest", "neighbour"}
# written with "a" although a vowel letter follows, or the other way round
SOUND = {"university": "a", "useful": "a", "European": "a", "honest": "an",
         "uniform": "a", "hour": "an"}


@dataclass
class Nominal:
    """A noun phrase and what the rest of the clause has to know of it."""

    phrase: Phrase
    lemma: str
    number: str = "Sing"
    person: str = "3"
    human: bool = False
    pronoun: str = "it"                  # what it is referred to by
    bare_pronoun: bool = False           # is itself only a pronoun
    attribute: Nominal | None = None     # the noun phrase at its end, if any


def article(following: str) -> str:
    """a or an, by the word that follows."""
    return SOUND.get(following) or ("an" if following[0] in "aeiouAEIOU" else "a")


def reference(scene: Scene, noun: Noun, plural: bool) -> str:
    """The pronoun that refers to this noun."""
    if plural:
        return "they"
    if not noun.human:
        return "it"
    if "male" in noun.marks:
        return "he"
    return "she" if "female" in noun.marks else scene.rng.pick(["he", "she"])


def pronominal(lemma: str, case: str) -> Nominal:
    person, number = words.PRONOUNS[lemma][3:5]
    # "you" agrees like a plural whoever is meant
    return Nominal(Phrase(words.pronoun(lemma, case)), lemma, number or "Plur",
                   person, lemma != "it", lemma, True)


def name(scene: Scene, *, full: float = 0.25) -> Nominal | None:
    """A first name, at times with a surname."""
    left = [given for given in NAMES if given not in scene.mentioned]
    given = scene.rng.pick(left)
    scene.mentioned.add(given)
    phrase = Phrase(words.proper_name(given))
    if scene.rng.chance(full):
        phrase.after(words.proper_name(scene.rng.pick(SURNAMES)), "flat")
    return Nominal(phrase, given, human=True, pronoun=NAMES[given])


def genitive(scene: Scene) -> Phrase:
    """A name with 's, or one of the people: the cook's"""
    people = tuple(f for f in scene.lexicon.people[scene.domain] if not
                   scene.lexicon.nouns[f.noun].marks & {"kin", "rel"})
    filler = scene.fresh(people) if scene.rng.chance(0.55) else None
    owner = (nominal(scene, Filler(filler.noun), wanted="the", rich=0, role="adjunct")
             if filler else name(scene, full=0)).phrase
    owner.head.merged = owner.head.form + "'s"
    ending = words.Word("'s", "'s", "PART", "POS")
    return owner.after(ending, "case")


def choose_determiner(scene: Scene, noun: Noun, plural: bool, role: str) -> str:
    """What stands before a noun whose article the table leaves open."""
    weighted = scene.rng.weighted
    marks = noun.marks
    own = 3.0 if "own" in marks else 0
    if "bare" in marks or "name" in marks:
        return ""
    if "only" in marks:
        return "the"
    if "kin" in marks and not plural:
        return weighted({"own": 8, "genitive": 2})
    if "rel" in marks and not plural:
        return weighted({"own": 5, "a": 4, "the": 1, "genitive": 0.7})
    if role == "attribute":
        return "" if plural or "mass" in marks else weighted({"the": 3, "a": 5})
    if "mass" in marks:
        return weighted({"the": 5, "some": 2, "": 2})
    if "pair" in marks:
        return weighted({"the": 3, "own": own})
    if role == "adjunct":
        return weighted({"the": 5, "": 1} if plural
                        else {"the": 3, "a": 2 if scene.familiar else 6, "own": own})
    if plural:
        return weighted({"the": 6, "": 0 if role == "subject" else 1.5, "number": 1.5, "numbered": 0.6, "some": 1,
                         "own": own,
                         "amount": 1, "these": 1, "all": 0.5})
    if role == "subject":
        return weighted({"the": 12, "a": 4, "this": 0.5})
    return weighted({"the": 8, "a": 1 if scene.familiar else 7, "own": own,
                     "genitive": own * 0.6, "this": 0.8, "that": 0.3})


def determine(scene: Scene, phrase: Phrase, choice: str) -> None:
    """Put an article, a possessor or a number in front of a noun."""
    rng = scene.rng
    if choice == "own":
        owner = scene.owner or rng.weighted(SPEAKERS)
        phrase.before(words.possessive(owner), "nmod:poss")
    elif choice == "genitive":
        phrase.before(genitive(scene), "nmod:poss")
    elif choice in ("number", "numbered"):
        phrase.before(words.numeral(rng.weighted(NUMBERS)), "nummod")
        if choice == "numbered":
            phrase.before(words.determiner("the"), "det")
    elif choice == "amount":
        phrase.before(words.adjective(rng.pick(["many", "several"])), "amod")
    elif choice == "all":
        phrase.before(words.determiner("the"), "det")
        everything = words.determiner("all")
        everything.xpos = "PDT"
        phrase.before(everything, "det:predet")
    elif choice == "a":
        one = words.determiner("a")
        one.form = article(phrase.words[0].form)
        phrase.before(one, "det")
    elif choice:
        phrase.before(words.determiner(choice), "det")


def nominal(scene: Scene, filler: Filler, *, rich: float = 1.0, role: str = "object",
            wanted: str | None = None, described: bool = True) -> Nominal:
    """A noun phrase for a noun of the tables.

    `rich` scales how likely adjectives and attributes are; `role` (subject,
    object, adjunct, attribute) bears on the article; `wanted` is a determiner
    that the sentence asks for in any case ("" for none); no adjective is added
    where it is not to be `described`.
    """
    rng = scene.rng
    noun = scene.lexicon.nouns[filler.noun]
    marks = noun.marks
    plural = filler.plural or "pair" in marks
    if (not plural and wanted is None and filler.article == "any"
            and role in ("subject", "object")
            and not marks & {"mass", "bare", "only", "name", "kin", "one"}):
        plural = rng.chance(0.12)
    phrase = Phrase(words.noun(noun.lemma, noun.forms[1], many=plural,
                               proper="name" in marks, pair="pair" in marks))
    attribute = None
    if noun.attributes and filler.article != "none" and rng.chance(0.45 * rich):
        attribute = scene.adjunct(fitting_attributes(scene, noun, role))
    if attribute and attribute.preposition == "n":
        compound(scene, phrase, attribute.fillers)
    if wanted is None:
        wanted = {"definite": "the", "indefinite": "a", "none": ""}.get(filler.article)
    choice = (choose_determiner(scene, noun, plural, role) if wanted is None
              else wanted)
    if (described and noun.adjectives and filler.article != "none"
            and rng.chance(0.34 * rich)):
        describe(scene, phrase, noun, choice)
    determine(scene, phrase, choice)
    found = Nominal(phrase, noun.lemma, "Plur" if plural else "Sing", "3", noun.human,
                    reference(scene, noun, plural))
    if attribute and attribute.preposition != "n":
        found.attribute = add_attribute(scene, phrase, attribute, rich / 2.5)
        scene.prepositions.add("n")
        attribute = (scene.adjunct(fitting_attributes(scene, noun, role))
                     if rng.chance(0.3 * rich) else None)
        if attribute:
            found.attribute = add_attribute(scene, phrase, attribute, rich / 2.5)
    return found


def fitting_attributes(scene: Scene, noun: Noun, role: str) -> tuple[Adjunct, ...]:
    """The attributes of a noun; where it stands only if it stays there, but then
    that is what tells one thing from another most often."""
    stays = scene.still and role in ("subject", "object")
    loose = tuple(a for a in noun.attributes if a.loose)
    if stays and loose and scene.rng.chance(0.65):
        return loose
    return tuple(a for a in noun.attributes if not a.loose)


def add_attribute(scene: Scene, phrase: Phrase, attribute: Adjunct,
                  rich: float) -> Nominal | None:
    """a soup with mushrooms, a soup with mushrooms and rice"""
    inner = scene.fresh(attribute.fillers)
    if inner is None:
        return None
    scene.placed |= attribute.loose
    added = nominal(scene, inner, rich=0 if attribute.loose else rich,
                    role="attribute")
    added.phrase.before(words.preposition(attribute.preposition), "case")
    bare = tuple(f for f in attribute.fillers if f.article == "none" or f.plural)
    listed = attribute.preposition in ("with", "about", "of", "for")
    if listed and inner in bare and scene.rng.chance(0.3):
        other = scene.fresh(bare)
        if other:
            second = nominal(scene, other, rich=0, role="attribute").phrase
            added.phrase.after(second.before(words.conjunction("and"), "cc"), "conj")
    phrase.after(added.phrase, "nmod")
    return None if inner.article == "none" else added


def compound(scene: Scene, phrase: Phrase, fillers: tuple[Filler, ...]) -> None:
    """A noun in front of the noun: history exam."""
    modifier = scene.fresh(fillers)
    if modifier:
        lemma = modifier.noun
        phrase.before(words.noun(lemma, "", many=False), "compound")


def describe(scene: Scene, phrase: Phrase, noun: Noun, determiner: str) -> None:
    """An adjective in front of a noun."""
    lemma = scene.rng.pick(noun.adjectives)
    adjective = Phrase(words.adjective(lemma))
    if determiner == "a" and lemma in GRADED and scene.rng.chance(0.3):
        adjective.before(words.adverb("very"), "advmod")
    phrase.before(adjective, "amod")


def prepositional(scene: Scene, preposition: str, filler: Filler, *,
                  rich: float = 0.5, role: str = "adjunct", focus: float = 0) -> Phrase:
    """A preposition with its noun phrase, headed by the noun; `focus` is the chance
    of "only" or "even" before it."""
    phrase = nominal(scene, filler, rich=rich, role=role).phrase
    phrase.before(words.preposition(preposition), "case")
    if scene.focus and scene.rng.chance(focus):
        phrase.before(words.adverb(scene.rng.pick(["only", "even", "just"])), "advmod")
    return phrase


def person(scene: Scene, fillers: tuple[Filler, ...], case: str, *, rich: float = 1.0,
           pronouns: bool = True) -> Nominal | None:
    """Somebody who may be the subject of an event: a pronoun, a name, a noun."""
    rng = scene.rng
    humans = all(scene.lexicon.nouns[filler.noun].human for filler in fillers)
    if humans:
        kind = rng.weighted({"pronoun": 2.5 if pronouns else 0, "name": 2.2,
                              "appositive": 0.5, "indefinite": 0.35, "noun": 6,
                              "pair": 0.9})
        if kind == "pronoun":
            return pronominal(rng.weighted(SPEAKERS), case)
        if kind == "name":
            return name(scene)
        if kind == "indefinite":
            form = rng.pick(["somebody", "everyone", "nobody"])
            return Nominal(Phrase(words.indefinite(form)), form, human=True,
                           pronoun="they", bare_pronoun=True)
        if kind == "pair":
            return coordinated(scene, fillers)
        if kind == "appositive":
            found = appositive(scene, fillers)
            if found:
                return found
    filler = scene.fresh(fillers)
    if filler is None:
        return None
    found = nominal(scene, filler, rich=rich,
                    role="subject" if case == "Nom" else "object")
    first = found.phrase.words[0].lemma
    if first in ("the", "my", "his", "her", "our", "their") and scene.focus \
            and rng.chance(0.06):
        found.phrase.before(words.adverb(rng.pick(["only", "even"])), "advmod")
    return found


def appositive(scene: Scene, fillers: tuple[Filler, ...]) -> Nominal | None:
    """my brother Leo; Anna, a young pianist,"""
    filler = scene.fresh(fillers)
    if filler is None:
        return None
    noun = scene.lexicon.nouns[filler.noun]
    if "kin" in noun.marks:
        female = {"female": "she", "male": "he"}
        pronoun = next((female[m] for m in noun.marks if m in female), None)
        kin = nominal(scene, filler, rich=0.3)
        given = scene.rng.pick([n for n in NAMES if n not in scene.mentioned
                                 and pronoun in (None, NAMES[n])])
        kin.phrase.after(words.proper_name(given), "appos")
        kin.pronoun = NAMES[given]
        return kin
    if noun.lemma in PLAIN_PEOPLE:
        return None
    who = name(scene)
    what = nominal(scene, Filler(filler.noun), wanted=scene.rng.pick(["the", "a"]))
    what.phrase.before(words.mark(","), "punct").after(words.mark(","), "punct")
    who.phrase.after(what.phrase, "appos")
    return who


def coordinated(scene: Scene, fillers: tuple[Filler, ...]) -> Nominal | None:
    """Two or three noun phrases for the same place."""
    rng = scene.rng
    fillers = tuple(f for f in fillers
                    if "bare" not in scene.lexicon.nouns[f.noun].marks)
    humans = all(scene.lexicon.nouns[filler.noun].human for filler in fillers)
    members: list[Nominal] = []
    if humans and rng.chance(0.5):
        members.append(name(scene, full=0))
        if rng.chance(0.4):
            members.append(name(scene, full=0))
    size = 3 if rng.chance(0.15) else 2
    likes = rng.weighted({"the": 3, "a": 2})          # all of them alike
    while len(members) < size:
        filler = scene.fresh(fillers)
        if filler is None:
            break
        noun = scene.lexicon.nouns[filler.noun]
        if noun.marks & {"kin", "bare", "only"}:
            members.append(nominal(scene, filler, rich=0.7))
            continue
        indefinite = "" if filler.plural or "mass" in noun.marks else "a"
        members.append(nominal(scene, filler, rich=0.7,
                               wanted="the" if likes == "the" else indefinite))
    if len(members) < 2:
        return members[0] if members else None
    first, rest = members[0], members[1:]
    for i, member in enumerate(rest):
        link, deprel = ((words.conjunction("and"), "cc")
                        if i == len(rest) - 1 else (words.mark(","), "punct"))
        member.phrase.before(link, deprel)
        member.phrase.under(first.phrase.head, "conj")
    whole = arrange(first.phrase.head, *(member.phrase for member in members))
    return Nominal(whole, first.lemma, "Plur", "3", humans, "they")
