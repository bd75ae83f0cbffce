"""Models in files: an .npz of arrays with a JSON header. No pickle, no code.

A file has a format and a version, a header, and one or more components. A component
(a tree model, its pruner, a tagger) is a header of its own and arrays whose names begin
with the component's; the main one has no name. What a component may hold is said by the
`Schema` of its model; nothing else is read, and nothing is handed out unchecked. A model
can also be the whole file: then its schema is that of the file's header and arrays.

    save("english.npz", format="...", version=2, header={"name": "English"},
         components={"": Component(model.header(), model.arrays()),
                     "pruner": Component(pruner.header(), pruner.arrays())})

    with ModelFile("english.npz", format="...", versions=(2,), schema=HEADER,
                   components=("pruner",)) as file:
        model = Model.read(file)                # file.component(Model.schema)
        pruner = Pruner.read(file, "pruner")    # file.component(Pruner.schema, "pruner")
"""
from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from orange_structpred.errors import InputError
from orange_structpred.files.arrays import (
    ArrayFile,
    ArrayFileError,
    write_compressed,
)
from orange_structpred.files.schema import (
    Anything,
    Array,
    DictOf,
    Optional,
    Record,
    Schema,
    SchemaError,
    Text,
    Value,
    shortened,
)
from orange_structpred.files.values import LONGEST_NAME, Sizes

# Whatever contents lead to that are right one by one and make no sense together
_UNFIT = (ValueError, LookupError, TypeError, AttributeError, MemoryError,
          ArithmeticError, RecursionError, NotImplementedError)
#: What arrays were called in files of version 1
OLDER_ARRAYS = {"indices": "places", "pruned": "barred"}
#: Bytes of a header, most of which are the sentences of kernel models, and its values:
#: an empty list takes 2 bytes there and 64 in memory
LARGEST_MODEL_HEADER, MOST_VALUES = 1 << 26, 1 << 20
#: What all headers can have
_ENVELOPE = {"format": Optional(Text(LONGEST_NAME)), "version": Optional(Anything()),
             "model": Optional(Anything()), "components": Optional(DictOf(Anything(), 100))}


class ModelFileError(InputError):
    """A file that is not a model, or is damaged."""


class OtherVersionError(InputError):
    """A model that this version cannot use, though its file is whole."""

    def __init__(self, what: str = "feature templates"):
        super().__init__(f"it was saved by another version, with other {what}; train it "
                         "again")


class Component(NamedTuple):
    """A part of a model: what is small, and what is large."""

    header: dict
    arrays: dict[str, np.ndarray]


def combined(header: dict, components: Mapping[str, Component]) -> Component:
    """Several components as one, with a header; "" is the main one.

    Made of components in turn, it can be a component of a larger model.
    """
    return Component(
        {**header, "model": components[""].header,
         "components": {name: part.header for name, part in components.items() if name}},
        {_full_name(name, array_name): array for name, part in components.items()
         for array_name, array in part.arrays.items()})


def save(path: str | os.PathLike, *, format: str, version: int, header: dict,
         components: Mapping[str, Component]) -> None:
    """Write a model; the component "" is the main one."""
    write_single(path, format=format, version=version, whole=combined(header, components))


def write_single(path: str | os.PathLike, *, format: str, version: int, whole: Component
                 ) -> None:
    """Write a model that is one component.

    What could not be read again, a name with a tab, is refused with an InputError.
    """
    for name, part in {"": whole.header, **whole.header.get("components", {})}.items():
        if "name" in part:
            Text(LONGEST_NAME).check(_full_name(name, "name"), part["name"], {})
    text = json.dumps({"format": format, "version": version, **whole.header})
    write_compressed(path, header=np.frombuffer(text.encode(), dtype=np.uint8),
                     **whole.arrays)


def format_of(path: str | os.PathLike) -> str:
    """What a file says that it is; a ModelFileError if it does not say so."""
    try:
        with ArrayFile(path) as arrays:
            header = parse_header(arrays)
            if not isinstance(header, dict):
                raise InputError("its header is not a dictionary")
            return str(header["format"])
    except FileNotFoundError:
        raise
    except (OSError, *_UNFIT) as error:
        why = getattr(error, "strerror", None) or error
        raise ModelFileError(f"{os.fspath(path)}: cannot be read as a model file ({why}); "
                             "expected one that was saved by this program") from error


