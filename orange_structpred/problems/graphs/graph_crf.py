"""Conditional random fields on graphs (003, chapter 5)."""
from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.kinds import Kind
from orange_structpred.problems.estimator import best_within, coerce_inputs
from orange_structpred.problems.graphs.forest import NetworkMarginals
from orange_structpred.problems.graphs.graph_estimator import (
    GraphEstimator,
    listed_methods,
)
from orange_structpred.problems.graphs.graph_features import add_expected_features
from orange_structpred.problems.graphs.graph_inputs import Graph
from orange_structpred.problems.graphs.graph_problem import GraphFeatures
from orange_structpred.problems.graphs.inference import infer
from orange_structpred.problems.graphs.marginals import (
    MARGINAL_METHOD,
    marginals_by,
    method_of,
    plan_marginals,
    warn_of_unsettled,
)
from orange_structpred.problems.graphs.network_program import network_program
from orange_structpred.problems.random_fields import RandomFieldEstimator
from orange_structpred.svm.likelihood import LikelihoodProblem


class GraphLikelihood(LikelihoodProblem):
    """Graphs and the labels of their nodes; p(y | x) ~ exp <w, phi(x, y)>.

    Parameters
    ----------
    X : list of Graph
    Y : list of int64 arrays
    features : GraphFeatures
    method : "exact" or "loopy", how marginals are found
    """

    def __init__(self, X: list[Graph], Y: list[np.ndarray], features: GraphFeatures,
                 method: str):
        self.X, self.Y, self.features, self.method = X, Y, features, method
        self.weights = np.ones(len(X))
        self.dim = features.dim
        self.settled = np.ones(len(X), bool)        # the messages, at the last weights
        self.plans = [plan_marginals(x.edges, (x.n_nodes, features.n_labels), x.shape, method)
                      for x in X]

    def __len__(self) -> int:
        return len(self.X)

    def marginals(self, i: int, w: np.ndarray) -> NetworkMarginals:
        """Probabilities of the labels of a graph."""
        x = self.X[i]
        marginals = marginals_by(self.features.network(x, w), x.shape.merging, self.plans[i])
        self.settled[i] = marginals.converged
        return marginals

    def methods(self) -> dict[str, int]:
        """For how many graphs marginals are found in which way."""
        return dict(Counter(method_of(plan) for plan in self.plans))

    def check_settled(self) -> None:
        """Warn of graphs on which loopy belief propagation found no fixed point."""
        if not self.settled.all():
            warn_of_unsettled(f"{np.count_nonzero(~self.settled)} of {len(self)} graphs")

    def add_log_loss(self, first, last, w, gradient):
        total = 0.
        for i in range(first, last):
            x, marginals = self.X[i], self.marginals(i, w)
            true = self.features.vector(x, self.Y[i])
            weight = self.weights[i]
            total += weight * (marginals.log_partition - w[true.indices] @ true.values)
            gradient[true.indices] -= weight * true.values
            nodes = x.nodes
            if self.features.label_features:
                gradient[:self.features.n_features] += weight * np.einsum(
                    "sa,sad->d", marginals.nodes, nodes)
                none = np.zeros(x.n_nodes + 1, np.int64)
                arrays = (none, none, np.zeros(0))
            else:
                arrays = (nodes.indptr, nodes.indices, nodes.values)
            add_expected_features(
                *arrays, x.edges, x.kinds, x.kind_features, self.features.pair_numbers,
                self.features.first_pair, marginals.nodes, marginals.edges, weight, gradient)
        return total

    def fingerprint(self) -> str:
        digest = blake2b(digest_size=8)
        for x, y in zip(self.X, self.Y):
            nodes = (x.nodes,) if isinstance(x.nodes, np.ndarray) else x.nodes[:-1]
            for array in (*nodes, *x[1:4], y, self.weights):
                digest.update(np.ascontiguousarray(array).tobytes())
        return (f"likelihood of {len(self)} graphs, {self.dim} weights, {self.method}, "
                f"{digest.hexdigest()}")


