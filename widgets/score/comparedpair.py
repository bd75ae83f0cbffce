"""Two predictions compared, and what came of it in words."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import NamedTuple

from orange_structpred.evaluation import PairedTest, ScoredPrediction, paired_test
from orange_structpred.evaluation.report import measure_of, shown_measures
from orange_structpred.evaluation.scored_prediction import same_sentences
from orange_structpred.widgets.common.phrases import MINUS

SIGNIFICANT = 0.05
NO_BREAK = "\N{NO-BREAK SPACE}"


class ComparedPair(NamedTuple):
    """Two predictions by their names.

    tests : paired tests of what both have, by the name that is shown; None if they
        were scored on different sentences
    """

    a: str
    b: str
    tests: Mapping[str, PairedTest] | None

    def words(self, shown: Callable[[str], str] = str) -> str:
        """HTML.

        shown : how a name is written; names that would look the same are written out
        """
        a, b = shown(self.a), shown(self.b)
        if a == b:
            a, b = self.a, self.b
        if self.tests is None:
            return (f"{named(a)} and {named(b)} were scored on different sentences: "
                    "no paired test.")
        return (f"{comparison_words(a, b, self.tests['UAS'])}<br/>"
                f"Further differences: {further_words(self.tests)}.")


def compare(a: ScoredPrediction, b: ScoredPrediction, punct: bool) -> ComparedPair:
    if not same_sentences(a, b):
        return ComparedPair(a.label, b.label, None)
    tests = {}
    for name in shown_measures([a, b]):
        measure = measure_of(name, punct)
        if measure in a.intervals and measure in b.intervals:
            tests[name] = paired_test(a.evaluation, b.evaluation, measure)
    return ComparedPair(a.label, b.label, tests)


def p_value_text(p_value: float) -> str:
    """p = 0.23, p = 0.004, p < 0.001; never broken over lines"""
    if p_value < 0.001:
        text = "p < 0.001"
    else:
        text = f"p = {p_value:.3f}" if p_value < 0.1 else f"p = {p_value:.2f}"
    return text.replace(" ", NO_BREAK)


def signed_points(share: float) -> str:
    """A difference in percentage points with its sign."""
    points = f"{100 * abs(share):.2f}"
    if float(points) == 0:
        return points
    return f"{'+' if share > 0 else MINUS}{points}"


def named(label: str) -> str:
    return f"<b>{escape(label)}</b>"


def comparison_words(a: str, b: str, test: PairedTest) -> str:
    """HTML: whether a or b has the better UAS, by how much, and how sure one may be."""
    p_value = escape(p_value_text(test.p_value))
    if test.difference == 0:
        return f"{named(a)} and {named(b)} have the same UAS ({p_value})."
    low, high = test.low, test.high
    if test.difference < 0:
        a, b, low, high = b, a, -high, -low
    verdict = "The difference is significant" if test.p_value < SIGNIFICANT \
        else "The difference may be due to chance"
    return (f"{named(a)} is better than {named(b)} by "
            f"{100 * abs(test.difference):.2f} points of UAS "
            f"(95% interval {_bound(low)} to {_bound(high)}). {verdict}: {p_value}.")


def _bound(share: float) -> str:
    return f"{100 * share:.2f}".replace("-", MINUS)


def further_words(tests: Mapping[str, PairedTest]) -> str:
    """HTML: other measures, as differences of the better by UAS from the other."""
    sign = -1 if tests["UAS"].difference < 0 else 1
    return escape("; ".join(
        f"{name} {signed_points(sign * test.difference)} ({p_value_text(test.p_value)})"
        for name, test in tests.items() if name != "UAS"))
