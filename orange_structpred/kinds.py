"""What the values of parameters may be: one class for each kind, one range for each.

Nothing is imported here that takes time: the command line answers with it at once.
"""
from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import NamedTuple, TypeGuard

from orange_structpred.errors import InputError
from orange_structpred.files.values import LONGEST_NAME, SchemaError, Text

# Beyond these, sums of weights, which have 32 bits, are infinite, or nothing is learned
SMALLEST_C, LARGEST_PARAMETER = 1e-10, 1e10
MOST = 10**9                # of what is counted
MOST_SEEDS = 2**32 - 1      # that numpy's older generators take
MOST_PASSES, MOST_THREADS, MOST_SHARDS = 10**6, 10**4, 10**4


def is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)


def is_list(value: object, fits: Callable[[object], bool] = lambda item: True) -> bool:
    import numpy as np

    return (isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str)
            and all(map(fits, value)))


class Kind(ABC):
    """Values that a parameter may have."""

    @property
    def metavar(self) -> str:
        """A value in the help of the command line."""
        return "TEXT"

    @property
    @abstractmethod
    def text(self) -> str:
        """The values in words, as in "C must be ..."."""

    @property
    def written(self) -> str:
        """What is expected on the command line."""
        return self.text

    @abstractmethod
    def fits(self, value: object) -> bool:
        """Whether a value is one of them."""

    def check(self, name: str, value: object) -> None:
        """Raise an InputError that names the parameter, its value and what is expected."""
        if not self.fits(value):
            raise InputError(f"{name} must be {self.text}, not {value!r}")

    def parse(self, text: str) -> object:
        """The value that a text stands for; a ValueError if there is none."""
        return text


