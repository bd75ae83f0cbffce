"""Variable elimination: exact for networks of small treewidth.

Nodes are eliminated one after the other. All factors with a node become one table over
its neighbours that are left, with the node maximised or summed out.
"""
from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from orange_structpred.problems.graphs.forest import NetworkMarginals
from orange_structpred.problems.graphs.network import MarkovNetwork


class Factor(NamedTuple):
    """A table of scores with an axis for each of some nodes."""

    nodes: tuple[int, ...]
    table: np.ndarray


class Elimination(NamedTuple):
    """In which order nodes are eliminated, and how large the largest table becomes."""

    order: list[int]
    size: int


def plan_elimination(edges: np.ndarray, sizes: Sequence[int], limit: int
                     ) -> Elimination | None:
    """The nodes, next the one with the smallest table; None if one exceeds the limit.

    sizes : the number of labels of each node
    """
    neighbours: list[set[int]] = [set() for _ in sizes]
    for a, b in np.asarray(edges).tolist():
        neighbours[a].add(b)
        neighbours[b].add(a)

    def table_size(node: int) -> int:
        size = int(sizes[node])
        for other in neighbours[node]:
            size *= int(sizes[other])
        return size

    costs = [table_size(node) for node in range(len(sizes))]
    waiting = [(cost, node) for node, cost in enumerate(costs)]
    heapify(waiting)
    order: list[int] = []
    largest, left = 1, [True] * len(costs)
    while waiting:
        cost, node = heappop(waiting)
        if not left[node] or cost != costs[node]:       # it has another cost by now
            continue
        largest = max(largest, cost)
        if largest > limit:
            return None
        order.append(node)
        left[node] = False
        around = neighbours[node]
        for other in around:
            neighbours[other] |= around
            neighbours[other] -= {node, other}
        for other in around:
            if (cost := table_size(other)) != costs[other]:
                costs[other] = cost
                heappush(waiting, (cost, other))
    return Elimination(order, largest)


def factors_of(network: MarkovNetwork) -> list[Factor]:
    """The scores of nodes and edges."""
    return [Factor((s,), row) for s, row in enumerate(network.unary)] + [
        Factor((a, b), network.tables[kind])
        for (a, b), kind in zip(network.edges.tolist(), network.kinds)]


def spread_factor(factor: Factor, nodes: tuple[int, ...]) -> np.ndarray:
    """A factor's table with an axis for each of some nodes, of length 1 for others."""
    order = np.argsort([nodes.index(node) for node in factor.nodes])
    table = factor.table.transpose(order)
    lengths = iter(table.shape)
    return table.reshape([next(lengths) if node in factor.nodes else 1 for node in nodes])


def join(node: int, factors: list[Factor]) -> Factor:
    """The sum of factors; the node is the first axis."""
    others = sorted({other for factor in factors for other in factor.nodes} - {node})
    nodes = (node, *others)
    sizes = {other: size for factor in factors
             for other, size in zip(factor.nodes, factor.table.shape)}
    table = np.zeros([sizes[other] for other in nodes])
    for factor in factors:
        table += spread_factor(factor, nodes)
    return Factor(nodes, table)


class Buckets:
    """The factors that are left, by their nodes."""

    def __init__(self, factors: list[Factor], n_nodes: int):
        self.factors: list[Factor] = []
        self.left: set[int] = set()
        self.of_node: list[list[int]] = [[] for _ in range(n_nodes)]
        for factor in factors:
            self.put(factor)

    def take(self, node: int) -> list[int]:
        """The numbers of all factors with a node."""
        numbers = [number for number in self.of_node[node] if number in self.left]
        self.left.difference_update(numbers)
        return numbers

    def put(self, factor: Factor) -> int:
        number = len(self.factors)
        self.factors.append(factor)
        self.left.add(number)
        for node in factor.nodes:
            self.of_node[node].append(number)
        return number


def eliminate_max(factors: list[Factor], order: list[int]) -> np.ndarray:
    """The labelling with the highest sum of factors."""
    buckets, choices = Buckets(factors, len(order)), []
    for node in order:
        whole = join(node, [buckets.factors[k] for k in buckets.take(node)])
        choices.append((node, whole.nodes[1:], whole.table.argmax(axis=0)))
        buckets.put(Factor(whole.nodes[1:], whole.table.max(axis=0)))
    labels = np.zeros(len(order), np.int64)
    for node, others, choice in reversed(choices):
        labels[node] = choice[tuple(labels[list(others)])]
    return labels


def eliminate_sum(network: MarkovNetwork, order: list[int]) -> NetworkMarginals:
    """The partition function and the marginals, which are its derivatives: they are found
    by going through the eliminations backwards."""
    factors = factors_of(network)
    buckets, steps = Buckets(factors, network.n_nodes), []
    for node in order:
        numbers = buckets.take(node)
        whole = join(node, [buckets.factors[k] for k in numbers])
        highest = whole.table.max(axis=0)
        conditional = np.exp(whole.table - highest)
        total = conditional.sum(axis=0)
        conditional /= total                    # p(node | others)
        number = buckets.put(Factor(whole.nodes[1:], highest + np.log(total)))
        steps.append((numbers, whole.nodes, conditional, number))
    log_partition = sum(float(buckets.factors[k].table) for k in buckets.left)
    beliefs: dict[int, np.ndarray] = {k: np.array(1.) for k in buckets.left}
    for numbers, nodes, conditional, number in reversed(steps):
        joint = conditional * beliefs.pop(number)
        for k in numbers:
            scope = buckets.factors[k].nodes
            summed = joint.sum(axis=tuple(axis for axis, node in enumerate(nodes)
                                          if node not in scope))
            left = [node for node in nodes if node in scope]
            beliefs[k] = summed.transpose([left.index(node) for node in scope])
    n, shape = network.n_nodes, network.tables.shape[1:]
    return NetworkMarginals(
        log_partition, np.array([beliefs[k] for k in range(n)]),
        np.array([beliefs[n + e] for e in range(len(network.edges))]).reshape(-1, *shape),
        "elimination")
