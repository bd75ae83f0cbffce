"""Learning curves: accuracy against the number of training sentences."""
from __future__ import annotations

import copy
import re
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral, Real

import numpy as np
from Orange.base import Learner, Model
from Orange.data import ContinuousVariable, DiscreteVariable, Table

from orange_structpred.errors import InputError
from orange_structpred.kinds import MOST_SEEDS, WholeNumber
from orange_structpred.learner import ParserLearner
from orange_structpred.learner.effort import (
    expected_pipeline_seconds,
    expected_seconds,
)
from orange_structpred.learner.parameters import DEFAULTS
from orange_structpred.parser import UnknownTagsWarning
from orange_structpred.running.cancellation import Cancelled, Progress, StopEarly
from orange_structpred.svm import Report
from orange_structpred.tables.making import aligned_text, table_of_rows
from orange_structpred.treebank import Treebank, as_treebank
from orange_structpred.treebank.columns import free_names
from orange_structpred.treebank.layers import layer_values
from orange_structpred.tuning.splits import evaluate_parser, training_splits

#: Shares of the training sentences
CURVE_SIZES = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.)
CURVE_MEASURES = ("uas", "las")


@dataclass(frozen=True)
class CurveResult:
    """One training. Scores are shares of tokens, on held-out and training sentences."""

    learner: str
    size: int           # training sentences
    seed: int
    score: float
    train_score: float
    seconds: float      # of training


@dataclass(frozen=True)
class CurvePoint:
    """A learner trained with several seeds on a number of sentences.

    The deviation is that of a sample (divided by n - 1); nan for a single seed.
    """

    learner: str
    size: int
    seeds: int
    score: float
    deviation: float
    train_score: float
    train_deviation: float
    seconds: float


@dataclass
class LearningCurve:
    """What `learning_curve` returns.

    learners : their names, in the order in which they were given
    measures : by the name of a learner, what its scores are: "UAS", "LAS" or the
        layer of a tagger
    sizes : numbers of training sentences
    """

    learners: list[str]
    measures: dict[str, str]
    sizes: list[int]
    seeds: list[int]
    results: list[CurveResult] = field(default_factory=list)
    stopped: bool = False

    @property
    def points(self) -> list[CurvePoint]:
        """By learner and size: means over the seeds that are done."""
        done: dict[tuple[str, int], list[CurveResult]] = {}
        for result in self.results:
            done.setdefault((result.learner, result.size), []).append(result)
        return [mean_result(done[name, size]) for name in self.learners
                for size in self.sizes if (name, size) in done]

    def to_table(self) -> Table:
        """One row per learner and size; scores in percent."""
        columns = ("size", "seeds", "score", "deviation", "train_score",
                   "train_deviation", "seconds")
        return self._table(self.points, columns, "learning curve")

    def results_table(self) -> Table:
        """One row per training; scores in percent."""
        return self._table(self.results, ("size", "seed", "score", "train_score",
                                          "seconds"), "trainings")

    def _table(self, rows: Sequence, columns: Sequence[str], name: str) -> Table:
        measures = list(dict.fromkeys(self.measures.values()))
        variables = [
            DiscreteVariable("learner", self.learners),
            DiscreteVariable("measure", measures),
            *(ContinuousVariable(CURVE_TITLES[column], number_of_decimals=CURVE_DECIMALS.get(
                column, 2)) for column in columns)]
        return table_of_rows(name, variables, [
            (self.learners.index(row.learner), measures.index(self.measures[row.learner]),
             *(100 * getattr(row, column) if column in IN_PERCENT
               else getattr(row, column) for column in columns)) for row in rows])

    def lines(self) -> list[list[str]]:
        """Means and deviations in percent: titles, then a line for each size."""
        points = {(point.learner, point.size): point for point in self.points}
        lines = [["sentences", *(f"{name} ({self.measures[name]})"
                                 for name in self.learners)]]
        for size in self.sizes:
            row = [points.get((name, size)) for name in self.learners]
            lines.append([str(size), *map(point_text, row)])
        return lines

    def text(self) -> str:
        """The lines as plain text."""
        return aligned_text(self.lines(), left=0)

    def __str__(self) -> str:
        return self.text()


CURVE_TITLES = {"size": "sentences", "seeds": "seeds", "seed": "seed", "score": "score",
          "deviation": "deviation", "train_score": "training score",
          "train_deviation": "training deviation", "seconds": "seconds"}
