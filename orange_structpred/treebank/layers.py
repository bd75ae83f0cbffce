"""Layers of annotation: a column of a CoNLL block by its name, or a key of MISC."""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import (
    MISC_COLUMN,
    NO_CELL,
    NO_TEXT,
    entries_with,
    misc_cells,
)
from orange_structpred.treebank.sentence import Sentence

EMPTY = "_"
PUNCTUATION = "PUNCT"       # the universal tag of punctuation
MISC_START = "misc:"
#: names of layers that are columns
LAYER_COLUMNS = {"lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7}
# Tags and relations that all languages of Universal Dependencies share
UNIVERSAL_TAGS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON",
    "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X")
UNIVERSAL_RELATIONS = (
    "acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf",
    "compound", "conj", "cop", "csubj", "dep", "det", "discourse", "dislocated", "expl",
    "fixed", "flat", "goeswith", "iobj", "list", "mark", "nmod", "nsubj", "nummod", "obj",
    "obl", "orphan", "parataxis", "punct", "reparandum", "root", "vocative", "xcomp")
#: Values of a layer, without the subtypes that languages add
UNIVERSAL_VALUES = {"upos": UNIVERSAL_TAGS, "deprel": UNIVERSAL_RELATIONS}
_KEY = re.compile(r"[^\s=|]+")
_BAD_VALUE = re.compile(rf"[\t\n| ]|{NO_TEXT.pattern}")


def universal(relation: str) -> str:
    """The relation without its language-specific subtype."""
    return relation.partition(":")[0]


def check_layer(layer: str) -> str:
    """The name of a layer, if it is one; else a ValueError."""
    if not isinstance(layer, str) or not (layer in LAYER_COLUMNS or (
            layer.startswith(MISC_START)
            and _KEY.fullmatch(layer.removeprefix(MISC_START)))):
        raise InputError(f"unknown layer {layer!r}; layers are "
                         f"{', '.join(LAYER_COLUMNS)}, or a key of MISC, such as "
                         "misc:NER")
    return layer


def check_layer_values(layer: str, values: Iterable[str]) -> None:
    """Complain of text that cannot be a value of a layer in a CoNLL block."""
    bad = NO_CELL if layer in LAYER_COLUMNS else _BAD_VALUE
    wrong = next((value for value in values if not value or bad.search(value)), None)
    if wrong is not None:
        raise InputError(f"found {wrong[:60]!r} as a value of {layer}, expected text "
                         "without tabs, line breaks and spaces at its ends")


def layer_values(sentence: Sentence, layer: str) -> list[str]:
    """The layer's value of each basic token, ``_`` where it has none.

    >>> row = "1\\tRome\\t_\\tPROPN\\t_\\t_\\t0\\troot\\t_\\tNER=B-LOC|SpaceAfter=No"
    >>> layer_values(Sentence(row), "upos"), layer_values(Sentence(row), "misc:NER")
    (['PROPN'], ['B-LOC'])
    """
    if layer in LAYER_COLUMNS:
        return sentence.column(LAYER_COLUMNS[layer])
    key = layer.removeprefix(MISC_START) + "="
    if key not in sentence.block:       # of many sentences, this is the fast way
        return [EMPTY] * len(sentence)
    return [next((entry.removeprefix(key) for entry in misc.split("|")
                  if entry.startswith(key)), EMPTY) or EMPTY
            for misc in misc_cells(sentence.block)]


def with_layers(sentence: Sentence, layers: Mapping[str, Sequence[str]]) -> Sentence:
    """The sentence with other values of some layers; all else is kept verbatim."""
    n = len(sentence)
    columns: dict[int, Sequence[str]] = {}
    for layer, values in layers.items():
        check_layer(layer)
        if len(values) != n:
            raise InputError(f"found {len(values)} values of {layer}, expected one for "
                             f"each of {n} tokens")
        check_layer_values(layer, values)
        if layer in LAYER_COLUMNS:
            columns[LAYER_COLUMNS[layer]] = values
        else:
            key = layer.removeprefix(MISC_START)
            before = columns.get(MISC_COLUMN) or misc_cells(sentence.block)
            columns[MISC_COLUMN] = [
                "|".join(sorted(entries_with(misc, key, value), key=str.lower)) or EMPTY
                for misc, value in zip(before, values)]
    return sentence.with_cells(columns)
