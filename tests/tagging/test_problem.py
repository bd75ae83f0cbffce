"""Sequences of labels against enumeration of all of them, in plain Python."""
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm import SOLVERS
from orange_structpred.tagging.chains import Chain, decode_chain
from orange_structpred.tagging.tagging_problem import Observed, SequenceProblem
from tests.svm.toy import optimum, primal

#: labels have one part in the first column, and all but the last one in the second
LABEL_PARTS = np.array([[0, 3], [1, 3], [2, 4], [0, -1]], np.int32)
N_ROWS = 5


def toy(n=6, seed=0, longest=4, triples=0, **options) -> SequenceProblem:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 4, N_ROWS)
    starts = np.append(0, np.cumsum(sizes))
    parts = np.concatenate([np.sort(rng.choice(5, size, replace=False))
                            for size in sizes]).astype(np.int32)
    chain = Chain(starts, parts, LABEL_PARTS, 5, np.array([2, 1]), np.uint64(64 - 6),
                  triples)
    X, Y = [], []
    for _ in range(n):
        length = rng.integers(1, longest + 1)
        rows = rng.integers(-1, N_ROWS, (length, 3)).astype(np.int32)
        edges = rng.integers(0, 3, (length, 2)).astype(np.uint64) * np.uint64(12345)
        edges[:, 0] = 1
        X.append(Observed(rows, edges))
        Y.append(((rows[:, 0] + rng.integers(0, 2, length)) % 4).astype(np.int32))
    problem = SequenceProblem(X, Y, chain, **options)
    problem.outputs = lambda x: [np.array(y, np.int32) for y in product(
        range(4), repeat=len(x.rows))]
    return problem


def phi(problem, x, y):
    """The joint features once more, by their definition, with names for indices."""
    chain, counts = problem.chain, {}
    for rows, label in zip(x.rows, y):
        for row in rows:
            for part in LABEL_PARTS[label]:
                if row < 0 or part < 0:
                    continue
                for j in range(chain.starts[row], chain.starts[row + 1]):
                    if chain.parts[j] == part:
                        counts[j] = counts.get(j, 0) + 1
    return counts


ORDERS = pytest.mark.parametrize("triples", [0, 1, 2])     # columns of them


@ORDERS
@pytest.mark.parametrize("seed", range(5))
def test_best_of_all(seed, triples):
    """Viterbi finds a sequence that enumeration cannot beat."""
    problem = toy(seed=seed, longest=5, triples=triples)
    w = np.random.default_rng(seed).normal(size=problem.dim)
    for x, y in zip(problem.X, problem.Y):
        def score(output, weight, x=x, y=y):
            return w @ problem.joint_features(x, output) + weight * problem.loss(
                y, output)
        for weight, found in (0, problem.predict(x, w)), (1, problem.separate(x, y, w)):
            best = max(score(output, weight) for output in problem.outputs(x))
            assert_allclose(score(found, weight), best)


def test_oracle_weighs_the_loss():
    problem = toy()
    model = problem.new_model()
    model.w[:] = np.random.default_rng(1).normal(size=problem.dim)
    model.factor = 0.5
    for i, (x, y) in enumerate(zip(problem.X, problem.Y)):
        for weight in (1., 3., len(y)):
            found = problem.most_violated(i, model, weight)
            best = max(problem.outputs(x), key=lambda output: (
                0.5 * model.w @ problem.joint_features(x, output)
                + weight * problem.loss(y, output)))
            for output in (found, best):
                assert_allclose(
                    0.5 * model.w @ problem.joint_features(x, output)
                    + weight * problem.loss(y, output),
                    0.5 * model.w @ problem.joint_features(x, best)
                    + weight * problem.loss(y, best), rtol=1e-5)


@ORDERS
def test_joint_features(triples):
    """Emissions by their definition; each edge adds one for each pair of parts, and each
    three labels in a row one for each column in which all have parts."""
    problem = toy(triples=triples, longest=6)
    x, y = problem.X[0], problem.Y[0]
    dense = problem.joint_features(x, y)
    expected = phi(problem, x, y)
    n_emissions = len(problem.chain.parts)
    assert {j: v for j, v in enumerate(dense[:n_emissions]) if v} == expected
    pairs = sum(int(edge != 0) * min(width, 2 if min(a, b) >= 0 else 1)
                for edges, (a, b) in zip(x.edges[1:], zip(
                    LABEL_PARTS[y, 1], LABEL_PARTS[y[1:], 1]))
                for edge, width in zip(edges, (2, 1)))
    in_a_row = sum((LABEL_PARTS[list(labels), column] >= 0).all()
                   for labels in zip(y, y[1:], y[2:]) for column in range(triples))
    assert len(y) > 2 and dense[n_emissions:].sum() == pairs + in_a_row


