"""Structural support vector machines for dependency parsing, without Qt."""
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from orange_structpred import _clone, _readers

__version__ = "0.1.0"

_clone.find_folders_beside()

# Everything is imported when it is first asked for, so that the command line answers
# at once.
_LAZY = {name: module for module, names in {
    "evaluation": ("calibration", "compare_treebanks", "evaluate", "evaluate_raw",
                   "paired_test"),
    "learner": ("ParserLearner",),
    "parser": ("Arc", "Parser", "UnknownTagsWarning"),
    "pipeline": ("Pipeline", "PipelineLearner"),
    "pipeline.trained_pipeline": ("load_model", "load_parser"),
    "running.cancellation": ("Cancelled", "StopEarly"),
    "search.find": ("find",),
    "tagging.importing": ("import_table", "import_text"),
    "tagging.lemmatiser": ("Lemmatiser", "LemmatiserLearner"),
    "tagging.rules": ("RuleTokeniser",),
    "tagging.tagger": ("Tagger", "TaggerLearner"),
    "tagging.tokeniser": ("Tokeniser", "TokeniserLearner"),
    "treebank": ("ConllError", "Sentence", "Treebank", "iter_conll", "load_bundled",
                 "read_conll", "write_conll"),
    "treebank.learnable": ("TrainingError",),
    "treebank.on_disk": ("DiskTreebank",),
    "treebank.text": ("read_text",),
    "treebank.ud": ("load_ud",),
}.items() for name in names}

__all__ = sorted(_LAZY)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


if TYPE_CHECKING:      # the same names, for type checkers and editors
    # isort: off
    from orange_structpred.evaluation import (
        calibration as calibration, compare_treebanks as compare_treebanks,
        evaluate as evaluate, evaluate_raw as evaluate_raw, paired_test as paired_test,
    )
    from orange_structpred.learner import ParserLearner as ParserLearner
    from orange_structpred.parser import (
        Arc as Arc, Parser as Parser, UnknownTagsWarning as UnknownTagsWarning,
    )
    from orange_structpred.pipeline import (
        Pipeline as Pipeline, PipelineLearner as PipelineLearner,
    )
    from orange_structpred.pipeline.trained_pipeline import (
        load_model as load_model, load_parser as load_parser,
    )
    from orange_structpred.running.cancellation import (
        Cancelled as Cancelled, StopEarly as StopEarly,
    )
    from orange_structpred.search.find import find as find
    from orange_structpred.tagging.importing import (
        import_table as import_table, import_text as import_text,
    )
    from orange_structpred.tagging.lemmatiser import (
        Lemmatiser as Lemmatiser, LemmatiserLearner as LemmatiserLearner,
    )
    from orange_structpred.tagging.rules import RuleTokeniser as RuleTokeniser
    from orange_structpred.tagging.tagger import (
        Tagger as Tagger, TaggerLearner as TaggerLearner,
    )
    from orange_structpred.tagging.tokeniser import (
        Tokeniser as Tokeniser, TokeniserLearner as TokeniserLearner,
    )
    from orange_structpred.treebank import (
        ConllError as ConllError, Sentence as Sentence, Treebank as Treebank,
        iter_conll as iter_conll, load_bundled as load_bundled,
        read_conll as read_conll, write_conll as write_conll,
    )
    from orange_structpred.treebank.learnable import TrainingError as TrainingError
    from orange_structpred.treebank.on_disk import DiskTreebank as DiskTreebank
    from orange_structpred.treebank.text import read_text as read_text
    from orange_structpred.treebank.ud import load_ud as load_ud
    # isort: on
else:
    def __getattr__(name: str) -> object:
        if name in _LAZY:
            return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
        if name.isidentifier() and not name.startswith("_") and find_spec(
                f"{__name__}.{name}"):
            return import_module(f"{__name__}.{name}")      # orange_structpred.problems
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_readers.register_readers()
