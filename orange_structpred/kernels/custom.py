"""The user's own kernels: a Python function, or a matrix of values.

They may not be kernels at all, which is checked here as far as possible.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.linalg import LinAlgError, cholesky

from orange_structpred.kernels.base import InputKernel, Values
from orange_structpred.kernels.errors import KernelError, describe_input, describe_pair
from orange_structpred.treebank.sentence import Sentence

# How far k(x, x') and k(x', x) may be apart, and an eigenvalue below 0, before it is a
# fault: rounding to 32 bits leaves about 1e-7 a value.
_TOLERANCE = 1e-5
# Inputs among which a function is tried out before the work starts, those with which
# each row is tried in reverse during it, and those of which a matrix is examined.
_TRIED = 40
_REVERSED = 4
_EXAMINED = 300
# Inputs among which the values of a function are examined when all of them are known: it
# takes less time than their computation.
_DECOMPOSED = 2000


class FunctionKernel(InputKernel):
    """Any Python function k(x, x') of two inputs that returns a number.

    It must be symmetric and positive semi-definite. Both are checked on a sample of the
    inputs before the work starts; then symmetry on a few pairs in each row, and the rest on
    all values of up to 2,000 inputs.

    Parameters
    ----------
    function : callable

    Examples
    --------
    >>> FunctionKernel(lambda a, b: len(a) * len(b)).gram(["to", "be or"])
    array([[ 4., 10.],
           [10., 25.]], dtype=float32)
    """

    threaded = False
    pairs_in_block = 1 << 12

    def __init__(self, function: Callable[[object, object], float]):
        if not callable(function):
            raise KernelError(f"found {function!r}, expected a function k(x, x')")
        self.function = function
        self.name = getattr(function, "__qualname__", type(function).__name__)

    def params(self) -> dict:
        """The name of the function; the function itself is never saved or loaded."""
        return {"kernel": "function", "function": self.name,
                "module": getattr(self.function, "__module__", None)}

    def __repr__(self) -> str:
        return f"FunctionKernel({self.name})"

    def reference(self, columns: Sequence) -> None:
        sample = _spread(len(columns), _TRIED)
        matrix = np.array([[self._value(columns, columns, i, j) for j in sample]
                           for i in sample]).reshape(len(sample), len(sample))
        check_matrix(matrix, self.name,
                     lambda i: describe_input(columns[sample[i]], sample[i]))

    def values(self, reference: None, columns: Sequence,
               rows: Sequence | None) -> Values:
        symmetric, rows = rows is None, columns if rows is None else rows
        partners = _spread(len(columns), _REVERSED)

        def values(start: int, stop: int, first: int) -> np.ndarray:
            out = np.zeros((stop - start, len(columns) - first))
            for i in range(start, stop):
                # What stands below the diagonal is mirrored from above.
                for j in range(i if symmetric else first, len(columns)):
                    out[i - start, j - first] = self._value(rows, columns, i, j)
                for j in partners:
                    self._check_symmetry(rows, columns, i, j)
            return out

        return values

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        return np.array([self._value(inputs, inputs, i, i) for i in range(len(inputs))],
                        dtype=np.float64)

    def check_training_values(self, matrix: np.ndarray, inputs: Sequence) -> None:
        check_definite(matrix, self.name, lambda i: describe_input(inputs[i], i))

    def _value(self, rows: Sequence, columns: Sequence, i: int, j: int) -> float:
        try:
            value = float(self.function(rows[i], columns[j]))
        except Exception as error:
            raise KernelError(
                f"kernel {self.name!r} failed on {describe_pair(rows, columns, i, j)}: "
                f"{type(error).__name__}: {error}") from error
        if not np.isfinite(value):
            raise KernelError(f"kernel {self.name!r} is {value} for "
                              f"{describe_pair(rows, columns, i, j)}, expected a number")
        return value

    def _check_symmetry(self, rows: Sequence, columns: Sequence, i: int, j: int) -> None:
        here, there = (self._value(rows, columns, i, j),
                       self._value(columns, rows, j, i))
        if _apart(here, there):
            raise _asymmetric(self.name, here, there, describe_pair(rows, columns, i, j))


class Precomputed(InputKernel):
    """A matrix of kernel values, computed elsewhere.

    Parameters
    ----------
    matrix : array of shape (n, n)
        Symmetric and positive semi-definite; the latter is checked on a sample.
    inputs : sequence of n inputs
        What rows and columns stand for. Sentences are recognized by their ids and
        forms, other inputs by equality.
    """

    name = "precomputed"

    def __init__(self, matrix: np.ndarray, inputs: Sequence):
        matrix = np.asarray(matrix)
        if matrix.shape != (len(inputs), len(inputs)):
            raise KernelError(f"kernel 'precomputed': found a matrix of shape "
                              f"{matrix.shape}, expected {len(inputs)} rows and columns, "
                              "one for each input")
        check_matrix(matrix, self.name, lambda i: describe_input(inputs[i], i))
        self.matrix = matrix
        self._places: dict = {}
        for number, x in enumerate(inputs):
            other = self._places.setdefault(_key(x), number)
            if not np.array_equal(matrix[other], matrix[number]):
                raise KernelError(
                    f"kernel 'precomputed': {describe_pair(inputs, inputs, other, number)}"
                    " cannot be told apart, but their rows differ")

    def params(self) -> dict:
        """The size of the matrix; the matrix itself is not a parameter."""
        return {"kernel": self.name, "size": len(self.matrix)}

    def __repr__(self) -> str:
        return f"<Precomputed kernel of {len(self.matrix)} inputs>"

    def reference(self, columns: Sequence) -> np.ndarray:
        return self._found(columns)

    def values(self, reference: np.ndarray, columns: Sequence,
               rows: Sequence | None) -> Values:
        places = reference if rows is None else self._found(rows)
        return lambda start, stop, first: self.matrix[
            np.ix_(places[start:stop], reference[first:])].astype(np.float64)

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        places = self._found(inputs)
        return self.matrix[places, places].astype(np.float64)

    def _found(self, inputs: Sequence) -> np.ndarray:
        places = [self._places.get(_key(x), -1) for x in inputs]
        if -1 in places:
            i = places.index(-1)
            raise KernelError(f"kernel 'precomputed': {describe_input(inputs[i], i)} is not "
                              f"among the {len(self.matrix)} inputs of the matrix")
        return np.array(places, dtype=np.intp)


def _key(x: object) -> object:
    """By what an input of a precomputed kernel is found: not by its heads."""
    if isinstance(x, Sentence):
        return (x.sent_id, *x.forms)
    if isinstance(x, np.ndarray):
        return ("array", x.shape, x.dtype.str, x.tobytes())
    return ("list", *map(_key, x)) if isinstance(x, list) else x


def _spread(n: int, k: int) -> list[int]:
    """k out of n indices, or all, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, k)).astype(int)).tolist()


