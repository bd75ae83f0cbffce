"""Losses between classes, as users name them, made into tables."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from orange_structpred.errors import InputError


def cost_matrix(loss, classes: Sequence) -> np.ndarray:
    """L(y, y_hat) for each pair of classes; rows are true classes.

    loss : "zero-one", a table of costs with a row for each class in sorted order, or
        a function of a true and a predicted class
    """
    n = len(classes)
    if isinstance(loss, str):
        if loss != "zero-one":
            raise InputError(f"unknown loss {loss!r}; expected 'zero-one', a table of "
                             "costs or a function of two classes")
        return 1. - np.eye(n)
    if isinstance(loss, Callable):
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
    wrong = np.argwhere(cost < 0)
    if len(wrong):
        y, y_hat = wrong[0]
        raise InputError(f"the loss of {classes[y_hat]!r} for {classes[y]!r} is "
                         f"{cost[y, y_hat]}; a loss must not be negative")
    wrong = np.flatnonzero(cost.diagonal())
    if len(wrong):
        raise InputError(f"the loss of {classes[wrong[0]]!r} for itself is "
                         f"{cost[wrong[0], wrong[0]]}; it must be zero")
