"""Sentences as integer arrays: what everything hot works on.

A string becomes a 64-bit number that is the same on every machine and in
every run, so no vocabulary has to be kept beside a model. Each sentence gets
an artificial root at position 0; its tokens stand at positions 1..n.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np

ROOT = "\x00root"


@lru_cache(maxsize=1 << 16)
def string_id(string: str) -> int:
    """A stable 64-bit number for a string."""
    return int.from_bytes(
        blake2b(string.encode("utf-8", "surrogatepass"), digest_size=8).digest(),
        "little")


class StringIds(dict):
    """A dictionary that computes the number of a string when first asked."""

    def __missing__(self, string: str) -> int:
        self[string] = number = string_id(string)
        return number

    def of(self, strings: Iterable[str]) -> np.ndarray:
        """The numbers of many strings, as uint64."""
        return np.fromiter(map(self.__getitem__, strings), np.uint64)


def string_ids(strings: Iterable[str]) -> np.ndarray:
    """The numbers of many strings, as uint64."""
    return StringIds().of(strings)


# What is known of a token, a column each. `marker` is the preposition or
# subordinator that a word seems to have, `coordinator` its conjunction;
# `cluster` is a word's cluster, where there are clusters; `kind` marks words
# that are counted between head and dependent; it is a set of bits, not a
# string's number.
LAYERS = ("form", "lemma", "upos", "xpos", "feats", "ending", "beginning", "shape",
          "marker", "coordinator", "cluster", "kind")
VERB, COMMA, CONJUNCTION, NOUN = 1, 2, 4, 8
KIND_NAMES = {"verbs": VERB, "commas": COMMA, "conjunctions": CONJUNCTION,
              "nouns": NOUN}


def form_kind(form: str) -> int:
    """The bits of a token that its form says: a comma?"""
    return COMMA if form in {",", ";", "،", "、", "，"} else 0


def tag_kind(upos: str) -> int:
    """The bits of a token that its tag says: a verb, a conjunction, a noun?"""
    kind = 0
    if upos.startswith("V") or upos == "AUX":
        kind |= VERB
    if upos in {"CCONJ", "CC", "KON"}:
        kind |= CONJUNCTION
    if upos in {"NOUN", "PROPN", "PRON", "NN", "NE"}:
        kind |= NOUN
    return kind


def word_shape(form: str) -> str:
    """Capitals, small letters, digits and the rest, runs shortened to one sign."""
    if form.isascii() and form.isalpha():       # most words are such
        if form.islower():
            return "x"
        if form.isupper():
            return "X"
        if form.istitle():
            return "Xx"
    shape = []
    for sign in form:
        kind = ("X" if sign.isupper() else "x" if sign.islower()
                else "9" if sign.isdigit() else sign)
        if not shape or shape[-1] != kind:
            shape.append(kind)
    return "".join(shape)


@dataclass(frozen=True)
class Encoded:
    """Sentences one after the other, each with its root at position 0.

    Attributes
    ----------
    offsets : int64 array of n_sentences + 1
        Sentence i is at positions offsets[i] to offsets[i + 1] of the others.
    tokens : uint64 array of (positions, len(LAYERS))
    heads : int32 array of positions; -1 at roots and where no head is known
    """

    offsets: np.ndarray
    tokens: np.ndarray
    heads: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def layer(self, name: str) -> np.ndarray:
        return self.tokens[:, LAYERS.index(name)]

    def lengths(self) -> np.ndarray:
        """Tokens of each sentence, the root not counted."""
        return np.diff(self.offsets) - 1

    def between(self, first: int, last: int) -> Encoded:
        """The sentences first..last - 1."""
        start, stop = self.offsets[first], self.offsets[last]
        return Encoded(self.offsets[first:last + 1] - start, self.tokens[start:stop],
                       self.heads[start:stop])

    def with_clusters(self, sentences: Sequence, clusters: Mapping[str, int] | None
                      ) -> Encoded:
        """The same with the clusters of words; words without one are in cluster 0."""
        if not clusters:
            return self
        tokens = self.tokens.copy()
        tokens[self.is_token(), LAYERS.index("cluster")] = [
            clusters.get(form, 0) for sentence in sentences for form in sentence.forms]
        return replace(self, tokens=tokens)

    def is_token(self) -> np.ndarray:
        """For each position whether a token stands there, not a root."""
        result = np.ones(len(self.heads), dtype=bool)
        result[self.offsets[:-1]] = False
        return result

    def positions(self, sentences: np.ndarray) -> np.ndarray:
        """The positions of some sentences, roots included."""
        return np.concatenate([np.arange(self.offsets[i], self.offsets[i + 1])
                               for i in sentences])

    def select(self, sentences: np.ndarray) -> Encoded:
        """Some of the sentences."""
        positions = self.positions(sentences)
        lengths = np.diff(self.offsets)[sentences]
        return Encoded(np.concatenate([[0], np.cumsum(lengths)]),
                       self.tokens[positions], self.heads[positions])

    def split(self, flat: np.ndarray) -> list[np.ndarray]:
        """One array a sentence, without the root's place, of a flat array."""
        bounds = self.offsets.tolist()
        return [flat[start + 1:stop] for start, stop in pairwise(bounds)]


