"""Parameters of a parser chosen by their loss on sentences it was not trained on."""
from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.kernels import InputKernel, Precomputed, make_kernel
from orange_structpred.kinds import Seed, ThreadCount
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.parameters import DEFAULTS, PARAMETERS
from orange_structpred.parser import Parser
from orange_structpred.parsing.kernel.kernel_model import KernelModel
from orange_structpred.running.cancellation import Cancelled, StopEarly
from orange_structpred.running.cluster import connected
from orange_structpred.running.threads import Threads, n_threads
from orange_structpred.svm import Report
from orange_structpred.svm.bcfw import numbered_checkpoint
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.learnable import unlabelled_sentences
from orange_structpred.tuning.arguments import check_settings
from orange_structpred.tuning.grids import Grid, settings_of
from orange_structpred.tuning.on_cluster import run_on_cluster
from orange_structpred.tuning.results import Point, Tuning, mean_point
from orange_structpred.tuning.splits import evaluate_parser, training_splits

if TYPE_CHECKING:
    from distributed import Client


@dataclass(frozen=True)
class TuningProgress:
    """What a callback gets: how far the work is, and a point if one is done."""

    fraction: float
    point: Point | None = None


def tune(treebank: Table, grid: Grid, *,
         validation: Table | None = None, share: float = 0.2,
         folds: int | None = None, random_state: int = 0, n_jobs: int = 1,
         callback: Callable[[TuningProgress], object] | None = None,
         keep: str = "best", measure: str = "uas",
         client: Client | str | None = None, stop_raising: bool = False,
         unlabelled: Table | None = None, **parameters) -> Tuning:
    """Try all combinations of a grid.

    Parameters
    ----------
    treebank : what to train on
    grid : the values to try, by the names of ParserLearner's parameters; several
        names vary together, ``{("kernel", "kernel_params"): [("ngram", {"n": 4}), ...]}``
    validation : treebank on which losses are measured; by default a random
        `share` of the sentences is held out, or each of `folds` parts in turn
    n_jobs : number of combinations that are tried at the same time, as in ParserLearner
    callback : gets a TuningProgress now and then; raises StopEarly to end with the points
        so far, Cancelled to end without a result
    keep : {"best", "all"}
        Which parsers stay in memory; others are trained again when asked for
    measure : {"uas", "las"}
        What the losses are: shares of tokens with a wrong head, or with a wrong head or
        relation
    client : a `dask.distributed.Client` or the address of a scheduler: each setting, or
        path over C, is a task for its workers; the result is the same
    stop_raising : whether C is raised only until the training loss no longer improves:
        the larger values of a setting are then skipped (thesis, section 6.3.1)
    unlabelled : further sentences, from which parsers with kernels learn without trees
    **parameters : those of ParserLearner that are the same for all. With a
        `checkpoint` each training has a file of its own beside it, so that an
        interrupted search resumes where it was

    Values of C are tried in rising order, each starting from the solution before
    it, if the solver is bcfw. Matrices of input kernels are computed once. Only the best
    parser is calibrated, and others when they are asked for: `Tuning.parser`.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> tuning = tune(load_bundled("en")[:60], {"C": [0.01, 1]}, solver="bcfw",
    ...               passes=2)
    >>> [point.C for point in tuning.points]
    [0.01, 1]
    """
    Seed().check("random_state", random_state)
    ThreadCount().check("n_jobs", n_jobs)
    if keep not in ("best", "all"):
        raise InputError(f"keep must be 'best' or 'all', not {keep!r}")
    if measure not in ("uas", "las"):
        raise InputError(f"measure must be 'uas' or 'las', not {measure!r}")
    treebank = as_treebank(treebank)
    run = Run(treebank, grid, parameters, random_state, callback, keep, measure,
              stop_raising, unlabelled)
    run.parts = training_splits(treebank, validation, share, folds, random_state)
    threads = n_threads(n_jobs)
    with connected(client) as cluster:
        if cluster is not None:
            run_on_cluster(run, cluster)
        elif threads == 1:
            for number in range(len(run.settings)):
                run.try_setting(number)
        else:
            with Threads(threads) as pool:
                for _ in pool.map(run.try_setting, range(len(run.settings))):
                    pass
    points = [point for number in range(len(run.settings))
              for point in run.raised(number)]
    training = treebank if folds else run.parts[0][0]
    tuning = Tuning(training, run.fixed, points, run.stopped, run.parsers, bool(folds),
                    run.unlabelled)
    if run.parsers and not run.stopped:
        try:
            tuning.parser(callback=lambda report: run.report())     # calibrates the best
        except Cancelled:
            if not run.stopped:
                raise
            tuning.stopped = True
    return tuning


