"""What a model file may hold, said once, and checked before anything is done with it.

A schema says of each value of a model's header and of each of its arrays what it must
be. Sizes have names: where a name comes again, the size must be the same. Whole numbers
of the header and lengths of its lists are sizes, too. An array that is no size's fault but still
makes no sense together with the others is for the model's own code to refuse, with a
ValueError.

>>> schema = Schema(
...     header={"dim": Whole(1, 100), "groups": ListOf(Text())},
...     arrays={"weights": Array("float32", "dim"),
...             "keys": Array("uint64", "rows"),
...             "numbers": Array("int32", "rows", low=0, below="dim"),
...             "counts": Array("int64", "n", low=0, total="rows", optional=True)})
>>> sizes = schema.check_header({"dim": 3, "groups": ["head"]})
>>> schema.arrays["numbers"].check("numbers", np.array([0, 3], np.int32), sizes)
Traceback (most recent call last):
...
orange_structpred.files.schema.SchemaError: numbers: found 3, expected less than dim, which is 3

Values of a header: `Whole`, `Number`, `Text`, `Flag`, `OneOf`, `ListOf`, `DictOf`,
`Record`, `Optional`, `Anything` (for what other code checks).
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from orange_structpred.errors import InputError

#: The largest weight or coefficient: sums of as many as a sentence can have are finite
LARGEST_WEIGHT = 1e25
DEEPEST_JSON = 30            # level of a value that other code checks


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


# Values of headers

@dataclass(frozen=True)
class Whole:
    """A whole number from low to high, both included."""

    low: int
    high: int

    def check(self, where: str, value: object) -> None:
        if type(value) is not int or not self.low <= value <= self.high:
            raise _wrong(where, value, f"a whole number from {self.low} to {self.high}")


@dataclass(frozen=True)
class Number:
    """A number from low to high; without bounds one that may be nan, as figures are."""

    low: float | None = None
    high: float = LARGEST_WEIGHT

    def check(self, where: str, value: object) -> None:
        right = type(value) is float or (type(value) is int and abs(value) <= LARGEST_WEIGHT)
        if not right or (self.low is not None and not self.low <= value <= self.high):
            raise _wrong(where, value, "a number" if self.low is None else
                         f"a number from {self.low:g} to {self.high:g}")


@dataclass(frozen=True)
class Text:
    longest: int = 1 << 20

    def check(self, where: str, value: object) -> None:
        if type(value) is not str or len(value) > self.longest:
            raise _wrong(where, value, f"a text of at most {self.longest} letters")


@dataclass(frozen=True)
class Flag:
    def check(self, where: str, value: object) -> None:
        if type(value) is not bool:
            raise _wrong(where, value, "true or false")


@dataclass(frozen=True)
class OneOf:
    values: tuple[str, ...]

    def check(self, where: str, value: object) -> None:
        if type(value) is not str or value not in self.values:
            raise _wrong(where, value, f"one of {', '.join(self.values)}")


@dataclass(frozen=True)
class ListOf:
    item: Value
    most: int = 1 << 24

    def check(self, where: str, value: object) -> None:
        if type(value) is not list or len(value) > self.most:
            raise _wrong(where, value, f"a list of at most {self.most} values")
        for own in value:
            self.item.check(where, own)


@dataclass(frozen=True)
class DictOf:
    """Any names, with values of one kind."""

    item: Value

    def check(self, where: str, value: object) -> None:
        if type(value) is not dict:
            raise _wrong(where, value, "a dictionary")
        for own in value.values():
            self.item.check(where, own)


@dataclass(frozen=True)
class Record:
    """Known names, each with its own kind; others are for later versions to know."""

    items: Mapping[str, Value]

    def check(self, where: str, value: object) -> None:
        if type(value) is not dict:
            raise _wrong(where, value, "a dictionary")
        for name, item in self.items.items():
            inner = f"{where}.{name}" if where else name
            if name not in value:
                if isinstance(item, Optional):
                    continue
                raise SchemaError(f"{inner} is missing")
            item.check(inner, value[name])


@dataclass(frozen=True)
class Optional:
    """A value that may be missing, or null."""

    item: Value

    def check(self, where: str, value: object) -> None:
        if value is not None:
            self.item.check(where, value)


@dataclass(frozen=True)
class Anything:
    """What other code checks, a kernel's parameters say; it is not too deep."""

    def check(self, where: str, value: object) -> None:
        level = [value]
        for _ in range(DEEPEST_JSON):
            level = [own for value in level if isinstance(value, (list, dict))
                     for own in (value.values() if isinstance(value, dict) else value)]
            if not level:
                return
        raise SchemaError(f"{where}: found more than {DEEPEST_JSON} levels")


