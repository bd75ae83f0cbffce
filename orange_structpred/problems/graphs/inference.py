"""The best labelling of a network, by the method that its graph allows."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from orange_structpred.errors import InputError
from orange_structpred.kinds import one_of_names
from orange_structpred.problems.graphs.cuts import (
    cut_labels,
    expand,
    is_expandable,
    is_submodular,
)
from orange_structpred.problems.graphs.elimination import (
    Factor,
    eliminate_max,
    factors_of,
    plan_elimination,
)
from orange_structpred.problems.graphs.forest import (
    GraphShape,
    max_product,
    shape_of,
)
from orange_structpred.problems.graphs.network import MarkovNetwork
from orange_structpred.problems.graphs.network_program import network_program
from orange_structpred.problems.graphs.reweighting import Reweighted, reweighted

INFERENCE_METHOD = one_of_names(("auto", "max-product", "cut", "elimination", "milp", "trw-s",
                                 "expansion"))
TRWS_PASSES = 200              # passes of TRW-S at most
MAP_TABLE = 2**20       # of an elimination that is asked for
REST_TABLE = 2**18          # of one that finishes what TRW-S left open
REST_VARIABLES = 500        # labels of an integer program that does
EXACT_GAP = 1e-7                # relative difference of score and bound that is rounding


class Inference(NamedTuple):
    """A labelling and what is known of it.

    labels : int array
    score : of the labels
    bound : no labelling has a higher score
    method : how it was found: "max-product", "cut", "elimination", "milp", "trw-s",
        "expansion", or "trw-s + ..." where another method finished what TRW-S had
        left open
    """

    labels: np.ndarray
    score: float
    bound: float
    method: str

    @property
    def exact(self) -> bool:
        """Whether no labelling can have a higher score."""
        return self.bound - self.score <= EXACT_GAP * (1 + abs(self.bound))


def infer_labels(unary, edges, pairwise, *, method: str = "auto") -> Inference:
    """The labelling of a graph with the highest sum of scores.

    Parameters
    ----------
    unary : array of shape (nodes, labels)
        Scores of labels
    edges : array of shape (edges, 2)
        Pairs of numbers of nodes
    pairwise : array of shape (labels, labels) or (edges, labels, labels)
        Scores of pairs of labels, the same for all edges or of each edge; rows are labels
        of an edge's first node
    method : str, default="auto"
        "max-product" (without cycles only), "cut" (two labels, submodular only),
        "elimination" (small treewidth), "milp" (an integer program), "trw-s" (messages;
        it may not be exact, but gives a bound), "expansion" (Potts and other metric
        tables; not exact). "auto" takes the first of max-product and cut that can be
        used, else TRW-S, and lets elimination or an integer program finish what it leaves
        open if that is not too large

    Examples
    --------
    >>> from orange_structpred.problems import infer_labels
    >>> best = infer_labels([[1, 0], [0, 0.5], [2, 0]], [(0, 1), (1, 2)], [[1, 0], [0, 1]])
    >>> best.labels, best.score, best.method
    (array([0, 0, 0]), 5.0, 'max-product')
    """
    return infer(MarkovNetwork.of(unary, edges, pairwise), method)


def infer(network: MarkovNetwork, method: str = "auto", shape: GraphShape | None = None
          ) -> Inference:
    """`infer_labels` of a network whose arrays are known to be right.

    shape : of its graph, if it is known
    """
    INFERENCE_METHOD.check("inference method", method)
    if shape is None:
        shape = shape_of(network.edges, network.n_nodes)
    network = network.merged(shape.merging)
    if method in ("auto", "max-product"):
        if shape.forest is not None:
            labels, score = max_product(*network, *shape.forest)
            return Inference(labels, score, score, "max-product")
        if method == "max-product":
            raise InputError("max-product needs a graph without cycles; use "
                             "inference='auto'")
    if method in ("auto", "cut"):
        if is_submodular(network):
            return exactly(network, cut_labels(network), "cut")
        if method == "cut":
            raise InputError("a cut needs two labels, and scores of pairs that favour equal "
                             "ones (submodular tables); use inference='auto'")
    if method == "elimination":
        return exactly(network, eliminated(network), "elimination")
    if method == "milp":
        return exactly(network, network_program(network).best(), "milp")
    if method == "expansion" and not is_expandable(network):
        raise InputError("alpha-expansion needs scores of pairs as in a Potts model: "
                         "t(a, b) + t(c, c) >= t(a, c) + t(c, b); use inference='auto'")
    relaxed = reweighted(network, TRWS_PASSES)
    result = Inference(*relaxed[:3], "trw-s")
    if method == "expansion":
        labels = expand(network, network.unary.argmax(axis=1))
        return Inference(labels, network.score(labels), result.bound, method)
    return finish(network, relaxed) if method == "auto" else certified(result, relaxed)


def exactly(network: MarkovNetwork, labels: np.ndarray, method: str) -> Inference:
    score = network.score(labels)
    return Inference(labels, score, score, method)


def certified(result: Inference, relaxed: Reweighted) -> Inference:
    """A bound that is reached, where all other labels are ruled out."""
    rounding = EXACT_GAP * (1 + abs(result.bound))
    ruled_out = relaxed.reductions > relaxed.bound - relaxed.score + rounding
    ruled_out[np.arange(len(result.labels)), result.labels] = True
    return result._replace(bound=result.score) if ruled_out.all() else result


def eliminated(network: MarkovNetwork) -> np.ndarray:
    sizes = [network.n_labels] * network.n_nodes
    plan = plan_elimination(network.edges, sizes, MAP_TABLE)
    if plan is None:
        raise InputError("the graph has too many cycles for elimination; use "
                         "inference='auto'")
    return eliminate_max(factors_of(network), plan.order)


def finish(network: MarkovNetwork, relaxed: Reweighted) -> Inference:
    """Search what TRW-S could not rule out, one connected part after the other."""
    result = certified(Inference(*relaxed[:3], "trw-s"), relaxed)
    if result.exact:
        return result
    methods = ["trw-s"]
    if is_expandable(network):
        labels = expand(network, relaxed.labels)        # a better score rules out more
        score = network.score(labels)
        if score > relaxed.score:
            relaxed = relaxed._replace(labels=labels, score=score)
            methods.append("expansion")
    rounding = EXACT_GAP * (1 + abs(relaxed.bound))
    kept = relaxed.reductions <= relaxed.bound - relaxed.score + rounding
    kept[np.arange(network.n_nodes), relaxed.labels] = True
    labels, exact = relaxed.labels.copy(), True
    trees, others = split_open(network, kept.sum(axis=1) > 1, labels)
    if trees is not None:
        labels[trees.nodes] = trees.solve_trees(network, kept)
        methods.append("max-product")
    for part in others:
        part.restrict(kept)
        plan = plan_elimination(part.edges, part.sizes, REST_TABLE)
        if plan is not None:
            labels[part.nodes] = part.decode(eliminate_max(part.factors(network), plan.order))
            methods.append("elimination")
        elif sum(part.sizes) <= REST_VARIABLES:
            labels[part.nodes] = part.solve_program(network)
            methods.append("milp")
        else:
            exact = False
    score = network.score(labels)
    return Inference(labels, score, score if exact else relaxed.bound,
                     " + ".join(dict.fromkeys(methods)))


def split_open(network: MarkovNetwork, open_nodes: np.ndarray, labels: np.ndarray
               ) -> tuple[PartNetwork | None, list[PartNetwork]]:
    """The connected parts of the nodes that are open: those without cycles as one, and
    each of the others."""
    nodes = np.flatnonzero(open_nodes)
    touched = np.flatnonzero(open_nodes[network.edges].any(axis=1))
    ends = network.edges[touched]
    inner = open_nodes[ends].all(axis=1)
    # SciPy below 1.12 knows graphs with 32-bit indices only
    adjacency = sparse.coo_array(
        (np.ones(inner.sum()), ends[inner].astype(np.int32).T), shape=(network.n_nodes, network.n_nodes))
    names = connected_components(adjacency, directed=False)[1]
    n_nodes, n_inner = (np.bincount(names[some], minlength=names.max() + 1)
                        for some in (nodes, ends[inner, 0]))
    cyclic = n_inner >= n_nodes
    unions = np.where(cyclic, 1 + np.arange(len(cyclic)), 0)[names]
    # each edge touches one part only, as the nodes around it are not open
    of_edge = unions[np.where(open_nodes[ends[:, 0]], ends[:, 0], ends[:, 1])]
    parts = {union: PartNetwork(network, nodes[unions[nodes] == union],
                                touched[of_edge == union], labels)
             for union in np.unique(unions[nodes]).tolist()}
    trees = parts.pop(0, None)
    return trees, list(parts.values())


class PartNetwork:
    """Some nodes of a network, all others as they are.

    The nodes around have one label each.

    Parameters
    ----------
    nodes : int array
    touched : int array, the edges with a node of the part
    labels : of all nodes of the network
    """

    def __init__(self, network: MarkovNetwork, nodes: np.ndarray, touched: np.ndarray,
                 labels: np.ndarray):
        self.nodes = nodes              # in order
        ends = network.edges[touched]
        positions = np.minimum(np.searchsorted(nodes, ends), len(nodes) - 1)
        within = nodes[positions] == ends
        self.unary = network.unary[nodes].copy()
        for end in (0, 1):
            border = np.flatnonzero(within[:, end] & ~within[:, 1 - end])
            known = labels[ends[border, 1 - end]]
            tables = network.tables[network.kinds[touched[border]]]
            rows = tables[np.arange(len(border)), :, known] if end == 0 \
                else tables[np.arange(len(border)), known]
            np.add.at(self.unary, positions[border, end], rows)
        inner = within.all(axis=1)
        self.edges, self.kinds = positions[inner], network.kinds[touched[inner]]

    def solve_trees(self, network: MarkovNetwork, kept: np.ndarray) -> np.ndarray:
        """The best of the labels that are kept, where there are no cycles."""
        forest = shape_of(self.edges, len(self.nodes)).forest
        assert forest is not None
        unary = np.where(kept[self.nodes], self.unary, -np.inf)
        return max_product(unary, self.edges, network.tables, self.kinds, *forest)[0]

    def restrict(self, kept: np.ndarray) -> None:
        """Leave some labels to each node."""
        self.domains = [np.flatnonzero(row) for row in kept[self.nodes]]
        self.sizes = [len(domain) for domain in self.domains]

    def factors(self, network: MarkovNetwork) -> list[Factor]:
        """The scores of the labels that are left."""
        return [Factor((k,), self.unary[k, domain])
                for k, domain in enumerate(self.domains)] + [
            Factor((a, b), network.tables[kind][np.ix_(self.domains[a], self.domains[b])])
            for (a, b), kind in zip(self.edges.tolist(), self.kinds)]

    def decode(self, choices: np.ndarray) -> np.ndarray:
        return np.array([domain[k] for domain, k in zip(self.domains, choices)])

    def solve_program(self, network: MarkovNetwork) -> np.ndarray:
        """By an integer program without the variables of labels that are ruled out."""
        kept = np.zeros(self.unary.shape, bool)
        for k, domain in enumerate(self.domains):
            kept[k, domain] = True
        pairs = kept[self.edges[:, 0], :, None] & kept[self.edges[:, 1], None, :]
        program = network_program(MarkovNetwork(
            self.unary, self.edges, network.tables, self.kinds))
        variables = np.flatnonzero(np.append(kept.ravel(), pairs.ravel()))
        return program._replace(branches=[(np.inf, variables)]).best()
