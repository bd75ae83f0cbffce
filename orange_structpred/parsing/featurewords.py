"""The names of features as a reader would say them.

``h.upos=VERB d.upos=NOUN n.verbs=0`` is "head is a verb, dependent is a noun, no verb
in between". What is not understood stays as it is.
"""
from __future__ import annotations

import re

ATOM = re.compile(r"(?:([hd])([+-]\d)?|(b)|(n))\.(\w+)=(.*)", re.DOTALL)
NEXT = re.compile(r" (?=(?:[hd](?:[+-]\d)?|b|n)\.\w+=)")
DISTANCE = re.compile(r"(.*) at distance (\S+|over 10) (left|right)", re.DOTALL)
SIDES = {"h": "head", "d": "dependent"}
COUNTS = {"verbs": "verb", "commas": "comma", "conjunctions": "conjunction",
          "nouns": "noun"}
TAGS = {
    "ADJ": "an adjective", "ADP": "a preposition", "ADV": "an adverb",
    "AUX": "an auxiliary", "CCONJ": "a coordinating conjunction",
    "DET": "a determiner", "INTJ": "an interjection", "NOUN": "a noun",
    "NUM": "a number", "PART": "a particle", "PRON": "a pronoun",
    "PROPN": "a proper noun", "PUNCT": "punctuation",
    "SCONJ": "a subordinating conjunction", "SYM": "a symbol", "VERB": "a verb",
    "X": "another word (X)",
}
ROOT, START, END, NONE = "<root>", "<start>", "<end>", "none"


def in_words(name: str) -> str:
    """A feature's name in words."""
    distance = DISTANCE.fullmatch(name)
    text = distance[1] if distance else name
    words = list(dict.fromkeys(_atom_in_words(atom) for atom in NEXT.split(text)))
    if None in words:
        return name
    if distance:
        far = distance[2].replace("-", " to ")
        unit = "word" if far == "1" else "words"
        words.append(f"dependent {far} {unit} to the {distance[3]}")
    return ", ".join(words)


def _atom_in_words(atom: str) -> str | None:
    match = ATOM.fullmatch(atom)
    if match is None:
        return None
    side, offset, between, number, layer, value = match.groups()
    if number:
        return _count_in_words(layer, value)
    if between:
        found = TAGS.get(value) if layer == "upos" else None
        return f"{found or _property(layer, value)} in between"
    who = _who(SIDES[side], int(offset or 0))
    if value == ROOT:
        return f"{who} is the root"
    if value in (START, END):
        return f"no {who.removeprefix('the ')}"
    if layer == "marker":
        return f"{who} has no marker" if value == NONE \
            else f"{who} is marked by “{value}”"
    if layer == "coordinator":
        return f"no conjunction before the {who}" if value == NONE \
            else f"{who} is joined by “{value}”"
    if layer == "upos":
        return f"{who} is {TAGS.get(value, value)}"
    if layer == "form":
        return f"{who} is “{value}”"
    return f"{who} has {_property(layer, value)}"


def _who(side: str, offset: int) -> str:
    if not offset:
        return side
    which = {1: "word", 2: "second word"}.get(abs(offset), f"{abs(offset)}th word")
    return f"{which} {'after' if offset > 0 else 'before'} the {side}"


def _property(layer: str, value: str) -> str:
    if layer == "feats":
        return "no features" if value in ("_", NONE) else f"the features {value}"
    names = {"form": "the form", "lemma": "the lemma", "ending": "the ending",
             "beginning": "the beginning", "shape": "the shape", "xpos": "the tag",
             "upos": "the tag", "cluster": "the cluster of"}
    name = names.get(layer, layer)
    return f"{name} {value}" if layer in ("xpos", "upos") else f"{name} “{value}”"


def _count_in_words(kind: str, value: str) -> str | None:
    one = COUNTS.get(kind)
    if one is None:
        return None
    if value in ("0", "1"):
        return f"{'no' if value == '0' else 'one'} {one} in between"
    count = f"{value[:-1]} or more" if value.endswith("+") else value
    return f"{count} {one}s in between"
