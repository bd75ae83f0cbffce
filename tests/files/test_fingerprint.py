"""The identity of data."""
import subprocess
import sys
from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from scipy import sparse

from orange_structpred.files.fingerprint import Fingerprint, fingerprint


class Pair(NamedTuple):
    first: object
    second: object


class Thing:
    def __init__(self, **attributes):
        vars(self).update(attributes)


def scaled(factor):
    return lambda x: factor * x


DIFFERENT = [
    None, 0, 1, True, 1., "1", b"1", "", [], (), {}, [1], (1,), [1, 2], [[1], 2], [1, [2]],
    ["ab", "c"], ["a", "bc"], {"a": 1}, {"a": 2}, {"b": 1}, {1, 2}, {1, 3}, range(3),
    np.zeros(3), np.zeros(3, np.float32), np.zeros((3, 1)), np.zeros(4), np.zeros((0, 4)),
    np.float64(0), np.array(["a", "b"]), np.array([None, "b"], object),
    sparse.csr_array([[1., 0]]), sparse.csr_array([[0, 1.]]), Pair(1, 2), Thing(a=1),
    Thing(a=2), Thing(a=np.ones(2)), int, float, len, scaled(1), scaled(2),
    partial(max, 1), partial(max, 2), "\ud800", 1j, float("nan")]


def test_different_data_have_different_fingerprints():
    prints = [fingerprint(value) for value in DIFFERENT]
    assert len(set(prints)) == len(DIFFERENT)
    assert fingerprint() != fingerprint(None) != fingerprint(None, None)


@pytest.mark.parametrize("make", [
    lambda: np.arange(12.).reshape(3, 4), lambda: [np.arange(3), "a", (1, {"b": 2, "c": 3})],
    lambda: sparse.csr_array(np.eye(3)), lambda: Thing(x=np.ones(3), y=Thing(z=[1])),
    lambda: scaled(2), lambda: partial(max, 1), lambda: {"a", "b", "c"}])
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


def test_circles_end():
    circle = [1]
    circle.append(circle)
    assert fingerprint(circle) != fingerprint([1])


def test_the_same_in_every_process():
    code = ("from orange_structpred.files.fingerprint import fingerprint; "
            "print(fingerprint({'a', 'b', 'c'}, {'x': 1}))")
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=True).stdout.strip()
    assert other == fingerprint({"a", "b", "c"}, {"x": 1})


def test_bytes_in_pieces():
    one, two = Fingerprint(), Fingerprint()
    one.update(b"abcd")
    two.update(b"ab")
    two.update(b"cd")
    assert one.hexdigest() == two.hexdigest()
