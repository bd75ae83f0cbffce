"""Parameters of a parser chosen by their loss on sentences it was not trained on."""
from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)

from orange_structpred.errors import InputError
from orange_structpred.evaluation import Evaluation, evaluate
from orange_structpred.kernels import InputKernel, Precomputed, make_kernel
from orange_structpred.kinds import (
    C_KIND,
    OrNone,
    RealNumber,
    Seed,
    ThreadCount,
    WholeNumber,
)
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.parameters import DEFAULTS
from orange_structpred.parser import Parser
from orange_structpred.parsing.kernel.kernel_model import KernelModel
from orange_structpred.running.cancellation import Cancelled, Progress, StopEarly
from orange_structpred.running.cluster import connected
from orange_structpred.running.threads import Threads, n_threads
from orange_structpred.svm import Report
from orange_structpred.svm.path import numbered_checkpoint
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.learnable import training_sentences, validation_treebank
from orange_structpred.tuning.arguments import check_settings
from orange_structpred.tuning.grids import Grid, settings_of, value_text
from orange_structpred.tuning.on_cluster import run_on_cluster

if TYPE_CHECKING:
    from distributed import Client


@dataclass(frozen=True)
class Point:
    """A setting of the parameters and how well it did.

    Losses are shares of tokens with a wrong head (or relation); with folds they are
    means.
    """

    setting: dict[str, object]      # what the grid varies, but C
    C: float
    train_loss: float
    validation_loss: float
    low: float                      # 95% interval of the validation loss
    high: float
    squared_norm: float             # |w|^2
    seconds: float
    valid_trees: float = 1.         # share of the validation sentences

    @property
    def label(self) -> str:
        """The setting in words; empty if the grid varies C alone."""
        return setting_text(self.setting)

    @property
    def parameters(self) -> dict[str, object]:
        """What ParserLearner needs besides the parameters that are the same for all."""
        return {**self.setting, "C": self.C}


@dataclass
class Tuning:
    """Results of `tune`, in the order of the grid."""

    training: Treebank      # what parsers are trained on; after folds, all sentences
    fixed: dict[str, object]
    points: list[Point] = field(default_factory=list)
    stopped: bool = False
    #: parsers in memory, by label and C: that of the best point, or all
    parsers: dict[tuple[str, float], Parser] = field(default_factory=dict)
    folds: bool = False     # whether losses are means over folds

    @property
    def best(self) -> Point:
        """The point with the smallest validation loss; the first of several."""
        if not self.points:
            raise InputError("no setting was tried, so there is no best one")
        return min(self.points, key=lambda point: point.validation_loss)

    @property
    def open_end(self) -> str | None:
        """The end of the range of C, "lower" or "upper", beyond which a better C may
        be: the best one is there, and no other of its setting does as well. None
        otherwise, and where the work was stopped."""
        if self.stopped or not self.points:
            return None
        best = self.best
        others = [point for point in self.points
                  if point.label == best.label and point.C != best.C]
        if not others or min(point.validation_loss for point in others) \
                <= best.validation_loss:
            return None
        if best.C < min(point.C for point in others):
            return "lower"
        return "upper" if best.C > max(point.C for point in others) else None

    @property
    def same_as_best(self) -> list[Point]:
        """Points of other C that led to the same parser as the best one, as far as
        losses and |w| tell: C makes no difference there."""
        best = self.best
        return [point for point in self.points
                if point.label == best.label and point.C != best.C
                and (point.train_loss, point.validation_loss, point.squared_norm)
                == (best.train_loss, best.validation_loss, best.squared_norm)]

    def point(self, label: str = "", *, C: float) -> Point:
        """The point of a setting, named as in the table, and a C."""
        for point in self.points:
            if point.label == label and point.C == C:
                return point
        of = f" of {label!r}" if label else ""
        raise InputError(f"there is no point{of} with C={C:g}")

    def learner(self, point: Point | None = None) -> ParserLearner:
        return ParserLearner(**{**self.fixed, **(point or self.best).parameters})

    def kept_parser(self, point: Point) -> Parser | None:
        """The parser of a point, if it is still in memory."""
        return self.parsers.get((point.label, point.C))

    def parser(self, point: Point | None = None, callback=None) -> Parser:
        """The parser of a point, calibrated; if it was not kept, it is trained again.

        After folds it is trained on all sentences.
        """
        point = point or self.best
        learner, parser = self.learner(point), self.kept_parser(point)
        if parser is None and (self.folds or learner.chosen_solver != "bcfw"):
            parser = learner.train(self.training, callback)
        elif parser is None:
            # the path that led there, so that it is the same parser again
            Cs = sorted(other.C for other in self.points
                        if other.label == point.label and other.C <= point.C)
            *_, parser = learner.path(self.training, Cs, callback)
            parser.name = learner.name
        learner.cross_calibrate(parser, self.training, callback)
        return parser

    def to_table(self) -> Table:
        """One row per point."""
        labels = list(dict.fromkeys(point.label for point in self.points))
        numbers = ("C", "train_loss", "validation_loss", "low", "high",
                   "squared_norm", "seconds", "valid_trees")
        domain = Domain(
            [DiscreteVariable("setting", labels or ("",)),
             *(ContinuousVariable(name.replace("_", " "), number_of_decimals=4)
               for name in numbers)], metas=[StringVariable("parameters")])
        X = np.array([[labels.index(point.label),
                       *(getattr(point, name) for name in numbers)]
                      for point in self.points]).reshape(-1, len(numbers) + 1)
        metas = np.array([[json.dumps({**self.fixed, **point.parameters}, default=str)]
                          for point in self.points], dtype=object).reshape(-1, 1)
        table = Table.from_numpy(domain, X, metas=metas)
        table.name = "tuning"
        return table


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
         **parameters) -> Tuning:
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
              stop_raising)
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
    tuning = Tuning(training, run.fixed, points, run.stopped, run.parsers, bool(folds))
    if run.parsers and not run.stopped:
        try:
            tuning.parser(callback=lambda report: run.report())     # calibrates the best
        except Cancelled:
            if not run.stopped:
                raise
            tuning.stopped = True
    return tuning


