"""The examples of docstrings, which the reference pages show, run as they are."""
import doctest
import warnings
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest

import orange_structpred

LIBRARY = orange_structpred.__name__
ROOMS = sorted({module.name.split(".")[1] for module in walk_packages(
    orange_structpred.__path__, f"{LIBRARY}.") if ".widgets" not in module.name})
#: Rooms whose examples train for a while
SLOW = ("learner", "pipeline", "problems")


def modules_of(room: str) -> list[str]:
    whole = f"{LIBRARY}.{room}"
    paths = getattr(import_module(whole), "__path__", [])
    return [whole, *(module.name for module in walk_packages(paths, f"{whole}."))]


@pytest.mark.parametrize("room", [
    pytest.param(room, marks=[pytest.mark.slow] if room in SLOW else []) for room in ROOMS])
def test_examples(room):
    finder, wrong = doctest.DocTestFinder(), []
    runner = doctest.DocTestRunner(
        optionflags=doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE)
    for name in modules_of(room):
        for test in finder.find(import_module(name)):
            if test.examples and test.name.startswith(name):
                test.globs.setdefault("np", np)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    runner.run(test, out=wrong.append)
    assert not wrong, "".join(wrong)
