"""Sentences as sequences of small numbers, one for each different token."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from orange_structpred.kernels.errors import KernelError, describe_input
from orange_structpred.kinds import one_of_names
from orange_structpred.treebank.normal_form import normal_form

#: layers of a sentence by name, and where a Sentence keeps them
TOKEN_LAYERS = {"form": "forms", "lemma": "lemmas", "upos": "upos", "xpos": "xpos"}
LAYER_KIND = one_of_names(TOKEN_LAYERS)
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


def input_tokens(x: object, layer: str, number: int = 0) -> Sequence:
    """The tokens of an input: the strings of a layer of a sentence, words in their normal
    form; the items of a list; the characters of a string."""
    if hasattr(x, "forms"):
        strings = getattr(x, TOKEN_LAYERS[layer])
        return list(map(normal_form, strings)) if layer in ("form", "lemma") else strings
    if isinstance(x, (str, list, tuple)) and layer == "form":
        return x
    raise KernelError(
        f"{describe_input(x, number)} is a {type(x).__name__}, expected a Sentence"
        + (", a list of tokens or a string" if layer == "form" else
           f": only sentences have the layer {layer!r}"))


def kind_of_tokens(x: object) -> str:
    """What kind of tokens an input has; inputs of different kinds are not comparable."""
    return ("Sentence" if hasattr(x, "forms") else
            "string" if isinstance(x, str) else "list of tokens")


class LayerVocabulary(dict):
    """Numbers of strings, in the order in which the strings first occur.

    A missing annotation ("_") is UNKNOWN, and so is any string first seen after the
    vocabulary was closed: it cannot be equal to any known string.
    """

    def __init__(self, layer: str):
        super().__init__()
        self.layer = layer
        self.kind: str | None = None
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
        strings = [input_tokens(sentence, self.layer, index)
                   for index, sentence in enumerate(sentences)]
        for index, sentence in enumerate(sentences):
            self._check_kind(sentence, index)
        offsets = np.zeros(len(strings) + 1, dtype=np.int64)
        np.cumsum([len(s) for s in strings], out=offsets[1:])
        try:
            ids = np.fromiter((number(s) for sentence in strings for s in sentence),
                              dtype=np.int32, count=offsets[-1])
        except TypeError as error:
            raise KernelError(f"a token of an input cannot be compared ({error}); expected "
                              "strings, numbers or tuples") from None
        return Tokens(ids, offsets)

    def _check_kind(self, x: object, number: int) -> None:
        kind = kind_of_tokens(x)
        if self.kind is None:
            self.kind = kind
        if kind != self.kind:
            raise KernelError(f"{describe_input(x, number)} is a {kind}, but others are of the "
                              f"kind {self.kind}; expected inputs of one kind")
