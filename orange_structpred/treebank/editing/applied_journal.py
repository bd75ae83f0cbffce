"""What a person has done to a treebank, for scripts."""
from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from Orange.data import Table

from orange_structpred.errors import InputError
from orange_structpred.treebank import as_treebank
from orange_structpred.treebank.columns import prediction_role
from orange_structpred.treebank.editing.annotation_states import (
    DONE,
    annotation_state,
    checked_words,
    with_checked_heads,
)
from orange_structpred.treebank.editing.edited_treebank import EditedTreebank
from orange_structpred.treebank.editing.journal import Journal
from orange_structpred.treebank.marks import MARKED
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence
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


def edited_table(treebank: Treebank, sentences: Sequence[Sentence],
                 rows: Sequence[int]) -> Treebank:
    """The treebank with edited sentences.

    Where a sentence has other words now, its predictions and marks are left out.

    rows : for each sentence the row of the treebank that it comes from
    """
    if not sentences:
        return Treebank.from_sentences([], name=treebank.name)
    before = treebank.sentences
    if list(rows) == list(range(len(treebank))):
        if list(sentences) == before:
            return treebank
        result = with_sentences(treebank, sentences)
    else:
        result = with_sentences(treebank[list(rows)], sentences)
        with result.unlocked():
            result._init_ids(result)        # two rows may come from one
    changed = np.array([before[row] is not sentence and before[row].forms != sentence.forms
                        for row, sentence in zip(rows, sentences)])
    lengths = [len(sentence) for sentence in before]
    with result.unlocked(result.metas):
        for column, variable in enumerate(result.domain.metas):
            if changed.any() and (variable.name == MARKED or prediction_role(
                    variable, treebank, lengths)):
                result.metas[changed, column] = ""
    return result


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
