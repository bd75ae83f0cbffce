"""Output kernels without hand-made templates, and beyond single edges (thesis, chapter 7).

What an edge looks like is a list of atoms: words, tags, morphology, what stands beside and
between. Two edges that agree in k atoms have the polynomial kernel k + k(k-1)/2 of degree
2: it counts the atoms and pairs of atoms in which they agree (the ANOVA kernel). Each pair
is a hash function, so that such a kernel is a sum of atomic ones, and the model still an
index of hash values.

Pairs of edges have three tokens: a head with two neighbouring dependents, or a head with
its head and a dependent. Their kernel is a product of kernels on tokens, (1 + k_h) k_1 k_2,
where the heads agree in k_h atoms and the outer tokens in k_1 and k_2: a hash function for
each choice of an atom of both outer tokens, and at most one of the head.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, product

WORD_ATOMS = ("lemma", "form", "upos", "xpos", "feats", "ending", "marker", "coordinator")
EDGE_ATOMS = (
    *(f"{role}.{layer}" for role in "hd" for layer in WORD_ATOMS),
    "h-1.upos", "h+1.upos", "d-1.upos", "d+1.upos",
    "n.verbs", "n.commas", "n.conjunctions", "n.nouns")
PAIR_ATOMS = ("lemma", "upos", "xpos", "feats", "marker")
#: What a template says of tokens other than head and dependent
OF_PAIRS = re.compile(r"(?:^|\s)([sg])(?:[+-]\d)?\.")


def subsets(atoms: Sequence[str], degree: int) -> tuple[str, ...]:
    """A template for each set of at most `degree` atoms.

    >>> subsets(["h.upos", "d.upos", "n.verbs"], 2)[2:5]
    ('n.verbs', 'h.upos d.upos', 'h.upos n.verbs')
    """
    return tuple(" ".join(chosen) for size in range(1, degree + 1)
                 for chosen in combinations(atoms, size))


def token_products(outer: str, layers: Sequence[str]) -> tuple[str, ...]:
    """A template for each choice of an atom of both outer tokens and at most one of the
    head.

    >>> token_products("sd", ["upos"])
    ('s.upos d.upos', 'h.upos s.upos d.upos')
    """
    heads = ["", *(f"h.{layer} " for layer in layers)]
    return tuple(f"{head}{outer[0]}.{one} {outer[1]}.{two}"
                 for head, one, two in product(heads, layers, layers))


#: Sums of hash functions of edges, and what they look at
EDGE_KERNELS: dict[str, tuple[tuple[str, ...], str]] = {
    "surroundings": (EDGE_ATOMS, "words, tags and morphology of head and dependent, what "
                     "is beside and between them, one at a time"),
    "surroundings2": (subsets(EDGE_ATOMS, 2), "all pairs of what surrounds an edge: a "
                      "polynomial kernel of degree 2"),
    "surroundings3": (subsets(EDGE_ATOMS, 3), "all triples of what surrounds an edge: a "
                      "polynomial kernel of degree 3"),
}
#: The same of pairs of edges
PAIR_KERNELS: dict[str, tuple[tuple[str, ...], str]] = {
    "siblings": (token_products("sd", PAIR_ATOMS),
                 "a head with two neighbouring dependents (order 2)"),
    "grandparents": (token_products("gd", PAIR_ATOMS),
                     "a head with its head and a dependent (order 2)"),
}


def is_of_pairs(name: object) -> bool:
    """Whether a hash function is one of pairs of edges: by its name, or its template."""
    return isinstance(name, str) and (
        name in PAIR_KERNELS or OF_PAIRS.search(name) is not None)


def looks_at_pairs(names: object) -> bool:
    """Whether some of these hash functions are of pairs of edges."""
    return any(map(is_of_pairs, names)) if isinstance(names, (list, tuple)) \
        else is_of_pairs(names)


def is_polynomial(names: object) -> bool:
    """Whether some of these hash functions are sums of so many that they are computed
    when they are asked for, not listed for each edge."""
    return any(map(is_polynomial, names)) if isinstance(names, (list, tuple)) \
        else names in ("surroundings2", "surroundings3")
