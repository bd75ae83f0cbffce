"""Parsers in files: an .npz of arrays with a JSON header. No pickle, no code."""
from __future__ import annotations

import json
import os
from dataclasses import asdict, fields

import numpy as np

from orange_structpred.files.arrays import read_arrays, write_arrays
from orange_structpred.parsing.decoders import DECODERS
from orange_structpred.parsing.explicit import ExplicitModel
from orange_structpred.parsing.implicit import KernelModel, LinearKernelModel
from orange_structpred.parsing.relations.model import RelationModel
from orange_structpred.parsing.second_order.model import SecondOrderModel
from orange_structpred.svm import Report

FORMAT = "orange-structpred parser"
VERSION = 1
MODELS = {model.kind: model
          for model in (ExplicitModel, SecondOrderModel, KernelModel,
                        LinearKernelModel)}
RELATIONS = "relations_"    # before the names of the second stage's arrays


class ModelFileError(ValueError):
    """A file that is no parser, or is damaged."""


def save(parser, path: str | os.PathLike) -> None:
    header = {
        "format": FORMAT, "version": VERSION, "kind": parser.model.kind,
        "name": parser.name, "decoder": parser.decoder,
        "single_root": parser.single_root, "converged": parser.converged,
        "stopped": parser.stopped, "log": [asdict(report) for report in parser.log],
        "model": parser.model.header(),
        "relations": parser.relations and parser.relations.header()}
    relations = parser.relations.arrays() if parser.relations else {}
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    write_arrays(
        path, header=text, tags=parser.tags, **parser.model.arrays(),
        **{RELATIONS + name: array for name, array in relations.items()})


def load(path: str | os.PathLike):
    """Read a parser; a file that is none gets a ModelFileError."""
    from orange_structpred.parser import Parser

    def bad(why: str) -> ModelFileError:
        return ModelFileError(f"{os.fspath(path)}: {why}; expected a parser that was "
                              "saved by this program")

    try:
        arrays = read_arrays(path)
        header = json.loads(bytes(arrays.pop("header")))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise bad(error.strerror or str(error)) from error
    except KeyError as error:
        raise bad("it has no header") from error
    except ValueError as error:
        raise bad(f"cannot be read as a model file ({error})") from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise bad("its header is not that of a parser")
    if header.get("version") != VERSION or header.get("kind") not in MODELS:
        raise bad(f"it has version {header.get('version')!r} and kind "
                  f"{header.get('kind')!r}, this program reads version {VERSION} "
                  f"and {', '.join(MODELS)}")
    try:
        if header["decoder"] not in DECODERS:
            raise ValueError(f"decoder {header['decoder']!r} is not known")
        tags = arrays.pop("tags")
        relations = None
        if header.get("relations") is not None:
            relations = RelationModel.restore(header["relations"], {
                name.removeprefix(RELATIONS): arrays.pop(name) for name in list(arrays)
                if name.startswith(RELATIONS)})
        parser = Parser(
            MODELS[header["kind"]].restore(header["model"], arrays),
            decoder=header["decoder"], single_root=header["single_root"],
            tags=tags, name=header["name"], relations=relations)
        known = {field.name for field in fields(Report)}
        parser.log = [Report(**{name: value for name, value in row.items()
                                if name in known}) for row in header["log"]]
        parser.converged, parser.stopped = header["converged"], header["stopped"]
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, MemoryError
            ) as error:
        raise bad(f"its contents do not fit together ({error})") from error
    return parser
