"""Pickles become data, and nothing else."""
import collections
import datetime
import enum
import pickle
from contextlib import suppress
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orange_structpred.export.inert import Inert, UnknownPickle, read_pickle


class Colour(enum.Enum):
    RED = 1


class Thing:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
    | st.binary(),
    lambda own: st.lists(own) | st.dictionaries(st.text(), own)
    | st.tuples(own, own, own, own), max_leaves=20)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@given(value=plain)
def test_plain_values(protocol, value):
    if protocol < 3 and "b'" in repr(value) or 'b"' in repr(value):
        return      # bytes are made by a call there
    assert read_pickle(pickle.dumps(value, protocol)) == value


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_objects_become_records(protocol):
    shared = ["once"]
    thing = Thing(path="a", parts=[Thing(x=1)], shared=shared, again=shared)
    record = read_pickle(pickle.dumps({"it": thing}, protocol))["it"]
    assert isinstance(record, Inert)
    assert record.kind.endswith("test_inert.Thing")
    assert record.get("path") == "a"
    assert record.get("parts")[0].get("x") == 1
    assert record.get("shared") is record.get("again")
    assert record.get("nonesuch", 7) == 7


@pytest.mark.parametrize("value", [
    {1, 2}, frozenset({1}), collections.OrderedDict(a=1), Colour.RED, {Colour.RED: 1},
    datetime.date(2020, 1, 1), PurePosixPath("a/b"), bytearray(b"x")])
def test_other_types_can_be_read_around(value):
    assert read_pickle(pickle.dumps({"odd": value, "C": 1.0}))["C"] == 1.0


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_a_trap_does_not_snap(tmp_path, protocol):
    trap = Trap(tmp_path / "snapped")
    data = pickle.dumps({"settings": trap}, protocol)
    record = read_pickle(data)["settings"]
    assert not trap.path.exists()
    assert record.arguments == (str(trap.path), "w")
    pickle.loads(data)["settings"].close()      # it would have
    assert trap.path.exists()


@pytest.mark.parametrize("data", [
    b"", b".", b"garbage", b"\x80\x04", b"\x80\x04}", b"cos\nsystem\n(S'true'\ntR",
    b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f.", b"(.", b"h\x05."])
def test_damaged(data):
    with pytest.raises(UnknownPickle):
        read_pickle(data)


@given(st.binary(max_size=60))
def test_any_bytes_give_a_value_or_a_clear_error(data):
    with suppress(UnknownPickle):
        read_pickle(data)
