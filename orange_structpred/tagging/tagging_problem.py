"""Sequences of labels as a problem for the solvers."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import Problem, SparseVector
from orange_structpred.tagging.chains import (
    Chain,
    chain_difference,
    decode_chain,
    pair_index,
    triple_index,
)


class Observed(NamedTuple):
    """What is seen of one sequence.

    rows : int32 (positions, k); numbers of observations, -1 for none
    edges : uint64 (positions, e); observations of the edge from the position before;
        0 for none. Those of the first position have no meaning.
    """

    rows: np.ndarray
    edges: np.ndarray


class SequenceProblem(Problem):
    """Sequences and their labels; the loss is the share of wrong labels.

    Parameters
    ----------
    X : list of Observed
    Y : list of int32 arrays, labels
    chain : which weight belongs to what
    n_best : int, default=0
        Decode with so many labels of each position, the best without their
        neighbours; 0 takes all, which a certificate needs
    """

    chunk_size = 64
    X: list[Observed]
    Y: list[np.ndarray]

    def __init__(self, X: list[Observed], Y: list[np.ndarray], chain: Chain, *,
                 n_best: int = 0):
        super().__init__(X, Y, chain.n_weights)
        self.chain, self.n_best = chain, n_best

    def __getstate__(self) -> dict:
        """To be sent: a few large arrays instead of very many small ones."""
        return {**vars(self), "X": [np.concatenate(arrays) for arrays in zip(*self.X)],
                "Y": np.concatenate(self.Y),
                "ends": np.cumsum([len(y) for y in self.Y])[:-1]}

    def __setstate__(self, state: dict) -> None:
        ends = state.pop("ends")
        self.__dict__.update(state)
        self.X = list(map(Observed, *(np.split(array, ends) for array in state["X"])))
        self.Y = np.split(state["Y"], ends)

    # the four

    def joint_features(self, x, y):
        dense = np.zeros(self.dim)
        for rows, label in zip(x.rows, y):
            parts = self.chain.label_parts[label]
            for row in rows[rows >= 0]:
                span = slice(self.chain.starts[row], self.chain.starts[row + 1])
                dense[span] += (self.chain.parts[span, None] == parts).sum(axis=1)
        columns = self.chain.edge_columns
        for edges, before, label in zip(x.edges[1:], y, y[1:]):
            for edge, n_columns in zip(edges, columns):
                pairs = self.chain.label_parts[[before, label], :n_columns].T
                for part, following in pairs[(pairs >= 0).all(axis=1)] if edge else ():
                    dense[pair_index(self.chain, edge, part, following)] += 1
        for labels in zip(y, y[1:], y[2:]):
            triples = self.chain.label_parts[list(labels), :self.chain.triple_columns].T
            for triple in triples[(triples >= 0).all(axis=1)]:
                dense[triple_index(self.chain, *triple)] += 1
        return dense

    def loss(self, y, y_hat):
        return np.count_nonzero(y != y_hat) / len(y)

    def predict(self, x, w):
        return self._decode(x, w, 1., np.zeros(len(x.rows), np.int32), 0.)

    def separate(self, x, y, w):
        return self._decode(x, w, 1., y, 1.)

    def _decode(self, x, w, factor, y, loss_weight):
        return decode_chain(self.chain, w, float(factor), x.rows, x.edges, y,
                            float(loss_weight), self.n_best)

    # what solvers ask

    def new_model(self, *, averaging: bool = False) -> LinearModel:
        return LinearModel(self.dim, np.float32, averaging=averaging)

    def size(self, i):
        return len(self.Y[i])

    def best(self, i, model):
        return self._decode(self.X[i], model.w, model.factor, self.Y[i], 0.)

    def most_violated(self, i, model, weight: float = 1.):
        return self._decode(self.X[i], model.w, model.factor, self.Y[i], weight)

    def difference(self, i, y_hat) -> SparseVector:
        return SparseVector(*chain_difference(
            self.chain, self.X[i].rows, self.X[i].edges, self.Y[i], y_hat))
