"""Labelled graphs as a problem for the solvers (003, chapter 6)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.problems.graphs.graph_features import labelled_features
from orange_structpred.problems.graphs.graph_inputs import Graph
from orange_structpred.problems.graphs.inference import Inference, infer
from orange_structpred.problems.graphs.network import MarkovNetwork
from orange_structpred.problems.graphs.network_program import network_program
from orange_structpred.problems.sequences.viterbi import emission_scores
from orange_structpred.svm.blocks import Blocks
from orange_structpred.svm.problem import Problem, Separated
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices

NO_LABELS = np.zeros(0, np.int64)


def number_pairs(n_labels: int, *, directed: bool) -> np.ndarray:
    """Which weight a pair of labels has; of an undirected edge, (a, b) and (b, a) have
    the same one."""
    if directed:
        return np.arange(n_labels**2).reshape(n_labels, n_labels)
    numbers = np.zeros((n_labels, n_labels), np.int64)
    upper = np.triu_indices(n_labels)
    numbers[upper] = np.arange(len(upper[0]))
    return np.maximum(numbers, numbers.T)


class GraphFeatures:
    """The joint feature map of graphs: which weights score what.

    Parameters
    ----------
    n_features : of a node
    n_edge_features : int
    n_labels : int
    directed : whether the labels of an edge's two nodes are told apart
    label_features : whether the features of nodes depend on labels, and have one weight
        for all labels
    """

    def __init__(self, n_features: int, n_edge_features: int, n_labels: int, *,
                 directed: bool, label_features: bool = False):
        self.n_features, self.n_labels = n_features, n_labels
        self.n_edge_features, self.label_features = n_edge_features, label_features
        self.pair_numbers = number_pairs(n_labels, directed=directed)
        self.first_pair = n_features * (1 if label_features else n_labels)
        self.dim = self.first_pair + n_edge_features * (int(self.pair_numbers.max()) + 1)

    def network(self, x: Graph, w: np.ndarray) -> MarkovNetwork:
        """The scores of all labels of nodes and edges."""
        node_weights, pairs = w[:self.first_pair], w[self.first_pair:]
        if self.label_features:
            unary = x.nodes @ node_weights
        else:
            unary = emission_scores(x.nodes, 0, x.n_nodes, node_weights.reshape(-1, self.n_labels))
        tables = x.kind_features @ pairs.reshape(self.n_edge_features, -1)
        return MarkovNetwork(unary, x.edges, np.ascontiguousarray(
            tables[:, self.pair_numbers], np.float64), x.kinds)

    def vector(self, x: Graph, one: np.ndarray, other: np.ndarray = NO_LABELS
               ) -> SparseVector:
        """phi(x, one), or phi(x, one) - phi(x, other)."""
        nodes = x.nodes
        if not isinstance(nodes, np.ndarray):       # the same features for all labels
            return SparseVector(*sum_equal_indices(*labelled_features(
                nodes.indptr, nodes.indices, nodes.values, x.edges, x.kinds,
                x.kind_features, self.pair_numbers, self.first_pair, one, other)))
        rows = np.arange(x.n_nodes)
        total = nodes[rows, one].sum(axis=0)
        if other.size:
            total = total - nodes[rows, other].sum(axis=0)
        none = np.zeros(x.n_nodes + 1, np.int64)
        indices, values = sum_equal_indices(*labelled_features(
            none, none, np.zeros(0), x.edges, x.kinds, x.kind_features, self.pair_numbers,
            self.first_pair, one, other))
        return SparseVector(np.append(np.arange(self.n_features), indices),
                            np.append(total, values))


class GraphProblem(Problem):
    """Graphs and the labels of their nodes.

    Where inference is not exact, the oracle's hinge losses are those of its bounds: they
    are at least the true ones, and so is the primal objective of the certificates.

    Parameters
    ----------
    X : list of Graph
    Y : list of int64 arrays, the labels of the nodes of each graph
    features : GraphFeatures
    cost : array of shape (labels, labels), what a label costs where another one is true
    mean : bool
        Divide the loss by the number of nodes
    inference : see `infer_labels`

    Attributes
    ----------
    methods : Counter, how often each method of inference was used
    inexact : int, how often the output was not proven to be the best one
    """

    chunk_size = 8
    X: Sequence[Graph]

    def __init__(self, X: Sequence[Graph], Y, features: GraphFeatures, cost: np.ndarray, *,
                 mean: bool = True, inference: str = "auto"):
        super().__init__(X, Y, features.dim)
        self.features, self.cost, self.mean = features, cost, mean
        self.inference = inference
        self.methods: Counter[str] = Counter()
        self.inexact = 0

    def infer(self, x: Graph, network: MarkovNetwork) -> Inference:
        """The best labels of a graph with these scores."""
        inferred = infer(network, self.inference, x.shape)
        self.methods[inferred.method] += 1
        self.inexact += not inferred.exact
        return inferred

    def worst(self, x: Graph, y: np.ndarray, w: np.ndarray, weight: float = 1.
              ) -> Inference:
        """The labels with the highest score and loss, the loss times a weight."""
        network = self.features.network(x, w)
        share = weight / len(y) if self.mean else weight
        network.unary[:] += share * self.cost[y]
        return self.infer(x, network)

    # the four

    def joint_features(self, x, y):
        return self.features.vector(x, np.asarray(y, np.int64))

    def loss(self, y, y_hat):
        costs = self.cost[y, y_hat]
        return float(costs.mean() if self.mean else costs.sum())

    def predict(self, x, w):
        return self.infer(x, self.features.network(x, w)).labels

    def separate(self, x, y, w):
        return self.worst(x, y, w).labels

    def outputs(self, x):
        n_nodes, n_labels = x.n_nodes, self.features.n_labels
        if n_labels**n_nodes > 1e6:
            raise InputError(f"{n_labels} labels of {n_nodes} nodes are too many outputs to "
                             "be listed")
        return map(np.array, product(range(n_labels), repeat=n_nodes))

    def as_program(self, x, w) -> IntegerProgram:
        """See `network_program`."""
        return network_program(self.features.network(x, w))

    # what solvers ask

    def size(self, i):
        return len(self.Y[i]) if self.mean else 1

    def most_violated(self, i, model, weight=1.):
        return self.worst(self.X[i], self.Y[i], model.weights(), weight).labels

    def oracle(self, first, last, model):
        w = model.weights()
        worst = [self.worst(self.X[i], self.Y[i], w) for i in range(first, last)]
        losses = self.losses_of(range(first, last), [each.labels for each in worst])
        hinges = np.array([
            loss - model.dot(i, self.difference(i, each.labels)) + each.bound - each.score
            for i, loss, each in zip(range(first, last), losses, worst)])
        return Separated([each.labels for each in worst], losses, hinges)

    def difference(self, i, y_hat):
        return self.features.vector(self.X[i], self.Y[i], np.asarray(y_hat, np.int64))

    def new_blocks(self, examples: Problem | None = None) -> GraphBlocks:
        return GraphBlocks(examples or self)


class GraphBlocks(Blocks):
    """The oracle is slow and vectors are short: visits without it pay off."""

    extra_visits = 20