def parse_header(arrays: ArrayFile) -> object:
    """The header of a file; a ValueError, before it is parsed, if it is too large."""
    size = math.prod(arrays.declared("header").shape)
    if size > LARGEST_MODEL_HEADER:
        raise InputError(f"its header has {size} bytes, expected at most {LARGEST_MODEL_HEADER}")
    text = bytes(arrays.read("header"))
    if sum(map(text.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise InputError(f"its header has more than {MOST_VALUES} values")
    return json.loads(text)


class ModelFile:
    """A model file that is being read.

    Everything that is wrong with the file within the ``with`` block, a ValueError of a
    model's own code too, becomes a ModelFileError that names the file. Only a file that
    is not there is a FileNotFoundError.

    Parameters
    ----------
    format, versions : what the file must be
    schema : of the header
    components : names of all that the file can have besides the main one
    upgrade : makes a header of an older version one of the newest
    what : the model in words, for messages

    Attributes
    ----------
    header : dict
    """

    def __init__(self, path: str | os.PathLike, *, format: str, versions: Sequence[int],
                 schema: Mapping[str, Value], components: Sequence[str] = (),
                 upgrade: Callable[[dict], None] = lambda header: None,
                 what: str = "model"):
        self.path, self.upgrade, self.what = os.fspath(path), upgrade, what
        self.format, self.versions, self.schema = format, versions, schema
        self.components = components
        self.header: dict = {}
        self._start = ""        # of the names of all arrays

    def __enter__(self) -> ModelFile:
        try:
            self._file = ArrayFile(self.path)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise self._bad(error.strerror or str(error)) from error
        except ValueError as error:
            raise self._bad(f"cannot be read as a model file ({error})") from error
        try:
            self._read_header()
        except BaseException:
            self._file.__exit__()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 _: object) -> None:
        self._file.__exit__()
        if isinstance(error, ModelFileError):
            return
        if isinstance(error, ArrayFileError):
            raise self._bad(f"cannot be read as a model file ({error})") from error
        if isinstance(error, OtherVersionError):
            raise ModelFileError(f"{self.path}: {error}") from error
        if isinstance(error, _UNFIT):
            raise self._bad("its contents do not fit together "
                            f"({' '.join(str(error)[:300].split())})") from error

    def __contains__(self, component: str) -> bool:
        return component in self.header.get("components", {})

    def component(self, schema: Schema, name: str = "") -> Component:
        """A component, if it is what the schema says."""
        part: Any = self.header.get("components", {}).get(name) if name else (
            self.header.get("model"))
        sizes = schema.check_header(part, name or "model")
        return Component(part, self._checked(schema, name, sizes))

    def arrays(self, declared: Mapping[str, Array], name: str = ""
               ) -> dict[str, np.ndarray]:
        """Further arrays of a component, if they are what they are declared to be."""
        return self._checked(Schema(arrays=declared), name, {})

    def whole(self, schema: Schema) -> Component:
        """The file as one component."""
        return Component(self.header, self._checked(
            schema, "", self._check_header("", self.header, schema.header)))

    def part(self, name: str, schema: Mapping[str, Value], components: Sequence[str] = ()
             ) -> ModelFile:
        """A component that is a whole model, as a file of its own; its header has this
        schema. It is read within the ``with`` block of this file."""
        part = copy(self)
        part.components = components
        part.header = self.header["components"][name]
        part._check_header(name, part.header, schema)
        part._start = f"{self._start}{name}/"
        return part

    def _checked(self, schema: Schema, name: str, sizes: Sizes) -> dict[str, np.ndarray]:
        where = _full_name(name, "")
        start = self._start + where
        entries = {array: start + called for array in schema.arrays
                   for called in (array, OLDER_ARRAYS.get(array, array))
                   if start + called in self._file}
        for array, entry in entries.items():      # before any of them is read
            declared = self._file.declared(entry)
            schema.arrays[array].check_declared(
                where + array, declared.dtype, declared.shape, sizes)
        arrays = {array: np.ascontiguousarray(self._file.read(entry))
                  for array, entry in entries.items()}
        schema.check_arrays(arrays, sizes)
        return arrays

    def _check_header(self, where: str, header: dict, schema: Mapping[str, Value]
                      ) -> Sizes:
        sizes: Sizes = {}
        known = {**schema, **{name: item for name, item in _ENVELOPE.items()
                              if name not in schema}}
        Record(known).check(where, header, sizes)
        if header.get("components", {}) is None:
            raise SchemaError("components: expected a dictionary")
        unknown = header.get("components", {}).keys() - set(self.components)
        if unknown:
            raise SchemaError(f"{_full_name(where, 'components')}: found "
                              f"{shortened(min(unknown))}, which this program does not know")
        return sizes

    def _read_header(self) -> None:
        if "header" not in self._file:
            raise self._bad("it has no header")
        try:
            header = parse_header(self._file)
        except (ValueError, RecursionError) as error:
            raise self._bad(f"cannot be read as a model file ({error})") from error
        if type(header) is not dict or header.get("format") != self.format:
            stated = header.get("format") if type(header) is dict else None
            raise self._bad(f"its header is not that of a {self.what}"
                            + f" (found {shortened(stated)})" * (stated is not None))
        version = header.get("version")
        if type(version) is not int or version not in self.versions:
            raise self._bad(
                f"it has version {shortened(version)}, this program reads version "
                f"{' and '.join(map(str, self.versions))}")
        self.header = header
        self.upgrade(header)
        try:
            self._check_header("", header, self.schema)
        except SchemaError as error:
            raise self._bad(f"its contents do not fit together ({error})") from error

    def _bad(self, why: str) -> ModelFileError:
        return ModelFileError(f"{self.path}: {why}; expected a {self.what} that was "
                              "saved by this program")


def _full_name(component: str, name: str) -> str:
    return f"{component}/{name}" if component else name
