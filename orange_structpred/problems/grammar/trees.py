"""Constituency trees: bracket files, and Chomsky normal form and back.

A tree in brackets is ``(S (NP (DT the) (NN dog)) (VP (VBZ barks)))``: each word stands
alone in the brackets of its tag, each phrase is in the brackets of its label. The outer
brackets of the Penn Treebank, which have no label, are taken off.
"""
from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.files.reading import read_bytes
from orange_structpred.files.writing import write_bytes

#: How deep brackets may be nested; trees of sentences are never deeper
DEEPEST_TREE = 300
#: Between the labels of a unary chain, and before the phrase that a node is a part of
CHAIN, PART = "+", "|"


class BracketError(InputError):
    """A file of trees that cannot be read: which line, what was found."""

    def __init__(self, file: str, line: int, found: str, expected: str):
        self.file, self.line, self.found, self.expected = file, line, found, expected
        super().__init__(f"{file}, line {line}: found {found}, expected {expected}")


class PhraseTree(NamedTuple):
    """A phrase and what it consists of; a tag has a word as its only child.

    Examples
    --------
    >>> tree = PhraseTree.from_brackets("(S (NP (PRP he)) (VP (VBZ sleeps)))")
    >>> tree.words, tree.tags
    (['he', 'sleeps'], ['PRP', 'VBZ'])
    >>> print(tree)
    (S (NP (PRP he)) (VP (VBZ sleeps)))
    """

    label: str
    children: tuple[PhraseTree | str, ...]

    @classmethod
    def from_brackets(cls, text: str) -> PhraseTree:
        trees = list(parse_brackets(text, "the text"))
        if len(trees) != 1:
            raise InputError(f"found {len(trees)} trees in the text, expected one")
        return trees[0]

    @property
    def is_tag(self) -> bool:
        return isinstance(self.children[0], str)

    @property
    def phrases(self) -> list[PhraseTree]:
        """The children, where they are not a word."""
        return [child for child in self.children if isinstance(child, PhraseTree)]

    def nodes(self) -> Iterator[PhraseTree]:
        """This node and all below it, each before its children, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.phrases))

    @property
    def words(self) -> list[str]:
        return [child for node in self.nodes() for child in node.children
                if isinstance(child, str)]

    @property
    def tags(self) -> list[str]:
        return [node.label for node in self.nodes() if node.is_tag]

    def constituents(self) -> Counter[tuple[str, int, int]]:
        """How often each (label, start, end) occurs among the phrases; tags do not
        count."""
        counts: Counter[tuple[str, int, int]] = Counter()
        open_: list[list] = []          # phrases whose words are not all read
        position = 0
        for node in self.nodes():
            if node.is_tag:
                position += 1
                while open_:
                    open_[-1][2] -= 1
                    if open_[-1][2]:
                        break
                    label, start, _ = open_.pop()
                    counts[label, start, position] += 1
            else:
                open_.append([node.label, position, len(node.children)])
        return counts

    def __str__(self) -> str:
        pieces: list[str] = []
        stack: list[PhraseTree | str] = [self]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                pieces.append(node)
            elif node.is_tag:
                pieces.append(f" ({node.label} {node.children[0]})")
            else:
                pieces.append(f" ({node.label}")
                stack.append(")")
                stack.extend(reversed(node.children))
        return "".join(pieces).strip()


def parse_brackets(text: str, file: str = "text") -> Iterator[PhraseTree]:
    """The trees of a text; each may take several lines."""
    def error(line: int, found: str, expected: str) -> BracketError:
        return BracketError(file, line, found, expected)

    stack: list[tuple[int, str, list]] = []     # line, label, children
    for number, line in enumerate(text.split("\n"), 1):
        tokens = line.replace("(", " ( ").replace(")", " ) ").split()
        for token in tokens:
            if token == "(":
                if len(stack) == DEEPEST_TREE:
                    raise error(number, f"more than {DEEPEST_TREE} open brackets",
                                "trees of sentences")
                if stack and any(isinstance(child, str) for child in stack[-1][2]):
                    raise error(number, f"a bracket after the word "
                                f"{stack[-1][2][0]!r}", "its closing bracket")
                stack.append((number, "", []))
            elif token == ")":
                if not stack:
                    raise error(number, "a closing bracket", "an opening one before it")
                _, label, children = stack.pop()
                tree = _closed(label, children, bool(stack), number, error)
                if not stack:
                    yield tree
                else:
                    stack[-1][2].append(tree)
            elif not stack:
                raise error(number, f"{token[:40]!r}", "an opening bracket")
            else:
                opened, label, children = stack[-1]
                if not label and not children:
                    stack[-1] = (opened, token, children)
                elif children:
                    raise error(number, f"the word {token[:40]!r} beside "
                                "another word or phrase", "brackets around each word")
                else:
                    children.append(token)
    if stack:
        raise error(stack[0][0], "a bracket that is never closed",
                    "a closing bracket for it")


def _closed(label: str, children: list, inside: bool, line: int, error) -> PhraseTree:
    """The tree of a pair of brackets, which are closed here."""
    if not label:
        if not inside and len(children) == 1 and isinstance(children[0], PhraseTree):
            return children[0]
        raise error(line, "brackets without a label", "a label after the bracket")
    if not children:
        raise error(line, f"only the label {label[:40]!r} in brackets",
                    "a word or phrases after it")
    return PhraseTree(label, tuple(children))


def read_brackets(path: str | os.PathLike) -> list[PhraseTree]:
    """Read a file of trees in brackets, in UTF-8.

    Raises
    ------
    BracketError
        It names the file, the line, what was found and what was expected.
    """
    data = read_bytes(path)
    name = os.fspath(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise BracketError(name, line, "bytes that are not UTF-8", "text in UTF-8"
                           ) from None
    trees = list(parse_brackets(text.replace("\r", ""), name))
    if not trees:
        raise BracketError(name, 1, "no tree", "trees such as (S (NP (PRP he)) ...)")
    return trees


def write_brackets(path: str | os.PathLike, trees: Iterable[PhraseTree]) -> None:
    """Write trees in brackets, one per line."""
    write_bytes(path, "".join(f"{tree}\n" for tree in trees).encode())


def to_normal_form(tree: PhraseTree, markov: int | None = None) -> PhraseTree:
    """The tree in Chomsky normal form; `from_normal_form` gives it back.

    A phrase with one child becomes one node with it, ``S+VP``. One with more than two
    children has its first child and a node for the others, named after the phrase
    and the labels of the next children, ``NP|JJ-NN``.

    markov : how many of the next labels are part of the names; None for all
    """
    for name in {node.label for node in tree.nodes()}:
        if CHAIN in name or PART in name:
            raise InputError(f"found the label {name!r}, expected one without "
                             f"{CHAIN!r} and {PART!r}, which join labels in normal form")
    built: list[PhraseTree] = []
    work: list[tuple[PhraseTree, str | None]] = [(tree, None)]
    while work:         # a node, then its label when its children are built
        node, label = work.pop()
        if label is not None:
            children = [built.pop() for _ in node.children]    # the last was built first
            built.append(_binary(label, children, markov))
            continue
        chain = [node.label]
        while len(node.phrases) == 1:
            (node,) = node.phrases
            chain.append(node.label)
        joined = CHAIN.join(chain)
        if node.is_tag:
            built.append(PhraseTree(joined, node.children))
        else:
            work.append((node, joined))
            work.extend((child, None) for child in node.phrases)
    return built[0]


def _binary(label: str, children: list[PhraseTree], markov: int | None) -> PhraseTree:
    """A node with any number of children, two at a time, from the right."""
    lowest = label.split(CHAIN)[-1]
    right = children[-1]
    for k in range(len(children) - 2, 0, -1):
        following = [child.label for child in children[k:][:markov]]
        right = PhraseTree(f"{lowest}{PART}{'-'.join(following)}", (children[k], right))
    return PhraseTree(label, (children[0], right))


def from_normal_form(tree: PhraseTree) -> PhraseTree:
    """Undo `to_normal_form`."""
    built: list[PhraseTree] = []
    work: list[tuple[PhraseTree, int]] = [(tree, 0)]     # a node, its children's number
    while work:
        node, n_children = work.pop()
        if not node.is_tag and not n_children:
            first, rest = node.phrases
            children = [first]
            while PART in rest.label:
                first, rest = rest.phrases
                children.append(first)
            children.append(rest)
            work.append((node, len(children)))
            work.extend((child, 0) for child in children)
            continue
        *above, label = node.label.split(CHAIN)
        node = PhraseTree(label, node.children if node.is_tag
                    else tuple(built.pop() for _ in range(n_children)))
        for label in reversed(above):
            node = PhraseTree(label, (node,))
        built.append(node)
    return built[0]


def f1_score(trees: Iterable[PhraseTree], predicted: Iterable[PhraseTree]) -> float:
    """F1 of the labelled constituents of all trees together; tags do not count.

    A single word under its tag alone has none; if there are no constituents at all, 1.
    """
    matched = total = 0
    for tree, other in zip(trees, predicted, strict=True):
        gold, guessed = tree.constituents(), other.constituents()
        matched += (gold & guessed).total()
        total += gold.total() + guessed.total()
    return 2 * matched / total if total else 1.
