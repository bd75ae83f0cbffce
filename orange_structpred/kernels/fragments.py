"""Compiled part of the subset-tree kernel.

C(v, v') sums, over all fragments rooted in both v and v', decay to the power of their
productions (thesis 3.2.3): 0 if the productions at v and v' differ, else decay times the
product of 1 + C over the pairs of children. The kernel is the sum of C over all pairs of
nodes. Only pairs of the same production are visited (Moschitti's fast algorithm).
"""
from __future__ import annotations

import numpy as np

from orange_structpred.kernels.occurrences import (
    link_occurrences,
    longest_item,
    unlink_occurrences,
)
from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def tree_block(a, a_bounds, a_child_bounds, a_children, start, stop,
               b, b_bounds, b_child_bounds, b_children, first, size, decay, out):
    """Kernel values of trees start..stop with all others from `first` on.

    Arrays a and b hold the numbers of the nodes' productions, below `size`; below 0:
    one that no node of b has.
    """
    heads = np.full(size, -1, np.int32)
    rows = longest_item(a_bounds, start, stop)
    links = np.empty(rows, np.int32)
    c = np.empty((longest_item(b_bounds, first, len(b_bounds) - 1), rows))
    for x in range(start, stop):
        link_occurrences(a, a_bounds[x], a_bounds[x + 1], heads, links)
        for y in range(first, len(b_bounds) - 1):
            out[x - start, y - first] = _pair(
                a, a_bounds[x], a_child_bounds, a_children,
                b, b_bounds[y], b_bounds[y + 1], b_child_bounds, b_children,
                heads, links, decay, c)
        unlink_occurrences(a, a_bounds[x], a_bounds[x + 1], heads)


@njit(nogil=True, cache=True)
def tree_diagonal(a, bounds, child_bounds, children, size, decay, out):
    """Values of trees with themselves."""
    heads = np.full(size, -1, np.int32)
    most = longest_item(bounds, 0, len(bounds) - 1)
    links = np.empty(most, np.int32)
    c = np.empty((most, most))
    for x in range(len(bounds) - 1):
        link_occurrences(a, bounds[x], bounds[x + 1], heads, links)
        out[x] = _pair(a, bounds[x], child_bounds, children,
                       a, bounds[x], bounds[x + 1], child_bounds, children,
                       heads, links, decay, c)
        unlink_occurrences(a, bounds[x], bounds[x + 1], heads)


@njit(nogil=True, cache=True)
def _pair(a, a_start, a_child_bounds, a_children,
          b, b_start, b_stop, b_child_bounds, b_children, heads, links, decay, c):
    total = 0.0
    # Children come before parents, so that what a pair of nodes needs is there.
    for w in range(b_stop - b_start):
        production = b[b_start + w]
        v = heads[production]
        while v >= 0:
            value = decay
            i = a_child_bounds[a_start + v]
            for j in range(b_child_bounds[b_start + w],
                           b_child_bounds[b_start + w + 1]):
                child, other = a_children[i], b_children[j]
                # c is never cleared: of other pairs it may hold what was there before
                if a[a_start + child] == b[b_start + other]:
                    value *= 1.0 + c[other, child]
                i += 1
            c[w, v] = value
            total += value
            v = links[v]
    return total
