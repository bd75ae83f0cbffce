"""Probabilities of structured SVMs on tables."""
import numpy as np
import pytest
from Orange.data import Table
from sklearn.metrics import roc_auc_score

from orange_structpred.problems.class_probabilities import fit_class_temperature
from orange_structpred.problems.tables import StructuredSVMLearner


@pytest.fixture(scope="module")
def halves():
    table = Table("heart_disease")
    order = np.random.default_rng(0).permutation(len(table))
    return table[order[:150]], table[order[150:]]


def test_probabilities_are_calibrated(halves):
    train, test = halves
    model = StructuredSVMLearner(C=1.)(train)
    values, probabilities = model(test, model.ValueProbs)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), values)
    assert 0.02 < np.quantile(probabilities[:, 1], 0.25) < 0.98     # neither 0 nor 1
    right = np.mean(values == test.Y)
    assert abs(probabilities.max(axis=1).mean() - right) < 0.08
    # ranks are those of the scores: more than labels alone can tell
    assert roc_auc_score(test.Y, probabilities[:, 1]) > roc_auc_score(test.Y, values) + 0.02


def test_more_classes(halves):
    table = Table("iris")
    model = StructuredSVMLearner(C=10.)(table[::2])
    values, probabilities = model(table[1::2], model.ValueProbs)
    assert probabilities.shape == (75, 3)
    np.testing.assert_array_equal(probabilities.argmax(axis=1), values)


def test_too_few_examples_have_no_probabilities():
    table = Table("iris")[[0, 1, 50, 51, 100, 101]]
    model = StructuredSVMLearner()(table)
    assert model.temperature is None
    assert set(np.unique(model(table, model.Probs))) <= {0., 1.}


def test_the_temperature_is_the_best_of_many():
    rng = np.random.default_rng(1)
    scores, codes = rng.normal(size=(50, 3)), rng.integers(3, size=50)

    def loss(temperature):
        shares = np.exp(scores / temperature)
        return -np.log(shares[np.arange(50), codes] / shares.sum(axis=1)).mean()

    best = fit_class_temperature(scores, codes)
    assert all(loss(best) <= loss(other) + 1e-9 for other in np.geomspace(0.1, 100, 200))