class GraphCRF(RandomFieldEstimator, GraphEstimator):
    """Conditional random field on graphs: probabilities of the labels of nodes.

    It maximises the conditional likelihood of the labels with L-BFGS; the objective is
    that of `GraphSVM` with -log p(y_i | x_i) in place of the slack of graph i. X and y
    are those of `GraphSVM`.

    Parameters
    ----------
    directed : bool, default=False
        Whether an edge from label a to label b has another weight than one from b to a
    marginals : "exact" or "loopy", default="exact"
        Exact probabilities need graphs without cycles or of small treewidth (chains of
        cycles, grids with a short side); loopy belief propagation approximates those of
        others, and the likelihood by Bethe's: then `converged_` tells of this one
    loss : "zero-one", "hamming", array or function, default="zero-one"
        Predictions minimise its expectation: with "zero-one" they are the most probable
        labelling, with "hamming" the most probable label of each node, with costs (see
        `GraphSVM`) the label of lowest expected cost
    C, tol, max_iter, n_jobs, warm_start : see `StructuredEstimator`; max_iter is the
        number of steps of L-BFGS

    Attributes
    ----------
    classes_ : array, the labels in sorted order
    node_weights_, edge_weights_ : arrays, see there
    inference_ : dict, for how many graphs of the training probabilities were found by
        "sum-product" or "elimination", which are exact, and by "loopy" belief propagation
    n_unsettled_ : int, on how many graphs of the training its messages did not settle

    Examples
    --------
    >>> import numpy as np
    >>> from orange_structpred.problems import GraphCRF
    >>> triangle = [(0, 1), (1, 2), (2, 0)]
    >>> X = [(np.array([[1.], [-0.2], [1.]]), triangle), (-np.ones((3, 1)), triangle)]
    >>> y = [["a", "a", "a"], ["b", "b", "b"]]
    >>> GraphCRF(C=10).fit(X, y).predict_proba(X)[0].argmax(axis=1)
    array([0, 0, 0])
    """

    _kinds: ClassVar[dict[str, Kind]] = {"marginals": MARGINAL_METHOD}

    def __init__(self, *, directed=False, marginals="exact", loss="zero-one", C=1., tol=0.01,
                 max_iter=1000, n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())

    # All that asks for more than a likelihood has is overridden, here and in the base.
    def _problem(self, inputs, outputs) -> GraphLikelihood:  # type: ignore[override]
        self._cost()                            # raises an error for a loss that is not one
        return GraphLikelihood(inputs, outputs or [], self._features(), self.marginals)

    def _fit(self, problem, sample_weight=None):
        weighted = self._weigh(problem, sample_weight)
        super()._fit(weighted)
        self.inference_ = weighted.methods()
        self.n_unsettled_ = int(np.count_nonzero(~weighted.settled))
        if self.verbose:
            print(f"{type(self).__name__}: probabilities {listed_methods(self.inference_)}")
        weighted.check_settled()
        return self

    def predict(self, X, *, constraints=None):
        """The labels of lowest expected loss.

        constraints : see `StructuredEstimator.predict`; variables are named
            (node, label), with the loss "zero-one" also (node, node, label, label)
        """
        check_is_fitted(self, "model_")
        X = coerce_inputs(X)
        inputs, cost, weights = self._encode(X, fitting=False), self._cost(), self.coef_
        if cost is None:
            networks = [self._features().network(x, weights) for x in inputs]
        else:
            problem = self._problem(inputs, None)
            networks = [
                # without edges: a label's expected cost is that of its node
                self._features().network(x, weights)._replace(
                    unary=-problem.marginals(i, weights).nodes @ cost,
                    edges=x.edges[:0], kinds=x.kinds[:0])
                for i, x in enumerate(inputs)]
        return self._decode(
            [infer(network).labels for network in networks] if constraints is None
            else best_within(lambda i: self._named(network_program(networks[i])), X,
                             constraints))

    def predict_proba(self, X) -> list[np.ndarray]:
        """The probability of each label (columns, as in `classes_`) of each node (rows),
        one array per graph."""
        check_is_fitted(self, "model_")
        problem = self._problem(self._encode(X, fitting=False), None)
        probabilities = [problem.marginals(i, self.coef_).nodes for i in range(len(problem))]
        problem.check_settled()
        return probabilities
