"""Parameters of a parser chosen by their loss on sentences it was not trained on."""
from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
)

from orange_structpred.evaluation import evaluate
from orange_structpred.kernels import InputKernel, Precomputed, make_kernel
from orange_structpred.learner import Parser, ParserLearner, as_treebank
from orange_structpred.svm import Report
from orange_structpred.treebank.table import Treebank


@dataclass(frozen=True)
class Point:
    """A setting of the parameters and how well it did.

    Losses are shares of tokens with a wrong head; with folds they are means.
    """

    setting: dict[str, object]      # what the grid varies, but C
    C: float
    train_loss: float
    validation_loss: float
    low: float                      # 95% interval of the validation loss
    high: float
    squared_norm: float             # |w|^2
    seconds: float
    parser: Parser | None = None    # none with folds: there are several

    @property
    def label(self) -> str:
        """The setting in words; empty if the grid varies C alone."""
        return ", ".join(f"{name} {short(value)}"
                         for name, value in self.setting.items())

    @property
    def parameters(self) -> dict[str, object]:
        """What ParserLearner needs besides the parameters that are the same for all."""
        return {**self.setting, "C": self.C}


@dataclass
class Tuning:
    """Results of `tune`, in the order of the grid."""

    treebank: Treebank
    fixed: dict[str, object]
    points: list[Point] = field(default_factory=list)
    stopped: bool = False

    @property
    def best(self) -> Point:
        """The point with the smallest validation loss; the first of several."""
        if not self.points:
            raise ValueError("nothing was tried, so nothing is best")
        return min(self.points, key=lambda point: point.validation_loss)

    def learner(self, point: Point | None = None) -> ParserLearner:
        return ParserLearner(**{**self.fixed, **(point or self.best).parameters})

    def parser(self, point: Point | None = None, callback=None) -> Parser:
        """The parser of a point; after folds, one trained on all sentences."""
        point = point or self.best
        return point.parser or self.learner(point)(self.treebank, callback)

    def to_table(self) -> Table:
        """A row a point."""
        labels = list(dict.fromkeys(point.label for point in self.points))
        numbers = ("C", "train_loss", "validation_loss", "low", "high",
                   "squared_norm", "seconds")
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
class Progress:
    """What a callback gets: a new point, or how far the work is."""

    fraction: float
    point: Point | None = None


def tune(treebank: Table, grid: Mapping[str, Sequence], *,
         validation: Table | None = None, share: float = 0.2,
         folds: int | None = None, random_state: int = 0, n_jobs: int = 1,
         callback: Callable[[Progress], object] | None = None,
         **parameters) -> Tuning:
    """Try all combinations of a grid.

    Parameters
    ----------
    treebank : what to train on
    grid : for names of ParserLearner's parameters the values to try
    validation : treebank on which losses are measured; by default a random
        `share` of the sentences is set aside, or `folds` parts take turns
    n_jobs : so many combinations at the same time
    callback : gets a Progress now and then; stops by returning true
    **parameters : those of ParserLearner that are the same for all

    Values of C are tried in rising order, each starting from the solution before
    it, if the solver is bcfw. Matrices of input kernels are computed once.

    Examples
    --------
    >>> from orange_structpred import load_bundled
    >>> tuning = tune(load_bundled("en")[:60], {"C": [0.01, 1]}, solver="bcfw",
    ...               passes=2)
    >>> [point.C for point in tuning.points]
    [0.01, 1]
    """
    treebank = as_treebank(treebank)
    run = Run(treebank, grid, parameters, random_state, callback)
    run.parts = split(treebank, validation, share, folds, random_state)
    if n_jobs == 1:
        for number in range(len(run.settings)):
            run.try_setting(number)
    else:
        with ThreadPoolExecutor(n_jobs) as pool:
            list(pool.map(run.try_setting, range(len(run.settings))))
    points = [point for number in range(len(run.settings))
              for point in run.points.get(number, [])]
    return Tuning(treebank, parameters, points, run.stopped)


