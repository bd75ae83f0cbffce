"""Reliability diagrams and calibration error."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred import calibration
from orange_structpred.evaluation import reliability
from orange_structpred.treebank import load_bundled

BANK = load_bundled("en")[:30]


def test_bins():
    found = reliability(np.array([0.05, 0.15, 0.95, 1., 0.95, 0.95]),
                        np.array([0, 1, 1, 1, 0, 1]), bins=10)
    assert found.counts.tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0, 4]
    assert_allclose(found.confidence[[0, 1, 9]], [0.05, 0.15, 0.9625])
    assert_allclose(found.accuracy[[0, 1, 9]], [0, 1, 0.75])
    assert np.isnan(found.accuracy[5])
    assert_allclose(found.ece, (0.05 + 0.85 + 4 * 0.2125) / 6)


def test_true_probabilities_have_no_error():
    rng = np.random.default_rng(0)
    shares = rng.random(100_000)
    right = rng.random(100_000) < shares
    assert reliability(shares, right).ece < 0.01
    assert reliability(shares ** 2, right).ece > 0.1


def test_of_a_treebank():
    heads = [own.heads.copy() for own in BANK.sentences]
    heads[0][0] = heads[0][0] % len(heads[0]) + 1
    shares = [np.full(len(own), 0.5) for own in heads]
    shares[1][:] = np.nan
    bank = BANK.with_prediction("sure", heads, None, shares)
    found = calibration(bank)
    n = sum(map(len, heads)) - len(heads[1])
    assert found.counts.sum() == n
    assert_allclose(found.ece, (n - 1) / n - 0.5)
    assert calibration(bank, "sure", bins=3).counts.tolist() == [0, n, 0]


def test_what_is_missing():
    with pytest.raises(ValueError, match="has no prediction"):
        calibration(BANK)
    heads = [own.heads for own in BANK.sentences]
    with pytest.raises(ValueError, match="has no probabilities"):
        calibration(BANK.with_prediction("heads", heads))
    with pytest.raises(ValueError, match="has no prediction 'other'"):
        calibration(BANK.with_prediction("heads", heads), "other")
