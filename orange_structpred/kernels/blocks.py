"""Fill a Gram matrix block of rows by block of rows, on several threads."""
from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from orange_structpred.running.cancellation import Progress
from orange_structpred.running.threads import Threads, n_threads

# values(start, stop, first): kernel values of rows start..stop against all columns
# from first on.
Values = Callable[[int, int, int], np.ndarray]


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
        Called with the fraction done, in this thread; if it returns False, the work is
        Cancelled.
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

    done = 0
    for size in _in_order(work, blocks, n_threads(n_jobs)):
        done += size
        if progress is not None:
            progress(done / total)


def _mirror(corner: np.ndarray) -> None:
    """Make a square block exactly symmetric: below the diagonal as above."""
    below = np.tril_indices(len(corner), -1)
    corner[below] = corner.T[below]


def _in_order(work: Callable, blocks: list, threads: int) -> Iterator[int]:
    if threads == 1:
        yield from map(work, blocks)
        return
    with Threads(threads) as pool:
        yield from pool.map(work, blocks)
