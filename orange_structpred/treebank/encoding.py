"""Sentences as integer arrays: what everything hot works on.

A string becomes a 64-bit number that is the same on every machine and in
every run, so no vocabulary has to be kept beside a model. Each sentence gets
an artificial root at position 0; its tokens stand at positions 1..n.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from orange_structpred.files.scratch import MEMORY, Scratch
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled
from orange_structpred.treebank.distinct import distinct
from orange_structpred.treebank.guesses import guess
from orange_structpred.treebank.normal_form import normal_form
from orange_structpred.treebank.projectivity import crossed

ROOT_STRING = "\x00root"
ROOT_NAME = "<root>"         # in the names of features


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


class WordIds(StringIds):
    """The same for words, by their normal forms."""

    def __missing__(self, string: str) -> int:
        self[string] = number = string_id(normal_form(string))
        return number


def string_ids(strings: Iterable[str]) -> np.ndarray:
    """The numbers of many strings, as uint64."""
    return StringIds().of(strings)


# What is known of a token, a column each. `marker` is the preposition or
# subordinator that a word seems to have, `coordinator` its conjunction;
# `cluster` is a word's cluster, where there are clusters; `kind` marks words
# that are counted between head and dependent; it is a set of bits, not a
# string's number.
ENCODED_LAYERS = ("form", "lemma", "upos", "xpos", "feats", "ending", "beginning", "shape",
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
    shape: list[str] = []
    for sign in form:
        kind = ("X" if sign.isupper() else "x" if sign.islower()
                else "9" if sign.isdigit() else sign)
        if not shape or shape[-1] != kind:
            shape.append(kind)
    return "".join(shape)


ENCODED_AT_ONCE = 4096        # sentences of which there may be copies in memory


@dataclass(frozen=True)
class Encoded:
    """Sentences one after the other, each with its root at position 0.

    Tokens and heads may be mapped from files that are larger than memory; so may be what
    is made of them, by way of `scratch`.

    Attributes
    ----------
    offsets : int64 array of n_sentences + 1
        Sentence i is at positions offsets[i] to offsets[i + 1] of the others.
    tokens : uint64 array of (positions, len(LAYERS))
    heads : int32 array of positions; -1 at roots and where no head is known
    scratch : where arrays of all positions are made
    known : bool array of positions, where some heads are guesses that make trees of partly
        annotated sentences; None where no head is
    """

    offsets: np.ndarray
    tokens: np.ndarray
    heads: np.ndarray
    scratch: Scratch = field(default=MEMORY, repr=False, compare=False)
    known: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def layer(self, name: str) -> np.ndarray:
        return self.tokens[:, ENCODED_LAYERS.index(name)]

    def lengths(self) -> np.ndarray:
        """Tokens of each sentence, the root not counted."""
        return np.diff(self.offsets) - 1

    def between(self, first: int, last: int) -> Encoded:
        """The sentences first..last - 1."""
        start, stop = self.offsets[first], self.offsets[last]
        return Encoded(self.offsets[first:last + 1] - start, self.tokens[start:stop],
                       self.heads[start:stop],
                       known=None if self.known is None else self.known[start:stop])

    def with_clusters(self, sentences: Sequence, clusters: Mapping[str, int] | None
                      ) -> Encoded:
        """The same with the clusters of words; words without one are in cluster 0."""
        if not clusters:
            return self
        tokens = self.tokens.copy()
        tokens[self.is_token(), ENCODED_LAYERS.index("cluster")] = [
            clusters.get(normal_form(form), 0) for sentence in sentences for form in sentence.forms]
        return replace(self, tokens=tokens)

    def is_token(self) -> np.ndarray:
        """For each position whether a token stands there, not a root."""
        result = np.ones(len(self.heads), dtype=bool)
        result[self.offsets[:-1]] = False
        return result

    def annotated_heads(self) -> np.ndarray:
        """The heads without guesses: -1 where no head is known."""
        return self.heads if self.known is None else np.where(
            self.known, self.heads, np.int32(-1))

    def is_complete(self) -> np.ndarray:
        """For each sentence, whether the heads of all its tokens are known."""
        missing = (self.annotated_heads() < 0) & self.is_token()
        return ~np.logical_or.reduceat(missing, self.offsets[:-1])

    def blocks(self) -> Iterator[tuple[int, Encoded]]:
        """The sentences some at a time, in memory, with the number of the first."""
        for first in range(0, len(self), ENCODED_AT_ONCE):
            yield first, self.between(first, min(first + ENCODED_AT_ONCE, len(self)))

    def positions(self, sentences: np.ndarray) -> np.ndarray:
        """The positions of some sentences, roots included."""
        starts = self.offsets[sentences]
        sizes = self.offsets[sentences + 1] - starts
        before = np.cumsum(sizes) - sizes
        return np.repeat(starts - before, sizes) + np.arange(sizes.sum())

    def taken(self, flat: np.ndarray, sentences: np.ndarray) -> np.ndarray:
        """What an array over all positions has at those of some sentences."""
        sizes = self.offsets[sentences + 1] - self.offsets[sentences]
        result = self.scratch.empty((int(sizes.sum()), *flat.shape[1:]), flat.dtype)
        done = 0
        for first in range(0, len(sentences), ENCODED_AT_ONCE):
            positions = self.positions(sentences[first:first + ENCODED_AT_ONCE])
            result[done:done + len(positions)] = flat[positions]
            done += len(positions)
        return result

    def select(self, sentences: np.ndarray) -> Encoded:
        """Some of the sentences."""
        lengths = np.diff(self.offsets)[sentences]
        return Encoded(np.concatenate([[0], np.cumsum(lengths)]),
                       self.taken(self.tokens, sentences),
                       self.taken(self.heads, sentences), self.scratch,
                       None if self.known is None else self.taken(self.known, sentences))

    def crossed(self) -> np.ndarray:
        """For each sentence, whether two of its arcs cross."""
        return np.concatenate([np.zeros(0, bool), *(
            crossed(part.heads[part.is_token()],
                    part.offsets - np.arange(len(part.offsets)))
            for _, part in self.blocks())])

    def values(self, *layers: str) -> np.ndarray:
        """The distinct values that tokens have in some layers, sorted."""
        columns = [ENCODED_LAYERS.index(name) for name in layers]
        values = np.zeros(0, np.uint64)
        for _, part in self.blocks():
            values = np.union1d(values, part.tokens[part.is_token()][:, columns])
        return values

    def split(self, flat: np.ndarray) -> list[np.ndarray]:
        """One array a sentence, without the root's place, of a flat array."""
        bounds = self.offsets.tolist()
        return [flat[start + 1:stop] for start, stop in pairwise(bounds)]


