"""The grid of a search as tasks for a cluster: each setting, or path over C, is one.

Parsers stay with the workers that have trained them; only points are sent back, and in
the end the parser of the best one.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from orange_structpred.errors import InputError
from orange_structpred.parser import Parser
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.running.cluster import Cluster, Task, cancelled_with_cluster

if TYPE_CHECKING:
    from orange_structpred.treebank import Treebank
    from orange_structpred.tuning.results import Point
    from orange_structpred.tuning.search import Run

Splits = list[tuple["Treebank", "Treebank"]]


class Trial(NamedTuple):
    """One task: a setting, some values of C, and a part to train and measure on."""

    number: int             # of the setting
    setting: dict[str, object]
    Cs: list[float]
    part: int
    fixed: dict[str, Any]
    measure: str
    stopping: str           # name of the event that ends it
    stop_raising: bool


class Trained(NamedTuple):
    points: list[Point]
    parsers: list[Parser]


class TuningData(NamedTuple):
    """What all tasks are about."""

    parts: Splits
    unlabelled: Treebank | None


def run_trial(shared: TuningData, trial: Trial) -> Trained:
    """Train and measure; runs on a worker."""
    from orange_structpred.tuning.search import Run

    check_cancelled = cancelled_with_cluster(trial.stopping)
    part = shared.parts[trial.part]
    run = Run(part[0], {"C": trial.Cs}, {**trial.fixed, **trial.setting},
              trial.fixed["random_state"], lambda progress: check_cancelled(), "all",
              trial.measure, trial.stop_raising, shared.unlabelled)
    run.settings, run.parts = [trial.setting], [part]
    run.try_setting(0)
    points = run.points[0]
    return Trained(points, [run.parsers[point.label, point.C] for point in points])


def points_of(trained: Trained) -> list[Point]:
    return trained.points


def parser_of(trained: Trained, number: int) -> Parser:
    return trained.parsers[number]


def trials(run: Run, stopping: str) -> list[Trial]:
    """One for each setting and part; where nothing is shared between values of C, for
    each C. Whether to go on raising C is decided for all folds together, in the end."""
    alone = run.stop_raising and len(run.parts) == 1
    planned = []
    for number, setting in enumerate(run.settings):
        learner = run.learner(setting, run.Cs[0])
        together = (alone or learner.chosen_solver == "bcfw"
                    or learner.features == "kernel")
        for Cs in [run.Cs] if together else [[C] for C in run.Cs]:
            planned += [Trial(number, setting, Cs, part, run.fixed, run.measure, stopping,
                              alone) for part in range(len(run.parts))]
    return planned


def run_on_cluster(run: Run, cluster: Cluster) -> None:
    """Try all settings of a run, and give it points and parsers."""
    if run.checkpoint is not None:
        raise InputError("searches on a cluster cannot write checkpoints; leave out "
                         "checkpoint")
    shared = cluster.share(TuningData(run.parts, run.unlabelled))
    todo = trials(run, cluster.stopping)
    best: tuple[Task, int] | None = None
    by_place: dict[tuple[int, float], dict[int, Point]] = {}

    try:
        for number, task in cluster.views(
                run_trial, points_of, todo, shared, check_cancelled=run.report):
            trial = todo[number]
            for viewed, point in enumerate(task.viewed):
                run.done += 1
                by_part = by_place.setdefault((trial.number, point.C), {})
                by_part[trial.part] = point
                if len(by_part) < len(run.parts):
                    continue
                run.add_point(trial.number, [by_part[part] for part in sorted(by_part)])
                rank = point.validation_loss, trial.number, point.C
                if len(run.parts) == 1 and (run.keep == "all" or rank < run.best_rank):
                    run.best_rank = min(run.best_rank, rank)
                    if run.keep == "all":
                        run.parsers[point.label, point.C] = task.look(parser_of, viewed)
                    else:
                        best = task, viewed
    except Cancelled:
        if not run.stopped:
            raise
    if best is not None and not run.stopped:
        task, viewed = best
        point = task.viewed[viewed]
        run.parsers[point.label, point.C] = task.look(parser_of, viewed)
