"""What a tagger knows of words: which it has seen often, and with which tags."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from orange_structpred.files.schema import Array
from orange_structpred.running.compiler import njit
from orange_structpred.tagging.sequence_model import Allowed
from orange_structpred.tagging.words import (
    CAPITALISED,
    CAPITALS,
    MIXED,
    NO_CASE,
    SMALL_LETTERS,
    SPELLING_LAYERS,
    spelling,
)
from orange_structpred.treebank.distinct import distinct
from orange_structpred.treebank.encoding import string_id
from orange_structpred.treebank.normal_form import normal_form

#: columns of tokens: spelling, the tags that a word is known to have, the case of the
#: whole sentence, and one that is always the same
OBSERVED_LAYERS = (*SPELLING_LAYERS, "class", "sentence", "always")
UNKNOWN_WORD = np.uint64(string_id("\x00unknown word"))
FREQUENT_COUNT = 100      # words seen as often have no tags but those that they had
RARE = 3            # words seen less often are taken for one unknown word
SELDOM_TAG = 0.05       # tags that a word has less often are not part of its class
_FORM_LAYER, _LOWER, _SHAPE, _ENDING, _CASE = (
    OBSERVED_LAYERS.index(name) for name in ("form", "lower", "shape", "suffix2", "case"))
_CLASS, _SENTENCE, _ALWAYS = (
    OBSERVED_LAYERS.index(name) for name in ("class", "sentence", "always"))


@njit(nogil=True, cache=True)
def sentence_cases(cases, offsets, out):
    """How each sentence is written: with capitals, mostly, only, or in capitals."""
    counts = np.zeros(MIXED + 1, np.int64)
    for i in range(offsets.size - 1):
        counts[:] = 0
        for t in range(offsets[i], offsets[i + 1]):
            counts[cases[t]] += 1
        words = offsets[i + 1] - offsets[i] - counts[NO_CASE]
        capitals = counts[CAPITALISED] + counts[CAPITALS] + counts[MIXED]
        case = 1
        if capitals > 0:
            case += 1
        if counts[SMALL_LETTERS] < capitals:
            case += 2
        if counts[SMALL_LETTERS] == 0:
            case += 4
        if 2 * counts[CAPITALS] > words:
            case += 8
        for t in range(offsets[i], offsets[i + 1]):
            out[t] = case


class Vocabulary:
    """Words, in their normal form, seen often enough to have a number of their own.

    Parameters
    ----------
    forms, lower : uint64, sorted; numbers of forms and of lower-cased forms
    classes : uint64; for each of `lower` the set of tags that it has, as a number
    starts, labels : int64, int32; the labels of forms[k], if it is frequent, are at
        starts[k] to starts[k + 1]
    """

    def __init__(self, forms: np.ndarray, lower: np.ndarray, classes: np.ndarray,
                 starts: np.ndarray, labels: np.ndarray):
        self.forms, self.lower, self.classes = forms, lower, classes
        self.starts, self.labels = starts, labels

    @classmethod
    def learn(cls, forms: Sequence[str], tags: Sequence[int]) -> Vocabulary:
        """From the forms and tags, or other labels, of all tokens."""
        words, numbers = distinct(map(normal_form, forms))
        layers = spelling(words)
        counts = np.bincount(numbers, minlength=len(words))
        by_lower: dict[int, Counter] = defaultdict(Counter)
        lower_of = layers[:, _LOWER].tolist()
        for number, tag in zip(numbers.tolist(), tags):
            by_lower[lower_of[number]][tag] += 1
        lower, classes = [], []
        for number in sorted(by_lower):
            tag_counts = by_lower[number]
            total = tag_counts.total()
            if total >= RARE:
                lower.append(number)
                classes.append(string_id("\t".join(sorted(
                    str(tag) for tag, count in tag_counts.items()
                    if count >= SELDOM_TAG * total))))
        _, order = np.unique(layers[:, _FORM_LAYER], return_index=True)
        order = order[counts[order] >= RARE]
        seen: dict[int, set[int]] = defaultdict(set)
        for number, tag in zip(numbers.tolist(), tags):
            if counts[number] >= FREQUENT_COUNT:
                seen[number].add(tag)
        labels = [sorted(seen.get(number, ())) for number in order.tolist()]
        return cls(layers[order, _FORM_LAYER], np.array(lower, np.uint64),
                   np.array(classes, np.uint64),
                   np.append(0, np.cumsum(list(map(len, labels)))).astype(np.int64),
                   np.array(list(chain.from_iterable(labels)), np.int32))

    def encode(self, sentences: Sequence[Sequence[str]], extra: int = 0
               ) -> tuple[np.ndarray, np.ndarray]:
        """Tokens, columns `OBSERVED_LAYERS` and so many more, and where sentences begin.

        sentences : the forms of each sentence
        """
        offsets = np.zeros(len(sentences) + 1, np.int64)
        np.cumsum(list(map(len, sentences)), out=offsets[1:])
        forms, numbers = distinct(map(normal_form, chain.from_iterable(sentences)))
        words = np.zeros((len(forms), len(OBSERVED_LAYERS) + extra), np.uint64)
        words[:, :len(SPELLING_LAYERS)] = spelling(forms)
        rows, known = places(self.lower, words[:, _LOWER])
        words[:, _CLASS] = np.where(
            known, self.classes[rows] if len(self.classes) else 0,
            words[:, _SHAPE] ^ words[:, _ENDING])
        words[~known, _LOWER] = UNKNOWN_WORD
        words[~places(self.forms, words[:, _FORM_LAYER])[1], _FORM_LAYER] = UNKNOWN_WORD
        words[:, _ALWAYS] = 1
        tokens = words[numbers]
        sentence_cases(tokens[:, _CASE].astype(np.int64), offsets,
                       tokens[:, _SENTENCE])
        return tokens, offsets

    def allowed(self, tokens: np.ndarray) -> Allowed:
        """The labels that frequent words can have, for `SequenceModel.predict`."""
        rows, known = places(self.forms, tokens[:, _FORM_LAYER])
        frequent = np.append(np.diff(self.starts) > 0, False)
        return Allowed(np.where(known & frequent[rows], rows, -1), self.starts,
                       self.labels)

    # in and out

    def arrays(self, prefix: str) -> dict[str, np.ndarray]:
        return {f"{prefix}_forms": self.forms, f"{prefix}_lower": self.lower,
                f"{prefix}_classes": self.classes, f"{prefix}_starts": self.starts,
                f"{prefix}_labels": self.labels}

    @staticmethod
    def arrays_schema(prefix: str, labels: str) -> dict[str, Array]:
        """What `arrays` gives; no word has a label twice, or one that there is not."""
        forms, lower, entries = (f"{prefix}_{size}" for size in ("forms", "lower", "entries"))
        return {forms: Array("uint64", forms, rising=True),
                lower: Array("uint64", lower, rising=True),
                f"{prefix}_classes": Array("uint64", lower),
                f"{prefix}_starts": Array("int64", f"{forms}+1", starts=entries),
                f"{prefix}_labels": Array("int32", entries, low=0, below=labels,
                                          rising=f"{prefix}_starts")}

    @classmethod
    def restore(cls, arrays: Mapping[str, np.ndarray], prefix: str) -> Vocabulary:
        """From arrays that fit their schema."""
        return cls(*(arrays[f"{prefix}_{name}"] for name in (
            "forms", "lower", "classes", "starts", "labels")))


def places(known: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where numbers are in a sorted array, and whether they are there at all."""
    if not len(known):
        return np.zeros(len(numbers), np.int64), np.zeros(len(numbers), bool)
    rows = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    return rows, known[rows] == numbers
