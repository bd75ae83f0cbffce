"""The work before a solver begins: it is told of, and ends when it is asked to."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from orange_structpred.kernels import Cancelled
from orange_structpred.svm import Report

#: Seconds between two looks at the callback
LOOK_EVERY = 0.1


class Preparation:
    """Asks a callback whether to go on; Cancelled is raised when it says to stop.

    The callback gets reports of pass 0. Their fraction is that of the kernel matrix:
    0 before it and where there is none.
    """

    def __init__(self, callback: Callable[[Report], object] | None = None):
        self.callback = callback
        self.fraction = 0.
        self.began = self.looked = time.perf_counter()

    def tell(self, fraction: float) -> bool:
        """Tell how far the kernel matrix is; False to end it."""
        self.fraction, self.looked = fraction, time.perf_counter()
        return self.callback is None or not self.callback(
            Report(0, fraction, self.looked - self.began, 0))

    def look(self) -> None:
        """Between two pieces of work, as small as they may be."""
        if time.perf_counter() - self.looked > LOOK_EVERY and not self.tell(
                self.fraction):
            raise Cancelled("stopped before the training began")

    def watch(self, sentences: Iterable) -> list:
        """The sentences as a list; who goes through it is stopped when asked to."""
        watched = _Watched(sentences)
        watched.look = self.look
        return watched


class _Watched(list):
    look: Callable[[], None]

    def __iter__(self) -> Iterator:
        for item in super().__iter__():
            self.look()
            yield item
