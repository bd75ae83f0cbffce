"""Label sequences as a problem for the solvers (001, section 4.3)."""
from __future__ import annotations

from functools import cached_property
from itertools import product

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.kinds import WholeNumber, one_of_names
from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.sequences.blocks import ChainBlocks
from orange_structpred.problems.sequences.sequence_program import chain_program
from orange_structpred.problems.sequences.viterbi import (
    ChainLoss,
    best_labels_of,
    chain_loss,
    chain_vector,
    decode_chains,
    emission_scores,
    split_weights,
    unmerged_difference,
    viterbi_by_errors,
    viterbi_second_order,
    worst_labels,
)
from orange_structpred.svm.problem import Problem, Separated
from orange_structpred.svm.programs import IntegerProgram
from orange_structpred.svm.vectors import SparseVector, sum_equal_indices

CHAIN_LOSS = one_of_names(("hamming", "errors", "zero-one"))


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
    X: SequenceViews

    def __init__(self, X: Positions, Y, n_labels: int, *, order: int = 1,
                 loss: str = "hamming", cost: np.ndarray | None = None):
        WholeNumber(1, 2).check("order", order)
        CHAIN_LOSS.check("loss", loss)
        self.positions, self.n_labels, self.order = X, n_labels, order
        self.loss_name, self.cost = loss, cost
        self.chain = ChainLoss(1. - np.eye(n_labels) if cost is None else cost,
                               loss == "hamming", loss == "zero-one", order, 1.)
        super().__init__(SequenceViews(X), Y,
                         X.n_features * n_labels + sum(
                             n_labels**k for k in range(2, order + 2)))

    def split(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weights of emissions, pairs and three labels in a row, as views."""
        return split_weights(w, self.positions.n_features, self.n_labels, self.order)

    # the four

    def joint_features(self, x, y):
        y = np.asarray(y, np.int32)
        size = x.indptr[-1] - x.indptr[0] + 2 * len(y)
        indices, values = np.empty(size, np.int64), np.empty(size)
        n_entries = chain_vector(x, 0, y, self.order, self.n_labels, 1., indices, values, 0,
                                 np.full(len(y), -1, np.int32))
        return SparseVector(*sum_equal_indices(indices[:n_entries], values[:n_entries]))

    def loss(self, y, y_hat):
        return chain_loss(np.asarray(y, np.int32), np.asarray(y_hat, np.int32), self.chain)

    def predict(self, x, w):
        return best_labels_of(*self._scores(x, w), self.order)

    def separate(self, x, y, w):
        return worst_labels(*self._scores(x, w), np.asarray(y, np.int32), self.chain)[0]

    def _scores(self, x, w):
        emissions, pairs, triples = self.split(w)
        return emission_scores(x, 0, x.starts[-1], emissions), pairs, triples

    def outputs(self, x):
        length = int(x.starts[-1])
        if self.n_labels**length > 1e6:
            raise InputError(f"{self.n_labels} labels at {length} positions are too many "
                             "outputs to be listed")
        return map(np.array, product(range(self.n_labels), repeat=length))

    def as_program(self, x, w) -> IntegerProgram:
        """See `chain_program`."""
        local, pairs, triples = self._scores(x, w)
        return chain_program(local, pairs, triples if self.order == 2 else None)

    # what solvers ask

    def size(self, i):
        return 1 if self.loss_name != "hamming" else len(self.Y[i])

    # the model's factor is not multiplied with all weights: only the loss depends on it

    def best(self, i, model):
        return self.predict(self.X[i], model.w)

    def most_violated(self, i, model, weight: float = 1.):
        chain = self.chain._replace(weight=weight / model.factor)
        return worst_labels(*self._scores(self.X[i], model.w), self.Y[i], chain)[0]

    def oracle(self, first, last, model):
        chain = self.chain._replace(weight=1 / model.factor)
        labels, losses, margins = decode_chains(
            self.positions, self.gold_labels, chain, model.w, np.arange(first, last), True)
        ends = self.positions.starts[first + 1:last] - self.positions.starts[first]
        return Separated(np.split(labels, ends), losses, losses + model.factor * margins)

    def best_of(self, examples, model):
        examples = np.asarray(examples, np.int64)
        labels = decode_chains(self.positions, self.gold_labels, self.chain, model.w,
                               examples, False)[0]
        return np.split(labels, np.cumsum(np.diff(self.positions.starts)[examples])[:-1])

    @cached_property
    def gold_labels(self) -> np.ndarray:
        """The labels of all positions; zeros at prediction."""
        if len(self) and self.Y[0] is None:
            return np.zeros(self.positions.starts[-1], np.int32)
        return np.concatenate(self.Y)

    def new_blocks(self, examples: Problem | None = None) -> ChainBlocks:
        return ChainBlocks(self, (examples or self).example_weights())

    def best_by_loss(self, i, model):
        if self.cost is not None:
            return self.outputs(self.X[i])
        y = self.Y[i]
        local, pairs, triples = self._scores(self.X[i], model.w)
        levels = 2 if self.loss_name == "zero-one" else len(y) + 1
        saturated = self.loss_name == "zero-one"
        if self.order == 1:
            scores, labels = viterbi_by_errors(local, pairs, y, levels, saturated)
        else:
            scores, labels = viterbi_second_order(local, pairs, triples, y, levels,
                                                  saturated)
        return labels[np.isfinite(scores)]

    def difference(self, i, y_hat):
        return SparseVector(*sum_equal_indices(*unmerged_difference(
            self.positions, self.positions.starts[i], self.Y[i],
            np.asarray(y_hat, np.int32), self.order, self.n_labels)))


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
