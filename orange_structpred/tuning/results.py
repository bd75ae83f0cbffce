"""What `tune` found: the settings it tried, how well they did, and the best parser."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, StringVariable, Table

from orange_structpred.errors import InputError
from orange_structpred.learner import ParserLearner
from orange_structpred.parser import Parser
from orange_structpred.tables.making import table_of_rows
from orange_structpred.treebank import Treebank
from orange_structpred.tuning.grids import value_text


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
    unlabelled: Treebank | None = None

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
            parser = learner.train(self.training, callback, unlabelled=self.unlabelled)
        elif parser is None:
            # the path that led there, so that it is the same parser again
            Cs = sorted(other.C for other in self.points
                        if other.label == point.label and other.C <= point.C)
            *_, parser = learner.path(self.training, Cs, callback, self.unlabelled)
            parser.name = learner.name
        learner.cross_calibrate(parser, self.training, callback, self.unlabelled)
        return parser

    def to_table(self) -> Table:
        """One row per point."""
        labels = list(dict.fromkeys(point.label for point in self.points))
        numbers = ("C", "train_loss", "validation_loss", "low", "high",
                   "squared_norm", "seconds", "valid_trees")
        variables = [
            DiscreteVariable("setting", labels or ("",)),
            *(ContinuousVariable(name.replace("_", " "), number_of_decimals=4)
              for name in numbers), StringVariable("parameters")]
        return table_of_rows("tuning", variables, [
            (labels.index(point.label), *(getattr(point, name) for name in numbers),
             json.dumps({**self.fixed, **point.parameters}, default=str))
            for point in self.points])


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
