"""Assignments as outputs: matchings and rankings."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint, linear_sum_assignment

from orange_structpred.errors import InputError
from orange_structpred.kinds import one_of_names
from orange_structpred.problems.estimator import StructuredEstimator
from orange_structpred.svm.problem import Problem, check_lengths
from orange_structpred.svm.programs import IntegerProgram, one_of
from orange_structpred.svm.vectors import SparseVector

MATCHING_LOSS = one_of_names(("hamming", "footrule"))


class PairFeatures(NamedTuple):
    """Features of all pairs of a left and a right item.

    features : csr_array; the row of pair (l, r) is l * n_right + r
    """

    features: sparse.csr_array
    n_left: int
    n_right: int


class MatchingProblem(Problem):
    """Each left item is assigned a right item of its own.

    Parameters
    ----------
    X : list of PairFeatures
    Y : list of int arrays, the right item of each left item
    loss : "hamming" or "footrule"
        The share of left items with a wrong right item, or the mean distance between
        the numbers of the right items (for rankings), divided by their largest one
    """

    chunk_size = 16

    def __init__(self, X: list[PairFeatures], Y, *, loss: str = "hamming"):
        MATCHING_LOSS.check("loss", loss)
        super().__init__(X, Y, X[0].features.shape[1])
        self.loss_name = loss

    def costs(self, y: np.ndarray, n_right: int) -> np.ndarray:
        """What each pair adds to the loss."""
        distance = abs(np.arange(n_right) - np.asarray(y)[:, None])
        if self.loss_name == "hamming":
            return (distance > 0) / len(y)
        return distance / (len(y) * max(1, n_right - 1))

    def scores(self, x: PairFeatures, w: np.ndarray) -> np.ndarray:
        return (x.features @ w).reshape(x.n_left, x.n_right)

    # the four

    def joint_features(self, x, y):
        rows = x.features[np.arange(x.n_left) * x.n_right + np.asarray(y)]
        total = rows.sum(axis=0)
        indices = np.flatnonzero(total)
        return SparseVector(indices, total[indices])

    def loss(self, y, y_hat):
        n_right = 1 + max(*y, *y_hat) if self.loss_name == "hamming" else len(y)
        return float(self.costs(y, n_right)[np.arange(len(y)), y_hat].sum())

    def predict(self, x, w):
        return linear_sum_assignment(self.scores(x, w), maximize=True)[1]

    def separate(self, x, y, w):
        return linear_sum_assignment(self.scores(x, w) + self.costs(y, x.n_right),
                                     maximize=True)[1]

    def size(self, i):
        return len(self.Y[i])

    def as_program(self, x, w) -> IntegerProgram:
        """A variable for each pair, named (left, right)."""
        n = x.n_left * x.n_right
        numbers = np.arange(n).reshape(x.n_left, x.n_right)
        once = one_of(numbers.T, n)
        return IntegerProgram(
            self.scores(x, w).ravel(),
            [one_of(numbers, n), LinearConstraint(once.A, 0, 1)],
            [(left, right) for left in range(x.n_left) for right in range(x.n_right)],
            lambda z: z.reshape(x.n_left, x.n_right).argmax(axis=1))


class AssignmentEstimator(StructuredEstimator):
    """What matchings and rankings share."""

    _learned = ("n_features_in_",)

    def _encode(self, X, *, fitting):
        X = [self._pair_features(x, number) for number, x in enumerate(X)]
        if not X:
            raise InputError("there are no examples")
        if fitting:
            self.n_features_in_ = X[0].features.shape[1]
        for number, x in enumerate(X):
            if x.features.shape[1] != self.n_features_in_:
                raise InputError(f"example {number} has {x.features.shape[1]} features; "
                                 f"expected {self.n_features_in_}")
            if not np.isfinite(x.features.data).all():
                raise InputError(f"example {number} has features that are not finite numbers")
            if not 0 < x.n_left <= x.n_right:
                raise InputError(f"example {number} has {x.n_left} items on the left and "
                                 f"{x.n_right} on the right; expected at least one, and no "
                                 "more on the left than on the right")
        return X

    def _encode_outputs(self, inputs, y, *, fitting):
        y = list(y)
        check_lengths(len(inputs), len(y))
        outputs = [np.asarray(assignment) for assignment in y]
        for number, (x, partners) in enumerate(zip(inputs, outputs)):
            if partners.shape != (x.n_left,) or partners.dtype.kind not in "iu" \
                    or len(set(partners.tolist())) < len(partners) \
                    or not (0 <= partners.min() and partners.max() < x.n_right):
                raise InputError(
                    f"the output of example {number} is {y[number]!r}; expected "
                    f"{x.n_left} different whole numbers from 0 to {x.n_right - 1}")
        return outputs

    def _problem(self, inputs, outputs):
        return MatchingProblem(inputs, [None] * len(inputs) if outputs is None else outputs,
                               loss=self.loss)

    def _n_expected_weights(self):
        return self.n_features_in_

    def _decode(self, outputs):
        return list(outputs)

    def score(self, X, y) -> float:
        """The share of left items with the right one."""
        predicted = np.concatenate(self.predict(X))
        outputs = self._encode_outputs(self._encode(X, fitting=False), y, fitting=False)
        return float(np.mean(predicted == np.concatenate(outputs)))


class MatchingSVM(AssignmentEstimator):
    """Structural SVM for matchings: which right item belongs to which left one.

    X is a list of examples: arrays of shape (left items, right items, features), or
    lists with a scipy sparse matrix of shape (right items, features) for each left item.
    y has the numbers of the right items of the left ones, none of them twice.

    Parameters
    ----------
    loss : "hamming" or "footrule", default="hamming"
        The share of left items with a wrong right item, or how far the numbers of the
        right items are from the true ones
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`
    """

    def __init__(self, *, loss="hamming", C=1., tol=0.01, solver="bcfw",
                 solver_options=None, max_iter=None, random_state=0, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _pair_features(self, x, number):
        if isinstance(x, (list, tuple)) and len(x) and all(map(sparse.issparse, x)):
            if len({part.shape for part in x}) > 1:
                raise InputError(f"the matrices of example {number} have different shapes")
            return PairFeatures(sparse.csr_array(sparse.vstack(x, format="csr"), dtype=float),
                                len(x), x[0].shape[0])
        x = np.asarray(x, dtype=float)
        if x.ndim != 3:
            raise InputError(f"example {number} has the shape {x.shape}; expected (left "
                             "items, right items, features)")
        return PairFeatures(sparse.csr_array(x.reshape(-1, x.shape[2])), *x.shape[:2])


class RankingSVM(AssignmentEstimator):
    """Structural SVM for rankings: items are assigned to ranks.

    X is a list of matrices (arrays or scipy sparse), a row for each item. y has the
    rank of each item, 0 for the first. Items have a score <w, x>, which counts by rank,
    from 1 for the first to -1 for the last; the prediction sorts the items by it.

    Parameters
    ----------
    loss : "hamming" or "footrule", default="footrule"
        The share of items with a wrong rank, or how far ranks are from the true ones
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`
    """

    def __init__(self, *, loss="footrule", C=1., tol=0.01, solver="bcfw",
                 solver_options=None, max_iter=None, random_state=0, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _pair_features(self, x, number):
        items = sparse.csr_array(x if sparse.issparse(x) else np.atleast_2d(
            np.asarray(x, dtype=float)), dtype=float)
        n = items.shape[0]
        by_rank = np.linspace(1, -1, n)[:, None] if n > 1 else np.ones((1, 1))
        return PairFeatures(sparse.csr_array(sparse.kron(items, by_rank, format="csr")), n, n)

    def decision_function(self, X) -> list[np.ndarray]:
        """The score of each item."""
        for number, x in enumerate(X):
            self._pair_features(x, number)
        return [np.asarray(x @ self.coef_).ravel() for x in X]
