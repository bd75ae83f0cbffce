"""Hash functions: when do two edges count as equal? (thesis 4.2.2 and 6.3.1)

An atomic output kernel is given by a hash function of an edge. Here it is a
template of the explicit features, ``h.xpos d.xpos``; with ``::dir`` behind the
name two edges are equal only if direction and distance class are equal too.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba import uint64

from orange_structpred.errors import InputError
from orange_structpred.parsing.features.edge_scoring import (
    SLOT_MULT,
    edge_numbers,
    kinds_before,
)
from orange_structpred.parsing.features.edge_templates import (
    FIRST_ORDER_GROUPS,
    distance_slot,
    mix,
    parse_template,
    template_arrays,
)
from orange_structpred.parsing.kernel.surroundings import (
    EDGE_KERNELS,
    PAIR_KERNELS,
    is_of_pairs,
)
from orange_structpred.running.compiler import njit
from orange_structpred.treebank.encoding import string_id

# name: (template, what it says, for tooltips)
PLAIN_HASHES = {
    "tokens": ("h.form d.form", "the same words"),
    "lemmas": ("h.lemma d.lemma", "the same lemmas"),
    "posTags": ("h.upos d.upos", "the same universal tags (UPOS)"),
    "posTags2": ("h.xpos d.xpos", "the same fine tags (XPOS)"),
    "wordVecs": ("h.cluster d.cluster", "words of the same clusters"),
}
FURTHER_HASHES = {
    "headLemma": ("h.lemma d.upos", "the same head lemma and dependent's tag"),
    "depLemma": ("h.upos d.lemma", "the same dependent lemma and head's tag"),
    "between": ("h.upos b.upos d.upos", "the same tags, and a tag between them"),
    "outside": ("h-1.upos h.upos d.upos d+1.upos", "tags and their neighbours"),
    "inside": ("h.upos h+1.upos d-1.upos d.upos", "tags and their neighbours"),
    "verbsBetween": ("h.upos d.upos n.verbs", "tags and verbs between them"),
    "commasBetween": ("h.upos d.upos n.commas", "tags and commas between them"),
}
DIRECTED = "::dir"
HASHES: dict[str, str] = {
    name + ending: meaning + (", direction and distance" if ending else "")
    for table in (PLAIN_HASHES, FURTHER_HASHES) for name, (_, meaning) in table.items()
    for ending in ("", DIRECTED)}
# Sums of many under one name, each template with and without distance.
SUMS: dict[str, tuple[tuple[str, ...], str]] = {
    "rich": ((
        "h.upos d.upos", "h.xpos d.xpos", "h.lemma d.lemma", "h.lemma d.upos",
        "h.upos d.lemma", "d.form", "d.lemma", "d.xpos", "d.lemma d.xpos", "h.lemma",
        "h.xpos", "h.lemma h.xpos", *FIRST_ORDER_GROUPS["neighbours"],
        *FIRST_ORDER_GROUPS["in-between"],
        "h.upos d.upos n.verbs", "h.upos d.upos n.commas", "d.form n.verbs n.commas",
        *FIRST_ORDER_GROUPS["coordination"], "h.upos d.upos d.feats",
        "h.upos h.feats d.upos d.feats", "h.upos d.upos d.ending",
        "h.upos h.ending d.upos", "h-1.upos h.upos h+1.upos d.upos",
        "h.upos d-1.upos d.upos d+1.upos", "h.upos d.upos d+1.upos d+2.upos",
        "h.upos d-2.upos d-1.upos d.upos"),
        "a large sum that is about as good as explicit features"),
    "explicit": (tuple(text for group in FIRST_ORDER_GROUPS.values() for text in group),
                 "all feature templates of the explicit parser"),
    **EDGE_KERNELS, **PAIR_KERNELS,
}

NEEDS_OF_PAIRS = ("it needs order=2, the constant input kernel, and the decoder projective "
                  "or rearranged")

# A function of a sentence, a head and a dependent (0 is the root) to anything
# that str() tells from other things.
EdgeFunction = Callable[[object, int, int], object]


class HashFunctions:
    """A sum of atomic kernels, one for each hash function.

    Parameters
    ----------
    names : names of `HASHES` or `SUMS`, templates like "h.lemma d.xpos::dir", or
        Python functions f(sentence, head, dependent)
    weights : factors of the kernels in the sum; default 1 each
    buckets : int, default=None
        Hash every function's values into this many buckets (example 4.2.2)
    """

    def __init__(self, names: Sequence[str | EdgeFunction], weights=None,
                 buckets: int | None = None):
        names = [names] if isinstance(names, str) or callable(names) else list(names)
        if not names:
            raise InputError("no hash function was chosen; choose from "
                             + ", ".join(HASHES))
        weights = [1.] * len(names) if weights is None else list(map(float, weights))
        if len(weights) != len(names) or not all(w > 0 for w in weights):
            raise InputError(f"{len(names)} hash functions need as many weights above "
                             f"0, found {weights}")
        if buckets is not None and buckets < 1:
            raise InputError(f"buckets must be at least 1, not {buckets}")
        self.names, self.weights, self.buckets = names, weights, buckets
        self.functions = [name for name in names if callable(name)]
        numbered = [(number, text, directed) for number, name in enumerate(names)
                    if not callable(name) for text, directed in templates_of_edges(name)]
        parsed = {text: parse_template(text) for _, text, _ in numbered}
        between = {text: sum(atom.side == "b" for atom in atoms)
                   for text, atoms in parsed.items()}
        for text, count in between.items():
            if count > 1:
                raise InputError(f"hash function {text!r} has more than one token "
                                 "between head and dependent, expected at most one")
        numbered.sort(key=lambda row: between[row[1]])
        self.texts = [text for _, text, _ in numbered]
        #: the name, by its number, that each function has come from
        self.order = [number for number, _, _ in numbered] + [
            number for number, name in enumerate(names) if callable(name)]
        self.arrays = template_arrays([parsed[text] for text in self.texts])
        self.directed = np.array([directed for _, _, directed in numbered], dtype=np.bool_)
        self.factors = np.sqrt(weights, dtype=float)[self.order].astype(np.float32)

    @property
    def needs_clusters(self) -> bool:
        return any(".cluster" in text for text in self.texts)

    def edges(self, sentence, tokens: np.ndarray) -> EdgeHashes:
        """Hash values of all edges of a sentence."""
        numbers, functions, starts = edge_hashes(tokens, self.arrays, self.directed)
        if self.functions:
            numbers, functions, starts = self._with_functions(
                sentence, numbers, functions, starts)
        if self.buckets is not None:
            numbers = functions.astype(np.uint64) * np.uint64(self.buckets) + (
                numbers % np.uint64(self.buckets))
        return EdgeHashes(numbers, functions, starts)

    def _with_functions(self, sentence, numbers, functions, starts):
        n = len(sentence)
        first = len(self.texts)
        rows = [list(zip(numbers[start:stop].tolist(), functions[start:stop].tolist()))
                for start, stop in pairwise(starts.tolist())]
        for head in range(n + 1):
            for dependent in range(1, n + 1):
                if head == dependent:
                    continue
                for k, function in enumerate(self.functions):
                    value = value_of(function, sentence, head, dependent)
                    rows[dependent * (n + 1) + head].append(
                        (string_id(f"{k}:{value}"), first + k))
        flat = [item for row in rows for item in row]
        starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        return (np.array([number for number, _ in flat], dtype=np.uint64),
                np.array([k for _, k in flat], dtype=np.int32),
                starts.astype(np.int64))

    def params(self) -> dict:
        """As JSON can hold them; Python functions cannot be kept in a file."""
        if self.functions:
            raise InputError("a parser with hash functions in Python cannot be saved "
                             "to a file without code; pickle it, or use templates")
        return {"names": list(self.names), "weights": list(self.weights),
                "buckets": self.buckets}


class EdgeHashes(NamedTuple):
    """Hash values of the edges of a sentence, edge (h, d) being number d * (n+1) + h.

    Edge e has values numbers[starts[e]:starts[e + 1]], each of one function.
    """

    numbers: np.ndarray
    functions: np.ndarray
    starts: np.ndarray


def value_of(function: EdgeFunction, sentence, head: int, dependent: int) -> object:
    """The value of a user's function; what goes wrong in it names it and the edge."""
    try:
        return function(sentence, head, dependent)
    except Exception as error:
        raise InputError(
            f"hash function {function_name(function)!r} failed on the edge from {head} "
            f"to {dependent} of {sentence.sent_id or sentence.text[:40]!r}: "
            f"{type(error).__name__}: {error}") from error


