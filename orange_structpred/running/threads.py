"""Work on several threads."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

from threadpoolctl import threadpool_limits

from orange_structpred.kinds import ThreadCount
from orange_structpred.running.cancellation import CheckCancelled, never_cancelled

CHUNK = 64      # items that a thread takes at a time

Result = TypeVar("Result")


def n_threads(n_jobs: int | None) -> int:
    """Threads for n_jobs as scikit-learn has it: -1 is all processors, -2 all but one,
    and so on down to one; None is one, too."""
    if n_jobs is None:
        return 1
    ThreadCount().check("n_jobs", n_jobs)
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


class Threads(ThreadPoolExecutor):
    """Threads that work in the context of the one whom they work for.

    So he learns of their warnings, and can end what he has no more use for. When the
    block ends with an error, what was not begun never is.
    """

    def submit(self, work: Callable, /, *args, **kwargs) -> Future:
        return super().submit(copy_context().run, work, *args, **kwargs)

    def __exit__(self, *error) -> None:
        self.shutdown(cancel_futures=True)


def map_chunks(work: Callable[[int, int], Result], n: int, n_jobs: int = 1,
               check_cancelled: CheckCancelled = never_cancelled, *, size: int = CHUNK
               ) -> list[Result]:
    """work(first, last) for chunks of 0..n - 1 on threads, their results in order.

    What a chunk is does not depend on the number of threads. `check_cancelled` is called
    once for each chunk; what it raises ends the work.
    """
    chunks = [(first, min(first + size, n)) for first in range(0, n, size)]
    results: list[Result] = []
    if n_jobs == 1 or len(chunks) == 1:
        for chunk in chunks:
            check_cancelled()
            results.append(work(*chunk))
        return results
    with Threads(n_jobs) as pool:       # leaves out what was not begun
        for result in pool.map(lambda chunk: work(*chunk), chunks):
            results.append(result)
            check_cancelled()
    return results


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """While this lasts, products of matrices use one thread: they are then the same on
    every run, and several threads of ours do not get in each other's way."""
    with threadpool_limits(1, "blas"):
        yield
