"""A prediction with all its scores."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from Orange.data import Table

from orange_structpred.evaluation.breakdown import Group
from orange_structpred.evaluation.scores import Evaluation
from orange_structpred.treebank import Treebank
from orange_structpred.treebank.columns import SeenSentences


@dataclass
class ScoredPrediction:
    """A prediction with its scores.

    label : what it is called; no two predictions are called the same
    source : index of the treebank it came from
    rows : the row of each scored sentence in the treebank
    intervals : by measure
    groups : by breakdown and whether punctuation counts
    seen : how many of the sentences the parser was trained on
    """

    label: str
    source: int
    treebank: Treebank
    evaluation: Evaluation
    rows: np.ndarray
    intervals: Mapping[str, tuple[float, float]]
    groups: Mapping[tuple[str, bool], list[Group]]
    seen: SeenSentences = SeenSentences()
    _group_intervals: dict[tuple[str, bool], dict[str, tuple[float, float]]] = field(
        default_factory=dict, repr=False)

    def group_intervals(self, by: str, punct: bool) -> dict[str, tuple[float, float]]:
        """By the label of a group, the interval of its UAS; computed when needed."""
        if (by, punct) not in self._group_intervals:
            self._group_intervals[by, punct] = self.evaluation.group_intervals(by, punct)
        return self._group_intervals[by, punct]

    @cached_property
    def token_table(self) -> Table:
        return self.evaluation.token_table()


def same_sentences(a: ScoredPrediction, b: ScoredPrediction) -> bool:
    """Whether two predictions were scored on the same trees, in the same order."""
    return (np.array_equal(a.evaluation.offsets, b.evaluation.offsets)
            and np.array_equal(a.evaluation.gold_heads, b.evaluation.gold_heads)
            and all(x is y or x.forms == y.forms
                    for x, y in zip(a.evaluation.gold, b.evaluation.gold)))