@dataclass(frozen=True)
class WholeNumber(Kind):
    """Whole numbers.

    lowest : how the smallest number is shown, if it has a special meaning
    """

    low: int
    high: int = MOST
    lowest: str = ""
    metavar = "N"

    @property
    def text(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def fits(self, value: object) -> bool:
        return is_whole(value) and self.low <= value <= self.high

    def parse(self, text: str) -> int:
        if not text.isdecimal() or not self.fits(value := int(text)):
            raise ValueError
        return value


@dataclass(frozen=True)
class RealNumber(Kind):
    """Numbers above 0; with_zero, with_inf : 0 and inf are two of them."""

    low: float = 0.
    high: float = LARGEST_PARAMETER
    with_zero: bool = False
    with_inf: bool = False
    metavar = "NUMBER"

    @property
    def text(self) -> str:
        numbers = (f"a number from {self.low:g} to {self.high:g}"
                   if self.low or self.with_zero
                   else f"a number above 0, {self.high:g} at most")
        return f"{numbers}, or inf" if self.with_inf else numbers

    def fits(self, value: object) -> bool:
        return (self.with_inf and isinstance(value, float) and value == float("inf")
                or is_number(value) and (0 < value or self.with_zero)
                and self.low <= value <= self.high)

    def parse(self, text: str) -> float:
        value = float(text)
        if not self.fits(value):
            raise ValueError
        return value


class Choice(NamedTuple):
    """What a control shows for a value, and what its tooltip says."""

    text: str
    meaning: str


@dataclass(frozen=True)
class OneOfThese(Kind):
    """A few values, each with its label and its meaning."""

    choices: Mapping[str, Choice]

    @property
    def text(self) -> str:
        return f"one of {', '.join(self.choices)}"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value in self.choices

    def check(self, name: str, value: object) -> None:
        if isinstance(value, str) and not self.fits(value):
            raise InputError(f"{name} {value!r} is not known; choose from "
                             + ", ".join(self.choices))
        super().check(name, value)


def one_of_names(names: Iterable[str]) -> OneOfThese:
    """Values that need no labels: they are for scripts only."""
    return OneOfThese({name: Choice(name, "") for name in names})


class Switch(Kind):
    """True or False."""

    text = "True or False"

    def fits(self, value: object) -> bool:
        import numpy as np

        return isinstance(value, (bool, np.bool_))

    def parse(self, text: str) -> bool:
        return {"true": True, "false": False}[text.lower()]


class PathName(Kind):
    text = "a path"
    metavar = "FILE"

    def fits(self, value: object) -> bool:
        return isinstance(value, (str, os.PathLike))

    def parse(self, text: str) -> str:
        if not text.strip() or text == "-":
            raise ValueError
        return text


class ModelName(Kind):
    """A name that model files and comments of treebanks can have."""

    text = f"a text of at most {LONGEST_NAME} characters without tabs or line breaks"

    def fits(self, value: object) -> bool:
        try:
            Text(LONGEST_NAME).check("name", value, {})
        except SchemaError:
            return False
        return True


class Seed(Kind):
    written = f"a whole number from 0 to {MOST_SEEDS}"
    text = f"{written}, a RandomState or None"
    metavar = "N"

    def fits(self, value: object) -> bool:
        import numpy as np

        return (value is None or isinstance(value, np.random.RandomState)
                or is_whole(value) and 0 <= value <= MOST_SEEDS)

    def parse(self, text: str) -> int:
        return WholeNumber(0, MOST_SEEDS).parse(text)


class ThreadCount(Kind):
    text = "a whole number other than 0 (-1 for all processors), or None"
    written = f"a whole number from 1 to {MOST_THREADS}"
    metavar = "N"

    def fits(self, value: object) -> bool:
        return value is None or is_whole(value) and 0 < abs(value) <= MOST_THREADS

    def parse(self, text: str) -> int:
        return WholeNumber(1, MOST_THREADS).parse(text)


@dataclass(frozen=True)
class OrNone(Kind):
    """The values of another kind, and None."""

    kind: Kind

    @property
    def text(self) -> str:
        return f"{self.kind.text}, or None"

    @property
    def written(self) -> str:
        return self.kind.written

    @property
    def metavar(self) -> str:
        return self.kind.metavar

    def fits(self, value: object) -> bool:
        return value is None or self.kind.fits(value)

    def parse(self, text: str) -> object:
        return self.kind.parse(text)


# The same wherever something is learned

C_KIND = RealNumber(SMALLEST_C)
#: With the hard margin, which is for solvers that know it
ANY_MARGIN_KIND = RealNumber(SMALLEST_C, with_inf=True)
EPSILON_KIND = RealNumber()
PASSES_KIND = WholeNumber(1, MOST_PASSES)
THREADS_KIND = WholeNumber(1, MOST_THREADS)
SHARDS_KIND = OrNone(WholeNumber(1, MOST_SHARDS))
SMOOTHNESS_KIND = RealNumber(high=1e6)
NEIGHBOURS_KIND = WholeNumber(1, 1000)
#: The solvers of parsers and taggers
SOLVER_TEXTS: dict[str, Choice] = {
    "mira": Choice(
        "MIRA", "Online: the smallest step that corrects a sentence. Fast and accurate;"
        " no certificate"),
    "bcfw": Choice(
        "BCFW", "Block-coordinate Frank-Wolfe on the dual of the structural SVM. Knows "
        "how far it is from the optimum"),
    "one-slack": Choice(
        "One-slack", "Cutting planes with one slack variable: the reference. Needs "
        "many passes"),
    "perceptron": Choice(
        "Perceptron", "Online: averaged structured perceptron, the simplest of all. Has "
        "no C"),
    "subgradient": Choice(
        "Subgradient", "Online: stochastic subgradient descent (Pegasos)"),
}
#: Further ones of parsers
FURTHER_SOLVER_TEXTS: dict[str, Choice] = {
    "n-slack": Choice(
        "N-slack", "Cutting planes with a slack variable for each sentence, which can be "
        "rescaled or squared. For a few hundred sentences"),
    "sampled-cuts": Choice(
        "Sampled cuts", "One-slack cutting planes from samples of the sentences: fewer "
        "calls of the decoder"),
}
#: Those of parsers with kernels only
KERNEL_SOLVER_TEXTS: dict[str, Choice] = {
    "ridge": Choice(
        "Ridge regression", "Kernel dependency estimation in closed form: features of trees "
        "from kernel values. Only for kernels; no passes"),
    "kernel-pca": Choice(
        "Kernel PCA", "Kernel dependency estimation by ridge regression on the principal "
        "components of the gold trees. Only for kernels; no passes"),
    "vector-ridge": Choice(
        "Vector-valued ridge", "Ridge regression with an operator-valued kernel, which "
        "takes into account how gold trees vary. Only for kernels; no passes"),
    "one-class": Choice(
        "One-class SVM", "Joint kernel support estimation: learns from the gold trees "
        "alone. Only for kernels; no passes"),
}