Value = (Whole | Number | Text | Flag | OneOf | ListOf | DictOf | Record | Optional
         | Anything)


# Arrays

@dataclass(frozen=True)
class Array:
    """An array of one dtype.

    Parameters
    ----------
    dtype : one that numpy knows by this name
    shape : names of sizes, or numbers; one of them stands for a tuple of one
    low : smallest value; floats are finite and within `LARGEST_WEIGHT` without it
    high : largest value
    below : a size that all values are less than
    total : a size that the values, which are 0 or more, add up to
    rising : each value is larger than the one before
    optional : it may be missing
    """

    dtype: str
    shape: str | int | tuple[str | int, ...]
    low: float | None = None
    high: float | None = None
    below: str | None = None
    total: str | None = None
    rising: bool = False
    optional: bool = False

    def check_declared(self, where: str, dtype: np.dtype, shape: tuple[int, ...],
                       sizes: dict[str, int]) -> None:
        """Dtype and shape, which are known before the values are read. Sizes that are
        met for the first time are added to `sizes`."""
        expected = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        if dtype.newbyteorder("=") != np.dtype(self.dtype) or len(shape) != len(expected):
            raise SchemaError(f"{where}: found {dtype} of shape {shape}, expected "
                              f"{self.dtype} with {len(expected)} dimensions")
        for size, name in zip(shape, expected):
            right = name if isinstance(name, int) else sizes.setdefault(name, size)
            if size != right:
                raise SchemaError(f"{where}: found the shape {shape}, expected "
                                  f"{name}={right}")

    def check(self, where: str, values: np.ndarray, sizes: dict[str, int]) -> None:
        """Shape and values."""
        self.check_declared(where, values.dtype, values.shape, sizes)
        if not values.size:
            if self.total is not None and sizes[self.total]:
                raise SchemaError(f"{where}: found no values, expected a sum of "
                                  f"{self.total}, which is {sizes[self.total]}")
            return
        low, high = values.min().item(), values.max().item()
        if values.dtype.kind == "f" and not (np.isfinite(low) and np.isfinite(high)):
            raise SchemaError(f"{where}: found a value that is not finite")
        floor, ceiling = self.low, self.high
        if values.dtype.kind == "f":
            floor = -LARGEST_WEIGHT if floor is None else floor
            ceiling = LARGEST_WEIGHT if ceiling is None else ceiling
        if floor is not None and low < floor:
            raise SchemaError(f"{where}: found {low}, expected {floor} at least")
        if ceiling is not None and high > ceiling:
            raise SchemaError(f"{where}: found {high}, expected {ceiling} at most")
        if self.below is not None and int(high) >= sizes[self.below]:
            raise SchemaError(f"{where}: found {high}, expected less than {self.below}, "
                              f"which is {sizes[self.below]}")
        if self.rising and not (values[1:] > values[:-1]).all():
            raise SchemaError(f"{where}: found values that do not rise")
        if self.total is not None:
            self._check_total(where, values, low, high, sizes[self.total])

    def _check_total(self, where, values, low, high, expected: int) -> None:
        # No value is larger than the sum, so that the sum cannot wrap unseen.
        if low < 0 or int(high) > expected or expected * values.size >= 1 << 63 or (
                int(values.sum(dtype=np.int64)) != expected):
            raise SchemaError(f"{where}: found values that do not add up to "
                              f"{self.total}, which is {expected}")


@dataclass(frozen=True)
class Schema:
    """A model's header and arrays."""

    header: Mapping[str, Value] = field(default_factory=dict)
    arrays: Mapping[str, Array] = field(default_factory=dict)

    def check_header(self, header: object, where: str = "header") -> dict[str, int]:
        """A SchemaError, or the sizes that the header names."""
        Record(self.header).check(where, header)
        sizes = {name: header[name] for name, item in self.header.items()
                 if isinstance(item, Whole)}
        return {**sizes, **{name: len(header[name]) for name, item in
                            self.header.items() if isinstance(item, ListOf)}}

    def check_arrays(self, arrays: Mapping[str, np.ndarray],
                     sizes: dict[str, int]) -> None:
        """All arrays at once, in the order in which they are declared; those that set
        sizes should come before those whose values these bound."""
        for name, array in self.arrays.items():
            if name in arrays:
                array.check_declared(name, arrays[name].dtype, arrays[name].shape, sizes)
            elif not array.optional:
                raise SchemaError(f"the array {name} is missing")
        for name, array in self.arrays.items():
            if name in arrays:
                array.check(name, arrays[name], sizes)
