"""Probabilities of classes, by a temperature that is fitted to held-out scores."""
from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import _safe_indexing

#: Parts of the examples that are held out in turn
CALIBRATION_FOLDS = 3
#: Temperatures that are considered, as logarithms
LOWEST_LOG, HIGHEST_LOG = np.log(1e-4), np.log(1e4)


def class_scores(estimator, X) -> np.ndarray:
    """A column of scores for each class, two of them as well as more."""
    scores = estimator.decision_function(X)
    return np.column_stack([np.zeros(len(scores)), scores]) if scores.ndim == 1 \
        else scores


def cross_validated_class_temperature(estimator, X, y, random_state: int = 0) -> float | None:
    """What scores of new examples are divided by to give logarithms of probabilities.

    Estimators are trained on all but a part of the examples in turn, and the temperature
    makes the classes of the held-out examples most probable. None if a class has too few
    examples for each part to have one.
    """
    y = np.asarray(y)
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(classes) < 2 or counts.min() < CALIBRATION_FOLDS:
        return None
    scores = np.empty((len(y), len(classes)))
    folds = StratifiedKFold(CALIBRATION_FOLDS, shuffle=True, random_state=random_state)
    for learned, held_out in folds.split(np.zeros(len(y)), codes):
        scores[held_out] = class_scores(
            clone(estimator).fit(_safe_indexing(X, learned), y[learned]),
            _safe_indexing(X, held_out))
    return fit_class_temperature(scores, codes)


def fit_class_temperature(scores: np.ndarray, codes: np.ndarray) -> float:
    """The temperature under which these classes are most probable.

    Examples
    --------
    Scores of 1 that are right three times in four: log(3) is the difference of their
    logarithms.

    >>> scores = np.array([[0., 1.], [0., 1.], [0., 1.], [0., 1.]])
    >>> round(1 / fit_class_temperature(scores, np.array([1, 1, 1, 0])), 3)
    1.099
    """
    rows = np.arange(len(codes))

    def loss(log_temperature: float) -> float:
        return -log_softmax(scores / np.exp(log_temperature), axis=1)[rows, codes].mean()

    minimum = minimize_scalar(loss, bounds=(LOWEST_LOG, HIGHEST_LOG), method="bounded",
                              options={"xatol": 1e-6})
    return float(np.exp(minimum.x))


def class_probabilities(estimator, X, temperature: float) -> np.ndarray:
    """A column for each class of the estimator; rows sum to 1."""
    return softmax(class_scores(estimator, X) / temperature, axis=1)
