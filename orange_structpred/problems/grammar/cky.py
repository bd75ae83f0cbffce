"""CKY, compiled: the best tree of a string, the best k of them, and the best of each
loss.

A tree in Chomsky normal form is an int32 array with a row for each node, parents before
children: start, end, label, rule. The score of a tree is the sum of the weights of its
rules and of the scores of its nodes.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.running.compiler import njit


class Rules(NamedTuple):
    """The rules of a grammar, numbered: binary ones, then lexical ones, then roots.

    binary : int32 (rules, 3); parent, left child, right child, ordered by left child
    left_starts : int64; the rules of left child B are left_starts[B] to
        left_starts[B + 1]
    parents : int32; the label of each lexical rule, ordered by terminal
    terminal_starts : int64; those of terminal t are terminal_starts[t] to
        terminal_starts[t + 1]
    root_rules : int64; the number of the rule that makes a label the root, or -1
    """

    binary: np.ndarray
    left_starts: np.ndarray
    parents: np.ndarray
    terminal_starts: np.ndarray
    root_rules: np.ndarray


@njit(nogil=True, cache=True, inline="always")
def put(row, one, two, three, four):
    row[0], row[1], row[2], row[3] = one, two, three, four


@njit(nogil=True, cache=True)
def fill_chart(rules, terminals, weights, node_scores):
    """The score of the best tree of each label over each span, its rule and its split.

    terminals : int32; -1 for what no rule makes
    node_scores : float64 (n, n + 1, labels), added to each node
    """
    n, n_labels = terminals.size, rules.root_rules.size
    n_binary = rules.binary.shape[0]
    chart = np.full((n, n + 1, n_labels), -np.inf)
    rule = np.full((n, n + 1, n_labels), -1, np.int32)
    split = np.zeros((n, n + 1, n_labels), np.int32)
    active = np.empty((n, n + 1, n_labels), np.int32)
    n_active = np.zeros((n, n + 1), np.int32)
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            best = chart[i, j]
            if width == 1 and terminals[i] >= 0:
                first = rules.terminal_starts[terminals[i]]
                for r in range(first, rules.terminal_starts[terminals[i] + 1]):
                    score = weights[n_binary + r]
                    if score > best[rules.parents[r]]:
                        best[rules.parents[r]] = score
                        rule[i, j, rules.parents[r]] = n_binary + r
            for m in range(i + 1, j):
                right = chart[m, j]
                for k in range(n_active[i, m]):
                    label = active[i, m, k]
                    left = chart[i, m, label]
                    for r in range(rules.left_starts[label],
                                   rules.left_starts[label + 1]):
                        score = left + right[rules.binary[r, 2]] + weights[r]
                        parent = rules.binary[r, 0]
                        if score > best[parent]:
                            best[parent] = score
                            rule[i, j, parent] = r
                            split[i, j, parent] = m
            for label in range(n_labels):
                if best[label] > -np.inf:
                    best[label] += node_scores[i, j, label]
                    active[i, j, n_active[i, j]] = label
                    n_active[i, j] += 1
    return chart, rule, split


@njit(nogil=True, cache=True)
def collect_nodes(rules, rule, split, start, end, label):
    """The nodes of the best tree of a label over a span."""
    nodes = np.empty((2 * (end - start) - 1, 4), np.int32)
    stack = np.empty((end - start + 1, 4), np.int32)
    put(stack[0], start, end, label, 0)
    waiting, n_nodes = 1, 0
    while waiting:
        waiting -= 1
        i, j, node_label, _ = stack[waiting]
        r = rule[i, j, node_label]
        put(nodes[n_nodes], i, j, node_label, r)
        n_nodes += 1
        if j - i > 1:
            m = split[i, j, node_label]
            put(stack[waiting], m, j, rules.binary[r, 2], 0)
            put(stack[waiting + 1], i, m, rules.binary[r, 1], 0)
            waiting += 2
    return nodes


@njit(nogil=True, cache=True)
def best_derivation(rules, terminals, weights, node_scores):
    """The nodes of the best tree, or an array without rows if the grammar has no tree for
    this string."""
    chart, rule, split = fill_chart(rules, terminals, weights, node_scores)
    n = terminals.size
    best, root = -np.inf, -1
    for label in range(rules.root_rules.size):
        if rules.root_rules[label] >= 0:
            score = chart[0, n, label] + weights[rules.root_rules[label]]
            if score > best:
                best, root = score, label
    if root < 0:
        return np.empty((0, 4), np.int32)
    return collect_nodes(rules, rule, split, 0, n, root)


@njit(nogil=True, cache=True)
def collect_ranked(rules, back, root, rank, nodes):
    """Write the nodes of a tree where each label over each span has several.

    back : (start, end, label, rank, 4); the rule, its split, and the ranks of the
        left and of the right child
    """
    n = back.shape[0]
    stack = np.empty((n + 1, 4), np.int32)
    put(stack[0], 0, n, root, rank)
    waiting, n_nodes = 1, 0
    while waiting:
        waiting -= 1
        i, j, label, node_rank = stack[waiting]
        r, m, left, right = back[i, j, label, node_rank]
        put(nodes[n_nodes], i, j, label, r)
        n_nodes += 1
        if j - i > 1:
            put(stack[waiting], m, j, rules.binary[r, 2], right)
            put(stack[waiting + 1], i, m, rules.binary[r, 1], left)
            waiting += 2


@njit(nogil=True, cache=True)
def insert(scores, back, score, r, m, left, right):
    """Put a tree into the list of the best ones, the best first, if it belongs there."""
    rank = scores.size - 1
    if score <= scores[rank]:
        return
    while rank > 0 and scores[rank - 1] < score:
        scores[rank] = scores[rank - 1]
        back[rank] = back[rank - 1]
        rank -= 1
    scores[rank] = score
    put(back[rank], r, m, left, right)


@njit(nogil=True, cache=True)
def best_trees(rules, terminals, weights, node_scores, k):
    """Scores and nodes of the best k trees, or of all if there are fewer, the best first.

    Each label over each span keeps its best k trees (Huang and Chiang, 2005, algorithm
    0): the best k of a span are made of the best k of its parts.
    """
    n, n_labels = terminals.size, rules.root_rules.size
    n_binary = rules.binary.shape[0]
    chart = np.full((n, n + 1, n_labels, k), -np.inf)
    back = np.full((n, n + 1, n_labels, k, 4), -1, np.int32)
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            if width == 1 and terminals[i] >= 0:
                first = rules.terminal_starts[terminals[i]]
                for r in range(first, rules.terminal_starts[terminals[i] + 1]):
                    parent = rules.parents[r]
                    insert(chart[i, j, parent], back[i, j, parent],
                           weights[n_binary + r], n_binary + r, 0, 0, 0)
            for m in range(i + 1, j):
                for r in range(n_binary):
                    parent, left, right = rules.binary[r]
                    lefts, rights = chart[i, m, left], chart[m, j, right]
                    best = chart[i, j, parent]
                    if lefts[0] + rights[0] + weights[r] <= best[k - 1]:
                        continue
                    for a in range(k):
                        if lefts[a] == -np.inf:
                            break
                        for b in range(k // (a + 1)):   # a + b + ab before (a, b)
                            score = lefts[a] + rights[b] + weights[r]
                            if score <= best[k - 1]:
                                break
                            insert(best, back[i, j, parent], score, r, m, a, b)
            for label in range(n_labels):
                chart[i, j, label] += node_scores[i, j, label]
    totals = np.full(k, -np.inf)
    roots = np.full((k, 4), -1, np.int32)
    for label in range(n_labels):
        if rules.root_rules[label] >= 0:
            for a in range(k):
                insert(totals, roots,
                       chart[0, n, label, a] + weights[rules.root_rules[label]],
                       label, a, 0, 0)
    n_trees = 0
    while n_trees < k and totals[n_trees] > -np.inf:
        n_trees += 1
    trees = np.empty((n_trees, 2 * n - 1, 4), np.int32)
    for tree in range(n_trees):
        collect_ranked(rules, back, roots[tree, 0], roots[tree, 1], trees[tree])
    return totals[:n_trees], trees


@njit(nogil=True, cache=True)
def best_trees_by_misses(rules, terminals, weights, node_scores, gold):
    """The best tree for each number of nodes that the gold tree does not have.

    This is the stratified CKY of 001, section 4.5: with it, any function of the score
    and of the loss can be maximised.

    gold : nodes of a tree
    """
    n, n_labels = terminals.size, rules.root_rules.size
    n_binary = rules.binary.shape[0]
    strata = 2 * n
    missed = np.ones((n, n + 1, n_labels), np.int32)
    for row in range(gold.shape[0]):
        missed[gold[row, 0], gold[row, 1], gold[row, 2]] = 0
    chart = np.full((n, n + 1, n_labels, strata), -np.inf)
    back = np.full((n, n + 1, n_labels, strata, 4), -1, np.int32)
    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            if width == 1 and terminals[i] >= 0:
                first = rules.terminal_starts[terminals[i]]
                for r in range(first, rules.terminal_starts[terminals[i] + 1]):
                    parent = rules.parents[r]
                    terminal_misses = missed[i, j, parent]
                    if weights[n_binary + r] > chart[i, j, parent, terminal_misses]:
                        chart[i, j, parent, terminal_misses] = weights[n_binary + r]
                        back[i, j, parent, terminal_misses, 0] = n_binary + r
            for m in range(i + 1, j):
                for r in range(n_binary):
                    parent, left, right = rules.binary[r]
                    own_misses = missed[i, j, parent]
                    for a in range(2 * (m - i)):
                        score = chart[i, m, left, a]
                        if score == -np.inf:
                            continue
                        score += weights[r]
                        for b in range(2 * (j - m)):
                            total = score + chart[m, j, right, b]
                            if total > chart[i, j, parent, a + b + own_misses]:
                                chart[i, j, parent, a + b + own_misses] = total
                                put(back[i, j, parent, a + b + own_misses], r, m, a, b)
            for label in range(n_labels):
                chart[i, j, label] += node_scores[i, j, label]
    totals = np.full(strata, -np.inf)
    trees = np.empty((strata, 2 * n - 1, 4), np.int32)
    for misses in range(strata):
        root = -1
        for label in range(n_labels):
            if rules.root_rules[label] >= 0:
                score = chart[0, n, label, misses] + weights[rules.root_rules[label]]
                if score > totals[misses]:
                    totals[misses], root = score, label
        if root >= 0:
            collect_ranked(rules, back, root, misses, trees[misses])
    return totals, trees
