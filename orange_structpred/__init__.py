"""Structural support vector machines for dependency parsing, without Qt."""
from importlib import import_module

from orange_structpred.treebank import (
    ConllError,
    Sentence,
    Treebank,
    load_bundled,
    read_conll,
    write_conll,
)

__version__ = "0.1.0"

# What needs compiled code is imported when it is asked for.
_LAZY = {
    "Parser": "parser",
    "ParserLearner": "learner",
    "TrainingError": "training",
    "UnknownTagsWarning": "parser",
    "evaluate": "evaluation",
    "paired_test": "evaluation",
}

__all__ = ["ConllError", "Parser", "ParserLearner", "Sentence", "TrainingError",
           "Treebank", "UnknownTagsWarning", "evaluate", "load_bundled", "paired_test",
           "read_conll", "write_conll"]


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


def __getattr__(name: str):
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
