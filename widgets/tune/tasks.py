"""What Tune Parser does in threads."""
from __future__ import annotations

from typing import NamedTuple

from orange_structpred.parser import Parser
from orange_structpred.svm import Report
from orange_structpred.treebank import Treebank
from orange_structpred.tuning.results import Point, Tuning
from orange_structpred.tuning.search import TuningProgress, tune
from orange_structpred.widgets.common.background import observed_by
from orange_structpred.widgets.common.reporting import Reporter


class TunedOrTrained(NamedTuple):
    """What comes back from a thread.

    tuning : all points; None if only a parser was trained
    parser, point : a parser that was trained after folds, and its point
    """

    tuning: Tuning | None
    parser: Parser | None = None
    point: Point | None = None


def run_tuning(treebank: Treebank, grid: dict, options: dict, selection: dict | None,
               reporter: Reporter) -> TunedOrTrained:
    """Try a grid in a thread; after folds, also train what will be selected."""
    tuning = tune(treebank, grid, callback=reporter, **options)
    if not tuning.points or "folds" not in options:
        return TunedOrTrained(tuning)
    reporter.state.set_partial_result([TuningProgress(1.)])
    point = selected_point(tuning, selection) or tuning.best
    return train_on_all(tuning, point, reporter)._replace(tuning=tuning)


def train_on_all(tuning: Tuning, point: Point, reporter: Reporter) -> TunedOrTrained:
    """The parser of a point after folds, in a thread; Stop does not end it."""
    progress = observed_by(reporter.state)

    def callback(report: Report) -> None:
        progress(report.fraction)

    return TunedOrTrained(None, tuning.parser(point, callback), point)


def selected_point(tuning: Tuning, selection: dict | None) -> Point | None:
    """The point that was selected by hand, if it is there."""
    try:
        return tuning.point(**selection) if selection else None
    except (TypeError, ValueError):
        return None
