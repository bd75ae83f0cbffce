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


def by_frequency(strings: Iterable[str]) -> tuple[np.ndarray, list[str]]:
    """The number of each string, and the distinct strings, the most frequent first and
    those that are equally frequent in the order of the alphabet.

    >>> numbers, names = by_frequency(["a", "c", "b", "b"])
    >>> numbers.tolist(), names
    ([1, 2, 0, 0], ['b', 'a', 'c'])
    """
    names, numbers = distinct(strings)
    counts = np.bincount(numbers, minlength=len(names)).tolist()
    order = sorted(range(len(names)), key=lambda i: (-counts[i], names[i]))
    ranks = np.zeros(len(names), np.int64)
    ranks[order] = np.arange(len(names))
    return ranks[numbers], [names[i] for i in order]
