"""Hidden Markov models, by counting: what discriminative chains are compared with."""
from __future__ import annotations

from typing import ClassVar

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, RealNumber, Switch
from orange_structpred.problems.sequences.sequence_estimator import LinearChains
from orange_structpred.svm.linear import LinearModel


class HMM(LinearChains):
    """Hidden Markov model of labelled sequences: the maximum-likelihood estimate.

    A label follows the one before it, and emits what is seen at its position. X and y are
    those of `SequenceSVM`, tokens as a rule; what a position has is a sum of emissions, so
    that several features at a position count as independent (naive Bayes). Features that
    were not seen in training are ignored. Predictions are the most probable sequences.

    Parameters
    ----------
    smoothing : float, default=0.1
        Added to all counts; above 0
    start_stop : bool, default=True
        Whether labels at the start and at the end of sequences have probabilities
    n_jobs : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the labels in sorted order
    emission_weights_, transition_weights_, start_weights_, stop_weights_ : logarithms of
        the probabilities
    encoder_ : PositionEncoder; its `feature_names_` are in the order of the weights

    Examples
    --------
    >>> from orange_structpred.problems import HMM
    >>> X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V"]]
    >>> HMM().fit(X, y).predict([["the", "cat", "barks"]])
    [array(['D', 'N', 'V'], dtype='<U1')]
    """

    solver, loss = None, "hamming"

    _kinds: ClassVar[dict[str, Kind]] = {"smoothing": RealNumber(), "start_stop": Switch()}

    def __init__(self, *, smoothing=0.1, start_stop=True, n_jobs=None):
        self._store_parameters(locals())

    def fit(self, X, y):
        """Count features, labels and pairs of labels."""
        inputs, outputs = self._examples(X, y)
        if (inputs.values < 0).any():
            raise InputError("a feature has a negative value; an HMM counts features")
        labels, n_labels = np.concatenate(outputs), len(self.classes_)
        inside = np.ones(len(labels) - 1, bool)
        inside[inputs.starts[1:-1] - 1] = False         # no pair across sequences
        pairs = np.zeros((n_labels, n_labels))
        np.add.at(pairs, (labels[:-1][inside], labels[1:][inside]), 1)
        emissions = inputs.matrix.T @ np.eye(n_labels)[labels]
        ends = [emissions[-2], emissions[-1]] if self.start_stop else []
        if self.start_stop:
            emissions = emissions[:-2]
        # a label is followed by another one or by the end
        following = pairs + self.smoothing
        last = ends[1] + self.smoothing if self.start_stop else np.zeros(n_labels)
        total = following.sum(axis=1) + last
        emissions = emissions + self.smoothing
        blocks = [np.log(emissions / emissions.sum(axis=0))]
        if self.start_stop:
            first = ends[0] + self.smoothing
            blocks += [np.log(first / first.sum()), np.log(last / total)]
        blocks.append(np.log(following / total[:, None]))
        self.model_ = LinearModel.of(np.concatenate([block.ravel() for block in blocks]))
        return self
