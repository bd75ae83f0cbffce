"""How far scores can be trusted: resampling over sentences.

Each measure is a quotient of two sums over sentences (correct / counted), and
sentences, not tokens, are what was drawn when a treebank was made. Sentences
with equal counts are exchangeable, so instead of drawing sentences one by one
the number of occurrences of each kind of sentence is drawn: the distribution is the
same, with hundreds of times less work.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from orange_structpred.errors import InputError

if TYPE_CHECKING:
    from orange_structpred.evaluation.scores import Evaluation

#: Resamples of a bootstrap; and, being cheap, assignments of a randomisation.
N_SAMPLES = 2_000
ASSIGNMENTS = 10_000


class PairedTest(NamedTuple):
    """The comparison of two predictions for one treebank.

    difference : a's score minus b's, a share
    low, high : paired bootstrap confidence interval of the difference
    p_value : of the hypothesis that both predictions are equally good
    """
    difference: float
    low: float
    high: float
    p_value: float


def bootstrap_sums(kinds: np.ndarray, frequencies: np.ndarray, *,
                   samples: int = N_SAMPLES, random_state: int = 0) -> np.ndarray:
    """Sums of counts over resampled sentences.

    kinds : integer array, the counts of each kind of sentence in a row, sorted
    frequencies : how many sentences there are of each
    returns : array (samples, columns of kinds)
    """
    n = frequencies.sum()
    rng = np.random.default_rng(random_state)
    drawn = rng.multinomial(n, frequencies / n, size=samples)
    return drawn @ kinds


def percentiles(values: np.ndarray, level: float) -> tuple[float, float]:
    """The interval that leaves (1 - level) / 2 of the values on each side."""
    # Resamples in which no token counts have no score and say nothing.
    values = values[~np.isnan(values)]
    if not len(values):
        return np.nan, np.nan
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def quotient(correct: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """correct / counted, nan where nothing was counted."""
    correct, counted = np.asarray(correct, float), np.asarray(counted, float)
    return np.divide(correct, counted, out=np.full(correct.shape, np.nan),
                     where=counted > 0)


def confidence_interval(correct: np.ndarray, counted: np.ndarray, *,
                        level: float = 0.95, random_state: int = 0
                        ) -> tuple[float, float]:
    """Percentile bootstrap interval of sum(correct) / sum(counted)."""
    if not 0 < level < 1:
        raise InputError(f"level must be between 0 and 1, not {level}")
    if not len(correct):
        return np.nan, np.nan
    return interval_of_kinds(
        *np.unique(np.column_stack([correct, counted]), axis=0, return_counts=True),
        level=level, random_state=random_state)


def interval_of_kinds(kinds: np.ndarray, frequencies: np.ndarray, *,
                      level: float = 0.95, random_state: int = 0
                      ) -> tuple[float, float]:
    """The same, from the sorted kinds (correct, counted) and how many there are of each.
    """
    if not len(kinds):
        return np.nan, np.nan
    sums = bootstrap_sums(kinds, frequencies, random_state=random_state)
    return percentiles(quotient(sums[:, 0], sums[:, 1]), level)


def randomization_p_value(differences: np.ndarray, *, samples: int = ASSIGNMENTS,
                          random_state: int = 0) -> float:
    """Two-sided approximate randomization test (Noreen 1989).

    differences : per sentence, correct of a minus correct of b. If the two
    predictions were equally good, each difference could just as well have had the
    opposite sign.
    """
    sizes, frequencies = np.unique(np.abs(differences), return_counts=True)
    rng = np.random.default_rng(random_state)
    positive = rng.binomial(frequencies, 0.5, size=(samples, len(sizes)))
    shuffled = (2 * positive - frequencies) @ sizes
    extreme = np.abs(shuffled) >= abs(differences.sum())
    # The observed assignment of signs is one of those possible.
    return float((1 + extreme.sum()) / (1 + samples))


def paired_test(a: Evaluation, b: Evaluation, measure: str = "uas", *,
                level: float = 0.95, random_state: int = 0) -> PairedTest:
    """Compare two predictions of the same treebank, sentence by sentence.

    The interval comes from the paired bootstrap (both predictions are scored
    on the same resampled sentences), the p-value from approximate
    randomization. The same `random_state` gives the same numbers.
    """
    correct_a, counted = a.counts(measure)
    correct_b, counted_b = b.counts(measure)
    if not np.array_equal(a.gold_heads, b.gold_heads) \
            or not np.array_equal(counted, counted_b):
        raise InputError(
            f"'{a.name}' and '{b.name}' were not scored on the same treebank")
    if not len(counted):
        raise InputError("cannot compare predictions: the treebank has no sentences")
    differences = correct_a - correct_b
    sums = bootstrap_sums(
        *np.unique(np.column_stack([differences, counted]), axis=0, return_counts=True),
        random_state=random_state)
    low, high = percentiles(quotient(sums[:, 0], sums[:, 1]), level)
    return PairedTest(
        float(quotient(differences.sum(), counted.sum())), low, high,
        randomization_p_value(differences, random_state=random_state))
