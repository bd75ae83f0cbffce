"""Features of the relation between a dependent and its head in a finished tree.

Templates are written as those of edges. There are the dependent ``d``, its head ``h``,
the head's head ``g``, the siblings to the left and right of the dependent, ``l`` and
``r``, the dependent's first and last child, ``f`` and ``c``, and the function words
before dependent and head, ``m`` and ``k``: their children to the left that are
adpositions, conjunctions or particles, the nearest ones. ``n`` counts or
describes: ``distance`` is the direction and distance class, ``children`` the number of
children to the left and right of the dependent, ``below`` their tags, ``beside`` the
tags of all children of the head, ``arity`` the place of the dependent among them.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.parsing.features.edge_templates import TemplateArrays
from orange_structpred.parsing.second_order.part_templates import make_arrays

RELATION_GROUPS: dict[str, tuple[str, ...]] = {
    "edge": (
        "h.upos d.upos n.distance", "h.xpos d.xpos n.distance", "h.lemma d.upos",
        "h.upos d.lemma", "h.lemma d.lemma", "d.form", "d.lemma d.xpos",
        "h.lemma d.xpos n.distance", "h.xpos d.lemma n.distance", "h.upos d.upos d.feats",
        "h.upos h.feats d.upos d.feats", "h.upos d.ending n.distance",
        "h.ending d.upos n.distance", "h.upos d.upos d.shape", "h.form d.form"),
    "context": (
        "h.upos d-1.upos d.upos d+1.upos", "h.upos d-1.lemma d.upos",
        "h.upos d.upos d+1.lemma", "h-1.upos h.upos h+1.upos d.upos",
        "h.upos d.upos d.marker", "h.lemma d.upos d.marker",
        "h.upos d.upos d.coordinator", "h.upos h.marker d.upos d.marker",
        "h.upos d.upos d.position n.distance", "h.upos d.lemma d.before d.after"),
    "tree": (
        "g.upos h.upos d.upos n.distance", "g.lemma h.upos d.upos", "g.upos h.lemma d.upos",
        "g.upos h.upos d.lemma", "h.upos l.upos d.upos r.upos n.distance",
        "h.lemma l.upos d.upos", "h.lemma d.upos r.upos", "h.upos l.lemma d.upos",
        "h.upos d.upos r.lemma", "h.upos d.upos f.upos c.upos",
        "h.upos d.upos f.lemma n.distance", "h.upos d.upos c.lemma",
        "h.lemma d.upos f.lemma", "d.upos f.lemma f.upos c.upos",
        "h.upos d.upos n.children n.distance", "h.upos d.upos n.below",
        "h.upos d.upos n.beside n.arity", "h.lemma d.upos n.arity n.distance",
        "h.upos d.upos n.arity n.children", "d.lemma n.children n.distance",
        "h.upos h.feats d.upos n.arity", "h.xpos d.xpos n.beside",
        "h.lemma d.lemma n.distance", "d.upos f.form d.feats h.upos"),
    "function words": (
        "h.upos d.upos m.lemma", "h.lemma d.upos m.lemma", "h.upos d.lemma m.lemma",
        "h.upos d.upos d.feats m.lemma n.distance", "h.upos d.upos k.lemma m.lemma",
        "d.upos m.upos f.lemma n.distance", "h.upos d.upos k.upos m.upos n.children"),
    "morphology": (
        "h.feats d.feats", "h.lemma d.upos d.feats", "h.upos d.upos d.ending d.feats",
        "h.upos d.upos l.feats d.feats", "h.upos d.upos d.feats r.feats",
        "h.upos l.upos l.feats d.upos d.feats r.upos r.feats", "h.lemma d.feats m.lemma",
        "h.upos d.upos d.feats f.feats", "h.upos d.feats f.form", "h.upos d.form",
        "d.xpos d.ending", "h.upos d.beginning", "h.lemma d.upos n.beside n.arity"),
}
RELATION_ROLES = "dhglrfcmk"
COUNT_WORDS = ("distance", "children", "below", "beside", "arity")


def template_names(groups: Sequence[str]) -> list[str]:
    """The templates of some groups, in order."""
    return [text for group in groups for text in RELATION_GROUPS[group]]


def relation_templates(groups: Sequence[str] = tuple(RELATION_GROUPS)) -> TemplateArrays:
    """The templates of some groups as arrays."""
    return make_arrays(template_names(groups), RELATION_ROLES,
                       np.random.PCG64(20151217), COUNT_WORDS)
