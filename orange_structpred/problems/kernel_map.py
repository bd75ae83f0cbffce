"""Kernels in place of features (001: k(x, x') times features of labels).

With a kernel, the weights are a sum over training inputs, w = sum beta_i phi(x_i). The
Gram matrix K = L L' (Cholesky) gives each training input its row of L as features, with
the same inner products, so that all problems and all solvers work unchanged; any other
input x has the features L^-1 k(x), and beta = L'^-1 w are the dual coefficients.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels
from sklearn.utils.validation import _num_samples

from orange_structpred.errors import InputError
from orange_structpred.kernels import FunctionKernel, InputKernel, Nystroem
from orange_structpred.kernels.errors import check_inputs
from orange_structpred.svm.linear import LinearModel

#: Rows whose Gram matrix is kept
MOST_GRAM_ROWS = 10_000
#: Share of the mean of k(x, x) that is added to it, so that L has an inverse
RIDGE = 1e-9
#: The same for kernels whose values have 32 bits
INPUT_KERNEL_RIDGE = 1e-5
PRECOMPUTED = "precomputed"
#: Of inputs that are more than rows of a matrix
NO_MATRIX = ("with kernel='precomputed', X is a matrix of kernel values, but here inputs are "
             "needed for more than these; pass kernel=Precomputed(matrix, inputs) from "
             "orange_structpred.kernels, and X as it is without a kernel")
#: Share of the largest coefficient below which there is none
NO_SUPPORT = 1e-7


def check_symmetric(gram: np.ndarray, kernel) -> None:
    """Raise an InputError for a matrix of which the Cholesky factor would see one half."""
    tolerance = 1e-5 * abs(gram.diagonal()).max()         # for matrices of 32 bits
    for first in range(0, len(gram), 256):          # without another matrix of its size
        rows, columns = gram[first:first + 256], gram[:, first:first + 256].T
        if (abs(rows - columns) > tolerance).any():
            i, j = np.argwhere(abs(rows - columns) > tolerance)[0]
            raise InputError(
                f"the kernel {kernel!r} is not symmetric: {rows[i, j]:g} for the inputs "
                f"{first + i} and {j}, but {columns[i, j]:g} the other way round")


class KernelMap:
    """Features of inputs whose inner products are values of a kernel.

    Parameters
    ----------
    kernel : name of a kernel in scikit-learn's `pairwise_kernels`, such as "rbf" or
        "poly", "precomputed" for rows of a Gram matrix, a function of two inputs, or an
        `InputKernel`. With `Nystroem`, its landmarks alone are kept as training inputs
    parameters : dict of the kernel's parameters, for example ``{"gamma": 0.1}``
    """

    def __init__(self, kernel: str | Callable, parameters: Mapping | None = None):
        if isinstance(kernel, str) and kernel not in (*PAIRWISE_KERNEL_FUNCTIONS,
                                                      PRECOMPUTED):
            raise InputError(f"unknown kernel {kernel!r}; valid kernels are "
                             f"{', '.join(sorted([*PAIRWISE_KERNEL_FUNCTIONS, PRECOMPUTED]))}"
                             ", and the kernels of orange_structpred.kernels")
        if not isinstance(kernel, str) and not callable(kernel):
            raise InputError(f"kernel is {kernel!r}; expected the name of a kernel, a "
                             "function of two inputs or an InputKernel")
        if isinstance(kernel, InputKernel) and parameters:
            raise InputError(f"kernel_params is {parameters!r}, but {kernel!r} has its "
                             "parameters already")
        if not (parameters is None or isinstance(parameters, Mapping)):
            raise InputError(f"kernel_params is {parameters!r}; expected a dict")
        self.kernel: Any = kernel
        self.nystroem: Nystroem | None = None
        if isinstance(kernel, Nystroem):
            self.nystroem, self.kernel = kernel, kernel.kernel
        self.parameters = dict(parameters or {})

    @classmethod
    def named(cls, kernel: str | Callable, parameters: Mapping | None, *,
              objects: bool = False) -> KernelMap:
        """Of a parameter; functions of `objects` that are no rows of numbers are kernels
        of their own."""
        if objects and callable(kernel) and not isinstance(kernel, InputKernel):
            kernel = FunctionKernel(kernel)
        return cls(kernel, parameters)

    def fit_transform(self, rows) -> np.ndarray:
        if self.nystroem is None:
            return self.fit(rows).factor
        return self.fit(self.nystroem.draw(rows)).transform(rows)

    def fit(self, rows) -> KernelMap:
        n = _num_samples(rows)
        if n > MOST_GRAM_ROWS:
            raise InputError(
                f"a kernel of {n:,} rows needs a matrix of {n:,} times {n:,} values; "
                f"expected at most {MOST_GRAM_ROWS:,} rows. For more, approximate the kernel: "
                "with orange_structpred.kernels.Nystroem, or for rows of numbers with "
                "sklearn.kernel_approximation")
        if self.kernel == PRECOMPUTED and not hasattr(rows, "shape"):
            raise InputError(NO_MATRIX)
        if self.kernel == PRECOMPUTED and rows.shape != (n, n):
            raise InputError(f"X has the shape {rows.shape}; with kernel='precomputed', "
                             "expected the Gram matrix of the training inputs, which is "
                             "square")
        self.rows: Any = np.empty((0, n)) if self.kernel == PRECOMPUTED else rows
        gram = self._values(rows, training=True)
        if not isinstance(self.kernel, InputKernel):        # these are known to be
            check_symmetric(gram, self.kernel)
        ridge = INPUT_KERNEL_RIDGE if isinstance(self.kernel, InputKernel) else RIDGE
        gram[np.diag_indices(n)] += ridge * max(np.mean(np.diag(gram)), 1e-300)
        try:
            self.factor = cholesky(gram, lower=True, overwrite_a=True)
        except LinAlgError:
            raise InputError(f"the kernel {self.kernel!r} is not positive definite on "
                             "these inputs; expected one that is, such as 'rbf' with a "
                             "gamma above 0") from None
        return self

    def transform(self, rows) -> np.ndarray:
        return solve_triangular(self.factor, self._values(rows).T, lower=True).T

    def dual_coefficients(self, weights: np.ndarray) -> np.ndarray:
        """beta of each training row (rows) for each feature of a label (columns)."""
        return solve_triangular(self.factor, weights, lower=True, trans=1)

    def _values(self, rows, *, training: bool = False) -> np.ndarray:
        """Kernel values of rows and the training rows."""
        if isinstance(self.kernel, InputKernel):
            return self.kernel.gram(rows, None if training else self.rows).astype(float)
        if self.kernel == PRECOMPUTED:
            return np.array(rows.toarray() if sparse.issparse(rows) else rows, float)
        if callable(self.kernel) and sparse.issparse(rows):
            rows = rows.toarray()
        known = self.rows.toarray() if callable(self.kernel) and sparse.issparse(self.rows) \
            else self.rows
        try:
            values = pairwise_kernels(rows, known, metric=self.kernel, **self.parameters)
        except (TypeError, ValueError) as error:
            raise InputError(f"kernel {self.kernel!r}: {error}") from error
        if not np.isfinite(values).all():
            raise InputError(f"the kernel {self.kernel!r} has values that are not finite "
                             "on these inputs")
        return values


def as_objects(kernel, X) -> list | None:
    """Inputs that a kernel compares as they are: strings, lists, trees, sentences or
    rows; None if they are a matrix that scikit-learn's kernels take."""
    is_table = sparse.issparse(X) or hasattr(X, "iloc")
    is_own = isinstance(kernel, InputKernel)
    if not is_own and (isinstance(kernel, str) or not callable(kernel) or is_table):
        return None
    if is_table:
        X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    elif isinstance(X, str) or not isinstance(X, Iterable):
        check_inputs(X)
    X = list(X)
    if is_own:
        return X
    return None if not X or is_row(X[0]) else X


