"""Losses between classes, as users name them, made into tables."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from orange_structpred.errors import InputError


def cost_matrix(loss, classes: Sequence, counted: Collection[str] = ("zero-one",)
                ) -> np.ndarray:
    """L(y, y_hat) for each pair of classes; rows are true classes.

    loss : a name, a table of costs with a row for each class in sorted order, or a
        function of a true and a predicted class
    counted : names of losses that count wrong classes
    """
    n = len(classes)
    if isinstance(loss, str):
        if loss not in counted:
            raise InputError(f"unknown loss {loss!r}; expected "
                             f"{', '.join(map(repr, counted))}, a table of costs or a "
                             "function of two classes")
        return 1. - np.eye(n)
    if callable(loss):
        cost = np.array([[loss(y, y_hat) for y_hat in classes] for y in classes],
                        dtype=float).reshape(n, n)
    else:
        cost = np.array(loss, dtype=float)
    if cost.shape != (n, n):
        raise InputError(f"the loss has the shape {cost.shape}; expected ({n}, {n}), a row "
                         f"and a column for each of the {n} classes")
    check_costs(cost, classes)
    return np.ascontiguousarray(cost)


def check_costs(cost: np.ndarray, classes: Sequence) -> None:
    """Raise an InputError for costs that are not a loss."""
    if not np.isfinite(cost).all():
        raise InputError("the loss has values that are not finite numbers")
    classes = np.asarray(classes).tolist()      # not 'np.int64(0)' in messages
    wrong = np.argwhere(cost < 0)
    if len(wrong):
        y, y_hat = wrong[0]
        raise InputError(f"the loss of {classes[y_hat]!r} for {classes[y]!r} is "
                         f"{cost[y, y_hat]}; a loss must not be negative")
    wrong = np.flatnonzero(cost.diagonal())
    if len(wrong):
        raise InputError(f"the loss of {classes[wrong[0]]!r} for itself is "
                         f"{cost[wrong[0], wrong[0]]}; it must be zero")


def class_weights(class_weight, classes: np.ndarray, labels: np.ndarray,
                  sample_weight: np.ndarray | None = None) -> np.ndarray:
    """The weight of each class.

    class_weight : None, "balanced" or a dict of classes, which may leave some out
    labels : numbers of the classes of all examples
    sample_weight : how much each of them counts, in "balanced"
    """
    if class_weight is None:
        return np.ones(len(classes))
    if isinstance(class_weight, str) and class_weight == "balanced":
        amounts = np.bincount(labels, sample_weight, len(classes))
        present = amounts > 0
        return np.divide(amounts.sum() / present.sum(), amounts, where=present,
                         out=np.ones(len(classes)))
    if not isinstance(class_weight, Mapping):
        raise InputError(f"class_weight is {class_weight!r}; expected a dict, 'balanced' or "
                         "None")
    unknown = [name for name in class_weight if name not in classes.tolist()]
    if unknown:
        raise InputError(f"class_weight has the unknown class {unknown[0]!r}; the classes "
                         f"are {', '.join(map(repr, classes[:10].tolist()))}")
    weights = np.array([float(class_weight.get(name, 1.)) for name in classes.tolist()])
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise InputError("class_weight must have finite numbers, none of them negative")
    return weights


def weigh_classes(cost: np.ndarray, class_weight, classes: np.ndarray, labels: np.ndarray,
                  sample_weight: np.ndarray | None = None) -> np.ndarray:
    """Costs times the weights of the true classes."""
    return cost * class_weights(class_weight, classes, labels, sample_weight)[:, None]
