"""Values of a model's header: what each of them may be.

A value is checked together with the sizes that are known so far. A whole number and the
length of a list that stand in a record are sizes, named as they are there; a list can
also be given a size that it shares with others.

>>> item = Record({"layers": ListOf(Text(9), 4),
...                "labels": ListOf(ListOf(Text(9), length="layers"))})
>>> item.check("", {"layers": ["upos", "xpos"], "labels": [["NOUN"]]}, {})
Traceback (most recent call last):
...
orange_structpred.files.values.SchemaError: labels: found 1, expected layers, which is 2
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from orange_structpred.errors import InputError

#: The largest weight or coefficient: sums of as many as a sentence can have are finite
LARGEST_WEIGHT = 1e25
DEEPEST_JSON = 30            # level of a value that other code checks
LONGEST_NAME = 1000
LONGEST_KEY = 10_000         # of a dictionary
# Tabs and line ends would break the lines of a treebank, surrogates its encoding.
_BREAKS_CELL = re.compile("[\0\t\n\r\ud800-\udfff]")
_BREAKS_TEXT = re.compile("[\0\r\ud800-\udfff]")

Sizes = dict[str, int]


class SchemaError(InputError):
    """What is wrong, where, and what was expected."""


def _wrong(where: str, found: object, expected: str) -> SchemaError:
    return SchemaError(f"{where}: found {shortened(found)}, expected {expected}")


def shortened(value: object) -> str:
    """A value from a file as a short text, however long and deep it is."""
    if isinstance(value, (dict, list)):
        return f"a {type(value).__name__} of {len(value)} values"
    if isinstance(value, str):
        return repr(value[:40])
    return f"{value!r:.40}" if isinstance(value, (bool, float, type(None))) else (
        str(value) if isinstance(value, int) and abs(value) < 10**18
        else f"a large {type(value).__name__}")


def check_size(where: str, found: int, expected: str | int, sizes: Sizes) -> None:
    """Compare a size with what is expected of it: a number, or a sum of names, numbers
    and powers of two, as "rows", "rows+1" or "entries+2^bits". A name that is met for
    the first time gets the value that makes the sum right."""
    if isinstance(expected, int):
        if found != expected:
            raise SchemaError(f"{where}: found {found}, expected {expected}")
        return
    total, unknown = 0, None
    for term in expected.split("+"):
        if term.isdecimal():
            total += int(term)
        elif term.startswith("2^"):
            total += 1 << sizes[term[2:]]
        elif term in sizes:
            total += sizes[term]
        else:
            unknown = term
    if unknown is not None and found >= total:
        sizes[unknown] = found - total
    elif found != total:
        raise SchemaError(f"{where}: found {found}, expected {expected}, which is "
                          + "at least " * (unknown is not None) + str(total))


@dataclass(frozen=True)
class Whole:
    """A whole number from low to high, both included; high may be a size."""

    low: int
    high: int | str

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        high = sizes[self.high] if isinstance(self.high, str) else self.high
        if type(value) is not int or not self.low <= value <= high:
            raise _wrong(where, value, f"a whole number from {self.low} to {high}")


@dataclass(frozen=True)
class Number:
    """A number from low to high; without bounds one that may be nan, as figures are."""

    low: float | None = None
    high: float = LARGEST_WEIGHT

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if (not isinstance(value, (int, float)) or isinstance(value, bool)
                or isinstance(value, int) and abs(value) > LARGEST_WEIGHT
                or self.low is not None and not self.low <= value <= self.high):
            raise _wrong(where, value, "a number" if self.low is None else
                         f"a number from {self.low:g} to {self.high:g}")


@dataclass(frozen=True)
class Text:
    """A text without tabs, line ends and surrogates, so that it can stand in a treebank;
    with `lines`, one of several lines that may have tabs."""

    longest: int = LONGEST_KEY
    least: int = 0
    lines: bool = False

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if type(value) is not str or not self.least <= len(value) <= self.longest:
            raise _wrong(where, value, f"a text of {self.least} to {self.longest} characters")
        if (_BREAKS_TEXT if self.lines else _BREAKS_CELL).search(value):
            raise _wrong(where, value, "a text without tabs, line breaks and surrogates"
                         if not self.lines else "a text without surrogates")


@dataclass(frozen=True)
class Flag:
    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if type(value) is not bool:
            raise _wrong(where, value, "true or false")


@dataclass(frozen=True)
class OneOf:
    values: tuple[str, ...]

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if type(value) is not str or value not in self.values:
            raise _wrong(where, value, f"one of {', '.join(self.values)}")


@dataclass(frozen=True)
class ListOf:
    """Values of one kind.

    Parameters
    ----------
    item : what each of them is
    most, least : how many there can be
    length : a size that their number must be
    distinct : no two are equal; for texts and numbers
    """

    item: Value
    most: int = 1 << 20
    least: int = 0
    length: str | int | None = None
    distinct: bool = False

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if type(value) is not list or not self.least <= len(value) <= self.most:
            raise _wrong(where, value, f"a list of {self.least} to {self.most} values")
        if self.length is not None:
            check_size(where, len(value), self.length, sizes)
        for item in value:
            self.item.check(where, item, sizes)
        if self.distinct and len(set(value)) < len(value):
            raise SchemaError(f"{where}: found a value twice")


@dataclass(frozen=True)
class DictOf:
    """Any names, with values of one kind."""

    item: Value
    most: int = 1 << 20

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if type(value) is not dict or len(value) > self.most:
            raise _wrong(where, value, f"a dictionary of at most {self.most} values")
        for name, item in value.items():
            if len(name) > LONGEST_KEY:
                raise _wrong(where, name, f"names of at most {LONGEST_KEY} characters")
            self.item.check(where, item, sizes)


@dataclass(frozen=True)
class Record:
    """Known names, each with its own kind.

    Other names are refused: what a later version says of a model may change all that it
    does. Only where they say nothing of what it does, as the figures of a log, can they
    be left `open`.
    """

    items: Mapping[str, Value]
    open: bool = False

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if type(value) is not dict:
            raise _wrong(where, value, "a dictionary")
        for name, item in self.items.items():
            inner = f"{where}.{name}" if where else name
            if name not in value:
                if isinstance(item, Optional):
                    continue
                raise SchemaError(f"{inner} is missing")
            item.check(inner, value[name], sizes)
            kind = item.item if isinstance(item, Optional) else item
            if isinstance(kind, Whole) and value[name] is not None:
                sizes.setdefault(name, value[name])
            elif isinstance(kind, ListOf) and value[name] is not None:
                sizes.setdefault(name, len(value[name]))
        unknown = set() if self.open else value.keys() - self.items.keys()
        if unknown:
            raise SchemaError(f"{where or 'header'}: found the unknown name "
                              f"{shortened(min(unknown))}")


@dataclass(frozen=True)
class Optional:
    """A value that may be missing, or null."""

    item: Value

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        if value is not None:
            self.item.check(where, value, sizes)


@dataclass(frozen=True)
class Anything:
    """What other code checks, a kernel's parameters say; it is not too deep."""

    def check(self, where: str, value: object, sizes: Sizes) -> None:
        level = [value]
        for _ in range(DEEPEST_JSON):
            level = [inner for value in level if isinstance(value, (list, dict))
                     for inner in (value.values() if isinstance(value, dict) else value)]
            if not level:
                return
        raise SchemaError(f"{where}: found more than {DEEPEST_JSON} levels")


Value = (Whole | Number | Text | Flag | OneOf | ListOf | DictOf | Record | Optional
         | Anything)
