"""What a model file may hold, said once, and checked before anything is done with it.

A schema says of each value of a model's header (see `values`) and of each of its arrays
what it must be: its dtype, its shape, its range, and how it follows from the others.
Sizes have names: where a name comes again, the size must be the same. Whole numbers of
the header and lengths of its lists are sizes, too. What is right by itself but makes no
sense together with the rest is for the model's own code to refuse, with a ValueError.

>>> schema = Schema(
...     header={"dim": Whole(1, 100), "groups": ListOf(Text())},
...     arrays={"weights": Array("float32", "dim"),
...             "keys": Array("uint64", "rows"),
...             "numbers": Array("int32", "rows", low=0, below="dim"),
...             "starts": Array("int64", "rows+1", starts="entries"),
...             "counts": Array("int64", "n", low=0, total="rows", optional=True)})
>>> sizes = schema.check_header({"dim": 3, "groups": ["head"]})
>>> schema.arrays["numbers"].check("numbers", np.array([0, 3], np.int32), sizes)
Traceback (most recent call last):
...
orange_structpred.files.values.SchemaError: numbers: found 3, expected less than dim, which is 3
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from orange_structpred.files.values import (
    LARGEST_WEIGHT,
    Anything,
    DictOf,
    Flag,
    ListOf,
    Number,
    OneOf,
    Optional,
    Record,
    SchemaError,
    Sizes,
    Text,
    Value,
    Whole,
    check_size,
    shortened,
)

__all__ = ["Anything", "Array", "DictOf", "Flag", "ListOf", "Number", "OneOf", "Optional",
           "Record", "Schema", "SchemaError", "Text", "Value", "Whole", "shortened"]


@dataclass(frozen=True)
class Array:
    """An array of one dtype.

    Parameters
    ----------
    dtype : one that numpy knows by this name
    shape : sizes as in `check_size`, "rows" or "rows+1"; one of them stands for a tuple
        of one
    low : smallest value; floats are finite and within `LARGEST_WEIGHT` without it
    high : largest value
    below : a size that all values are less than
    total : a size that the values, which are 0 or more, add up to
    rising : each value is larger than the one before; the name of an array of starts for
        values that rise from each start to the next
    distinct : no two values are equal
    starts : a size; the values are where rows of that many entries begin, and at last
        the size: they begin with 0 and never fall
    defines : a name for the size that all values are less than, the largest of them + 1
    most : how many values there can be
    optional : it may be missing

    Arrays that set sizes, and those of starts, are declared before those that need them.
    """

    dtype: str
    shape: str | int | tuple[str | int, ...]
    low: float | None = None
    high: float | None = None
    below: str | None = None
    total: str | None = None
    rising: bool | str = False
    distinct: bool = False
    starts: str | None = None
    defines: str | None = None
    most: int | None = None
    optional: bool = False

    def check_declared(self, where: str, dtype: np.dtype, shape: tuple[int, ...],
                       sizes: Sizes) -> None:
        """Dtype and shape, which are known before the values are read. Sizes that are
        met for the first time are added to `sizes`."""
        expected = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        if dtype.newbyteorder("=") != np.dtype(self.dtype) or len(shape) != len(expected):
            raise SchemaError(f"{where}: found {dtype} of shape {shape}, expected "
                              f"{self.dtype} with {len(expected)} dimensions")
        for size, name in zip(shape, expected):
            check_size(where, size, name, sizes)
        if self.most is not None and np.prod(shape, dtype=float) > self.most:
            raise SchemaError(f"{where}: found the shape {shape}, expected at most "
                              f"{self.most} values")

    def check(self, where: str, values: np.ndarray, sizes: Sizes,
              arrays: Mapping[str, np.ndarray] | None = None) -> None:
        """Shape and values; `arrays` are those that were checked before."""
        self.check_declared(where, values.dtype, values.shape, sizes)
        if self.defines is not None:
            sizes[self.defines] = int(values.max(initial=-1)) + 1
        if not values.size:
            if self.total is not None and sizes[self.total]:
                raise SchemaError(f"{where}: found no values, expected a sum of "
                                  f"{self.total}, which is {sizes[self.total]}")
            return
        low, high = self._check_range(where, values)
        if self.below is not None and int(high) >= sizes[self.below]:
            raise SchemaError(f"{where}: found {high}, expected less than {self.below}, "
                              f"which is {sizes[self.below]}")
        if self.rising:
            self._check_rising(where, values, arrays or {})
        if self.distinct and len(np.unique(values)) < values.size:
            raise SchemaError(f"{where}: found a value twice")
        if self.starts is not None:
            self._check_starts(where, values, self.starts, sizes)
        if self.total is not None:
            self._check_total(where, values, low, high, sizes[self.total])

    def _check_range(self, where: str, values: np.ndarray) -> tuple[float, float]:
        low, high = values.min().item(), values.max().item()
        floor, ceiling = self.low, self.high
        if values.dtype.kind == "f":
            if not (np.isfinite(low) and np.isfinite(high)):
                raise SchemaError(f"{where}: found a value that is not finite")
            floor = -LARGEST_WEIGHT if floor is None else floor
            ceiling = LARGEST_WEIGHT if ceiling is None else ceiling
        if floor is not None and low < floor:
            raise SchemaError(f"{where}: found {low}, expected at least {floor}")
        if ceiling is not None and high > ceiling:
            raise SchemaError(f"{where}: found {high}, expected at most {ceiling}")
        return low, high

    def _check_rising(self, where: str, values: np.ndarray,
                      arrays: Mapping[str, np.ndarray]) -> None:
        rises = values[1:] > values[:-1]
        if isinstance(self.rising, str):
            begins = arrays[self.rising]
            rises[begins[(begins > 0) & (begins < values.size)] - 1] = True
        if not rises.all():
            raise SchemaError(f"{where}: found values that do not rise")

    def _check_starts(self, where: str, values: np.ndarray, end: str,
                      sizes: Sizes) -> None:
        if values[0] != 0 or not (values[1:] >= values[:-1]).all():
            raise SchemaError(f"{where}: found starts that do not begin with 0 or that fall")
        check_size(f"{where}, at its end", int(values[-1]), end, sizes)

    def _check_total(self, where: str, values: np.ndarray, low: float, high: float,
                     expected: int) -> None:
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

    def check_header(self, header: object, where: str = "header") -> Sizes:
        """A SchemaError, or the sizes that the header names."""
        sizes: Sizes = {}
        Record(self.header).check(where, header, sizes)
        return sizes

    def check_arrays(self, arrays: Mapping[str, np.ndarray], sizes: Sizes) -> None:
        """All arrays at once, in the order in which they are declared."""
        for name, array in self.arrays.items():
            if name in arrays:
                array.check_declared(name, arrays[name].dtype, arrays[name].shape, sizes)
            elif not array.optional:
                raise SchemaError(f"the array {name} is missing")
        for name, array in self.arrays.items():
            if name in arrays:
                array.check(name, arrays[name], sizes, arrays)
