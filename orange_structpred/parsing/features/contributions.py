"""What speaks for and against an edge, in words."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from orange_structpred.parsing.features.edge_scoring import kinds_before
from orange_structpred.parsing.features.edge_templates import (
    CLASSES,
    LONGEST_SEQUENCE,
    MAX_COUNT,
)
from orange_structpred.parsing.features.feature_names import END, NO_WORD, START
from orange_structpred.treebank.encoding import (
    ENCODED_LAYERS,
    KIND_NAMES,
    VERB,
    encode,
    layer_strings,
)
from orange_structpred.treebank.layers import PUNCTUATION

DISTANCES = ("1", "2", "3", "4", "5", "6-10", "over 10")
#: A word of a template, taken apart
TEMPLATE_ATOM = re.compile(r"(?:([a-ac-mo-z])([+-]\d)?|(b)|(n))\.(\w+)")

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
    """Distance class and side of a slot, in words."""
    return f"distance {DISTANCES[(slot - 1) % CLASSES]} " + (
        "left" if slot > CLASSES else "right")


class SentenceWords:
    """What templates say of the tokens of a sentence, as strings.

    Positions are those of `second_order.tree_parts`: the root, n tokens, two STARTs, STOP.

    beside_root : what stands before and after the root is outside of the sentence, as it is
        for features of first order; otherwise it is nothing
    """

    def __init__(self, sentence, *, beside_root: bool = False):
        self.n, self.beside_root = len(sentence), beside_root
        n = self.n
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
            is_word = 1 <= token <= self.n
            if not is_word and not self.beside_root:
                return NO_WORD
            token += offset
            if not is_word or not 1 <= token <= self.n:
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
        for atom in TEMPLATE_ATOM.finditer(text):
            letter, offset, _, is_number, layer = atom.groups()
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


def edge_feature_names(texts: Sequence[str], sentence, head: int, dependent: int
                       ) -> Iterator[str]:
    """Names of the features of first order of an edge, in the order of `edge_numbers`."""
    return feature_names(texts, SentenceWords(sentence, beside_root=True),
                         {"h": head, "d": dependent}, {},
                         (min(head, dependent), max(head, dependent)))
