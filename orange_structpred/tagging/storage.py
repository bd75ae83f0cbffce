"""Models of this room in files: an .npz of arrays with a JSON header, no pickle."""
from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from orange_structpred.files import models
from orange_structpred.files.models import Component, ModelFile
from orange_structpred.files.schema import Schema

if TYPE_CHECKING:
    from typing import Self

TAGGING_VERSION = 1


class Stored(ABC):
    """A model that can be written to a file, alone or as a part of another one."""

    kind: str           # what it is, in words for users
    name: str
    schema: Schema      # of the file's header and arrays
    components: tuple[str, ...] = ()        # that it can have besides

    @abstractmethod
    def header(self) -> dict:
        """What is small."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """What is large."""

    @classmethod
    @abstractmethod
    def restore(cls, header: dict, arrays: dict[str, np.ndarray]) -> Self:
        """The model of its header and arrays, which fit its schema; a ValueError says
        what makes no sense all the same."""

    def __str__(self) -> str:
        return self.name

    def contents(self) -> Component:
        """What a file holds of the model."""
        return Component(self.header(), self.arrays())

    @classmethod
    def read(cls, file: ModelFile) -> Self:
        """The model out of a file."""
        return cls.restore(*file.whole(cls.schema))

    def save(self, path: str | os.PathLike) -> None:
        """Write the model to a file that holds no code."""
        models.write_single(path, format=f"orange-structpred {self.kind}",
                            version=TAGGING_VERSION, whole=self.contents())

    @classmethod
    def load(cls, path: str | os.PathLike) -> Self:
        """Read a model; a file that is none gets a ModelFileError."""
        with ModelFile(path, format=f"orange-structpred {cls.kind}", what=cls.kind,
                       versions=(TAGGING_VERSION,), schema=cls.schema.header,
                       components=cls.components) as file:
            return cls.read(file)


def text_array(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def array_text(array: np.ndarray) -> str:
    return array.tobytes().decode("utf-8")
