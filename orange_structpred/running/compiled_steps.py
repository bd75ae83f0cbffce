"""Steps of compiled loops: functions that are called so often that a call must cost nothing.

Numba counts a reference to each array that a function is called with, when it begins and
when it ends. In a loop over words or nodes that takes longer than what the function does. A
step makes no arrays and returns none, so that there is nothing to count: its caller holds
them. Where it does make one, numba says so instead of compiling it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from orange_structpred.running.compiler import internals_are_known, njit


def step_njit(function: Callable) -> Callable:
    """Compile a step; only compiled code should call it."""
    uncounted: dict[str, Any] = {"_nrt": False} if internals_are_known() else {}
    return njit(nogil=True, cache=True, **uncounted)(function)
