"""What all input kernels have in common.

A kernel measures how similar two inputs are: k(x, x') = <phi(x), phi(x')> for some
feature map phi (thesis, definition 3.1.1). A subclass says how columns are prepared and
how a block of rows is computed; blocks, threads, progress and checks are done here. Its
parameters are the fields of a dataclass.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from orange_structpred.files.schema import Array
from orange_structpred.kernels.errors import (
    KernelError,
    check_gram,
    check_inputs,
    describe_pair,
)
from orange_structpred.kernels.features import FeatureMap, Features
from orange_structpred.kinds import Kind, RealNumber, Switch
from orange_structpred.running.cancellation import Progress
from orange_structpred.running.threads import Threads, n_threads

# values(start, stop, first): kernel values of rows start..stop against all columns
# from first on.
Values = Callable[[int, int, int], np.ndarray]


class InputKernel(ABC):
    """A positive semi-definite function of two inputs (mostly: sentences)."""

    #: what `make_kernel` knows the kernel by
    name: str
    #: the parameters that params() reports, and what values they may have
    options: Mapping[str, Kind] = {}
    #: whether blocks may be computed in several threads at once
    threaded = True
    #: values in a block: progress is told, and cancelling possible, after each
    pairs_in_block = 1 << 18

    def __post_init__(self) -> None:
        """Reject parameters with which this is not a kernel."""
        for option, kind in self.options.items():
            self._expect(kind.fits(getattr(self, option)), option, kind.text)

    @property
    def by_length(self) -> bool:
        """Whether columns of about the same length are better neighbours."""
        return False

    # What a subclass has to say

    @abstractmethod
    def reference(self, columns: Sequence) -> Any:
        """What is kept of the inputs in the columns, in a form of the subclass's own."""

    @abstractmethod
    def values(self, reference: Any, columns: Sequence,
               rows: Sequence | None) -> Values:
        """A function that computes blocks; `rows` None: they are the columns.

        reference : what `reference` made of the columns
        """

    @abstractmethod
    def diagonal(self, inputs: Sequence) -> np.ndarray:
        """k(x, x) of each input, as float64."""

    def check_training_values(self, matrix: np.ndarray, inputs: Sequence  # noqa: B027
                              ) -> None:
        """Raise KernelError for values of all pairs of inputs that no kernel has; those of
        the package's own kernels are known to be right."""

    # What a subclass says if it has an explicit feature map (see `FeatureMap`)

    def fit_features(self, inputs: Sequence) -> dict[str, np.ndarray] | None:
        """What the map needs from the training inputs; None if there is no map."""
        return None

    def prepare_features(self, arrays: dict[str, np.ndarray]) -> Any:
        """What `features` works with."""
        return arrays

    def feature_schema(self) -> dict[str, Array]:
        """What `fit_features` gives, for arrays out of a file."""
        raise KernelError(f"kernel {self.name!r} has no features")

    def features(self, prepared: Any, inputs: Sequence) -> Features:
        raise NotImplementedError

    # What users call

    def params(self) -> dict:
        """Name and parameters, ready for JSON; `make_kernel` restores the kernel."""
        values = {option: getattr(self, option) for option in self.options}
        return {"kernel": self.name,
                **{option: value.item() if isinstance(value, np.generic) else value
                   for option, value in values.items()}}

    def bind(self, columns: Sequence) -> BoundKernel:
        """The kernel with fixed columns, prepared once for repeated use."""
        return BoundKernel(self, columns)

    def gram(self, A: Sequence, B: Sequence | None = None, *, n_jobs: int = 1,
             progress: Progress | None = None) -> np.ndarray:
        """Kernel values of all pairs.

        Parameters
        ----------
        A, B : sequences of inputs
            Rows and columns; without B the (symmetric) matrix of A.
        n_jobs : int, default=1
            Number of threads; -1 for all processors. The values do not depend on it.
        progress : callable, optional
            Called with the fraction done; raises Cancelled to end the work.

        Returns
        -------
        float32 array of shape (len(A), len(B))
        """
        for inputs in (A,) if B is None else (A, B):
            check_inputs(inputs)
        if B is None:
            check_gram(len(A), len(A))
            return self.bind(A).gram(n_jobs=n_jobs, progress=progress)
        check_gram(len(A), len(B))
        return self.bind(B).gram(A, n_jobs=n_jobs, progress=progress)

    def feature_map(self, inputs: Sequence) -> FeatureMap | None:
        """An explicit, finite map z with k(x, x') = <z(x), z(x')>; None if there is none.

        `inputs` are the training inputs. The inner products of any other input with theirs
        are exact, which is all that a linear model needs.
        """
        arrays = self.fit_features(inputs)
        return None if arrays is None else FeatureMap(self, arrays)

    def __call__(self, a: object, b: object) -> float:
        """The kernel value of one pair."""
        return float(self.gram([a], [b])[0, 0])

    def __repr__(self) -> str:
        options = ", ".join(f"{option}={getattr(self, option)!r}"
                            for option in self.options)
        return f"{type(self).__name__}({options})"

    def __eq__(self, other: object) -> bool:        # and so they have no hash value
        return (isinstance(other, InputKernel) and type(self) is type(other)
                and self.params() == other.params())

    def _expect(self, right: bool, option: str, expected: str) -> None:
        """Reject a parameter with which this is not a kernel."""
        if not right:
            raise KernelError(f"kernel {self.name!r}: {option} is "
                              f"{getattr(self, option)!r}, expected {expected}")


