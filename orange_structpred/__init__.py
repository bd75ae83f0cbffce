"""Structural support vector machines for dependency parsing, without Qt."""
from importlib import import_module
from pathlib import Path

from orange_structpred.treebank import (
    ConllError,
    Sentence,
    Treebank,
    load_bundled,
    read_conll,
    write_conll,
)

__version__ = "0.1.0"

# An installed package has its widgets, workflows and help pages inside; in a clone they
# are beside it. A Python that is started in a clone imports this folder, even where the
# package is installed too, and must find them all the same.
_FOLDER = Path(__file__).parent
if not (_FOLDER / "widgets").exists() and (_FOLDER.parent / "widgets").exists():
    __path__.append(str(_FOLDER.parent))

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