def function_name(function: EdgeFunction) -> str:
    return getattr(function, "__name__", type(function).__name__)


def templates_of(name: str) -> list[tuple[str, bool]]:
    """Templates of a named hash function, and whether they look at the distance."""
    if name in SUMS:
        return [(text, directed) for text in SUMS[name][0]
                for directed in (False, True)]
    base = name.removesuffix(DIRECTED)
    directed = base != name
    table = {**PLAIN_HASHES, **FURTHER_HASHES}
    if base in table:
        return [(table[base][0], directed)]
    if re.search(r"[ghsdbn][+-]?\d?\.", base):
        return [(base, directed)]
    raise InputError(f"hash function {name!r} is not known; choose from "
                     + ", ".join([*HASHES, *SUMS]))


def templates_of_edges(name: str) -> list[tuple[str, bool]]:
    """The same; an InputError if it is for pairs of edges."""
    if is_of_pairs(name):
        raise InputError(f"hash function {name!r:.80} is for pairs of edges, not for "
                         f"single edges: {NEEDS_OF_PAIRS}")
    return templates_of(name)


@njit(nogil=True, cache=True)
def edge_hashes(tokens, templates, directed):
    """Numbers, functions and starts of `EdgeHashes`, for templates only."""
    length = tokens.shape[0]
    limit = templates.salts.size + templates.between.shape[0] * length
    one = np.empty(limit, np.uint64)
    owners = np.empty(limit, np.int32)
    numbers = np.empty(length * length * templates.salts.size, np.uint64)
    functions = np.empty(numbers.size, np.int32)
    starts = np.zeros(length * length + 1, np.int64)
    before = kinds_before(tokens)
    n_hashes = 0
    for dependent in range(length):
        for head in range(length):
            if dependent > 0 and dependent != head:
                n_one = edge_numbers(
                    tokens, templates, before, head, dependent, one, owners)
                slot = uint64(distance_slot(head, dependent)) * uint64(SLOT_MULT)
                if n_hashes + n_one > numbers.size:
                    more = max(numbers.size, n_one)
                    numbers = np.append(numbers, np.empty(more, np.uint64))
                    functions = np.append(functions, np.empty(more, np.int32))
                for k in range(n_one):
                    number = one[k]
                    if directed[owners[k]]:
                        number = mix(number + slot)
                    numbers[n_hashes] = number
                    functions[n_hashes] = owners[k]
                    n_hashes += 1
            starts[dependent * length + head + 1] = n_hashes
    return numbers[:n_hashes].copy(), functions[:n_hashes].copy(), starts
