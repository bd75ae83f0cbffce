"""Work on several threads."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from numbers import Integral
from typing import TypeVar

from threadpoolctl import threadpool_limits

from orange_structpred.errors import InputError

CHUNK = 64      # items that a thread takes at a time

Result = TypeVar("Result")


def n_threads(n_jobs: int | None) -> int:
    """Threads for n_jobs as scikit-learn has it: -1 is all processors, -2 all but one,
    and so on down to one; None is one, too."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise InputError(f"n_jobs is {n_jobs!r}, expected 1 or more, or -1 for all "
                         "processors")
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
               stop: Callable[[], bool] = lambda: False, *, size: int = CHUNK
               ) -> list[Result] | None:
    """work(first, last) for chunks of 0..n - 1 on threads, their results in order.

    What a chunk is does not depend on the number of threads. `stop` is asked before
    each chunk that this thread waits for; once it says so, the rest is left out and
    the result is None.
    """
    chunks = [(first, min(first + size, n)) for first in range(0, n, size)]
    results: list[Result] = []
    if n_jobs == 1 or len(chunks) == 1:
        for chunk in chunks:
            if stop():
                return None
            results.append(work(*chunk))
        return results
    stopped: list[bool] = []

    def unless_stopped(chunk: tuple[int, int]) -> list[Result]:
        return [] if stopped else [work(*chunk)]

    with Threads(n_jobs) as pool:
        for result in pool.map(unless_stopped, chunks):
            results += result
            if not stopped and stop():
                stopped.append(True)
    return None if stopped else results


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """While this lasts, products of matrices use one thread: they are then the same on
    every run, and several threads of ours do not get in each other's way."""
    with threadpool_limits(1, "blas"):
        yield
