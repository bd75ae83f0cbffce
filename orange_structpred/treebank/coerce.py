"""Treebanks and sentences from whatever a caller passes in."""
from __future__ import annotations

from collections.abc import Iterable

from Orange.data import Table

from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank


def as_treebank(data: Table) -> Treebank:
    """The treebank that a table is or carries; a TypeError if it is no table."""
    if isinstance(data, Treebank):
        return data
    if not isinstance(data, Table):
        raise TypeError(
            f"found {described(data)}, expected a Treebank or a Table that carries one; "
            "Treebank.from_sentences and Treebank.from_file make one")
    return Treebank.from_table(data)


def as_sentences(data: Table | Iterable[Sentence], *, comments: bool = False
                 ) -> list[Sentence]:
    """The sentences of a treebank, or sentences; a TypeError if it is neither.

    comments : whether those of a treebank have its predictions in their comments
    """
    if isinstance(data, Table):
        treebank = as_treebank(data)
        return treebank.commented_sentences() if comments else treebank.sentences
    sentences = list(data) if isinstance(data, Iterable) else None
    if sentences is None or not all(isinstance(own, Sentence) for own in sentences):
        raise TypeError(f"found {described(data)}, expected a Treebank or a list of "
                        "sentences; Treebank.from_file and read_conll read some")
    return sentences


def described(data: object) -> str:
    """What something is, in a message."""
    if data is None or isinstance(data, str):
        return repr(data)
    return f"an object of type {type(data).__name__}"
