"""What a parser is trained on: sentences in memory, or encoded on disk."""
from __future__ import annotations

from collections.abc import Iterable

from Orange.data import Table

from orange_structpred.running.cancellation import Cancellation
from orange_structpred.treebank import Sentence, as_treebank
from orange_structpred.treebank.encoding import Encoded
from orange_structpred.treebank.learnable import training_sentences
from orange_structpred.treebank.on_disk import DiskTreebank
from orange_structpred.treebank.relations import RelationNumbers, number_relations


class MemoryTreebank:
    """What a `DiskTreebank` tells, of a treebank in memory."""

    def __init__(self, data: Table, *, partial: bool = False):
        self.treebank = as_treebank(data)
        self.sentences = training_sentences(self.treebank, partial=partial)

    def encoded(self, cancellation: Cancellation | None = None) -> Encoded:
        return self.treebank.encoded(cancellation)

    def relations(self) -> RelationNumbers:
        return number_relations([sentence.deprels for sentence in self.sentences])

    def sentences_at(self, numbers: Iterable[int]) -> list[Sentence]:
        return [self.sentences[i] for i in numbers]


def training_data(data: Table | DiskTreebank, *, partial: bool = False
                  ) -> MemoryTreebank | DiskTreebank:
    """A treebank to be trained on, if something can be learned from it.

    partial : whether heads may be missing
    """
    return data if isinstance(data, DiskTreebank) else MemoryTreebank(
        data, partial=partial)
