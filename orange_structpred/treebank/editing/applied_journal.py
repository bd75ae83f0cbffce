"""What a person has done to a treebank, for scripts."""
from __future__ import annotations

import os
from pathlib import Path

from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.editing.annotation_states import (
    DONE,
    annotation_state,
    checked_words,
    with_checked_heads,
)
from orange_structpred.treebank.editing.edited_table import edited_table
from orange_structpred.treebank.editing.edited_treebank import EditedTreebank
from orange_structpred.treebank.editing.journal import Journal
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.table import Treebank


def apply_journal(data: Table, path: str | os.PathLike) -> Treebank:
    """The treebank with all changes of a journal, as Edit Treebank shows it.

    A SourceChangedError if the changes were made to another treebank, or to another
    version of this one.
    """
    if not Path(path).is_file():
        raise InputError(f"the journal {os.fspath(path)} does not exist")
    treebank = as_treebank(data)
    sentences = treebank.sentences
    edited = EditedTreebank(sentences, Journal(path, sentences))
    return edited_table(treebank, edited.sentences, edited.source_rows())


def done_sentences(data: Table) -> Treebank:
    """The sentences of a treebank that are marked as done."""
    treebank = as_treebank(data)
    return treebank[[row for row, sentence in enumerate(treebank.sentences)
                     if annotation_state(sentence) == DONE]]


def checked_sentences(data: Table) -> Treebank:
    """The sentences in which a person has set or confirmed arcs, with these arcs only, for
    a learner of partly annotated trees. Sentences that are done have all of theirs."""
    treebank = as_treebank(data)
    rows = [row for row, sentence in enumerate(treebank.sentences) if checked_words(sentence)]
    if not rows:
        return treebank[rows]
    chosen = treebank[rows]
    return with_sentences(chosen, list(map(with_checked_heads, chosen.sentences)))
