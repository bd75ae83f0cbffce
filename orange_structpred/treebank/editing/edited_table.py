"""The table of a treebank that was edited, with all columns that still fit."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from orange_structpred.treebank.columns import is_prediction, predicted_layer
from orange_structpred.treebank.marks import MARKED
from orange_structpred.treebank.rebuild import with_sentences
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.table import Treebank


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
            if changed.any() and (
                    variable.name == MARKED or is_prediction(variable, treebank, lengths)
                    or predicted_layer(variable, treebank, lengths)):
                result.metas[changed, column] = ""
    return result