@ORDERS
@pytest.mark.parametrize("seed", range(3))
def test_difference(seed, triples):
    problem = toy(seed=seed, triples=triples)
    for i, (x, y) in enumerate(zip(problem.X, problem.Y)):
        for y_hat in problem.outputs(x):
            indices, values = problem.difference(i, y_hat)
            assert len(set(indices.tolist())) == len(indices)
            dense = np.zeros(problem.dim)
            dense[indices] = values
            assert_allclose(dense, problem.joint_features(x, y)
                            - problem.joint_features(x, y_hat))


@pytest.mark.parametrize("name, triples", [("bcfw", 0), ("bcfw", 2), ("one-slack", 0)])
def test_certificate(name, triples):
    problem = toy(n=4, longest=3, triples=triples)
    best = optimum(problem, 1.)
    solution = SOLVERS[name](C=1, epsilon=1e-3, passes=1000).solve(problem)
    assert solution.converged
    value = primal(problem, solution.model.weights(), 1.)
    assert best - 1e-4 <= value <= best + 2e-3


@pytest.mark.parametrize("name", ["mira", "perceptron", "subgradient"])
def test_online_solvers_learn(name):
    problem = toy(n=40)
    hidden = np.random.default_rng(0).normal(size=problem.dim)
    problem.Y = [problem.predict(x, hidden) for x in problem.X]
    solution = SOLVERS[name](C=10 if name == "subgradient" else 1, passes=20
                             ).solve(problem)
    untrained = problem.new_model()
    losses = [np.mean([problem.example_loss(i, problem.best(i, model))
                       for i in range(40)]) for model in (solution.model, untrained)]
    assert losses[0] < 0.3 * losses[1]


def test_pruned_labels():
    """With n_best only the best labels without their neighbours are looked at."""
    problem = toy(seed=3)
    w = np.random.default_rng(3).normal(size=problem.dim)
    for x in problem.X:
        gold = np.zeros(len(x.rows), np.int32)
        greedy = decode_chain(problem.chain, w, 1., x.rows, x.edges, gold, 0., 1)
        local = [max(range(4), key=lambda label: w @ problem.joint_features(
            Observed(x.rows[t:t + 1], x.edges[t:t + 1]), np.array([label])))
            for t in range(len(gold))]
        assert greedy.tolist() == local
        assert np.array_equal(decode_chain(problem.chain, w, 1., x.rows, x.edges, gold, 0., 4),
                              problem.predict(x, w))


def test_fingerprint_tells_problems_apart():
    assert toy(seed=1).fingerprint() == toy(seed=1).fingerprint()
    assert toy(seed=1).fingerprint() != toy(seed=2).fingerprint()
    assert toy(seed=1).fingerprint() != toy(seed=1, n_best=2).fingerprint()
    assert toy(seed=1).fingerprint() != toy(seed=1, triples=1).fingerprint()


def test_only_allowed_labels():
    """A position whose labels are restricted gets the best one of these."""
    from orange_structpred.tagging.sequence_model import Allowed, train_sequences

    rng = np.random.default_rng(0)
    tokens = rng.integers(1, 6, (300, 1)).astype(np.uint64)
    labels = (tokens[:, 0] % 3).astype(np.int32)
    offsets = np.arange(0, 301, 10)
    model, _ = train_sequences(
        tokens, offsets, labels, np.arange(3, dtype=np.int32)[:, None],
        layers=["sign"], templates=["sign", "-1.sign"], edge_templates=["sign"],
        edge_columns=[1], edge_bits=8)
    assert np.array_equal(model.predict(tokens, offsets), labels)
    which = np.where(labels == 0, 1, -1)
    which[0] = 0
    allowed = Allowed(which, np.array([0, 1, 3]), np.array([2, 1, 2], np.int32))
    found = model.predict(tokens, offsets, allowed=allowed)
    assert found[0] == 2
    assert not np.any(found[1:][labels[1:] == 0] == 0)
    assert np.array_equal(found[1:][labels[1:] > 0], labels[1:][labels[1:] > 0])


def test_templates():
    from orange_structpred.tagging.observations import make_templates, observe_all

    tokens = np.array([[1, 5], [2, 0], [1, 5]], np.uint64)
    made = make_templates(["a", "a b", "-1.a", "+1.b a"], ["a", "b"])
    numbers = observe_all(tokens, np.array([0, 2, 3]), made)
    assert numbers[0, 0] == numbers[2, 0] != numbers[1, 0]
    assert numbers[1, 1] == 0 and numbers[0, 3] == 0        # b has no value there
    assert numbers[0, 2] == numbers[2, 2] != numbers[1, 2]  # nothing before
    assert len(set(numbers[2].tolist())) == 4
    with pytest.raises(ValueError, match=r"template 'a c': found 'c', expected a layer"):
        make_templates(["a c"], ["a", "b"])
