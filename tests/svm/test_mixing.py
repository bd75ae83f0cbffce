"""Shards whose weights are mixed."""
from copy import copy

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from orange_structpred.svm import MIRA, Perceptron, mixing
from orange_structpred.svm.mixing import (
    Change,
    Mixture,
    ShardRound,
    mixed_shards,
    n_rounds,
    run_round,
)
from tests.svm.toy import classes


@pytest.fixture
def problem():
    return classes(n=30, seed=1)


def test_a_round_is_what_the_solver_does(problem):
    """Against a plain loop over the same examples, from weights that are not zero."""
    solver = MIRA(C=0.1, random_state=3)
    model = problem.new_model(averaging=True)
    weights = np.random.default_rng(0).normal(size=len(model.w)).astype(model.w.dtype)
    seen = []
    for round_ in range(4):
        found = run_round(problem, weights, ShardRound(copy(solver), 3, 1, 2, 4, round_))
        order = np.random.default_rng([3, 2, 1]).permutation(np.arange(1, 30, 3))
        examples = np.array_split(order, 4)[round_]
        model = problem.new_model(averaging=True)
        model.w[:] = weights
        history = []
        for step, i in enumerate(examples):
            history.append(model.w.copy())
            solver.update(problem, model, int(i), step, len(examples))
        change = np.zeros_like(weights)
        change[found.places] = found.weights
        assert_allclose(weights + change, model.w, rtol=1e-5)
        change[:] = 0
        change[found.places] = found.average
        # the average is over the weights after each step
        after = [*history[1:], model.w]
        assert_allclose(weights + change, np.mean(after, axis=0), atol=1e-5)
        assert found.examples == len(examples)
        seen += examples.tolist()
    assert sorted(seen) == list(range(1, 30, 3))


def test_mixture_moves_by_the_mean_with_momentum():
    mixture = Mixture(np.zeros(3), shards=2)
    changes = [Change(np.array([0, 1]), np.array([1., 2.]), np.array([0.5, 1.]), 0, 0, 3),
               Change(np.array([1, 2]), np.array([2., 4.]), np.array([1., 2.]), 0, 0, 1)]
    mean, halfway = np.array([0.75, 2., 1.]), np.array([0.375, 1., 0.5])
    mixture.add(changes)
    assert_allclose(mixture.weights, mean)
    mixture.add(changes)
    assert_allclose(mixture.weights, mean + 1.5 * mean)
    assert_allclose(mixture.average().w, (halfway + mean + halfway) / 2)
    mixture.restart_average()
    mixture.add(changes)
    assert_allclose(mixture.average().w, 2.5 * mean + halfway)


def test_mixture_is_restored():
    rng = np.random.default_rng(0)

    def change():
        places = np.sort(rng.choice(9, 4, replace=False))
        return Change(places, rng.normal(size=4), rng.normal(size=4), 0, 0, 5)

    mixture, other = Mixture(np.zeros(9), 3), Mixture(np.zeros(9), 3)
    mixture.add([change(), change(), change()])
    other.restore({name: np.array(value) for name, value in mixture.state().items()})
    changes = [change(), change(), change()]
    mixture.add(changes)
    other.add(changes)
    assert_array_equal(other.weights, mixture.weights)
    assert_array_equal(other.average().w, mixture.average().w)


def test_numbers_of_shards_and_rounds():
    assert mixed_shards(None, 12_544, None) == 1
    assert mixed_shards(None, 12_544, object()) == 4
    assert mixed_shards(None, 10, object()) == 1
    assert mixed_shards(7, 10, None) == 7
    assert n_rounds(12_544, 4) == 16
    assert n_rounds(10, 4) == 1


@pytest.mark.parametrize("solver", [MIRA, Perceptron])
def test_mixing_learns_what_one_learner_learns(solver, problem, monkeypatch):
    monkeypatch.setattr(mixing, "PER_ROUND", 2)

    def loss(shards):
        solution = solver(passes=20, shards=shards).solve(problem)
        return np.mean([problem.example_loss(i, problem.best(i, solution.model))
                        for i in range(len(problem))])

    assert loss(3) <= loss(1) + 0.05
