"""Numbers for hash values against a Python dictionary."""
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from orange_structpred.svm.atomic.numbering import Numbering, distinct_values

keys = st.lists(st.one_of(st.integers(0, 20), st.integers(0, 2**64 - 1),
                          st.sampled_from([0, 2**63, 2**64 - 1])), max_size=60)


def as_array(values):
    return np.array(values, dtype=np.uint64)


@settings(deadline=None)     # the first call compiles
@given(st.lists(keys, max_size=5), keys)
def test_numbers_are_given_in_order(parts, asked):
    numbering, expected = Numbering(), {}
    for part in parts:
        found = numbering.assign(as_array(part))
        assert found.tolist() == [expected.setdefault(key, len(expected))
                                  for key in part]
    assert numbering.values().tolist() == list(expected)
    assert numbering.count == len(expected)
    assert numbering.look_up(as_array(asked)).tolist() == [
        expected.get(key, -1) for key in asked]
    assert numbering.count == len(expected)


def test_a_table_grows():
    values = np.random.default_rng(0).integers(0, 2**63, 20_000, dtype=np.uint64)
    numbering = Numbering(values[:10])
    for start in range(10, len(values), 700):
        numbering.assign(values[start:start + 700])
    np.testing.assert_array_equal(numbering.values(), values)
    np.testing.assert_array_equal(numbering.look_up(values), np.arange(len(values)))
    small = np.arange(20_000, dtype=np.uint64)      # as buckets are
    np.testing.assert_array_equal(Numbering(small).look_up(small), small)


@settings(deadline=None)     # the first call compiles
@given(keys)
def test_distinct_values(values):
    first, numbers = distinct_values(as_array(values))
    assert [values[k] for k in first] == list(dict.fromkeys(values))
    assert [values[first[k]] for k in numbers] == values
