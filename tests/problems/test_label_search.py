from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.problems import MultilabelSVM
from orange_structpred.problems.label_search import best_label_set
from orange_structpred.svm.linear import LinearModel
from tests.problems.toy import label_sets


@pytest.mark.parametrize("seed", range(20))
def test_search_as_enumeration(seed):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 8)
    weights, pairs = rng.normal(size=n), np.triu(rng.normal(size=(n, n)), 1)
    pairs += pairs.T

    def score(z):
        return weights @ z + z @ pairs @ z / 2

    for size in range(-1, n + 1):
        found = best_label_set(weights, pairs, size)
        assert size in (-1, found.sum())
        assert_allclose(score(found), max(
            score(np.array(z)) for z in product((0, 1), repeat=n) if size in (-1, sum(z))))


@pytest.mark.parametrize("inference", ["search", "graph", "milp"])
@pytest.mark.parametrize("loss", ["hamming", "f1"])
@pytest.mark.parametrize("sign", [1, None])
def test_inference_as_enumeration(inference, loss, sign):
    """Also where all pairs attract each other, which a cut solves."""
    problem = label_sets(n_labels=4, loss=loss, inference=inference)
    listed = label_sets(n_labels=4, loss=loss, inference="enumeration")
    w = np.random.default_rng(0).normal(size=problem.dim)
    if sign is not None:
        w[-6:] = np.abs(w[-6:])
    model = LinearModel.of(w)
    for i in range(len(problem)):
        values = []
        for each in (problem, listed):
            best, worst = each.best(i, model), each.most_violated(i, model)
            values.append([model.dot(i, each.difference(i, best)),
                           each.example_loss(i, worst)
                           - model.dot(i, each.difference(i, worst))])
        assert_allclose(*values)


def test_many_labels_with_all_pairs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5))
    Y = (X @ rng.normal(size=(5, 14)) > 0).astype(int)
    estimator = MultilabelSVM(C=10, tol=0.05).fit(X, Y)
    assert estimator.converged_ and len(estimator.pairs_) == 91
    assert (estimator.predict(X) == Y).mean() > 0.85
    heavy = MultilabelSVM(C=10, tol=0.05).fit(X, Y, sample_weight=np.repeat([2, 1], 20))
    assert heavy.converged_
