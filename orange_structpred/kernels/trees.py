"""Labelled trees as inputs, and the subset-tree kernel (thesis 3.2.3)."""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from orange_structpred.kernels import fragments
from orange_structpred.kernels.base import FragmentKernel, Values
from orange_structpred.kernels.errors import KernelError, describe_input

_PIECES = re.compile(r"\(|\)|[^\s()]+")


@dataclass(frozen=True)
class Tree:
    """An ordered labelled tree; a tree without children is a word.

    Examples
    --------
    >>> tree = Tree.parse("(S (NP it) (VP works))")
    >>> tree.label, len(tree.children), tree.words()
    ('S', 2, ['it', 'works'])
    >>> str(tree)
    '(S (NP it) (VP works))'
    """

    label: str
    children: tuple[Tree, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Tree:
        """A bracketed tree, as in constituency treebanks.

        An outer pair of brackets without a label, as in the Penn Treebank, is ignored.
        """
        open_nodes: list[list] = [[]]
        for piece in _PIECES.finditer(text):
            if piece[0] == "(":
                open_nodes.append([])
            elif piece[0] != ")":
                node = open_nodes[-1]
                # The first word after a bracket is its label, all others are leaves.
                node.append(cls(piece[0]) if node or len(open_nodes) == 1
                            else piece[0])
            elif len(open_nodes) == 1:
                raise KernelError(f"tree {text!r}: found ')' at character "
                                  f"{piece.start() + 1}, expected a node to close")
            else:
                open_nodes[-2].append(cls._closed(open_nodes.pop(), text))
        if len(open_nodes) > 1 or len(open_nodes[0]) != 1:
            seen = (f"{len(open_nodes) - 1} open brackets" if len(open_nodes) > 1
                    else f"{len(open_nodes[0])} trees")
            raise KernelError(f"tree {text!r}: found {seen}, expected one whole tree")
        return open_nodes[0][0]

    @classmethod
    def _closed(cls, node: list, text: str) -> Tree:
        if node and isinstance(node[0], str):
            return cls(node[0], tuple(node[1:]))
        if len(node) == 1:
            return node[0]
        raise KernelError(f"tree {text!r}: found a bracket without a label around "
                          f"{len(node)} nodes, expected a label")

    def words(self) -> list[str]:
        """The labels of the leaves."""
        return [node.label for node in self.nodes() if not node.children]

    def nodes(self) -> Iterator[Tree]:
        """All nodes, children before their parent."""
        todo, nodes = [self], []
        while todo:
            node = todo.pop()
            nodes.append(node)
            todo.extend(node.children)
        return reversed(nodes)

    def __len__(self) -> int:
        return sum(1 for _ in self.nodes())

    def __str__(self) -> str:
        pieces: list[str] = []
        todo: list[Tree | str] = [self]
        while todo:
            piece = todo.pop()
            if isinstance(piece, str):
                pieces.append(piece)
            elif piece.children:
                pieces.append(f"({piece.label}")
                todo.append(")")
                for child in reversed(piece.children):
                    todo += (child, " ")
            else:
                pieces.append(piece.label)
        return "".join(pieces)


def dependency_tree(sentence) -> Tree:
    """The dependency tree of a sentence as a labelled tree.

    There is one node per token. Its label is the relation; its children, in the order of
    the sentence, are the nodes of its dependents and a pre-terminal, the PoS tag over the
    form. All roots are children of one node.

    Examples
    --------
    >>> from orange_structpred.treebank import Sentence
    >>> row = "{}\\t{}\\t_\\t{}\\t_\\t_\\t{}\\t{}\\t_\\t_"
    >>> str(dependency_tree(Sentence("\\n".join([
    ...     row.format(1, "It", "PRON", 2, "nsubj"),
    ...     row.format(2, "works", "VERB", 0, "root")]))))
    '(ROOT (root (nsubj (PRON It)) (VERB works)))'
    """
    heads = sentence.heads.tolist()
    if min(heads, default=0) < 0:
        token = heads.index(-1)
        raise KernelError(f"{sentence!r}: token {token + 1} ({sentence.forms[token]!r}) "
                          "has no head, expected a whole dependency tree")
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for token, head in enumerate(heads, start=1):
        dependents[head].append(token)
    order = [0]
    for token in order:
        order.extend(dependents[token])
    made: dict[int, Tree] = {}
    for token in reversed(order):
        children = [made[child] for child in dependents[token]]
        if token > 0:
            tag = Tree(sentence.upos[token - 1], (Tree(sentence.forms[token - 1]),))
            children.insert(sum(child < token for child in dependents[token]), tag)
        made[token] = Tree(sentence.deprels[token - 1] if token > 0 else "ROOT",
                           tuple(children))
    return made[0]


def as_tree(x: object, number: int = 0) -> Tree:
    """An input of the tree kernel as a tree."""
    if isinstance(x, Tree):
        return x
    if not hasattr(x, "heads"):
        raise KernelError(f"{describe_input(x, number)} is a {type(x).__name__}, "
                          "expected a Tree or a Sentence")
    return dependency_tree(x)


@dataclass(frozen=True)
class _Flat:
    """Trees as arrays: their nodes with children, children before their parents."""

    productions: np.ndarray  # number of the production of each node
    bounds: np.ndarray  # nodes of tree i: bounds[i] to bounds[i + 1]
    child_bounds: np.ndarray  # children of node v: child_bounds[v] to [v + 1]
    children: np.ndarray  # as places in their tree; only those with children


@dataclass(frozen=True)
class _TreeReference:
    productions: dict
    flat: _Flat
    diagonal: np.ndarray


class SubsetTree(FragmentKernel):
    """Common tree fragments (Collins and Duffy, 2002).

    phi(x) has an entry for each fragment: how often it is in x, times the square root
    of decay^(its productions). A fragment has all of a node's children or none.

    Inputs are Trees, or Sentences with heads (see `dependency_tree`): the kernel is of
    no use for parsing plain sentences, whose trees are not known yet.

    Parameters
    ----------
    decay : float, default=0.5
        lambda of the thesis, in (0, 1]: the smaller, the less large fragments count.
    normalized : bool, default=True
        k(x, x') / sqrt(k(x, x) k(x', x')), so that large trees do not count more.

    Examples
    --------
    >>> a, b = Tree.parse("(S (NP it) (VP works))"), Tree.parse("(S (NP it) (VP is))")
    >>> SubsetTree(decay=1.0, normalized=False)(a, b)  # NP it; S NP VP; S (NP it) VP
    3.0
    """

    name = "tree"

    def reference(self, columns: Sequence) -> _TreeReference:
        productions: dict = {}
        flat = _flatten(columns, productions, grow=True)
        diagonal = np.empty(len(columns))
        fragments.tree_diagonal(
            flat.productions, flat.bounds, flat.child_bounds, flat.children,
            len(productions), float(self.decay), diagonal)
        return _TreeReference(productions, flat, diagonal)

    def plain_values(self, reference: _TreeReference, columns: Sequence,
                     rows: Sequence | None) -> Values:
        a = reference.flat if rows is None else _flatten(
            rows, reference.productions, grow=False)
        b, size = reference.flat, len(reference.productions)

        def values(start: int, stop: int, first: int) -> np.ndarray:
            out = np.empty((stop - start, len(columns) - first))
            fragments.tree_block(
                a.productions, a.bounds, a.child_bounds, a.children, start, stop,
                b.productions, b.bounds, b.child_bounds, b.children, first, size,
                float(self.decay), out)
            return out

        return values


def _flatten(inputs: Sequence, productions: dict, *, grow: bool) -> _Flat:
    """Trees as arrays; productions get numbers, or -1 if they are new and grow is off."""
    bounds, child_bounds = [0], [0]
    numbers: list[int] = []
    children: list[int] = []
    for i, x in enumerate(inputs):
        number_of: dict[int, int] = {}
        for node in as_tree(x, i).nodes():
            if not node.children:
                continue
            number_of[id(node)] = len(numbers) - bounds[-1]
            # Whether a child is a word belongs to the production: "(NP (it x))" and
            # "(NP it)" are different.
            rule = (node.label, *((child.label, not child.children)
                                  for child in node.children))
            number = (productions.setdefault(rule, len(productions)) if grow
                      else productions.get(rule, -1))
            numbers.append(number)
            children.extend(number_of[id(child)] for child in node.children
                            if child.children)
            child_bounds.append(len(children))
        bounds.append(len(numbers))
    return _Flat(np.array(numbers, dtype=np.int32), np.array(bounds, dtype=np.int64),
                 np.array(child_bounds, dtype=np.int64),
                 np.array(children, dtype=np.int32))