class Run:
    """One call of `tune` at work."""

    def __init__(self, treebank: Treebank, grid: Grid, fixed: dict,
                 random_state: int, callback, keep: str = "best",
                 measure: str = "uas", stop_raising: bool = False,
                 unlabelled: Table | None = None):
        self.fixed = {"random_state": random_state, **fixed}
        self.checkpoint = self.fixed.pop("checkpoint", None)
        self.measure, self.stop_raising = measure, stop_raising
        self.keep, self.best_rank = keep, (np.inf, 0, 0.)       # loss, setting, C
        self.parsers: dict[tuple[str, float], Parser] = {}
        self.settings = settings_of(grid)
        # learners complain of wrong parameters here, before the work begins
        Cs = grid.get("C", [fixed.get("C", DEFAULTS["C"])])
        for C in Cs:
            PARAMETERS["C"].kind.check("C", C)
        self.Cs = sorted(Cs)
        for C in dict.fromkeys((self.Cs[0], self.Cs[-1])):     # the last may be infinite
            check_settings(self.settings, {**self.fixed, "C": C})
        self.unlabelled = None if unlabelled is None else Treebank.from_sentences(
            unlabelled_sentences(unlabelled))
        for setting in self.settings:
            self.learner(setting, self.Cs[0]).check_unlabelled(self.unlabelled)
        self.treebank, self.callback = treebank, callback
        self.parts: list[tuple[Treebank, Treebank]] = []
        self.points: dict[int, list[Point]] = {}
        self.grams: dict[str, InputKernel] = {}
        self.gram_locks: dict[str, threading.Lock] = {}
        self.lock = threading.RLock()
        self.stopped = False
        self.done = 0                               # points of all parts
        self.begun: dict[tuple, float] = {}         # how far the next ones are

    def learner(self, setting: dict, C: float, **changes) -> ParserLearner:
        return ParserLearner(**{**self.fixed, **setting, "C": C, **changes})

    def report(self, point: Point | None = None) -> None:
        """Report, one thread at a time; Cancelled ends what is being tried."""
        with self.lock:
            total = len(self.settings) * len(self.parts) * len(self.Cs)
            done = self.done + sum(self.begun.values())
            if self.callback is not None and not self.stopped:
                try:
                    self.callback(TuningProgress(min(1., done / total), point))
                except StopEarly:
                    self.stopped = True
            if self.stopped:
                raise Cancelled

    def observe(self, fraction: float, text: str = "") -> None:
        """The progress function of kernel matrices and of parsers at work."""
        self.report()

    def try_setting(self, number: int) -> None:
        if self.stopped:
            return
        # a C is tried on all parts before the next one, so that its point is there
        parts = [self.points_of(number, part) for part in range(len(self.parts))]
        try:
            for points in zip(*parts):
                self.add_point(number, points)
                if self.stops_raising(number):
                    break
        except Cancelled:
            if not self.stopped:
                self.stopped = True     # for the other threads
                raise
        except BaseException:
            self.stopped = True         # other threads need not go on
            raise

    def add_point(self, number: int, parts: Sequence[Point]) -> None:
        """A point is done: that of one part, or of several folds."""
        point = parts[0] if len(parts) == 1 else mean_point(parts)
        points = self.points.setdefault(number, [])
        points.append(point)
        points.sort(key=lambda one: one.C)      # on a cluster they come in any order
        self.report(point)

    def raised(self, number: int) -> list[Point]:
        """The points of a setting, with `stop_raising` up to the first C that does not
        improve the training loss."""
        points = self.points.get(number, [])
        if self.stop_raising:
            for k in range(1, len(points)):
                if points[k].train_loss >= points[k - 1].train_loss:
                    return points[:k + 1]
        return points

    def stops_raising(self, number: int) -> bool:
        """Whether larger values of C are skipped, which then count as done."""
        points = self.points[number]
        if not self.stop_raising or len(points) < 2 \
                or points[-1].train_loss < points[-2].train_loss:
            return False
        with self.lock:
            self.done += (len(self.Cs) - len(points)) * len(self.parts)
        return True

    def points_of(self, number: int, part: int) -> Iterator[Point]:
        """Train on a part and measure, for each C."""
        setting, (train, validation) = self.settings[number], self.parts[part]
        began = time.perf_counter()
        kernel, shared = self.kernel(setting)
        changes = {"kernel": shared, "kernel_params": None} if shared else {}
        for C, parser in zip(self.Cs, self.trained(setting, changes, train, (number, part))):
            evaluation = evaluate_parser(parser, validation, self.observe)
            score, train_score = (of.score(self.measure) for of in (
                evaluation, evaluate_parser(parser, train, self.observe)))
            if score is None or train_score is None:
                raise InputError("the treebank has no relations, so there is no LAS to "
                                 "tune by; use measure='uas'")
            if kernel is not None and isinstance(parser.model, KernelModel):
                parser.model.use_kernel(kernel)
            low, high = evaluation.confidence_interval(self.measure)
            with self.lock:
                self.done += 1
                self.begun.pop((number, part), None)
            point = Point(
                setting, C, 1 - train_score, 1 - score, 1 - high, 1 - low,
                parser.log[-1].norm ** 2, time.perf_counter() - began, evaluation.trees)
            if len(self.parts) == 1:
                self.keep_parser(number, point, parser)
            yield point
            began = time.perf_counter()     # other parts had their turn

    def keep_parser(self, number: int, point: Point, parser: Parser) -> None:
        """Keep the parser if it is asked for: the best, the first of several."""
        with self.lock:
            rank = point.validation_loss, number, point.C
            if self.keep == "best":
                if rank >= self.best_rank:
                    return
                self.parsers.clear()
            self.best_rank = min(self.best_rank, rank)
            self.parsers[point.label, point.C] = parser

    def trained(self, setting: dict, changes: dict, train: Treebank, key: tuple
                ) -> Iterator[Parser]:
        def callback(report: Report) -> None:
            with self.lock:
                self.begun[key] = report.fraction if report.pass_ else 0.
                self.report()

        checkpoint = numbered_checkpoint(self.checkpoint, *key)
        if self.learner(setting, 1.).chosen_solver == "bcfw":
            parsers = self.learner(
                setting, self.Cs[-1], checkpoint=checkpoint, **changes).path(
                    train, self.Cs, callback, self.unlabelled)
        else:
            parsers = (self.learner(
                setting, C, checkpoint=numbered_checkpoint(checkpoint, number), **changes).train(
                    train, callback, unlabelled=self.unlabelled)
                for number, C in enumerate(self.Cs))
        for C, parser in zip(self.Cs, parsers):
            parser.name = self.learner(setting, C).name
            yield parser

    def kernel(self, setting: dict) -> tuple[InputKernel | None, InputKernel | None]:
        """The input kernel, and the same with all its values computed; none where
        there is no matrix to share."""
        learner = self.learner(setting, 1.)
        if learner.features != "kernel" or learner.nystroem or self.unlabelled is not None:
            return None, None       # unlabelled ones may be the same sentences, untagged
        kernel = make_kernel(learner.kernel, **(learner.kernel_params or {}))
        if kernel.feature_map(self.treebank.sentences[:1]) is not None:
            return None, None
        key = json.dumps(kernel.params(), sort_keys=True)
        with self.lock:
            own_lock = self.gram_locks.setdefault(key, threading.Lock())
        with own_lock:
            if key not in self.grams:
                sentences = list({s.block: s for part in self.parts for bank in part
                                  for s in bank.sentences}.values())
                gram = kernel.gram(sentences, n_jobs=learner.n_jobs,
                                   progress=self.observe)
                self.grams[key] = Precomputed(gram, sentences)
            return kernel, self.grams[key]
