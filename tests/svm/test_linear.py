"""Sparse arithmetic and the averaging trick, against dense arrays."""
import numpy as np
import pytest
from numpy.testing import assert_allclose

from orange_structpred.svm.linear import LinearModel
from orange_structpred.svm.problem import SparseVector

DIM = 30


def sparse(random, dtype=np.float64) -> SparseVector:
    return SparseVector(random.choice(DIM, 5, replace=False),
                        random.normal(size=5).astype(dtype))


def dense(vector: SparseVector) -> np.ndarray:
    result = np.zeros(DIM)
    result[vector.indices] = vector.values
    return result


def test_arithmetic():
    random = np.random.default_rng(0)
    model = LinearModel(DIM, np.float64)
    w = np.zeros(DIM)
    for _ in range(20):
        delta = sparse(random)
        model.add(0, delta, 0.5)
        w += 0.5 * dense(delta)
    model.factor = 3.
    delta = sparse(random)
    assert_allclose(model.weights(), 3 * w)
    assert_allclose(model.dot(0, delta), 3 * w @ dense(delta))
    assert_allclose(model.squared_norm(), 9 * w @ w)
    assert_allclose(model.squared_norm_of(0, delta), dense(delta) @ dense(delta))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weight_of", [lambda k: 1, lambda k: k],
                         ids=["even", "rising"])
def test_average(dtype, weight_of):
    """The average of the iterates after each step, with steps' weights."""
    random = np.random.default_rng(0)
    model = LinearModel(DIM, dtype, averaging=True)
    w = np.zeros(DIM)
    total = before = 0
    for k in range(1, 200):
        if k % 3:                       # some steps change nothing but count
            delta = sparse(random, dtype)
            model.add(0, delta, 0.1, before)
            w += 0.1 * dense(delta)
        total = total + weight_of(k) * w
        before += weight_of(k)
    average = model.averaged(before)
    assert_allclose(average.weights(), total / before, rtol=1e-4, atol=1e-5)
    assert average.w.dtype == dtype
    assert_allclose(model.averaged(np.inf).w, model.w)


def test_state_is_all_there_is():
    random = np.random.default_rng(0)
    model = LinearModel(DIM, averaging=True)
    for step in range(5):
        model.add(0, sparse(random, np.float32), 1., step)
    model.factor = 0.25
    copy = LinearModel(DIM, averaging=True)
    copy.restore({name: np.array(value) for name, value in model.state().items()})
    delta = sparse(random, np.float32)
    for each in (model, copy):
        each.add(0, delta, 1., 5)
    assert copy.weights().tobytes() == model.weights().tobytes()
    assert copy.averaged(6).w.tobytes() == model.averaged(6).w.tobytes()
