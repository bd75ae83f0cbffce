"""Structural support vector machines for dependency parsing, without Qt."""
from orange_structpred.treebank import (
    ConllError,
    Sentence,
    Treebank,
    read_conll,
    write_conll,
)

__all__ = ["ConllError", "Sentence", "Treebank", "read_conll", "write_conll"]
__version__ = "0.1.0"
