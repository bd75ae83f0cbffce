"""Unlabelled inputs: kernels that know how inputs lie together (003, chapter 9).

Inputs, with or without outputs, are the nodes of a graph whose edges join neighbours in the
feature space of the kernel. A function that changes little along its edges is preferred:

    1/2 |f|^2 + smoothness/2 * sum over edges of W_ij |f(x_i) - f(x_j)|^2 + losses

Its minimizer over f is that of the same problem without the sum and with another
kernel, k~(x, z) = k(x, z) - k_x (I + smoothness * L K)^-1 smoothness * L k_z, where L is
the Laplacian of the graph and k_x has the kernel values of x with all of its nodes
(Sindhwani, Niyogi and Belkin). So all solvers learn from unlabelled inputs: they get
the values of k~ between examples. For those between any x and these, a row of k
with all nodes is multiplied by a matrix.
"""
from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, LinAlgWarning, lu_factor, lu_solve

from orange_structpred.errors import InputError
from orange_structpred.kinds import NEIGHBOURS_KIND, SMOOTHNESS_KIND
from orange_structpred.running.memory import check_fits

#: Rows of the Gram matrix that are gone through at once
ROWS = 256


class Smoothness(NamedTuple):
    """How much a function may change between neighbours.

    weight : of the sum over edges against |f|^2
    neighbours : each input is joined with so many others
    """

    weight: float = 1.
    neighbours: int = 10

    def check(self) -> None:
        SMOOTHNESS_KIND.check("smoothness", self.weight)
        NEIGHBOURS_KIND.check("neighbours", self.neighbours)


def neighbour_graph(gram: np.ndarray, neighbours: int) -> sparse.csr_array:
    """Weights W_ij = exp(-|phi(x_i) - phi(x_j)|^2 / 4t) of edges between neighbours.

    4t is the mean of the squared distances of neighbours. Inputs without anything in
    common, k(x, x') <= 0, are never neighbours.
    """
    n = len(gram)
    count = min(neighbours, n - 1)
    diagonal = np.diagonal(gram).astype(np.float64)
    rows, columns, distances = [], [], []
    for first in range(0, n, ROWS):
        block = gram[first:first + ROWS].astype(np.float64)
        squared = diagonal[first:first + ROWS, None] + diagonal - 2 * block
        squared[block <= 0] = np.inf
        squared[np.arange(len(block)), first + np.arange(len(block))] = np.inf
        nearest = np.argpartition(squared, max(count - 1, 0), axis=1)[:, :count]
        near = np.take_along_axis(squared, nearest, axis=1)
        kept = np.isfinite(near)
        rows.append(first + np.nonzero(kept)[0])
        columns.append(nearest[kept])
        distances.append(np.maximum(near[kept], 0))
    squared = np.concatenate(distances)
    bandwidth = squared.mean() if len(squared) and squared.mean() > 0 else 1.
    graph = sparse.csr_array(
        (np.exp(-squared / bandwidth), (np.concatenate(rows), np.concatenate(columns))),
        shape=(n, n))
    return sparse.csr_array(graph.maximum(graph.T))


def graph_laplacian(graph: sparse.csr_array) -> sparse.csr_array:
    """(D - W) over the mean degree: functions that are constant are not penalized.

    Nodes without edges have rows of zeros, which ask nothing of a function there.
    """
    degrees = graph.sum(axis=1)
    alone = np.count_nonzero(degrees <= 0)
    if alone:
        warnings.warn(
            f"{alone:,} of {len(degrees):,} inputs have nothing in common with any other "
            "by this kernel; unlabelled ones among them are ignored",
            stacklevel=2)
    mean = degrees.sum() / max(1, len(degrees) - alone)
    return sparse.csr_array(
        (sparse.dia_array((degrees, 0), shape=graph.shape) - graph) / (mean if mean > 0 else 1.))


def smoothing_transform(gram: np.ndarray, n_examples: int, smoothness: Smoothness
                        ) -> np.ndarray:
    """The matrix T with k~(x, x_j) = (k_x T)_j for each example x_j.

    gram : kernel values of all nodes, the examples first
    """
    smoothness.check()
    n = len(gram)
    check_fits(24. * n * n, f"the graph of {n:,} inputs",
               "use fewer unlabelled inputs")
    if gram.max() == gram.min():
        raise InputError("all inputs are alike by this kernel, so nothing can be "
                         "learned from unlabelled ones; choose a kernel that compares "
                         "inputs")
    laplacian = graph_laplacian(neighbour_graph(gram, smoothness.neighbours))
    system = laplacian @ gram.astype(np.float64)
    system *= smoothness.weight
    system[np.diag_indices(n)] += 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", LinAlgWarning)
            factor = lu_factor(system, overwrite_a=True)
            return lu_solve(factor, np.eye(n, n_examples)).astype(np.float32)
    except (LinAlgError, LinAlgWarning):
        raise InputError("the kernel is not positive semi-definite on these inputs; "
                         "decrease smoothness or choose another kernel") from None


def smoothed_gram(gram: np.ndarray, transform: np.ndarray) -> np.ndarray:
    """k~ of all pairs of examples: the first rows of the Gram matrix times T."""
    n_examples = transform.shape[1]
    smoothed = gram[:n_examples] @ transform
    return (smoothed + smoothed.T) / 2