CURVE_DECIMALS = {"size": 0, "seeds": 0, "seed": 0}
IN_PERCENT = ("score", "deviation", "train_score", "train_deviation")


def point_text(point: CurvePoint | None) -> str:
    """As in a paper: 87.12 ± 0.31, or without a deviation if there was one seed."""
    if point is None:
        return "-"
    text = f"{100 * point.score:.2f}"
    return text if np.isnan(point.deviation) else \
        f"{text} ± {100 * point.deviation:.2f}"


def mean_result(results: Sequence[CurveResult]) -> CurvePoint:
    scores, train_scores = (np.array([getattr(result, name) for result in results])
                            for name in ("score", "train_score"))
    several = len(results) > 1
    return CurvePoint(
        results[0].learner, results[0].size, len(results), float(scores.mean()),
        float(scores.std(ddof=1)) if several else np.nan, float(train_scores.mean()),
        float(train_scores.std(ddof=1)) if several else np.nan,
        float(np.mean([result.seconds for result in results])))


@dataclass(frozen=True)
class CurveProgress:
    """What a callback gets: how far the work is, and a result if one is done.

    curve : all results so far
    """

    fraction: float
    curve: LearningCurve
    result: CurveResult | None = None


def learning_curve(treebank: Table, *learners: Learner,
                   validation: Table | None = None, share: float = 0.2,
                   sizes: Sequence[float] = CURVE_SIZES, seeds: int = 3,
                   measure: str = "uas", random_state: int = 0,
                   callback: Callable[[CurveProgress], object] | None = None
                   ) -> LearningCurve:
    """Train learners on more and more sentences, and score them on held-out ones.

    Parameters
    ----------
    treebank : what to train on
    learners : of parsers or taggers. Parsers are scored by `measure`, taggers by the
        share of right tags in their first layer
    validation : treebank to score on; by default a random `share` of the sentences
    sizes : numbers of training sentences, or shares of them as floats up to 1.0
    seeds : number of trainings for each size. Each seed draws different sentences (larger
        samples contain the smaller ones) and is the learner's random_state
    measure : {"uas", "las"}
    random_state : the first seed; also draws what is held out
    callback : gets a CurveProgress now and then; raises StopEarly to end with the results
        so far, Cancelled to end without any

    Examples
    --------
    >>> from orange_structpred import load_bundled, ParserLearner
    >>> curve = learning_curve(load_bundled("en")[:60], ParserLearner(passes=2, order=1),
    ...                        sizes=[12, 24, 1.0], seeds=2)
    >>> [(point.size, point.seeds) for point in curve.points]
    [(12, 2), (24, 2), (48, 2)]
    """
    if measure not in CURVE_MEASURES:
        raise InputError(f"measure must be 'uas' or 'las', not {measure!r}")
    WholeNumber(1).check("seeds", seeds)
    WholeNumber(0, MOST_SEEDS - seeds).check("random_state", random_state)
    check_learners(learners)
    (training, held_out), = training_splits(
        as_treebank(treebank), validation, share, None, random_state,
        heads=not all(map(is_tagging, learners)))
    names = free_names([learner.name for learner in learners])
    curve = LearningCurve(
        names, {name: measure_name(learner, measure) for name, learner in zip(names, learners)},
        absolute_sizes(sizes, len(training)),
        list(range(random_state, random_state + seeds)))
    # a training takes about as long as it has sentences
    work = sum(curve.sizes) * seeds * len(learners)
    done = 0

    def report(begun: float = 0., result: CurveResult | None = None) -> None:
        if callback is None:
            return
        try:
            callback(CurveProgress(min(1., (done + begun) / work), curve, result))
        except StopEarly:
            curve.stopped = True
            raise Cancelled from None       # a part of a training is not compared

    def report_of(size: int, fraction: float, text: str = "") -> None:
        report(fraction * size)

    for size in curve.sizes:
        for seed in curve.seeds:
            order = np.random.default_rng(seed).permutation(len(training))
            part = training[np.sort(order[:size])]
            for name, learner in zip(names, learners):
                try:
                    result = one_training(
                        name, with_seed(learner, seed), part, held_out, measure, seed,
                        partial(report_of, size))
                    curve.results.append(result)
                    done += size
                    report(result=result)
                except Cancelled:
                    if not curve.stopped:
                        raise
                    return curve
    return curve


