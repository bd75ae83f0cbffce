"""The compiler: `njit` for functions that call each other, and what it does right now.

With versions of numba whose internals are known, a first run takes half as long as
with `numba.njit` (`compiled_parts`), and code that is damaged or out of date is never
run (`stored_code`). Any other version compiles as it always does. In both cases code is
stored in `code_folder`.
"""
from __future__ import annotations

from collections.abc import Callable

import numba
from numba.core import config, event

from orange_structpred.running.code_folder import code_folder, package_digest

#: The first and the last version of numba that all tests were run with. What is done
#: differently here is no promise of numba's, so that another version is used as it is.
FIRST_KNOWN, LAST_KNOWN = (0, 59), (0, 68)


def internals_are_known() -> bool:
    """Whether this version of numba is one of those that were tested."""
    numbers = numba.__version__.split(".")[:2]
    return all(number.isdecimal() for number in numbers) and (
        FIRST_KNOWN <= tuple(map(int, numbers)) <= LAST_KNOWN)


class _Watch(event.Listener):
    """Counts the functions that are being compiled, one inside another."""

    depth = 0

    def on_start(self, event) -> None:      # the compiler's lock is held
        self.depth += 1

    def on_end(self, event) -> None:
        self.depth -= 1


_watch = _Watch()
event.register("numba:compile", _watch)


def is_compiling() -> bool:
    """Whether a function is being compiled, in any thread: no stored code was found."""
    return _watch.depth > 0


def njit(*, cache: bool, inline: str = "never", **options) -> Callable[[Callable], Callable]:
    """`numba.njit`, for functions that call each other.

    A function that calls itself must be compiled by numba's own.
    """
    def decorate(function: Callable) -> Callable:
        if config.DISABLE_JIT or not internals_are_known():
            return plain_njit(function, cache=cache, inline=inline, **options)
        from orange_structpred.running.compiled_parts import compiled
        return compiled(function, cache=cache, inline=inline, **options)

    return decorate


def plain_njit(function: Callable, *, cache: bool, **options) -> Callable:
    """What numba makes of a function, with the code in our folder.

    Numba would take stored code for valid where only a function that is called has
    changed, so that each state of the package has a folder of its own.
    """
    chosen = config.CACHE_DIR
    config.CACHE_DIR = str(code_folder() / f"plain-{package_digest()}")
    try:
        return numba.njit(cache=cache, **options)(function)
    finally:
        config.CACHE_DIR = chosen