def is_row(x) -> bool:
    """Whether an input is a row of numbers (or, by mistake, a single one)."""
    return isinstance(x, Real) or isinstance(x, (np.ndarray, list, tuple)) and all(
        isinstance(value, Real) for value in x)


class KernelParameters:
    """Parameters `kernel` and `kernel_params` of an estimator."""

    kernel: str | InputKernel | Callable | None = None
    kernel_params: Mapping[str, Any] | None = None

    def _map_rows(self, rows, *, fitting: bool, objects: bool = False):
        """Rows of features, or what a kernel makes of them.

        objects : whether they are anything that a kernel compares, not rows of numbers
        """
        if self.kernel is None:
            return rows
        if fitting:
            self.kernel_map_ = KernelMap.named(self.kernel, self.kernel_params,
                                               objects=objects)
            return self.kernel_map_.fit_transform(rows)
        return self.kernel_map_.transform(rows)

    def _n_mapped_features(self, n_features: int) -> int:
        """How many features there are in the place of so many: with a kernel, one for each
        input that it compares others with."""
        if self.kernel is None:
            return n_features
        if not hasattr(self, "kernel_map_"):
            raise InputError("the inputs that the kernel compares others with are missing")
        return len(self.kernel_map_.factor)


class KernelMixin(KernelParameters):
    """Kernels in place of the features of rows, and the support vectors of an estimator.

    Attributes
    ----------
    dual_coef_ : array of shape (training rows, features of labels)
        How much each training row (of a table, or position of all sequences) counts for
        the score of each class, node or label
    support_ : int array
        The rows that count at all: the support vectors
    """

    model_: LinearModel

    def _n_label_features(self) -> int:
        """How many weights each feature of a row has."""
        raise NotImplementedError

    @property
    def dual_coef_(self) -> np.ndarray:
        if self.kernel is None:
            raise AttributeError("only estimators with a kernel have dual coefficients")
        n = len(self.kernel_map_.factor)
        # the weights of a row's own features come first, intercept and transitions after
        width = self._n_label_features()
        return self.kernel_map_.dual_coefficients(
            self.model_.weights()[:n * width].reshape(n, width))

    @property
    def support_(self) -> np.ndarray:
        size = np.abs(self.dual_coef_).max(axis=1)
        return np.flatnonzero(size > NO_SUPPORT * size.max())
