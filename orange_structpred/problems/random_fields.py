"""What conditional random fields have in common, whatever their outputs are made of."""
from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from orange_structpred.problems.estimator import StructuredEstimator, coerce_inputs
from orange_structpred.problems.inputs import example_weights
from orange_structpred.problems.losses import cost_matrix
from orange_structpred.running.threads import n_threads
from orange_structpred.svm.likelihood import Likelihood


class RandomFieldEstimator(StructuredEstimator):
    """An estimator of probabilities: its problem is a `LikelihoodProblem` whose examples
    have `weights`, all 1 at first.

    Predictions minimise the expectation of the parameter `loss`: of whole outputs with
    "zero-one", else of the labels that they consist of.
    """

    solver = "likelihood"       # the only one
    loss: Any

    def _solver(self, **changes):
        return Likelihood(C=self.C, epsilon=self.tol, passes=self.max_iter,
                          n_jobs=n_threads(self.n_jobs), **changes)

    def _weigh(self, problem, sample_weight):
        weights = example_weights(sample_weight, len(problem))
        if weights is None:
            return problem
        weighted = copy(problem)
        weighted.weights = weights / weights.mean()
        return weighted

    def _likelihood(self, inputs, outputs):
        """The problem of some more examples, with the weights that were learned."""
        return self._problem(inputs, outputs)

    def _cost(self) -> np.ndarray | None:
        """Costs of labels for labels; None for whole outputs."""
        if isinstance(self.loss, str) and self.loss == "zero-one":
            return None
        return cost_matrix(self.loss, self.classes_, ("zero-one", "hamming"))

    def mean_log_likelihood(self, X, y) -> float:
        """Mean of log p(y | x) over examples."""
        check_is_fitted(self, "model_")
        inputs = self._encode(X, fitting=False)
        problem = self._likelihood(inputs, self._encode_outputs(inputs, y, fitting=False))
        return -problem.add_log_loss(
            0, len(problem), self.coef_, np.zeros(problem.dim)) / len(problem)

    def mean_loss(self, X, y) -> float:
        """Mean loss of the predictions for X: the loss that they are made for."""
        check_is_fitted(self, "model_")
        X, cost = coerce_inputs(X), self._cost()
        true = self._encode_outputs(self._encode(X, fitting=False), y, fitting=False)
        pairs = [(labels, self.classes_.searchsorted(predicted))
                 for labels, predicted in zip(true, self.predict(X))]
        if cost is None:
            return float(np.mean([(one != two).any() for one, two in pairs]))
        return float(np.mean([cost[one, two].mean() for one, two in pairs]))
