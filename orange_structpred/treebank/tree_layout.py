"""Where the words and the arcs of dependency trees go: plain numbers, no Qt.

Positions are in pixels. Arcs stand on a base line and have a height above it;
whether that is drawn upwards or downwards is up to whoever draws.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

FULL_LEVELS = 12        # from this level on the levels move together


@dataclass(frozen=True)
class Spacing:
    """Distances in pixels; those that depend on the font come from the caller.

    step : between two levels of arcs
    gap : between two words
    port : between two arcs at the same word
    ports : of all arcs at the same word, at most; where there are more, they are closer
    label_room : what an arc is to be wider than its label
    """

    step: float
    gap: float = 18.
    port: float = 5.5
    ports: float = 120.
    label_room: float = 18.


@dataclass(frozen=True)
class TreeShape:
    """A tree to lay out: heads as in `Sentence.heads`, the widths of its labels."""

    heads: np.ndarray
    label_widths: np.ndarray


@dataclass(frozen=True)
class Arcs:
    """The arcs of a tree, that of token d at index d - 1.

    tokens : those that have an arc, from 1
    start, end : where it leaves the head (for the root: as `end`), where it arrives
    height : over the base line
    """

    tokens: np.ndarray
    start: np.ndarray
    end: np.ndarray
    height: np.ndarray

    @property
    def top(self) -> float:
        return float(self.height.max(initial=0))


@dataclass(frozen=True)
class Layout:
    """Centres of the words, the width of all, and the arcs of each tree."""

    words: np.ndarray
    width: float
    arcs: list[Arcs]


def isolated(text: str) -> str:
    """Text that keeps its direction of writing within other text."""
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


def has_arc(heads: np.ndarray) -> np.ndarray:
    """For each token, whether its head is known, and another token or the root."""
    return (heads >= 0) & (heads != np.arange(1, len(heads) + 1))


def levels(heads: np.ndarray) -> np.ndarray:
    """The level of each token's arc: 1 is the lowest; 0 where there is no arc.

    Shorter arcs are put down first; a longer one goes over all that it meets, be they
    under it or crossed by it. Arcs from the root come last and stand above the arcs on
    both sides of their token. O(n * length of arcs), in few operations.
    """
    n = len(heads)
    tokens = np.arange(1, n + 1)
    left, right = np.minimum(heads, tokens), np.maximum(heads, tokens)
    result = np.zeros(n, int)
    highest = np.zeros(n + 1, int)      # over the gap behind each token, 0 is the root
    between = np.flatnonzero(has_arc(heads) & (heads > 0))
    order = np.lexsort((left[between], (right - left)[between]))
    for index in between[order]:
        met = highest[left[index]:right[index]]
        met[:] = result[index] = met.max() + 1
    for index in np.flatnonzero(heads == 0):
        met = highest[index:index + 2]
        met[:] = result[index] = met.max() + 1
    return result


def heights(level: np.ndarray, step: float) -> np.ndarray:
    """Heights of levels: a step each; levels beyond the 12th move together.

    They grow with the logarithm, so that a deeply nested sentence remains a picture.
    """
    half = FULL_LEVELS / 2
    beyond = np.maximum(level - FULL_LEVELS, 0)
    return step * (np.minimum(level, FULL_LEVELS) + half * np.log1p(beyond / half))


def ports(heads: np.ndarray, level: np.ndarray
          ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where arcs touch their words, so that none crosses another without need.

    At each word, arcs to the left are left of arcs to the right, and of those to one
    side the highest is the one nearest to the middle. The arc from the root is between
    the sides.

    returns : for the arc of each token its place at the head and at the token, counted
        from the middle of the word (..., -1, -0.5, 0, 0.5, 1, ...); for each word the
        number of its arcs
    """
    n = len(heads)
    arcs = np.flatnonzero(has_arc(heads))
    inner = arcs[heads[arcs] > 0]
    words = np.concatenate([heads[inner] - 1, arcs])
    others = np.concatenate([inner, heads[arcs] - 1])
    side = np.sign(others - words)
    side[len(inner):][heads[arcs] == 0] = 0
    level_of = level[np.concatenate([inner, arcs])]
    order = np.lexsort((-side * level_of, side, words))
    counts = np.bincount(words, minlength=n)
    first = np.cumsum(counts) - counts
    shift = np.empty(len(words))
    shift[order] = np.arange(len(words)) - first[words[order]]
    shift -= (counts[words] - 1) / 2
    at_head, at_token = np.zeros(n), np.zeros(n)
    at_head[inner], at_token[arcs] = shift[:len(inner)], shift[len(inner):]
    return at_head, at_token, counts


def place_words(widths: Sequence[float], gap: float,
                spans: Iterable[tuple[int, int, float]] = ()) -> np.ndarray:
    """Centres of words from left to right, as close as widths and spans allow.

    spans : (left, right, room): the centres of these two words, by their indices, are
        to be at least so far apart
    """
    ending: dict[int, list[tuple[int, float]]] = {}
    for left, right, room in spans:
        ending.setdefault(right, []).append((left, room))
    centres = np.zeros(len(widths))
    for i, width in enumerate(widths):
        centre = width / 2
        if i:
            centre += centres[i - 1] + widths[i - 1] / 2 + gap
        for left, room in ending.get(i, ()):
            centre = max(centre, centres[left] + room)
        centres[i] = centre
    return centres


def lay_out(widths: Sequence[float], trees: Sequence[TreeShape], spacing: Spacing, *,
            right_to_left: bool = False) -> Layout:
    """Words in a row, and over (or under) them the arcs of each tree.

    Words do not overlap, there is room for all arcs at a word, and each arc is wider
    than its label.
    """
    touching = []
    room = np.array(widths, float)
    spans = []
    for tree in trees:
        level = levels(tree.heads)
        at_head, at_token, counts = ports(tree.heads, level)
        port = np.minimum(spacing.port, spacing.ports / np.maximum(counts, 1))
        room = np.maximum(room, counts * port)
        at_head *= port[np.maximum(tree.heads, 1) - 1]
        at_token *= port
        touching.append((level, at_head, at_token))
        for index in np.flatnonzero(has_arc(tree.heads) & (tree.heads > 0)):
            (left, left_port), (right, right_port) = sorted([
                (tree.heads[index] - 1, at_head[index]), (index, at_token[index])])
            spans.append((left, right, tree.label_widths[index] + spacing.label_room
                          + left_port - right_port))
    words = place_words(room.tolist(), spacing.gap, spans)
    width = float(words[-1] + room[-1] / 2) if len(words) else 0.
    arcs = []
    for tree, (level, at_head, at_token) in zip(trees, touching):
        tokens = np.flatnonzero(has_arc(tree.heads)) + 1
        end = words + at_token
        at_word = words[np.maximum(tree.heads, 1) - 1]
        start = np.where(tree.heads > 0, at_word + at_head, end)
        arcs.append(Arcs(tokens, start, end, heights(level, spacing.step)))
    if right_to_left:
        words = width - words
        arcs = [Arcs(arc.tokens, width - arc.start, width - arc.end, arc.height)
                for arc in arcs]
    return Layout(words, width, arcs)


def corner(span: float, height: float) -> float:
    """How wide the rounded corners of an arc are; short arcs are all corner.

    They grow with the height, but slower, so that nested arcs do not meet.
    """
    return min(abs(span) / 2, 12 + 0.2 * height)