ANNOTATED = ("forms", "lemmas", "upos", "xpos", "feats")


# What the spelling of a form says.
SPELLING = {
    "form": lambda form: form,
    "ending": lambda form: form[-3:].lower(),
    "beginning": lambda form: form[:3].lower(),
    "shape": word_shape,
}
OTHERS = {"lemma": "lemmas", "upos": "upos", "xpos": "xpos", "feats": "feats"}


@lru_cache(maxsize=1 << 16)
def spelling_ids(form: str) -> tuple[int, ...]:
    """The numbers of what the spelling of a form says, and the bits of its kind."""
    form = normal_form(form)
    return *(string_id(derive(form)) for derive in SPELLING.values()), form_kind(form)


def layer_strings(sentence) -> dict[str, list[str]]:
    """The layers of one sentence in words, with the root at position 0."""
    forms, lemmas = (list(map(normal_form, words))
                     for words in (sentence.forms, sentence.lemmas))
    layers = {name: [ROOT_NAME, *map(derive, forms)] for name, derive in SPELLING.items()}
    for name, attribute in OTHERS.items():
        layers[name] = [ROOT_NAME, *(lemmas if name == "lemma" else getattr(sentence, attribute))]
    guessed = guess(sentence.upos, sentence.feats, np.array([len(sentence)]))
    for name, places in guessed.items():
        layers[name] = [ROOT_NAME, *(lemmas[k] if k >= 0 else ""
                                    for k in places.tolist())]
    return {**layers, "cluster": layers["form"]}


def encode(sentences: Sequence, *,
           check_cancelled: CheckCancelled = never_cancelled) -> Encoded:
    """Sentences as integer arrays.

    check_cancelled : called now and then; raises an exception to stop
    """
    lengths = np.array([len(sentence) for sentence in sentences], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths + 1)]).astype(np.int64)
    encoded = Encoded(
        offsets,
        np.full((offsets[-1], len(ENCODED_LAYERS)), string_id(ROOT_STRING), np.uint64),
        np.full(offsets[-1], -1, np.int32))
    tokens, is_token = encoded.tokens, encoded.is_token()
    ids, word_ids = StringIds(), WordIds()

    values: dict[str, list[str]] = {name: [] for name in ANNOTATED}
    for sentence in sentences:
        for name, column in values.items():
            column += getattr(sentence, name)
    forms, which = distinct(values["forms"])
    spelled = np.array(list(map(spelling_ids, forms)), np.uint64).reshape(
        -1, len(SPELLING) + 1)[which]
    check_cancelled()
    columns = dict(zip(SPELLING, spelled.T))
    for name, attribute in OTHERS.items():
        columns[name] = (word_ids if name == "lemma" else ids).of(values[attribute])
        check_cancelled()
    lemmas = np.append(columns["lemma"], np.uint64(string_id("")))     # this one at -1
    for name, places in guess(values["upos"], values["feats"], lengths).items():
        columns[name] = lemmas[places]
        check_cancelled()
    columns["cluster"] = np.zeros(len(values["forms"]))
    tags, which_tag = distinct(values["upos"])
    columns["kind"] = (spelled[:, -1]
                       | np.array(list(map(tag_kind, tags)), dtype=np.uint64)[which_tag])
    for layer, name in enumerate(ENCODED_LAYERS):
        tokens[is_token, layer] = np.array(columns[name], dtype=np.uint64)
    tokens[~is_token, ENCODED_LAYERS.index("kind")] = 0
    if len(sentences):
        encoded.heads[is_token] = np.concatenate([s.heads for s in sentences])
    return encoded
