"""Structural support vector machines for dependency parsing, without Qt."""
from importlib import import_module
from importlib.util import find_spec

from orange_structpred import _clone, _readers

__version__ = "0.1.0"

_clone.find_folders_beside()

# Everything is imported when it is first asked for, so that the command line answers
# at once.
_LAZY = {
    "ConllError": "treebank",
    "DiskTreebank": "treebank.on_disk",
    "Lemmatiser": "tagging.lemmatiser",
    "LemmatiserLearner": "tagging.lemmatiser",
    "Parser": "parser",
    "ParserLearner": "learner",
    "Pipeline": "pipeline",
    "PipelineLearner": "pipeline",
    "RuleTokeniser": "tagging.rules",
    "Sentence": "treebank",
    "Tagger": "tagging.tagger",
    "TaggerLearner": "tagging.tagger",
    "Tokeniser": "tagging.tokeniser",
    "TokeniserLearner": "tagging.tokeniser",
    "TrainingError": "treebank.learnable",
    "Treebank": "treebank",
    "UnknownTagsWarning": "parser",
    "calibration": "evaluation",
    "evaluate": "evaluation",
    "evaluate_raw": "evaluation",
    "find": "search",
    "import_table": "tagging.importing",
    "import_text": "tagging.importing",
    "iter_conll": "treebank",
    "load_bundled": "treebank",
    "load_model": "pipeline.loading",
    "load_parser": "pipeline.loading",
    "load_ud": "treebank.ud",
    "paired_test": "evaluation",
    "read_conll": "treebank",
    "read_text": "treebank.text",
    "write_conll": "treebank",
}

__all__ = sorted(_LAZY)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


def __getattr__(name: str):
    if name in _LAZY:
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
    if name.isidentifier() and not name.startswith("_") and find_spec(
            f"{__name__}.{name}"):
        return import_module(f"{__name__}.{name}")      # orange_structpred.problems
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_readers.register()
