"""Strings that come again and again: what is asked about them is asked once."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def distinct(strings: Iterable[str]) -> tuple[list[str], np.ndarray]:
    """Distinct strings in the order in which they come, and the number of each string.

    >>> names, numbers = distinct(["a", "b", "a"])
    >>> names, numbers.tolist()
    (['a', 'b'], [0, 1, 0])
    """
    strings = list(strings)
    numbers = dict.fromkeys(strings)
    for number, string in enumerate(numbers):
        numbers[string] = number
    return list(numbers), np.fromiter(
        map(numbers.__getitem__, strings), np.int64, len(strings))
