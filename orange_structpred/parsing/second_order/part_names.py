"""Features of parts of trees by their names: templates with values, and distances.

A name is written from the point of view of one edge, from ``h`` to ``d``. Parts that the
edge is in have further tokens: ``s`` and ``t``, the siblings that stand before and after
the dependent, seen from the head; ``g``, the head's head; ``x``, a child of the
dependent. `featurewords` says the names in words.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from orange_structpred.parsing.features.contributions import DISTANCES
from orange_structpred.parsing.features.edge_scoring import kinds_before
from orange_structpred.parsing.features.edge_templates import (
    CLASSES,
    MAX_COUNT,
    ROW,
    distance_slot,
)
from orange_structpred.parsing.features.feature_names import END, NO_WORD, START
from orange_structpred.parsing.second_order.part_scoring import (
    EDGE,
    GRANDPARENT,
    SIBLING,
    grandparent_slot,
    sibling_slot,
)
from orange_structpred.parsing.second_order.part_templates import part_atom
from orange_structpred.parsing.second_order.token_layers import (
    LONGEST_SEQUENCE,
    N_OTHERS,
)
from orange_structpred.parsing.second_order.tree_parts import edge_part, link_siblings
from orange_structpred.treebank.encoding import (
    ENCODED_LAYERS,
    KIND_NAMES,
    VERB,
    encode,
    layer_strings,
)
from orange_structpred.treebank.layers import PUNCTUATION

LEVELS = ("1", "2-3", "over 3")         # distances of grandparent parts


class SentenceWords:
    """What templates say of the tokens of a sentence, as strings.

    Positions are those of `second_order.trees`: the root, n tokens, two STARTs, STOP.
    """

    def __init__(self, sentence):
        self.n = n = len(sentence)
        tokens = encode([sentence]).tokens
        self.layers = {name: [*strings, START, START, END]
                       for name, strings in layer_strings(sentence).items()}
        forms, self.tags = self.layers["form"], self.layers["upos"][:n + 1]
        self.kinds = kinds_before(tokens)
        self.marks = [0, *accumulate(tag == PUNCTUATION for tag in self.tags[1:])]
        is_verb = (tokens[:, ENCODED_LAYERS.index("kind")] & VERB).astype(bool)
        positions = range(n + 1)
        near = {"before": (forms, [tag == PUNCTUATION for tag in self.tags], -1),
                "after": (forms, [tag == PUNCTUATION for tag in self.tags], 1),
                "previous": (self.tags, is_verb, -1), "next": (self.tags, is_verb, 1)}
        for name, (values, chosen, step) in near.items():
            self.layers[name] = [*(self._nearest(values, chosen, token, step)
                                   for token in positions), START, START, END]
        self.layers["position"] = [
            *(f"{min(token, 3)}/{min(n + 1 - token, 4)}" for token in positions),
            START, START, END]

    def _nearest(self, values, chosen, token: int, step: int) -> str:
        position = token + step
        while 0 <= position <= self.n:
            if chosen[position]:
                return values[position]
            position += step
        return START if step < 0 else END

    def value(self, token: int, offset: int, layer: str) -> str:
        """A layer's value at or beside a token."""
        if offset:
            if token == 0 or token > self.n:
                return NO_WORD
            token += offset
            if not 1 <= token <= self.n:
                return START if offset < 0 else END
        return self.layers[layer][token] or NO_WORD

    def between(self, low: int, high: int, word: str) -> str:
        """What ``n`` says of the tokens between two positions."""
        if word == "tags":
            tags = self.tags[low + 1:high]
            if len(tags) > LONGEST_SEQUENCE:
                tags = [*tags[:2], "…", *tags[-2:]]
            return " ".join(tags) or NO_WORD
        if word == "puncts":
            count = self.marks[high - 1] - self.marks[low]
        else:
            kind = list(KIND_NAMES).index(word)
            count = self.kinds[high - 1, kind] - self.kinds[low, kind]
        return str(count) if count < MAX_COUNT else f"{MAX_COUNT}+"

    def distinct(self, low: int, high: int, layer: str) -> list[str]:
        return list(dict.fromkeys(self.layers[layer][low + 1:high]))


def feature_names(texts: Sequence[str], words: SentenceWords,
                  tokens: Mapping[str, int], letters: Mapping[str, str],
                  span: tuple[int, int] = (0, 1),
                  described: Mapping[str, str] | None = None) -> Iterator[str]:
    """Names of features, in the order of their numbers.

    texts : templates
    tokens : positions of the tokens that templates speak of, by their letters
    letters : by which other letters they are to be called
    span : where head and dependent are
    described : values of ``n``, if they are not about what is in between
    """
    for text in texts:
        parts, between = [], None
        for atom in text.split():
            letter, offset, _, is_number, layer = part_atom(atom).groups()
            if is_number:
                value = (words.between(*span, layer) if described is None
                         else described[layer])
                parts.append(f"n.{layer}={value}")
            elif letter is None:
                between = layer
            else:
                value = words.value(tokens[letter], int(offset or 0), layer)
                parts.append(f"{letters.get(letter, letter)}{offset or ''}.{layer}={value}")
        if between is None:
            yield " ".join(parts)
        else:
            for value in words.distinct(*span, between):
                yield " ".join([*parts, f"b.{between}={value}"])


def far(slot: int) -> str:
    """Distance class and side of a slot."""
    return f"distance {DISTANCES[(slot - 1) % CLASSES]} " + (
        "left" if slot > CLASSES else "right")


def side_of(head: int, child: int) -> str:
    return "left" if child < head else "right"


def edge_places(head: int, dependent: int) -> tuple[str, str]:
    """What is added to the names of an edge's features: the direction, and the direction
    with the distance."""
    return (f" at {side_of(head, dependent)}",
            f" at {far(distance_slot(head, dependent))}")


def sibling_places(head: int, sibling: int, dependent: int, n: int, *,
                   is_later: bool) -> tuple[str, str]:
    """is_later : whether the edge is that of the sibling, not of the dependent"""
    side = side_of(head, sibling if is_later else dependent)
    text = far(sibling_slot(head, sibling, dependent, n) % ROW)
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
