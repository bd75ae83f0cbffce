"""UAS by groups of tokens: what a chart of it shows."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from orange_structpred.evaluation import Group, ScoredPrediction

# Distinct for colour-blind eyes, on light and dark backgrounds
COLOURS = ("#0a7fc2", "#e69f00", "#009e73", "#cc79a7", "#8c8c8c")
MOST_PARSERS = len(COLOURS)

#: Of breakdowns that are called otherwise where more than a name is needed
BREAKDOWN_TITLES = {"relation": "relation without subtypes"}

#: Orders of the groups: as they are made, or by what is seen in them
ORDERS = DEFAULT_ORDER, BY_TOKENS, BY_ERRORS, BY_UAS = (
    "Default", "Most tokens first", "Most errors first", "Lowest UAS first")


class Bar(NamedTuple):
    """How well a parser attached the tokens of a group; none if there are none."""

    parser: int
    label: str
    tokens: int
    correct: int
    sentences: int
    interval: tuple[float, float] | None = None     # of UAS, if it is shown

    @property
    def uas(self) -> float:
        return self.correct / self.tokens


class Chart(NamedTuple):
    """What is drawn.

    title : above the bars
    parsers : names, by which bars are told apart
    labels : of the groups, in their order
    bars : of the groups that have tokens, group after group
    lowest : where the axis begins, a share
    """

    title: str
    parsers: Sequence[str]
    labels: Sequence[str]
    bars: Sequence[Bar]
    lowest: float = 0.

    def first(self, groups: int) -> Chart:
        """The chart of so many groups, the first."""
        labels = self.labels[:groups]
        known = set(labels)
        return self._replace(
            title=f"{self.title}: {groups} of {len(self.labels)} groups", labels=labels,
            bars=[bar for bar in self.bars if bar.label in known])

    def counts(self, label: str) -> str:
        """How many tokens are in a group; from, to if it differs by parser."""
        counts = sorted({bar.tokens for bar in self.bars if bar.label == label})
        return "n = " + "–".join(f"{count:,}" for count in
                                 dict.fromkeys((counts[0], counts[-1])))


def make_chart(scored: Sequence[ScoredPrediction], by: str, punct: bool, *,
               order: str = DEFAULT_ORDER, intervals: bool = False,
               from_zero: bool = True) -> Chart:
    """The chart of some predictions by a breakdown.

    order : one of `ORDERS`
    """
    groups = [{group.label: group for group in result.groups[by, punct]}
              for result in scored]
    bars = [Bar(number, label, group[label].tokens, group[label].correct,
                len(group[label].sentences),
                scored[number].group_intervals(by, punct)[label] if intervals else None)
            for label in ordered(scored, by, groups, order)
            for number, group in enumerate(groups) if label in group]
    lowest = 0.
    if not from_zero and bars:
        # The tens below the lowest bar, so that this one can be seen
        seen = [min([bar.uas, *(bar.interval or ())]) for bar in bars]
        lowest = max(0, int(100 * min(seen) - 1) // 10 * 10) / 100
    tokens = "tokens" if punct else "tokens without punctuation"
    return Chart(f"UAS by {BREAKDOWN_TITLES.get(by, by)} (% of {tokens})",
                 [result.label for result in scored],
                 list(dict.fromkeys(bar.label for bar in bars)), bars, lowest)


def ordered(scored: Sequence[ScoredPrediction], by: str, groups: Sequence[Mapping[str, Group]],
            order: str) -> list[str]:
    """The labels of all groups in one of `ORDERS`; equal ones as in the default."""
    tokens, errors = Counter(), Counter()
    for by_label in groups:
        tokens.update({label: group.tokens for label, group in by_label.items()})
        errors.update({label: group.tokens - group.correct
                       for label, group in by_label.items()})
    defaults = [result.evaluation.grouping(by)[1] for result in scored]
    if all(default == defaults[0] for default in defaults):
        labels = [label for label in (defaults[0] if defaults else ())
                  if label in tokens]
    else:       # by frequency, and other treebanks have other frequencies
        labels = sorted(tokens, key=lambda label: (-tokens[label], label))
    keys = {BY_TOKENS: lambda label: -tokens[label],
            BY_ERRORS: lambda label: -errors[label],
            BY_UAS: lambda label: -errors[label] / tokens[label]}
    return sorted(labels, key=keys[order]) if order in keys else labels


def charted(order: Sequence[int], selected: Sequence[int]) -> list[int]:
    """Which predictions a chart has room for: the selected first, then others.

    order : numbers of all predictions as the table has them
    """
    chosen = [number for number in order if number in selected]
    others = [number for number in order if number not in selected]
    return sorted([*chosen, *others][:MOST_PARSERS])
