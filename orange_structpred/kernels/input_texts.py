"""Inputs of kernels as texts, for files without code."""
from __future__ import annotations

from collections.abc import Callable

from orange_structpred.kernels.trees import Tree
from orange_structpred.treebank.sentence import Sentence

#: Kinds of inputs: their class, what makes a text of one, and what reads it
INPUT_TEXTS: dict[str, tuple[type, Callable, Callable]] = {
    "sentence": (Sentence, lambda sentence: sentence.block, Sentence),
    "tree": (Tree, str, Tree.parse)}
