"""Models of this room in files: an .npz of arrays with a JSON header, no pickle."""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import TypeVar

import numpy as np

from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.files.models import ModelFileError
from orange_structpred.svm import Report
from orange_structpred.tagging.model import checked_array, expect

VERSION = 1
Restored = TypeVar("Restored")


def save_model(path: str | os.PathLike, kind: str, header: Mapping,
               arrays: Mapping[str, np.ndarray]) -> None:
    """Write a model; `kind` says what it is, in words for users."""
    text = json.dumps({"format": f"orange-structpred {kind}", "version": VERSION,
                       **header})
    write_arrays(path, header=text_array(text), **arrays)


def load_model(path: str | os.PathLike, kind: str,
               restore: Callable[[dict, dict[str, np.ndarray]], Restored]) -> Restored:
    """Read a model; a file that is none gets a ModelFileError.

    restore : makes the model of header and arrays; a ValueError of it, or a missing
        entry of the header, is a damaged file
    """
    def bad(why: str) -> ModelFileError:
        return ModelFileError(f"{os.fspath(path)}: {why}; expected a {kind} that was "
                              "saved by this program")

    try:
        arrays = read_arrays(path)
        header = json.loads(array_text(arrays, "header"))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise bad(error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise bad(f"cannot be read as a model file ({error})") from error
    found = header.get("format") if isinstance(header, dict) else None
    if found != f"orange-structpred {kind}":
        raise bad(f"it is a file of another kind ({found!r:.60})" if found else
                  f"its header is not that of a {kind}")
    if header.get("version") != VERSION:
        raise bad(f"it has version {header.get('version')!r:.20}, this program reads "
                  f"version {VERSION}")
    try:
        return restore(header, arrays)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, MemoryError,
            OverflowError) as error:
        raise bad(f"its contents do not fit together ({error})") from error


def text_array(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def array_text(arrays: Mapping[str, np.ndarray], name: str) -> str:
    return checked_array(arrays, name, np.uint8).tobytes().decode("utf-8")


def strings_in(header: Mapping, name: str) -> list[str]:
    """A list of strings of a header, if it is one."""
    values = header[name]
    expect(isinstance(values, list) and all(isinstance(own, str) for own in values),
           f"its {name} are no list of strings")
    return values


def log_header(log: list[Report]) -> list[dict]:
    return [asdict(report) for report in log]


def log_of(rows: list[dict]) -> list[Report]:
    known = {field.name for field in fields(Report)}
    return [Report(**{name: value for name, value in row.items() if name in known})
            for row in rows]
