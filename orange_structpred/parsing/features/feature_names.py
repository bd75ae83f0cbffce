"""The names of features as a reader would say them.

``h.upos=VERB d.upos=NOUN n.verbs=0`` is "head is a verb, dependent is a noun, no verb
in between". What is not understood stays as it is.
"""
from __future__ import annotations

import re

from orange_structpred.treebank.encoding import ROOT_NAME
from orange_structpred.treebank.layers import EMPTY

#: Who has a part in a feature: in edges, in siblings and grandparents, in relations
SIDES = {"h": "head", "d": "dependent",
         "s": "nearer sibling", "t": "farther sibling", "g": "head's head", "x": "child",
         "l": "sibling to the left", "r": "sibling to the right",
         "f": "first child", "c": "last child",
         "m": "function word of the dependent", "k": "function word of the head"}
SIDE_LETTERS = "".join(SIDES)
ATOM_WITH_VALUE = re.compile(rf"(?:([{SIDE_LETTERS}])([+-]\d)?|(b)|(n))\.(\w+)=(.*)",
                             re.DOTALL)
NEXT = re.compile(rf" (?=(?:[{SIDE_LETTERS}](?:[+-]\d)?|b|n)\.\w+=)")
PLACE = re.compile(
    r"(?P<name>.*) at (?:(?P<subject>[tx]|no x) )?"
    r"(?:distance (?P<far>over \d+|\S+) )?(?P<side>left|right)(?: of (?P<of>[sd]))?"
    r"(?: under (?:distance (?P<above>over \d+|\S+) )?(?P<under>left|right))?", re.DOTALL)
COUNTS = {"verbs": "verb", "commas": "comma", "conjunctions": "conjunction",
          "nouns": "noun", "puncts": "punctuation mark"}
NEAREST = {"before": "punctuation before the", "after": "punctuation after the",
           "previous": "verb before the", "next": "verb after the"}
TAGS_IN_WORDS = {
    "ADJ": "an adjective", "ADP": "a preposition", "ADV": "an adverb",
    "AUX": "an auxiliary", "CCONJ": "a coordinating conjunction",
    "DET": "a determiner", "INTJ": "an interjection", "NOUN": "a noun",
    "NUM": "a number", "PART": "a particle", "PRON": "a pronoun",
    "PROPN": "a proper noun", "PUNCT": "punctuation",
    "SCONJ": "a subordinating conjunction", "SYM": "a symbol", "VERB": "a verb",
    "X": "another word (X)",
}
#: What stands for a neighbour beyond the sentence, and for no word at all
START, END, NO_WORD = "<start>", "<end>", "none"
#: What is no feature, but the vote of a transition-based parser
VOTE_NAME = "vote"
#: What is no feature, but the log-probability that a net gives to the head
NET_NAME = "net"


def in_words(name: str) -> str:
    """A feature's name in words."""
    if name == VOTE_NAME:
        return "the transition-based parser's vote"
    if name == NET_NAME:
        return "the net"
    match = PLACE.fullmatch(name)
    text = match["name"] if match else name
    atoms = list(dict.fromkeys(_atom_in_words(atom) for atom in NEXT.split(text)))
    words = [word for word in atoms if word is not None]
    if len(words) < len(atoms):
        return name
    if match:
        parts = match.groupdict()
        del parts["name"]
        places = _place_in_words(**parts)
        # "no child to the left" says it all
        words = [word for word in words if not places[0].startswith(f"{word} ")] + places
    return ", ".join(words)


def _place_in_words(far: str | None, side: str, *, subject: str | None = None,
                    of: str | None = None, above: str | None = None,
                    under: str | None = None) -> list[str]:
    """Where the dependent is or, in parts with others, who is where."""
    who = "no child" if subject == "no x" else SIDES[subject or "d"]
    words = [f"{who} {_distance_in_words(far)}to the {side}"
             + (f" of the {SIDES[of]}" if of else "")]
    if under:
        lower = "dependent" if subject else "head"
        words.append(f"{lower} {_distance_in_words(above)}to the {under} of its head")
    return words


