"""Trees with second-order scores as the solutions of an integer program.

The parts of a tree follow from its edges (Martins, Smith and Xing, 2009): the children of a
head on one side are a path from START over all of them to STOP, whose steps are the
siblings parts; an edge has a grandparent part with the one head of its head, and so has a
side of a token that has no child.
"""
from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.parsing.decoding.decoders import PROJECTIVE
from orange_structpred.parsing.decoding.tree_program import TreeEdges
from orange_structpred.parsing.second_order.parts import (
    Edges,
    PartScores,
    list_childless,
    list_grandparents,
    list_siblings,
)
from orange_structpred.svm.programs import IntegerProgram


def part_program(edges: Edges, scores: PartScores, decoder: int, single_root: bool
                 ) -> IntegerProgram:
    """A variable for each edge, named (head, dependent), then for each siblings part,
    ("sibling", head, sibling, dependent), grandparent part, ("grandparent",
    grandparent, head, dependent), and side without a child, ("childless", grandparent,
    head, "left") or (..., "right"). A sibling or dependent of None is no further one.

    scores : of the parts; of all grandparent parts, unless the decoder is PROJECTIVE
    """
    n = edges.above.size - 2
    siblings, _, places = list_siblings(edges)
    grandparents, _, above = list_grandparents(edges, decoder != PROJECTIVE)
    childless, _, apart = list_childless(edges)
    part_weights = np.concatenate([scores.siblings[places], scores.grandparents[above],
                                   scores.childless[apart]])
    tree = TreeEdges(edges.heads, edges.dependents, n, len(part_weights))
    n_edges, edge_names = len(tree.heads), tree.names
    number = {name: k for k, name in enumerate(edge_names)}
    weights = np.zeros(tree.n_variables)
    weights[:tree.n_scored] = scores.edges
    weights[n_edges:] = part_weights
    equal: dict[object, list[tuple[int, float]]] = {}
    starts: dict[tuple[int, int], list[int]] = {}
    for k, (head, sibling, token) in enumerate(siblings.tolist(), n_edges):
        if token <= n:          # each child is reached once ...
            equal.setdefault(("to", head, token), [(number[head, token], -1.)]).append((k, 1.))
        if sibling <= n:        # ... and left once
            equal.setdefault(("from", head, sibling), [(number[head, sibling], -1.)]).append(
                (k, 1.))
        else:
            starts.setdefault((head, sibling), []).append(k)
            if token > n:       # there is no child
                number[head, sibling] = k
    below = []
    for k, (grandparent, head, token) in enumerate(
            [*grandparents.tolist(), *childless.tolist()], n_edges + len(siblings)):
        equal.setdefault(("above", head, token), [(number[head, token], -1.)]).append((k, 1.))
        below.append([(k, 1.), (number[grandparent, head], -1.)])
    # an edge without any grandparent part cannot be in a tree
    for name in edge_names[:tree.n_scored]:
        if name[0]:
            equal.setdefault(("above", *name), [(number[name], 1.)])
    constraints = [
        *tree.constraints(decoder, single_root),
        linear(list(equal.values()), tree.n_variables, 0, 0),
        linear([[(k, 1.) for k in edges_of_row] for edges_of_row in starts.values()],
               tree.n_variables, 1, 1),
        linear(below, tree.n_variables, -np.inf, 0)]
    names = [*edge_names,
             *(("sibling", head, *(None if token > n else token for token in pair))
               for head, *pair in siblings.tolist()),
             *(("grandparent", *triple) for triple in grandparents.tolist()),
             *(("childless", grandparent, head, "left" if start == n + 2 else "right")
               for grandparent, head, start in childless.tolist())]
    limiting = [constraint for constraint in constraints if constraint.A.shape[0]]
    return IntegerProgram(weights, limiting, names,
                          tree.heads_of, cuts=tree.cuts(decoder))


def linear(rows: list[list[tuple[int, float]]], n_variables: int, at_least: float,
           at_most: float) -> LinearConstraint:
    """Constraints from columns and values of each row."""
    entries = [(row, column, value) for row, entries_of_row in enumerate(rows)
               for column, value in entries_of_row]
    row, column, value = np.array(entries).reshape(-1, 3).T
    return LinearConstraint(sparse.csr_array(
        (value, (row.astype(int), column.astype(int))), shape=(len(rows), n_variables)),
        at_least, at_most)