class BoundKernel:
    """A kernel whose columns are prepared (see `InputKernel.bind`)."""

    def __init__(self, kernel: InputKernel, columns: Sequence):
        self.kernel = kernel
        self.columns = columns
        self._order = (np.argsort([len(x) if hasattr(x, "__len__") else 0 for x in columns],
                                  kind="stable")
                       if kernel.by_length else None)
        self._sorted = (columns if self._order is None
                        else [columns[i] for i in self._order])
        self._reference = kernel.reference(self._sorted)

    def gram(self, rows: Sequence | None = None, *, n_jobs: int = 1,
             progress: Progress | None = None) -> np.ndarray:
        """Kernel values of rows and columns; the columns' own without rows."""
        symmetric = rows is None
        inputs = self.columns if rows is None else rows
        check_gram(len(inputs), len(self.columns))
        out = np.empty((len(inputs), len(self.columns)), dtype=np.float32)
        values = self.kernel.values(self._reference, self._sorted, rows)
        fill_gram(out, values, symmetric=symmetric, pairs=self.kernel.pairs_in_block,
                  order=self._order, n_jobs=n_jobs if self.kernel.threaded else 1,
                  progress=progress)
        self._check_finite(out, inputs)
        if symmetric:
            self.kernel.check_training_values(out, inputs)
        return out

    def _check_finite(self, out: np.ndarray, rows: Sequence) -> None:
        for i, row in enumerate(out):
            if not np.isfinite(row).all():
                j = int(np.flatnonzero(~np.isfinite(row))[0])
                why = ("is not a number" if np.isnan(row[j]) else
                       "is too large for 32 bits; normalise the kernel")
                raise KernelError(f"kernel {self.kernel.name!r}: the value of "
                                  f"{describe_pair(rows, self.columns, i, j)} {why}")


def normalize(values: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """k(x, x') / sqrt(k(x, x) k(x', x')), in place; 0 where k(x, x) is 0."""
    values *= inverse_roots(rows)[:, None]
    values *= inverse_roots(columns)
    return values


def inverse_roots(diagonal: np.ndarray) -> np.ndarray:
    """1 / sqrt(k(x, x)), 0 where k(x, x) is 0."""
    roots = np.sqrt(np.maximum(diagonal, 0.0))
    return np.divide(1.0, roots, out=np.zeros_like(roots), where=roots > 0)


@dataclass(eq=False, repr=False, kw_only=True)
class FragmentKernel(InputKernel):
    """Counts what two inputs have in common, in pieces of any size.

    What `reference` keeps of inputs has a `diagonal`: k(x, x) of each, not normalized.
    """

    options = {"decay": RealNumber(high=1.), "normalized": Switch()}

    decay: float = 0.5
    normalized: bool = True

    @abstractmethod
    def plain_values(self, reference: Any, columns: Sequence,
                     rows: Sequence | None) -> Values:
        """As `values`, not normalized."""

    def values(self, reference: Any, columns: Sequence, rows: Sequence | None) -> Values:
        block = self.plain_values(reference, columns, rows)
        if not self.normalized:
            return block
        diagonal = (reference if rows is None else self.reference(rows)).diagonal
        return lambda start, stop, first: normalize(
            block(start, stop, first), diagonal[start:stop], reference.diagonal[first:])

    def diagonal(self, inputs: Sequence) -> np.ndarray:
        diagonal = self.reference(inputs).diagonal
        return (diagonal > 0).astype(np.float64) if self.normalized else diagonal


# Gram matrices, block of rows by block of rows

def row_blocks(rows: int, columns: int, symmetric: bool,
               pairs: int) -> Iterator[tuple[int, int, int]]:
    """(start, stop, first column) with about `pairs` values per block.

    The blocks do not depend on the number of threads, so neither do the values.
    """
    start = 0
    while start < rows:
        first = start if symmetric else 0
        stop = min(rows, start + max(1, pairs // max(1, columns - first)))
        yield start, stop, first
        start = stop


def fill_gram(out: np.ndarray, values: Values, *, symmetric: bool, pairs: int,
              order: np.ndarray | None, n_jobs: int, progress: Progress | None) -> None:
    """Write all values into `out`; of a symmetric matrix compute only one half.

    Parameters
    ----------
    order : index array, optional
        Which columns (and, if symmetric, rows) the values are for, if not in order.
    progress : callable, optional
        Called with the fraction done, in this thread; raises Cancelled to end the work.
    """
    n_rows, n_columns = out.shape
    blocks = list(row_blocks(n_rows, n_columns, symmetric, pairs))
    total = sum((stop - start) * (out.shape[1] - first)
                for start, stop, first in blocks)

    def work(block: tuple[int, int, int]) -> int:
        start, stop, first = block
        with np.errstate(over="ignore"):  # what is too large is found, as inf, later
            computed = values(start, stop, first).astype(np.float32)
        if symmetric:
            _mirror(computed[:, :stop - start])
        if order is None:
            out[start:stop, first:] = computed
            if symmetric:
                out[first:, start:stop] = computed.T
        elif symmetric:
            rows, columns = order[start:stop], order[first:]
            out[np.ix_(rows, columns)] = computed
            out[np.ix_(columns, rows)] = computed.T
        else:
            out[start:stop, order] = computed
        return computed.size

    done, threads = 0, n_threads(n_jobs)
    with Threads(threads) as pool:
        for size in (map if threads == 1 else pool.map)(work, blocks):
            done += size
            if progress is not None:
                progress(done / total)


def _mirror(corner: np.ndarray) -> None:
    """Make a square block exactly symmetric: below the diagonal as above."""
    below = np.tril_indices(len(corner), -1)
    corner[below] = corner.T[below]
