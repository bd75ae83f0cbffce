"""Sets of labels, with weights of pairs of labels."""
from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_array

from orange_structpred.errors import InputError
from orange_structpred.kinds import one_of_names
from orange_structpred.problems.classes import Rows
from orange_structpred.problems.graphs.inference import infer
from orange_structpred.problems.graphs.network import MarkovNetwork
from orange_structpred.problems.label_search import best_label_set
from orange_structpred.problems.multiclass import TableEstimator
from orange_structpred.svm.blocks import Blocks
from orange_structpred.svm.problem import Problem, check_lengths
from orange_structpred.svm.programs import IntegerProgram, both
from orange_structpred.svm.vectors import SparseVector

LISTED = 8          # sets of up to this many labels are enumerated
SEARCHED = 24       # sets of up to this many labels are found by branch and bound
MULTILABEL_LOSS = one_of_names(("hamming", "f1"))
INFERENCE = one_of_names(("auto", "enumeration", "search", "graph", "milp"))


class LabelSetProblem(Problem):
    """Rows of a matrix and their sets of labels.

    Parameters
    ----------
    X : csr_array of shape (examples, features)
    Y : int array of shape (examples, labels), 0 or 1
    n_labels : int
    pairs : list of (label, label), whose weight counts where both are there
    loss : "hamming" or "f1"
        The share of labels that are wrong, or 1 - F1; two empty sets have no loss
    inference : "auto", "enumeration", "search", "graph" or "milp"

    The weight of feature d with label l is at d * labels + l; those of pairs follow.
    """

    chunk_size = 16
    X: Rows
    Y: np.ndarray

    def __init__(self, X: sparse.csr_array, Y: np.ndarray, n_labels: int,
                 pairs: list[tuple[int, int]], *, loss: str = "hamming",
                 inference: str = "auto"):
        MULTILABEL_LOSS.check("loss", loss)
        INFERENCE.check("inference", inference)
        self.n_labels, self.pairs, self.loss_name = n_labels, pairs, loss
        self.n_features = X.shape[1]
        super().__init__(Rows(X), Y, X.shape[1] * n_labels + len(pairs))
        self.first = np.array([a for a, _ in pairs], dtype=int)
        self.second = np.array([b for _, b in pairs], dtype=int)
        self.sets = None
        self.inference = inference
        if inference == "auto":
            self.inference = "enumeration" if n_labels <= LISTED else \
                "search" if n_labels <= SEARCHED else "graph"
        if inference == "enumeration" or inference == "auto" and n_labels <= LISTED:
            if n_labels > 20:
                raise InputError(f"2^{n_labels} sets of labels are too many to be "
                                 "enumerated; use inference='auto'")
            numbers = np.arange(2**n_labels)
            self.sets = (numbers[:, None] >> np.arange(n_labels)) & 1
            self.set_features = np.hstack(
                [self.sets, self.sets[:, self.first] * self.sets[:, self.second]]
            ).astype(float)

    def weights(self, x: SparseVector, w: np.ndarray) -> np.ndarray:
        """The sufficient weights: of each label, then of each pair."""
        n = self.n_features * self.n_labels
        return np.append(x.values @ w[:n].reshape(-1, self.n_labels)[x.indices], w[n:])

    def losses(self, y: np.ndarray, sets: np.ndarray) -> np.ndarray:
        """Losses of sets, one row each, where y is true."""
        if self.loss_name == "hamming":
            return (sets != y).mean(axis=1)
        total = sets.sum(axis=1) + y.sum()
        return np.where(total > 0, 1 - 2 * (sets @ y) / np.maximum(total, 1), 0.)

    # the four

    def joint_features(self, x, y):
        y = np.asarray(y)
        return self._vector(x, y, y[self.first] * y[self.second])

    def _vector(self, x, of_labels: np.ndarray, of_pairs: np.ndarray) -> SparseVector:
        """The features of labels and pairs, each times a number."""
        labels, pairs = of_labels.nonzero()[0], of_pairs.nonzero()[0]
        size = len(x.indices) * len(labels)
        indices, values = np.empty(size + len(pairs), np.int64), np.empty(size + len(pairs))
        indices[:size] = (x.indices[:, None] * self.n_labels + labels).ravel()
        values[:size] = (x.values[:, None] * of_labels[labels]).ravel()
        indices[size:] = self.n_features * self.n_labels + pairs
        values[size:] = of_pairs[pairs]
        return SparseVector(indices, values)

    def loss(self, y, y_hat):
        return float(self.losses(np.asarray(y), np.asarray(y_hat)[None, :])[0])

    def predict(self, x, w):
        weights = self.weights(x, w)
        if self.sets is not None:
            return self.sets[np.argmax(self.set_features @ weights)]
        return self._best(weights)

    def _best(self, weights: np.ndarray) -> np.ndarray:
        """The set with the highest sum of sufficient weights."""
        if not self.pairs:
            return (weights > 0).astype(int)
        if self.inference == "search":
            return best_label_set(weights[:self.n_labels], self._pair_matrix(weights), -1)
        if self.inference == "milp":
            return self._program(weights).best()
        unary = np.zeros((self.n_labels, 2))
        unary[:, 1] = weights[:self.n_labels]
        tables = np.zeros((len(self.pairs), 2, 2))
        tables[:, 1, 1] = weights[self.n_labels:]
        return infer(MarkovNetwork(
            unary, np.column_stack([self.first, self.second]), tables,
            np.arange(len(self.pairs)))).labels

    def _pair_matrix(self, weights: np.ndarray) -> np.ndarray:
        matrix = np.zeros((self.n_labels, self.n_labels))
        matrix[self.first, self.second] = matrix[self.second, self.first] = \
            weights[self.n_labels:]
        return matrix

    def separate(self, x, y, w):
        weights = self.weights(x, w)
        if self.sets is not None:
            return self.sets[np.argmax(self.set_features @ weights
                                       + self.losses(y, self.sets))]
        if self.loss_name == "hamming":
            weights[:self.n_labels] += (1 - 2 * y) / self.n_labels
            return self._best(weights)
        return self._separate_f1(y, weights)

    def _separate_f1(self, y, weights):
        """1 - F1 is linear in the output once the number of its labels is fixed."""
        best, highest = np.asarray(y), -np.inf
        for size in range(self.n_labels + 1):
            total = size + y.sum()
            augmented = weights.copy()
            if total:
                augmented[:self.n_labels] -= 2 * y / total
            if self.pairs and self.inference == "search":
                y_hat = best_label_set(augmented[:self.n_labels], self._pair_matrix(augmented), size)
            elif self.pairs:
                program = self._program(augmented)
                y_hat = program.best(program.limit(
                    range(self.n_labels), at_least=size, at_most=size))
            else:
                y_hat = np.zeros(self.n_labels, int)
                y_hat[np.argsort(-augmented, kind="stable")[:size]] = 1
            pairs = y_hat[self.first] * y_hat[self.second]
            value = weights @ np.append(y_hat, pairs) + self.loss(y, y_hat)
            if value > highest:
                best, highest = y_hat, value
        return best

    # what solvers ask

    def difference(self, i, y_hat):
        y, y_hat = self.Y[i], np.asarray(y_hat)
        return self._vector(self.X[i], y - y_hat, y[self.first] * y[self.second]
                            - y_hat[self.first] * y_hat[self.second])

    def new_blocks(self, examples: Problem | None = None) -> LabelSetBlocks:
        return LabelSetBlocks(examples or self)

    def outputs(self, x):
        if self.sets is None:
            raise InputError(f"2^{self.n_labels} sets of labels are not listed; use "
                             "inference='enumeration'")
        return self.sets

    def as_program(self, x, w) -> IntegerProgram:
        """A variable for each label, named by its number, and one for each pair."""
        return self._program(self.weights(x, w))

    def _program(self, weights) -> IntegerProgram:
        n = len(weights)
        constraints: list[LinearConstraint] = []
        if self.pairs:
            constraints.append(both(
                [(self.n_labels + k, a, b) for k, (a, b) in enumerate(self.pairs)], n))
        return IntegerProgram(weights, constraints, [*range(self.n_labels), *self.pairs],
                              lambda z: z[:self.n_labels])


