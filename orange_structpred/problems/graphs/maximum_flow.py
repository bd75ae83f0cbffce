"""Minimum cuts, compiled (Boykov and Kolmogorov, 2004).

Two trees of nodes grow, one from the source and one from the sink. Where they meet there
is a path; flow is sent along it, which cuts off parts of the trees, and their nodes look
for other parents. The capacities are floats: what a path saturates becomes exactly zero.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit

UNOWNED, TERMINAL, ORPHAN = -1, -2, -3
UNREACHED = 2**60
NONE = -1

# What is known of a node: the arc to its parent, whether it is in the sink's tree, how far it
# is from its terminal, and when that was found; whether it is in the queue of active nodes
PARENT, SINK, DISTANCE, STAMP, QUEUED, N_COLUMNS = range(6)
FIRST, COUNT = range(2)         # of the queue


@njit(nogil=True, cache=True)
def minimum_cut(excess, arcs, capacities, starts, arc_ids):
    """Which nodes are on the sink's side of a minimum cut.

    excess : the capacity from the source to each node, or, negative, that from it to the
        sink; overwritten
    arcs : (edges, 2); arc 2 e leads from the first node to the second, 2 e + 1 back
    capacities : of the arcs; overwritten
    starts, arc_ids : the arcs out of each node
    """
    n_nodes = excess.size
    heads = np.empty(2 * arcs.shape[0], np.int64)
    for e in range(arcs.shape[0]):
        heads[2 * e], heads[2 * e + 1] = arcs[e, 1], arcs[e, 0]
    trees = np.zeros((n_nodes, N_COLUMNS), np.int64)
    queue, ends = np.empty(n_nodes, np.int64), np.zeros(2, np.int64)
    orphans = np.empty(n_nodes, np.int64)
    for s in range(n_nodes):
        trees[s, PARENT] = UNOWNED
        if excess[s] != 0:
            trees[s, SINK] = excess[s] < 0
            trees[s, PARENT], trees[s, DISTANCE] = TERMINAL, 1
            activate(s, queue, ends, trees)
    time, s = 0, NONE
    while True:
        if s == NONE or trees[s, PARENT] == UNOWNED:
            s = next_active(queue, ends, trees)
            if s == NONE:
                break
        middle = grow(s, heads, capacities, starts, arc_ids, trees, queue, ends)
        time += 1
        if middle == NONE:
            s = NONE
            continue
        n_orphans = send_flow(middle, heads, capacities, excess, trees, orphans)
        adopt(orphans, n_orphans, time, heads, capacities, starts, arc_ids, trees, queue, ends)
    is_sink = np.empty(n_nodes, np.bool_)
    for s in range(n_nodes):
        is_sink[s] = trees[s, SINK] != 0 and trees[s, PARENT] != UNOWNED
    return is_sink


@njit(cache=True, nogil=True)
def activate(s, queue, ends, trees):
    """Put a node at the end of the queue of active nodes, unless it is there already."""
    if not trees[s, QUEUED]:
        queue[(ends[FIRST] + ends[COUNT]) % queue.size] = s
        ends[COUNT] += 1
        trees[s, QUEUED] = 1


@njit(cache=True, nogil=True)
def next_active(queue, ends, trees):
    """The first active node that is still part of a tree."""
    while ends[COUNT]:
        s = queue[ends[FIRST]]
        ends[FIRST] = (ends[FIRST] + 1) % queue.size
        ends[COUNT] -= 1
        trees[s, QUEUED] = 0
        if trees[s, PARENT] != UNOWNED:
            return s
    return NONE


@njit(cache=True, nogil=True)
def grow(s, heads, capacities, starts, arc_ids, trees, queue, ends):
    """Grow the tree of a node by its neighbours until it meets the other tree; the arc
    between them, from the source's side to the sink's."""
    side, stamp, distance = trees[s, SINK], trees[s, STAMP], trees[s, DISTANCE] + 1
    for k in range(starts[s], starts[s + 1]):
        arc = arc_ids[k]
        if capacities[arc ^ side] == 0:
            continue
        t = heads[arc]
        is_free = trees[t, PARENT] == UNOWNED
        if not is_free and trees[t, SINK] != side:
            return arc ^ side
        if is_free or trees[t, STAMP] <= stamp and trees[t, DISTANCE] >= distance:
            trees[t, SINK], trees[t, PARENT] = side, arc ^ 1
            trees[t, STAMP], trees[t, DISTANCE] = stamp, distance
            if is_free:
                activate(t, queue, ends, trees)
    return NONE


@njit(cache=True, nogil=True)
def adopt(orphans, n_orphans, time, heads, capacities, starts, arc_ids, trees, queue, ends):
    """Find other parents for orphans in their trees. An orphan without one is free; its
    children become orphans, and its neighbours active."""
    first = 0
    while n_orphans:
        o = orphans[first]
        first = (first + 1) % orphans.size
        n_orphans -= 1
        side = trees[o, SINK]
        flip = 1 - side         # capacity towards o in the source's tree, else from it
        nearest, best = UNREACHED, UNOWNED
        for k in range(starts[o], starts[o + 1]):
            arc = arc_ids[k]
            t = heads[arc]
            if (capacities[arc ^ flip] > 0 and trees[t, SINK] == side
                    and trees[t, PARENT] != UNOWNED):
                distance = terminal_distance(t, time, heads, trees)
                if distance < nearest:
                    nearest, best = distance, arc
        trees[o, PARENT] = best
        if best != UNOWNED:
            trees[o, STAMP], trees[o, DISTANCE] = time, nearest + 1
            continue
        for k in range(starts[o], starts[o + 1]):
            arc = arc_ids[k]
            t = heads[arc]
            if trees[t, SINK] != side or trees[t, PARENT] == UNOWNED:
                continue
            if capacities[arc ^ flip] > 0:
                activate(t, queue, ends, trees)
            if trees[t, PARENT] >= 0 and heads[trees[t, PARENT]] == o:
                trees[t, PARENT] = ORPHAN
                orphans[(first + n_orphans) % orphans.size] = t
                n_orphans += 1


@njit(cache=True, nogil=True)
def terminal_distance(s, time, heads, trees):
    """How far a node is from its terminal; UNREACHED if an orphan is on the way. It is
    kept, stamped with the time, for all nodes on the way."""
    steps, t = 0, s
    while trees[t, STAMP] != time:
        steps += 1
        if trees[t, PARENT] == TERMINAL:
            trees[t, STAMP], trees[t, DISTANCE] = time, 1
            steps -= 1
            break
        if trees[t, PARENT] == ORPHAN:
            return UNREACHED
        t = heads[trees[t, PARENT]]
    distance = steps + trees[t, DISTANCE]
    t = s
    for above in range(steps):
        trees[t, STAMP], trees[t, DISTANCE] = time, distance - above
        t = heads[trees[t, PARENT]]
    return distance


@njit(cache=True, nogil=True)
def send_flow(middle, heads, capacities, excess, trees, orphans):
    """Send flow along the path through an arc; the number of nodes that lose their
    parents, which become the first orphans."""
    amount = capacities[middle]
    s = heads[middle ^ 1]
    while trees[s, PARENT] != TERMINAL:
        amount = min(amount, capacities[trees[s, PARENT] ^ 1])
        s = heads[trees[s, PARENT]]
    t = heads[middle]
    amount = min(amount, excess[s])
    while trees[t, PARENT] != TERMINAL:
        amount = min(amount, capacities[trees[t, PARENT]])
        t = heads[trees[t, PARENT]]
    amount = min(amount, -excess[t])
    n_orphans = 0
    capacities[middle] -= amount
    capacities[middle ^ 1] += amount
    for end in range(2):
        s = heads[middle ^ (1 - end)]
        while trees[s, PARENT] != TERMINAL:
            arc = trees[s, PARENT] ^ (1 - end)         # along the flow
            capacities[arc] -= amount
            capacities[arc ^ 1] += amount
            above = heads[trees[s, PARENT]]
            if capacities[arc] == 0:
                trees[s, PARENT] = ORPHAN
                orphans[n_orphans] = s
                n_orphans += 1
            s = above
        excess[s] += -amount if end == 0 else amount
        if excess[s] == 0:
            trees[s, PARENT] = ORPHAN
            orphans[n_orphans] = s
            n_orphans += 1
    return n_orphans
