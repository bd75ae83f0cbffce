"""Classes as outputs, with features that classes may share (001, sections 4.1, 4.2).

The joint feature map is phi(x) (x) Lambda(y): with the identity as Lambda, each class has
weights of its own; with a feature for each node of a tree, classes share those of the
nodes above them.
"""
from __future__ import annotations

import numpy as np
from scipy import sparse

from orange_structpred.problems.class_blocks import ClassBlocks
from orange_structpred.svm.problem import Problem, Separated
from orange_structpred.svm.programs import IntegerProgram, one_of
from orange_structpred.svm.vectors import SparseVector


class ClassProblem(Problem):
    """Rows of a matrix and their classes; outputs are enumerated.

    Parameters
    ----------
    X : csr_array of shape (examples, features)
    Y : int array, numbers of classes
    class_features : array of shape (classes, r), Lambda(y)
    cost : array of shape (classes, classes), L(y, y_hat)

    The weight of feature d with class feature r is at d * r's number + r.
    """

    chunk_size = 1024
    X: Rows
    Y: np.ndarray

    def __init__(self, X: sparse.csr_array, Y: np.ndarray, class_features: np.ndarray,
                 cost: np.ndarray):
        self.class_features = np.ascontiguousarray(class_features, dtype=float)
        super().__init__(Rows(X), Y, X.shape[1] * class_features.shape[1])
        self.cost = cost

    def scores(self, x: SparseVector, w: np.ndarray) -> np.ndarray:
        """<w, phi(x, y)> of all classes."""
        weights = w.reshape(-1, self.class_features.shape[1])
        return self.class_features @ (x.values @ weights[x.indices])

    # the four

    def joint_features(self, x, y):
        return self._product(x, self.class_features[y])

    def loss(self, y, y_hat):
        return self.cost[y, y_hat]

    def predict(self, x, w):
        return int(np.argmax(self.scores(x, w)))

    def separate(self, x, y, w):
        return int(np.argmax(self.scores(x, w) + self.cost[y]))

    def outputs(self, x):
        return range(len(self.cost))

    def as_program(self, x, w) -> IntegerProgram:
        """A variable for each class, named by its number."""
        n = len(self.cost)
        return IntegerProgram(self.scores(x, w), [one_of([range(n)], n)], range(n), np.argmax)

    # what solvers ask

    def difference(self, i, y_hat):
        return self._product(
            self.X[i], self.class_features[self.Y[i]] - self.class_features[y_hat])

    def _product(self, x, of_class) -> SparseVector:
        """x (x) features of a class."""
        columns = np.flatnonzero(of_class)
        indices = x.indices[:, None] * len(of_class) + columns
        return SparseVector(indices.ravel(), np.outer(x.values, of_class[columns]).ravel())

    def oracle(self, first, last, model):
        true = self.Y[first:last]
        rows = np.arange(last - first)
        scores = self.decision(model.weights(), self.X.between(first, last))
        hinges = scores + self.cost[true] - scores[rows, true][:, None]
        outputs = hinges.argmax(axis=1)
        return Separated(outputs, self.cost[true, outputs], hinges[rows, outputs])

    def sum_of_differences(self, first, outputs, factors):
        if len(outputs) < 2:        # a dense sum does not pay
            return super().sum_of_differences(first, outputs, factors)
        rows = slice(first, first + len(outputs))
        change = self.class_features[self.Y[rows]] - self.class_features[outputs]
        total = (self.X.between(first, rows.stop).T @ (factors[:, None] * change)).ravel()
        indices = np.flatnonzero(total)
        return SparseVector(indices, total[indices])

    def best_of(self, examples, model):
        rows = self.X.between(examples.start, examples.stop) \
            if isinstance(examples, range) and examples.step == 1 else self.X.matrix[examples]
        return self.decision(model.weights(), rows).argmax(axis=1)

    def losses_of(self, examples, outputs):
        return self.cost[self.Y[examples], outputs]

    def new_blocks(self, examples: Problem | None = None) -> ClassBlocks:
        return ClassBlocks(self, (examples or self).example_weights())

    def decision(self, w: np.ndarray, rows: sparse.csr_array | None = None) -> np.ndarray:
        """Scores of all classes, a row for each row of the matrix, or of a part of it."""
        weights = w.reshape(-1, self.class_features.shape[1])
        return ((self.X.matrix if rows is None else rows) @ weights) @ self.class_features.T


class Rows:
    """The rows of a sparse matrix as sparse vectors."""

    def __init__(self, matrix: sparse.csr_array):
        self.matrix = matrix

    def __len__(self) -> int:
        return self.matrix.shape[0]

    def between(self, first: int, last: int) -> sparse.csr_array:
        """Rows first..last - 1; a slice of the matrix would copy them."""
        pointers = self.matrix.indptr[first:last + 1]
        entries = slice(pointers[0], pointers[-1])
        return sparse.csr_array(
            (self.matrix.data[entries], self.matrix.indices[entries], pointers - pointers[0]),
            shape=(last - first, self.matrix.shape[1]))

    def __getitem__(self, i: int) -> SparseVector:
        entries = slice(self.matrix.indptr[i], self.matrix.indptr[i + 1])
        return SparseVector(self.matrix.indices[entries].astype(np.int64),
                            self.matrix.data[entries])
