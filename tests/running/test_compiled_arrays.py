"""Steps on arrays against numpy's own."""
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from orange_structpred.running.compiled_arrays import copy_into, largest, sorted_order


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10, 1000])
@pytest.mark.parametrize("distinct", [3, 10_000])
def test_sorted_order(n, distinct):
    keys = np.random.default_rng(n).integers(-distinct, distinct, n)
    order = sorted_order(keys)
    assert_array_equal(np.sort(order), np.arange(n))
    assert_array_equal(keys[order], np.sort(keys))


def test_copies_go_into_the_beginning_and_between():
    target = np.arange(6)
    copy_into(target[1:], np.array([7, 8]))
    assert_array_equal(target, [0, 7, 8, 3, 4, 5])
    copy_into(target, target[:0])
    assert_array_equal(target, [0, 7, 8, 3, 4, 5])


@pytest.mark.parametrize("values", [[2.], [1., 3., 2.], [-1., -3.], [-np.inf, -np.inf]])
def test_largest(values):
    assert largest(np.array(values)) == max(values)
