"""The trees of a string as the solutions of an integer program.

A tree is a set of parts: a rule over a span, and where it splits the span. Each phrase that
a part consists of is made by one other part, so the solutions are exactly the trees that
CKY chooses from (Martin, Rardin and Campbell, 1990).
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.problems.grammar.rules import Grammar
from orange_structpred.problems.grammar.spans import all_spans
from orange_structpred.problems.grammar.trees import CHAIN, PART
from orange_structpred.svm.programs import IntegerProgram


class Parts(NamedTuple):
    """Rules over spans; int arrays with an entry for each part.

    split : where the right child begins; -1 for a lexical rule
    """

    rule: np.ndarray
    start: np.ndarray
    split: np.ndarray
    end: np.ndarray


def possible_parts(grammar: Grammar, terminals: np.ndarray, inside: np.ndarray) -> Parts:
    """The parts of all trees of a string.

    inside : bool (n, n + 1, labels), whether a label can cover a span
    """
    rules, n = grammar.rules, len(terminals)
    parents, lefts, rights = rules.binary.T
    needed = np.zeros_like(inside)
    needed[0, n] = inside[0, n] & (rules.root_rules >= 0)
    parts: list[tuple[np.ndarray, ...]] = []
    for width in range(n, 0, -1):
        for start in range(n - width + 1):
            end = start + width
            if width == 1:
                lexical = slice(*rules.terminal_starts[terminals[start]:][:2])
                chosen = np.flatnonzero(needed[start, end, rules.parents[lexical]]) + lexical.start
                rule, split = len(rules.binary) + chosen, np.full(len(chosen), -1)
            else:
                between = np.arange(start + 1, end)
                possible = inside[start, between][:, lefts] & inside[between, end][:, rights]
                split, rule = np.nonzero(possible & needed[start, end, parents])
                split = between[split]
                needed[start, split, lefts[rule]] = True
                needed[split, end, rights[rule]] = True
            parts.append((rule, np.full(len(rule), start), split,
                          np.full(len(rule), end)))
    return Parts(*map(np.concatenate, zip(*parts)))


def tree_program(grammar: Grammar, terminals: np.ndarray, weights: np.ndarray,
                 node_scores: np.ndarray, inside: np.ndarray) -> IntegerProgram:
    """A variable for each constituent that a tree may have, named (label, start, end),
    tags included; then those of the parts, (rule, start, split, end) and (rule, position).

    Constituents are those of trees as users see them: a node ``S+VP`` is two of them, one
    that stands for some children of a phrase is none.
    """
    rules, n, n_labels = grammar.rules, len(terminals), len(grammar.labels)
    parts = possible_parts(grammar, terminals, inside)
    n_binary = len(rules.binary)
    binary = parts.rule < n_binary
    parent = np.concatenate([rules.binary[:, 0], rules.parents])[parts.rule]
    whole = (parts.start == 0) & (parts.end == n)
    part_weights = (weights[parts.rule] + node_scores[parts.start, parts.end, parent]
                    + np.where(whole, weights[rules.root_rules[parent]], 0.))
    constituents = constituent_names(grammar, n)
    n_constituents, n_parts = len(constituents), len(parts.rule)
    columns = n_constituents + np.arange(n_parts)

    def node(start, end, label):
        return (start * (n + 1) + end) * n_labels + label

    # a node is made as often as it is used; those of the whole string are not used
    left, right = rules.binary[parts.rule[binary], 1:].T
    nodes, row = np.unique(np.concatenate([
        node(parts.start, parts.end, parent)[~whole],
        node(parts.start[binary], parts.split[binary], left),
        node(parts.split[binary], parts.end[binary], right)]), return_inverse=True)
    flow = sparse.csr_array(
        (np.repeat([1., -1.], [np.count_nonzero(~whole), 2 * np.count_nonzero(binary)]),
         (row, np.concatenate([columns[~whole], columns[binary], columns[binary]]))),
        shape=(len(nodes), n_constituents + n_parts))
    one_root = sparse.csr_array(
        np.concatenate([np.zeros(n_constituents), whole.astype(float)])[None, :])
    return IntegerProgram(
        np.concatenate([np.zeros(n_constituents), part_weights]),
        [LinearConstraint(one_root, 1, 1), LinearConstraint(flow, 0, 0),
         _made_of_parts(grammar, constituents, parts, parent)],
        [*constituents, *_part_names(grammar, parts)],
        lambda z: _nodes(parts, parent, z[n_constituents:] > 0))


def constituent_names(grammar: Grammar, n: int) -> dict[tuple[str, int, int], int]:
    """All (label, start, end) of trees with n terminals, numbered. Tags cover one of
    them."""
    chains = [labels_of(label) for label in grammar.labels]
    lexical = [chains[label] for label in set(grammar.rules.parents.tolist()) if chains[label]]
    phrases = {label for chain in lexical for label in chain[:-1]}.union(
        *(chains[label] for label in set(grammar.rules.binary[:, 0].tolist())))
    tags = {chain[-1] for chain in lexical}
    names = [(label, start, end) for start, end in all_spans(n)
             for label in sorted(phrases | tags if end - start == 1 else phrases)]
    return {name: number for number, name in enumerate(names)}


def labels_of(label: str) -> list[str]:
    """The labels of the constituents that a node in normal form stands for."""
    return [] if PART in label else label.split(CHAIN)


def _made_of_parts(grammar: Grammar, constituents: dict, parts: Parts, parent: np.ndarray
                   ) -> LinearConstraint:
    """A constituent is there if one of the parts that make it is."""
    chains = [set(labels_of(label)) for label in grammar.labels]
    n = len(constituents)
    rows, columns = list(range(n)), list(range(n))
    for part, (start, end, label) in enumerate(zip(
            parts.start.tolist(), parts.end.tolist(), parent.tolist()), n):
        for symbol in chains[label]:
            rows.append(constituents[symbol, start, end])
            columns.append(part)
    values = np.where(np.arange(len(rows)) < n, -1., 1.)
    A = sparse.csr_array((values, (rows, columns)), shape=(n, n + len(parent)))
    return LinearConstraint(A, 0, 0)


def _part_names(grammar: Grammar, parts: Parts) -> Iterable[tuple]:
    for rule, start, split, end in zip(*(array.tolist() for array in parts)):
        name = grammar.names[rule]
        yield (name, start) if split < 0 else (name, start, split, end)


def _nodes(parts: Parts, parent: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The nodes of a tree as `cky` has them: parents before children."""
    nodes = np.column_stack([parts.start, parts.end, parent, parts.rule])[chosen]
    return nodes[np.lexsort((-nodes[:, 1], nodes[:, 0]))].astype(np.int32)
