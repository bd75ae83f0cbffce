"""Reading and writing sentences: CoNLL files, and treebanks as Orange tables."""
from orange_structpred.treebank.block import ConllError
from orange_structpred.treebank.bundled import bundled_path, load_bundled
from orange_structpred.treebank.coerce import as_treebank
from orange_structpred.treebank.conll import (
    Sentences,
    iter_conll,
    read_conll,
    write_conll,
)
from orange_structpred.treebank.format import ConllFormat
from orange_structpred.treebank.prediction import Prediction
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank

__all__ = ["ConllError", "ConllFormat", "Prediction", "Sentence", "Sentences",
           "Treebank", "as_treebank", "bundled_path", "iter_conll",
           "load_bundled", "read_conll", "write_conll"]
