"""The identity of data."""
import os
import re
import subprocess
import sys
from datetime import date
from decimal import Decimal
from functools import cached_property, partial
from typing import NamedTuple

import numba
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from orange_structpred.files.fingerprint import Fingerprint, fingerprint
from tests.data import ROOT


class Pair(NamedTuple):
    first: object
    second: object


class Thing:
    def __init__(self, **attributes):
        vars(self).update(attributes)


class Day(date):
    """What it is stands in no attribute."""


class Slot:
    __slots__ = ("__dict__", "a")

    def __init__(self, a):
        self.a = a


class Cached(Thing):
    @cached_property
    def doubled(self):
        return 2 * self.a


def scaled(factor):
    return lambda x: factor * x


def kernel(text):
    """The function that a script defines."""
    names = {"KEY": "k"}
    exec(f"def kernel(a, b, *, c=1):\n    return {text}", names)
    return names["kernel"]


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


FUNCTION = "(lambda x: x in {'p', 'q', 'r', 's'})(a)"
DIFFERENT = [
    None, 0, 1, True, 1., "1", b"1", "", [], (), {}, [1], (1,), [1, 2], [[1], 2], [1, [2]],
    ["ab", "c"], ["a", "bc"], {"a": 1}, {"a": 2}, {"b": 1}, {1, 2}, {1, 3}, range(3),
    np.zeros(3), np.zeros(3, np.float32), np.zeros((3, 1)), np.zeros(4), np.zeros((0, 4)),
    np.float64(0), np.array(["a", "b"]), np.array([None, "b"], object),
    sparse.csr_array([[1., 0]]), sparse.csr_array([[0, 1.]]), Pair(1, 2), Thing(a=1),
    Thing(a=2), Thing(a=np.ones(2)), int, float, len, scaled(1), scaled(2),
    partial(max, 1), partial(max, 2), "\ud800", 1j, float("nan"), Day(2000, 1, 1),
    Day(2001, 1, 1), Slot(1), Slot(2), kernel("[x for x in a]"), kernel("[x + 1 for x in a]"),
    kernel("lambda: 1"), kernel("lambda: 2"), nested(5000), nested(5001),
    re.compile("a"), re.compile("b"), Decimal(1), Decimal(2), np.add, np.dot]


def test_different_data_have_different_fingerprints():
    prints = [fingerprint(value) for value in DIFFERENT]
    assert len(set(prints)) == len(DIFFERENT)
    assert fingerprint() != fingerprint(None) != fingerprint(None, None)


@pytest.mark.parametrize("make", [
    lambda: np.arange(12.).reshape(3, 4), lambda: [np.arange(3), "a", (1, {"b": 2, "c": 3})],
    lambda: sparse.csr_array(np.eye(3)), lambda: Thing(x=np.ones(3), y=Thing(z=[1])),
    lambda: scaled(2), lambda: partial(max, 1), lambda: {"a", "b", "c"},
    lambda: kernel("[x for x in a if x in {'p', 'q', 'r'}]"), lambda: Day(2000, 1, 1),
    lambda: pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), lambda: re.compile("a")])
def test_equal_data_have_equal_fingerprints(make):
    assert fingerprint(make()) == fingerprint(make())


def test_how_data_are_kept_does_not_matter():
    array = np.arange(12.).reshape(3, 4)
    assert fingerprint(array) == fingerprint(np.asfortranarray(array))
    assert fingerprint(array[:, ::2]) == fingerprint(array[:, ::2].copy())
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    matrix = sparse.csr_array(np.eye(3))
    before = fingerprint(matrix)
    matrix.has_sorted_indices       # noqa: B018 (scipy remembers it with the matrix)
    assert fingerprint(matrix) == before


def test_defaults_of_functions_are_part_of_them():
    one, two = kernel("c"), kernel("c")
    assert fingerprint(one) == fingerprint(two)
    two.__kwdefaults__ = {"c": 2}
    assert fingerprint(one) != fingerprint(two)


def test_what_was_computed_does_not_matter():
    value = Cached(a=1)
    before = fingerprint(value), fingerprint(bare := Cached())
    assert value.doubled == 2
    vars(bare)["doubled"] = 2
    assert (fingerprint(value), fingerprint(bare)) == before
    function = numba.njit(kernel("a * b"))
    before = fingerprint(function)
    assert function(2, 3, 1) == 6 and fingerprint(function) == before
    assert before != fingerprint(numba.njit(kernel("a + b")))


def test_circles_end():
    circle = [1]
    circle.append(circle)
    assert fingerprint(circle) != fingerprint([1])
    node = Thing(a=1)
    node.own = {"parent": node, "children": [node]}
    assert fingerprint(node) != fingerprint(Thing(a=1))


def test_the_same_in_every_process():
    code = ("from tests.files.test_fingerprint import fingerprint, kernel; "
            "print(fingerprint({'a', 'b', 'c'}, {'x': 1}, kernel(" + repr(FUNCTION) + ")))")
    other = {subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed}).stdout.strip() for seed in "12"}
    assert other == {fingerprint({"a", "b", "c"}, {"x": 1}, kernel(FUNCTION))}


def test_bytes_in_pieces():
    one, two = Fingerprint(), Fingerprint()
    one.update(b"abcd")
    two.update(b"ab")
    two.update(b"cd")
    assert one.hexdigest() == two.hexdigest()
