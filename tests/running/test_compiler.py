"""Compiled functions that call each other are parts of the one that Python calls."""
import gc
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba import int64
from numba.core import event
from numba.core.typing.templates import _OverloadFunctionTemplate
from numba.extending import overload

from orange_structpred.running import compiler
from orange_structpred.running.compiler import (
    FIRST_KNOWN,
    LAST_KNOWN,
    internals_are_known,
    njit,
)
from tests.data import ROOT


@njit(nogil=True, cache=False)
def inverse(number, places):
    if number == 0:
        raise ValueError("there is no inverse of 0")
    return np.round(1 / number, places)


@njit(nogil=True, cache=False)
def inverses(numbers):
    total = 0.
    for number in numbers:
        total += inverse(number, 3)
    return total + inverse(8, 1) + inverse(8, 2)


def test_functions_that_call_each_other():
    assert inverses(np.array([2., 3.])) == pytest.approx(.5 + .333 + .1 + .12)
    # numbers in a call have no versions of their own, and Python no way in
    assert set(inverse.part.overloads) == {args for args in inverse.part.overloads
                                           if args[1] == int64}
    assert len(inverse.part.overloads) == 2 and not inverse.overloads
    assert inverse(3., 2) == .33
    assert inverse(3., 2) == inverse.py_func(3., 2)


@njit(nogil=True, cache=False)
def squares(numbers):
    return numbers * numbers


@njit(nogil=True, cache=False)
def sum_of_squares(numbers):
    return squares(numbers).sum()


def test_a_part_that_python_calls_is_not_typed_again():
    assert sum_of_squares(np.arange(4)) == 14
    with event.install_recorder("numba:run_pass") as passes:
        assert squares(np.arange(4)).tolist() == [0, 1, 4, 9]
    assert not passes.buffer
    assert set(squares.overloads) == set(squares.part.overloads)


@njit(nogil=True, cache=False)
def rows(table):
    for k in range(table.shape[0]):
        yield table[k]


@njit(nogil=True, cache=False)
def sum_of_rows(table):
    total = 0
    for row in rows(table):
        total += row[0]
    return total


def test_generators():
    table = np.arange(6).reshape(3, 2)
    assert [row.tolist() for row in rows(table)] == table.tolist()
    assert sum_of_rows(table) == 6


def test_errors_come_through():
    with pytest.raises(ValueError, match="no inverse of 0"):
        inverses(np.zeros(1))
    with pytest.raises(ValueError, match="no inverse of 0"):
        inverse(0, 1)


@njit(nogil=True, cache=False)
def make_arrays(n):
    return np.zeros(n, np.int16), np.empty((n, 2), np.int16), np.full(n, 7, np.int16)


def test_arrays_are_made_in_the_function_itself():
    zeros, empty, full = make_arrays(3)
    assert zeros.tolist() == [0] * 3 and full.tolist() == [7] * 3
    assert empty.shape == (3, 2)
    with pytest.raises(ValueError, match="negative dimensions"):
        make_arrays(-1)
    with pytest.raises(MemoryError):
        make_arrays(1 << 60)


def test_other_compiled_code_goes_on_as_before():
    @numba.njit
    def others(n):
        return np.zeros(n, np.int16), np.ones(n, np.int8)

    choose = _OverloadFunctionTemplate._get_jit_decorator
    make_arrays.compile("(int32,)")
    assert _OverloadFunctionTemplate._get_jit_decorator is choose
    zeros, ones = others(2)
    assert zeros.tolist() == [0, 0] and ones.tolist() == [1, 1]
    with pytest.raises(ValueError, match="negative dimensions"):
        others(-1)


def test_while_something_is_compiled():
    """It is known, and nobody looks for garbage."""
    seen = []

    def double(x):
        """In the place of a function that numba knows."""

    @overload(double)
    def compile_double(x):
        seen.append(compiler.is_compiling() and not gc.isenabled())
        return lambda x: 2 * x

    @compiler.njit(cache=False)
    def twice(x):
        return double(x)

    assert not compiler.is_compiling()
    assert twice(3) == 6
    assert seen and all(seen)
    assert not compiler.is_compiling() and gc.isenabled()


@pytest.mark.parametrize(("version", "known"), [
    (f"{FIRST_KNOWN[0]}.{FIRST_KNOWN[1]}.0", True),
    (f"{LAST_KNOWN[0]}.{LAST_KNOWN[1]}.99", True),
    (f"{LAST_KNOWN[0]}.{LAST_KNOWN[1] + 1}.0", False),
    (f"{LAST_KNOWN[0] + 1}.0.0", False), ("0.58.1", False), ("0+unknown", False)])
def test_versions_of_numba(version, known, monkeypatch):
    monkeypatch.setattr(numba, "__version__", version)
    assert internals_are_known() is known


def test_the_lowest_version_is_that_of_the_installation():
    bound = f'"numba>={FIRST_KNOWN[0]}.{FIRST_KNOWN[1]}"'
    assert bound in (ROOT / "setup.py").read_text(encoding="utf-8")


# Functions that call each other, with numbers in calls, named tuples and arrays: the
# decoder and a solver's step.
PLAIN_RUN = """
import sys
import numba
if sys.argv[1] == "unknown":
    numba.__version__ = "0.99.0"
import numpy as np
from orange_structpred.parsing.decoding.eisner import eisner
from orange_structpred.svm.parts import all_signed_parts
scores = np.sin(np.arange(64, dtype=np.float32)).reshape(8, 8)
print(type(eisner).__name__, eisner(scores, True).tolist())
print([part.tolist() for part in all_signed_parts(
    np.array([1, 4, 6]), np.array([1, 5, 4, 7]), np.array([0, 2, 4]))])
"""


def test_unknown_versions_compile_as_they_always_do():
    def output(version):
        done = subprocess.run([sys.executable, "-c", PLAIN_RUN, version], cwd=ROOT,
                              check=True, capture_output=True, encoding="utf-8")
        name, _, results = done.stdout.partition(" ")
        return name, results

    (name, results), (plain_name, plain_results) = output("known"), output("unknown")
    assert (name, plain_name) == ("_Function", "CPUDispatcher")
    assert plain_results == results
