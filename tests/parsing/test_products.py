"""Three ways to score with cutting planes (Algorithms 4, 5 and 7), one result."""
import numpy as np
import pytest

from benchmarks.plane_products import PRODUCTS, add_naive_scores, add_table_scores
from orange_structpred.svm.planes import Plane
from tests.parsing.brute import (
    HASH,
    TOYS,
    gold_minus,
    joint,
    make_problem,
    phi,
    product,
    scores,
    tree,
)
from tests.parsing.reference import all_trees
from tests.svm.asking import each, plane_of

WEIGHTS = [2., 0.5]


def random_trees(seed):
    """A tree for each sentence, as a flat array."""
    random = np.random.default_rng(seed)
    chosen = []
    for x in TOYS:
        trees = all_trees(len(x), False, True)
        chosen.append(trees[random.integers(len(trees))])
    return np.concatenate(chosen).astype(np.int32)


def plane(problem, outputs):
    return plane_of(problem, each(problem, outputs))


def parts_of(problem, outputs):
    return [phi(x, gold_minus(x, heads), HASH, WEIGHTS)
            for x, heads in zip(TOYS, each(problem, outputs))]


@pytest.mark.parametrize("kind", PRODUCTS)
def test_products_of_planes_are_the_double_sum(kind):
    problem, _ = make_problem(weights=WEIGHTS, product=kind)
    outputs = [random_trees(seed) for seed in range(3)]
    planes = [plane(problem, own) for own in outputs]
    parts = [parts_of(problem, own) for own in outputs]
    for one, own in zip(planes, parts):
        np.testing.assert_allclose(
            problem.new_planes().inner_products(one, planes),
            [joint(problem.gram, own, other) / len(TOYS)**2 for other in parts],
            rtol=1e-5)


@pytest.mark.parametrize("kind", PRODUCTS)
def test_the_sum_of_planes_scores_as_equation_4_20(kind):
    problem, _ = make_problem(weights=WEIGHTS, product=kind)
    outputs = [random_trees(seed) for seed in range(3)]
    alpha = np.array([0.5, 0., 2.])
    model = problem.new_planes().combine(alpha, [plane(problem, own) for own in outputs])
    parts = [phi(x, [], HASH, WEIGHTS) for x in TOYS]
    for weight, own in zip(alpha, outputs):
        for total, part in zip(parts, parts_of(problem, own)):
            for name, value in part.items():
                total[name] += weight / len(TOYS) * value
    for i, x in enumerate(TOYS):
        expected = scores(problem.gram[i], parts, x, HASH, WEIGHTS)
        delta = problem.difference(i, each(problem, outputs[0])[i])
        np.testing.assert_allclose(
            model.dot(i, delta),
            sum(expected[tuple(edge)] * value for edge, value in gold_minus(
                x, each(problem, outputs[0])[i])), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(
        sum(problem.gram[i, j] * product(a, b) for i, a in enumerate(parts)
            for j, b in enumerate(parts)),
        alpha @ np.array([problem.new_planes().inner_products(
            plane(problem, own), [plane(problem, other) for other in outputs])
            for own in outputs]) @ alpha, rtol=1e-5)


def test_a_plane_of_gold_trees_is_nothing():
    for kind in PRODUCTS:
        problem, _ = make_problem(product=kind)
        nothing = plane(problem, problem.encoded.heads.copy())
        assert nothing.loss == 0
        assert problem.new_planes().inner_products(nothing, [nothing]) == 0


def test_naive_and_table_agree_on_any_values():
    problem, known = make_problem(weights=WEIGHTS, product="naive")
    outputs = plane(problem, random_trees(0)).features.outputs
    random = np.random.default_rng(3)
    for size in (0, 1, 2, 3, 8, len(known)):
        values = random.choice(len(known), size, replace=False).astype(np.int32)
        naive, table = np.zeros(size), np.zeros(size)
        for add, scores_ in ((add_naive_scores, naive), (add_table_scores, table)):
            add(problem.hashed, outputs, 0.25, problem.gram[1], values, scores_)
        np.testing.assert_allclose(table, naive, atol=1e-12)
    assert naive.any()


def test_a_plane_of_one_example_has_the_same_products():
    problem, _ = make_problem(weights=WEIGHTS)
    arithmetic, outputs = problem.new_planes(), random_trees(1)
    whole = plane(problem, outputs)
    singles = [Plane(0., arithmetic.chunk_features(i, [heads]))
               for i, heads in enumerate(each(problem, outputs))]
    parts = parts_of(problem, outputs)
    H = [arithmetic.inner_products(one, [*singles, whole]) for one in singles]
    n = len(TOYS)
    expected = np.array([[problem.gram[i, j] * product(parts[i], parts[j]) / n**2
                          for j in range(n)] for i in range(n)])
    np.testing.assert_allclose(np.array(H)[:, :-1], expected, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(np.array(H)[:, -1], expected.sum(axis=1), rtol=1e-5)
    np.testing.assert_allclose(arithmetic.inner_products(whole, singles),
                               expected.sum(axis=0), rtol=1e-5)


def test_planes_keep_the_mean_loss():
    problem, _ = make_problem()
    outputs = random_trees(0)
    np.testing.assert_allclose(plane(problem, outputs).loss, np.mean([
        np.mean(heads[1:] != tree(x)[1:]) for x, heads in zip(
            TOYS, each(problem, outputs))]))
