"""Patterns are read: the notation of Grew-match, and a short form for one word.

::

    pattern { V [upos=VERB]; V -[obj]-> N; N [lemma="time"]; V << N }
    without { V -[nsubj]-> * }

    upos=VERB rel=obj head.lemma=see
"""
from __future__ import annotations

import re
from collections.abc import Callable

from orange_structpred.search.pattern import (
    ANY_NODE,
    EDGE_KEYS,
    LABEL,
    ComparisonClause,
    EdgeClause,
    FeatureTest,
    NodeClause,
    OrderClause,
    Pattern,
    PatternBlock,
    word_key,
)
from orange_structpred.search.scanner import BARE_VALUE, PatternError, PatternScanner

LONGEST_PATTERN = 10_000        # characters
MOST_NODES = 12
MOST_CLAUSES = 100
PROPERTIES = ("projective",)
SENTENCE_KEYS = ("sent_id", "text")
#: In the short form, the word and its head
WORD_NODE, HEAD_NODE = "W", "H"

_NODE_NAME = re.compile(r"[^\W\d]\w*\$?")
_KEYWORD = re.compile(r"(pattern|match|without|with|global)\s*\{")
_FEATURE_KEY = re.compile(r"[^\W\d]\w*(?:\[\w+\])?(?:\.[12])?")
_LABEL_PART = re.compile(r"(label|1|2)(?=\s*(?:=|<>|!=))")
# What tells the notation of Grew-match from the short form, and what is left out before
_LONG_FORM = re.compile(r"[\[<>;{]")
_IN_BOTH = re.compile(r"""re"[^"]*"|"[^"]*"|/[^/]*/|<>|\w\[\w+\](?=\s*(?:=|<>|!=))""")
_SHORT_KEY = re.compile(r"(head\.)?([^\W\d]\w*(?:\[\w+\])?(?:\.[12])?)")


def parse_pattern(text: str) -> Pattern:
    """Read a pattern; a PatternError says what is wrong with it, and where.

    >>> parse_pattern("pattern { V [upos=VERB]; V -[obj]-> N }").nodes
    ['V', 'N']
    >>> parse_pattern("upos=VERB rel=obj").nodes
    ['W']
    """
    if len(text) > LONGEST_PATTERN:
        raise PatternError(f"the pattern has {len(text):,} characters; at most "
                           f"{LONGEST_PATTERN:,} are allowed", text, LONGEST_PATTERN)
    return PatternReader(text).read()


