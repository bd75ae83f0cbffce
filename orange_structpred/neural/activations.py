"""Hyperbolic tangents that the compiler can make of vector instructions.

tanh(x) is a quotient of polynomials of degree 9 and 8, which were fitted so that their
largest error between -8 and 8 is smallest. It is 6e-9; with rounding in single precision
it is below 4e-7. All coefficients come as numbers of the values' own precision: one that
is written into compiled code is a double, and so would all else become. They come in a
tuple, since the compiler cannot know that an array is not written to meanwhile.
"""
from __future__ import annotations

import numpy as np

from orange_structpred.running.compiler import njit

TANH_LIMIT = 8.     # beyond, it is 1
_NUMERATOR = (9.99999970e-01, 1.34381895e-01, 3.56415424e-03, 2.17732155e-05,
              1.50617692e-08)
_DENOMINATOR = (1., 4.67715103e-01, 2.61360085e-02, 3.39917634e-04, 8.45364490e-07)
_TANH = np.array([TANH_LIMIT, 0.5, *_NUMERATOR, *_DENOMINATOR])
_COEFFICIENTS = {np.dtype(kind): tuple(_TANH.astype(kind))
                 for kind in (np.float32, np.float64)}


def tanh_coefficients(dtype: np.dtype) -> tuple:
    """What `tanh` and `sigmoid` need for values of this precision."""
    return _COEFFICIENTS[np.dtype(dtype)]


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def tanh(x, coefficients):
    limit = coefficients[0]
    x = min(max(x, -limit), limit)
    u = x * x
    above = (((coefficients[6] * u + coefficients[5]) * u + coefficients[4]) * u
             + coefficients[3]) * u + coefficients[2]
    below = (((coefficients[11] * u + coefficients[10]) * u + coefficients[9]) * u
             + coefficients[8]) * u + coefficients[7]
    return x * above / below


@njit(nogil=True, cache=True, error_model="numpy", fastmath={"contract"})
def sigmoid(x, coefficients):
    half = coefficients[1]
    return half + half * tanh(half * x, coefficients)
