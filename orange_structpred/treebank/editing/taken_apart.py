"""A CoNLL block taken apart, so that words can come and go, and put together again.

Heads, enhanced dependencies and ranges refer to words, not to their numbers; the numbers
are written anew when the block is put together. What is not touched stays as it was.
Enhanced dependencies that repeat an arc of the tree change with it; all others stay, as
long as each word can be reached from the root.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import (
    DEPREL_COLUMN,
    FORM_COLUMN,
    HEAD_COLUMN,
    MISC_COLUMN,
    N_COLUMNS,
)
from orange_structpred.treebank.layers import EMPTY
from orange_structpred.treebank.prediction import with_old_probabilities
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.text import NO_SPACE, text_of, tokens_of

DEPS_COLUMN = DEPREL_COLUMN + 1
ROOT_RELATION = "root"
UNKNOWN_RELATION = "dep"
TEXT_KEY = "text"


@dataclass(eq=False)
class BlockLine:
    """A line of a block with a token."""

    cells: list[str]

    @property
    def form(self) -> str:
        return self.cells[FORM_COLUMN]

    @form.setter
    def form(self, form: str) -> None:
        self.cells[FORM_COLUMN] = form

    @property
    def space_after(self) -> bool:
        """Whether a space follows; if not, the last cell says ``SpaceAfter=No``."""
        return NO_SPACE not in self.cells[MISC_COLUMN].split("|")

    @space_after.setter
    def space_after(self, space_after: bool) -> None:
        kept = [entry for entry in self.cells[MISC_COLUMN].split("|")
                if entry not in (EMPTY, NO_SPACE)]
        self.cells[MISC_COLUMN] = "|".join(
            sorted([*kept, *[NO_SPACE] * (not space_after)])) or EMPTY


@dataclass(eq=False)
class BlockNode(BlockLine):
    """A word, or an empty node (``5.1``).

    head : None for the root and for an unknown head, which `cells` tells apart
    enhanced : the entries of DEPS as (node, relation), the root as None; () if the
        column is kept as it is
    """

    empty: bool = False
    head: BlockNode | None = None
    enhanced: tuple[tuple[BlockNode | None, str], ...] = ()


@dataclass(eq=False)
class Range(BlockLine):
    """A token of several words (``3-4``)."""

    words: list[BlockNode]


@dataclass(eq=False)
class TakenApart:
    """The comments, words, empty nodes and ranges of a sentence.

    connected : whether its enhanced dependencies are, and stay, a connected graph
    """

    comments: list[str]
    nodes: list[BlockNode]
    ranges: list[Range] = field(default_factory=list)
    connected: bool = False

    @classmethod
    def of(cls, sentence: Sentence) -> TakenApart:
        lines = sentence.block.split("\n")
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        by_id = {row[0]: BlockNode(row, empty="." in row[0]) for row in rows
                 if "-" not in row[0]}
        for node in by_id.values():
            node.head = by_id.get(node.cells[HEAD_COLUMN])
            node.enhanced = enhanced_heads(node.cells[DEPS_COLUMN], by_id)
        ranges = []
        for row in rows:
            first, dash, last = row[0].partition("-")
            if dash:
                ranges.append(Range(row, [by_id[str(i)] for i in range(
                    int(first), int(last) + 1)]))
        return cls([line for line in lines if line.startswith("#")],
                   list(by_id.values()), ranges, is_connected(list(by_id.values())))

    @property
    def words(self) -> list[BlockNode]:
        return [node for node in self.nodes if not node.empty]

    def word(self, number: int) -> BlockNode:
        words = self.words
        if not 1 <= number <= len(words):
            raise InputError(f"there is no word {number} in a sentence of {len(words)} "
                             "words")
        return words[number - 1]

    def range_of(self, word: BlockNode) -> Range | None:
        """The token of several words that a word is a part of."""
        return next((item for item in self.ranges if word in item.words), None)

    def sentence(self, *, keep_text: bool = False) -> Sentence:
        """All put together again, with new numbers and, if there was one, a new text."""
        if self.connected:
            connect(self.nodes)
        self._number()
        rows = []
        before = {item.words[0]: item for item in self.ranges}
        for node in self.nodes:
            if node in before:
                rows.append(before[node].cells)
            rows.append(node.cells)
        lines = ["\t".join(cells) for cells in rows]
        made = Sentence("\n".join([*self.comments, *lines]))
        for i, line in enumerate(() if keep_text else self.comments):
            if is_comment(line, TEXT_KEY):
                text = text_of(tokens_of(made))
                if made.text != text:
                    self.comments[i] = f"# {TEXT_KEY} = {text}"
                    return Sentence("\n".join([*self.comments, *lines]))
        return made

    def _number(self) -> None:
        number = empty = 0
        for node in self.nodes:
            if node.empty:
                empty += 1
                node.cells[0] = f"{number}.{empty}"
            else:
                number, empty = number + 1, 0
                node.cells[0] = str(number)
        for node in self.nodes:
            if node.head is not None:
                node.cells[HEAD_COLUMN] = node.head.cells[0]
            if node.enhanced:
                node.cells[DEPS_COLUMN] = "|".join(
                    f"{head.cells[0] if head else 0}:{relation}"
                    for head, relation in sorted(node.enhanced, key=enhanced_order))
        for item in self.ranges:
            item.cells[0] = f"{item.words[0].cells[0]}-{item.words[-1].cells[0]}"

    def replace_references(self, gone: BlockNode, instead: BlockNode | None) -> None:
        """Enhanced dependencies on a word that goes lead to another one, or to the
        root."""
        for node in self.nodes:
            node.enhanced = tuple(dict.fromkeys(
                (instead if head is gone else head, relation)
                for head, relation in node.enhanced
                if not (head is gone and instead is node)))
            if not node.enhanced and node.cells[DEPS_COLUMN] != EMPTY and any(
                    entry.partition(":")[0] == gone.cells[0]
                    for entry in node.cells[DEPS_COLUMN].split("|")):
                node.cells[DEPS_COLUMN] = EMPTY


def with_tree(sentence: Sentence, heads: Sequence[int] | np.ndarray,
              relations: Sequence[str]) -> Sentence:
    """The sentence with other heads and relations. Enhanced dependencies that repeat the
    tree follow it. A probability is that of a head, and goes with it."""
    made = with_old_probabilities(sentence.with_heads(heads, relations), sentence)
    apart = TakenApart.of(made)
    if not any(node.enhanced for node in apart.nodes):
        return made
    words = apart.words
    for word, head, relation in zip(words, sentence.heads.tolist(), sentence.deprels):
        if head >= 0 and word.cells[HEAD_COLUMN] != EMPTY:
            follow_arc(word, (words[head - 1] if head else None, relation))
    return apart.sentence(keep_text=True)


def is_connected(nodes: Sequence[BlockNode]) -> bool:
    """Whether there is an enhanced graph, and all of its nodes are below the root."""
    return any(node.enhanced for node in nodes) and below_root(nodes) == set(nodes)


def below_root(nodes: Sequence[BlockNode]) -> set[BlockNode]:
    """The nodes that the root reaches by enhanced dependencies."""
    dependents: dict[BlockNode | None, list[BlockNode]] = {}
    for node in nodes:
        for head, _ in node.enhanced:
            dependents.setdefault(head, []).append(node)
    seen: set[BlockNode] = set()
    waiting: list[BlockNode | None] = [None]
    while waiting:
        new = [node for node in dependents.get(waiting.pop(), ()) if node not in seen]
        seen.update(new)
        waiting += new
    return seen


def connect(nodes: Sequence[BlockNode]) -> None:
    """Words that the root does not reach get their arc of the tree as a dependency;
    empty nodes one on the root of the tree."""
    tree_root = next((node for node in nodes if node.cells[HEAD_COLUMN] == "0"), None)
    while missing := set(nodes) - below_root(nodes):
        node = next((node for node in nodes if node in missing and (
            node is tree_root or node.head is not None and node.head not in missing)), None)
        if node is not None:
            arc = node.head, node.cells[DEPREL_COLUMN]
        else:
            node = next((node for node in nodes if node.empty and node in missing), None)
            arc = tree_root, UNKNOWN_RELATION
        if node is None or arc[1] == EMPTY or node.empty and tree_root in (None, *missing):
            return      # the tree itself is not complete
        node.enhanced = tuple(dict.fromkeys([*node.enhanced, arc]))


def follow_arc(node: BlockNode, old: tuple[BlockNode | None, str]) -> None:
    """The enhanced dependency that repeats an arc of the tree, perhaps with a subtype
    (``obl:in`` for ``obl``), becomes the arc that the node has now."""
    head, relation = old
    new = node.head, node.cells[DEPREL_COLUMN]
    repeats = next((arc for arc in node.enhanced if arc[0] is head and (
        arc[1] == relation or arc[1].startswith(f"{relation}:"))), None)
    if repeats and new != old:
        node.enhanced = tuple(dict.fromkeys(
            new if arc == repeats else arc for arc in node.enhanced))


def enhanced_heads(column: str, by_id: dict[str, BlockNode]
                   ) -> tuple[tuple[BlockNode | None, str], ...]:
    """The entries of DEPS; () if one of them leads nowhere."""
    entries = []
    for entry in column.split("|") if column != EMPTY else ():
        number, colon, relation = entry.partition(":")
        if not colon or number != "0" and number not in by_id:
            return ()
        entries.append((by_id.get(number), relation))
    return tuple(entries)


def enhanced_order(entry: tuple[BlockNode | None, str]) -> tuple[float, str]:
    """In DEPS, entries are sorted by the number of the head."""
    head, relation = entry
    whole, _, part = (head.cells[0] if head else "0").partition(".")
    return int(whole) + int(part or 0) / 1000, relation


def is_comment(line: str, key: str) -> bool:
    """Whether a line is the comment ``# key = ...``."""
    return line.startswith("#") and line[1:].partition("=")[0].strip() == key \
        and "=" in line


def new_word(form: str, head: BlockNode | None, relation: str, *, upos: str = "X",
             space_after: bool = True) -> BlockNode:
    """A word without further annotation; without a head it is the root."""
    cells = [EMPTY] * N_COLUMNS
    cells[FORM_COLUMN], cells[3], cells[HEAD_COLUMN] = form, upos, "0"
    cells[DEPREL_COLUMN] = relation
    node = BlockNode(cells, head=head)
    node.space_after = space_after
    return node