def check_matrix(matrix: np.ndarray, name: str, naming: Callable[[int], str]) -> None:
    """Raise KernelError if a square matrix is not the Gram matrix of a kernel.

    `naming` says, for the message, what a row or column stands for.
    """
    for start in range(0, len(matrix), 256):
        rows = np.asarray(matrix[start:start + 256], dtype=np.float64)
        if not np.isfinite(rows).all():
            i, j = np.argwhere(~np.isfinite(rows))[0]
            raise KernelError(
                f"kernel {name!r} is {rows[i, j]} for "
                f"{naming(start + i)} and {naming(j)}, expected a number")
        columns = np.asarray(matrix[:, start:start + 256], dtype=np.float64).T
        apart = _apart(rows, columns)
        if apart.any():
            i, j = np.argwhere(apart)[0]
            raise _asymmetric(name, rows[i, j], columns[i, j],
                              f"{naming(start + i)} and {naming(j)}")
    sample = _spread(len(matrix), _EXAMINED)
    _check_positive(np.asarray(matrix[np.ix_(sample, sample)], dtype=np.float64),
                    [naming(i) for i in sample], name)


def check_definite(matrix: np.ndarray, name: str, naming: Callable[[int], str]) -> None:
    """Raise KernelError if a symmetric matrix has an eigenvalue below 0, as far as a
    Cholesky decomposition shows it, which takes less time than eigenvalues.

    `naming` as in `check_matrix`.
    """
    sample = _spread(len(matrix), _DECOMPOSED)
    values = np.asarray(matrix[np.ix_(sample, sample)], dtype=np.float64)
    try:
        # no eigenvalue is larger than the largest sum of a row
        cholesky(values + _TOLERANCE * np.abs(values).sum(axis=1).max(initial=0.)
                 * np.eye(len(values)), overwrite_a=True, check_finite=False)
    except LinAlgError:
        _check_positive(values, [naming(i) for i in sample], name)


def _check_positive(matrix: np.ndarray, named: list[str], name: str) -> None:
    if not len(matrix):
        return
    values = np.linalg.eigvalsh(matrix)
    if values[0] >= -_TOLERANCE * np.abs(values).max():
        return
    # A pair is a better explanation than an eigenvalue, if there is one.
    diagonal = np.diag(matrix)
    if diagonal.min() < 0:
        i = int(diagonal.argmin())
        why = f"{named[i]} has {diagonal[i]:.6g} with itself"
    else:
        excess = np.abs(matrix) - np.sqrt(np.outer(diagonal, diagonal))
        i, j = np.unravel_index(excess.argmax(), excess.shape)
        why = (f"{named[i]} and {named[j]} have {matrix[i, j]:.6g}, but with themselves "
               f"only {diagonal[i]:.6g} and {diagonal[j]:.6g}" if excess[i, j] > 0 else
               f"the matrix of {len(matrix)} inputs ({named[0]} to {named[-1]}) has "
               f"eigenvalues from {values[0]:.6g} to {values[-1]:.6g}")
    raise KernelError(f"kernel {name!r} is not positive semi-definite: {why}")


def _apart(a: np.ndarray | float, b: np.ndarray | float) -> np.ndarray:
    """Whether values differ by more than rounding."""
    return np.abs(a - b) > _TOLERANCE * np.maximum(np.abs(a), np.abs(b)) + 1e-9


def _asymmetric(name: str, here: float, there: float, pair: str) -> KernelError:
    return KernelError(f"kernel {name!r} is not symmetric: {here:.6g} for {pair}, "
                       f"but {there:.6g} the other way round")