def one_training(name: str, learner: Learner, training: Treebank, held_out: Treebank,
                 measure: str, seed: int, progress: Progress) -> CurveResult:
    def observe(report: Report) -> None:
        progress(report.fraction if report.pass_ else 0.)

    def scoring(fraction: float, text: str = "") -> None:
        progress(1.)

    began = time.perf_counter()
    # how sure a parser is of its heads makes no difference to its score
    train = learner if is_tagging(learner) else learner.train
    model = train(training, observe)
    seconds = time.perf_counter() - began
    return CurveResult(
        name, len(training), seed, model_score(model, held_out, measure, scoring),
        model_score(model, training, measure, scoring), seconds)


def model_score(model: Model, treebank: Treebank, measure: str, progress: Progress
                ) -> float:
    """The accuracy of a parser, or of a tagger in its first layer."""
    if is_tagging(model):
        layer = model.layers[0]
        predicted = model.predict(treebank.sentences, progress=progress)[layer]
        return float(np.mean([
            right == value for sentence, values in zip(treebank.sentences, predicted)
            for right, value in zip(layer_values(sentence, layer), values)]))
    with warnings.catch_warnings():     # that few sentences have few tags is no surprise
        warnings.simplefilter("ignore", UnknownTagsWarning)
        score = evaluate_parser(model, treebank, progress).score(measure)
    if score is None:
        raise InputError("there are no relations to score by LAS; use measure='uas'")
    return score


def is_tagging(learner_or_model: Learner | Model) -> bool:
    return hasattr(learner_or_model, "layers")


def expected_learner_seconds(learner: Learner, *, tokens: int, sentences: int) -> float:
    """The time that a training takes, roughly, without compilation."""
    if is_tagging(learner):
        return expected_pipeline_seconds(passes=learner.passes, trees=False,
                                         tokens=tokens, sentences=sentences)
    settings = {name: value for name, value in vars(learner).items() if name in DEFAULTS}
    return expected_seconds(settings, tokens=tokens, sentences=sentences)


def measure_name(learner: Learner, measure: str) -> str:
    return str(learner.layers[0]) if is_tagging(learner) else measure.upper()


def check_learners(learners: Sequence[Learner]) -> None:
    if not learners:
        raise InputError("at least one learner is needed")
    for learner in learners:
        if not (isinstance(learner, ParserLearner) or is_tagging(learner)):
            raise InputError(f"{getattr(learner, 'name', learner)!s} is not a learner of "
                             "parsers or taggers")
        learner.check()


def with_seed(learner: Learner, seed: int) -> Learner:
    """The learner for one training; a checkpoint would belong to another one."""
    learner = copy.copy(learner)
    learner.random_state = seed
    if getattr(learner, "checkpoint", None) is not None:
        learner.checkpoint = None
    return learner


def absolute_sizes(sizes: Sequence[float], most: int) -> list[int]:
    """Numbers of sentences in rising order, each once, from numbers and shares."""
    whole: set[int] = set()
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, Real):
            raise InputError(f"sizes must be numbers of sentences or shares of them, "
                             f"not {size!r}")
        if isinstance(size, Integral):
            if not 1 <= size <= most:
                raise InputError(f"sizes must be from 1 to {most}, the number of "
                                 f"training sentences, not {size}")
            whole.add(int(size))
        elif 0 < size <= 1:
            whole.add(max(1, round(size * most)))
        else:
            raise InputError(f"shares must be above 0 and at most 1.0 (100%), not "
                             f"{size:g} ({100 * size:g}%)")
    if not whole:
        raise InputError("give at least one size")
    return sorted(whole)


def parse_sizes(text: str) -> list[float]:
    """Sizes as they are typed: numbers of sentences, and shares of them with %.

    >>> parse_sizes("100, 12.5%, 100%")
    [100, 0.125, 1.0]
    """
    if comma := re.search(r"(?<!\d)\d{1,2},\d+ *%", text):
        raise InputError(f"{comma[0]!r} is ambiguous: write "
                         f"{comma[0].replace(',', '.')!r} for one percentage, or "
                         f"{comma[0].replace(',', ', ')!r} for two sizes")
    sizes: list[float] = []
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            sizes.append(float(part[:-1]) / 100 if part.endswith("%") else int(part))
        except ValueError:
            raise InputError(f"found {part!r}, expected a number of sentences, such as "
                             "100, or a share of them, such as 50%") from None
    return sizes
