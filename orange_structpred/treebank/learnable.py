"""Sentences from which something can be learned, or on which it can be measured."""
from __future__ import annotations

from collections.abc import Sequence

from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.treebank import Sentence, Treebank, as_treebank


class TrainingError(InputError):
    """A treebank from which nothing can be learned."""


class MissingHeadsError(TrainingError):
    """A treebank with tokens without heads."""


def training_sentences(data: Table, *, partial: bool = False) -> list[Sentence]:
    """The sentences of a treebank, if something can be learned from them.

    partial : whether heads may be missing, as long as there are some
    """
    treebank = as_treebank(data)
    sentences = treebank.sentences
    if not sentences:
        raise TrainingError("the treebank has no sentences to learn from")
    if not partial:
        expect_heads(sentences)
    elif all(sentence.heads.max() < 0 for sentence in sentences):
        raise MissingHeadsError("no token of the treebank has a head")
    return sentences


def validation_treebank(data: Table, *, heads: bool = True) -> Treebank:
    """A treebank to measure on, if this can be done.

    heads : whether all tokens must have them
    """
    try:
        treebank = as_treebank(data)
    except InputError as error:
        raise InputError(f"the validation treebank: {error}") from None
    if not len(treebank):
        raise InputError("the validation treebank is empty")
    try:
        expect_heads(treebank.sentences if heads else ())
    except MissingHeadsError as error:
        raise MissingHeadsError(f"the validation treebank: {error}") from None
    return treebank


def unlabelled_sentences(data: Table) -> Sequence[Sentence]:
    """Sentences to learn from without their trees."""
    try:
        sentences = as_treebank(data).sentences
    except InputError as error:
        raise InputError(f"the unlabelled sentences: {error}") from None
    if not len(sentences):
        raise InputError("there are no unlabelled sentences")
    return sentences


def expect_heads(sentences: Sequence[Sentence], first: int = 1) -> None:
    """Complain of tokens without heads.

    first : number of the first sentence
    """
    for number, sentence in enumerate(sentences, first):
        if not sentence.has_heads:
            raise MissingHeadsError(
                f"sentence {number} ({sentence.sent_id or sentence.text[:40]!r}) has "
                "tokens without heads")
