"""Features of parts of trees by their names: templates with values, and distances.

A name is written from the point of view of one edge, from ``h`` to ``d``. Parts that the
edge is in have further tokens: ``s`` and ``t``, the siblings that stand before and after
the dependent, seen from the head; ``g``, the head's head; ``x``, a child of the
dependent. `feature_names` says the names in words.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.features.contributions import distance_name
from orange_structpred.parsing.features.edge_templates import ROW, distance_slot
from orange_structpred.parsing.second_order.part_scoring import (
    EDGE,
    GRANDPARENT,
    SIBLING,
    grandparent_slot,
    sibling_slot,
)
from orange_structpred.parsing.second_order.token_layers import N_OTHERS
from orange_structpred.parsing.second_order.tree_parts import edge_part, link_siblings

LEVELS = ("1", "2-3", "over 3")         # distances of grandparent parts


def side_of(head: int, child: int) -> str:
    return "left" if child < head else "right"


def edge_places(head: int, dependent: int) -> tuple[str, str]:
    """What is added to the names of an edge's features: the direction, and the direction
    with the distance."""
    return (f" at {side_of(head, dependent)}",
            f" at {distance_name(distance_slot(head, dependent))}")


def sibling_places(head: int, sibling: int, dependent: int, n: int, *,
                   is_later: bool) -> tuple[str, str]:
    """is_later : whether the edge is that of the sibling, not of the dependent"""
    side = side_of(head, sibling if is_later else dependent)
    text = distance_name(sibling_slot(head, sibling, dependent, n) % ROW)
    if sibling > n or dependent > n:        # then it is that from the head
        return f" at {side}", f" at {text}"
    return f" at {side}", f" at t {text} of d" if is_later else f" at {text} of s"


def grandparent_places(grandparent: int, head: int, dependent: int, n: int, *,
                       is_child: bool) -> tuple[str, str]:
    """is_child : whether the edge is the one from grandparent to head"""
    level = LEVELS[(grandparent_slot(grandparent, head, dependent, n) % ROW - 1) % 3]
    upper = side_of(grandparent, head)
    if dependent > n:       # START
        where = f" at no x {('right', 'left')[dependent - n - 1]} under "
        return where + upper, f"{where}distance {level} {upper}"
    sides = f"{side_of(head, dependent)} under {upper}"
    child = "x " * is_child
    return f" at {child}{sides}", f" at {child}distance {level} {sides}"


class PartView(NamedTuple):
    """A part that an edge is in.

    part : its number, as in `trees`
    kind : EDGE, SIBLING or GRANDPARENT
    tokens, letters : as in `feature_names`
    places : what is added to names of features, with directions, and with distance, too
    """

    part: int
    kind: int
    tokens: dict[str, int]
    letters: dict[str, str]
    places: tuple[str, str]


def edge_views(head: int, dependent: int, n: int, heads: np.ndarray | None = None
               ) -> list[PartView]:
    """The parts that an edge is in: itself and, given the heads of a tree, those with
    siblings, the head's head and children. In the tree the edge takes the place of the
    dependent's own."""
    views = [PartView(edge_part(head, dependent, n), EDGE, {"h": head, "d": dependent}, {},
                      edge_places(head, dependent))]
    if heads is None:
        return views
    tree = np.concatenate([[-1], heads]).astype(np.int32)
    tree[dependent] = head
    size = n + N_OTHERS

    def number(kind: int, *tokens: int) -> int:
        return ((kind * size + tokens[0]) * size + tokens[1]) * size + tokens[2]

    before = link_siblings(tree)[0].tolist()
    sibling = before[dependent]
    later = next((token for token in range(1, n + 1)
                  if tree[token] == head and before[token] == dependent), n + 3)
    views += [
        PartView(number(SIBLING, head, sibling, dependent), SIBLING,
                 {"h": head, "s": sibling, "d": dependent}, {},
                 sibling_places(head, sibling, dependent, n, is_later=False)),
        PartView(number(SIBLING, head, dependent, later), SIBLING,
                 {"h": head, "s": dependent, "d": later}, {"s": "d", "d": "t"},
                 sibling_places(head, dependent, later, n, is_later=True))]
    above = int(tree[head])
    if head and above != dependent:
        views.append(PartView(
            number(GRANDPARENT, above, head, dependent), GRANDPARENT,
            {"g": above, "h": head, "d": dependent}, {},
            grandparent_places(above, head, dependent, n, is_child=False)))
    children = np.flatnonzero(tree == dependent).tolist()
    # where there is none, START stands for it
    if not any(child > dependent for child in children):
        children.append(n + 1)
    if not any(child < dependent for child in children):
        children.append(n + 2)
    for child in children:
        if child != head:
            views.append(PartView(
                number(GRANDPARENT, head, dependent, child), GRANDPARENT,
                {"g": head, "h": dependent, "d": child}, {"g": "h", "h": "d", "d": "x"},
                grandparent_places(head, dependent, child, n, is_child=True)))
    return views
