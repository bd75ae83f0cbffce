from itertools import product

import numpy as np
import pytest

from orange_structpred.evaluation import Evaluation, evaluate_sentences, paired_test
from orange_structpred.evaluation.significance import (
    confidence_interval,
    randomization_p_value,
)
from tests.evaluation.toy import GOLD, PREDICTED, sentence

N = 60


@pytest.fixture(scope="module")
def gold():
    rng = np.random.default_rng(3)
    return [sentence("x X 0 root\n" + "x X 1 dep\n" * rng.integers(1, 20))
            for _ in range(N)]


def noisy(gold, share, seed):
    """A prediction in which this share of heads is wrong."""
    rng = np.random.default_rng(seed)
    heads = [np.where(rng.random(len(each)) < share, 2, each.heads) for each in gold]
    return Evaluation(gold, heads, name=f"{share} wrong")


@pytest.mark.parametrize("measure", ["uas", "complete", "root"])
def test_interval_as_if_sentences_were_drawn_one_by_one(gold, measure):
    evaluation = noisy(gold, 0.2, 1)
    correct, counted = evaluation.counts(measure)
    rng = np.random.default_rng(5)
    scores = []
    for _ in range(4000):
        drawn = rng.integers(N, size=N)
        scores.append(correct[drawn].sum() / counted[drawn].sum())
    # Shares of sentences come in steps of 1 / N; a quantile may be one off.
    np.testing.assert_allclose(
        evaluation.confidence_interval(measure),
        np.quantile(scores, [0.025, 0.975]),
        atol=0.01 if measure == "uas" else 1.01 / N)


def test_interval_holds_the_score_and_grows_with_the_level(gold):
    evaluation = noisy(gold, 0.2, 1)
    low, high = evaluation.confidence_interval("uas")
    lower, higher = evaluation.confidence_interval("uas", level=0.99)
    assert lower < low < evaluation.uas < high < higher


def test_interval_covers_the_truth_as_often_as_it_says(gold):
    hits = 0
    for seed in range(100):
        low, high = noisy(gold, 0.2, 100 + seed).confidence_interval(level=0.9)
        hits += low <= 0.8 <= high
    assert 80 <= hits <= 98


def test_same_seed_same_interval(gold):
    evaluation = noisy(gold, 0.2, 1)
    first = evaluation.confidence_interval(random_state=1)
    assert first == evaluation.confidence_interval(random_state=1)
    assert first != evaluation.confidence_interval(random_state=2)


def test_interval_of_what_cannot_vary():
    assert evaluate_sentences(GOLD, GOLD).confidence_interval() == (1, 1)
    low, high = evaluate_sentences(GOLD[:1], PREDICTED[:1]).confidence_interval()
    assert low == high == pytest.approx(4 / 5)
    assert np.isnan(confidence_interval(np.array([], int), np.array([], int))).all()
    # One of two sentences is punctuation only: some resamples are empty.
    low, high = confidence_interval(np.array([3, 0]), np.array([4, 0]))
    assert low == high == 3 / 4


def test_level():
    with pytest.raises(ValueError, match="level must be .*, not 95"):
        evaluate_sentences(GOLD, GOLD).confidence_interval(level=95)


def test_p_value_against_all_assignments_of_signs():
    differences = np.array([3, -1, 2, 0, 1, 1, -2, 4, 0, 1])
    sums = [abs(np.dot(signs, differences)) for signs in product([-1, 1], repeat=10)]
    exact = np.mean(np.array(sums) >= differences.sum())
    assert randomization_p_value(differences, samples=100_000) \
        == pytest.approx(exact, abs=0.005)


def test_p_value_is_uniform_if_both_are_equally_good(gold):
    values = [paired_test(noisy(gold, 0.2, seed), noisy(gold, 0.2, 1000 + seed)
                          ).p_value for seed in range(100)]
    assert np.sum(np.array(values) <= 0.05) <= 12
    assert 0.4 < np.mean(values) < 0.6


def test_better_prediction(gold):
    good, bad = noisy(gold, 0.05, 1), noisy(gold, 0.2, 2)
    test = paired_test(good, bad)
    assert test.difference == pytest.approx(good.uas - bad.uas)
    assert 0 < test.low < test.difference < test.high
    assert test.p_value < 0.001
    back = paired_test(bad, good)
    assert back.difference == pytest.approx(-test.difference)
    assert back.p_value == test.p_value


def test_same_prediction_twice(gold):
    evaluation = noisy(gold, 0.2, 1)
    assert paired_test(evaluation, evaluation) == (0, 0, 0, 1)
    assert paired_test(evaluation, evaluation, "complete") == (0, 0, 0, 1)


def test_other_treebank(gold):
    with pytest.raises(ValueError, match="'0.2 wrong' and 'toy' were not scored on"):
        paired_test(noisy(gold, 0.2, 1), evaluate_sentences(GOLD, PREDICTED, "toy"))
