"""Inputs of kernels as texts, for files without code."""
from __future__ import annotations

import json
from collections.abc import Callable

from orange_structpred.errors import InputError
from orange_structpred.files.values import shortened
from orange_structpred.kernels.trees import Tree
from orange_structpred.treebank.sentence import Sentence


def tree_text(tree: Tree) -> str:
    """The label of each node and the number of its children, from the root down. In
    brackets, words that are brackets themselves could not be told apart from them."""
    nodes, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        nodes.append((node.label, len(node.children)))
        waiting.extend(reversed(node.children))
    return json.dumps(nodes)


def tree_from_text(text: str) -> Tree:
    """The tree of `tree_text`, or one in brackets."""
    if not text.startswith("["):
        return Tree.parse(text)
    made: list[Tree] = []
    for node in reversed(json.loads(text)):
        label, n_children = node
        if not isinstance(label, str) or type(n_children) is not int \
                or not 0 <= n_children <= len(made):
            raise InputError(f"found {shortened(node)}, expected a node of a tree")
        children = [made.pop() for _ in range(n_children)]
        made.append(Tree(label, tuple(children)))
    if len(made) != 1:
        raise InputError(f"found {len(made)} trees, expected one")
    return made[0]


#: Kinds of inputs: their class, what makes a text of one, and what reads it
INPUT_TEXTS: dict[str, tuple[type, Callable, Callable]] = {
    "sentence": (Sentence, lambda sentence: sentence.block, Sentence),
    "tree": (Tree, tree_text, tree_from_text)}
