"""What Tune Parser does in threads."""
from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Event
from typing import NamedTuple

from Orange.widgets.utils.concurrent import TaskState

from orange_structpred.parser import Parser
from orange_structpred.svm import Report
from orange_structpred.treebank import Treebank
from orange_structpred.tuning.search import Point, Tuning, TuningProgress, tune
from orange_structpred.widgets.common.learning import TELL_EVERY
from orange_structpred.widgets.common.librarywarnings import recorded_warnings


class Result(NamedTuple):
    """What comes back from a thread.

    tuning : all points; None if only a parser was trained
    trained : point and its parser, where it was trained after folds
    warned : what the library warned of
    """

    tuning: Tuning | None
    trained: tuple[Point, Parser] | None
    warned: Sequence[str] = ()


def run_tuning(treebank: Treebank, grid: dict, options: dict, selection: dict | None,
               stop: Event, state: TaskState) -> Result:
    """Try a grid in a thread; after folds, also train what will be selected."""
    told = 0.

    def callback(progress: TuningProgress) -> bool:
        nonlocal told
        if progress.point is not None or time.monotonic() - told > TELL_EVERY:
            told = time.monotonic()
            state.set_progress_value(100 * progress.fraction)
            state.set_partial_result(progress)
        return stop.is_set() or state.is_interruption_requested()

    with recorded_warnings() as warned:
        tuning = tune(treebank, grid, callback=callback, **options)
        trained = None
        if tuning.points and "folds" in options:
            state.set_partial_result(TuningProgress(1.))
            point = selected_point(tuning, selection) or tuning.best
            trained = train_on_all(tuning, point, state).trained
    return Result(tuning, trained, warned)


def train_on_all(tuning: Tuning, point: Point, state: TaskState) -> Result:
    """The parser of a point after folds, in a thread."""
    def callback(report: Report) -> bool:
        state.set_progress_value(100 * report.fraction)
        return state.is_interruption_requested()

    return Result(None, (point, tuning.parser(point, callback)))


def selected_point(tuning: Tuning, selection: dict | None) -> Point | None:
    """The point that was selected by hand, if it is there."""
    try:
        return tuning.point(**selection) if selection else None
    except (TypeError, ValueError):
        return None
