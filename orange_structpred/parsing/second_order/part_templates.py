"""Features of edges, siblings and grandparents, as a table.

Templates are written as those of first order (`parsing.features`). Besides the head
``h`` and the dependent ``d`` there are the sibling ``s``, the child of the head that
stands before ``d``, seen from the head, and the grandparent ``g``, the head's head.
Where the dependent is the first child, ``s`` is a token START; the last child is
followed by a token STOP in the place of ``d``. Below a grandparent, START stands for the
dependent where the head has no child on that side. ``n`` is what stands between head and
dependent, and knows these words more than first order does: ``puncts``, the number of
punctuation marks, and ``tags``, all tags in their order. Every template counts twice,
once with directions and once with directions and a distance class.

The last group is of another kind: its features are those of a transition-based parser,
which has a vote on every token's head (`parsing.transitions`).
"""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.parsing.features.edge_templates import (
    FIRST_ORDER_GROUPS as FIRST_ORDER,
)
from orange_structpred.parsing.features.edge_templates import (
    Atom,
    TemplateArrays,
    chosen_groups,
    template_arrays,
)
from orange_structpred.parsing.transitions.transition_templates import (
    TRANSITION_TEMPLATES,
)
from orange_structpred.treebank.encoding import ENCODED_LAYERS, KIND_NAMES

EDGES: dict[str, tuple[str, ...]] = {
    **FIRST_ORDER,
    "sequence": (
        "h.upos n.tags d.upos", "h.xpos n.tags d.xpos", "h.lemma n.tags d.upos",
        "h.upos n.tags d.lemma", "h-1.upos h.upos n.tags d.upos d+1.upos"),
    "punctuation": (
        "h.upos d.upos n.puncts", "h.upos d.lemma n.puncts", "d.form h.upos n.puncts",
        "h.upos d.form n.verbs n.puncts", "h.upos d.upos d.before d.after",
        "h.upos d.form d.before d.after", "h.upos h.after d.form d.after",
        "h.upos d.upos h.before d.before", "h.upos d.upos h.after d.after"),
    "position": (
        "h.upos d.upos d.position", "h.upos d.form d.position",
        "h.upos h.position d.upos", "h.lemma d.upos d.position",
        "h.upos h.position d.upos d.position", "h.upos d.upos d.previous",
        "h.upos d.upos h.next d.next"),
}
SIBLINGS: dict[str, tuple[str, ...]] = {
    "sibling tags": (
        "h.upos s.upos d.upos", "h.xpos s.xpos d.xpos", "s.upos d.upos", "s.xpos d.xpos",
        "h.upos s.xpos d.xpos", "h.feats s.upos d.upos", "h.upos s.feats d.feats"),
    "sibling words": (
        "h.lemma s.upos d.upos", "h.upos s.lemma d.upos", "h.upos s.upos d.lemma",
        "s.lemma d.lemma", "s.lemma d.upos", "s.upos d.lemma",
        "h.lemma s.lemma d.upos", "h.lemma s.upos d.lemma", "h.upos s.lemma d.lemma",
        "h.upos s.form d.form"),
    "sibling markers": (
        "h.upos s.marker d.marker", "h.lemma s.marker d.marker",
        "h.upos s.upos s.marker d.upos d.marker", "s.upos s.marker d.upos d.marker",
        "h.upos s.upos d.upos d.coordinator", "h.upos h.marker s.upos d.upos"),
    "sibling context": (
        "h.upos s.upos d.upos d+1.upos", "h.upos s.upos d-1.upos d.upos",
        "h.upos s.upos s+1.upos d.upos", "h.upos s-1.upos s.upos d.upos"),
}
GRANDPARENTS: dict[str, tuple[str, ...]] = {
    "grandparent tags": (
        "g.upos h.upos d.upos", "g.xpos h.xpos d.xpos", "g.upos d.upos", "g.xpos d.xpos",
        "g.upos h.xpos d.xpos", "g.upos h.feats d.upos", "g.feats h.upos d.feats"),
    "grandparent words": (
        "g.lemma h.upos d.upos", "g.upos h.lemma d.upos", "g.upos h.upos d.lemma",
        "g.lemma d.lemma", "g.lemma d.upos", "g.upos d.lemma",
        "g.lemma h.lemma d.upos", "g.lemma h.upos d.lemma", "g.upos h.lemma d.lemma",
        "g.upos h.form d.form"),
    "grandparent markers": (
        "g.upos h.marker d.marker", "g.lemma h.upos d.marker",
        "g.upos h.upos h.marker d.upos d.marker", "g.upos d.upos d.marker",
        "g.upos h.upos d.upos d.coordinator", "g.upos g.marker h.upos d.upos"),
    "grandparent context": (
        "g.upos h.upos d.upos d+1.upos", "g.upos h.upos d-1.upos d.upos",
        "g.upos h.upos h+1.upos d.upos", "g.upos h-1.upos h.upos d.upos"),
}
TRANSITIONS = "transitions"     # the group whose features are those of a parser that votes
GROUPS = {**EDGES, **SIBLINGS, **GRANDPARENTS, TRANSITIONS: TRANSITION_TEMPLATES}
TABLES_OF_PARTS = EDGES, SIBLINGS, GRANDPARENTS
ROLES_OF_PARTS = "hd", "hsd", "ghd"    # letters of their tokens

