"""Tokens that stand out in a treebank, as a column that passes through all widgets.

A cell lists the marked tokens of a sentence with their positions: ``saw/2 with/5``.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from Orange.data import Domain, StringVariable, Table

from orange_structpred.treebank.columns import strings, texts
from orange_structpred.treebank.table import Treebank

MARKED = "marked tokens"
_POSITION = re.compile(r"/(\d+)(?= |$)")


def with_marks(treebank: Treebank, marked: Sequence[Iterable[int]]) -> Treebank:
    """The treebank with the column of marked tokens, a new one if there was one.

    marked : for each sentence the positions of its marked tokens, from 1 on
    """
    cells = strings([
        " ".join(f"{'_'.join(sentence.forms[token - 1].split())}/{token}"
                 for token in sorted(marked_tokens))
        for sentence, marked_tokens in zip(treebank.sentences, marked, strict=True)])
    domain = treebank.domain
    if MARKED in domain:
        treebank = treebank.transform(Domain(*(
            [variable for variable in part if variable.name != MARKED]
            for part in (domain.attributes, domain.class_vars, domain.metas))))
    return treebank.add_column(StringVariable(MARKED), cells, to_metas=True)


def marked_sentences(treebank: Treebank, places: Iterable[tuple[int, int]]) -> Treebank:
    """The sentences of some tokens, which are marked.

    places : pairs of the row of a sentence and a position
    """
    marked: dict[int, set[int]] = {}
    for row, position in places:
        marked.setdefault(row, set()).add(position)
    rows = sorted(marked)
    return with_marks(treebank[rows], [marked[row] for row in rows])


def marks(table: Table) -> list[frozenset[int]]:
    """The positions of the marked tokens of each sentence."""
    if MARKED not in table.domain:
        return [frozenset()] * len(table)
    return [frozenset(map(int, _POSITION.findall(cell)))
            for cell in texts(table, table.domain[MARKED])]
