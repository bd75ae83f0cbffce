"""Work on several threads."""
from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from numbers import Integral


def n_threads(n_jobs: int | None) -> int:
    """Threads for n_jobs as scikit-learn has it: -1 is all processors, -2 all but one,
    and so on down to one; None is one, too."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}, expected 1 or more, or -1 for all "
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
