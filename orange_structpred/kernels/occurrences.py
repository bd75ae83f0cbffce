"""Compiled parts of kernels that pair equal items: where each item occurs."""
from __future__ import annotations

from orange_structpred.running.compiler import njit


@njit(nogil=True, cache=True)
def longest_item(bounds, start, stop):
    """The largest size of the items start..stop."""
    longest = 0
    for x in range(start, stop):
        longest = max(longest, bounds[x + 1] - bounds[x])
    return longest


@njit(nogil=True, cache=True)
def link_occurrences(numbers, start, stop, heads, links):
    """Link the positions of each number in start..stop, from the first to the last:
    the first is heads[number], the next after a position is links[position]; -1 ends.
    Numbers below 0 are left out."""
    for position in range(stop - start - 1, -1, -1):
        number = numbers[start + position]
        if number >= 0:
            links[position] = heads[number]
            heads[number] = position


@njit(nogil=True, cache=True)
def unlink_occurrences(numbers, start, stop, heads):
    """Make `heads` what it was before."""
    for position in range(start, stop):
        if numbers[position] >= 0:
            heads[numbers[position]] = -1
