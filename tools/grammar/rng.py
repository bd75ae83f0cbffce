"""Random choices that are the same on every version of Python.

Only `random.Random.random` promises the same numbers for a seed for all time;
everything here is made from it.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class SeededRandom:
    """Seeded choices."""

    def __init__(self, seed: str):
        self._random = Random(seed).random

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[int(self._random() * len(items))]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """One of the keys, likely in proportion to its weight."""
        rest = self._random() * sum(weights.values())
        for item, weight in weights.items():
            rest -= weight
            if rest < 0:
                return item
        return item

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        return [item for _, _, item in sorted(
            (self._random(), i, item) for i, item in enumerate(items))]
