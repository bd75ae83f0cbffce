"""The conditional likelihood of label sequences, for the solver `Likelihood`."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from orange_structpred.files.fingerprint import fingerprint
from orange_structpred.problems.inputs import Positions
from orange_structpred.problems.sequences.forward_backward import (
    add_scores,
    log_loss_of_chains,
)
from orange_structpred.problems.sequences.viterbi import viterbi
from orange_structpred.running.compiled_arrays import copy_into
from orange_structpred.running.compiler import njit
from orange_structpred.svm.likelihood import LikelihoodProblem


class WeightLayout(NamedTuple):
    """Which pairs of a feature and a label have a weight.

    starts : int64; the weights of feature f are starts[f] to starts[f + 1]
    labels : int32; the label of each weight
    """

    starts: np.ndarray
    labels: np.ndarray

    @classmethod
    def of_observed(cls, positions: Positions, labels: np.ndarray, n_labels: int,
                    min_freq: int = 1) -> WeightLayout:
        """Weights for the pairs that occur, at least this often."""
        most = positions.n_features * n_labels
        pairs: np.ndarray = positions.indices.astype(
            np.int32 if most < 2**31 else np.int64)
        pairs *= n_labels
        pairs += np.repeat(labels, np.diff(positions.indptr))
        pairs.sort()            # in place: `np.unique` takes five times the memory
        firsts = np.flatnonzero(np.diff(pairs, prepend=-1))
        counts = np.diff(firsts, append=pairs.size)
        pairs = pairs[firsts[counts >= min_freq]]
        starts = np.searchsorted(pairs, np.arange(positions.n_features + 1) * n_labels)
        return cls(starts, (pairs % n_labels).astype(np.int32))

    @classmethod
    def of_all(cls, n_features: int, n_labels: int) -> WeightLayout:
        return cls(np.arange(n_features + 1) * n_labels,
                   np.tile(np.arange(n_labels, dtype=np.int32), n_features))


class ChainLikelihood(LikelihoodProblem):
    """Sequences and their labels; p(y | x) ~ exp of the score of a chain.

    Parameters
    ----------
    positions : Positions
    labels : int32, the labels of all positions
    n_labels : int
    layout : WeightLayout
    """

    def __init__(self, positions: Positions, labels: np.ndarray, n_labels: int,
                 layout: WeightLayout):
        self.positions, self.labels = positions, labels
        self.n_labels, self.layout = n_labels, layout
        self.weights = np.ones(len(self))
        self.dim = len(layout.labels) + n_labels**2

    def __len__(self) -> int:
        return self.positions.n_sequences

    def add_log_loss(self, first, last, w, gradient):
        return log_loss_of_chains(
            self.positions, first, last, self.labels, self.weights, *self.layout,
            self.n_labels, w, gradient)

    def fingerprint(self) -> str:
        return (f"likelihood of {len(self)} sequences, {self.dim} weights, "
                + fingerprint(self.positions, self.labels, self.weights, self.layout))


@njit(nogil=True, cache=True)
def most_probable_labels(positions, starts, labels, n_labels, w):
    """The labels of all positions with the highest score of their sequence.

    starts, labels : of a `WeightLayout`
    """
    best = np.empty(positions.indptr.size - 1, np.int32)
    pairs = w[labels.size:].reshape(n_labels, n_labels)
    for i in range(positions.starts.size - 1):
        first, last = positions.starts[i], positions.starts[i + 1]
        local = np.empty((last - first, n_labels))
        add_scores(positions, first, last - first, starts, labels, w, local)
        copy_into(best[first:], viterbi(local, pairs))
    return best


def chain_scores(positions: Positions, i: int, layout: WeightLayout, w: np.ndarray,
                 n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of all labels at the positions of sequence i, and of pairs."""
    first, last = positions.starts[i:i + 2]
    local = np.empty((last - first, n_labels))
    add_scores(positions, first, last - first, *layout, w, local)
    return local, w[len(layout.labels):].reshape(n_labels, n_labels)
