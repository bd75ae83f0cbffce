"""Random parts of a table, the same that Orange's Data Sampler takes."""
from __future__ import annotations

import math

import numpy as np
from Orange.data import Table
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from orange_structpred.errors import InputError

SEED = 42       # of a Data Sampler whose sampling is replicable


def sample(data: Table, share: float | None = None, *, size: int | None = None,
           replace: bool = False, stratify: bool = False,
           random_state: int | None = None) -> tuple[Table, Table]:
    """A random sample, and the rest.

    Parameters
    ----------
    share : of the rows; or
    size : how many rows
    replace : a row may be drawn several times
    stratify : take as large a part of each class, if there are classes

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> training, test = sample(load_bundled("en"), 0.8, random_state=42)
    >>> len(training), len(test)
    (320, 80)
    """
    n = len(data)
    if share is not None and size is None:
        size = math.ceil(n * share)
    elif size is None or share is not None:
        raise InputError("give either the share of the rows or their number")
    if not 0 <= size <= n and not replace:
        raise InputError(f"cannot sample {size} of {n} rows")
    random = np.random.RandomState(random_state)
    if replace:
        chosen = random.randint(0, n, size)
        rest = np.setdiff1d(np.arange(n), chosen)
    elif size in (0, n):
        shuffled = np.arange(n)
        random.shuffle(shuffled)
        chosen, rest = (shuffled, shuffled[:0]) if size else (shuffled[:0], shuffled)
    elif stratify and data.domain.has_discrete_class:
        size = max(size, len(data.domain.class_var.values))
        rest, chosen = next(StratifiedShuffleSplit(
            1, test_size=size, train_size=n - size, random_state=random_state
            ).split(data.X, data.Y))
    else:
        rest, chosen = next(ShuffleSplit(
            1, test_size=size, random_state=random_state).split(np.zeros(n)))
    return data[chosen], data[rest]


def fold(data: Table, number: int, folds: int = 10, *, stratify: bool = False,
         random_state: int | None = None) -> tuple[Table, Table]:
    """All rows but one of `folds` parts, and that part; numbers start at 1."""
    kind = (StratifiedKFold if stratify and data.domain.has_discrete_class else KFold)
    parts = list(kind(folds, shuffle=True, random_state=random_state).split(
        np.zeros(len(data)), data.Y))
    rest, part = parts[number - 1]
    return data[rest], data[part]


def bootstrap(data: Table, *, random_state: int | None = None) -> tuple[Table, Table]:
    """As many rows as there are, drawn with replacement, and those not drawn."""
    n = len(data)
    chosen = np.sort(np.random.RandomState(random_state).randint(0, n, n))
    return data[chosen], data[np.setdiff1d(np.arange(n), chosen)]
