"""Treebanks and sentences from whatever a caller passes in."""
from __future__ import annotations

from collections.abc import Iterable

from Orange.data import Table

from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank


def as_treebank(data: Table) -> Treebank:
    """The treebank in a table; a TypeError if `data` is not a table."""
    if isinstance(data, Treebank):
        return data
    if not isinstance(data, Table):
        raise TypeError(
            f"found {described(data)}, expected a Treebank or a Table that contains one; "
            "create one with Treebank.from_sentences or Treebank.from_file")
    return Treebank.from_table(data)


def as_sentences(data: Table | Iterable[Sentence], *, comments: bool = False
                 ) -> list[Sentence]:
    """The sentences of a treebank or a list; a TypeError for anything else.

    comments : whether the predictions of a treebank are added as comments
    """
    if isinstance(data, Table):
        treebank = as_treebank(data)
        return treebank.commented_sentences() if comments else treebank.sentences
    sentences = list(data) if isinstance(data, Iterable) else None
    if sentences is None or not all(isinstance(sentence, Sentence) for sentence in sentences):
        raise TypeError(f"found {described(data)}, expected a Treebank or a list of "
                        "sentences; Treebank.from_file and read_conll return these")
    return sentences


def described(data: object) -> str:
    """How to call an object in a message."""
    if data is None or isinstance(data, str):
        return repr(data)
    return f"an object of type {type(data).__name__}"