def training_splits(treebank: Treebank, validation: Table | None, share: float,
                    folds: int | None, random_state: int, *, heads: bool = True
                    ) -> list[tuple[Treebank, Treebank]]:
    """Pairs of treebanks to train on and to measure on.

    heads : whether all tokens must have them
    """
    if heads:
        training_sentences(treebank)        # complains of missing heads
    OrNone(WholeNumber(1)).check("folds", folds)
    RealNumber().check("share", share)
    if validation is not None:
        if folds is not None:
            raise InputError("give either a validation treebank or folds, not both")
        return [(treebank, validation_treebank(validation, heads=heads))]
    n = len(treebank)
    if n < 2:
        raise InputError("at least two sentences are needed to hold some out")
    if folds is not None and not 2 <= folds <= n:
        raise InputError(f"folds must be from 2 to {n}, the number of sentences, not "
                         f"{folds}")
    if not 0 < share < 1:
        raise InputError(f"the share for validation must be between 0 and 1, "
                         f"not {share}")
    order = np.random.default_rng(random_state).permutation(n)
    if folds is None:
        size = min(n - 1, max(1, round(share * n)))
        return [(treebank[np.sort(order[size:])], treebank[np.sort(order[:size])])]
    return [(treebank[np.sort(np.setdiff1d(order, part))], treebank[np.sort(part)])
            for part in np.array_split(order, folds)]


def evaluate_parser(parser: Parser, treebank: Treebank,
                    progress: Progress | None = None) -> Evaluation:
    """The scores of a parser, whatever the treebank has been parsed by before."""
    parsed = parser(treebank, progress)
    return evaluate(parsed, list(parsed.predictions)[-1])


class Run:
    """One call of `tune` at work."""

    def __init__(self, treebank: Treebank, grid: Grid, fixed: dict,
                 random_state: int, callback, keep: str = "best",
                 measure: str = "uas", stop_raising: bool = False):
        self.fixed = {"random_state": random_state, **fixed}
        self.checkpoint = self.fixed.pop("checkpoint", None)
        self.measure, self.stop_raising = measure, stop_raising
        self.keep, self.best_rank = keep, (np.inf, 0, 0.)       # loss, setting, C
        self.parsers: dict[tuple[str, float], Parser] = {}
        self.settings = settings_of(grid)
        # learners complain of wrong parameters here, before the work begins
        Cs = grid.get("C", [fixed.get("C", DEFAULTS["C"])])
        for C in Cs:
            C_KIND.check("C", C)
        self.Cs = sorted(Cs)
        check_settings(self.settings, {**self.fixed, "C": self.Cs[0]})
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
                    train, self.Cs, callback)
        else:
            parsers = (self.learner(
                setting, C, checkpoint=numbered_checkpoint(checkpoint, number), **changes).train(
                    train, callback) for number, C in enumerate(self.Cs))
        for C, parser in zip(self.Cs, parsers):
            parser.name = self.learner(setting, C).name
            yield parser

    def kernel(self, setting: dict) -> tuple[InputKernel | None, InputKernel | None]:
        """The input kernel, and the same with all its values computed; none where
        there is no matrix to share."""
        learner = self.learner(setting, 1.)
        if learner.features != "kernel" or learner.nystroem:
            return None, None
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


def mean_point(points: Sequence[Point]) -> Point:
    """One point from those of several folds."""
    def mean(name: str) -> float:
        return float(np.mean([getattr(point, name) for point in points]))

    losses = [point.validation_loss for point in points]
    # interval of a mean over so many folds
    half = 1.96 * float(np.std(losses, ddof=1)) / np.sqrt(len(losses))
    loss = mean("validation_loss")
    return replace(
        points[0], train_loss=mean("train_loss"), validation_loss=loss,
        low=max(0., loss - half), high=min(1., loss + half),
        squared_norm=mean("squared_norm"), seconds=sum(p.seconds for p in points),
        valid_trees=mean("valid_trees"))


def setting_text(setting: Mapping[str, object]) -> str:
    """A setting in words."""
    setting = dict(setting)
    if "kernel" in setting and setting.get("kernel_params"):
        setting["kernel"] = setting["kernel"], setting["kernel_params"]
    if "kernel" in setting:
        setting.pop("kernel_params", None)
    return ", ".join(f"{name} {value_text(name, value)}"
                     for name, value in setting.items())
