"""Hash tables against dictionaries, also where all keys begin at the same slot."""
import numpy as np
import pytest
from numba import uint64

from orange_structpred.running.compiler import njit
from orange_structpred.running.hash_table import (
    equal_rows,
    find_position_slot,
    find_slot,
)

SPREADS = np.array([0, 1, 0x9E3779B97F4A7C15], np.uint64)


@njit(nogil=True, cache=True)
def fill_slots(keys, values, free, spread):
    """For each value the slot where it is; free ones are filled."""
    slots = np.empty(values.size, np.int64)
    for k in range(values.size):
        slot = find_slot(keys, values[k], uint64(values[k]) * spread, free)
        keys[slot] = values[k]
        slots[k] = slot
    return slots


@njit(nogil=True, cache=True)
def number_values(positions, known, values, spread):
    """Numbers of values in the order in which they first occur; how many there are."""
    numbers, count = np.empty(values.size, np.int64), 0
    for k in range(values.size):
        slot = find_position_slot(positions, known, values[k],
                                  uint64(values[k]) * spread)
        if positions[slot] < 0:
            positions[slot], known[count] = count, values[k]
            count += 1
        numbers[k] = positions[slot]
    return numbers, count


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("dtype, free", [(np.uint64, np.uint64(0)), (np.int64, -1)])
def test_keys_in_slots(dtype, free, spread):
    values = np.random.default_rng(0).integers(1, 10, 40).astype(dtype)
    keys = np.full(16, free, dtype)
    slots = fill_slots(keys, values, free, spread)
    assert len(np.unique(slots)) == len(np.unique(values))
    np.testing.assert_array_equal(keys[slots], values)
    assert (keys != free).sum() == len(np.unique(values))


@pytest.mark.parametrize("spread", SPREADS)
def test_positions_in_slots(spread):
    values = np.random.default_rng(0).integers(0, 10, 40).astype(np.uint64)
    known = np.empty(10, np.uint64)
    numbers, count = number_values(np.full(16, -1, np.int32), known, values, spread)
    expected = {}
    assert numbers.tolist() == [expected.setdefault(int(value), len(expected))
                                for value in values]
    assert known[:count].tolist() == list(expected)


def test_one_slot_is_left():
    """A table that is full but for one slot."""
    values = np.arange(1, 16, dtype=np.uint64)
    keys = np.zeros(16, np.uint64)
    fill_slots(keys, values, np.uint64(0), SPREADS[0])
    assert sorted(keys.tolist()) == list(range(16))


@pytest.mark.parametrize("dtype", [np.int32, np.uint64])
def test_equal_rows(dtype):
    rows = np.random.default_rng(0).integers(0, 3, (200, 4)).astype(dtype)
    rows[::7] = np.iinfo(dtype).max
    numbers, firsts = equal_rows(rows)
    seen = {}
    assert numbers.tolist() == [seen.setdefault(tuple(row), len(seen)) for row in rows.tolist()]
    assert firsts.tolist() == [numbers.tolist().index(k) for k in range(len(seen))]
    assert [own.size for own in equal_rows(rows[:0])] == [0, 0]
