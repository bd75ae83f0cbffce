"""Edge features: McDonald's templates (thesis 6.2.1), hashed in compiled code.

A template is a line like ``h.form d.upos``: it makes one feature of the head's
form together with the dependent's tag. Every template counts twice, once
without and once with attachment direction and distance. The sign behind the
dot names a layer of the encoding, a number before it a neighbour (``h+1.upos``
is the tag right of the head), ``b`` any token between head and dependent, and
``n`` a number of words between them (``n.verbs``).
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.errors import InputError
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import ENCODED_LAYERS, KIND_NAMES

FIRST_ORDER_GROUPS: dict[str, tuple[str, ...]] = {
    "head": (
        "h.form", "h.lemma", "h.upos", "h.xpos",
        "h.form h.upos", "h.lemma h.upos", "h.form h.xpos", "h.lemma h.xpos"),
    "dependent": (
        "d.form", "d.lemma", "d.upos", "d.xpos",
        "d.form d.upos", "d.lemma d.upos", "d.form d.xpos", "d.lemma d.xpos"),
    "head-dependent": (
        "h.form d.form", "h.lemma d.lemma", "h.upos d.upos", "h.xpos d.xpos",
        "h.form h.upos d.form d.upos", "h.lemma h.xpos d.lemma d.xpos",
        "h.form h.upos d.upos", "h.lemma h.xpos d.xpos",
        "h.upos d.form d.upos", "h.xpos d.lemma d.xpos",
        "h.form h.upos d.form", "h.lemma h.xpos d.lemma",
        "h.form d.form d.upos", "h.lemma d.lemma d.xpos"),
    "in-between": (
        "h.upos b.upos d.upos", "h.xpos b.xpos d.xpos"),
    "neighbours": (
        "h.upos h+1.upos d-1.upos d.upos", "h.xpos h+1.xpos d-1.xpos d.xpos",
        "h-1.upos h.upos d-1.upos d.upos", "h-1.xpos h.xpos d-1.xpos d.xpos",
        "h.upos h+1.upos d.upos d+1.upos", "h.xpos h+1.xpos d.xpos d+1.xpos",
        "h-1.upos h.upos d.upos d+1.upos", "h-1.xpos h.xpos d.xpos d+1.xpos"),
    "morphology": (
        "h.feats d.feats", "h.upos h.feats d.upos d.feats",
        "h.upos d.upos d.feats", "h.upos h.feats d.upos"),
    "endings": (
        "h.ending d.ending", "h.upos d.upos d.ending", "h.upos h.ending d.upos",
        "h.shape d.shape"),
    "counts": (
        "h.upos d.upos n.verbs", "h.upos d.upos n.commas",
        "h.upos d.upos n.conjunctions", "h.upos d.upos n.nouns",
        "h.upos d.upos d.marker n.nouns n.verbs",
        "h.upos d.upos d.coordinator n.nouns n.verbs",
        "n.verbs n.commas n.conjunctions", "d.form n.verbs n.commas"),
    "markers": (
        "h.upos d.upos d.marker", "h.lemma d.marker", "h.lemma d.upos d.marker",
        "h.upos d.lemma d.marker", "h.lemma d.lemma d.marker",
        "h.upos h.marker d.upos d.marker", "h.upos h.marker d.lemma",
        "h.upos h.marker d.form n.verbs n.commas", "h.upos h.marker d.upos n.verbs"),
    "coordination": (
        "h.upos d.upos d.coordinator", "h.xpos d.xpos d.coordinator",
        "h.lemma d.lemma d.coordinator", "h.feats d.feats d.coordinator",
        "h.upos h.marker d.upos d.marker d.coordinator",
        "h.upos h.coordinator d.upos d.coordinator"),
    "context": (
        "h-1.upos h.upos h+1.upos d.upos", "h.upos d-1.upos d.upos d+1.upos",
        "h.upos d.upos d+1.upos", "h.upos d-1.upos d.upos",
        "h.upos h+1.upos d.upos", "h-1.upos h.upos d.upos",
        "h.upos d.upos d+1.upos d+2.upos", "h.upos d-2.upos d-1.upos d.upos",
        "h.lemma d.upos d+1.upos", "h.lemma d-1.upos d.upos",
        "d.lemma h.upos h+1.upos", "d.lemma h-1.upos h.upos",
        "h.upos d.lemma d+1.lemma", "h.upos d-1.lemma d.lemma"),
}

# Distance classes of the thesis: 1, 2, 3, 4, 5, > 5, > 10 to either side. A
# row of weights has a place for the feature itself and one for each class, so
# that both are found in the same line of the processor's cache.
CLASSES = 7
ROW = 16

OUTSIDE_SENTENCE = np.array([0x2545F4914F6CDD1D, 0x9E3779B97F4A7C15], dtype=np.uint64)
MAX_COUNT = 4
LONGEST_SEQUENCE = 5        # of tags between two tokens that is looked at as a whole

KIND_LAYER = ENCODED_LAYERS.index("kind")
N_WORD_KINDS = len(KIND_NAMES)
# Those that say something of a word; `kind` is for the numbers of words between
WORD_LAYERS = ENCODED_LAYERS[:-1]
EDGE_ATOM = re.compile(r"(?:(h|d)([+-]\d)?|(b)|(n))\.(\w+)")


class Atom(NamedTuple):
    side: str       # h, d, b or n
    offset: int     # of the neighbour, 0 for the token itself
    layer: int      # column of the encoding; for n the kind of word


def parse_template(text: str) -> list[Atom]:
    """The atoms of a template, ``h.form d-1.upos`` and the like."""
    atoms = []
    for word in text.split():
        match = EDGE_ATOM.fullmatch(word)
        names = KIND_NAMES if match and match[4] else WORD_LAYERS
        if match is None or match[5] not in names:
            raise InputError(
                f"feature template {text!r:.80}: {word!r:.40} is not understood; "
                "expected h, d, h+1, d-1, b or n, a dot, and one of "
                + ", ".join([*WORD_LAYERS, *KIND_NAMES]))
        side = match[1] or match[3] or match[4]
        layer = list(names).index(match[5])
        atoms.append(Atom(side, int(match[2] or 0), layer))
    return atoms


class TemplateArrays(NamedTuple):
    """Templates as arrays; those with a token between come last.

    A feature's number is the sum of (value x multiplier) over its atoms, mixed
    at the end; so what a token brings to the sum in each of its roles, as head or as
    dependent, is computed once for each token, not once for each edge.
    """

    salts: np.ndarray        # one a template; as the multipliers uint64, of parts uint32
    tokens: np.ndarray       # int64 (atoms, 4): template, role, offset, layer
    token_mults: np.ndarray
    counts: np.ndarray       # int64 (atoms, 2): template, word of n
    count_mults: np.ndarray
    between: np.ndarray      # int64 (atoms, 2): template, layer
    between_mults: np.ndarray


def chosen_groups(groups: Sequence[str] | str, table: Mapping[str, Sequence[str]]
                  ) -> dict[str, Sequence[str]]:
    """The templates of some groups of a table, by their names.

    groups : names of groups, one of them, or "all"
    """
    if isinstance(groups, str):
        groups = tuple(table) if groups == "all" else (groups,)
    unknown = [group for group in groups if group not in table]
    if unknown or not groups:
        problem = (f"feature group {unknown[0]!r} is not known" if unknown
                   else "no feature group was chosen")
        raise InputError(f"{problem}; choose from {', '.join(table)}")
    return {group: table[group] for group in groups}


class EdgeFeatures:
    """The features of an edge.

    Parameters
    ----------
    groups : names of `FIRST_ORDER_GROUPS`, one of them, or "all"
    """

    def __init__(self, groups: Sequence[str] | str = "all"):
        self.use(chosen_groups(groups, FIRST_ORDER_GROUPS))

    def use(self, templates: Mapping[str, Sequence[str]]) -> None:
        """Have these templates, by the names of their groups."""
        self.groups, self.templates = tuple(templates), templates
        named = [(text, group) for group, texts in templates.items() for text in texts]
        parsed = {text: parse_template(text) for text, _ in named}
        named.sort(key=lambda pair: any(atom.side == "b" for atom in parsed[pair[0]]))
        self.names = [text for text, _ in named]
        self.names_of_groups = [group for _, group in named]
        self.arrays = template_arrays([parsed[text] for text in self.names])


def template_arrays(templates: list[list[Atom]], roles: str = "hd",
                    bits: np.random.PCG64 | None = None,
                    dtype: type[np.unsignedinteger] = np.uint64) -> TemplateArrays:
    """Templates as arrays; those with a token between must come last.

    roles : letters of the tokens that templates speak of
    bits : give the multipliers; raw ones: unlike a Generator's, their stream stays the
        same in all versions
    dtype : of the multipliers
    """
    bits = np.random.PCG64(20151215) if bits is None else bits
    unused = np.uint64(64 - np.iinfo(dtype).bits)

    def odd(size: int) -> np.ndarray:
        return (bits.random_raw(size) >> unused).astype(dtype) | dtype(1)

    tokens, counts, between = [], [], []
    for number, atoms in enumerate(templates):
        for side, offset, layer in atoms:
            if side == "n":
                counts.append((number, layer))
            elif side == "b":
                between.append((number, layer))
            else:
                tokens.append((number, roles.index(side), offset, layer))
    return TemplateArrays(
        odd(len(templates)),
        np.array(tokens, dtype=np.int64).reshape(-1, 4), odd(len(tokens)),
        np.array(counts, dtype=np.int64).reshape(-1, 2), odd(len(counts)),
        np.array(between, dtype=np.int64).reshape(-1, 2), odd(len(between)))


@njit(nogil=True, cache=True, inline="always")
def distance_slot(head: int, dependent: int) -> int:
    """1..14: the distance class, to the right first, then to the left."""
    distance = abs(dependent - head)
    level = (distance - 1 if distance <= 5 else 5 if distance <= 10 else 6)
    return 1 + level + (CLASSES if dependent < head else 0)


@njit(nogil=True, cache=True, inline="always")
def mix(number):
    """Spread a 64-bit sum over all bits."""
    number ^= number >> uint64(32)
    number *= uint64(0xD6E8FEB86659FD93)
    return number ^ (number >> uint64(29))
