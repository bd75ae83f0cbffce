"""Sentences as sequences of small numbers, one for each different token."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orange_structpred.kernels.errors import KernelError, describe
from orange_structpred.treebank.normal_form import normal_form

#: layers of a sentence by name, and where a Sentence keeps them
TOKEN_LAYERS = {"form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos"}
#: the number of a token that is equal to no other
UNKNOWN_VALUE = -1


@dataclass(frozen=True)
class Tokens:
    """Sequences one after the other; sequence i is ids[offsets[i]:offsets[i + 1]]."""

    ids: np.ndarray
    offsets: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def lengths(self) -> np.ndarray:
        return np.diff(self.offsets)


def layer_strings(sentence: object, layer: str, place: int = 0) -> list[str]:
    """The strings of a layer of a sentence, words in their normal form."""
    try:
        strings = getattr(sentence, TOKEN_LAYERS[layer])
    except AttributeError:
        raise KernelError(f"{describe(sentence, place)} is a "
                          f"{type(sentence).__name__}, expected a Sentence") from None
    return list(map(normal_form, strings)) if layer in ("form", "lemma") else strings


class LayerVocabulary(dict):
    """Numbers of strings, in the order in which the strings first occur.

    A missing annotation ("_") is UNKNOWN, and so is any string first seen after the
    vocabulary was closed: it cannot be equal to any known string.
    """

    def __init__(self, layer: str):
        super().__init__()
        self.layer = layer
        if layer != "form":
            self["_"] = UNKNOWN_VALUE
        self._next = 0

    def __missing__(self, string: str) -> int:
        self[string] = number = self._next
        self._next += 1
        return number

    @property
    def size(self) -> int:
        return self._next

    def known(self) -> list[str]:
        """Strings by their numbers."""
        return [string for string, number in self.items() if number != UNKNOWN_VALUE]

    def add(self, sentences: Sequence) -> Tokens:
        """Sentences as numbers; new strings get new ones."""
        return self._tokens(sentences, self.__getitem__)

    def look_up(self, sentences: Sequence) -> Tokens:
        """Sentences as numbers; new strings are UNKNOWN."""
        return self._tokens(sentences, lambda string: self.get(string, UNKNOWN_VALUE))

    def _tokens(self, sentences: Sequence, number) -> Tokens:
        strings = [layer_strings(sentence, self.layer, place)
                   for place, sentence in enumerate(sentences)]
        offsets = np.zeros(len(strings) + 1, dtype=np.int64)
        np.cumsum([len(s) for s in strings], out=offsets[1:])
        ids = np.fromiter((number(s) for sentence in strings for s in sentence),
                          dtype=np.int32, count=offsets[-1])
        return Tokens(ids, offsets)
