"""Learning in a thread: what it tells its widget on the way, and what comes of it."""
from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple

from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.running.cancellation import StopEarly
from orange_structpred.widgets.common.background import check_wanted
from orange_structpred.widgets.common.librarywarnings import recorded_warnings

#: Seconds between looks at the work; passes over a toy treebank take less
TELL_EVERY = 0.1


class Outcome(NamedTuple):
    """What came of work in a thread.

    warned : warnings of the library
    """

    result: Any
    seconds: float
    warned: list[str]


class Reporter:
    """The callback of a learner: passes its reports on, several at a time.

    Parameters
    ----------
    stop : set when the work is to end with what is done so far
    state : of the thread; the widget gets lists of reports as partial results
    """

    def __init__(self, stop: Event, state: TaskState):
        self.stop, self.state = stop, state
        self._reports: list = []
        self._told = 0.

    def fraction(self, report: Any) -> float:
        """How much of the work is done."""
        return report.fraction

    def __call__(self, report: Any) -> None:
        """Take a report; raises StopEarly or Cancelled if the work is to end."""
        self._reports.append(report)
        fraction = self.fraction(report)
        if time.monotonic() - self._told > TELL_EVERY:
            self.state.set_progress_value(100 * fraction)
            self.state.set_partial_result(self._reports)
            self._reports, self._told = [], time.monotonic()
        check_wanted(self.state)
        if self.stop.is_set():
            raise StopEarly


def learn_in_thread(work: Callable[[Reporter], object], reporter: type[Reporter],
                    stop: Event, state: TaskState) -> Outcome:
    """Do the work in a thread."""
    begin = time.monotonic()
    with recorded_warnings() as warned:
        result = work(reporter(stop, state))
    return Outcome(result, time.monotonic() - begin, warned)
