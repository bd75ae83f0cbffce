"""Long work reports its progress and ends when it is asked to."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

#: Seconds between two calls of the progress function
CHECK_EVERY = 0.1


#: Gets the fraction of the work that is done; cancels by returning False
Progress = Callable[[float], object]


class Cancelled(Exception):
    """The caller's progress function asked to stop."""


class Cancellation:
    """Asks a progress function now and then whether to go on.

    progress : None goes on whatever happens
    """

    def __init__(self, progress: Progress | None = None):
        self.progress = progress
        self.fraction = 0.
        self.checked = time.perf_counter()

    def report_progress(self, fraction: float) -> bool:
        """Report how far the work is; False to cancel."""
        self.fraction, self.checked = fraction, time.perf_counter()
        return self.progress is None or self.progress(fraction) is not False

    def check_cancelled(self) -> None:
        """Between two pieces of work, however small: raise Cancelled if asked to."""
        if time.perf_counter() - self.checked > CHECK_EVERY \
                and not self.report_progress(self.fraction):
            raise Cancelled

    def cancellable(self, items: Iterable) -> list:
        """The items as a list; whoever iterates over it is cancelled when asked to."""
        result = _Cancellable(items)
        result.check_cancelled = self.check_cancelled
        return result


class _Cancellable(list):
    check_cancelled: Callable[[], None]

    def __iter__(self) -> Iterator:
        for item in super().__iter__():
            self.check_cancelled()
            yield item
