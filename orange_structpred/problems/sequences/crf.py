"""Conditional random fields for sequences of labels (003, chapter 5)."""
from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kinds import Kind, Switch
from orange_structpred.problems.estimator import best_within, coerce_inputs
from orange_structpred.problems.parameters import AT_LEAST_ONE, ZERO_OR_MORE
from orange_structpred.problems.random_fields import RandomFieldEstimator
from orange_structpred.problems.sequences.forward_backward import chain_marginals
from orange_structpred.problems.sequences.k_best import FIRST_ORDER
from orange_structpred.problems.sequences.likelihood import (
    ChainLikelihood,
    WeightLayout,
    chain_scores,
    most_probable_labels,
)
from orange_structpred.problems.sequences.sequence_estimator import SequenceEstimator
from orange_structpred.problems.sequences.sequence_program import chain_program
from orange_structpred.problems.sequences.viterbi import viterbi


class SequenceCRF(RandomFieldEstimator, SequenceEstimator):
    """Conditional random field for sequences: probabilities of labels.

    It maximises the conditional likelihood of the labels with L-BFGS. The objective is
    that of `SequenceSVM` with -log p(y_i | x_i) in place of the slack of example i;
    C = n / (2 c2) gives the model of crfsuite with the parameter c2. X and y are those
    of `SequenceSVM`.

    Parameters
    ----------
    loss : "zero-one", "hamming", array or function, default="zero-one"
        Predictions minimise its expectation (minimum Bayes risk): with "zero-one" they
        are the most probable sequence, with "hamming" the most probable label of each
        position, with costs (see `SequenceSVM`) the label of lowest expected cost
    all_possible_states : bool, default=False
        Give weights to all pairs of a feature and a label, not only to those that occur
        in training
    min_freq : int, default=1
        Give weights only to pairs of a feature and a label that occur at least this often
    start_stop : bool, default=False
        Weights of labels at the start and at the end of sequences, see `SequenceSVM`
    c1 : float, default=0
        Weight of the sum of absolute weights, which makes most of them 0: the objective is
        1/2 |w|^2 + C/n * (-log-likelihood + c1 * |w|_1), as in crfsuite with the same c1
    C, tol, max_iter, n_jobs, warm_start : see `StructuredEstimator`; max_iter is the
        number of steps of L-BFGS

    Attributes
    ----------
    classes_ : array, the labels in sorted order
    encoder_ : PositionEncoder; its `feature_names_` are those of the features

    Examples
    --------
    >>> from orange_structpred.problems import SequenceCRF
    >>> X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V"]]
    >>> crf = SequenceCRF(C=10).fit(X, y)
    >>> crf.predict([["the", "cat", "barks"]])
    [array(['D', 'N', 'V'], dtype='<U1')]
    >>> crf.predict_proba([["the", "cat", "barks"]])[0].shape
    (3, 3)
    """

    _kinds: ClassVar[dict[str, Kind]] = {
        "all_possible_states": Switch(), "min_freq": AT_LEAST_ONE, "start_stop": Switch(),
        "c1": ZERO_OR_MORE}

    def __init__(self, *, loss="zero-one", all_possible_states=False, min_freq=1,
                 start_stop=False, c1=0., C=1., tol=0.01, max_iter=1000, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())

    def _problem(self, inputs, outputs):
        self._cost()                                # raises an error for a loss that is not one
        if self.all_possible_states and self.min_freq > 1:
            raise InputError(f"min_freq is {self.min_freq}, and all_possible_states=True "
                             "gives weights to pairs that never occur; choose one of them")
        labels, n_labels = np.concatenate(outputs), len(self.classes_)
        self._layout = WeightLayout.of_all(inputs.n_features, n_labels) \
            if self.all_possible_states \
            else WeightLayout.of_observed(inputs, labels, n_labels, self.min_freq)
        return ChainLikelihood(inputs, labels, n_labels, self._layout)

    def _n_expected_weights(self):
        if len(self._layout.starts) != self._checked_width() + 1:
            raise InputError("the weights do not fit the features")
        return len(self._layout.labels) + len(self.classes_)**2

    def _solver(self, **changes):
        return super()._solver(c1=self.c1, **changes)

    def _chains(self, inputs):
        for i in range(inputs.n_sequences):
            yield (*chain_scores(inputs, i, self._layout, self.coef_,
                                 len(self.classes_)), FIRST_ORDER)

    def predict(self, X, *, constraints=None):
        """The labels of lowest expected loss.

        constraints : see `StructuredEstimator.predict`; variables are named as those of
            `SequenceSVM`
        """
        check_is_fitted(self, "model_")
        X = coerce_inputs(X)
        inputs, cost = self._encode(X, fitting=False), self._cost()
        if cost is None and constraints is None:
            best = most_probable_labels(inputs, *self._layout, len(self.classes_), self.coef_)
            return self._decode(np.split(best, inputs.starts[1:-1]))
        chains = [(local, pairs) if cost is None
                  # without pairs: a label's expected cost is that of its position
                  else (-chain_marginals(local, pairs)[1] @ cost, np.zeros_like(pairs))
                  for local, pairs, _ in self._chains(inputs)]
        return self._decode(
            [viterbi(*chain) for chain in chains] if constraints is None
            else best_within(lambda i: self._named(chain_program(*chains[i])), X,
                             constraints))

    def predict_proba(self, X) -> list[np.ndarray]:
        """The probability of each label (columns, as in `classes_`) at each position
        (rows), one array per sequence."""
        check_is_fitted(self, "model_")
        return [chain_marginals(local, pairs)[1] for local, pairs, _ in self._chains(
            self._encode(X, fitting=False))]

    def _likelihood(self, inputs, outputs):
        return ChainLikelihood(inputs, np.concatenate(outputs), len(self.classes_),
                               self._layout)

    @property
    def emission_weights_(self) -> sparse.csr_array:
        """Weights of features with labels, a row for each feature."""
        starts, labels = self._layout
        return sparse.csr_array((self.coef_[:len(labels)], labels, starts),
                                shape=(self.n_features_in_, len(self.classes_)))

    @property
    def state_features_(self) -> dict[tuple[str, object], float]:
        """Weights by feature and label, those that are not 0, as in sklearn-crfsuite."""
        rows = self.emission_weights_.tocoo()
        names = [*self.encoder_.feature_names_, *("start", "stop") * self.start_stop]
        labels = self.classes_.tolist()
        return {(names[row], labels[label]): weight for row, label, weight in zip(
            rows.row.tolist(), rows.col.tolist(), rows.data.tolist()) if weight}

    @property
    def transition_features_(self) -> dict[tuple[object, object], float]:
        """Weights by the label before and the label, those that are not 0, as in
        sklearn-crfsuite."""
        labels, weights = self.classes_.tolist(), self.transition_weights_
        return {(labels[before], labels[label]): float(weights[before, label])
                for before, label in zip(*np.nonzero(weights))}

    @property
    def transition_weights_(self) -> np.ndarray:
        """Weights of pairs of labels; rows are the labels before."""
        n_labels = len(self.classes_)
        return self.coef_[len(self._layout.labels):].reshape(n_labels, n_labels)