class LabelSetBlocks(Blocks):
    """Pairs tie all labels together: more visits to an example take fewer passes."""

    extra_visits = 5


class MultilabelSVM(ClassifierMixin, TableEstimator):
    """Structural SVM for sets of labels, with weights of pairs of labels.

    y is a matrix of zeros and ones with one column per label, as made by
    `sklearn.preprocessing.MultiLabelBinarizer`.

    Parameters
    ----------
    loss : "hamming" or "f1", default="hamming"
        The share of labels that are wrong, or 1 - F1 of the two sets
    pairs : "all", None or list of pairs of columns, default="all"
        Pairs of labels with a weight that counts if both are present
    inference : str, default="auto"
        How the best set is found, always exactly: "enumeration" of all sets, "search" by
        branch and bound, "graph" (labels as nodes, pairs as edges: cuts, messages and
        integer programs, see `infer_labels`) or "milp" (integer programs). "auto"
        enumerates sets of up to 8 labels and searches those of up to 24; without pairs,
        each label is decided by itself
    fit_intercept : bool, default=True
        Add a constant feature; its weights are regularized like all others
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, numbers of the columns of y
    pairs_ : list of pairs of columns
    """

    _learned = (*TableEstimator._learned, "pairs_")

    def __init__(self, *, loss="hamming", pairs="all", inference="auto", C=1., tol=0.01,
                 solver="bcfw", solver_options=None, max_iter=None, fit_intercept=True,
                 random_state=0, n_jobs=None, warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _encode_outputs(self, inputs, y, *, fitting):
        if sparse.issparse(y):
            y = y.toarray()
        y = np.asarray(check_array(y, ensure_2d=False, dtype=None, input_name="y"))
        if y.ndim != 2 or not np.isin(y, (0, 1)).all():
            raise InputError(f"Unknown label type: y is {type_of_target(y)}; expected a "
                             "matrix of zeros and ones with a column for each label")
        check_lengths(inputs.shape[0], len(y))
        if fitting:
            self.classes_ = np.arange(y.shape[1])
        if y.shape[1] != len(self.classes_):
            raise InputError(f"y has {y.shape[1]} columns; expected "
                             f"{len(self.classes_)} labels")
        self.pairs_ = self._pairs()
        return y.astype(int)

    def _pairs(self) -> list[tuple[int, int]]:
        n = len(self.classes_)
        if self.pairs is None:
            return []
        if isinstance(self.pairs, str):
            if self.pairs != "all":
                raise InputError(f"pairs is {self.pairs!r}; expected 'all', None or a list")
            return list(combinations(range(n), 2))
        pairs = [tuple(sorted(pair)) for pair in self.pairs]
        for pair in pairs:
            if len(pair) != 2 or not 0 <= pair[0] < pair[1] < n:
                raise InputError(f"{pair} is not a pair of different columns of y, which has {n}")
        return sorted(set(pairs))

    def _problem(self, inputs, outputs):
        if outputs is None:
            outputs = np.zeros((inputs.shape[0], len(self.classes_)), int)
        return LabelSetProblem(inputs, outputs, len(self.classes_), self.pairs_,
                               loss=self.loss, inference=self.inference)

    def _decode(self, outputs):
        return np.array(outputs).reshape(-1, len(self.classes_))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        return tags
