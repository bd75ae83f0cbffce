"""Where the errors are: accuracy over groups of tokens.

All groups are based on the gold tree (after McDonald & Nivre 2007), so that two
predictions for one treebank have the same groups.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.evaluation import significance
from orange_structpred.treebank.distinct import by_frequency

if TYPE_CHECKING:
    from orange_structpred.evaluation.scores import Evaluation

#: The first value of each bin; the last bin is open.
LENGTH_BINS = (1, 11, 21, 31, 41, 51)
ARC_BINS = (1, 2, 3, 4, 5, 6, 11, 21)
DEPTH_BINS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

ROOT_GROUP = "root"
HEAD_LEFT, HEAD_RIGHT = "head to the left", "head to the right"
PROJECTIVE_EDGES, NON_PROJECTIVE_EDGES = "projective", "non-projective"


@dataclass(frozen=True)
class Group:
    """Tokens with a common property, and how accurately they were attached.

    sentences : sorted indices of the sentences in which these tokens stand
    """
    label: str
    tokens: int
    correct: int
    sentences: np.ndarray

    @property
    def uas(self) -> float:
        return self.correct / self.tokens


def binned(values: np.ndarray, starts: Sequence[int]
           ) -> tuple[np.ndarray, list[str]]:
    """Which bin each value is in, and the labels of the bins."""
    ends = [start - 1 for start in starts[1:]]
    labels = [str(start) if start == end else f"{start}-{end}"
              for start, end in zip(starts, ends)]
    return (np.searchsorted(starts, values, side="right") - 1,
            labels + [f"{starts[-1]}+"])


def _sentence_length(evaluation: Evaluation):
    lengths = np.diff(evaluation.offsets)
    return binned(lengths[evaluation.sentence_of], LENGTH_BINS)


def _arc_length(evaluation: Evaluation):
    # An arc from the artificial root has no length worth comparing.
    codes, labels = binned(evaluation.arc_lengths, ARC_BINS)
    return np.where(evaluation.gold_heads == 0, 0, codes + 1), [ROOT_GROUP] + labels


def _direction(evaluation: Evaluation):
    heads = evaluation.gold_heads
    return (np.select([heads == 0, heads < evaluation.positions], [0, 1], 2),
            [ROOT_GROUP, HEAD_LEFT, HEAD_RIGHT])


def _projectivity(evaluation: Evaluation):
    return (np.where(evaluation.projective, 0, 1),
            [PROJECTIVE_EDGES, NON_PROJECTIVE_EDGES])


#: What tokens can be grouped by: a function that gives each token the number
#: of its group, and the labels of all groups in the order to show them.
GROUPINGS: dict[str, Callable[[Evaluation], tuple[np.ndarray, list[str]]]] = {
    "sentence length": _sentence_length,
    "arc length": _arc_length,
    "direction": _direction,
    "distance to root": lambda evaluation: binned(evaluation.depths, DEPTH_BINS),
    "PoS": lambda evaluation: by_frequency(evaluation.upos),
    "relation": lambda evaluation: by_frequency(evaluation.gold_relations),
    "relation with subtypes": lambda evaluation: by_frequency(evaluation.gold_deprels),
    "projectivity": _projectivity,
}
BREAKDOWNS = tuple(GROUPINGS)


def breakdown(evaluation: Evaluation, by: str, punct: bool = True
              ) -> list[Group]:
    """The groups of tokens that occur, see `Evaluation.breakdown`."""
    codes, labels = evaluation.grouping(by)
    counted = evaluation.counted(punct)
    groups = []
    for code, label in enumerate(labels):
        members = np.flatnonzero(counted & (codes == code))
        if len(members):
            groups.append(Group(
                label, len(members),
                int(evaluation.head_correct[members].sum()),
                np.unique(evaluation.sentence_of[members])))
    return groups


def group_intervals(evaluation: Evaluation, by: str, punct: bool = True
                    ) -> dict[str, tuple[float, float]]:
    """See `Evaluation.group_intervals`."""
    codes, labels = evaluation.grouping(by)
    counted = evaluation.counted(punct)
    result = {}
    for code in np.unique(codes[counted]):
        members = counted & (codes == code)
        tokens, right = (
            np.bincount(evaluation.sentence_of[chosen], minlength=evaluation.sentences)
            for chosen in (members, members & evaluation.head_correct))
        result[labels[code]] = significance.confidence_interval(right, tokens)
    return result
