"""The steps of a pipeline, and the folds of its jackknife, as tasks for a cluster."""
from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from Orange.base import Learner

from orange_structpred.learner import ParserLearner
from orange_structpred.pipeline.filling import JACKKNIFE, JACKKNIFED, fold_layers
from orange_structpred.running.cancellation import Cancelled
from orange_structpred.running.cluster import Cluster, cancelled_with_cluster
from orange_structpred.svm import Report
from orange_structpred.treebank.sentence import Sentence

if TYPE_CHECKING:
    from distributed import Client

    from orange_structpred.pipeline.pipeline_learner import PipelineTraining


class StepTask(NamedTuple):
    """A step to be learned from all sentences; or a fold, whose layers are predicted by
    steps that are learned from the others."""

    part: str                       # of the work
    learners: dict[str, Learner]
    stopping: str                   # name of the event that ends it
    places: list[int] | None = None     # of the fold


class StepResult(NamedTuple):
    found: Any                      # a model, or the sentences of the fold
    warned: list[str]


def run_task(sentences: Sequence[Sentence], task: StepTask) -> StepResult:
    """Runs on a worker."""
    check_cancelled = cancelled_with_cluster(task.stopping)

    def train(step: str, part: Sequence[Sentence]) -> Any:
        return task.learners[step].learn(part, lambda report: check_cancelled())

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome = train(task.part, sentences) if task.places is None else \
            fold_layers(sentences, task.places, list(task.learners), train)
    return StepResult(outcome, [str(warning.message) for warning in caught])


def train_on_cluster(training: PipelineTraining, cluster: Cluster,
                     trained: dict[str, Any]) -> None:
    """All but the parser, side by side, into `trained`, and the jackknife's sentences."""
    learner = training.learner
    tasks = [StepTask(step, {step: learner.learner(step)}, cluster.stopping)
             for step in training.steps if step != "parser"]
    of_folds = {step: learner.jackknife_learner(step) for step in JACKKNIFED
                if step in training.steps}
    tasks += [StepTask(JACKKNIFE, of_folds, cluster.stopping, places)
              for places in training.folds()]
    parts = [task.part for task in tasks]
    began = time.perf_counter()
    done: list[Any] = []

    def report() -> None:
        """Tell which task is waited for, and how much of its part is done."""
        part = parts[min(len(done), len(parts) - 1)]
        fraction = (len(done) - parts.index(part)) / parts.count(part)
        callback = training.reports(part, fraction, fraction)
        if callback is not None:
            callback(Report(0, 0., time.perf_counter() - began, 0))

    if not tasks:
        return
    try:
        report()
        for task, result in zip(tasks, cluster.imap(
                run_task, tasks, cluster.share(training.sentences),
                check_cancelled=report)):
            for message in result.warned:
                warnings.warn(message, stacklevel=6)
            done.append(result.found)
            if task.places is None:
                trained[task.part] = result.found
            report()
    except Cancelled:
        cluster.stop()
        raise
    training.predicted = training.in_order(
        [outcome for task, outcome in zip(tasks, done) if task.places is not None])


def parser_on_cluster(learner: ParserLearner, cluster: Cluster
                      ) -> tuple[ParserLearner, Client | None]:
    """A parser's learner, and the client that it trains with: such that the parser is
    the same as without a cluster."""
    solver = learner.solver_type
    if not solver.distributes:
        return learner, None
    if solver.mixes and learner.shards is None:
        learner = copy(learner)
        learner.shards = 1      # only what prunes is learned side by side
    return learner, cluster.client
