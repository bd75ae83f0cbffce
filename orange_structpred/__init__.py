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
    "Lemmatiser": "tagging.lemmatiser",
    "LemmatiserLearner": "tagging.lemmatiser",
    "Parser": "parser",
    "ParserLearner": "learner",
    "RuleTokeniser": "tagging.rules",
    "Tagger": "tagging.tagger",
    "TaggerLearner": "tagging.tagger",
    "Tokeniser": "tagging.tokeniser",
    "TokeniserLearner": "tagging.tokeniser",
    "TrainingError": "training",
    "UnknownTagsWarning": "parser",
    "evaluate": "evaluation",
    "evaluate_raw": "evaluation",
    "paired_test": "evaluation",
}

__all__ = ["ConllError", "Lemmatiser", "LemmatiserLearner", "Parser", "ParserLearner",
           "RuleTokeniser", "Sentence", "Tagger", "TaggerLearner",
           "Tokeniser", "TokeniserLearner", "TrainingError", "Treebank",
           "UnknownTagsWarning", "evaluate", "evaluate_raw", "load_bundled",
           "paired_test", "read_conll", "write_conll"]


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


def __getattr__(name: str):
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
