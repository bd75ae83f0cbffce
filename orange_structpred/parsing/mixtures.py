"""Mixtures of trees: what a block of dual variables is for a sentence, compiled.

A convex combination of trees is a share for each edge. Only the wrong edges are
kept, some thirty numbers a sentence; what is missing to 1 is the gold edge's.
"""
import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def way_edges(gold, mix_dependents, mix_heads, mix_shares, heads):
    """Edges and their shares on the way from a mixture of trees to one tree.

    A mixture is given by its wrong edges and the share of trees that have them;
    features of gold edges count positive, of wrong edges negative.
    """
    length = gold.size
    size = mix_shares.size
    gold_share = np.zeros(length, np.float32)
    new = np.zeros(length, np.bool_)
    for dependent in range(1, length):
        if heads[dependent] != gold[dependent]:
            gold_share[dependent] = 1
            new[dependent] = True
    edge_heads = np.empty(size + 2 * length, np.int32)
    edge_dependents = np.empty(size + 2 * length, np.int64)
    shares = np.empty(size + 2 * length, np.float32)
    found = 0
    for k in range(size):
        dependent = mix_dependents[k]
        share = mix_shares[k]
        gold_share[dependent] -= share
        if heads[dependent] == mix_heads[k]:
            share -= 1
            new[dependent] = False
        edge_heads[found], edge_dependents[found] = mix_heads[k], dependent
        shares[found] = share
        found += 1
    for dependent in range(1, length):
        if gold_share[dependent] != 0:
            edge_heads[found], edge_dependents[found] = gold[dependent], dependent
            shares[found] = gold_share[dependent]
            found += 1
        if new[dependent]:
            edge_heads[found], edge_dependents[found] = heads[dependent], dependent
            shares[found] = -1
            found += 1
    return edge_heads[:found], edge_dependents[:found], shares[:found]


@njit(nogil=True, cache=True)
def move_mixture(gold, mix_dependents, mix_heads, mix_shares, heads, gamma):
    """The mixture after a step of length gamma towards a tree."""
    length = gold.size
    new = np.zeros(length, np.bool_)
    for dependent in range(1, length):
        new[dependent] = heads[dependent] != gold[dependent]
    size = mix_shares.size + length
    dependents = np.empty(size, np.int32)
    edge_heads = np.empty(size, np.int32)
    shares = np.empty(size, np.float64)
    found = 0
    for k in range(mix_shares.size):
        dependent = mix_dependents[k]
        share = (1 - gamma) * mix_shares[k]
        if heads[dependent] == mix_heads[k]:
            share += gamma
            new[dependent] = False
        if share > 0:
            dependents[found], edge_heads[found] = dependent, mix_heads[k]
            shares[found] = share
            found += 1
    for dependent in range(1, length):
        if new[dependent]:
            dependents[found], edge_heads[found] = dependent, heads[dependent]
            shares[found] = gamma
            found += 1
    return (dependents[:found].copy(), edge_heads[:found].copy(),
            shares[:found].copy())