def split(treebank: Treebank, validation: Table | None, share: float,
          folds: int | None, random_state: int) -> list[tuple[Treebank, Treebank]]:
    """Pairs of treebanks to train on and to measure on."""
    if validation is not None:
        return [(treebank, as_treebank(validation))]
    n = len(treebank)
    if n < 2 or (folds is not None and not 2 <= folds <= n):
        raise ValueError(f"{n} sentences cannot be split into "
                         f"{folds or 'training and validation'} parts")
    if not 0 < share < 1:
        raise ValueError(f"the share for validation must be between 0 and 1, "
                         f"not {share}")
    order = np.random.default_rng(random_state).permutation(n)
    if folds is None:
        size = min(n - 1, max(1, round(share * n)))
        return [(treebank[np.sort(order[size:])], treebank[np.sort(order[:size])])]
    return [(treebank[np.sort(np.setdiff1d(order, part))], treebank[np.sort(part)])
            for part in np.array_split(order, folds)]


class Run:
    """One call of `tune` at work."""

    def __init__(self, treebank, grid, fixed, random_state, callback):
        grid = {name: list(values) for name, values in grid.items()}
        empty = [name for name, values in grid.items() if not values]
        if empty:
            raise ValueError(f"the grid has no values for {empty[0]}")
        # learners complain of wrong parameters here, before the work begins
        self.Cs = sorted(grid.pop("C", [fixed.get("C", ParserLearner().C)]))
        self.settings = [dict(zip(grid, values))
                         for values in itertools.product(*grid.values())]
        self.fixed = {"random_state": random_state, **fixed}
        for setting in self.settings:
            for C in self.Cs:
                self.learner(setting, C).make_solver()
        self.treebank, self.callback = treebank, callback
        self.parts: list[tuple[Treebank, Treebank]] = []
        self.points: dict[int, list[Point]] = {}
        self.grams: dict[str, InputKernel] = {}
        self.lock = threading.RLock()
        self.stopped = False
        self.done = 0.

    def learner(self, setting: dict, C: float, **changes) -> ParserLearner:
        return ParserLearner(**{**self.fixed, **setting, "C": C, **changes})

    def tell(self, point: Point | None = None) -> bool:
        """Report, one thread at a time; true when asked to stop."""
        with self.lock:
            total = len(self.settings) * len(self.parts) * len(self.Cs)
            if self.callback is not None and not self.stopped:
                self.stopped = bool(self.callback(Progress(
                    min(1., self.done / total), point)))
            return self.stopped

    def try_setting(self, number: int) -> None:
        setting = self.settings[number]
        if self.stopped:
            return
        if len(self.parts) == 1:
            for point in self.points_of(setting, *self.parts[0]):
                self.points.setdefault(number, []).append(point)
                self.tell(point)
            return
        rows = [list(self.points_of(setting, *part)) for part in self.parts]
        for own in zip(*rows):
            if not self.stopped:
                self.points.setdefault(number, []).append(mean_point(own))
                self.tell(self.points[number][-1])

    def points_of(self, setting: dict, train: Treebank, validation: Treebank
                  ) -> Iterator[Point]:
        """Train and measure for each C."""
        began = time.perf_counter()
        for C, parser in zip(self.Cs, self.parsers(setting, train)):
            if self.stopped:        # a parser that was stopped is not compared
                return
            loss = evaluate(parser(validation))
            low, high = loss.confidence_interval("uas")
            self.done += 1
            now = time.perf_counter()
            yield Point(setting, C, 1 - evaluate(parser(train)).uas, 1 - loss.uas,
                        1 - high, 1 - low, parser.log[-1].norm ** 2, now - began,
                        parser)
            began = now

    def parsers(self, setting: dict, train: Treebank) -> Iterator[Parser]:
        real, shared = self.kernel(setting)
        changes = {"kernel": shared, "kernel_params": None} if shared else {}

        def callback(report: Report) -> bool:
            return self.tell()

        if self.learner(setting, 1.).chosen_solver == "bcfw":
            parsers = self.learner(setting, self.Cs[-1], **changes).path(
                train, self.Cs, callback)
        else:
            parsers = (self.learner(setting, C, **changes)(train, callback)
                       for C in self.Cs)
        for C, parser in zip(self.Cs, parsers):
            parser.name = self.learner(setting, C).name
            if shared:
                parser.model.kernel = real
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
            if key not in self.grams:
                sentences = list({s.block: s for part in self.parts for bank in part
                                  for s in bank.sentences}.values())
                gram = kernel.gram(sentences, n_jobs=learner.n_jobs,
                                   progress=lambda fraction: not self.tell())
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
        parser=None)


def short(value: object) -> str:
    """A parameter's value as a label shows it."""
    if isinstance(value, Mapping):
        return " ".join(f"{name}={short(own)}" for name, own in value.items())
    if isinstance(value, (list, tuple)):
        return " + ".join(map(short, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
