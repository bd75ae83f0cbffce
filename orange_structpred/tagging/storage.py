"""Models of this room in files: an .npz of arrays with a JSON header, no pickle."""
from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.files import models
from orange_structpred.files.models import Component, ModelFile
from orange_structpred.files.schema import Text
from orange_structpred.svm import Report
from orange_structpred.tagging.sequence_model import checked_array, expect

if TYPE_CHECKING:
    from typing import Self

TAGGING_VERSION = 1
NAMED = {"name": Text(1000)}        # schema of what all headers have


class Stored(ABC):
    """A model that can be written to a file, alone or as a part of another one."""

    kind: str           # what it is, in words for users

    @abstractmethod
    def header(self) -> dict:
        """What is small."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """What is large."""

    @classmethod
    @abstractmethod
    def restore(cls, header: dict, arrays: dict[str, np.ndarray]) -> Self:
        """The model of its header and arrays; a ValueError says what does not fit."""

    def contents(self) -> Component:
        """What a file holds of the model."""
        return Component(self.header(), self.arrays())

    @classmethod
    def read(cls, file: ModelFile) -> Self:
        """The model out of a file, the header of which has a name."""
        return cls.restore(file.header, file.arrays())

    def save(self, path: str | os.PathLike) -> None:
        """Write the model to a file that holds no code."""
        models.write(path, format=f"orange-structpred {self.kind}", version=TAGGING_VERSION,
                     whole=self.contents())

    @classmethod
    def load(cls, path: str | os.PathLike) -> Self:
        """Read a model; a file that is none gets a ModelFileError."""
        with ModelFile(path, format=f"orange-structpred {cls.kind}", schema=NAMED,
                       versions=(TAGGING_VERSION,), what=cls.kind) as file:
            return cls.read(file)


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
