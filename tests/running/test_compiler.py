"""Compiled functions that call each other are parts of the one that Python calls."""
import numpy as np
import pytest
from numba import int64

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=False)
def inverse(number, places):
    if number == 0:
        raise ValueError("there is no inverse of 0")
    return np.round(1 / number, places)


@njit(nogil=True, cache=False)
def inverses(numbers):
    total = 0.
    for number in numbers:
        total += inverse(number, 3)
    return total + inverse(8, 1) + inverse(8, 2)


def test_functions_that_call_each_other():
    assert inverses(np.array([2., 3.])) == pytest.approx(.5 + .333 + .1 + .12)
    # numbers in a call have no versions of their own, and Python no way in
    assert set(inverse.part.overloads) == {args for args in inverse.part.overloads
                                           if args[1] == int64}
    assert len(inverse.part.overloads) == 2 and not inverse.overloads
    assert inverse(3., 2) == .33
    assert inverse(3., 2) == inverse.py_func(3., 2)


def test_errors_come_through():
    with pytest.raises(ValueError, match="no inverse of 0"):
        inverses(np.zeros(1))
    with pytest.raises(ValueError, match="no inverse of 0"):
        inverse(0, 1)
