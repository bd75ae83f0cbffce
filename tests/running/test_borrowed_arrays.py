"""Functions that make no arrays count no references; nothing is freed early or never."""
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
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


class Kept(NamedTuple):
    pair: Pair
    more: np.ndarray


@njit(cache=False)
def rebound(pair, n):
    """Parts of arrays that a variable holds one after the other."""
    part = pair.numbers
    for k in range(n):
        part = (pair.table[k] if k % 2 else pair.numbers)[k:]
    return part[0]


@njit(nogil=True, cache=False)
def of_nested(kept, which):
    numbers, table = kept.pair
    return numbers[-1] + table.T[0, 1] + (numbers, kept.more)[which][0]


@njit(cache=False)
def checked(kept, limit):
    part = kept.pair.numbers[1:]
    if part[0] > limit:
        raise ValueError("too much")
    return part[0]


@njit(cache=False)
def caught(kept, limit):
    try:
        return checked(kept, limit)
    except Exception:
        return -1.


@njit(cache=False)
def chosen(numbers, others, use_others):
    part = others if use_others else numbers
    return part[0]


@njit(cache=False)
def all_of_temporary_tuples(n):
    total = 0.
    for k in range(n):
        numbers = np.full(100, float(k))
        kept = Kept(Pair(numbers, np.ones((3, 5))), np.full(100, 2.))
        total += (rebound(kept.pair, 3) + of_nested(kept, 1) + checked(kept, 100.)
                  + caught(kept, 0.) + chosen(numbers, kept.more, k > 1))
    return total


@njit(cache=False)
def rows(table):
    for k in range(table.shape[0]):
        yield table[k]


@njit(cache=False)
def sum_of_rows(table):
    total = 0.
    for row in rows(table):
        total += row[0]
    return total


@njit(cache=False)
def take_last(arrays):
    last = arrays.pop()
    return np.full(last.size, 7.)[0]


@njit(cache=False)
def first_and_last(arrays):
    first = arrays[0]
    last = take_last(arrays)
    return first[0] + last


@njit(cache=False)
def sum_of_popped(n):
    return first_and_last([np.full(n, 1.)])


@njit(cache=False)
def first_of(numbers):
    return numbers[0] + len(numbers)


@njit(cache=False)
def refuse(numbers, number):
    if numbers[0] < number:
        raise ValueError(number)
    return number


@njit(cache=False)
def second_imaginary(numbers):
    return numbers.imag[1]


def allocated_by(function, *args):
    """How many arrays are left, and the result."""
    function(*args)         # compiles it
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        value = function(*args)
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    return after.alloc - before.alloc - (after.free - before.free), value


def test_parts_of_tuples_that_are_gone_soon(decisions):
    left, value = allocated_by(all_of_temporary_tuples, 4)
    assert (left, value) == (0, all_of_temporary_tuples.py_func(4))
    for name in ("rebound", "of_nested", "checked", "caught", "chosen"):
        assert decisions[name], name


def test_exceptions_leave_what_they_found():
    numbers, table = np.arange(3.), np.ones((3, 5))
    kept = Kept(Pair(numbers, table), numbers[1:])
    before = [sys.getrefcount(array) for array in (numbers, table, kept.more)]
    for _ in range(3):
        with pytest.raises(ValueError, match="too much"):
            checked(kept, 0.)
        assert caught(kept, 0.) == -1
    assert [sys.getrefcount(array) for array in (numbers, table, kept.more)] == before


def test_functions_without_the_lock():
    """They do not even touch the counts, which all threads would wait for."""
    kept = Kept(Pair(np.arange(3.), np.ones((3, 5))), np.ones(1))
    before = [sys.getrefcount(array) for array in (*kept.pair, kept.more)]
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda _: sum(of_nested(kept, 1) for _ in range(200)),
                               range(8)))
    assert values == [800.] * 8
    assert [sys.getrefcount(array) for array in (*kept.pair, kept.more)] == before


def test_what_may_be_taken_away_is_counted(decisions):
    """Arrays that a generator yields or a list holds, the memory of a message."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")     # lists are deprecated
        assert allocated_by(sum_of_popped, 1000) == (0, 8.)
        assert allocated_by(first_of, [3., 4.]) == (0, 5.)
    assert sum_of_rows(np.ones((4, 2))) == 4
    assert refuse(np.ones(1), 1) == 1
    with pytest.raises(ValueError, match="2"):
        refuse(np.ones(1), 2)
    assert second_imaginary(np.ones(2)) == 0
    for name in ("sum_of_rows", "first_and_last", "first_of", "refuse",
                 "second_imaginary"):
        assert not decisions[name], name
