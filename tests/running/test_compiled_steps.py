"""Steps change the arrays of their callers; they make none."""
import sys

import numpy as np
import pytest
from numba.core.errors import NumbaError

from orange_structpred.running.compiled_steps import step_njit
from orange_structpred.running.compiler import internals_are_known, njit


@step_njit
def count_down(numbers, row):
    numbers[row] -= 1
    return numbers[row]


@njit(nogil=True, cache=False)
def count_down_all(numbers):
    for row in range(len(numbers)):
        while count_down(numbers, row) > 0:
            pass


def test_steps_change_arrays_that_others_hold():
    numbers = np.array([3, 1, 0])
    before = sys.getrefcount(numbers)
    count_down_all(numbers)
    assert numbers.tolist() == [0, 0, -1]
    assert sys.getrefcount(numbers) == before


@step_njit
def sum_doubled(numbers):
    total = 0
    for number in numbers * 2:
        total += number
    return total


@njit(nogil=True, cache=False)
def call_sum_doubled(numbers):
    return sum_doubled(numbers)


@pytest.mark.skipif(not internals_are_known(), reason="numba compiles as it always does")
def test_a_step_that_makes_an_array_is_not_compiled():
    with pytest.raises(NumbaError, match="NRT required but not enabled"):
        call_sum_doubled(np.arange(3))
