"""Label sequences as the solutions of an integer program."""
from __future__ import annotations

from itertools import product

import numpy as np

from orange_structpred.svm.programs import IntegerProgram, one_of, sums_of


def chain_program(local: np.ndarray, pairs: np.ndarray, triples: np.ndarray | None = None
                  ) -> IntegerProgram:
    """A variable for each label of each position, named (position, label number), and one
    for each pair (and three) of labels in a row: (position of the last, label, label, ...).

    local : (positions, labels); pairs, triples : scores of labels in a row
    """
    length, k = local.shape
    runs = [pairs] if triples is None else [pairs, triples]
    weights = np.concatenate([local.ravel(), *(
        np.tile(run.ravel(), max(0, length - order)) for order, run in enumerate(runs, 1))])
    names = [(t, *labels) for order in range(len(runs) + 1) for t in range(order, length)
             for labels in product(range(k), repeat=order + 1)]
    n, first = len(names), length * k
    parts = np.arange(first).reshape(length, k)     # runs that are shorter by one label
    constraints = [one_of(parts, n)]
    for order in range(1, min(len(runs), length - 1) + 1):
        size = (length - order) * k**(order + 1)
        whole = np.arange(first, first + size)
        # a run of labels has a first and a last part
        constraints += [
            sums_of(whole.reshape(-1, k), parts[:-1].ravel(), n),
            sums_of(whole.reshape(-1, k, k**order).swapaxes(1, 2).reshape(-1, k),
                    parts[1:].ravel(), n)]
        first, parts = first + size, whole.reshape(length - order, -1)
    return IntegerProgram(weights, constraints, names,
                          lambda z: z[:length * k].reshape(length, k).argmax(axis=1))