class PatternReader(PatternScanner):
    """Reads a pattern from left to right."""

    def __init__(self, text: str):
        super().__init__(text)
        self.clauses = 0
        self.pattern = Pattern(text, PatternBlock())

    def read(self) -> Pattern:
        self.space()
        if self.at_end():
            raise self.error("the pattern is empty; try upos=VERB")
        if _KEYWORD.match(self.text, self.position):
            self.blocks()
        elif _LONG_FORM.search(_IN_BOTH.sub("", self.text)):
            self.block(self.pattern.block, lambda: _KEYWORD.match(
                self.text, self.position) is not None)
            self.blocks()
        else:
            self.short_form()
        self.check()
        return self.pattern

    # Blocks

    def count_clause(self) -> None:
        self.clauses += 1
        if self.clauses > MOST_CLAUSES:
            raise self.error(f"the pattern has more than {MOST_CLAUSES} clauses")

    def blocks(self) -> None:
        has_pattern = bool(self.pattern.block.names)
        while not self.at_end():
            start = self.position
            keyword = self.take(_KEYWORD, "pattern {, without {, with { or global {"
                                ).rstrip("{").rstrip()
            if keyword == "global":
                self.global_block()
                continue
            block = PatternBlock()
            if keyword in ("pattern", "match"):
                if has_pattern:
                    raise self.error("there is more than one pattern { }", start)
                has_pattern, block = True, self.pattern.block
            else:
                self.pattern.conditions.append((keyword == "with", block))
            self.block(block, lambda: self.text.startswith("}", self.position))
            self.require("}", "; or }")

    def block(self, block: PatternBlock, ends: Callable[[], bool]) -> None:
        while not self.at_end() and not ends():
            if self.accept(";"):
                continue
            self.count_clause()
            self.clause(block)
            if not self.at_end() and not ends():
                self.require(";", "; or the end of the block")

    def global_block(self) -> None:
        while not self.accept("}"):
            if self.accept(";") or self.accept(","):
                continue
            self.count_clause()
            start = self.position
            name = self.take(_NODE_NAME, "a property, such as is_not_projective, or }")
            known = {f"is_{'' if so else 'not_'}{property_name}": (property_name, so)
                     for property_name in PROPERTIES for so in (True, False)}
            if name in known:
                self.pattern.properties.append(known[name])
            elif name in SENTENCE_KEYS:
                self.pattern.comments.append(self.condition(name, start))
            else:
                raise self.error(f"unknown property {name!r}; valid ones are "
                                 f"{', '.join([*known, *SENTENCE_KEYS])}", start)

    # Clauses

    def clause(self, block: PatternBlock) -> None:
        start = self.position
        name = self.node_name()
        if self.text.startswith("[", self.position):
            self.no_star(name, start)
            block.nodes.append(self.node_clause(name))
            block.mention(name)
        elif self.text.startswith(":", self.position) and name != ANY_NODE:
            self.require(":")
            self.edge(block, self.node_name(), name.rstrip("$"))
        elif self.text.startswith("-", self.position):
            self.edge(block, name, "")
        elif self.text.startswith(".", self.position):
            self.no_star(name, start)
            self.comparison(block, name)
        else:
            self.no_star(name, start)
            self.order(block, name)

    def node_name(self) -> str:
        if self.accept(ANY_NODE):
            return ANY_NODE
        return self.take(_NODE_NAME, "the name of a node, such as V")

    def no_star(self, name: str, position: int) -> None:
        if name == ANY_NODE:
            raise self.error("* can only stand at one end of an edge", position)

    def node_clause(self, name: str) -> NodeClause:
        """``[upos=VERB, Tense=Past] | [upos=AUX]``"""
        alternatives = []
        while True:
            self.require("[")
            tests = []
            while not self.accept("]"):
                tests.append(self.feature())
                if not self.accept(",") and not self.text.startswith("]", self.position):
                    raise self.expected("',' or ']'")
            alternatives.append(tuple(tests))
            if not self.accept("|"):
                return NodeClause(name, tuple(alternatives))

    def feature(self) -> FeatureTest:
        start = self.position
        if self.accept("!"):
            return FeatureTest(word_key(self.take(_FEATURE_KEY, "a feature")), None, True,
                               start)
        return self.condition(
            word_key(self.take(_FEATURE_KEY, "a feature, such as upos, or ']'")), start)

    def condition(self, key: str, start: int) -> FeatureTest:
        """What follows a key: ``=a|b``, ``<>a|b``, or nothing."""
        if self.accept("<>") or self.accept("!="):
            return FeatureTest(key, self.values(), True, start)
        if self.accept("="):
            if self.text[self.position:self.position + 1] == "*" \
                    and not BARE_VALUE.match(self.text, self.position + 1):
                self.require("*")
                return FeatureTest(key, None, False, start)
            return FeatureTest(key, self.values(), False, start)
        return FeatureTest(key, None, False, start)

    def edge(self, block: PatternBlock, head: str, name: str) -> None:
        start = self.position
        labels: tuple[FeatureTest, ...] = ()
        arrow = "an arrow: ->, -[label]-> or ->>"
        if self.accept("-["):
            labels, arrow = self.labels(), "->"
            self.require("]")
        is_path = self.accept("->>")
        if not is_path:
            self.require("->", arrow)
        elif labels:
            raise self.error("a path ->> has no label", start)
        dependent = self.node_name()
        if head == dependent == ANY_NODE:
            raise self.error("an edge needs a node at one of its ends", start)
        if head == dependent:
            raise self.error(f"{head} cannot be its own head", start)
        if is_path and ANY_NODE in (head, dependent):
            raise self.error("a path ->> needs nodes at both of its ends", start)
        if name and any(edge.name == name for edge in block.edges):
            raise self.error(f"there are two edges called {name}", start)
        block.edges.append(EdgeClause(head, dependent, labels, name, is_path))
        block.mention(head)
        block.mention(dependent)

    def labels(self) -> tuple[FeatureTest, ...]:
        """``obj|obj:*``, ``^nsubj|csubj``, ``1=nsubj, 2=pass`` or ``!2``"""
        tests = []
        while not self.text.startswith("]", self.position):
            start = self.position
            if self.accept("!"):
                part = self.take(re.compile("[12]"), "1 or 2")
                tests.append(FeatureTest(EDGE_KEYS[part], None, True, start))
            elif _LABEL_PART.match(self.text, start):
                tests.append(self.condition(
                    EDGE_KEYS[self.take(_LABEL_PART, "a label")], start))
            else:
                negated = self.accept("^")
                tests.append(FeatureTest(LABEL, self.values(), negated, start))
            if not self.accept(",") and not self.text.startswith("]", self.position):
                raise self.expected("'|' or ']'")
        return tuple(tests)

    def order(self, block: PatternBlock, left: str) -> None:
        start = self.position
        for sign in ("<<", ">>", "<", ">"):
            if self.accept(sign):
                break
        else:
            raise self.expected(f"[, an arrow, < or << after {left}")
        right = self.node_name()
        self.no_star(right, start)
        if left == right:
            raise self.error(f"{left} cannot be before itself", start)
        if sign[0] == ">":
            left, right = right, left
        block.orders.append(OrderClause(left, right, adjacent=len(sign) == 1))
        block.mention(left)
        block.mention(right)

    def comparison(self, block: PatternBlock, name: str) -> None:
        """``A.lemma = B.lemma``, ``e.label <> f.label`` or ``A.lemma = "be"``"""
        start = self.position
        self.require(".")
        left = self.key_of(block, name)
        before = self.position
        if not any(self.accept(sign) for sign in ("<>", "!=", "=")):
            raise self.expected("= or <>")
        negated = not self.text.startswith("=", before)
        other = re.compile(r"([^\W\d]\w*\$?)\.").match(self.text, self.position)
        if other is None:
            self.position = before
            block.nodes.append(NodeClause(left[0], ((self.condition(left[1], start),),)))
        else:
            self.position = other.end()
            block.comparisons.append(ComparisonClause(
                left, self.key_of(block, other[1]), negated))

    def key_of(self, block: PatternBlock, name: str) -> tuple[str, str]:
        """The node and the key that are meant by what stands before and after a dot."""
        edges = {edge.name: edge for part in (self.pattern.block, block)
                 for edge in part.edges if edge.name}
        if name in edges:
            start = self.position
            key = self.take(re.compile(r"\w+"), "label, 1 or 2")
            if key not in EDGE_KEYS:
                raise self.error(f"an edge has the keys label, 1 and 2, not {key}", start)
            if edges[name].is_path or ANY_NODE == edges[name].dependent:
                raise self.error(f"{name} has no label to compare", start)
            return edges[name].dependent, EDGE_KEYS[key]
        key = word_key(self.take(_FEATURE_KEY, "a feature, such as lemma"))
        block.mention(name)
        return name, key

    # The short form

    def short_form(self) -> None:
        """``upos=NOUN rel=obj head.lemma=see``: conditions on a word and on its head."""
        word: list[FeatureTest] = []
        head: list[FeatureTest] = []
        while not self.at_end():
            self.count_clause()
            start = self.position
            absent = self.accept("!")
            match = _SHORT_KEY.match(self.text, self.position)
            if match is None:
                raise self.expected("a condition, such as upos=VERB")
            self.position = match.end()
            self.space()
            tests, key = head if match[1] else word, word_key(match[2])
            tests.append(FeatureTest(key, None, True, start) if absent
                         else self.condition(key, start))
            while self.accept(",") or self.accept("&"):
                pass
        block = self.pattern.block
        block.mention(WORD_NODE)
        block.nodes.append(NodeClause(WORD_NODE, (tuple(word),)))
        if head:
            block.mention(HEAD_NODE)
            block.nodes.append(NodeClause(HEAD_NODE, (tuple(head),)))
            block.edges.append(EdgeClause(HEAD_NODE, WORD_NODE))

    # What only the whole pattern shows

    def check(self) -> None:
        nodes = self.pattern.nodes
        if not nodes:
            raise self.error("the pattern has no node to look for", 0)
        for block in (self.pattern.block, *(part for _, part in self.pattern.conditions)):
            if len(block.names) > MOST_NODES:
                raise self.error(f"there are {len(block.names)} nodes in a block; at most "
                                 f"{MOST_NODES} are allowed", 0)
            names = {edge.name for edge in block.edges if edge.name}
            if both := names & {*nodes, *block.names}:
                raise self.error(f"{min(both)} is the name of a node and of an edge", 0)
