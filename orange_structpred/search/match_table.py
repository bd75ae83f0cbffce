"""Matches as a table for Orange's widgets, one row each."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    StringVariable,
    Table,
    Variable,
)

from orange_structpred.search.index import WordColumn
from orange_structpred.search.pattern import LABEL
from orange_structpred.tables.making import table_of_columns
from orange_structpred.treebank.columns import (
    free_name,
    prediction_role,
    sentence_variables,
    strings,
)
from orange_structpred.treebank.marks import MARKED

if TYPE_CHECKING:
    from orange_structpred.search.matches import Matches

MOST_CATEGORIES = 200       # with more values, a column is text


def match_table(matches: Matches) -> Table:
    """One row per match: words, tags, features, positions, distances, and columns of
    the sentence."""
    columns: dict[str, tuple[Variable, np.ndarray]] = {}

    def add(variable: Variable, values: np.ndarray) -> None:
        variable = variable.renamed(free_name(variable.name, columns))
        columns[variable.name] = variable, values

    for number, node in enumerate(matches.nodes):
        for variable, values in columns_of_node(matches, number, node):
            add(variable, values)
    for i, first in enumerate(matches.nodes):
        for j, second in enumerate(matches.nodes[:i]):
            add(ContinuousVariable(f"distance({second}, {first})", number_of_decimals=0),
                (matches.words[:, i] - matches.words[:, j]).astype(float))
    rows = matches.rows
    add(ContinuousVariable("sentence", number_of_decimals=0), rows + 1.)
    for variable in sentence_level_columns(matches):
        add(variable.copy(), matches.treebank.get_column(variable)[rows])
    return table_of_columns(f"matches in {matches.treebank.name}", columns.values())


def columns_of_node(matches: Matches, number: int, node: str
                    ) -> Iterator[tuple[Variable, np.ndarray]]:
    index, words = matches.index, matches.words[:, number]
    yield StringVariable(node), strings(index.column("form").strings(words))
    yield StringVariable(f"{node}.lemma"), strings(index.column("lemma").strings(words))
    for key in ("upos", "xpos", LABEL, *index.words.feature_keys()):
        column = index.column(key)
        if (column.codes[words] >= 0).any():
            yield categories(f"{node}.{key}", column, words)
    yield (ContinuousVariable(f"{node}.position", number_of_decimals=0),
           matches.positions[:, number].astype(float))


def categories(name: str, column: WordColumn, words: np.ndarray
               ) -> tuple[Variable, np.ndarray]:
    """The values of some words as categories, in the order of the alphabet."""
    codes = column.codes[words]
    used = sorted(np.unique(codes[codes >= 0]).tolist(),
                  key=lambda code: column.values[code])
    if len(used) > MOST_CATEGORIES:
        return StringVariable(name), strings(column.strings(words))
    numbers = np.full(len(column.values) + 1, np.nan)
    numbers[used] = np.arange(len(used))
    return (DiscreteVariable(name, values=tuple(column.values[code] for code in used)),
            numbers[codes])


def sentence_level_columns(matches: Matches) -> list[Variable]:
    """The columns of the treebank that say something about a sentence."""
    treebank = matches.treebank
    lengths = np.diff(matches.index.offsets).tolist()
    hidden = sentence_variables(treebank.domain)
    return [variable for variable in (*treebank.domain.variables, *treebank.domain.metas)
            if variable not in hidden and variable.name != MARKED
            and prediction_role(variable, treebank, lengths) is None]
