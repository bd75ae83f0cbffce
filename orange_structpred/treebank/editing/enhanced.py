"""Enhanced dependencies that follow what is done to a tree.

What repeats an arc of the tree changes with it; all else stays as it is, as long as each
word can be reached from the root.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orange_structpred.treebank.block import DEPREL_COLUMN, HEAD_COLUMN
from orange_structpred.treebank.layers import EMPTY

if TYPE_CHECKING:
    from orange_structpred.treebank.editing.taken_apart import BlockNode

UNKNOWN_RELATION = "dep"


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