def _distance_in_words(far: str | None) -> str:
    if not far:
        return ""
    return far.replace("-", " to ") + (" word " if far == "1" else " words ")


def _atom_in_words(atom: str) -> str | None:
    match = ATOM_WITH_VALUE.fullmatch(atom)
    if match is None:
        return None
    side, offset, between, number, layer, value = match.groups()
    if number:
        return _count_in_words(layer, value)
    if between:
        tag = TAGS_IN_WORDS.get(value) if layer == "upos" else None
        return f"{tag or _property(layer, value)} in between"
    who = _who(SIDES[side], int(offset or 0))
    if value == ROOT_NAME:
        return f"{who} is the root"
    if layer in NEAREST:
        what = f"{NEAREST[layer]} {who}"
        return f"no {what}" if value in (START, END) else (
            f"{what} is “{value}”" if layer in ("before", "after")
            else f"{what} is {TAGS_IN_WORDS.get(value, value)}")
    if value in (START, END) or offset and value == NO_WORD:
        return f"no {who.removeprefix('the ')}"
    if layer == "position":
        return _position_in_words(who, value)
    if layer == "marker":
        return f"{who} has no marker" if value == NO_WORD \
            else f"{who} is marked by “{value}”"
    if layer == "coordinator":
        return f"no conjunction before the {who}" if value == NO_WORD \
            else f"{who} is joined by “{value}”"
    if layer == "upos":
        return f"{who} is {TAGS_IN_WORDS.get(value, value)}"
    if layer == "form":
        return f"{who} is “{value}”"
    return f"{who} has {_property(layer, value)}"


def _who(side: str, offset: int) -> str:
    if not offset:
        return side
    which = {1: "word", 2: "second word"}.get(abs(offset), f"{abs(offset)}th word")
    return f"{which} {'after' if offset > 0 else 'before'} the {side}"


def _position_in_words(who: str, value: str) -> str | None:
    first, _, last = value.partition("/")
    ends = {"1": "the last word", "2": "the last word but one",
            "3": "the last word but two"}
    begins = {"0": "the root", "1": "the first word", "2": "the second word"}
    if first in begins:
        return f"{who} is {begins[first]}" + (
            f" and {ends[last]}" if last in ends and first != "0" else "")
    return f"{who} is {ends.get(last, 'in the middle of the sentence')}"


def _property(layer: str, value: str) -> str:
    if layer == "feats":
        return "no features" if value in (EMPTY, NO_WORD) else f"the features {value}"
    names = {"form": "the form", "lemma": "the lemma", "ending": "the ending",
             "beginning": "the beginning", "shape": "the shape", "xpos": "the tag",
             "upos": "the tag", "cluster": "the cluster of"}
    name = names.get(layer, layer)
    return f"{name} {value}" if layer in ("xpos", "upos") else f"{name} “{value}”"


def _count_in_words(kind: str, value: str) -> str | None:
    if kind in ("tags", "below", "beside"):
        whose = {"tags": "in between", "below": "below the dependent",
                 "beside": "below the head"}[kind]
        return f"nothing {whose}" if value == NO_WORD else f"the tags {value} {whose}"
    if kind == "distance" and (match := re.fullmatch("(.+) (left|right)", value)):
        return _place_in_words(*match.groups())[0]
    if kind == "children":
        left, _, right = value.partition(" and ")
        return f"dependent has {left} children to the left, {right} to the right"
    if kind == "arity":
        return f"dependent is child {value} of the head"
    one = COUNTS.get(kind)
    if one is None:
        return None
    if value in ("0", "1"):
        return f"{'no' if value == '0' else 'one'} {one} in between"
    count = f"{value[:-1]} or more" if value.endswith("+") else value
    return f"{count} {one}s in between"
