"""Sentences in and out: CoNLL files, treebanks."""
from orange_structpred.treebank.block import ConllError
from orange_structpred.treebank.conll import Sentences, read_conll, write_conll
from orange_structpred.treebank.sentence import Sentence

__all__ = ["ConllError", "Sentence", "Sentences", "read_conll", "write_conll"]
