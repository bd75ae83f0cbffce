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
    parent = np.full(n_nodes, UNOWNED, np.int64)       # an arc to the parent
    sink = np.zeros(n_nodes, np.bool_)
    stamp, distance = np.zeros(n_nodes, np.int64), np.zeros(n_nodes, np.int64)
    active, queued = np.empty(n_nodes, np.int64), np.zeros(n_nodes, np.bool_)
    first_active = n_active = 0
    orphans = np.empty(n_nodes, np.int64)
    for s in range(n_nodes):
        if excess[s] != 0:
            sink[s] = excess[s] < 0
            parent[s], distance[s] = TERMINAL, 1
            active[n_active] = s
            queued[s] = True
            n_active += 1
    time = 0
    current = -1
    while True:
        s = current
        if s < 0 or parent[s] == UNOWNED:
            s = -1
            while n_active:
                s = active[first_active]
                first_active = (first_active + 1) % n_nodes
                n_active -= 1
                queued[s] = False
                if parent[s] != UNOWNED:
                    break
                s = -1
            if s < 0:
                break
        # grow the tree of s by its neighbours, until it meets the other one
        middle = -1
        for k in range(starts[s], starts[s + 1]):
            arc = arc_ids[k]
            if capacities[arc ^ sink[s]] == 0:
                continue
            t = heads[arc]
            if parent[t] == UNOWNED:
                sink[t] = sink[s]
                parent[t], stamp[t], distance[t] = arc ^ 1, stamp[s], distance[s] + 1
                if not queued[t]:
                    active[(first_active + n_active) % n_nodes] = t
                    n_active += 1
                    queued[t] = True
            elif sink[t] != sink[s]:
                middle = arc ^ sink[s]
                break
            elif stamp[t] <= stamp[s] and distance[t] > distance[s]:
                parent[t], stamp[t], distance[t] = arc ^ 1, stamp[s], distance[s] + 1
        time += 1
        if middle < 0:
            current = -1
            continue
        current = s
        n_orphans = send_flow(middle, heads, capacities, excess, parent, orphans)
        first_orphan = 0
        while n_orphans:
            o = orphans[first_orphan]
            first_orphan = (first_orphan + 1) % n_nodes
            n_orphans -= 1
            flip = 1 - sink[o]      # capacity towards o in the source's tree, else from it
            nearest, best = UNREACHED, UNOWNED
            for k in range(starts[o], starts[o + 1]):
                arc = arc_ids[k]
                t = heads[arc]
                if capacities[arc ^ flip] == 0 or sink[t] != sink[o] or parent[t] == UNOWNED:
                    continue
                far = 0
                while True:         # does t still hang from its terminal?
                    if stamp[t] == time:
                        far += distance[t]
                        break
                    far += 1
                    up = parent[t]
                    if up == TERMINAL:
                        stamp[t], distance[t] = time, 1
                        break
                    if up == ORPHAN:
                        far = UNREACHED
                        break
                    t = heads[up]
                if far >= UNREACHED:
                    continue
                if far < nearest:
                    nearest, best = far, arc
                t = heads[arc]
                while stamp[t] != time:
                    stamp[t], distance[t] = time, far
                    far -= 1
                    t = heads[parent[t]]
            parent[o] = best
            if best != UNOWNED:
                stamp[o], distance[o] = time, nearest + 1
                continue
            for k in range(starts[o], starts[o + 1]):
                arc = arc_ids[k]
                t = heads[arc]
                if sink[t] != sink[o] or parent[t] == UNOWNED:
                    continue
                if capacities[arc ^ flip] > 0 and not queued[t]:
                    active[(first_active + n_active) % n_nodes] = t
                    n_active += 1
                    queued[t] = True
                if parent[t] >= 0 and heads[parent[t]] == o:
                    parent[t] = ORPHAN
                    orphans[(first_orphan + n_orphans) % n_nodes] = t
                    n_orphans += 1
    for s in range(n_nodes):
        sink[s] = sink[s] and parent[s] != UNOWNED
    return sink


@njit(nogil=True, cache=True)
def send_flow(middle, heads, capacities, excess, parent, orphans):
    """Send flow along the path through an arc; the number of nodes that lose their
    parents, which become the first orphans."""
    amount = capacities[middle]
    s = heads[middle ^ 1]
    while parent[s] != TERMINAL:
        amount = min(amount, capacities[parent[s] ^ 1])
        s = heads[parent[s]]
    t = heads[middle]
    amount = min(amount, excess[s])
    while parent[t] != TERMINAL:
        amount = min(amount, capacities[parent[t]])
        t = heads[parent[t]]
    amount = min(amount, -excess[t])
    n_orphans = 0
    capacities[middle] -= amount
    capacities[middle ^ 1] += amount
    for end in range(2):
        s = heads[middle ^ (1 - end)]
        while parent[s] != TERMINAL:
            arc = parent[s] ^ (1 - end)         # along the flow
            capacities[arc] -= amount
            capacities[arc ^ 1] += amount
            above = heads[parent[s]]
            if capacities[arc] == 0:
                parent[s] = ORPHAN
                orphans[n_orphans] = s
                n_orphans += 1
            s = above
        excess[s] += -amount if end == 0 else amount
        if excess[s] == 0:
            parent[s] = ORPHAN
            orphans[n_orphans] = s
            n_orphans += 1
    return n_orphans
