"""A pattern as it was read: nodes, edges, order, and what must not be there."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from orange_structpred.search.regular import RegularExpression

ANY_NODE = "*"
#: keys of an edge's label: all of it, the universal relation, the subtype
LABEL, UNIVERSAL, SUBTYPE = "deprel", "deprel.1", "deprel.2"
EDGE_KEYS = {"label": LABEL, "1": UNIVERSAL, "2": SUBTYPE}
#: what a word governs, and where it stands
FRAME, POSITION = "frame", "position"
#: keys of a word that are columns; all others are features, or keys of MISC
WORD_KEYS = ("form", "lemma", "upos", "xpos", LABEL)
_ALIASES = {"rel": LABEL, "relation": LABEL, "word": "form", "pos": "upos"}


def word_key(key: str) -> str:
    """The key of a column in its own spelling: UPOS and upos are one."""
    lowered = _ALIASES.get(key.lower(), key.lower())
    return lowered if lowered in (*WORD_KEYS, UNIVERSAL, SUBTYPE) else key


@dataclass(frozen=True)
class Value:
    """What a value may be: a string, the beginning of one, or a regular expression."""

    text: str
    kind: str = "exact"             # or "prefix", "re"
    expression: RegularExpression | None = None
    position: int = field(default=0, compare=False)

    def fits(self, string: str) -> bool:
        if self.expression is not None:
            return self.expression.matches(string)
        if self.kind == "prefix":
            return string.startswith(self.text)
        return string == self.text


@dataclass(frozen=True)
class FeatureTest:
    """A condition on one key: one of several values, or none of them.

    Without values the key only has to be there, or must not be there. A key that is not
    there fits no other condition, negated ones included.
    """

    key: str
    values: tuple[Value, ...] | None = None
    negated: bool = False
    position: int = field(default=0, compare=False)

    def fits(self, string: str | None) -> bool:
        if self.values is None:
            return (string is None) == self.negated
        return string is not None and self.negated != any(
            value.fits(string) for value in self.values)


@dataclass(frozen=True)
class NodeClause:
    """Conditions on a word: all conditions of at least one of the alternatives."""

    name: str
    alternatives: tuple[tuple[FeatureTest, ...], ...]


@dataclass(frozen=True)
class EdgeClause:
    """An edge from a head to a dependent, or a path of edges down.

    The head or the dependent may be any node, "*".
    """

    head: str
    dependent: str
    labels: tuple[FeatureTest, ...] = ()
    name: str = ""
    is_path: bool = False


@dataclass(frozen=True)
class OrderClause:
    """The left word is before the right one; or just before it."""

    left: str
    right: str
    adjacent: bool = False


@dataclass(frozen=True)
class ComparisonClause:
    """Two nodes have the same value of their keys; or different ones."""

    left: tuple[str, str]
    right: tuple[str, str]
    negated: bool = False


@dataclass
class PatternBlock:
    """What stands between two braces."""

    nodes: list[NodeClause] = field(default_factory=list)
    edges: list[EdgeClause] = field(default_factory=list)
    orders: list[OrderClause] = field(default_factory=list)
    comparisons: list[ComparisonClause] = field(default_factory=list)
    #: names of the nodes, in the order in which they are first mentioned
    names: list[str] = field(default_factory=list)

    def mention(self, name: str) -> None:
        if name != ANY_NODE and name not in self.names:
            self.names.append(name)

    def tests(self) -> Iterator[FeatureTest]:
        """All conditions on keys."""
        for node in self.nodes:
            for alternative in node.alternatives:
                yield from alternative
        for edge in self.edges:
            yield from edge.labels


@dataclass
class Pattern:
    """A pattern: nodes that are looked for, and conditions on what is around them.

    Attributes
    ----------
    text : as it was written
    block : of the nodes that are looked for
    conditions : pairs of whether it must match (`with`) or must not (`without`), and a
        block
    properties : of whole sentences: pairs of a name and whether it must be so
    comments : conditions on the sentence's text and id
    """

    text: str
    block: PatternBlock
    conditions: list[tuple[bool, PatternBlock]] = field(default_factory=list)
    properties: list[tuple[str, bool]] = field(default_factory=list)
    comments: list[FeatureTest] = field(default_factory=list)

    @property
    def nodes(self) -> list[str]:
        """The names of the nodes."""
        return list(self.block.names)

    @cached_property
    def edges(self) -> dict[str, EdgeClause]:
        """The edges between two nodes by their names; without one, they are called
        after their nodes, ``V->N``."""
        return {edge.name or f"{edge.head}->{edge.dependent}": edge
                for edge in self.block.edges
                if not edge.is_path and ANY_NODE not in (edge.head, edge.dependent)}

    def tests(self) -> Iterator[FeatureTest]:
        for block in (self.block, *(block for _, block in self.conditions)):
            yield from block.tests()
