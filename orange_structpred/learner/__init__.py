"""The backend that scripts, the command line and all widgets share."""
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orange_structpred.learner.log_table import training_log
    from orange_structpred.learner.parser_learner import ParserLearner

__all__ = ["ParserLearner", "training_log"]
# the command line needs the table of parameters, and answers at once
_MODULES = {"ParserLearner": "parser_learner", "training_log": "log_table"}


def __getattr__(name: str):
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
