"""Sentences to learn from."""
from __future__ import annotations

from collections.abc import Sequence

from Orange.data import Table

from orange_structpred.treebank import Sentence, as_treebank


class TrainingError(ValueError):
    """A treebank from which nothing can be learned."""


class MissingHeadsError(TrainingError):
    """A treebank with tokens without heads."""


def training_sentences(data: Table) -> list[Sentence]:
    """The sentences of a treebank, if something can be learned from them."""
    treebank = as_treebank(data)
    sentences = treebank.sentences
    if not sentences:
        raise TrainingError("the treebank has no sentences to learn from")
    expect_heads(sentences)
    return sentences


def expect_heads(sentences: Sequence[Sentence]) -> None:
    """Complain of tokens without heads."""
    for number, sentence in enumerate(sentences, 1):
        if not sentence.has_heads:
            raise MissingHeadsError(
                f"sentence {number} ({sentence.sent_id or sentence.text[:40]!r}) has "
                "tokens without heads")
