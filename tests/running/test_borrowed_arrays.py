"""Functions that make no arrays count no references; nothing is freed early or never."""
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from orange_structpred.running import borrowed_arrays
from orange_structpred.running.compiler import njit


class Pair(NamedTuple):
    numbers: np.ndarray
    table: np.ndarray


@njit(cache=False)
def total_until(pair, limit):
    """Two ways out, a loop over rows, a slice."""
    total = 0.
    for row in pair.table:
        for number in row[1:]:
            if number > limit:
                return total
            total += number * pair.numbers[np.argmax(pair.numbers)]
    return total + len(pair.numbers)


@njit(cache=False)
def raise_all(pair, by):
    pair.numbers[:] = by
    for k in range(pair.table.shape[0]):
        pair.table[k, 0] += by


@njit(cache=False)
def raise_and_sum(pair, by):
    raise_all(pair, by)
    return total_until(pair, 100.)


@njit(cache=False)
def second(pair):
    return pair.table


@njit(cache=False)
def row_of(pair, k):
    return pair.table[k]


@njit(cache=False)
def sum_of_copy(pair):
    return (pair.numbers + 1.).sum()


@njit(cache=False)
def sum_of_chosen(pair):
    total = 0.
    for number in pair.numbers[pair.numbers > 0]:
        total += number
    return total


@njit(cache=False)
def copy_row(pair):
    pair.table[0] = pair.table[1]


@njit(cache=False)
def sum_of_method(pair):
    return pair.numbers.sum()


@njit(cache=False)
def all_of_them(numbers, table):
    pair = Pair(numbers, table.copy())
    total = raise_and_sum(pair, 2.)
    copy_row(pair)
    for k in range(3):
        total += row_of(pair, k)[0] + second(pair)[k, 1]
    return total + sum_of_copy(pair) + sum_of_chosen(pair) + sum_of_method(pair), pair.table


@pytest.fixture
def decisions(monkeypatch):
    """What was found of each function that was compiled, by name."""
    found, only_borrows = {}, borrowed_arrays.only_borrows

    def note(state):
        result = found[state.func_id.func_name] = only_borrows(state)
        return result

    monkeypatch.setattr(borrowed_arrays, "only_borrows", note)
    return found


def test_who_only_borrows_counts_no_references(decisions):
    numbers, table = np.arange(3.), np.arange(12.).reshape(3, 4)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    value, changed = all_of_them(numbers, table)
    expected = [row.copy() for row in table]
    for row in expected:
        row[0] += 2
    total = 2. * sum(row[1:].sum() for row in expected) + 3
    expected[0] = expected[1]
    total += sum(row[0] + row[1] for row in expected) + 9 + 6 + 6
    assert value == total
    assert changed.tolist() == np.array(expected).tolist()
    assert numbers.tolist() == [2.] * 3
    del changed
    after = rtsys.get_allocation_stats()
    _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free
    ours = {name: only for name, only in decisions.items() if name in globals()}
    assert ours == {
        "total_until": True, "raise_all": True, "raise_and_sum": True, "second": False,
        "row_of": False, "sum_of_copy": False, "sum_of_chosen": False, "copy_row": False,
        "sum_of_method": False, "all_of_them": False}
