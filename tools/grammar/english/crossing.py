"""English sentences whose trees are not projective.

Each puts something at an edge of the sentence that belongs to a word further
inside, so that its arc crosses others.
"""
from __future__ import annotations

from dataclasses import replace

from ..lexicon import Filler, Scene
from ..tree import Phrase
from . import words
from .clauses import TIMES, Form, add_time, happening
from .complexes import modifiable
from .nominals import nominal, person, prepositional, pronominal
from .sentences import asked_object, event_clause, finish, question_form
from .subordination import asking, deliberate, relative, verb_only, wanting

APPEARING = {"review": ["appear"], "letter": ["arrive"], "article": ["appear"],
             "report": ["appear"], "book": ["appear"], "parcel": ["arrive"],
             "exhibition": ["open"], "film": ["begin"], "email": ["arrive"],
             "song": ["begin"], "postcard": ["arrive"],
             "lecture": ["begin"]}
SEPARABLE = {"about", "of", "from", "on", "by"}
CALLING = ["call", "arrive", "appear", "come_in"]


def distant_question(scene: Scene) -> Phrase | None:
    """Which book did the teacher ask them to read? What do you want to cook?"""
    form = replace(question_form(scene), perfect=False)
    event = scene.event(lambda e: e.objects and deliberate(e))
    if event is None:
        return None
    asked = asked_object(scene, event, scene.rng.pick(["what", "which"]))
    if asked is None:
        return None
    if scene.rng.chance(0.4):
        pair = asking(scene, event, form, gap="object", support=True)
    else:
        subject = pronominal("you", "Nom") if scene.rng.chance(0.5) else None
        pair = wanting(scene, event, form, gap="object", subject=subject, support=True)
    if pair is None:
        return None
    outer, inner = pair
    asked.under(inner.head, "obj")
    outer.front = [asked]
    return finish(outer.question(), "?")


def distant_topic(scene: Scene) -> Phrase | None:
    """This poem she has always wanted to translate."""
    event = scene.event(lambda e: e.objects and deliberate(e))
    filler = event and scene.fresh(event.objects)
    if not filler:
        return None
    noun = scene.lexicon.nouns[filler.noun]
    if noun.marks & {"mass", "bare", "only", "kin"}:
        return None
    topic = nominal(scene, Filler(filler.noun, filler.plural, "none"), rich=0.6).phrase
    topic.before(words.determiner("these" if filler.plural else "this"), "det")
    form = Form(scene.rng.pick(["past", "present"]))
    outer, inner = wanting(scene, event, form, gap="object")
    topic.under(inner.head, "obj")
    outer.front = [topic]
    return finish(outer.statement())


def distant_relative(scene: Scene) -> Phrase | None:
    """She finally found the book that she had wanted to read."""
    form = Form(scene.rng.pick(["past", "present"]))
    clause = event_clause(scene, form, rich=0.3, adjuncts=0.3)
    if clause is None or clause.rest or not modifiable(clause.object):
        return None
    scene.owner = ""
    modifier = relative(scene, clause.object, form, distant=True)
    if modifier is None:
        return None
    clause.object.phrase.after(modifier, "acl:relcl")
    return finish(clause.statement())


def late_relative(scene: Scene) -> Phrase | None:
    """A woman called yesterday who had lost her keys."""
    people = scene.lexicon.people[scene.domain]
    filler = scene.fresh(tuple(f for f in people if "kin" not in
                               scene.lexicon.nouns[f.noun].marks))
    if filler is None:
        return None
    form = Form("past")
    subject = nominal(scene, Filler(filler.noun), wanted="a", rich=0.4)
    clause = happening(scene, verb_only(scene.rng.pick(CALLING)), form, subject=subject)
    add_time(scene, clause, form, likely=0.7)
    modifier = relative(scene, subject, form, late=True)
    if modifier is None:
        return None
    clause.rest.append(modifier)
    return finish(clause.statement())


def late_attribute(scene: Scene) -> Phrase | None:
    """A review appeared yesterday of the new opera."""
    lemma = scene.rng.pick(list(APPEARING))
    noun = scene.lexicon.nouns[lemma]
    attributes = [a for a in noun.attributes if a.preposition in SEPARABLE
                  and not a.loose and a.fillers[0].noun not in TIMES]
    attribute = scene.rng.pick(attributes)
    inner = scene.fresh(attribute.fillers)
    if inner is None:
        return None
    form = Form(scene.rng.pick(["past", "past", "future"]))
    subject = nominal(scene, Filler(lemma), wanted="a", rich=0)
    if scene.rng.chance(0.5):
        phrase = subject.phrase
        article = phrase.words.pop(0)
        phrase.before(words.adjective(scene.rng.pick(["new", "long", "short"])), "amod")
        phrase.words.insert(0, article)
        article.form = "a"
    clause = happening(scene, verb_only(scene.rng.pick(APPEARING[lemma])), form,
                       subject=subject)
    add_time(scene, clause, form, likely=0.5)
    late = prepositional(scene, attribute.preposition, inner, rich=0.5)
    clause.rest.append(late.under(subject.phrase.head, "nmod"))
    return finish(clause.statement())


def split_comparison(scene: Scene) -> Phrase | None:
    """Her brother has an older guitar than Paula."""
    scene.focus = False
    things = [lemma for lemma in ("house", "car", "guitar", "garden", "flat", "suitcase",
                                  "dog", "computer", "bicycle", "telescope", "desk")
              if any(words.has_comparative(a)
                     for a in scene.lexicon.nouns[lemma].adjectives)]
    noun = scene.lexicon.nouns[scene.rng.pick(things)]
    people = scene.lexicon.people[scene.domain]
    subject = person(scene, people, "Nom", rich=0.5)
    other = person(scene, people, "Acc", rich=0.2, pronouns=False)
    if subject is None or other is None or other.lemma in words.INDEFINITE:
        return None
    lemma = scene.rng.pick([a for a in noun.adjectives if words.has_comparative(a)])
    adjective = words.comparative(lemma)
    thing = nominal(scene, Filler(noun.lemma, False, "none"), rich=0)
    thing.phrase.before(adjective, "amod")
    one = words.determiner("a")
    one.form = "an" if adjective.form[0] in "aeiou" else "a"
    thing.phrase.before(one, "det")
    form = Form(scene.rng.pick(["past", "present"]))
    clause = happening(scene, verb_only("have"), form, subject=subject)
    thing.phrase.under(clause.head, "obj")
    clause.object = thing
    than = other.phrase.before(words.preposition("than"), "case")
    clause.rest.append(than.under(adjective, "obl"))
    return finish(clause.statement())
