"""Models of any kind from files."""
from __future__ import annotations

import os
from typing import Any

from orange_structpred.files.models import ModelFileError, format_of
from orange_structpred.parser import PARSER_FORMAT, Parser
from orange_structpred.pipeline.trained_pipeline import (
    MODELS_OF_STEPS,
    PIPELINE_FORMAT,
    Pipeline,
)


def load_model(path: str | os.PathLike) -> Parser | Pipeline:
    """A parser or a pipeline, whichever the file holds.

    A tokeniser, a tagger or a lemmatiser becomes a pipeline of this one step.
    """
    format = format_of(path)
    if format == PARSER_FORMAT:
        return Parser.load(path)
    if format == PIPELINE_FORMAT:
        return Pipeline.load(path)
    for step, kind in MODELS_OF_STEPS.items():
        if format == f"orange-structpred {getattr(kind, 'kind', '')}":
            model = kind.load(path)
            steps: dict[str, Any] = {step: model}
            return Pipeline(name=model.name, **steps)
    raise ModelFileError(f"{os.fspath(path)}: found {format[:60]!r}, expected a parser, a "
                         "pipeline, or one of its steps")


def load_parser(path: str | os.PathLike) -> Parser:
    """A parser, from its own file or from that of a pipeline that has one."""
    model = load_model(path)
    parser = model.parser if isinstance(model, Pipeline) else model
    if parser is None:
        raise ModelFileError(
            f"{os.fspath(path)}: found {', '.join(model.steps) or 'an empty pipeline'}, "
            "expected a parser, or a pipeline with one")
    return parser
