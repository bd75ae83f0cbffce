"""Long work reports its progress, and ends when it is asked to.

There is one protocol for all of it. ``progress(fraction, text="")`` observes: it is called
now and then, and what it returns does not matter. To end the work it raises `Cancelled`,
which reaches the caller. Callbacks that get a report of each pass, such as those of
solvers, do the same.

Work that has something to show at any time (solvers, searches, learning curves) can also
be asked to end with what it has: its callback raises `StopEarly`. Where there is nothing
yet, and in all other work, this is the same as `Cancelled`.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

#: Seconds between two calls of the progress function
CHECK_EVERY = 0.1

Item = TypeVar("Item")
#: Called between two pieces of work; raises Cancelled to end it
CheckCancelled = Callable[[], object]


class Progress(Protocol):
    """Gets the fraction of the work that is done, and perhaps what is being done; raises
    Cancelled to end the work."""

    def __call__(self, fraction: float, text: str = "") -> object: ...


class Cancelled(Exception):
    """The work was ended by whoever observes it."""


class StopEarly(Cancelled):
    """The work is to end with what it has, if it has something."""


def never_cancelled() -> None:
    """The check of work that goes on whatever happens."""


class Cancellation:
    """Calls a progress function now and then, however small the pieces of work are.

    progress : None goes on whatever happens
    """

    def __init__(self, progress: Progress | None = None):
        self.progress = progress
        self.fraction = 0.
        self.checked = time.perf_counter()

    def report_progress(self, fraction: float, text: str = "") -> None:
        """Report how far the work is."""
        self.fraction, self.checked = fraction, time.perf_counter()
        if self.progress is not None:
            if text:
                self.progress(fraction, text)
            else:
                self.progress(fraction)

    def check_cancelled(self) -> None:
        """Between two pieces of work, however small: raises Cancelled if asked to."""
        if time.perf_counter() - self.checked > CHECK_EVERY:
            self.report_progress(self.fraction)

    def at(self, fraction: float, text: str = "") -> None:
        """Check, with a new fraction, which is reported only now and then."""
        self.fraction = fraction
        self.check_cancelled()

    def cancellable(self, items: Iterable[Item]) -> list[Item]:
        """The items as a list; whoever iterates over it is cancelled when asked to."""
        return _Cancellable(items, self.check_cancelled)


class _Cancellable(list[Item]):
    def __init__(self, items: Iterable[Item], check_cancelled: CheckCancelled):
        super().__init__(items)
        self.check_cancelled = check_cancelled

    def __iter__(self) -> Iterator[Item]:
        for item in super().__iter__():
            self.check_cancelled()
            yield item


def part_of(progress: Progress | None, begin: float, end: float) -> Progress | None:
    """The progress function for the part of the work from `begin` to `end`."""
    if progress is None:
        return None

    def part(fraction: float, text: str = "") -> object:
        return progress(begin + fraction * (end - begin), *([text] if text else []))

    return part
