"""Sparse vectors and parts against dense arithmetic."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm.parts import (
    all_signed_parts,
    signed_parts,
    sum_by_output,
    sum_by_part,
)
from orange_structpred.svm.vectors import (
    SparseVector,
    are_equal,
    count_nonzero,
    from_arrays,
    has_no_gaps,
    linear_combination,
    sparse_product,
    sparse_vector,
    sum_equal_indices,
    vector_add,
    vector_dot,
    vector_product,
)

DIM = 40


def dense(indices, values):
    result = np.zeros(DIM)
    np.add.at(result, indices, values)
    return result


def random_vector(rng, size=30):
    return SparseVector(*sum_equal_indices(rng.integers(0, DIM, size),
                                           rng.choice([-1., 0.5, 1.], size)))


@pytest.mark.parametrize("seed", range(5))
def test_merge(seed):
    rng = np.random.default_rng(seed)
    indices, values = rng.integers(0, DIM, 10 * seed), rng.choice([-1., 1.], 10 * seed)
    found, sums = sum_equal_indices(indices, values)
    assert len(set(found.tolist())) == len(found) and sums.all()
    assert_allclose(dense(found, sums), dense(indices, values))
    again, _ = sum_equal_indices(indices + 2**40, values)      # large numbers, too
    assert again.tolist() == (found + 2**40).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_products_and_combinations(seed):
    rng = np.random.default_rng(seed)
    vectors = [random_vector(rng) for _ in range(3)]
    arrays = [dense(*vector) for vector in vectors]
    assert_allclose(sparse_product(*vectors[0], *vectors[1]), arrays[0] @ arrays[1])
    alpha = np.array([0.5, -1., 2.])
    assert_allclose(dense(*linear_combination(vectors, alpha)), alpha @ arrays)
    assert len(linear_combination([], []).indices) == 0


def test_vectors_without_gaps_are_as_others():
    rng = np.random.default_rng(0)
    w, a, b = rng.normal(size=(3, DIM))
    full, other = sparse_vector(a), sparse_vector(b)
    few = SparseVector(np.array([7, 3]), np.array([1., 2.]))
    assert has_no_gaps(full) and not has_no_gaps(few)
    assert has_no_gaps(from_arrays(full.indices.copy(), full.values))
    for vector in full, few:
        values = dense(*vector)
        assert vector_dot(w, vector) == pytest.approx(w @ values)
        assert vector_product(other, vector) == pytest.approx(b @ values)
        total = w.copy()
        vector_add(total, vector, 0.5)
        assert_allclose(total, w + 0.5 * values)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_are_finite(value):
    values = np.linspace(-1, 1, 21)
    assert count_nonzero(values) == 20 and count_nonzero(np.array([1e308, -1e308, 5e-324])) == 3
    values[17] = value
    assert count_nonzero(values) == -1


@pytest.mark.parametrize("size", [0, 1, 64, 65, 200])
def test_equal_arrays(size):
    values = np.random.default_rng(size).normal(size=size)
    assert are_equal(values, values.copy()) and not are_equal(values, np.append(values, 0))
    for k in range(size):
        other = values.copy()
        other[k] += 1
        assert not are_equal(values, other)


@pytest.fixture(params=range(6))
def outputs(request):
    """Sets of parts; the first is the true output, and one comes twice."""
    rng = np.random.default_rng(request.param)
    found = [np.sort(rng.choice(DIM, 12, replace=False))
             for _ in range(request.param + 1)]
    return rng, [*found, found[-1].copy()]


def test_signed_parts(outputs):
    _, (gold, *others) = outputs
    for other in others:
        assert_allclose(dense(*signed_parts(gold, other)),
                        dense(gold, 1.) - dense(other, 1.))


def test_sums_over_parts(outputs):
    rng, sets = outputs
    starts = np.cumsum([0, *map(len, sets)])
    parts, which, values, owners = all_signed_parts(
        sets[0], np.concatenate(sets), starts)
    assert parts.tolist() == sorted(set(parts.tolist()))
    scores = rng.normal(size=DIM)
    differences = np.array([dense(sets[0], 1.) - dense(own, 1.) for own in sets])
    assert_allclose(sum_by_output(which, values, owners, scores[parts], len(sets)),
                    differences @ scores)
    alpha = rng.normal(size=len(sets))
    assert_allclose(dense(parts, sum_by_part(len(parts), which, values, owners, alpha)),
                    alpha @ differences, rtol=1e-6)
