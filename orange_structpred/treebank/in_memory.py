"""What a parser is trained on: sentences in memory, or encoded on disk."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.running.cancellation import Cancellation
from orange_structpred.treebank import Sentence, Treebank, as_treebank
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.learnable import training_sentences
from orange_structpred.treebank.on_disk import DiskTreebank
from orange_structpred.treebank.relations import RelationNumbers, number_relations


class MemoryTreebank:
    """What a `DiskTreebank` tells, of a treebank in memory.

    Parameters
    ----------
    data : the treebank
    variants : the same sentences with other tags and lemmas, which come after the others
    partial : whether heads may be missing

    Attributes
    ----------
    copies : int
        2 if there are variants, else 1
    """

    def __init__(self, data: Table, variants: Table | None = None, *,
                 partial: bool = False):
        self.treebank, self.copies = as_treebank(data), 1
        if variants is not None:
            self.treebank, self.copies = with_variants(
                self.treebank, as_treebank(variants)), 2
        self.sentences = training_sentences(self.treebank, partial=partial)

    def encoded(self, cancellation: Cancellation | None = None) -> Encoded:
        return self.treebank.encoded(cancellation)

    def relations(self) -> RelationNumbers:
        return number_relations([sentence.deprels for sentence in self.sentences])

    def sentences_at(self, numbers: Iterable[int]) -> list[Sentence]:
        return [self.sentences[i] for i in numbers]


TrainingData = MemoryTreebank | DiskTreebank


def training_data(data: Table | TrainingData, variants: Table | None = None, *,
                  partial: bool = False) -> TrainingData:
    """A treebank to be trained on, if something can be learned from it.

    variants, partial : as in `MemoryTreebank`
    """
    if variants is not None and isinstance(data, DiskTreebank):
        raise InputError("A treebank on disk has no variants; load it into memory")
    return data if isinstance(data, TrainingData) else MemoryTreebank(
        data, variants, partial=partial)


def with_variants(treebank: Treebank, variants: Treebank) -> Treebank:
    """The sentences of both, if they differ in tags and lemmas only."""
    pairs = list(zip(treebank.sentences, variants.sentences))
    if len(treebank) != len(variants) or any(
            mine.forms != other.forms or not np.array_equal(mine.heads, other.heads)
            for mine, other in pairs):
        raise InputError("The variants must be the sentences of the treebank, with the "
                         "same words and heads")
    return Treebank.from_sentences([*treebank.sentences, *variants.sentences])
