"""What speaks for and against an edge, in words."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from orange_structpred.parsing.features.edge_scoring import kinds_before
from orange_structpred.parsing.features.edge_templates import (
    CLASSES,
    MAX_COUNT,
    parse_template,
)
from orange_structpred.parsing.features.feature_names import END, NO_WORD, START
from orange_structpred.treebank.encoding import ENCODED_LAYERS, encode, layer_strings

DISTANCES = ("1", "2", "3", "4", "5", "6-10", "over 10")


#: What a score is a sum of, in words
FROM_FEATURES, FROM_PARTS, FROM_VOTE, FROM_NET = SOURCES = (
    "features", "siblings and grandparents", "vote of the transition-based parser",
    "net (not made of named features)")


class Contribution(NamedTuple):
    """A feature, or a training sentence, and how much it adds to an edge's score."""

    name: str
    value: float

    @property
    def source(self) -> str:
        """One of `SOURCES`."""
        return FROM_FEATURES


class PartContribution(Contribution):
    """A feature of an edge and further ones."""

    __slots__ = ()

    @property
    def source(self) -> str:
        return FROM_PARTS


class VoteContribution(Contribution):
    """The vote of a transition-based parser."""

    __slots__ = ()

    @property
    def source(self) -> str:
        return FROM_VOTE


class NetContribution(Contribution):
    """What a net adds; it is not made of named features."""

    __slots__ = ()

    @property
    def source(self) -> str:
        return FROM_NET


def summands(contributions: Iterable[Contribution]) -> list[Contribution]:
    """The sum of the contributions of each source there is, in the order of `SOURCES`;
    they add up to the same score.

    Examples
    --------
    >>> summands([Contribution("a", 1.), NetContribution("net", -0.5),
    ...           Contribution("b", 2.)])     # doctest: +NORMALIZE_WHITESPACE
    [Contribution(name='features', value=3.0),
     Contribution(name='net (not made of named features)', value=-0.5)]
    """
    sums: dict[str, float] = {}
    for item in contributions:
        sums[item.source] = sums.get(item.source, 0.) + item.value
    return [Contribution(source, sums[source]) for source in SOURCES if source in sums]


def distance_name(slot: int) -> str:
    """Direction and distance class of a slot, in words."""
    side = "left" if slot > CLASSES else "right"
    return f"distance {DISTANCES[(slot - 1) % CLASSES]} {side}"


def edge_names(texts: Sequence[str], sentence, head: int, dependent: int
               ) -> Iterator[str]:
    """The features of an edge in words, in the order of `edge_numbers`."""
    layers = layer_strings(sentence)
    low, high = min(head, dependent), max(head, dependent)
    kinds = kinds_before(encode([sentence]).tokens)
    for text in texts:
        parts = []
        between = None
        for word, (side, offset, layer) in zip(text.split(), parse_template(text)):
            if side == "n":
                count = kinds[high - 1, layer] - kinds[low, layer]
                parts.append(f"{word}={count}" if count < MAX_COUNT
                             else f"{word}={MAX_COUNT}+")
            elif side == "b":
                tags = layers[ENCODED_LAYERS[layer]][low + 1:high]
                between = word, list(dict.fromkeys(tags))
            else:
                token = head if side == "h" else dependent
                parts.append(f"{word}=" + neighbour_string(
                    layers[ENCODED_LAYERS[layer]], token, offset))
        if between is None:
            yield " ".join(parts)
        else:
            for tag in between[1]:
                yield " ".join([*parts, f"{between[0]}={tag}"])


def neighbour_string(strings: list[str], token: int, offset: int) -> str:
    position = token + offset
    if offset and (token == 0 or position < 1 or position >= len(strings)):
        return START if offset < 0 else END
    return strings[position] or NO_WORD