NOUNS = {"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "SYM", "X"}
IN_NOUN_PHRASE = NOUNS | {"ADV", "PUNCT", "PART"}
NO_CLAUSE_BEGIN = {"VERB", "PUNCT", "CCONJ"}


CONJUNCTS = {"NOUN", "PROPN", "VERB"}
#: Features of the words that open relative clauses and questions, in any language
CLAUSE_OPENERS = ("PronType=Rel", "PronType=Int")


@lru_cache(maxsize=1 << 12)
def opens_clause(feats: str) -> bool:
    return any(kind in feats for kind in CLAUSE_OPENERS)


def coordinators(lemmas: list[str], tags: list[str], feats: list[str]) -> list[str]:
    """For each word the conjunction that it may be joined by, by universal tags:
    the one before it with no noun or verb between."""
    result = []
    conjunction = last = ""
    for lemma, tag in zip(lemmas, tags):
        if tag == "PUNCT" or (last in CONJUNCTS and tag != last):
            conjunction = ""
        result.append(conjunction)
        if tag == "CCONJ":
            conjunction = lemma
        last = tag
    return result


def markers(lemmas: list[str], tags: list[str], feats: list[str]) -> list[str]:
    """For each word the word before it that may mark its place in the sentence.

    For a nominal the preposition before its noun phrase, for a verb the
    subordinator, relative or interrogative word or "to" before it in its clause; a
    guess by universal tags and features, made to be a feature and not a truth.
    """
    result = []
    preposition = subordinator = ""
    for lemma, tag, own in zip(lemmas, tags, feats):
        if tag in NOUNS:
            result.append(preposition)
        elif tag in ("VERB", "AUX"):
            result.append(subordinator)
        else:
            result.append("")
        if tag == "ADP":
            preposition = lemma
        elif tag not in IN_NOUN_PHRASE:
            preposition = ""
        if tag in ("SCONJ", "PART") or opens_clause(own):
            subordinator = lemma
        elif tag in NO_CLAUSE_BEGIN:
            subordinator = ""
    return result


GUESSED = {"markers": markers, "coordinators": coordinators}
ANNOTATED = ("forms", "lemmas", "upos", "xpos", "feats")


# What the spelling of a form says.
SPELLING = {
    "form": lambda form: form,
    "ending": lambda form: form[-3:].lower(),
    "beginning": lambda form: form[:3].lower(),
    "shape": word_shape,
}
OTHERS = {"lemma": "lemmas", "upos": "upos", "xpos": "xpos", "feats": "feats",
          "marker": "markers", "coordinator": "coordinators"}


def layer_strings(sentence) -> dict[str, list[str]]:
    """The layers of one sentence in words, with the root at position 0."""
    values = {name: getattr(sentence, name) for name in ANNOTATED}
    for name, guess in GUESSED.items():
        values[name] = guess(sentence.lemmas, sentence.upos, sentence.feats)
    layers = {name: ["<root>", *map(derive, sentence.forms)]
              for name, derive in SPELLING.items()}
    for name, own in OTHERS.items():
        layers[name] = ["<root>", *values[own]]
    return {**layers, "cluster": layers["form"]}


def encode(sentences: Sequence, *,
           check_cancelled: Callable[[], object] = lambda: None) -> Encoded:
    """Sentences as integer arrays.

    check_cancelled : called now and then; raises an exception to stop
    """
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths + 1)]).astype(np.int64)
    is_token = np.ones(offsets[-1], dtype=bool)
    is_token[offsets[:-1]] = False
    tokens = np.full((offsets[-1], len(LAYERS)), string_id(ROOT), dtype=np.uint64)
    heads = np.full(offsets[-1], -1, dtype=np.int32)
    ids = StringIds()

    values = {name: [value for s in sentences for value in getattr(s, name)]
              for name in ANNOTATED}
    for name, guess in GUESSED.items():
        values[name] = [word for s in sentences
                        for word in guess(s.lemmas, s.upos, s.feats)]
        check_cancelled()
    # each form is looked at once, however often it comes
    forms = list(dict.fromkeys(values["forms"]))
    numbers = {form: number for number, form in enumerate(forms)}
    which = np.fromiter(map(numbers.__getitem__, values["forms"]), np.int64)
    columns = {}
    for name, derive in SPELLING.items():
        columns[name] = ids.of(map(derive, forms))[which]
        check_cancelled()
    for name, own in OTHERS.items():
        columns[name] = ids.of(values[own])
        check_cancelled()
    columns["cluster"] = np.zeros(len(values["forms"]))
    kinds = {tag: tag_kind(tag) for tag in set(values["upos"])}
    columns["kind"] = (np.array(list(map(form_kind, forms)), dtype=np.uint64)[which]
                       | np.fromiter(map(kinds.__getitem__, values["upos"]), np.uint64))
    for layer, name in enumerate(LAYERS):
        tokens[is_token, layer] = np.array(columns[name], dtype=np.uint64)
    tokens[~is_token, LAYERS.index("kind")] = 0
    if len(sentences):
        heads[is_token] = np.concatenate([s.heads for s in sentences])
    return Encoded(offsets, tokens, heads)
