"""A treebank from any table that contains one."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from Orange.data import Domain, Table, Variable

from orange_structpred.errors import InputError
from orange_structpred.treebank.block import ConllError
from orange_structpred.treebank.columns import (
    SENT_ID,
    SPREADSHEET_CELL,
    TEXT_COLUMN,
    domain_of_treebanks,
    no_treebank,
    parse_cells,
    prediction_role,
    sentence_variables,
    strings,
    texts,
    variable_with_role,
)
from orange_structpred.treebank.misnamed import CONLLU
from orange_structpred.treebank.projectivity import flatten
from orange_structpred.treebank.sentence import Sentence
from orange_structpred.treebank.shape import shapes


class Column(NamedTuple):
    """A column of the treebank: an array of values, or None for those of the table."""

    variable: Variable
    values: Any = None


Columns: TypeAlias = list[Column]
# Attributes, class variables, metas.
ColumnsOfParts: TypeAlias = tuple[Columns, Columns, Columns]
TreebankT = TypeVar("TreebankT", bound=Table)


def rebuilt(cls: type[TreebankT], table: Table, on_error: str) -> TreebankT:
    """The table as a treebank of class cls; see `Treebank.from_table`.

    Each column stays where it is, unless it belonged to a treebank and was converted to
    something else on the way.
    """
    if on_error not in ("raise", "skip"):
        raise InputError(f"on_error must be 'raise' or 'skip', not {on_error!r}")
    sources = sentence_variables(table.domain)
    if not sources:
        raise InputError(no_treebank(table))
    if (isinstance(table, cls) and on_error == "raise" and len(sources) == 1
            and sources[0].is_string and sources[0] in table.domain.metas):
        return table

    # Merge Data may keep such a column from each side, with a row in one of them;
    # spreadsheets and other programs change the line ends.
    cells = [next(filter(None, row), "")
             for row in zip(*(texts(table, var) for var in sources))]
    blocks = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
    parsed, faults = parse_cells(blocks, table.name)
    faults += _cut(table, parsed)
    if faults and on_error == "raise":
        raise faults[0]
    if faults:
        table = table[[i for i, sentence in enumerate(parsed) if sentence is not None]]
    sentences = [sentence for sentence in parsed if sentence is not None]
    parts = _repaired(table, sources, sentences)
    if all([column.variable for column in part] == list(variables)
            and all(column.values is None for column in part)
            for part, variables in zip(parts, _variables(table.domain))):
        result = cls.from_table_rows(table, ...)
    else:
        result = _from_columns(cls, table, parts)
    result._sentences, result._skipped = sentences, tuple(faults)
    return result


def with_sentences(treebank: TreebankT, sentences: Sequence[Sentence]) -> TreebankT:
    """The treebank with other sentences, and the columns that describe them updated."""
    proper, sources = derived_columns(sentences), sentence_variables(treebank.domain)

    def column(var: Variable) -> Column:
        described = proper.get(CONLLU if var in sources else var.name)
        return Column(var, described.values
                      if described and type(described.variable) is type(var) else None)

    attributes, class_vars, metas = ([column(var) for var in variables]
                                     for variables in _variables(treebank.domain))
    result = _from_columns(type(treebank), treebank, (attributes, class_vars, metas))
    result._sentences = list(sentences)
    return result


def _cut(table: Table, sentences: list[Sentence | None]) -> list[ConllError]:
    """Take out the sentences that a spreadsheet cut where they still look whole."""
    known = [var for var in table.domain.variables + table.domain.metas
             if var.name == "length" and var.is_continuous]
    lengths = table.get_column(known[0]) if known else np.full(len(table), np.nan)
    faults = []
    for i, sentence in enumerate(sentences):
        if (sentence is not None and len(sentence.block) == SPREADSHEET_CELL
                and len(sentence) != lengths[i]):
            sentences[i] = None
            faults.append(ConllError(
                f"{table.name}, row {i + 1}", 1 + sentence.block.count("\n"),
                f"the end of a cell with {SPREADSHEET_CELL} characters, the most that "
                "a spreadsheet keeps", "the whole sentence"))
    return faults


def _variables(domain: Domain) -> tuple[tuple[Variable, ...], ...]:
    return domain.attributes, domain.class_vars, domain.metas


def _repaired(table: Table, sources: Sequence[Variable],
              sentences: Sequence[Sentence]) -> ColumnsOfParts:
    """The columns of the table as those of a treebank."""
    proper = derived_columns(sentences)
    lengths = [len(sentence) for sentence in sentences]
    parts: ColumnsOfParts = ([], [], [])
    metas = parts[2]
    moved: Columns = []
    for part, variables in zip(parts, _variables(table.domain)):
        texts_to = metas if part is metas else moved
        for var in variables:
            kept = Column(var)
            if var in sources:
                if var == sources[0]:
                    whole = (part is metas and var.is_string and texts(table, var)
                             == [sentence.block for sentence in sentences])
                    texts_to.append(kept if whole else proper[CONLLU])
            elif var.name in (TEXT_COLUMN, SENT_ID):
                whole = part is metas and _is_full(table, proper[var.name])
                texts_to.append(kept if whole else proper[var.name])
            elif var.name in proper:
                part.append(_exact(table, var, proper[var.name]))
            elif var.is_discrete and (role := prediction_role(var, table, lengths)):
                texts_to.append(Column(variable_with_role(var.name, role),
                                       strings(texts(table, var))))
            else:
                part.append(kept)
    metas += moved
    return parts


def derived_columns(sentences: Sequence[Sentence]) -> dict[str, Column]:
    """What a new treebank of these sentences has in its columns, by their names."""
    domain = domain_of_treebanks()
    variables = domain.attributes + domain.metas
    values = [*shapes(*flatten([sentence.heads for sentence in sentences])),
              strings([sentence.text for sentence in sentences]),
              strings([sentence.sent_id for sentence in sentences]),
              strings([sentence.block for sentence in sentences])]
    return {var.name: Column(var, column) for var, column in zip(variables, values)}


def _is_full(table: Table, proper: Column) -> bool:
    """Whether a text column has a text for each sentence that has one.

    Cells that a program took for a formula come back empty.
    """
    variable = table.domain[proper.variable.name]
    return variable.is_string and all(
        text or not expected
        for text, expected in zip(texts(table, variable), proper.values))


def _exact(table: Table, variable: Variable, proper: Column) -> Column:
    """A column of numbers or categories, with what files rounded off or guessed."""
    if (variable.is_continuous != proper.variable.is_continuous
            or variable.is_discrete and variable.values != proper.variable.values):
        return proper
    values = table.get_column(variable)
    rounded = (variable.is_continuous
               and not np.array_equal(values, proper.values, equal_nan=True)
               and np.allclose(values, proper.values, rtol=0, equal_nan=True,
                               atol=10.0 ** -proper.variable.number_of_decimals))
    return Column(variable, proper.values) if rounded else Column(variable)


def _from_columns(cls: type[TreebankT], table: Table,
                  parts: ColumnsOfParts) -> TreebankT:
    def stacked(part: Columns, dtype: type) -> np.ndarray:
        array: np.ndarray = np.empty((len(table), len(part)), dtype=dtype)
        for i, (variable, values) in enumerate(part):
            array[:, i] = table.get_column(variable) if values is None else values
        return array

    attributes, class_vars, metas = parts
    result = cls.from_numpy(
        Domain(*([column.variable for column in part] for part in parts)),
        stacked(attributes, float), stacked(class_vars, float), stacked(metas, object),
        W=table.W if table.has_weights() else None,
        attributes=table.attributes, ids=table.ids)
    result.name = table.name
    return result