# What is known of a token: the encoded layers but for the last, which are bits, and
# what its surroundings say. `before` and `after` are the nearest punctuation marks,
# `previous` and `next` the tags of the nearest verbs, `position` the place in the
# sentence, counted from both ends.
SURROUNDINGS = ("before", "after", "previous", "next", "position")
PART_LAYERS = (*ENCODED_LAYERS[:-1], *SURROUNDINGS)
WORDS_BETWEEN = (*KIND_NAMES, "puncts", "tags")
REACH = 2       # how far away neighbours are at most
PART_ATOM = re.compile(rf"(?:([a-ac-mo-z])([+-][1-{REACH}])?|(b)|(n))\.(\w+)")


class PartTemplates(NamedTuple):
    edges: TemplateArrays
    siblings: TemplateArrays
    grandparents: TemplateArrays


def first_order_groups(groups: Sequence[str] | str) -> Sequence[str] | str:
    """The groups that a first-order model has, of those that were chosen.

    Names that no model knows are left for `EdgeFeatures` to complain of; so is a choice
    of which nothing is left.
    """
    if isinstance(groups, str):
        return groups
    return [name for name in groups if name in FIRST_ORDER or name not in GROUPS] or groups


def part_atom(word: str) -> re.Match[str]:
    """A word of a template, taken apart."""
    match = PART_ATOM.fullmatch(word)
    if match is None:
        raise InputError(f"found {word!r} in a template of parts, expected an atom such as "
                         "h.lemma")
    return match


def make_arrays(names: Sequence[str], roles: str, bits,
                words: Sequence[str] = WORDS_BETWEEN) -> TemplateArrays:
    """Templates as arrays.

    roles : letters of the tokens that templates speak of
    bits : gives the multipliers
    words : what ``n`` knows
    """
    def atom(word: str) -> Atom:
        letter, offset, is_between, is_number, layer = part_atom(word).groups()
        return Atom(letter or is_between or is_number, int(offset or 0),
                    (words if is_number else PART_LAYERS).index(layer))

    def order(each: Atom) -> tuple[int, ...]:
        """Tokens by their roles, which decides on their multipliers."""
        return (-1,) if each.side in "bn" else (roles.index(each.side), *each[1:])

    return template_arrays([sorted(map(atom, text.split()), key=order) for text in names],
                           roles, bits, np.uint32)


class PartFeatures:
    """The features of a tree's parts.

    Parameters
    ----------
    groups : names of `GROUPS`, or "all"
    """

    def __init__(self, groups: Sequence[str] | str = "all"):
        self.use(chosen_groups(groups, GROUPS), TABLES_OF_PARTS)

    def use(self, templates: Mapping[str, Sequence[str]],
            tables: Sequence[Mapping[str, Sequence[str]]]) -> None:
        """Have these templates, by the names of their groups.

        tables : the templates of edges, of siblings and of grandparents, by groups
        """
        self.groups, self.templates = tuple(templates), templates
        bits = np.random.PCG64(20151216)
        self.names, self.names_of_groups = [], []
        arrays = []
        for roles, table in zip(ROLES_OF_PARTS, tables):
            named = [(text, group) for group in self.groups for text in table.get(group, ())]
            named.sort(key=lambda pair: "b." in pair[0])
            self.names.append([text for text, _ in named])
            self.names_of_groups.append([group for _, group in named])
            arrays.append(make_arrays(self.names[-1], roles, bits))
        self.arrays = PartTemplates(*arrays)

    @property
    def votes(self) -> bool:
        """Whether a transition-based parser has a vote."""
        return TRANSITIONS in self.groups
