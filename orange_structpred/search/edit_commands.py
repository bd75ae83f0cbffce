"""What is done to the words of a match: commands are read.

::

    N.upos = PROPN; N.Number = ""; N.lemma = N.form
    V -[obl]-> N becomes nmod
    A.head = B
"""
from __future__ import annotations

import re
from dataclasses import dataclass

from orange_structpred.search.pattern import (
    LABEL,
    WORD_KEYS,
    EdgeClause,
    FeatureTest,
    Pattern,
    PatternBlock,
    word_key,
)
from orange_structpred.search.scanner import PatternError
from orange_structpred.search.syntax import LONGEST_PATTERN, PatternReader
from orange_structpred.treebank.layers import MISC_START

HEAD = "head"
ROOT_NODE = "root"
_COMMAND_KEY = re.compile(r"(?:misc:)?[^\W\d]\w*(?:\[\w+\])?")
_OTHER_NODE = re.compile(r"([^\W\d]\w*\$?)\.((?:misc:)?[^\W\d]\w*(?:\[\w+\])?)")


@dataclass(frozen=True)
class EditCommand:
    """Another value of a key of a node.

    Attributes
    ----------
    node, key : what is changed; the key is form, lemma, upos, xpos, deprel, head, a
        feature, or a key of MISC after "misc:"
    value : the new one, "" for none; of the key head, the name of a node or "root"
    copied : node and key that have the new value, in the place of `value`
    head : the node must depend on this one, else nothing is done
    labels : its relation must be such
    """

    node: str
    key: str
    value: str = ""
    copied: tuple[str, str] | None = None
    head: str = ""
    labels: tuple[FeatureTest, ...] = ()


def parse_commands(text: str, pattern: Pattern) -> list[EditCommand]:
    """Read commands on the nodes of a pattern; a PatternError says what is wrong.

    >>> from orange_structpred.search import parse_pattern
    >>> pattern = parse_pattern("pattern { V -[obl]-> N }")
    >>> [command.value for command in parse_commands("V -> N becomes nmod; N.upos = X", pattern)]
    ['nmod', 'X']
    """
    if len(text) > LONGEST_PATTERN:
        raise PatternError(f"at most {LONGEST_PATTERN:,} characters are allowed", text,
                           LONGEST_PATTERN, CommandReader.source)
    return CommandReader(text, pattern).read_commands()


class CommandReader(PatternReader):
    """Reads commands, in the notation of patterns."""

    source = "commands"

    def __init__(self, text: str, pattern: Pattern):
        super().__init__(text)
        self.searched = pattern

    def read_commands(self) -> list[EditCommand]:
        commands = []
        self.space()
        while not self.at_end():
            if self.accept(";"):
                continue
            self.count_clause()
            commands.append(self.command())
            if not self.at_end():
                self.require(";", "; or the end")
        if not commands:
            raise self.error("there is no command; try N.upos = PROPN")
        return commands

    def command(self) -> EditCommand:
        start = self.position
        name = self.node_name()
        if self.text.startswith(".", self.position):
            self.require(".")
            return self.assignment(self.known(name, start))
        if name in self.searched.edges:
            edge = self.searched.edges[name]
        else:
            block = PatternBlock()
            self.edge(block, self.known(name, start), "")
            (edge,) = block.edges
            self.known(edge.dependent, start)
            if edge.is_path:
                raise self.error("a path ->> has no label to change", start)
        return self.relabelled(edge)

    def relabelled(self, edge: EdgeClause) -> EditCommand:
        self.require("becomes", "becomes and the new relation")
        return EditCommand(edge.dependent, LABEL, self.plain_value(), head=edge.head,
                           labels=edge.labels)

    def known(self, name: str, position: int) -> str:
        if name not in self.searched.nodes and name not in self.searched.edges:
            raise self.error(
                f"there is no node {name!r} in the pattern; found: "
                f"{', '.join(self.searched.nodes)}", position)
        return name

    def assignment(self, node: str) -> EditCommand:
        key = self.key()
        self.require("=")
        start = self.position
        if key == HEAD:
            other = self.node_name()
            if other == node:
                raise self.error("a word cannot be its own head", start)
            return EditCommand(node, key, other if other == ROOT_NODE
                               else self.known(other, start))
        if match := _OTHER_NODE.match(self.text, start):
            self.position = match.end(1) + 1
            return EditCommand(node, key,
                               copied=(self.known(match[1], start), self.key()))
        value = self.plain_value()
        if not value and key in ("form", LABEL):
            raise self.error(f"{key} cannot be empty", start)
        return EditCommand(node, key, value)

    def key(self) -> str:
        key = self.take(_COMMAND_KEY, "a key, such as upos")
        if key.startswith(MISC_START) or key == HEAD:
            return key
        return word_key(key) if word_key(key) in WORD_KEYS else key

    def plain_value(self) -> str:
        value = self.value()
        if value.kind != "exact":
            raise self.error("a new value is plain text; put it in quotes", value.position)
        return value.text
