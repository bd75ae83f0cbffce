"""Callbacks and progress functions that end the work."""
from __future__ import annotations

from collections.abc import Callable

from orange_structpred.running.cancellation import Cancelled, StopEarly


def stop_if(condition: Callable[..., object]) -> Callable[..., None]:
    """A callback that asks for what there is, once the condition is true of a report."""
    def observe(report) -> None:
        if condition(report):
            raise StopEarly

    return observe


def cancel_unless(condition: Callable[..., object]) -> Callable[..., None]:
    """A progress function that cancels, once the condition is false of a fraction."""
    def observe(fraction: float, text: str = "") -> None:
        if not condition(fraction):
            raise Cancelled

    return observe
