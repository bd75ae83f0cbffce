"""Label sequences as a problem for the solvers (001, section 4.3)."""
from __future__ import annotations

from hashlib import blake2b
from itertools import product

import numpy as np
from scipy import sparse
from scipy.optimize import LinearConstraint

from orange_structpred.errors import InputError
from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.programs import IntegerProgram, one_of
from orange_structpred.problems.sequences.viterbi import (
    chain_vector,
    emission_scores,
    unmerged_difference,
    viterbi,
    viterbi_by_errors,
    viterbi_second_order,
)
from orange_structpred.svm.problem import Problem
from orange_structpred.svm.vectors import SparseVector, merge

LOSSES = ("hamming", "errors", "zero-one")


class ChainProblem(Problem):
    """Sequences and their labels.

    Parameters
    ----------
    X : Positions
    Y : list of int32 arrays
    n_labels : int
    order : 1 or 2
        Weights of pairs of labels in a row, or of three in a row as well
    loss : "hamming", "errors" or "zero-one"
        The share of wrong labels, their number, or whether any is wrong
    cost : array of shape (labels, labels), optional
        What a wrong label costs; 1 without it. Not for "zero-one"

    The weights are those of a feature with a label at feature * n_labels + label, then
    those of pairs, then those of three labels in a row.
    """

    chunk_size = 64

    def __init__(self, X: Positions, Y, n_labels: int, *, order: int = 1,
                 loss: str = "hamming", cost: np.ndarray | None = None):
        if order not in (1, 2):
            raise InputError(f"order is {order!r}; expected 1 or 2")
        if loss not in LOSSES:
            raise InputError(f"unknown loss {loss!r}; expected one of {', '.join(LOSSES)}")
        self.positions, self.n_labels, self.order = X, n_labels, order
        self.loss_name, self.cost = loss, cost
        super().__init__(SequenceViews(X), Y,
                         X.n_features * n_labels + sum(
                             n_labels**k for k in range(2, order + 2)))

    def split(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights of emissions, pairs and three labels in a row, as views."""
        k = self.n_labels
        first, second = self.positions.n_features * k, self.positions.n_features * k + k * k
        triples = w[second:].reshape(k, k, k) if self.order == 2 else np.zeros((1, 1, 1))
        return w[:first].reshape(-1, k), w[first:second].reshape(k, k), triples

    # the four

    def joint_features(self, x, y):
        y = np.asarray(y, np.int32)
        size = x.indptr[-1] - x.indptr[0] + 2 * len(y)
        indices, values = np.empty(size, np.int64), np.empty(size)
        found = chain_vector(x, 0, y, self.order, self.n_labels, 1., indices, values, 0,
                             np.full(len(y), -1, np.int32))
        return SparseVector(*merge(indices[:found], values[:found]))

    def loss(self, y, y_hat):
        y, y_hat = np.asarray(y), np.asarray(y_hat)
        if self.loss_name == "zero-one":
            return float((y != y_hat).any())
        wrong = np.count_nonzero(y != y_hat) if self.cost is None \
            else self.cost[y, y_hat].sum()
        return wrong / len(y) if self.loss_name == "hamming" else float(wrong)

    def predict(self, x, w):
        return self._decode(x, w, None, 0.)

    def separate(self, x, y, w):
        return self._decode(x, w, y, 1.)

    def outputs(self, x):
        length = int(x.starts[-1])
        if self.n_labels**length > 1e6:
            raise InputError(f"{self.n_labels} labels at {length} positions are too many "
                             "outputs to be listed")
        return map(np.array, product(range(self.n_labels), repeat=length))

    def as_program(self, x, w) -> IntegerProgram:
        """A variable for each label of each position, named (position, label number),
        and one for each pair (and three) of labels in a row: (position of the last,
        label, label, ...)."""
        emissions, pairs, triples = self.split(w)
        length, k = int(x.starts[-1]), self.n_labels
        weights = [emission_scores(x, 0, length, emissions).ravel()]
        for order, own in ((1, pairs), (2, triples))[:self.order]:
            weights += [own.ravel()] * max(0, length - order)
        names = [(t, *labels) for order in range(self.order + 1)
                 for t in range(order, length) for labels in product(range(k), repeat=order + 1)]
        number = {name: index for index, name in enumerate(names)}
        n = len(names)
        groups = [[number[t, label] for label in range(k)] for t in range(length)]
        # a run of labels is what its first and its last labels are
        rows = [([number[(t, *labels)] for labels in product(range(k), repeat=order + 1)
                  if labels[side:order + side] == run], number[(t - 1 + side, *run)])
                for order in range(1, self.order + 1) for t in range(order, length)
                for side in (0, 1) for run in product(range(k), repeat=order)]
        constraints = [one_of(groups, n)]
        if rows:
            A = sparse.lil_array((len(rows), n))
            for row, (whole, part) in enumerate(rows):
                A[row, whole], A[row, part] = 1, -1
            constraints.append(LinearConstraint(A.tocsr(), 0, 0))
        return IntegerProgram(
            np.concatenate(weights), constraints, names,
            lambda z: z[:length * k].reshape(length, k).argmax(axis=1))

    def _decode(self, x, w, y, weight):
        """The best labels where the loss has no weight, else the most violated ones."""
        emissions, pairs, triples = self.split(w)
        local = emission_scores(x, 0, x.starts[-1], emissions)
        if weight and self.loss_name == "zero-one":
            scores, labels = self._by_errors(local, pairs, triples, y, 2, True)
            return labels[np.argmax(scores + (0., weight))]
        if weight:
            costs = np.ones(local.shape) if self.cost is None else self.cost[y]
            if self.cost is None:
                costs[np.arange(len(y)), y] = 0
            local += weight * costs / (len(y) if self.loss_name == "hamming" else 1)
        if self.order == 1:
            return viterbi(local, pairs)
        return self._by_errors(local, pairs, triples, None, 1, True)[1][0]

    def _by_errors(self, local, pairs, triples, gold, n_levels, saturated):
        if gold is None:
            gold = np.zeros(len(local), np.int32)
        if self.order == 1:
            return viterbi_by_errors(local, pairs, gold, n_levels, saturated)
        return viterbi_second_order(local, pairs, triples, gold, n_levels, saturated)

    # what solvers ask

    def size(self, i):
        return 1 if self.loss_name != "hamming" else len(self.Y[i])

    def most_violated(self, i, model, weight: float = 1.):
        return self._decode(self.X[i], model.weights(), self.Y[i], weight)

    def best_by_loss(self, i, model):
        if self.cost is not None:
            return self.outputs(self.X[i])
        x, y = self.X[i], self.Y[i]
        emissions, pairs, triples = self.split(model.weights())
        local = emission_scores(x, 0, x.starts[-1], emissions)
        levels = 2 if self.loss_name == "zero-one" else len(y) + 1
        scores, labels = self._by_errors(local, pairs, triples, y, levels,
                                         self.loss_name == "zero-one")
        return labels[np.isfinite(scores)]

    def difference(self, i, y_hat):
        return SparseVector(*merge(*unmerged_difference(
            self.positions, self.positions.starts[i], self.Y[i],
            np.asarray(y_hat, np.int32), self.order, self.n_labels)))

    def fingerprint(self):
        digest = blake2b(digest_size=8)
        for array in (*self.positions[:-1], *self.Y):
            digest.update(array.tobytes())
        return (f"{super().fingerprint()} {digest.hexdigest()} order={self.order} "
                f"{self.loss_name} {self.cost}")


class SequenceViews:
    """Each of some sequences as `Positions` of its own, without a copy."""

    def __init__(self, positions: Positions):
        self.positions = positions

    def __len__(self) -> int:
        return self.positions.n_sequences

    def __getitem__(self, i: int) -> Positions:
        first, last = self.positions.starts[i:i + 2]
        # values are not copied: the rows of this sequence begin where indptr says
        return self.positions._replace(
            starts=np.array([0, last - first]),
            indptr=self.positions.indptr[first:last + 1])
