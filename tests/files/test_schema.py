"""Schemas: what fits is let through, all else is named."""
import doctest

import numpy as np
import pytest

from orange_structpred.files import schema as schemas
from orange_structpred.files.schema import (
    Anything,
    Array,
    DictOf,
    Flag,
    ListOf,
    Number,
    OneOf,
    Optional,
    Record,
    Schema,
    SchemaError,
    Text,
    Whole,
)

DEEP = []
for _ in range(100):
    DEEP = [DEEP]


def test_example():
    found = doctest.testmod(schemas, extraglobs={"np": np},
                            optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 2 and not found.failed


@pytest.mark.parametrize("item, right, wrong", [
    (Whole(1, 5), [1, 5], [0, 6, True, 2., "2", None, 10**30]),
    (Number(), [1, 1.5, float("nan")], [True, "1", None, 10**30]),
    (Number(0, 1), [0, 0.5], [-1, 2, float("nan"), float("inf")]),
    (Text(3), ["", "abc"], ["abcd", 1, None]), (Flag(), [True], [0, 1, "true", None]),
    (OneOf(("a", "b")), ["a"], ["c", ["a"], None]),
    (ListOf(Flag(), 2), [[], [True]], [[1], {}, None, [True] * 3]),
    (DictOf(Whole(0, 9)), [{}, {"a": 1}], [{"a": -1}, [], None]),
    (Record({"a": Flag(), "b": Optional(Flag())}),
     [{"a": True}, {"a": True, "b": None}], [{}, {"a": True, "c": 5}, {"a": 1}, {"a": True, "b": 1}]),
    (Anything(), [None, {"a": [1]}], [DEEP])])
def test_values(item, right, wrong):
    for value in right:
        item.check("x", value, {})
    for value in wrong:
        with pytest.raises(SchemaError, match="^x"):
            item.check("x", value, {})


SCHEMA = Schema(
    header={"dim": Whole(1, 9), "support": ListOf(Text())},
    arrays={"sentences": Array("int32", "entries", low=0, below="support"),
            "filled": Array("int64", "values", low=0, total="entries"),
            "weights": Array("float32", ("dim", 2), optional=True),
            "words": Array("uint64", "words", rising=True, optional=True)})
GOOD = {"sentences": np.array([0, 1, 1], np.int32), "filled": np.array([1, 2, 0]),
        "weights": np.zeros((3, 2), np.float32), "words": np.array([1, 5], np.uint64)}


def check(**changes):
    arrays = {**GOOD, **changes}
    sizes = SCHEMA.check_header({"dim": 3, "support": ["a", "b"]})
    SCHEMA.check_arrays({name: array for name, array in arrays.items()
                         if array is not None}, sizes)


def test_arrays_that_fit():
    check()
    check(weights=None, words=None)
    check(words=np.zeros(0, np.uint64), filled=np.array([3]))


@pytest.mark.parametrize("name, array", [
    ("sentences", None), ("sentences", GOOD["sentences"].astype(np.int64)),
    ("sentences", np.array([0, 2, 1], np.int32)),
    ("sentences", np.array([0, -1, 1], np.int32)),
    ("sentences", GOOD["sentences"].reshape(1, 3)),
    ("filled", np.array([1, 1, 0])), ("filled", np.array([4, -1, 0])),
    ("filled", np.array([2**62] * 4 + [3])),            # the sum wraps to 3
    ("filled", np.zeros(0, np.int64)),
    ("weights", np.zeros((4, 2), np.float32)), ("weights", np.zeros((3, 3), np.float32)),
    ("weights", np.full((3, 2), np.nan, np.float32)),
    ("weights", np.full((3, 2), 1e30, np.float32)),
    ("words", np.array([5, 5], np.uint64))])
def test_arrays_that_do_not(name, array):
    with pytest.raises(SchemaError, match=name):
        check(**{name: array})
